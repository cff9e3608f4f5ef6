//! Events in stage rounds: `tournament`, one row each, and `stage_round`, one for each round that was paired. What is in
//! them is the program's: text that it encodes.

use std::ops::Bound;

use surrealdb::types::{RecordId, RecordIdKey, RecordIdKeyRange, SurrealValue, Uuid as DbUuid, array, vars};
use uuid::Uuid;

use crate::Result;
use crate::event_news::{NewEventNews, TELL};
use crate::store::{Store, row, rows};

/// A tournament as it is stored.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TournamentText {
    /// The entrants, and how it is played.
    pub state: String,
    /// In order, from the first.
    pub rounds: Vec<String>,
}

#[derive(SurrealValue)]
struct RoundRow {
    id: RecordId,
    state: String,
}

fn tournament_record(event: Uuid) -> RecordId {
    RecordId::new("tournament", DbUuid::from(event))
}

fn round_record(event: Uuid, number: u32) -> RecordId {
    RecordId::new("stage_round", array![DbUuid::from(event), i64::from(number)])
}

fn rounds_range(event: Uuid) -> RecordId {
    let start = Bound::Included(RecordIdKey::from(array![DbUuid::from(event)]));
    let next = Uuid::from_u128(event.as_u128().saturating_add(1));
    let end = Bound::Excluded(RecordIdKey::from(array![DbUuid::from(next)]));
    RecordId::new("stage_round", RecordIdKeyRange { start, end })
}

impl Store {
    /// Stores a tournament and some of its rounds, by number from 1, and what is to be told of it, in one transaction.
    /// Idempotent; audited.
    pub async fn save_tournament(
        &self,
        event: Uuid,
        state: &str,
        rounds: &[(u32, String)],
        news: Option<&NewEventNews>,
    ) -> Result<()> {
        let rows: Vec<RoundRow> = rounds
            .iter()
            .map(|(number, state)| RoundRow { id: round_record(event, *number), state: state.clone() })
            .collect();
        let query = format!(
            "BEGIN; \
            UPSERT $id CONTENT {{ state: $state }} RETURN NONE; \
            FOR $round IN $rounds {{ UPSERT $round.id CONTENT {{ state: $round.state }} RETURN NONE; }}; \
            {TELL} \
            fn::audit($audit); \
            COMMIT;"
        );
        let id = tournament_record(event);
        let variables = vars! { id: id, state: state.to_owned(), rounds: rows, news: news.cloned() };
        self.write(&query, variables).await.map(drop)
    }

    /// The tournament of an event; `None` before it has begun.
    pub async fn tournament(&self, event: Uuid) -> Result<Option<TournamentText>> {
        let query = "SELECT VALUE state FROM $id; SELECT VALUE state FROM $range";
        let variables = vars! { id: tournament_record(event), range: rounds_range(event) };
        let mut response = self.read(query, variables).await?;
        let state: Option<String> = row(&mut response, 0)?;
        let rounds = rows(&mut response, 1)?;
        Ok(state.map(|state| TournamentText { state, rounds }))
    }
}
