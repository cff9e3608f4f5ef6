//! Stage rounds and their tables for the wire.

use morpion_openapi::event as wire;
use morpion_rules::tournament::{Format, Player, Reason, Standing, TieBreakKind};

use crate::{
    account::administration::audit_name,
    events::{
        stage::{Act, MatchView},
        stage_views::{ActView, EntrantsView, RoundProgress, RoundsView, TableView},
    },
    people::PublicProfile,
};

pub fn rounds(view: RoundsView) -> wire::RoundsAnswer {
    let RoundsView { rounds, entrants, expected_rounds } = view;
    let rounds = (1..).zip(rounds).map(|(round, view)| wire::StageRound {
        round,
        state: match view.progress {
            RoundProgress::Planned => wire::RoundState::Planned,
            RoundProgress::Playing => wire::RoundState::Playing,
            RoundProgress::Ended => wire::RoundState::Ended,
        },
        starts_at: view.starts_at.map(Into::into),
        not_before: view.not_before.map(Into::into),
        pairings: view.matches.into_iter().map(|it| pairing(it, &entrants)).collect(),
    });
    wire::RoundsAnswer { rounds: rounds.collect(), expected_rounds }
}

fn player(player: Player, entrants: &EntrantsView) -> wire::StagePlayer {
    let PublicProfile { username, display_name, profile_url, is_bot } = entrants.shown(player);
    wire::StagePlayer {
        user_id: entrants.user(player).0,
        username,
        display_name,
        profile_url,
        is_bot,
        seed: player + 1,
    }
}

fn pairing(MatchView { pairing, games }: MatchView, entrants: &EntrantsView) -> wire::StagePairing {
    let user = |player| entrants.user(player).0;
    wire::StagePairing {
        board: pairing.board,
        players: pairing.players.into_iter().flatten().map(|it| player(it, entrants)).collect(),
        bye: pairing.outcome.is_some_and(|outcome| outcome.reason == Reason::Bye),
        games: games
            .into_iter()
            .map(|(game, winner)| wire::StageGame { game_id: game.0, winner_user_id: winner.map(user) })
            .collect(),
        winner_user_id: pairing.winner().map(user),
        reason: pairing.outcome.map(|outcome| reason(outcome.reason)),
    }
}

/// The table; `with_terms` tells how the tie-breaks came.
pub fn table(view: TableView, with_terms: bool) -> wire::StandingsAnswer {
    wire::StandingsAnswer { standings: view.rows.iter().map(|row| standing(row, &view, with_terms)).collect() }
}

/// What a director did, of these entrants.
pub fn act(ActView { done, at, by }: ActView, entrants: &EntrantsView) -> wire::DirectorAct {
    wire::DirectorAct {
        at: at.into(),
        by: by.as_ref().map_or(done.actor, audit_name),
        what: match done.act {
            Act::SetResult => wire::DirectorActKind::SetResult,
            Act::ReplayMatch => wire::DirectorActKind::ReplayMatch,
            Act::WithdrawPlayer => wire::DirectorActKind::WithdrawPlayer,
            Act::DisqualifyPlayer => wire::DirectorActKind::DisqualifyPlayer,
            Act::ReinstatePlayer => wire::DirectorActKind::ReinstatePlayer,
        },
        round: done.place.map(|(round, _)| round),
        board: done.place.map(|(_, board)| board),
        players: done.players.into_iter().map(|it| player(it, entrants)).collect(),
        before: done.before.map(|(outcome, winner)| wire::MatchResult {
            winner_user_id: winner.map(|winner| entrants.user(winner).0),
            reason: reason(outcome.reason),
        }),
        reason: done.reason,
    }
}

fn standing(row: &Standing, view: &TableView, with_terms: bool) -> wire::StageStanding {
    let TableView { entrants, disqualified, .. } = view;
    let PublicProfile { username, display_name, profile_url, is_bot } = entrants.shown(row.player);
    let has_tie_breaks = !row.tie_breaks.is_empty();
    let terms = row.tie_breaks.iter().flat_map(|tie_break| {
        tie_break.terms.iter().map(|term| wire::TieBreakTerm {
            tie_break: tie_break_name(tie_break.kind),
            round: term.round,
            opponent: term.opponent.map(|opponent| player(opponent, entrants)),
            value: term.value,
            cut: term.cut,
        })
    });
    let value = |kind| row.tie_breaks.iter().find(|it| it.kind == kind).map_or(0.0, |it| it.value);
    wire::StageStanding {
        rank: row.rank,
        user_id: entrants.user(row.player).0,
        username,
        display_name,
        profile_url,
        is_bot,
        seed: row.player + 1,
        points: row.points,
        tie_breaks: has_tie_breaks.then(|| wire::TieBreaks {
            buchholz_cut1: value(TieBreakKind::BuchholzCut1),
            buchholz: value(TieBreakKind::Buchholz),
            sonneborn_berger: value(TieBreakKind::SonnebornBerger),
            wins: value(TieBreakKind::Wins),
            head_to_head: value(TieBreakKind::HeadToHead),
        }),
        withdrawn: row.withdrawn,
        disqualified: disqualified.contains_key(&row.player),
        disqualification: disqualified.get(&row.player).cloned().flatten(),
        terms: (with_terms && has_tie_breaks).then(|| terms.collect()),
    }
}

fn reason(reason: Reason) -> wire::MatchReason {
    match reason {
        Reason::Played => wire::MatchReason::Played,
        Reason::Bye => wire::MatchReason::Bye,
        Reason::Absent => wire::MatchReason::Absent,
        Reason::Withdrawn => wire::MatchReason::Withdrawn,
        Reason::Ruling => wire::MatchReason::Ruling,
    }
}

fn tie_break_name(kind: TieBreakKind) -> wire::TieBreakName {
    match kind {
        TieBreakKind::BuchholzCut1 => wire::TieBreakName::BuchholzCut1,
        TieBreakKind::Buchholz => wire::TieBreakName::Buchholz,
        TieBreakKind::SonnebornBerger => wire::TieBreakName::SonnebornBerger,
        TieBreakKind::Wins => wire::TieBreakName::Wins,
        TieBreakKind::HeadToHead => wire::TieBreakName::HeadToHead,
    }
}

/// The format as the wire names it; `None` for an arena.
pub fn format(format: Option<Format>) -> wire::EventFormat {
    match format {
        None => wire::EventFormat::Arena,
        Some(Format::Knockout { .. }) => wire::EventFormat::Knockout,
        Some(Format::Swiss { .. }) => wire::EventFormat::Swiss,
        Some(Format::RoundRobin { .. }) => wire::EventFormat::RoundRobin,
    }
}

/// The same back, with nothing said about the fields of a format.
pub fn named_format(format: wire::EventFormat) -> Option<Format> {
    match format {
        wire::EventFormat::Arena => None,
        wire::EventFormat::Knockout => Some(Format::Knockout { third_place: false }),
        wire::EventFormat::Swiss => Some(Format::Swiss { rounds: 0 }),
        wire::EventFormat::RoundRobin => Some(Format::RoundRobin { double: false }),
    }
}
