//! Finding players by name.

use surrealdb::types::{RecordId, RecordIdKeyRange, vars};
use uuid::Uuid;

use crate::store::{Store, rows};
use crate::user::key;
use crate::{Result, StoreError, User};

/// The time limit of a search for names that contain the text in the middle; names that start with it are returned in
/// any case.
const SUBSTRING_TIMEOUT: &str = "250ms";

pub(crate) const USERNAMES_FROM: &str = "SELECT VALUE uid FROM $usernames WHERE names != NONE LIMIT $limit";
pub(crate) const DISPLAY_NAMES_FROM: &str =
    "SELECT VALUE uid FROM user WHERE display_key >= $text AND display_key < $after LIMIT $limit";

impl Store {
    /// Accounts whose username or display name starts with the text, then those that contain it elsewhere; at most
    /// `limit`. Case is ignored, guests and deleted accounts are not found, and emails are not searched.
    pub async fn search_users(&self, text: &str, limit: usize) -> Result<Vec<User>> {
        let text = key(text.trim());
        if text.is_empty() || limit == 0 {
            return Ok(Vec::new());
        }
        // No character sorts after this one, so the range holds every continuation of the text.
        let after = format!("{text}\u{10FFFF}");
        let range = RecordIdKeyRange::from(text.clone()..after.clone());
        let variables = vars! {
            usernames: RecordId::new("username", range),
            text: text.clone(),
            after: after,
            limit: limit as i64,
        };
        let mut response = self.read(&format!("{USERNAMES_FROM}; {DISPLAY_NAMES_FROM}"), variables).await?;
        let mut found: Vec<Uuid> = rows(&mut response, 0)?;
        append_new(&mut found, rows(&mut response, 1)?);
        if found.len() < limit {
            let part = format!(
                "SELECT VALUE uid FROM username WHERE string::contains(names ?? '', $text) \
                 LIMIT $limit TIMEOUT {SUBSTRING_TIMEOUT}"
            );
            match self.read(&part, vars! { text: text, limit: limit as i64 }).await {
                Ok(mut response) => append_new(&mut found, rows(&mut response, 0)?),
                // It took too long: only names that start with the text are returned.
                Err(StoreError::Unavailable(_)) => {}
                Err(error) => return Err(error),
            }
        }
        found.truncate(limit);
        let mut users = self.users(&found).await?;
        users.sort_by_key(|user| found.iter().position(|id| *id == user.id));
        Ok(users)
    }
}

fn append_new(found: &mut Vec<Uuid>, more: Vec<Uuid>) {
    for id in more {
        if !found.contains(&id) {
            found.push(id);
        }
    }
}
