//! Standings with receipts: recomputed from the stored games and the admins' corrections alone, and compared with what
//! is stored.

use chrono::TimeDelta;
use morpion_rules::{
    EventId, Game, UserId,
    event::EventState,
    standings::{GameResult, Standing, Standings},
};
use morpion_store::{CorrectionKind, CorrectionRow, EventRow, GameStatus, GamesOf, SignupRow, TournamentText};
use uuid::Uuid;

use super::{
    Events, convert,
    error::EventError,
    stage::Stage,
    stage_views::ActView,
    views::{CorrectionView, Verification},
};
use crate::{clock::utc, error::CommonError, people::Width, play::event_games::stored_game};

/// Games read at once.
const PAGE: usize = 500;

/// A running event may change while it is read; then it is read again, this often.
const ATTEMPTS: u32 = 5;

/// Differences reported; more would repeat the same.
const MAX_DIFFERENCES: usize = 100;

impl Events {
    /// Computes standings and winners from the stored games and corrections, and reports differences from the stored
    /// ones.
    ///
    /// # Errors
    /// [`CommonError::NotFound`] for an unknown event; [`CommonError::Unavailable`] when it changes too fast to be
    /// read.
    pub async fn verify(&self, id: EventId) -> Result<Verification, EventError> {
        for _ in 0..ATTEMPTS {
            self.play.wait_for_stored_ends(GamesOf::Event(id.0)).await;
            let before = self.stored(id).await?;
            self.store().wait_for_ends().await;
            let played = self.stored_games(id, before.tournament.is_some()).await?;
            let after = self.stored(id).await?;
            if before == after {
                return self.verification(&before, &played).await;
            }
        }
        Err(CommonError::unavailable("The event is being played faster than it can be read. Please try again.").into())
    }

    async fn stored(&self, id: EventId) -> Result<Stored, EventError> {
        let event = self.store().event(id.0).await?.ok_or(CommonError::NotFound("event"))?;
        let signups = self.store().signups_of_event(id.0).await?;
        let tournament = self.store().tournament(id.0).await?;
        Ok(Stored { event, signups, tournament, corrections: self.store().corrections_of_event(id.0).await? })
    }

    async fn verification(
        &self,
        stored: &Stored,
        Played { results, games }: &Played,
    ) -> Result<Verification, EventError> {
        let Stored { event, signups, corrections, .. } = stored;
        let stage = self.registry.stored_stage(event.id).await?;
        let mut differences = differences(stored, results, stage.as_ref());
        if let Some(stage) = &stage {
            differences.extend(stage.differences(games));
        }
        let acts = stage.as_ref().map(Stage::receipts).unwrap_or_default();
        let acted = corrections.iter().map(|row| &row.actor).chain(event.vouch.iter().map(|vouch| &vouch.actor));
        let acted = acted.chain(acts.iter().map(|act| &act.actor));
        let actors: Vec<Uuid> = acted.filter_map(|actor| actor.parse().ok()).collect();
        let actors = if actors.is_empty() { vec![] } else { self.store().users(&actors).await? };
        self.people().load(corrections.iter().map(|row| UserId(row.user_id))).await?;
        let account = |actor: &str| actors.iter().find(|user| actor == user.id.to_string()).cloned();
        let calendar = self.registry.clock.to_calendar();
        let receipts = corrections.iter().map(|row| {
            let user = UserId(row.user_id);
            CorrectionView {
                at: row.at + TimeDelta::milliseconds(calendar),
                by: account(&row.actor),
                shown: self.people().shown(user, &name(signups, user), Width::Row),
                row: row.clone(),
            }
        });
        let acts = acts.into_iter().map(|done| ActView { at: utc(done.at + calendar), by: account(&done.actor), done });
        Ok(Verification {
            acts: acts.collect(),
            entrants: self.entrants(EventId(event.id)).await?,
            games: results.len(),
            players: signups.len(),
            corrections: receipts.collect(),
            vouch: event.vouch.clone().map(|vouch| (vouch.clone(), account(&vouch.actor))),
            differences,
        })
    }

    /// The completed games, whole ones only of an event in stage rounds.
    async fn stored_games(&self, id: EventId, has_stages: bool) -> Result<Played, EventError> {
        let mut played = Played::default();
        let mut read = 0;
        loop {
            let page = self.store().games_by_event(id.0, &[GameStatus::Completed], read, PAGE).await?;
            read += page.games.len();
            let is_last = page.games.len() < PAGE;
            for row in &page.games {
                let game = stored_game(row)?;
                played.results.extend(GameResult::of(&game));
                played.games.extend(has_stages.then_some(game));
            }
            if is_last {
                return Ok(played);
            }
        }
    }
}

#[derive(Default)]
struct Played {
    results: Vec<GameResult>,
    games: Vec<Game>,
}

/// What is stored of an event beside its games.
#[derive(PartialEq)]
struct Stored {
    event: EventRow,
    signups: Vec<SignupRow>,
    tournament: Option<TournamentText>,
    corrections: Vec<CorrectionRow>,
}

fn name(signups: &[SignupRow], user: UserId) -> String {
    let row = signups.iter().find(|row| row.user_id == user.0);
    row.map_or_else(|| user.to_string(), |row| row.username.clone())
}

fn differences(
    Stored { event, signups, corrections, .. }: &Stored,
    results: &[GameResult],
    stage: Option<&Stage>,
) -> Vec<String> {
    let rules = convert::event(event);
    let max_losses = rules.details().max_losses;
    let stored = Standings::restore(max_losses, signups.iter().map(convert::standing), []);
    let joined = signups.iter().map(|row| (UserId(row.user_id), convert::standing(row).joined_at));
    let mut differences = vec![];
    // A check-in changes no standing, and whoever was checked in may have withdrawn since.
    let changes = |row: &&CorrectionRow| !row.kind.is_some_and(CorrectionKind::is_check_in);
    let receipts = corrections.iter().filter(changes).map(convert::correction);
    match Standings::recompute(max_losses, joined, results.iter().copied(), receipts) {
        Err(refusal) => differences.push(format!("A stored game or correction does not fit the sign-ups: {refusal}")),
        Ok(computed) => {
            let name = |user: UserId| name(signups, user);
            for difference in computed.differences(&stored).iter().take(MAX_DIFFERENCES) {
                let (games, rows) = (in_words(difference.ours), in_words(difference.theirs));
                differences.push(format!("{}: the games say {games}; stored is {rows}.", name(difference.user)));
            }
            let is_over = rules.state() == EventState::Ended && event.concluded;
            let winners: Vec<_> = match stage {
                _ if !is_over => vec![],
                None => computed.winners(),
                Some(stage) => {
                    let is_removed = |user| computed.get(user).is_some_and(|standing| standing.removed);
                    let users = stage.winners(is_removed).into_iter();
                    users.filter_map(|user| computed.get(user).copied()).collect()
                }
            };
            let computed: Vec<_> =
                winners.iter().map(|winner| (winner.user.0, i64::from(winner.level), i64::from(winner.wins))).collect();
            let written: Vec<_> =
                event.winners.iter().map(|winner| (winner.user_id, winner.level, winner.wins)).collect();
            if computed != written {
                let names: Vec<_> = winners.iter().map(|winner| name(winner.user)).collect();
                let stored: Vec<_> = event.winners.iter().map(|winner| winner.username.clone()).collect();
                differences.push(format!(
                    "Winners: the games say [{}]; stored is [{}].",
                    names.join(", "),
                    stored.join(", ")
                ));
            }
        }
    }
    differences
}

fn in_words(standing: Option<Standing>) -> String {
    standing.map_or_else(
        || "nothing".to_owned(),
        |s| {
            let removed = if s.removed { ", removed" } else { "" };
            format!("level {}, {} wins, {} losses, {} starts{removed}", s.level, s.wins, s.losses, s.starts)
        },
    )
}
