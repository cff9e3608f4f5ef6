//! What players played: finished games in the histories of their players, and how many they won, lost and drew, by kind
//! and board and against each other.
//!
//! A game is counted in the transaction that stores it as finished, once however often that is tried. So results never have
//! to be counted from games, whatever somebody played. How it is stored is in `played/records.rs`.

pub(crate) mod records;

use std::collections::HashMap;
use std::ops::Bound;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use surrealdb::types::{RecordId, RecordIdKey, RecordIdKeyRange, vars};
use uuid::Uuid;

use crate::Result;
use crate::game::records as finished;
use crate::keyed::Transaction;
use crate::store::{Store, rows};
use records::Key;

pub(crate) use records::NAME;

/// How far one can page back, in games of a filter.
pub const MOST_PAGED: usize = 5_000;

/// The latest games between two players that a further filter looks through.
pub const MOST_BETWEEN: usize = 2_000;

/// The latest games of somebody that a filter looks through, a microsecond or two each.
pub const MOST_SCANNED: usize = 20_000;

/// Games or records that are moved or removed in one transaction.
const BATCH: usize = 100;

/// The tables of earlier versions.
const EARLIER_TABLES: [&str; 5] = ["played", "tally", "versus", "counted", "history_rebuild"];

/// The kind of a game, as far as it matters to a history.
///
/// Stored by number: append, never reorder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum PlayedKind {
    /// A rated game of an event.
    Event,
    /// Any other game of an event.
    UnratedEvent,
    /// A rated game of quick match.
    Rated,
    /// Any other game of quick match.
    Casual,
    Invite,
}

impl PlayedKind {
    pub const ALL: [Self; 5] = [Self::Event, Self::UnratedEvent, Self::Rated, Self::Casual, Self::Invite];

    /// Those that everybody signed in may look at.
    pub const PUBLIC: [Self; 3] = [Self::Event, Self::UnratedEvent, Self::Rated];

    /// Those that count for ratings.
    pub const RATED: [Self; 2] = [Self::Event, Self::Rated];
}

/// A game's result for one of its players.
///
/// Stored by number: append, never reorder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum PlayedResult {
    Won,
    Lost,
    Drawn,
}

impl PlayedResult {
    pub const ALL: [Self; 3] = [Self::Won, Self::Lost, Self::Drawn];
}

/// A finished game that has a result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlayedGame {
    pub game_id: Uuid,
    pub players: [Uuid; 2],
    /// `None` for a drawn game.
    pub winner: Option<Uuid>,
    pub kind: PlayedKind,
    /// Of the last round.
    pub board_size: u8,
    /// The caller's word.
    pub clock: String,
    /// The caller's word for how it was won; `None` for a drawn game.
    pub reason: Option<String>,
    pub event_id: Option<Uuid>,
    pub moves: u32,
    /// When it ended.
    pub at: DateTime<Utc>,
}

/// A game as one of its players finished it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlayedRow {
    pub game_id: Uuid,
    pub user_id: Uuid,
    pub opponent: Uuid,
    pub kind: PlayedKind,
    pub result: PlayedResult,
    pub board_size: u8,
    pub clock: String,
    pub reason: Option<String>,
    pub event_id: Option<Uuid>,
    pub moves: u32,
    pub at: DateTime<Utc>,
}

/// Won, lost and drawn games.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    pub wins: i64,
    pub losses: i64,
    pub draws: i64,
}

impl Counts {
    fn one(result: PlayedResult) -> Self {
        let is = |other| i64::from(result == other);
        Self { wins: is(PlayedResult::Won), losses: is(PlayedResult::Lost), draws: is(PlayedResult::Drawn) }
    }

    fn of(self, result: PlayedResult) -> i64 {
        match result {
            PlayedResult::Won => self.wins,
            PlayedResult::Lost => self.losses,
            PlayedResult::Drawn => self.draws,
        }
    }

    fn plus(self, other: Self) -> Self {
        Self { wins: self.wins + other.wins, losses: self.losses + other.losses, draws: self.draws + other.draws }
    }

    fn minus(self, other: Self) -> Self {
        Self { wins: self.wins - other.wins, losses: self.losses - other.losses, draws: self.draws - other.draws }
    }

    pub fn total(self) -> u64 {
        (self.wins + self.losses + self.draws).max(0).unsigned_abs()
    }
}

/// Somebody's results in games of one kind on boards of one size.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TallyRow {
    pub kind: PlayedKind,
    pub board_size: u8,
    pub counts: Counts,
}

/// Somebody's results against one opponent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VersusRow {
    pub opponent: Uuid,
    pub counts: Counts,
    /// When the last of these games ended.
    pub last_at: DateTime<Utc>,
}

/// Which of somebody's games are listed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlayedFilter {
    /// Games of these kinds.
    pub kinds: Vec<PlayedKind>,
    pub result: Option<PlayedResult>,
    pub board_size: Option<u8>,
    pub opponent: Option<Uuid>,
}

/// A page of games, and how many there are in all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlayedPage {
    pub games: Vec<PlayedRow>,
    pub total: u64,
}

impl PlayedGame {
    fn result_for(&self, player: Uuid) -> PlayedResult {
        match self.winner {
            None => PlayedResult::Drawn,
            Some(winner) if winner == player => PlayedResult::Won,
            Some(_) => PlayedResult::Lost,
        }
    }

    fn rows(&self) -> [PlayedRow; 2] {
        let [first, second] = self.players;
        [(first, second), (second, first)].map(|(user_id, opponent)| PlayedRow {
            game_id: self.game_id,
            user_id,
            opponent,
            kind: self.kind,
            result: self.result_for(user_id),
            board_size: self.board_size,
            clock: self.clock.clone(),
            reason: self.reason.clone(),
            event_id: self.event_id,
            moves: self.moves,
            at: self.at,
        })
    }
}

impl PlayedFilter {
    /// Without a condition.
    pub fn of(kinds: &[PlayedKind]) -> Self {
        Self { kinds: kinds.to_vec(), result: None, board_size: None, opponent: None }
    }

    fn holds(&self, row: &PlayedRow) -> bool {
        self.kinds.contains(&row.kind)
            && self.result.is_none_or(|result| row.result == result)
            && self.board_size.is_none_or(|size| row.board_size == size)
    }

    /// How many of the counted games it lists.
    fn total(&self, tallies: &[TallyRow]) -> u64 {
        let counted = tallies.iter().filter(|tally| self.kinds.contains(&tally.kind));
        let counted = counted.filter(|tally| self.board_size.is_none_or(|size| tally.board_size == size));
        let of = |tally: &TallyRow| match self.result {
            Some(result) => tally.counts.of(result).max(0).unsigned_abs(),
            None => tally.counts.total(),
        };
        counted.map(of).sum()
    }
}

impl Store {
    pub(crate) async fn read_played<T: Send + 'static, F: Future<Output = Result<T>> + Send + 'static>(
        &self,
        read: impl FnOnce(Transaction) -> F + Send + 'static,
    ) -> Result<T> {
        let records = self.engine.played.clone();
        self.behind(async move { read(records.read().await?).await }).await
    }

    /// Makes changes in one transaction, again if another one comes between.
    pub(crate) async fn change_played<
        T: Send + 'static,
        F: Future<Output = Result<(Transaction, T)>> + Send + 'static,
    >(
        &self,
        change: impl Fn(Transaction) -> F + Clone + Send + Sync + 'static,
    ) -> Result<T> {
        let attempt = || {
            let (records, change) = (self.engine.played.clone(), change.clone());
            self.behind(async move {
                let (changed, answer) = change(records.write().await?).await?;
                changed.commit().await?;
                Ok(answer)
            })
        };
        self.retried(attempt).await
    }

    /// Somebody's results by kind of game and size of the board.
    pub async fn tallies(&self, user: Uuid) -> Result<Vec<TallyRow>> {
        self.read_played(move |transaction| async move { records::tallies(&transaction, user).await }).await
    }

    /// A user's finished games, the newest first; `skip` of them left out, at most `limit`. Behind the first
    /// [`MOST_PAGED`] there are none; a filter looks through the latest [`MOST_SCANNED`], and with an opponent and a
    /// further condition through the latest [`MOST_BETWEEN`] between the two.
    pub async fn played_games(
        &self,
        user: Uuid,
        filter: &PlayedFilter,
        skip: usize,
        limit: usize,
    ) -> Result<PlayedPage> {
        let filter = filter.clone();
        self.read_played(move |transaction| async move {
            let (mut games, total) = match filter.opponent {
                Some(opponent) => games_between(&transaction, user, opponent, &filter, skip, limit).await?,
                None => {
                    let total = filter.total(&records::tallies(&transaction, user).await?);
                    let is_there = (skip as u64) < total && skip + limit <= MOST_PAGED;
                    let most = if is_there { (skip + limit).min(total as usize) } else { 0 };
                    (records::newest(&transaction, user, most, |row| filter.holds(row)).await?, total)
                }
            };
            games = games.into_iter().skip(skip).take(limit).collect();
            Ok(PlayedPage { games, total })
        })
        .await
    }

    /// Somebody's results against another; `None` if they never finished a game.
    pub async fn versus(&self, user: Uuid, opponent: Uuid) -> Result<Option<VersusRow>> {
        self.read_played(move |transaction| async move { records::versus(&transaction, user, opponent).await }).await
    }

    /// Whom somebody played last, the latest first, at most `limit`.
    pub async fn latest_opponents(&self, user: Uuid, limit: usize) -> Result<Vec<VersusRow>> {
        let mut all =
            self.read_played(move |transaction| async move { records::opponents(&transaction, user).await }).await?;
        all.sort_by_key(|versus| (std::cmp::Reverse(versus.last_at), versus.opponent));
        all.truncate(limit);
        Ok(all)
    }

    /// Moves what a guest played to an account, some games a transaction. A game against that very account stays the
    /// guest's. Idempotent.
    pub async fn move_played_games(&self, guest: Uuid, account: Uuid) -> Result<()> {
        let step = move |mut transaction: Transaction| async move {
            let found = records::newest(&transaction, guest, BATCH, |row| row.opponent != account).await?;
            for old in &found {
                move_game(&mut transaction, old, account).await?;
            }
            Ok((transaction, found.len()))
        };
        while self.change_played(step).await? == BATCH {}
        Ok(())
    }

    /// Removes what a deleted account played. It stays in the histories of its opponents. Idempotent.
    pub async fn forget_played_games(&self, user: Uuid) -> Result<()> {
        let step = move |mut transaction: Transaction| async move {
            let removed = records::remove_some(&mut transaction, user, BATCH).await?;
            Ok((transaction, removed))
        };
        while self.change_played(step).await? > 0 {}
        Ok(())
    }

    /// What earlier versions stored of histories.
    pub fn earlier_histories(&self) -> EarlierHistories {
        EarlierHistories { store: self.clone(), tables: EARLIER_TABLES.to_vec(), start: Bound::Unbounded }
    }
}

/// Rows of earlier versions, to be removed.
#[derive(Debug)]
pub struct EarlierHistories {
    store: Store,
    tables: Vec<&'static str>,
    /// After what was removed: a scan from the table's start would step over all of it.
    start: Bound<RecordIdKey>,
}

impl EarlierHistories {
    /// Removes some of them; returns whether none are left.
    pub async fn remove_some(&mut self) -> Result<bool> {
        let Some(table) = self.tables.last() else { return Ok(true) };
        let range = RecordId::new(*table, RecordIdKeyRange { start: self.start.clone(), end: Bound::Unbounded });
        let variables = vars! { range: range, limit: BATCH as i64 };
        let mut response = self.store.read("SELECT VALUE id FROM $range LIMIT $limit", variables).await?;
        let found: Vec<RecordId> = rows(&mut response, 0)?;
        match found.last() {
            None => {
                self.tables.pop();
                self.start = Bound::Unbounded;
            }
            Some(last) => {
                let start = Bound::Excluded(last.key.clone());
                self.store.write("DELETE $ids RETURN NONE", vars! { ids: found }).await?;
                self.start = start;
            }
        }
        Ok(self.tables.is_empty())
    }
}

async fn games_between(
    transaction: &Transaction,
    user: Uuid,
    opponent: Uuid,
    filter: &PlayedFilter,
    skip: usize,
    limit: usize,
) -> Result<(Vec<PlayedRow>, u64)> {
    let all = records::versus(transaction, user, opponent).await?.map_or(0, |versus| versus.counts.total());
    let is_plain = *filter == PlayedFilter { opponent: Some(opponent), ..PlayedFilter::of(&PlayedKind::ALL) };
    let most = if is_plain { skip.saturating_add(limit).min(MOST_PAGED) } else { MOST_BETWEEN };
    let most = most.min(all as usize);
    let mut games = records::between(transaction, user, opponent, most).await?;
    games.retain(|row| filter.holds(row));
    let total = if is_plain { all } else { games.len() as u64 };
    Ok((games, total))
}

/// Counts games that ended, each once. Those of `stored` are stored as finished in the same transaction, which says that
/// they are counted: whether they were before is known.
pub(crate) async fn count(
    transaction: &mut Transaction,
    games: &[PlayedGame],
    stored: &HashMap<Uuid, bool>,
) -> Result<()> {
    for game in games {
        let (mark, was_stored) = (Key::counted(game.game_id), stored.get(&game.game_id).copied());
        let is_stored = was_stored.is_some();
        let is_marked = transaction.get(&mark).await?.is_some();
        if is_marked && is_stored {
            transaction.remove(&mark).await?;
        }
        let is_counted = match was_stored {
            _ if is_marked => true,
            Some(was_stored) => was_stored,
            None => finished::exists(transaction, game.game_id).await?,
        };
        if is_counted {
            continue;
        }
        for row in game.rows() {
            records::add(transaction, &row).await?;
        }
        if !is_stored {
            // Of two transactions that find it absent only one is stored.
            transaction.set(&mark, vec![]).await?;
        }
    }
    Ok(())
}

/// A game of a guest becomes one of an account: the guest's row, the account's, and the opponent's.
async fn move_game(transaction: &mut Transaction, old: &PlayedRow, account: Uuid) -> Result<()> {
    let result = match old.result {
        PlayedResult::Won => PlayedResult::Lost,
        PlayedResult::Lost => PlayedResult::Won,
        PlayedResult::Drawn => PlayedResult::Drawn,
    };
    let theirs = PlayedRow { user_id: old.opponent, opponent: account, result, ..old.clone() };
    records::remove(transaction, old).await?;
    records::add(transaction, &PlayedRow { user_id: account, ..old.clone() }).await?;
    // The opponent's results by kind and board stay as they are, and so does the key of the row.
    if transaction.get(&Key::played(&theirs)).await?.is_some() {
        records::put(transaction, &theirs).await?;
    }
    records::add_versus(transaction, &theirs).await?;
    records::take_versus(transaction, old.opponent, old.user_id, Counts::one(result)).await
}
