//! Ratings with receipts: recomputed from the stored games, and compared with what is stored. See
//! `docs/behaviour/ratings.md#verification`.
//!
//! Three things have to agree: each receipt with its game and with the receipts before it; each rating with the latest
//! receipt of its user; and each rated game with a receipt. Games may be rated meanwhile: a rating may be that of any
//! receipt since the reading of its page began.

use std::collections::{HashMap, HashSet};

use morpion_rules::{
    UserId,
    rating::{Rating, Record, Score},
};
use morpion_store::{DELETED_NAME, GameRow, RatedGameRow, RatingRow, Store};
use tokio::sync::Semaphore;
use uuid::Uuid;

use super::Ratings;
use crate::{
    clock::{millis, utc},
    error::CommonError,
    people::{People, Width, rating_of, record_of},
    play::record::{Checkpoint, RatedEnd},
};

/// Rows read at once.
const PAGE: usize = 500;

/// Differences reported; more would repeat the same.
const MAX_DIFFERENCES: usize = 100;

/// A recomputed rating may differ by so much from the stored one: another machine's mathematical functions may round the
/// last digit differently.
const EXACTNESS: f64 = 1e-6;

/// Verifications at once: each holds the ratings of all users, 200 bytes each.
static TURN: Semaphore = Semaphore::const_new(1);

/// The outcome of a verification.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Verification {
    /// Receipts that were checked.
    pub games: u64,
    /// Users with a rated game.
    pub players: u64,
    /// In words, at most [`MAX_DIFFERENCES`].
    pub differences: Vec<String>,
}

impl Ratings {
    /// Computes all ratings from the stored games, and reports differences from the stored ones.
    ///
    /// # Errors
    /// [`CommonError::Unavailable`], also while another verification runs.
    pub async fn verify(&self) -> Result<Verification, CommonError> {
        let _turn = TURN
            .try_acquire()
            .map_err(|_| CommonError::unavailable("Ratings are being verified already. Please try again."))?;
        let mut verifier = Verifier::new(&self.store, &self.people);
        verifier.follow_receipts().await?;
        verifier.check_ratings().await?;
        verifier.check_games().await?;
        Ok(Verification {
            games: verifier.games,
            players: verifier.records.len() as u64,
            differences: verifier.differences,
        })
    }
}

struct Verifier<'a> {
    store: &'a Store,
    people: &'a People,
    /// The next receipt's number.
    next: i64,
    games: u64,
    /// As the receipts so far say.
    records: HashMap<Uuid, Record>,
    /// What they said since the present page of ratings was read.
    passed: HashMap<Uuid, Vec<Record>>,
    differences: Vec<String>,
}

impl<'a> Verifier<'a> {
    fn new(store: &'a Store, people: &'a People) -> Self {
        let (records, passed) = (HashMap::new(), HashMap::new());
        Self { store, people, next: 1, games: 0, records, passed, differences: vec![] }
    }

    fn differs(&mut self, text: String) {
        if self.differences.len() < MAX_DIFFERENCES {
            self.differences.push(text);
        }
    }

    /// Checks the receipts that are there and were not checked yet.
    async fn follow_receipts(&mut self) -> Result<(), CommonError> {
        loop {
            let last = self.store.last_receipt().await?;
            if self.next > last {
                return Ok(());
            }
            let limit = PAGE.min((last + 1 - self.next) as usize);
            let receipts = self.store.receipts_from(self.next, limit).await?;
            let ids: Vec<Uuid> = receipts.iter().map(|receipt| receipt.game_id).collect();
            self.store.wait_for_ends().await;
            let games = self.store.games(&ids).await?;
            let mut ends = HashMap::new();
            for row in &games {
                ends.insert(row.id, rated_end(row)?);
            }
            let end = self.next + limit as i64;
            let mut receipts = receipts.into_iter().peekable();
            while self.next < end {
                let seq = self.next;
                match receipts.next_if(|receipt| receipt.seq == seq) {
                    Some(receipt) => self.check_receipt(&receipt, ends.get(&receipt.game_id).copied().flatten()),
                    None => self.differs(format!("Receipt {seq} is missing.")),
                }
                // Two of one number.
                while let Some(double) = receipts.next_if(|receipt| receipt.seq == seq) {
                    self.differs(format!("Receipt {seq} is there twice, also for game {}.", double.game_id));
                }
                self.next += 1;
            }
        }
    }

    fn check_receipt(&mut self, receipt: &RatedGameRow, end: Option<RatedEnd>) {
        let RatedGameRow { seq, game_id, first, second, .. } = *receipt;
        self.games += 1;
        match end {
            None => self.differs(format!("Receipt {seq}: game {game_id} is not stored as a rated game that is over.")),
            Some(end) => {
                let said = (end.result.players.map(|user| user.0), end.result.score.points(), utc(end.at));
                let stored = ([first, second], receipt.score, receipt.at);
                if said != stored || i64::from(end.board_size.get()) != receipt.board_size {
                    self.differs(format!("Receipt {seq}: game {game_id} says other players, result, time or board."));
                }
            }
        }
        let before = [first, second].map(|user| self.records.get(&user).copied().unwrap_or(Record::START));
        let befores = [receipt.first_before, receipt.second_before].map(rating_of);
        let afters = [receipt.first_after, receipt.second_after].map(rating_of);
        let score = match receipt.score {
            1.0 => Score::Win,
            0.0 => Score::Loss,
            _ => Score::Draw,
        };
        let computed = Record::after_game(before, score, millis(receipt.at));
        for (at, user) in [first, second].into_iter().enumerate() {
            if befores[at] != before[at].rating {
                let (games, stored) = (before[at].rating, befores[at]);
                self.differs(format!(
                    "Receipt {seq}: before the game the receipts say {} of {user}; stored is {}.",
                    in_words(games),
                    in_words(stored)
                ));
            } else if !is_near(computed[at].rating, afters[at]) {
                self.differs(format!(
                    "Receipt {seq}: after the game {user} has {}; stored is {}.",
                    in_words(computed[at].rating),
                    in_words(afters[at])
                ));
            }
            // What follows is judged by what is stored, so that one error is one difference.
            let record = Record { rating: afters[at], ..computed[at] };
            self.passed.entry(user).or_insert_with(|| vec![before[at]]).push(record);
            self.records.insert(user, record);
        }
    }

    /// Compares the stored ratings with the receipts.
    async fn check_ratings(&mut self) -> Result<(), CommonError> {
        let mut unseen: HashSet<Uuid> = self.records.keys().copied().collect();
        let mut after = None;
        loop {
            self.passed.clear();
            let page = self.store.all_ratings(after, PAGE).await?;
            self.follow_receipts().await?;
            for row in &page {
                unseen.remove(&row.user_id);
                self.check_rating(row).await?;
            }
            after = page.last().map(|row| row.user_id);
            if page.len() < PAGE {
                break;
            }
        }
        let unseen: Vec<Uuid> = unseen.into_iter().collect();
        for users in unseen.chunks(PAGE) {
            self.passed.clear();
            let rows = self.store.ratings(users).await?;
            let accounts = self.store.users(users).await?;
            self.follow_receipts().await?;
            for row in &rows {
                self.check_rating(row).await?;
            }
            let deleted: HashSet<Uuid> =
                accounts.iter().filter(|user| user.deleted_at.is_some()).map(|user| user.id).collect();
            for user in users {
                if !deleted.contains(user) && rows.iter().all(|row| row.user_id != *user) {
                    let text = format!("{}: the receipts say a rating; none is stored.", self.name(*user).await?);
                    self.differs(text);
                }
            }
        }
        Ok(())
    }

    async fn check_rating(&mut self, row: &RatingRow) -> Result<(), CommonError> {
        let stored = record_of(row);
        let Some(record) = self.records.get(&row.user_id) else {
            let text = format!("{}: a rating is stored, and no receipt.", self.name(row.user_id).await?);
            self.differs(text);
            return Ok(());
        };
        let passed = self.passed.get(&row.user_id).into_iter().flatten();
        if *record == stored || passed.into_iter().any(|record| *record == stored) {
            return Ok(());
        }
        let text = format!(
            "{}: the receipts say {} after {} games; stored is {} after {}.",
            self.name(row.user_id).await?,
            in_words(record.rating),
            record.games(),
            in_words(stored.rating),
            stored.games()
        );
        self.differs(text);
        Ok(())
    }

    /// Looks for rated games without a receipt.
    async fn check_games(&mut self) -> Result<(), CommonError> {
        let mut after = None;
        loop {
            let page = self.store.all_games(after, PAGE).await?;
            let mut rated = vec![];
            for row in &page {
                if rated_end(row)?.is_some() {
                    rated.push(row.id);
                }
            }
            // Stored before the game was stored as finished, so they are there by now.
            let receipts: HashSet<Uuid> = self.store.games_rated(&rated).await?.into_iter().collect();
            for game in rated.iter().filter(|game| !receipts.contains(game)) {
                self.differs(format!("Game {game} is rated and has no receipt."));
            }
            after = page.last().map(|row| row.id);
            if page.len() < PAGE {
                return Ok(());
            }
        }
    }

    async fn name(&self, user: Uuid) -> Result<String, CommonError> {
        let user = UserId(user);
        self.people.load([user]).await?;
        let shown = self.people.shown(user, DELETED_NAME, Width::Row);
        Ok(if shown.username == DELETED_NAME { user.to_string() } else { shown.username })
    }
}

/// The end of a stored game; `None` if it is not rated, or not played to its end.
fn rated_end(row: &GameRow) -> Result<Option<RatedEnd>, CommonError> {
    Ok(Checkpoint::decode(&row.state).map_err(CommonError::internal)?.rated_end())
}

fn is_near(a: Rating, b: Rating) -> bool {
    let pairs = [(a.value, b.value), (a.deviation, b.deviation), (a.volatility, b.volatility)];
    pairs.into_iter().all(|(a, b)| (a - b).abs() <= EXACTNESS * a.abs().max(1.0))
}

fn in_words(rating: Rating) -> String {
    format!("{:.2} ± {:.2}", rating.value, rating.deviation)
}
