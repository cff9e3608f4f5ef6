//! Scores of engine use as wire types.

use chrono::{DateTime, Utc};
use morpion_openapi::{Timestamp, engine_use as wire};
use morpion_rules::{
    Cell,
    engine_use::{Count, FoundPosition},
};
use morpion_store::EngineUseRow;

use super::account::profile;
use crate::{
    engine_use::{EngineEvidence, EngineScore},
    play::wire::{board, symbol},
};

pub fn score(EngineScore { user, row }: &EngineScore, now: DateTime<Utc>) -> wire::EngineScore {
    wire::EngineScore {
        user: profile(user, now),
        level: level(&row.level),
        score: row.score,
        chance: row.chance,
        games: small(row.games),
        critical: wire::FoundCount { seen: small(row.seen), found: small(row.found) },
        expected: row.expected,
        updated_at: row.updated_at.into(),
    }
}

/// For the export of an account: without its positions, which are in its games.
pub fn own_score(row: &EngineUseRow) -> serde_json::Value {
    serde_json::json!({
        "level": level(&row.level),
        "score": row.score,
        "games": row.games,
        "critical": { "seen": row.seen, "found": row.found },
        "expected": row.expected,
        "updatedAt": row.updated_at,
    })
}

pub fn evidence(evidence: &EngineEvidence, now: DateTime<Utc>) -> wire::EngineEvidence {
    let EngineEvidence { user, score, updated_at, positions } = evidence;
    wire::EngineEvidence {
        score: wire::EngineScore {
            user: profile(user, now),
            level: level(score.level.as_str()),
            score: score.value,
            chance: score.chance,
            games: score.games,
            critical: count(score.critical),
            expected: score.expected,
            updated_at: (*updated_at).into(),
        },
        bits: score.bits,
        immediate: count(score.immediate),
        small_board: count(score.small),
        open: score.open,
        unknown: score.unknown,
        times: wire::MoveTimes {
            fast: score.times.fast,
            typical_ms: score.times.typical,
            spread: score.times.spread,
            slowdown: score.times.slowdown,
        },
        positions: positions.iter().map(position).collect(),
    }
}

fn position(found: &FoundPosition) -> wire::EnginePosition {
    wire::EnginePosition {
        game_id: found.game.0,
        round: found.round,
        ply: found.ply,
        board: board(&found.board),
        symbol: symbol(found.mark),
        played: pair(found.cell),
        keeping: found.keeping.iter().copied().map(pair).collect(),
        expected: found.expected,
        took_ms: found.took,
        at: Timestamp::from_millis(found.ended_at.0),
    }
}

fn level(word: &str) -> wire::EngineScoreLevel {
    let levels = wire::EngineScoreLevel::ALL.iter().copied();
    levels.into_iter().find(|level| level.as_str() == word).unwrap_or(wire::EngineScoreLevel::TooFew)
}

fn count(Count { seen, found }: Count) -> wire::FoundCount {
    wire::FoundCount { seen, found }
}

fn pair(cell: Cell) -> [u8; 2] {
    [cell.row(), cell.col()]
}

fn small(count: i64) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
