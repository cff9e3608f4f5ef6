//! Every record of a database as JSON, and a database made of them: the store's part of `morpion export` and
//! `morpion import` (`docs/hosting/export.md`).
//!
//! The values are those that are stored, table by table, whatever they mean, so that nothing is lost and a new table
//! needs nothing here.

mod json;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;
use std::path::Path;

use morpion_engine::DataKey;
use serde::{Deserialize, Serialize};
use surrealdb::types::{Object, RecordId, RecordIdKey, RecordIdKeyRange, SurrealValue, Value, vars};
use uuid::Uuid;

use crate::engine::Engine;
use crate::error::StoreError;
use crate::game::{records as finished, rows as rows_of_games};
use crate::journal::records::{self, Stored, adopt_rows};
use crate::store::{OpenOptions, rows, run};
use crate::{DatabaseUrl, Result, migrate};

/// Records of a page: a picture or a chunk of the log may have half a mebibyte.
const PAGE: usize = 64;

/// The table that says which migrations were applied; the list of them travels instead.
const MIGRATION: &str = "migration";

/// A record. What JSON has no value for is an object with one key that begins with `$`, such as
/// `{"$datetime": "2026-11-23T12:00:00Z"}`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DumpRecord {
    pub table: String,
    pub id: serde_json::Value,
    pub value: serde_json::Value,
}

/// Reads the records of a database that no server has open. Its schema stays as it is.
pub struct DumpReader {
    engine: Engine,
    migrations: Vec<u32>,
    /// Those that are left, the next one last.
    tables: Vec<String>,
    /// The last record of the table that was read.
    after: Option<RecordId>,
    /// The number of the next record of the journal.
    journal_from: u64,
}

impl std::fmt::Debug for DumpReader {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("DumpReader").finish_non_exhaustive()
    }
}

impl DumpReader {
    /// # Errors
    /// [`StoreError::InUse`], [`StoreError::Folder`], [`StoreError::NotEncrypted`], [`StoreError::KeyNeeded`],
    /// [`StoreError::WrongKey`], [`StoreError::Newer`], [`StoreError::MigrationChanged`], [`StoreError::Incomplete`] and
    /// [`StoreError::Corrupt`]; [`StoreError::Folder`] also for the format of an engine that only a start of the server
    /// replaces.
    pub async fn open(folder: &Path, key: Option<DataKey>) -> Result<Self> {
        if morpion_engine::is_before_migration(folder) {
            let text = "this data is in the format of an earlier storage engine, which the first start of this version replaces";
            return Err(StoreError::Folder { path: folder.to_owned(), reason: text.to_owned() });
        }
        let options = OpenOptions { key, ..OpenOptions::default() };
        let engine = Engine::open(&DatabaseUrl::Folder(folder.to_owned()), &options).await?;
        let read = async {
            let migrations = migrate::applied(&engine).await?;
            if migrations.contains(&migrate::JOURNAL_RECORDS) {
                // A start that was interrupted leaves some rows beside the records.
                adopt_rows(&engine).await?;
            }
            let tables = tables(&engine).await?.into_iter().rev().collect();
            Ok((migrations, tables))
        };
        match read.await {
            Ok((migrations, tables)) => Ok(Self { engine, migrations, tables, after: None, journal_from: 0 }),
            Err(error) => migrate::close_and(engine, error).await,
        }
    }

    /// The migrations that were applied, by number.
    pub fn migrations(&self) -> &[u32] {
        &self.migrations
    }

    /// The next records, table by table and in the order of their ids; none at the end.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`], [`StoreError::Unavailable`].
    pub async fn next(&mut self) -> Result<Vec<DumpRecord>> {
        while let Some(table) = self.tables.last().cloned() {
            let mut records = self.page(&table).await?;
            if records.is_empty() && table == records::NAME {
                records = self.journal_page().await?;
            }
            if !records.is_empty() {
                return Ok(records);
            }
            self.tables.pop();
            self.after = None;
        }
        Ok(vec![])
    }

    /// The next rows of a table, and what is stored beside it as if it were in it, in the order of the ids. A game that is
    /// both, or what was shared of it, is what is beside: its row only waits for its removal.
    async fn page(&mut self, table: &str) -> Result<Vec<DumpRecord>> {
        let start = self.after.as_ref().map_or(Bound::Unbounded, |last| Bound::Excluded(last.key.clone()));
        let range = RecordId::new(table, RecordIdKeyRange { start, end: Bound::Unbounded });
        let variables = vars! { range: range, limit: PAGE as i64 };
        let mut response = run(&self.engine, "SELECT * FROM $range LIMIT $limit", variables).await?;
        let found: Vec<Object> = rows(&mut response, 0)?;
        let mut page = Vec::with_capacity(found.len());
        for mut fields in found {
            let Some(Value::RecordId(id)) = fields.remove("id") else {
                return Err(StoreError::Corrupt(format!("a record of {table} has no id")));
            };
            page.push((id, fields));
        }
        let beside = self.beside(table).await?;
        if !beside.is_empty() {
            let in_order = page.into_iter().chain(beside).map(|(id, fields)| (sort_key(&id), (id, fields)));
            page = BTreeMap::from_iter(in_order).into_values().take(PAGE).collect();
        }
        self.after = page.last().map(|(id, _)| id.clone()).or(self.after.take());
        page.iter().map(|(id, fields)| dumped(id, fields)).collect()
    }

    /// What follows in a table and is stored beside it.
    async fn beside(&self, table: &str) -> Result<Vec<(RecordId, Object)>> {
        let transaction = self.engine.played.read().await?;
        match (table, self.after.as_ref().map(|last| &last.key)) {
            (rows_of_games::NAME, after) => {
                let start = match after {
                    Some(RecordIdKey::Uuid(last)) => Bound::Excluded((*last).into()),
                    _ => Bound::Unbounded,
                };
                let found = finished::all(&transaction, start, PAGE).await?;
                Ok(found.iter().map(rows_of_games::exported).collect())
            }
            (rows_of_games::SHARES, after) => {
                let last = match after {
                    Some(RecordIdKey::String(last)) => Some(last.as_str()),
                    _ => None,
                };
                let found = finished::all_shared(&transaction, last, PAGE).await?;
                Ok(found.iter().map(|(token, game)| rows_of_games::exported_share(token, *game)).collect())
            }
            _ => Ok(vec![]),
        }
    }

    /// The next records of the journal, as rows of its table.
    async fn journal_page(&mut self) -> Result<Vec<DumpRecord>> {
        let found = self.engine.journal.read(self.journal_from..u64::MAX, PAGE).await?;
        if let Some((last, _)) = found.last() {
            self.journal_from = last + 1;
        }
        let record = |(seq, data): Stored| {
            let mut fields = Object::new();
            fields.insert("seq".to_owned(), (seq as i64).into_value());
            fields.insert("data".to_owned(), data.into_value());
            dumped(&RecordId::new(records::NAME, seq as i64), &fields)
        };
        found.into_iter().map(record).collect()
    }

    /// Releases the folder.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    pub async fn close(&self) -> Result<()> {
        self.engine.close().await
    }
}

/// The order of ids that are UUIDs or texts.
fn sort_key(id: &RecordId) -> Vec<u8> {
    match &id.key {
        RecordIdKey::Uuid(id) => Uuid::from(*id).as_bytes().to_vec(),
        RecordIdKey::String(text) => text.as_bytes().to_vec(),
        _ => vec![],
    }
}

fn dumped(id: &RecordId, fields: &Object) -> Result<DumpRecord> {
    let corrupt = |what| StoreError::Corrupt(format!("a record of {} has {what}", id.table.as_str()));
    Ok(DumpRecord {
        table: id.table.as_str().to_owned(),
        id: json::of_key(&id.key).map_err(corrupt)?,
        value: json::of_object(fields).map_err(corrupt)?,
    })
}

/// Makes a database of records.
pub struct DumpWriter {
    engine: Engine,
    tables: BTreeSet<String>,
}

impl std::fmt::Debug for DumpWriter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("DumpWriter").finish_non_exhaustive()
    }
}

impl DumpWriter {
    /// Makes a database in a new folder with the schema of these migrations, encrypted if there is a key.
    ///
    /// # Errors
    /// [`StoreError::Newer`] for a migration that this program does not have; [`StoreError::Folder`],
    /// [`StoreError::Migration`], [`StoreError::Unavailable`].
    pub async fn create(folder: &Path, migrations: &[u32], key: Option<DataKey>) -> Result<Self> {
        migrate::check_known(migrations)?;
        let options = OpenOptions { key, ..OpenOptions::default() };
        let engine = Engine::open(&DatabaseUrl::Folder(folder.to_owned()), &options).await?;
        let prepare = async {
            migrate::apply_only(&engine, migrations).await?;
            let tables = tables(&engine).await?;
            for table in &tables {
                // What a migration itself creates is among the records.
                run(&engine, &format!("DELETE {table} RETURN NONE"), vars! {}).await?;
            }
            Ok(tables.into_iter().collect())
        };
        match prepare.await {
            Ok(tables) => Ok(Self { engine, tables }),
            Err(error) => migrate::close_and(engine, error).await,
        }
    }

    /// Stores records of one table. They are on disk when this returns.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] for what is no record of this schema; [`StoreError::Taken`] for an id that is there
    /// already; [`StoreError::Unavailable`].
    pub async fn insert(&self, table: &str, records: Vec<DumpRecord>) -> Result<()> {
        if !self.tables.contains(table) {
            return Err(StoreError::Corrupt(format!("there is no table {table:?}")));
        }
        let mut stored = Vec::with_capacity(records.len());
        for DumpRecord { id, value, .. } in records {
            let corrupt = |what| StoreError::Corrupt(format!("a record of {table} has {what}"));
            let key = json::key(id).map_err(corrupt)?;
            let mut fields = json::object(value).map_err(corrupt)?;
            fields.insert("id".to_owned(), RecordId::new(table, key));
            stored.push(fields);
        }
        // The name is that of a table, so that it can stand in the query.
        run(&self.engine, &format!("INSERT INTO {table} $records RETURN NONE"), vars! { records: stored })
            .await
            .map(drop)
    }

    /// Applies the later migrations and releases the folder.
    ///
    /// # Errors
    /// [`StoreError::Migration`], [`StoreError::Unavailable`].
    pub async fn finish(self) -> Result<()> {
        match migrate::apply_pending(&self.engine).await {
            Ok(()) => self.engine.close().await,
            Err(error) => migrate::close_and(self.engine, error).await,
        }
    }

    /// Releases the folder of an unfinished database.
    pub async fn abandon(self) {
        self.engine.close().await.ok();
    }
}

/// The tables with records, by name.
async fn tables(engine: &Engine) -> Result<Vec<String>> {
    let mut response = run(engine, "RETURN object::keys((INFO FOR DB).tables)", vars! {}).await?;
    let mut tables: Vec<String> = rows(&mut response, 0)?;
    tables.retain(|table| table != MIGRATION);
    tables.sort();
    Ok(tables)
}
