//! `morpion-tui events rounds|standings|set-result|replay-match|withdraw|disqualify|reinstate`: events that are played in stage rounds.

use morpion_openapi::event::{
    DisqualifyPlayer, Event, EventFormat, GetEventById, GetRounds, GetStandings, ReinstatePlayer, ReplayMatch,
    SetResult, StageRound, StageStanding, WithdrawPlayer,
};
use morpion_shell::{
    command_error::{CommandError, FailureKind},
    reference,
};
use uuid::Uuid;

use super::{events::facts, print::TextTable};
use crate::{
    args::ThePlayer,
    script::{Outcome, Script},
    tabs::events::out_text,
    widgets::{
        name::Named,
        stage::{Seat, TIE_BREAKS, TermRow, match_words, points, score, seats, tie_break_rows, tie_break_values},
    },
};

impl Script {
    pub(super) async fn rounds(&self, event: &str) -> Outcome {
        let event = self.stage_event(event).await?;
        let answer = self.api.ask(&GetRounds { event_id: event.event_id, user_id: None }).await?;
        let expected = answer.expected_rounds;
        self.list(&answer.rounds, None, |rounds| matches(event.format, rounds, expected))
    }

    pub(super) async fn standings(&self, event: &str, player: Option<&str>) -> Outcome {
        let event = self.stage_event(event).await?;
        let user_id = match player {
            Some(player) => Some(self.account(player).await?),
            None => None,
        };
        let answer = self.api.ask(&GetStandings { event_id: event.event_id, user_id }).await?;
        self.list(&answer.standings, None, |rows| table(rows) + &terms(rows))
    }

    /// An event that is no arena.
    async fn stage_event(&self, wanted: &str) -> Result<Event, CommandError> {
        let event_id = self.event(wanted).await?;
        let event = self.api.ask(&GetEventById { event_id }).await?.event;
        match event.format {
            EventFormat::Arena => {
                let why = "An arena has no rounds: see `events leaderboard` and `events games`.";
                Err(CommandError::new(FailureKind::Conflict, why))
            }
            _ => Ok(event),
        }
    }

    pub(super) async fn set_result(
        &self,
        event: &str,
        (round, board): (u32, u32),
        winner: Option<&str>,
        reason: &str,
    ) -> Outcome {
        let event_id = self.event(event).await?;
        let winner_user_id = match winner {
            Some(winner) => Some(self.player_of_match(event_id, (round, board), winner).await?),
            None => None,
        };
        let call = SetResult { event_id, round, board, winner_user_id, reason: reason.to_owned() };
        self.show(call, |answer| facts(&answer.event)).await
    }

    /// One of a match's players, by id or username.
    async fn player_of_match(&self, event_id: Uuid, at: (u32, u32), wanted: &str) -> Result<Uuid, CommandError> {
        if let Ok(id) = wanted.parse() {
            return Ok(id);
        }
        let answer = self.api.ask(&GetRounds { event_id, user_id: None }).await?;
        let pairings = answer.rounds.into_iter().filter(|one| one.round == at.0).flat_map(|one| one.pairings);
        let players = pairings.filter(|pairing| pairing.board == at.1).flat_map(|pairing| pairing.players);
        let mut players =
            players.filter(|player| reference::is_meant(wanted, &player.user_id.to_string(), &player.username));
        match (players.next(), players.next()) {
            (Some(player), None) => Ok(player.user_id),
            _ => {
                let why = format!("'{wanted}' does not play in round {}, board {}.", at.0, at.1);
                Err(CommandError::new(FailureKind::NotFound, why))
            }
        }
    }

    pub(super) async fn replay_match(&self, event: &str, (round, board): (u32, u32), reason: &str) -> Outcome {
        let event_id = self.event(event).await?;
        let answer = self.api.ask(&GetRounds { event_id, user_id: None }).await?;
        let pairings = answer.rounds.iter().filter(|one| one.round == round).flat_map(|one| &one.pairings);
        let pairing = pairings.into_iter().find(|pairing| pairing.board == board);
        let game_id = pairing.and_then(|pairing| pairing.games.last()).map(|game| game.game_id);
        let call = ReplayMatch { event_id, round, board, game_id, reason: reason.to_owned() };
        self.show(call, |answer| facts(&answer.event)).await
    }

    pub(super) async fn withdraw(&self, wanted: &ThePlayer) -> Outcome {
        let (event_id, user_id, reason) = self.player_of(wanted).await?;
        self.show(WithdrawPlayer { event_id, user_id, reason }, |answer| facts(&answer.event)).await
    }

    pub(super) async fn disqualify(&self, wanted: &ThePlayer) -> Outcome {
        let (event_id, user_id, reason) = self.player_of(wanted).await?;
        self.show(DisqualifyPlayer { event_id, user_id, reason }, |answer| facts(&answer.event)).await
    }

    pub(super) async fn reinstate(&self, wanted: &ThePlayer) -> Outcome {
        let (event_id, user_id, reason) = self.player_of(wanted).await?;
        self.show(ReinstatePlayer { event_id, user_id, reason }, |answer| facts(&answer.event)).await
    }

    /// An event and a player by their ids, and the reason.
    async fn player_of(&self, wanted: &ThePlayer) -> Result<(Uuid, Uuid, String), CommandError> {
        let event_id = self.event(&wanted.event.event).await?;
        Ok((event_id, self.account(&wanted.player).await?, wanted.reason.clone()))
    }
}

/// A line for each match.
fn matches(format: EventFormat, rounds: &[StageRound], expected: u32) -> String {
    let mut table = TextTable::new(&["ROUND", "STATE", "BOARD", "GAMES", "RESULT", "FIRST", "SECOND"]);
    for round in rounds {
        let before = rounds.iter().find(|other| other.round + 1 == round.round);
        for pairing in &round.pairings {
            let seats = seats(format, pairing, before, round.round == expected);
            let name = |at: usize| match seats.get(at) {
                Some(Seat::Player(player)) => player.name().whole(),
                Some(Seat::Awaited(who)) => format!("({who})"),
                None => String::new(),
            };
            table.row(&[
                &round.round.to_string(),
                round.state.as_str(),
                &pairing.board.to_string(),
                &score(pairing).unwrap_or_default(),
                &match_words(format, pairing),
                &name(0),
                &name(1),
            ]);
        }
    }
    table.text()
}

/// How the tie-breaks of a player came, where they are told.
fn terms(standings: &[StageStanding]) -> String {
    let rows = tie_break_rows(standings.first().and_then(|row| row.terms.as_deref()).unwrap_or_default());
    if rows.is_empty() {
        return String::new();
    }
    let heads = TIE_BREAKS.map(|(short, _)| short.to_uppercase());
    let titles: Vec<&str> = ["ROUND", "OPPONENT"].into_iter().chain(heads.iter().map(String::as_str)).collect();
    let mut table = TextTable::new(&titles);
    for row in &rows {
        let round = row.round.to_string();
        let cells = row.cells.iter().map(String::as_str);
        table.row(&[round.as_str(), &row.opponent].into_iter().chain(cells).collect::<Vec<_>>());
    }
    let cut = if rows.iter().any(TermRow::has_cut) { "Values in brackets are not counted.\n" } else { "" };
    format!("\n{}{cut}", table.text())
}

fn table(standings: &[StageStanding]) -> String {
    let has_tie_breaks = standings.iter().any(|player| player.tie_breaks.is_some());
    let tie_breaks: Vec<_> =
        TIE_BREAKS.iter().filter(|_| has_tie_breaks).map(|(short, _)| short.to_uppercase()).collect();
    let mut titles = vec!["RANK", "PLAYER", if has_tie_breaks { "POINTS" } else { "WON" }];
    titles.extend(tie_breaks.iter().map(String::as_str));
    titles.extend(["SEED", "OUT", "ACCOUNT"]);
    let mut table = TextTable::new(&titles);
    for player in standings {
        let mut cells = vec![player.rank.to_string(), player.name().whole(), points(player.points)];
        cells.extend(player.tie_breaks.iter().flat_map(tie_break_values).map(points));
        cells.extend([player.seed.to_string(), out_text(player).to_owned(), player.user_id.to_string()]);
        table.row(&cells.iter().map(String::as_str).collect::<Vec<_>>());
    }
    table.text()
}
