//! Finding players by name.

use std::ops::Bound;
use std::time::Duration;

use parking_lot::RwLock;
use surrealdb::types::{RecordId, RecordIdKeyRange, SurrealValue, vars};
use tokio::time::timeout;
use uuid::Uuid;

use crate::store::{Store, rows};
use crate::user::folded;
use crate::{Result, User};

/// Names in memory, some 90 bytes each. Those of further accounts are found only by how they start.
const MOST_NAMES: usize = 200_000;

/// Changed names after which all are read again.
const MOST_CHANGED: usize = 100;

/// Names read in one query.
const PAGE: usize = 1_000;

/// How long a search waits until the names are read; names that start with the text are returned in any case.
const PATIENCE: Duration = Duration::from_millis(250);

pub(crate) const USERNAMES_FROM: &str = "SELECT VALUE uid FROM $usernames WHERE names != NONE LIMIT $limit";
pub(crate) const DISPLAY_NAMES_FROM: &str =
    "SELECT VALUE uid FROM user WHERE display_key >= $text AND display_key < $after LIMIT $limit";

impl Store {
    /// Accounts whose username or display name starts with the text, then those that contain it elsewhere; at most
    /// `limit`. Case and how letters are composed are ignored, guests and deleted accounts are not found, and emails are not searched.
    pub async fn search_users(&self, text: &str, limit: usize) -> Result<Vec<User>> {
        let text = folded(text.trim());
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
            append_new(&mut found, self.named(&text, limit).await);
        }
        let mut users = self.users(&found).await?;
        let is_named = |user: &User| {
            !user.is_temp && [&user.username, &user.display_name].iter().any(|name| folded(name).contains(&text))
        };
        users.retain(|user| user.deleted_at.is_none() && is_named(user));
        users.sort_by_key(|user| found.iter().position(|id| *id == user.id));
        users.truncate(limit);
        Ok(users)
    }

    /// At most `limit` accounts whose names contain the text, and those whose names changed lately.
    async fn named(&self, text: &str, limit: usize) -> Vec<Uuid> {
        if !self.names.are_known() {
            let store = self.clone();
            // A caller who gives up does not end it.
            let reading = tokio::spawn(async move {
                if let Err(error) = store.read_names().await {
                    tracing::warn!(%error, "the names of accounts cannot be read for a search");
                }
            });
            timeout(PATIENCE, reading).await.ok();
        }
        self.names.search(text, limit)
    }

    async fn read_names(&self) -> Result<()> {
        let _turn = self.names.turn.lock().await;
        if self.names.are_known() {
            return Ok(());
        }
        let round = self.names.begin();
        let mut all = vec![];
        let mut start = Bound::Unbounded;
        while all.len() < MOST_NAMES {
            let range = RecordId::new("username", RecordIdKeyRange { start, end: Bound::Unbounded });
            let variables = vars! { range: range, limit: PAGE as i64 };
            let mut response = self.read("SELECT id, uid, names FROM $range LIMIT $limit", variables).await?;
            let page: Vec<NamesRow> = rows(&mut response, 0)?;
            let Some(last) = page.last() else { break };
            start = Bound::Excluded(last.id.key.clone());
            // Guests have none. Earlier versions stored names in lower case only.
            all.extend(page.into_iter().filter_map(|row| Some((folded(&row.names?).into_boxed_str(), row.uid))));
        }
        self.names.end(round, all);
        Ok(())
    }
}

#[derive(SurrealValue)]
struct NamesRow {
    id: RecordId,
    uid: Uuid,
    names: Option<String>,
}

/// The names of accounts, which a search for a part of one looks through. A query for it would read all rows, which takes a
/// core for milliseconds.
#[derive(Debug, Default)]
pub(crate) struct Names {
    /// Of whoever reads them.
    turn: tokio::sync::Mutex<()>,
    known: RwLock<Known>,
}

#[derive(Debug, Default)]
struct Known {
    /// In the form in which they are searched, usernames with display names.
    names: Option<Vec<(Box<str>, Uuid)>>,
    /// Accounts whose names may have changed since they were read.
    changed: Vec<Uuid>,
    /// How often all names became out of date.
    round: u64,
}

impl Names {
    /// To be called after a name was stored.
    pub(crate) fn changed(&self, user: Uuid) {
        let mut known = self.known.write();
        if known.changed.len() < MOST_CHANGED {
            known.changed.push(user);
        } else {
            *known = Known { round: known.round + 1, ..Known::default() };
        }
    }

    fn are_known(&self) -> bool {
        self.known.read().names.is_some()
    }

    /// Begins to read all names.
    fn begin(&self) -> u64 {
        let mut known = self.known.write();
        known.changed.clear();
        known.round
    }

    /// Makes the names known that were read since [`Names::begin`], unless they are out of date already.
    fn end(&self, round: u64, names: Vec<(Box<str>, Uuid)>) {
        let mut known = self.known.write();
        if known.round == round {
            known.names = Some(names);
        }
    }

    fn search(&self, text: &str, limit: usize) -> Vec<Uuid> {
        let known = self.known.read();
        let names = known.names.iter().flatten();
        let found = names.filter(|(names, _)| names.contains(text)).map(|(_, user)| *user);
        found.take(limit).chain(known.changed.iter().copied()).collect()
    }
}

fn append_new(found: &mut Vec<Uuid>, more: Vec<Uuid>) {
    for id in more {
        if !found.contains(&id) {
            found.push(id);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(names: &str, user: u128) -> (Box<str>, Uuid) {
        (names.into(), Uuid::from_u128(user))
    }

    fn ids(users: impl IntoIterator<Item = u128>) -> Vec<Uuid> {
        users.into_iter().map(Uuid::from_u128).collect()
    }

    #[test]
    fn names_are_read_once_and_again_after_many_changes() {
        let names = Names::default();
        assert!(names.search("da", 9).is_empty());
        let round = names.begin();
        names.end(round, vec![named("ada\nAda", 1), named("bob\nbob", 2), named("eda\nix", 3), named("ida\nix", 4)]);
        assert!(names.are_known());
        assert_eq!(names.search("da", 9), ids([1, 3, 4]));
        assert_eq!(names.search("da", 2), ids([1, 3]));
        names.changed(Uuid::from_u128(5));
        assert_eq!(names.search("bob", 9), ids([2, 5]), "whose names have to be looked at");
        for user in 6..=105 {
            names.changed(Uuid::from_u128(user));
        }
        assert!(!names.are_known());
    }

    #[test]
    fn what_changes_while_names_are_read_is_not_missed() {
        let names = Names::default();
        names.changed(Uuid::from_u128(1));
        let round = names.begin();
        names.changed(Uuid::from_u128(2));
        names.end(round, vec![]);
        assert_eq!(names.search("x", 9), ids([2]));
        let names = Names::default();
        let round = names.begin();
        for user in 0..=MOST_CHANGED {
            names.changed(Uuid::from_u128(user as u128));
        }
        names.end(round, vec![]);
        assert!(!names.are_known());
    }
}
