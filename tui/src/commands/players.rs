//! `morpion-tui players …`

use morpion_openapi::{
    PageRequest,
    account::User,
    admin::ListUsers,
    player_page::{BoardResults, EventPlace, GetHistory, GetProfile, PlayedGame, PlayerProfile},
};
use morpion_shell::command_error::{CommandError, FailureKind};
use serde::Serialize;

use super::print::TextTable;
use crate::{
    args::Players,
    script::{Outcome, Script},
    tabs::users::{kind, suspended::end},
    time::minute,
    widgets::{name::Named, result::how},
};

/// Pages that are searched for an account by its name, which others may contain as well.
const MAX_PAGES: u32 = 10;

/// A player's page, and the account behind it.
#[derive(Debug, Serialize)]
struct PlayerPage {
    user: User,
    profile: PlayerProfile,
    /// The last ones, the newest first.
    games: Vec<PlayedGame>,
}

impl Script {
    pub(super) async fn players(&self, command: &Players) -> Outcome {
        match command {
            Players::Show { account, games } => {
                let user_id = self.account(&account.account).await?;
                let profile = self.api.ask(&GetProfile { username: None, user_id: Some(user_id) }).await?.profile;
                let user = self.user_of(&profile).await?;
                let history = GetHistory { user_id, page: Some(1), limit: Some(*games), filter: None };
                let games = self.api.ask(&history).await?.games;
                self.print(&PlayerPage { user, profile, games }, text)
            }
        }
    }

    /// The account of a player.
    async fn user_of(&self, profile: &PlayerProfile) -> Result<User, CommandError> {
        for page in 1..=MAX_PAGES {
            let text = Some(profile.username.clone());
            let call = ListUsers { text, page: Some(page), limit: Some(PageRequest::MAX_LIMIT) };
            let answer = self.api.ask(&call).await?;
            if let Some(user) = answer.users.into_iter().find(|user| user.user_id == profile.user_id) {
                return Ok(user);
            }
            if !answer.pagination.has_next_page {
                break;
            }
        }
        Err(CommandError::new(FailureKind::NotFound, format!("There is no account '{}'.", profile.username)))
    }
}

fn text(page: &PlayerPage) -> String {
    let PlayerPage { user, profile, games } = page;
    let tables = [facts(user, profile), results(&profile.results), events(&profile.events), last_games(games)];
    tables.into_iter().flatten().map(|table| table.text()).collect::<Vec<_>>().join("\n")
}

fn facts(user: &User, profile: &PlayerProfile) -> Option<TextTable> {
    let mut table = TextTable::facts();
    table.fact("name", profile.name().short());
    table.fact("username", &profile.username);
    table.fact("id", &profile.user_id.to_string());
    table.fact("joined", &format!("{} UTC", minute(user.created_at)));
    // Whatever else it is.
    table.fact("kind", kind(&User { suspension: None, ..user.clone() }));
    if let Some(suspension) = &user.suspension {
        table.fact("suspended", &format!("{}: {}", end(suspension), suspension.reason));
    }
    if let Some(visibility) = profile.visibility {
        table.fact("page for", visibility.as_str());
    }
    if let Some(rating) = &profile.rating {
        let provisional = if rating.provisional { ", provisional" } else { "" };
        let games = rating.games;
        table.fact("rating", &format!("{} ± {}{provisional}, {games} rated games", rating.value, rating.deviation));
    }
    Some(table)
}

fn results(results: &[BoardResults]) -> Option<TextTable> {
    let mut table = TextTable::new(&["BOARD", "WON", "DRAWN", "LOST"]);
    for one in results {
        let board = format!("{0}x{0}", one.board_size);
        table.row(&[&board, &one.wins.to_string(), &one.draws.to_string(), &one.losses.to_string()]);
    }
    (!results.is_empty()).then_some(table)
}

fn events(events: &[EventPlace]) -> Option<TextTable> {
    let mut table = TextTable::new(&["EVENT", "STATE", "PLACE", "LEVEL", "WON", "LOST", "WHEN (UTC)", "TITLE"]);
    for event in events {
        let place = event.place.map_or_else(String::new, |place| format!("{place} of {}", event.players));
        table.row(&[
            &event.event_id.to_string(),
            event.event_state.as_str(),
            &place,
            &event.level.to_string(),
            &event.wins.to_string(),
            &event.losses.to_string(),
            &event.at.map(minute).unwrap_or_default(),
            &event.title,
        ]);
    }
    (!events.is_empty()).then_some(table)
}

fn last_games(games: &[PlayedGame]) -> Option<TextTable> {
    let mut table = TextTable::new(&[
        "GAME",
        "RESULT",
        "HOW",
        "KIND",
        "RATED",
        "BOARD",
        "CLOCK",
        "MOVES",
        "ENDED (UTC)",
        "AGAINST",
    ]);
    for game in games {
        table.row(&[
            &game.game_id.to_string(),
            game.result.as_str(),
            game.reason.map_or("", how),
            game.game_type.as_str(),
            if game.rated { "rated" } else { "" },
            &format!("{0}x{0}", game.board_size),
            game.clock.as_str(),
            &game.move_count.to_string(),
            &minute(game.ended_at),
            &game.opponent.name().whole(),
        ]);
    }
    (!games.is_empty()).then_some(table)
}
