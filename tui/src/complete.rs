//! What a shell may complete: ids and names of what there is on the server.

use std::ffi::OsStr;

use clap_complete::engine::CompletionCandidate;
use morpion_openapi::{
    PageRequest,
    admin::{ListBackups, ListLiveGames, ListSessions, ListTokens, ListUsers},
    event::{EventFilter, EventState, EventStates, ListEvents},
    game::{Game, GamePlayerRef},
    webhook::ListWebhooks,
};
use morpion_shell::{
    command_error::CommandError, complete, environment, output::Format, reference::Candidate, webhook,
};

use crate::{
    config::{Flags, Settings},
    net::api::Api,
    script::Script,
    time::minute,
    widgets::name::Named,
};

pub fn events(typed: &OsStr) -> Vec<CompletionCandidate> {
    offers(typed, async |script| {
        let event_state = Some(EventStates::Many(EventState::ALL.to_vec()));
        let filter = Some(EventFilter { event_state, event_type: None, text: None, signed_up: None, hosted: None });
        let answer = script.api.ask(&ListEvents { filter, page: Some(1), limit: LIMIT }).await?;
        let events = answer.events.into_iter();
        Ok(events.map(|event| Candidate { id: event.event_id.to_string(), name: event.title }).collect())
    })
}

pub fn series(typed: &OsStr) -> Vec<CompletionCandidate> {
    offers(typed, async |script| script.all_series().await)
}

pub fn games(typed: &OsStr) -> Vec<CompletionCandidate> {
    offers(typed, async |script| {
        let answer = script.api.ask(&ListLiveGames { page: Some(1), limit: LIMIT }).await?;
        let typed = typed.to_string_lossy().to_lowercase();
        let names = |game: &Game| {
            let names =
                |name: fn(&GamePlayerRef) -> String| game.players.iter().map(name).collect::<Vec<_>>().join(" - ");
            // Both names lead to the game.
            let (whole, usernames) = (names(|player| player.name().whole()), names(|player| player.username.clone()));
            if usernames.to_lowercase().starts_with(&typed) && !whole.to_lowercase().starts_with(&typed) {
                usernames
            } else {
                whole
            }
        };
        let games = answer.games.iter();
        Ok(games.map(|game| Candidate { id: game.game_id.to_string(), name: names(game) }).collect())
    })
}

pub fn accounts(typed: &OsStr) -> Vec<CompletionCandidate> {
    let text = Some(typed.to_string_lossy().into_owned()).filter(|text| !text.is_empty());
    offers(typed, async |script| {
        let answer = script.api.ask(&ListUsers { text, page: Some(1), limit: LIMIT }).await?;
        let users = answer.users.into_iter();
        Ok(users.map(|user| Candidate { id: user.user_id.to_string(), name: user.username }).collect())
    })
}

/// The sessions of the account that is named before.
pub fn sessions(typed: &OsStr) -> Vec<CompletionCandidate> {
    let words: Vec<_> = environment::arguments().skip_while(|word| word != "revoke-session").skip(1).collect();
    offers(typed, async |script| {
        let Some(account) = words.iter().find(|word| !word.starts_with('-')) else { return Ok(vec![]) };
        let answer = script.api.ask(&ListSessions { user_id: script.account(account).await? }).await?;
        let sessions = answer.sessions.into_iter();
        Ok(sessions.map(|session| Candidate { id: session.session_id, name: session.device }).collect())
    })
}

pub fn tokens(typed: &OsStr) -> Vec<CompletionCandidate> {
    offers(typed, async |script| {
        let answer = script.api.ask(&ListTokens {}).await?;
        let tokens = answer.tokens.into_iter();
        Ok(tokens.map(|token| Candidate { id: token.token_id, name: token.name }).collect())
    })
}

pub fn webhooks(typed: &OsStr) -> Vec<CompletionCandidate> {
    offers(typed, async |script| Ok(webhook::candidates(&script.api.ask(&ListWebhooks {}).await?.webhooks)))
}

pub fn reports(typed: &OsStr) -> Vec<CompletionCandidate> {
    offers(typed, async |script| script.open_reports().await)
}

/// Those that can be read, with `latest` for the last one.
pub fn backups(typed: &OsStr) -> Vec<CompletionCandidate> {
    offers(typed, async |script| {
        let backups = script.api.ask(&ListBackups {}).await?.backups;
        let latest = backups.last().map(|last| Candidate { id: last.backup_id.clone(), name: "latest".to_owned() });
        let all = backups.into_iter().rev();
        let all = all.map(|backup| Candidate { id: backup.backup_id, name: format!("{} UTC", minute(backup.at)) });
        Ok(latest.into_iter().chain(all).collect())
    })
}

const LIMIT: Option<u32> = Some(PageRequest::MAX_LIMIT);

fn offers(
    typed: &OsStr,
    ask: impl AsyncFnOnce(&Script) -> Result<Vec<Candidate>, CommandError>,
) -> Vec<CompletionCandidate> {
    const TAKEN: [&str; 6] = ["--server", "--token", "--token-file", "--profile", "--host-header", "--config"];
    complete::offers(typed, async || {
        let given = complete::options(environment::arguments(), &TAKEN);
        let variable =
            |name: &str| std::env::var(format!("MORPION_TUI_{}", name[2..].replace('-', "_").to_uppercase()));
        let value = |name: &str| given.get(name).cloned().or_else(|| variable(name).ok());
        let flags = Flags {
            server: value("--server").filter(|_| !given.contains_key("--profile")),
            token: value("--token").filter(|_| !given.contains_key("--token-file")),
            token_file: value("--token-file").map(Into::into),
            profile: value("--profile").filter(|_| !given.contains_key("--server")),
            host_header: value("--host-header"),
            config: value("--config").map(Into::into),
            ..Flags::default()
        };
        let settings = Settings::resolve(&flags).ok()?;
        let script = Script { api: Api::new(&settings).ok()?, settings, format: Format::Text };
        ask(&script).await.ok()
    })
}
