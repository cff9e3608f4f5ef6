//! Shared by the engine's tests.
#![allow(dead_code, reason = "every test binary uses a part of this")]

use std::path::Path;

use morpion_engine::{DataKey, Engine, OpenError, Options};
use surrealdb_cnf::ConfigMap;
use surrealdb_core::kvs::TransactionBuilderFactory;
use surrealdb_kvs::{Error, Key, Transactable, TransactionBuilder, TransactionType};
use tokio_util::sync::CancellationToken;

type Result<T, E = Error> = std::result::Result<T, E>;

pub struct Database {
    pub engine: Engine,
    builder: Box<dyn TransactionBuilder>,
}

/// Tables of this size fill up after a few records, so that short tests cover flushes and compactions.
pub const SMALL_TABLE: usize = 256 << 10;

pub fn options(folder: &Path) -> Options {
    Options {
        folder: folder.to_owned(),
        memtable_bytes: SMALL_TABLE,
        block_cache_bytes: 32 << 20,
        accept_data_loss: false,
        key: None,
    }
}

/// A key that is made of this byte.
pub fn key(byte: u8) -> DataKey {
    format!("{byte:02x}").repeat(32).parse().unwrap()
}

pub async fn open(folder: &Path) -> Result<Database, OpenError> {
    open_with(options(folder)).await
}

pub async fn open_with(options: Options) -> Result<Database, OpenError> {
    let engine = Engine::open(options).await?;
    let factory = engine.factory(false);
    let parts = factory.new_transaction_builder("", CancellationToken::new(), ConfigMap::empty()).await.unwrap();
    let builder = parts.builder;
    Ok(Database { engine, builder })
}

impl Database {
    pub async fn begin(&self, kind: TransactionType) -> Result<Box<dyn Transactable>> {
        Ok(self.builder.new_transaction(kind).await?.0)
    }

    /// Writes one record in its own transaction.
    pub async fn put(&self, key: &[u8], value: &[u8]) -> Result<()> {
        let transaction = self.begin(TransactionType::Write).await?;
        transaction.set(Key::from(key), value.to_vec()).await?;
        transaction.commit().await
    }

    pub async fn get(&self, key: &[u8]) -> Result<Option<Vec<u8>>> {
        let transaction = self.begin(TransactionType::Read).await?;
        transaction.get(Key::from(key), None).await
    }
}
