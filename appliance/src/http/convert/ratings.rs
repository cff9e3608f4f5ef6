//! Ratings for the wire.

use morpion_openapi::rating as wire;
use morpion_rules::{Millis, rating::Record};
use morpion_store::RatedGameRow;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::{
    clock::millis,
    people::{PublicProfile, rating_of},
    ratings::{ListedBot, Ranked},
};

/// The rating of a record at a moment of the calendar.
pub fn rating(record: &Record, now: Millis) -> wire::Rating {
    let rating = record.rating_at(now);
    wire::Rating {
        value: rating.shown(),
        deviation: rating.deviation.round() as u32,
        provisional: rating.is_provisional(),
        games: record.games(),
    }
}

pub fn rank(rank: u64) -> u32 {
    u32::try_from(rank).unwrap_or(u32::MAX)
}

pub fn ranked(player: Ranked, now: Millis) -> wire::RankedPlayer {
    let PublicProfile { username, display_name, profile_url, is_bot } = player.shown;
    wire::RankedPlayer {
        rank: rank(player.rank),
        user_id: player.user.0,
        username,
        display_name,
        profile_url,
        is_bot,
        rating: rating(&player.record, now),
    }
}

pub fn bot(bot: &ListedBot, shown: PublicProfile, online: bool, now: Millis) -> wire::Bot {
    let PublicProfile { username, display_name, profile_url, is_bot } = shown;
    wire::Bot {
        rank: bot.rank.map(rank),
        user_id: bot.user.0,
        username,
        display_name,
        profile_url,
        is_bot,
        rating: rating(&bot.record, now),
        online,
        bot_since: bot.since.into(),
    }
}

/// A rated game in the export of one of its players.
pub fn exported(receipt: &RatedGameRow, user: Uuid) -> Value {
    let is_first = receipt.first == user;
    let (before, after, score) = if is_first {
        (receipt.first_before, receipt.first_after, receipt.score)
    } else {
        (receipt.second_before, receipt.second_after, 1.0 - receipt.score)
    };
    let [before, after] = [before, after].map(|values| {
        let rating = rating_of(values);
        json!({ "value": rating.value, "deviation": rating.deviation, "volatility": rating.volatility })
    });
    json!({
        "gameId": receipt.game_id,
        "at": millis(receipt.at).0,
        "boardSize": receipt.board_size,
        "score": score,
        "before": before,
        "after": after,
    })
}
