//! Stage rounds and their tables for the wire.

use morpion_openapi::event as wire;
use morpion_rules::tournament::{Format, Player, Reason, Standing, TieBreakKind};

use crate::{
    events::{
        stage::MatchView,
        stage_views::{EntrantsView, RoundProgress, RoundsView, TableView},
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
        pairings: view.matches.into_iter().map(|it| pairing(it, &entrants)).collect(),
    });
    wire::RoundsAnswer { rounds: rounds.collect(), expected_rounds }
}

fn player(player: Player, entrants: &EntrantsView) -> wire::StagePlayer {
    let PublicProfile { username, display_name, profile_url } = entrants.shown(player);
    wire::StagePlayer { user_id: entrants.user(player).0, username, display_name, profile_url, seed: player + 1 }
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
    let TableView { rows, entrants } = view;
    wire::StandingsAnswer { standings: rows.into_iter().map(|row| standing(&row, &entrants, with_terms)).collect() }
}

fn standing(row: &Standing, entrants: &EntrantsView, with_terms: bool) -> wire::StageStanding {
    let PublicProfile { username, display_name, profile_url } = entrants.shown(row.player);
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
