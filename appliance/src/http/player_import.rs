//! Players of an event from a list: `docs/behaviour/events.md#players-from-a-list`.

use std::collections::HashSet;

use morpion_openapi::event::{ImportPlayers, ImportPlayersAnswer, ImportStatus, ImportedPlayer};
use morpion_rules::{EventId, UserId};
use morpion_store::User;
use serde_json::json;

use super::{
    ApiError,
    spreadsheet::{NamedLine, names},
};
use crate::{app::App, caller::Call, people::Person};

/// Characters of a name that nobody has, as they are told.
const SHOWN: usize = 40;

/// A line, and who is meant.
struct Line {
    told: ImportedPlayer,
    user: Option<User>,
}

impl Line {
    fn refuse(&mut self, status: ImportStatus, reason: Option<String>) {
        self.told.status = status;
        self.told.reason = reason;
    }

    fn is_fine(&self) -> bool {
        !matches!(self.told.status, ImportStatus::NotFound | ImportStatus::Refused)
    }
}

impl App {
    /// An admin signs up everybody on a list, or nobody: without `preview` the list is taken if every line of it can be.
    ///
    /// # Errors
    /// 401, 403 unless an admin calls; 404; 422 for what is no list; the event takes nobody any more.
    pub async fn import_players(&self, call: &Call, payload: ImportPlayers) -> Result<ImportPlayersAnswer, ApiError> {
        call.caller.admin()?;
        let event = EventId(payload.event_id);
        let listed = names(&payload.csv).map_err(|why| ApiError::invalid("csv", why))?;
        let mut room = self.events.room(event).await?;
        let (mut lines, mut seen) = (vec![], HashSet::new());
        for listed in listed {
            let mut line = self.line(event, listed).await?;
            match &line.user {
                Some(user) if !seen.insert(user.id) => line.refuse(ImportStatus::Repeated, None),
                Some(_) if line.told.status == ImportStatus::Found => match room.checked_sub(1) {
                    Some(left) => room = left,
                    None => line.refuse(ImportStatus::Refused, Some("The event is full.".to_owned())),
                },
                _ => {}
            }
            lines.push(line);
        }
        let mut added = 0;
        if payload.preview != Some(true) && lines.iter().all(Line::is_fine) {
            for line in lines.iter_mut().filter(|line| line.told.status == ImportStatus::Found) {
                let Some(user) = &line.user else { continue };
                let detail = json!({ "list": true, "line": line.told.line });
                let entry = self.accounts.audit_entry(call, "create_player", &user.id.to_string(), detail);
                // Something may have changed since it was looked at.
                match self.events.create_player(event, UserId(user.id), entry).await {
                    Ok(_) => {
                        added += 1;
                        line.told.status = ImportStatus::Added;
                    }
                    Err(error) => line.refuse(ImportStatus::Refused, Some(ApiError::from(error).message.to_string())),
                }
            }
        }
        let complete = lines.iter().all(Line::is_fine);
        let players = lines.into_iter().map(|line| line.told).collect();
        Ok(ImportPlayersAnswer { players, added, complete })
    }

    async fn line(&self, event: EventId, NamedLine { line, name }: NamedLine) -> Result<Line, ApiError> {
        let user = self.accounts.named(&name).await?;
        let mut told = ImportedPlayer {
            line: u32::try_from(line).unwrap_or(u32::MAX),
            username: name.chars().take(SHOWN).collect(),
            status: ImportStatus::NotFound,
            user_id: None,
            display_name: None,
            reason: None,
        };
        let Some(user) = user else { return Ok(Line { told, user: None }) };
        let Person { username, display_name, .. } = Person::of(&user);
        (told.username, told.display_name, told.user_id) = (username, Some(display_name), Some(user.id));
        let mut line = Line { told, user: None };
        if self.events.has_entered(event, UserId(user.id)).await? {
            line.told.status = ImportStatus::AlreadyIn;
        } else {
            match self.events.check_addable_to(event, &user).await {
                Ok(()) => line.told.status = ImportStatus::Found,
                Err(error) => line.refuse(ImportStatus::Refused, Some(ApiError::from(error).message.to_string())),
            }
        }
        line.user = Some(user);
        Ok(line)
    }
}
