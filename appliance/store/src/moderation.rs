//! What admins do against misuse, and players against each other: suspensions (a field of `user`, and `suspension` for
//! what is left to do), `block`, `report`.

use std::collections::{HashMap, HashSet};
use std::ops::Bound;
use std::time::{Duration, Instant};

use bytes::Bytes;
use chrono::{DateTime, TimeDelta, Utc};
use parking_lot::Mutex;
use rand::Rng;
use surrealdb::IndexedResults;
use surrealdb::types::{RecordId, RecordIdKey, RecordIdKeyRange, SurrealValue, Uuid as DbUuid, Variables, array, vars};
use tokio::sync::OnceCell;
use uuid::Uuid;

use crate::Result;
use crate::error::StoreError;
use crate::hook::{self, HookEvent};
use crate::store::{Store, last, row, rows};
use crate::user::{User, user_record};

pub(crate) const SUSPENDED: &str = "SELECT * FROM user WHERE suspension.at != NONE";
pub(crate) const OPEN_REPORTS: &str = "SELECT * OMIT id FROM report WHERE is_open = $is_open";

pub(crate) const REPORTS_BY: &str = "SELECT * OMIT id, picture, picture_type FROM report WHERE reporter = $user";

/// A person may not sign in.
#[derive(Debug, Clone, PartialEq, Eq, SurrealValue)]
pub struct Suspension {
    /// When it ends by itself; absent for one without an end.
    pub until: Option<DateTime<Utc>>,
    /// Shown to the person.
    pub reason: String,
    pub at: DateTime<Utc>,
}

/// People whose blocks are kept in memory: most block nobody, which takes 100 bytes; the others 16 bytes a block.
const MOST_KNOWN_BLOCKERS: usize = 100_000;

/// How long they are at most: a change that is stored although the disk said that it failed is noticed by then.
const BLOCKS_KNOWN_FOR: Duration = Duration::from_secs(3_600);

/// Whom people block.
#[derive(Debug, Default)]
pub(crate) struct KnownBlocks {
    by_blocker: HashMap<Uuid, KnownBlocker>,
    /// Counts changes: what was read before one is not kept.
    changes: u64,
}

#[derive(Debug)]
struct KnownBlocker {
    blocked: HashSet<Uuid>,
    until: Instant,
}

impl KnownBlocks {
    /// Whether `blocker` blocks `other`, if that is known.
    fn get(&self, blocker: Uuid, other: Uuid) -> Option<bool> {
        let known = self.by_blocker.get(&blocker).filter(|known| Instant::now() < known.until)?;
        Some(known.blocked.contains(&other))
    }

    /// Each entry expires at another time: thousands that were read at once would be read again at once.
    fn insert(&mut self, blocker: Uuid, blocked: HashSet<Uuid>) {
        if self.by_blocker.len() >= MOST_KNOWN_BLOCKERS {
            // Which half does not matter: who is needed again is read again.
            let mut number = 0;
            self.by_blocker.retain(|_, _| {
                number += 1;
                number % 2 == 0
            });
        }
        let lasts = rand::rng().random_range(BLOCKS_KNOWN_FOR / 2..BLOCKS_KNOWN_FOR);
        self.by_blocker.insert(blocker, KnownBlocker { blocked, until: Instant::now() + lasts });
    }

    fn forget(&mut self, change: BlocksChange) {
        self.changes += 1;
        match change {
            BlocksChange::OfBlocker(person) => _ = self.by_blocker.remove(&person),
            BlocksChange::Deletion(person) => {
                self.by_blocker.remove(&person);
                self.by_blocker.values_mut().for_each(|known| _ = known.blocked.remove(&person));
            }
        }
    }
}

/// With more blocks than these, who made them is not kept in memory.
const MOST_BLOCKS: usize = 100_000;

/// Who blocks anybody. Most people do not, and one query tells so for all of them: otherwise thousands whose first games begin
/// at once would wait for thousands of queries.
#[derive(Debug, Default)]
pub(crate) struct Blockers {
    /// Whether `people` has all of them: false if they are too many, and not set before they were read.
    are_known: OnceCell<bool>,
    /// Also those who took their blocks back.
    people: Mutex<HashSet<Uuid>>,
}

/// Whose blocks a write changes.
#[derive(Debug, Clone, Copy)]
pub(crate) enum BlocksChange {
    OfBlocker(Uuid),
    /// An account is deleted, with the blocks that it made and those of others that name it.
    Deletion(Uuid),
}

/// Somebody's block of another person.
#[derive(Debug, Clone, PartialEq, Eq, SurrealValue)]
pub struct BlockRow {
    pub blocked: Uuid,
    pub at: DateTime<Utc>,
}

/// A report of one player about another.
#[derive(Debug, Clone, PartialEq, Eq, SurrealValue)]
pub struct ReportRow {
    #[surreal(rename = "rid")]
    pub id: Uuid,
    pub at: DateTime<Utc>,
    pub reporter: Uuid,
    pub subject: Uuid,
    /// `name`, `picture`, `behaviour` or `engine`.
    pub kind: String,
    pub text: String,
    pub game: Option<Uuid>,
    /// The subject's names and picture as they were.
    pub username: String,
    pub display_name: String,
    pub picture_type: Option<String>,
    pub picture: Option<Bytes>,
    pub is_open: bool,
    pub outcome: Option<String>,
    pub note: Option<String>,
    /// A user id or the name of an operator token, as in the audit trail.
    pub closed_by: Option<String>,
    pub closed_at: Option<DateTime<Utc>>,
}

/// What became of a new report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReportOutcome {
    Stored,
    /// The reporter made as many as allowed in the last 24 hours.
    TooMany,
}

fn suspension_record(user_id: Uuid) -> RecordId {
    RecordId::new("suspension", DbUuid::from(user_id))
}

fn block_record(blocker: Uuid, blocked: Uuid) -> RecordId {
    RecordId::new("block", array![DbUuid::from(blocker), DbUuid::from(blocked)])
}

/// All blocks of an account, as a range of ids.
pub(crate) fn blocks_of(blocker: Uuid) -> RecordId {
    let key = |other: Uuid| RecordIdKey::from(array![DbUuid::from(blocker), DbUuid::from(other)]);
    let range = RecordIdKeyRange { start: Bound::Included(key(Uuid::nil())), end: Bound::Included(key(Uuid::max())) };
    RecordId::new("block", range)
}

/// Written with every report and block that somebody makes, so that no two are counted at the same time. `last` is what
/// it was written for: a record that stays as it was is not written, and two may come at one moment.
fn reporter_record(id: Uuid) -> RecordId {
    RecordId::new("reporter", DbUuid::from(id))
}

fn report_record(id: Uuid) -> RecordId {
    RecordId::new("report", DbUuid::from(id))
}

impl Store {
    /// Suspends an account: its sessions end, admin rights are removed, and what is left to do is recorded
    /// ([`Store::pending_suspensions`]). Replaces an earlier suspension. Audited.
    ///
    /// # Errors
    ///
    /// [`StoreError::NotFound`](crate::StoreError::NotFound), [`StoreError::LastAdmin`](crate::StoreError::LastAdmin);
    /// [`StoreError::IsAdmin`](crate::StoreError::IsAdmin) for one, unless `may_demote`.
    pub async fn suspend_user(&self, id: Uuid, suspension: Suspension, may_demote: bool) -> Result<()> {
        let query = "BEGIN; \
            LET $user = (SELECT * FROM ONLY $id); \
            IF $user = NONE OR $user.deleted_at != NONE { THROW 'morpion:no-user' }; \
            IF $user.is_admin = true { \
                IF !$may_demote { THROW 'morpion:is-admin' }; \
                IF $user.admin_claim = NONE { \
                    IF counter:admins.value <= 1 { THROW 'morpion:last-admin' }; \
                    UPDATE counter:admins SET value -= 1 RETURN NONE; }; }; \
            UPDATE $id SET suspension = $suspension, is_admin = false, admin_claim = NONE, \
                credential_version = $changed, session_version = $changed RETURN NONE; \
            UPSERT $pending CONTENT { uid: $uid } RETURN NONE; \
            DELETE (SELECT VALUE id FROM push_subscription WHERE uid = $uid) RETURN NONE; \
            fn::audit($audit); \
            COMMIT;";
        let variables = vars! {
            id: user_record(id),
            uid: id,
            pending: suspension_record(id),
            suspension: suspension,
            may_demote: may_demote,
            changed: Uuid::new_v4(),
        };
        self.write(query, variables).await.map(drop)
    }

    /// Lifts a suspension. Audited if there was one; returns whether there was.
    pub async fn lift_suspension(&self, id: Uuid) -> Result<bool> {
        let query = "BEGIN; \
            LET $changed = (UPDATE $id SET suspension = NONE \
                WHERE deleted_at = NONE AND suspension != NONE RETURN VALUE uid); \
            DELETE $pending RETURN NONE; \
            IF array::len($changed) > 0 { fn::audit($audit) }; \
            RETURN $changed; \
            COMMIT;";
        let mut response = self.write(query, vars! { id: user_record(id), pending: suspension_record(id) }).await?;
        Ok(!last::<Uuid>(&mut response)?.is_empty())
    }

    /// Suspended accounts with live games or sign-ups left, at most `limit`.
    pub async fn pending_suspensions(&self, limit: usize) -> Result<Vec<Uuid>> {
        let query = "SELECT VALUE uid FROM suspension LIMIT $limit";
        let mut response = self.read(query, vars! { limit: limit as i64 }).await?;
        rows(&mut response, 0)
    }

    /// Removes a suspension from those with something left to do.
    pub async fn finish_suspension(&self, user_id: Uuid) -> Result<()> {
        self.write("DELETE $id RETURN NONE", vars! { id: suspension_record(user_id) }).await.map(drop)
    }

    /// A page of accounts with a suspension, also one that is over, the latest first; and how many there are.
    pub async fn suspended_users(&self, offset: u64, limit: usize) -> Result<(Vec<User>, u64)> {
        let query = format!(
            "{SUSPENDED} ORDER BY suspension.at DESC LIMIT $limit START $offset; \
             SELECT VALUE total FROM (SELECT count() AS total FROM user WHERE suspension.at != NONE GROUP ALL)"
        );
        let variables = vars! { offset: offset as i64, limit: limit as i64 };
        let mut response = self.read(&query, variables).await?;
        let total: Option<i64> = row(&mut response, 1)?;
        Ok((rows(&mut response, 0)?, total.unwrap_or(0).max(0) as u64))
    }

    /// Blocks a person; returns false, and changes nothing, with `most` blocks already.
    pub async fn block(&self, blocker: Uuid, blocked: Uuid, most: usize, now: DateTime<Utc>) -> Result<bool> {
        let query = "BEGIN; \
            UPSERT $guard SET reported_at = $now, last = $blocked RETURN NONE; \
            LET $others = (SELECT VALUE blocked FROM $blocks WHERE blocked != $blocked); \
            LET $allowed = array::len($others) < $most; \
            IF $allowed { \
                UPSERT $id CONTENT { blocker: $blocker, blocked: $blocked, at: $now } RETURN NONE; }; \
            RETURN [$allowed]; \
            COMMIT;";
        let variables = vars! {
            id: block_record(blocker, blocked),
            guard: reporter_record(blocker),
            blocks: blocks_of(blocker),
            blocker: blocker,
            blocked: blocked,
            most: most as i64,
            now: now,
        };
        let mut response = self.change_blocks(BlocksChange::OfBlocker(blocker), query, variables).await?;
        Ok(last::<bool>(&mut response)?.contains(&true))
    }

    /// Takes a block back.
    pub async fn unblock(&self, blocker: Uuid, blocked: Uuid) -> Result<()> {
        let variables = vars! { id: block_record(blocker, blocked) };
        self.change_blocks(BlocksChange::OfBlocker(blocker), "DELETE $id RETURN NONE", variables).await.map(drop)
    }

    /// Whom an account blocks, the latest first.
    pub async fn blocked_by(&self, blocker: Uuid) -> Result<Vec<Uuid>> {
        let query = "SELECT VALUE blocked FROM (SELECT blocked, at FROM $blocks ORDER BY at DESC)";
        let mut response = self.read(query, vars! { blocks: blocks_of(blocker) }).await?;
        rows(&mut response, 0)
    }

    /// The blocks that an account made, the latest first.
    pub async fn blocks_made_by(&self, blocker: Uuid) -> Result<Vec<BlockRow>> {
        let mut response =
            self.read("SELECT blocked, at FROM $blocks ORDER BY at DESC", vars! { blocks: blocks_of(blocker) }).await?;
        rows(&mut response, 0)
    }

    /// The latest reports that an account made, without pictures.
    pub async fn reports_by(&self, reporter: Uuid, limit: usize) -> Result<Vec<ReportRow>> {
        let query = format!("{REPORTS_BY} ORDER BY at DESC LIMIT $limit");
        let mut response = self.read(&query, vars! { user: reporter, limit: limit as i64 }).await?;
        rows(&mut response, 0)
    }

    /// Whether `blocker` blocks `other`. Asked for every game, so answers are kept for a while, and until the blocks of
    /// `blocker` change.
    pub async fn is_blocked(&self, blocker: Uuid, other: Uuid) -> Result<bool> {
        if self.blocks_nobody(blocker).await? {
            return Ok(false);
        }
        let changes = {
            let known = self.blocks.lock();
            if let Some(is_blocked) = known.get(blocker, other) {
                return Ok(is_blocked);
            }
            known.changes
        };
        let blocked: HashSet<Uuid> = self.blocked_by(blocker).await?.into_iter().collect();
        let is_blocked = blocked.contains(&other);
        let mut known = self.blocks.lock();
        if known.changes == changes {
            known.insert(blocker, blocked);
        }
        Ok(is_blocked)
    }

    /// Whether it is known that a person blocks nobody.
    async fn blocks_nobody(&self, person: Uuid) -> Result<bool> {
        let are_known = *self.blockers.are_known.get_or_try_init(|| self.read_blockers(MOST_BLOCKS)).await?;
        Ok(are_known && !self.blockers.people.lock().contains(&person))
    }

    /// Reads who blocks anybody; false with more than `most` blocks.
    async fn read_blockers(&self, most: usize) -> Result<bool> {
        let mut response =
            self.read("SELECT VALUE blocker FROM block LIMIT $limit", vars! { limit: most as i64 + 1 }).await?;
        let blockers: Vec<Uuid> = rows(&mut response, 0)?;
        let are_all = blockers.len() <= most;
        if are_all {
            self.blockers.people.lock().extend(blockers);
        }
        Ok(are_all)
    }

    /// Runs a query that changes blocks, and then forgets what is known of them, also if it failed. It goes on to its end,
    /// whatever becomes of the caller.
    pub(crate) async fn change_blocks(
        &self,
        change: BlocksChange,
        query: &str,
        variables: Variables,
    ) -> Result<IndexedResults> {
        if let BlocksChange::OfBlocker(blocker) = change {
            // Before the write, which `read_blockers` may run beside and not see.
            self.blockers.people.lock().insert(blocker);
        }
        let (store, query) = (self.clone(), query.to_owned());
        let write = tokio::spawn(async move {
            let outcome = store.write(&query, variables).await;
            store.blocks.lock().forget(change);
            outcome
        });
        write.await.unwrap_or_else(|failure| Err(StoreError::Unavailable(failure.to_string())))
    }

    /// Those of these people who block `blocked`.
    pub async fn blockers_among(&self, people: &[Uuid], blocked: Uuid) -> Result<Vec<Uuid>> {
        if people.is_empty() {
            return Ok(vec![]);
        }
        let ids: Vec<RecordId> = people.iter().map(|blocker| block_record(*blocker, blocked)).collect();
        let mut response = self.read("SELECT VALUE blocker FROM $ids", vars! { ids: ids }).await?;
        rows(&mut response, 0)
    }

    /// Stores a report, unless the reporter made `most_a_day`. One about the same person for the same reason that is
    /// still open is replaced, as often as somebody likes. Webhooks are told of any other.
    pub async fn add_report(&self, report: ReportRow, most_a_day: usize, happened: HookEvent) -> Result<ReportOutcome> {
        let query = "BEGIN; \
            UPSERT $guard SET reported_at = $report.at, last = $report.rid RETURN NONE; \
            LET $recent = (SELECT VALUE rid FROM report WHERE reporter = $report.reporter AND at > $day_ago \
                AND !(subject = $report.subject AND kind = $report.kind AND is_open)); \
            LET $same = (SELECT VALUE id FROM report WHERE reporter = $report.reporter \
                AND subject = $report.subject AND kind = $report.kind AND is_open); \
            LET $allowed = array::len($recent) < $most; \
            IF $allowed { \
                DELETE $same RETURN NONE; \
                CREATE $id CONTENT $report RETURN NONE; \
                IF array::len($same) = 0 { {tell} }; }; \
            RETURN [$allowed]; \
            COMMIT;"
            .replace("{tell}", hook::TELL);
        let variables = vars! {
            id: report_record(report.id),
            guard: reporter_record(report.reporter),
            day_ago: report.at - TimeDelta::days(1),
            most: most_a_day as i64,
            report: report,
            happened: vec![happened],
        };
        let mut response = self.write(&query, variables).await?;
        self.hooks_told();
        let allowed = last::<bool>(&mut response)?.contains(&true);
        Ok(if allowed { ReportOutcome::Stored } else { ReportOutcome::TooMany })
    }

    /// A page of open or closed reports, the newest first; and how many there are.
    pub async fn reports(&self, is_open: bool, offset: u64, limit: usize) -> Result<(Vec<ReportRow>, u64)> {
        let query = format!("{OPEN_REPORTS} ORDER BY at DESC LIMIT $limit START $offset");
        let variables = vars! { is_open: is_open, offset: offset as i64, limit: limit as i64 };
        let mut response = self.read(&query, variables).await?;
        Ok((rows(&mut response, 0)?, self.count_reports(is_open).await?))
    }

    /// How many reports are open, or closed.
    pub async fn count_reports(&self, is_open: bool) -> Result<u64> {
        let query = "SELECT VALUE total FROM (SELECT count() AS total FROM report WHERE is_open = $is_open GROUP ALL)";
        let mut response = self.read(query, vars! { is_open: is_open }).await?;
        let total: Option<i64> = row(&mut response, 0)?;
        Ok(total.unwrap_or(0).max(0) as u64)
    }

    /// Open reports about an account.
    pub async fn open_reports_about(&self, subject: Uuid) -> Result<u64> {
        let query = "SELECT VALUE rid FROM report WHERE subject = $subject AND is_open";
        let mut response = self.read(query, vars! { subject: subject }).await?;
        Ok(rows::<Uuid>(&mut response, 0)?.len() as u64)
    }

    /// Closes an open report. Audited; returns whether it was open.
    pub async fn close_report(
        &self,
        id: Uuid,
        outcome: &str,
        note: &str,
        closed_by: &str,
        now: DateTime<Utc>,
    ) -> Result<Option<ReportRow>> {
        let query = "BEGIN; \
            LET $changed = (UPDATE $id SET is_open = false, outcome = $outcome, note = $note, \
                closed_by = $closed_by, closed_at = $now WHERE is_open RETURN AFTER); \
            IF array::len($changed) > 0 { fn::audit($audit) }; \
            RETURN $changed; \
            COMMIT;";
        let variables = vars! {
            id: report_record(id),
            outcome: outcome.to_owned(),
            note: note.to_owned(),
            closed_by: closed_by.to_owned(),
            now: now,
        };
        let mut response = self.write(query, variables).await?;
        Ok(last(&mut response)?.pop())
    }
}

#[cfg(test)]
mod tests {
    use crate::{DatabaseUrl, OpenOptions};

    use super::*;

    fn person(number: usize) -> Uuid {
        Uuid::from_u128(number as u128)
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn who_blocks_anybody_is_known_unless_they_are_many() {
        let store = Store::open(&DatabaseUrl::Memory, OpenOptions::default()).await.unwrap();
        for (blocker, blocked) in [(1, 2), (1, 3), (2, 3)] {
            assert!(store.block(person(blocker), person(blocked), 10, Utc::now()).await.unwrap());
        }
        store.blockers.people.lock().clear();
        assert!(!store.read_blockers(2).await.unwrap());
        assert_eq!(*store.blockers.people.lock(), HashSet::new());
        assert!(store.read_blockers(3).await.unwrap());
        assert_eq!(*store.blockers.people.lock(), HashSet::from([1, 2].map(person)));
    }

    #[test]
    fn who_was_asked_about_at_once_is_not_asked_about_again_at_once() {
        let mut known = KnownBlocks::default();
        (0..1_000).for_each(|number| known.insert(person(number), HashSet::new()));
        let mut ends: Vec<Instant> = known.by_blocker.values().map(|known| known.until).collect();
        ends.sort_unstable();
        let minute = Duration::from_secs(60);
        assert!(ends[0] > Instant::now() + BLOCKS_KNOWN_FOR / 2 - minute);
        for (at, end) in ends.iter().enumerate() {
            let within_a_minute = ends[at..].iter().take_while(|later| **later < *end + minute).count();
            assert!(within_a_minute < 100, "{within_a_minute} of 1000 end in a minute");
        }
    }

    #[test]
    fn a_bounded_number_is_known() {
        let mut known = KnownBlocks::default();
        (0..=MOST_KNOWN_BLOCKERS).for_each(|number| known.insert(person(number), HashSet::from([person(1)])));
        assert_eq!(known.by_blocker.len(), MOST_KNOWN_BLOCKERS / 2 + 1);
        assert_eq!(known.get(person(MOST_KNOWN_BLOCKERS), person(1)), Some(true));
    }

    #[test]
    fn a_deletion_ends_the_blocks_of_both_sides() {
        let [ann, bob, cleo] = [1, 2, 3].map(person);
        let mut known = KnownBlocks::default();
        known.insert(ann, HashSet::from([bob, cleo]));
        known.insert(cleo, HashSet::from([ann]));
        known.forget(BlocksChange::Deletion(cleo));
        assert_eq!([bob, cleo].map(|other| known.get(ann, other)), [Some(true), Some(false)]);
        assert_eq!(known.get(cleo, ann), None);
        known.forget(BlocksChange::OfBlocker(bob));
        assert_eq!(known.get(ann, bob), Some(true), "only whom bob blocks is forgotten");
    }
}
