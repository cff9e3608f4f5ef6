//! What players played: `played`, a row for each player of a finished game; `tally` and `versus`, how many they won, lost
//! and drew; and `counted`, the guard of both.
//!
//! A game is counted in the transaction that stores its end, once however often it is stored. So results never have to
//! be counted from rows, whatever somebody played.

use std::ops::Bound;

use chrono::{DateTime, Utc};
use surrealdb::types::{
    Array, RecordId, RecordIdKey, RecordIdKeyRange, SurrealValue, Uuid as DbUuid, Value, array, vars,
};
use uuid::Uuid;

use crate::Result;
use crate::store::{Store, row, rows};

/// How far one can page back, in games of a filter: a page reads all rows before it, some 20 µs each.
pub const MOST_PAGED: usize = 5_000;

/// The latest games between two players that a further filter looks through.
pub const MOST_BETWEEN: usize = 2_000;

/// Rows that are moved or removed in one transaction.
const BATCH: usize = 100;

/// The kind of a game, as far as it matters to a history.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, SurrealValue)]
#[surreal(untagged, rename_all = "lowercase")]
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

    fn word(self) -> &'static str {
        match self {
            Self::Event => "event",
            Self::UnratedEvent => "unratedevent",
            Self::Rated => "rated",
            Self::Casual => "casual",
            Self::Invite => "invite",
        }
    }

    fn is_public(self) -> bool {
        Self::PUBLIC.contains(&self)
    }
}

/// A game's result for one of its players.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, SurrealValue)]
#[surreal(untagged, rename_all = "lowercase")]
pub enum PlayedResult {
    Won,
    Lost,
    Drawn,
}

impl PlayedResult {
    pub const ALL: [Self; 3] = [Self::Won, Self::Lost, Self::Drawn];

    fn word(self) -> &'static str {
        match self {
            Self::Won => "won",
            Self::Lost => "lost",
            Self::Drawn => "drawn",
        }
    }
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
#[derive(Debug, Clone, PartialEq, Eq, SurrealValue)]
pub struct PlayedRow {
    #[surreal(rename = "gid")]
    pub game_id: Uuid,
    pub user_id: Uuid,
    pub opponent: Uuid,
    pub kind: PlayedKind,
    pub result: PlayedResult,
    pub board_size: i64,
    pub clock: String,
    pub reason: Option<String>,
    pub event_id: Option<Uuid>,
    pub moves: i64,
    pub at: DateTime<Utc>,
}

/// Won, lost and drawn games.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, SurrealValue)]
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

    pub fn total(self) -> u64 {
        (self.wins + self.losses + self.draws).max(0).unsigned_abs()
    }
}

/// Somebody's results in games of one kind on boards of one size.
#[derive(Debug, Clone, PartialEq, Eq, SurrealValue)]
pub struct TallyRow {
    pub kind: PlayedKind,
    pub board_size: i64,
    #[surreal(flatten)]
    pub counts: Counts,
}

/// Somebody's results against one opponent.
#[derive(Debug, Clone, PartialEq, Eq, SurrealValue)]
pub struct VersusRow {
    pub opponent: Uuid,
    #[surreal(flatten)]
    pub counts: Counts,
    /// When the last of these games ended, in Unix milliseconds, negated.
    pub newest_first: i64,
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

/// How far the games of before are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rebuild {
    /// Up to this game, by id.
    After(Uuid),
    Finished,
}

#[derive(SurrealValue)]
struct StoredPlayed {
    id: RecordId,
    #[surreal(flatten)]
    row: PlayedRow,
    is_public: bool,
    newest_first: i64,
}

#[derive(SurrealValue)]
struct StoredTally {
    id: RecordId,
    #[surreal(flatten)]
    row: TallyRow,
}

#[derive(SurrealValue)]
struct StoredVersus {
    id: RecordId,
    user_id: Uuid,
    #[surreal(flatten)]
    row: VersusRow,
}

/// A finished game with everything that counts it.
#[derive(SurrealValue)]
pub(crate) struct Counting {
    gid: Uuid,
    played: Vec<StoredPlayed>,
    tally: Vec<StoredTally>,
    versus: Vec<StoredVersus>,
}

/// Adds to counters inside a transaction; expects `$tally` and `$versus`.
macro_rules! add_counts {
    ($tally:literal, $versus:literal) => {
        concat!(
            "FOR $one IN ",
            $tally,
            " { LET $row = $one.id; \
            UPSERT $row SET kind = $one.kind, board_size = $one.board_size, wins = (wins ?? 0) + $one.wins, \
                losses = (losses ?? 0) + $one.losses, draws = (draws ?? 0) + $one.draws RETURN NONE; }; \
            FOR $one IN ",
            $versus,
            " { LET $row = $one.id; \
            UPSERT $row SET user_id = $one.user_id, opponent = $one.opponent, wins = (wins ?? 0) + $one.wins, \
                losses = (losses ?? 0) + $one.losses, draws = (draws ?? 0) + $one.draws, \
                newest_first = IF (newest_first ?? 0) < $one.newest_first { newest_first } \
                    ELSE { $one.newest_first } RETURN NONE; };"
        )
    };
}

/// Counts games inside the transaction that stores them; expects `$played`.
pub(crate) const COUNT_PLAYED: &str = concat!(
    "FOR $game IN $played { \
    LET $guard = type::record('counted', $game.gid); \
    IF !record::exists($guard) { \
        CREATE $guard RETURN NONE; \
        INSERT INTO played $game.played RETURN NONE; ",
    add_counts!("$game.tally", "$game.versus"),
    " }; };"
);

/// A game of a guest becomes one of an account: the guest's row, the account's, and the opponent's.
const MOVE_PLAYED: &str = concat!(
    "BEGIN; \
    IF record::exists($old) { \
        DELETE $old RETURN NONE; \
        INSERT INTO played $own RETURN NONE; ",
    add_counts!("$tally", "$versus"),
    " UPDATE $theirs SET opponent = $account RETURN NONE; \
        UPDATE $former SET wins -= $taken.wins, losses -= $taken.losses, draws -= $taken.draws RETURN NONE; \
        DELETE $former WHERE wins + losses + draws <= 0 RETURN NONE; \
    }; \
    COMMIT;"
);

fn key(parts: Array) -> RecordIdKey {
    RecordIdKey::from(parts)
}

fn played_record(row: &PlayedRow) -> RecordId {
    let key = array![
        DbUuid::from(row.user_id),
        row.kind.word().to_owned(),
        row.result.word().to_owned(),
        row.board_size,
        newest_first(row.at),
        DbUuid::from(row.game_id),
    ];
    RecordId::new("played", key)
}

fn tally_record(user: Uuid, kind: PlayedKind, board_size: i64) -> RecordId {
    RecordId::new("tally", array![DbUuid::from(user), kind.word().to_owned(), board_size])
}

fn versus_record(user: Uuid, opponent: Uuid) -> RecordId {
    RecordId::new("versus", array![DbUuid::from(user), DbUuid::from(opponent)])
}

fn counted_record(game: Uuid) -> RecordId {
    RecordId::new("counted", DbUuid::from(game))
}

fn rebuild_record() -> RecordId {
    RecordId::new("history_rebuild", "progress")
}

fn newest_first(at: DateTime<Utc>) -> i64 {
    -at.timestamp_millis()
}

/// All rows of a user in a table whose ids begin with the user.
fn range_of(table: &str, user: Uuid) -> RecordId {
    let next = Uuid::from_u128(user.as_u128().saturating_add(1));
    let range = RecordIdKeyRange {
        start: Bound::Included(key(array![DbUuid::from(user)])),
        end: Bound::Excluded(key(array![DbUuid::from(next)])),
    };
    RecordId::new(table, range)
}

/// A user's games of one kind with one result on one board.
pub(crate) fn played_range(user: Uuid, kind: PlayedKind, result: PlayedResult, board_size: i64) -> RecordId {
    let bound =
        |board_size: i64| key(array![DbUuid::from(user), kind.word().to_owned(), result.word().to_owned(), board_size]);
    let range =
        RecordIdKeyRange { start: Bound::Included(bound(board_size)), end: Bound::Excluded(bound(board_size + 1)) };
    RecordId::new("played", range)
}

pub(crate) const PLAYED_IN_RANGE: &str = "SELECT * FROM $range LIMIT $most";
pub(crate) const TALLIES: &str = "SELECT * FROM $tallies";

/// The newest `$most` games of a user that others may, or may not, look at. The ids are part of the text, as in the
/// other lists of games, so that the planner reads the index in its order.
pub(crate) fn latest_query(user: Uuid, is_public: bool) -> String {
    format!(
        "SELECT * FROM played WITH INDEX played_latest WHERE user_id = u'{user}' AND is_public = {is_public} \
         ORDER BY newest_first LIMIT $most"
    )
}

/// The newest `$most` games between two.
pub(crate) fn between_query(user: Uuid, opponent: Uuid) -> String {
    format!(
        "SELECT * FROM played WITH INDEX played_opponent WHERE user_id = u'{user}' AND opponent = u'{opponent}' \
         ORDER BY newest_first LIMIT $most"
    )
}

/// Whom a user played last.
pub(crate) fn opponents_query(user: Uuid) -> String {
    format!("SELECT * FROM versus WITH INDEX versus_latest WHERE user_id = u'{user}' ORDER BY newest_first LIMIT $most")
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
            board_size: i64::from(self.board_size),
            clock: self.clock.clone(),
            reason: self.reason.clone(),
            event_id: self.event_id,
            moves: i64::from(self.moves),
            at: self.at,
        })
    }
}

impl From<&PlayedGame> for Counting {
    fn from(game: &PlayedGame) -> Self {
        let rows = game.rows();
        Self {
            gid: game.game_id,
            played: rows.iter().map(StoredPlayed::from).collect(),
            tally: rows.iter().map(StoredTally::from).collect(),
            versus: rows.iter().map(StoredVersus::from).collect(),
        }
    }
}

impl From<&PlayedRow> for StoredPlayed {
    fn from(row: &PlayedRow) -> Self {
        Self {
            id: played_record(row),
            is_public: row.kind.is_public(),
            newest_first: newest_first(row.at),
            row: row.clone(),
        }
    }
}

impl From<&PlayedRow> for StoredTally {
    fn from(row: &PlayedRow) -> Self {
        let counts = Counts::one(row.result);
        Self {
            id: tally_record(row.user_id, row.kind, row.board_size),
            row: TallyRow { kind: row.kind, board_size: row.board_size, counts },
        }
    }
}

impl From<&PlayedRow> for StoredVersus {
    fn from(row: &PlayedRow) -> Self {
        let counts = Counts::one(row.result);
        Self {
            id: versus_record(row.user_id, row.opponent),
            user_id: row.user_id,
            row: VersusRow { opponent: row.opponent, counts, newest_first: newest_first(row.at) },
        }
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
            && self.board_size.is_none_or(|size| row.board_size == i64::from(size))
    }

    /// The parts of the index by time that hold exactly the games of these kinds, unless there are none.
    fn latest(&self) -> Option<Vec<bool>> {
        if self.result.is_some() || self.board_size.is_some() {
            return None;
        }
        let mut parts = vec![];
        for is_public in [true, false] {
            let of_part = PlayedKind::ALL.into_iter().filter(|kind| kind.is_public() == is_public);
            let listed = of_part.clone().filter(|kind| self.kinds.contains(kind)).count();
            match listed {
                0 => {}
                all if all == of_part.count() => parts.push(is_public),
                _ => return None,
            }
        }
        Some(parts)
    }

    fn ranges(&self, user: Uuid) -> Vec<RecordId> {
        let results = self.result.map_or(PlayedResult::ALL.to_vec(), |result| vec![result]);
        let sizes: Vec<i64> = self.board_size.map_or((3..=6).collect(), |size| vec![i64::from(size)]);
        let mut ranges = vec![];
        for kind in PlayedKind::ALL.into_iter().filter(|kind| self.kinds.contains(kind)) {
            for result in &results {
                ranges.extend(sizes.iter().map(|size| played_range(user, kind, *result, *size)));
            }
        }
        ranges
    }
}

impl Store {
    /// Somebody's results by kind of game and size of the board.
    pub async fn tallies(&self, user: Uuid) -> Result<Vec<TallyRow>> {
        let mut response = self.read(TALLIES, vars! { tallies: range_of("tally", user) }).await?;
        rows(&mut response, 0)
    }

    /// A user's finished games, the newest first; `skip` of them left out, at most `limit`. Behind the first
    /// [`MOST_PAGED`] there are none; with an opponent and a further condition only the latest [`MOST_BETWEEN`] between
    /// the two are looked through.
    pub async fn played_games(
        &self,
        user: Uuid,
        filter: &PlayedFilter,
        skip: usize,
        limit: usize,
    ) -> Result<PlayedPage> {
        if let Some(opponent) = filter.opponent {
            return self.games_between(user, opponent, filter, skip, limit).await;
        }
        let tallies = self.tallies(user).await?;
        let of = |tally: &TallyRow| match filter.result {
            Some(result) => tally.counts.of(result).max(0).unsigned_abs(),
            None => tally.counts.total(),
        };
        let counted = tallies.iter().filter(|tally| filter.kinds.contains(&tally.kind));
        let counted = counted.filter(|tally| filter.board_size.is_none_or(|size| tally.board_size == i64::from(size)));
        let total = counted.map(of).sum();
        if skip as u64 >= total || skip + limit > MOST_PAGED {
            return Ok(PlayedPage { games: vec![], total });
        }
        let mut variables = vars! { most: (skip + limit) as i64 };
        let queries: Vec<String> = match filter.latest() {
            Some(parts) => parts.into_iter().map(|is_public| latest_query(user, is_public)).collect(),
            None => {
                let ranges = filter.ranges(user).into_iter().enumerate();
                let named = ranges.map(|(number, range)| {
                    variables.insert(format!("range{number}"), range);
                    PLAYED_IN_RANGE.replace("$range", &format!("$range{number}"))
                });
                named.collect()
            }
        };
        let mut response = self.read(&queries.join("; "), variables).await?;
        let mut games: Vec<PlayedRow> = vec![];
        for part in 0..queries.len() {
            games.extend(rows::<PlayedRow>(&mut response, part)?);
        }
        games.sort_by_key(|row| (newest_first(row.at), row.game_id));
        Ok(PlayedPage { games: games.into_iter().skip(skip).take(limit).collect(), total })
    }

    async fn games_between(
        &self,
        user: Uuid,
        opponent: Uuid,
        filter: &PlayedFilter,
        skip: usize,
        limit: usize,
    ) -> Result<PlayedPage> {
        let is_plain = *filter == PlayedFilter { opponent: Some(opponent), ..PlayedFilter::of(&PlayedKind::ALL) };
        let most = if is_plain { (skip + limit).min(MOST_PAGED) } else { MOST_BETWEEN };
        let mut response = self.read(&between_query(user, opponent), vars! { most: most as i64 }).await?;
        let mut games: Vec<PlayedRow> = rows(&mut response, 0)?;
        games.retain(|row| filter.holds(row));
        let total = match is_plain {
            true => self.versus(user, opponent).await?.map_or(0, |versus| versus.counts.total()),
            false => games.len() as u64,
        };
        Ok(PlayedPage { games: games.into_iter().skip(skip).take(limit).collect(), total })
    }

    /// Somebody's results against another; `None` if they never finished a game.
    pub async fn versus(&self, user: Uuid, opponent: Uuid) -> Result<Option<VersusRow>> {
        let mut response = self.read("SELECT * FROM $id", vars! { id: versus_record(user, opponent) }).await?;
        row(&mut response, 0)
    }

    /// Whom somebody played last, the latest first, at most `limit`.
    pub async fn latest_opponents(&self, user: Uuid, limit: usize) -> Result<Vec<VersusRow>> {
        let mut response = self.read(&opponents_query(user), vars! { most: limit as i64 }).await?;
        rows(&mut response, 0)
    }

    /// Moves what a guest played to an account, some games a transaction. A game against that very account stays the
    /// guest's. Idempotent.
    pub async fn move_played_games(&self, guest: Uuid, account: Uuid) -> Result<()> {
        loop {
            let query = "SELECT * FROM $range WHERE opponent != $account LIMIT $limit";
            let variables = vars! { range: range_of("played", guest), account: account, limit: BATCH as i64 };
            let found: Vec<PlayedRow> = rows(&mut self.read(query, variables).await?, 0)?;
            for old in &found {
                self.move_played_game(old, account).await?;
            }
            if found.len() < BATCH {
                return Ok(());
            }
        }
    }

    async fn move_played_game(&self, old: &PlayedRow, account: Uuid) -> Result<()> {
        let (guest, opponent) = (old.user_id, old.opponent);
        let own = PlayedRow { user_id: account, ..old.clone() };
        let result = match old.result {
            PlayedResult::Won => PlayedResult::Lost,
            PlayedResult::Lost => PlayedResult::Won,
            PlayedResult::Drawn => PlayedResult::Drawn,
        };
        // The opponent's row keeps its id: the opponent is not part of it.
        let theirs = PlayedRow { user_id: opponent, opponent: account, result, ..old.clone() };
        let variables = vars! {
            old: played_record(old),
            own: vec![StoredPlayed::from(&own)],
            tally: vec![StoredTally::from(&own)],
            versus: vec![StoredVersus::from(&own), StoredVersus::from(&theirs)],
            theirs: played_record(&theirs),
            former: versus_record(opponent, guest),
            taken: Counts::one(result),
            account: account,
        };
        self.write(MOVE_PLAYED, variables).await.map(drop)
    }

    /// Removes what a deleted account played. It stays in the histories of its opponents. Idempotent.
    pub async fn forget_played_games(&self, user: Uuid) -> Result<()> {
        for table in ["played", "tally", "versus"] {
            loop {
                let query = "DELETE (SELECT VALUE id FROM $range LIMIT $limit) RETURN BEFORE";
                let variables = vars! { range: range_of(table, user), limit: BATCH as i64 };
                let removed: Vec<Value> = rows(&mut self.write(query, variables).await?, 0)?;
                if removed.len() < BATCH {
                    break;
                }
            }
        }
        Ok(())
    }

    /// How far the games that were stored before histories existed are counted.
    pub async fn history_rebuild(&self) -> Result<Rebuild> {
        let mut response = self.read("SELECT VALUE after FROM $id", vars! { id: rebuild_record() }).await?;
        let found: Vec<Option<Uuid>> = rows(&mut response, 0)?;
        Ok(match found.first() {
            None => Rebuild::After(Uuid::nil()),
            Some(Some(after)) => Rebuild::After(*after),
            Some(None) => Rebuild::Finished,
        })
    }

    /// Counts games of before, and records how far that is, in one transaction. Games that are counted stay as they are.
    pub async fn rebuild_history(&self, games: &[PlayedGame], reached: Rebuild) -> Result<()> {
        let query = format!("BEGIN; {COUNT_PLAYED} UPSERT $progress CONTENT {{ after: $after }} RETURN NONE; COMMIT;");
        let after = match reached {
            Rebuild::After(game) => Some(game),
            Rebuild::Finished => None,
        };
        let played: Vec<Counting> = games.iter().map(Counting::from).collect();
        self.write(&query, vars! { played: played, progress: rebuild_record(), after: after }).await.map(drop)
    }

    /// Whether a game is in the histories of its players.
    pub async fn is_counted(&self, game: Uuid) -> Result<bool> {
        let mut response = self.read("RETURN record::exists($id)", vars! { id: counted_record(game) }).await?;
        Ok(row::<bool>(&mut response, 0)?.unwrap_or(false))
    }
}
