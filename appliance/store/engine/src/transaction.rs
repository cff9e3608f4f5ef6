//! One transaction of SurrealDB over one of the engine.

use std::sync::Arc;

use parking_lot::RwLock;
use surrealdb_kvs::api::BoxFut;
use surrealdb_kvs::{Error, Key, KeyRange, KeysResult, Result, SavepointStack, ScanResult, Transactable, Val};
use surrealkv::{LSMIterator, Transaction as Inner};

use crate::error::translate;
use crate::replication::OpenChanges;
use crate::supervisor::{EngineSupervisor, Generation};
use crate::yielding::yield_point;

/// SurrealDB's name of the engine.
pub(crate) const KIND: &str = "surrealkv";

/// Keys counted before yielding to other tasks.
const COUNT_PAGE: usize = 10_000;

pub(crate) struct Transaction {
    supervisor: Arc<EngineSupervisor>,
    /// The open tree that this transaction reads and commits to.
    generation: Arc<Generation>,
    writeable: bool,
    /// `None` once the transaction was committed or cancelled.
    open: RwLock<Option<Open>>,
}

struct Open {
    inner: Inner,
    savepoints: SavepointStack,
    wrote: bool,
    /// `None` unless the commit is replicated.
    changes: Option<OpenChanges>,
}

impl Transaction {
    pub(crate) fn new(
        supervisor: Arc<EngineSupervisor>,
        generation: Arc<Generation>,
        inner: Inner,
        writeable: bool,
        is_replicated: bool,
    ) -> Self {
        let changes = is_replicated.then(OpenChanges::default);
        let open = Open { inner, savepoints: SavepointStack::default(), wrote: false, changes };
        Self { supervisor, generation, writeable, open: RwLock::new(Some(open)) }
    }

    fn read<T>(&self, version: Option<u64>, read: impl FnOnce(&Inner) -> surrealkv::Result<T>) -> Result<T> {
        if version.is_some() {
            return Err(Error::UnsupportedVersionedQueries);
        }
        yield_point();
        let open = self.open.read();
        let open = open.as_ref().ok_or(Error::TransactionFinished)?;
        read(&open.inner).map_err(|error| self.unreadable(error))
    }

    /// The error of a read, of which whoever opens the folder is told.
    fn unreadable(&self, error: surrealkv::Error) -> Error {
        let error = translate(error);
        if let Error::Transaction(reason) = &error {
            self.supervisor.read_failed(reason);
        }
        error
    }

    /// Reads one page of a range.
    fn scan_page(
        &self,
        range: &KeyRange<'_>,
        order: Order,
        page: Page,
        version: Option<u64>,
        take: impl FnMut(&dyn LSMIterator) -> surrealkv::Result<()>,
    ) -> Result<()> {
        let read = self.read(version, |inner| visit(inner, range, order, page, take))?;
        self.supervisor.count_read(read);
        Ok(())
    }

    fn change<T>(&self, change: impl FnOnce(&mut Open) -> Result<T>) -> Result<T> {
        yield_point();
        let mut open = self.open.write();
        let open = open.as_mut().ok_or(Error::TransactionFinished)?;
        if !self.writeable {
            return Err(Error::TransactionReadonly);
        }
        change(open)
    }

    /// Writes to a key if its value is `expected`, or unconditionally.
    fn write_if(&self, key: &Key<'_>, expected: Expected<'_>, value: Option<&Val>) -> Result<()> {
        self.change(|open| {
            match expected {
                Expected::Any => {}
                Expected::Absent => {
                    if open.inner.get(key.as_slice()).map_err(|error| self.unreadable(error))?.is_some() {
                        return Err(Error::TransactionKeyAlreadyExists);
                    }
                }
                Expected::Value(expected) => {
                    if open.inner.get(key.as_slice()).map_err(|error| self.unreadable(error))?.as_deref() != expected {
                        return Err(Error::TransactionConditionNotMet);
                    }
                }
            }
            open.wrote = true;
            match value {
                Some(value) => open.inner.set(key.as_slice(), value),
                None => open.inner.delete(key.as_slice()),
            }
            .map_err(translate)?;
            if let Some(changes) = &mut open.changes {
                changes.record(key.as_slice(), value.map(Vec::as_slice));
            }
            Ok(())
        })
    }

    fn scan_keys(&self, range: &KeyRange<'_>, order: Order, page: Page, version: Option<u64>) -> Result<KeysResult> {
        let mut result = KeysResult::default();
        self.scan_page(range, order, page, version, |entry| {
            let key = entry.key().user_key();
            result.key_bytes += key.len() as u64;
            result.keys.push(key.to_vec());
            Ok(())
        })?;
        Ok(result)
    }

    fn scan_entries(&self, range: &KeyRange<'_>, order: Order, page: Page, version: Option<u64>) -> Result<ScanResult> {
        let mut result = ScanResult::default();
        self.scan_page(range, order, page, version, |entry| {
            let (key, value) = (entry.key().user_key().to_vec(), entry.value()?);
            result.key_bytes += key.len() as u64;
            result.value_bytes += value.len() as u64;
            result.values.push((key, value));
            Ok(())
        })?;
        Ok(result)
    }
}

enum Expected<'a> {
    Any,
    Absent,
    Value(Option<&'a [u8]>),
}

#[derive(Clone, Copy)]
enum Order {
    Forward,
    Backward,
}

#[derive(Clone, Copy)]
struct Page {
    limit: u32,
    skip: u32,
}

/// Visits one page of a range, its start included and its end not; returns how many entries were read.
fn visit(
    inner: &Inner,
    range: &KeyRange<'_>,
    order: Order,
    page: Page,
    mut take: impl FnMut(&dyn LSMIterator) -> surrealkv::Result<()>,
) -> surrealkv::Result<u64> {
    if page.limit == 0 || range.start >= range.end {
        return Ok(0);
    }
    let mut entries = inner.range(range.start.as_slice(), range.end.as_slice())?;
    match order {
        Order::Forward => entries.seek_first()?,
        Order::Backward => entries.seek_last()?,
    };
    let (skip, end) = (u64::from(page.skip), u64::from(page.skip) + u64::from(page.limit));
    let mut read = 0;
    for position in 0..end {
        if !entries.valid() {
            break;
        }
        read += 1;
        if position >= skip {
            take(&entries)?;
        }
        // Not beyond the last requested entry: the next may follow a long stretch of deleted keys.
        if position + 1 < end {
            match order {
                Order::Forward => entries.next()?,
                Order::Backward => entries.prev()?,
            };
        }
    }
    Ok(read)
}

impl Transactable for Transaction {
    fn kind(&self) -> &'static str {
        KIND
    }

    fn closed(&self) -> bool {
        self.open.read().is_none()
    }

    fn writeable(&self) -> bool {
        self.writeable
    }

    fn cancel(&self) -> BoxFut<'_, Result<()>> {
        Box::pin(async move {
            let open = self.open.write().take();
            open.ok_or(Error::TransactionFinished)?.inner.rollback();
            Ok(())
        })
    }

    fn commit(&self) -> BoxFut<'_, Result<()>> {
        Box::pin(async move {
            let open = self.open.write().take();
            let Open { mut inner, wrote, changes, .. } = open.ok_or(Error::TransactionFinished)?;
            if !self.writeable {
                return Err(Error::TransactionReadonly);
            }
            match changes {
                Some(changes) if wrote => {
                    self.supervisor.commit_replicated(&self.generation, inner, changes.finish()).await
                }
                _ => self.supervisor.commit(&self.generation, &mut inner, wrote).await,
            }
        })
    }

    fn exists<'a>(&'a self, key: Key<'a>, version: Option<u64>) -> BoxFut<'a, Result<bool>> {
        Box::pin(async move { self.read(version, |inner| Ok(inner.get(key.as_slice())?.is_some())) })
    }

    fn get<'a>(&'a self, key: Key<'a>, version: Option<u64>) -> BoxFut<'a, Result<Option<Val>>> {
        Box::pin(async move { self.read(version, |inner| inner.get(key.as_slice())) })
    }

    fn getu<'a>(&'a self, key: Key<'a>) -> BoxFut<'a, Result<Option<Val>>> {
        Box::pin(async move {
            self.change(|open| open.inner.get_for_update(key.as_slice()).map_err(|error| self.unreadable(error)))
        })
    }

    /// The engine checks locked reads only against committed writes.
    fn shared_locked_reads(&self) -> bool {
        true
    }

    fn set<'a>(&'a self, key: Key<'a>, val: Val) -> BoxFut<'a, Result<()>> {
        Box::pin(async move { self.write_if(&key, Expected::Any, Some(&val)) })
    }

    fn put<'a>(&'a self, key: Key<'a>, val: Val) -> BoxFut<'a, Result<()>> {
        Box::pin(async move { self.write_if(&key, Expected::Absent, Some(&val)) })
    }

    fn putc<'a>(&'a self, key: Key<'a>, val: Val, chk: Option<Val>) -> BoxFut<'a, Result<()>> {
        Box::pin(async move { self.write_if(&key, Expected::Value(chk.as_deref()), Some(&val)) })
    }

    fn del<'a>(&'a self, key: Key<'a>) -> BoxFut<'a, Result<()>> {
        Box::pin(async move { self.write_if(&key, Expected::Any, None) })
    }

    fn delc<'a>(&'a self, key: Key<'a>, chk: Option<&'a [u8]>) -> BoxFut<'a, Result<()>> {
        Box::pin(async move { self.write_if(&key, Expected::Value(chk), None) })
    }

    fn keys<'a>(
        &'a self,
        rng: KeyRange<'a>,
        limit: u32,
        skip: u32,
        version: Option<u64>,
    ) -> BoxFut<'a, Result<KeysResult>> {
        Box::pin(async move { self.scan_keys(&rng, Order::Forward, Page { limit, skip }, version) })
    }

    fn keysr<'a>(
        &'a self,
        rng: KeyRange<'a>,
        limit: u32,
        skip: u32,
        version: Option<u64>,
    ) -> BoxFut<'a, Result<KeysResult>> {
        Box::pin(async move { self.scan_keys(&rng, Order::Backward, Page { limit, skip }, version) })
    }

    fn scan<'a>(
        &'a self,
        rng: KeyRange<'a>,
        limit: u32,
        skip: u32,
        version: Option<u64>,
    ) -> BoxFut<'a, Result<ScanResult>> {
        Box::pin(async move { self.scan_entries(&rng, Order::Forward, Page { limit, skip }, version) })
    }

    fn scanr<'a>(
        &'a self,
        rng: KeyRange<'a>,
        limit: u32,
        skip: u32,
        version: Option<u64>,
    ) -> BoxFut<'a, Result<ScanResult>> {
        Box::pin(async move { self.scan_entries(&rng, Order::Backward, Page { limit, skip }, version) })
    }

    fn count<'a>(&'a self, rng: KeyRange<'a>, version: Option<u64>) -> BoxFut<'a, Result<usize>> {
        Box::pin(async move {
            let (mut count, mut range) = (0, rng);
            loop {
                let (mut found, mut last) = (0, Vec::new());
                let page = Page { limit: COUNT_PAGE as u32, skip: 0 };
                self.scan_page(&range, Order::Forward, page, version, |entry| {
                    found += 1;
                    if found == COUNT_PAGE {
                        last = entry.key().user_key().to_vec();
                    }
                    Ok(())
                })?;
                count += found;
                if found < COUNT_PAGE {
                    return Ok(count);
                }
                range.start = Key::from(last).next();
                tokio::task::yield_now().await;
            }
        })
    }

    fn new_save_point(&self) -> BoxFut<'_, Result<()>> {
        Box::pin(async move {
            self.change(|open| {
                open.inner.set_savepoint().map_err(translate)?;
                open.savepoints.open();
                if let Some(changes) = &mut open.changes {
                    changes.set_savepoint();
                }
                Ok(())
            })
        })
    }

    fn release_last_save_point(&self) -> BoxFut<'_, Result<()>> {
        Box::pin(async move {
            self.change(|open| {
                open.savepoints.release();
                Ok(())
            })
        })
    }

    fn rollback_to_save_point(&self) -> BoxFut<'_, Result<()>> {
        Box::pin(async move {
            self.change(|open| {
                for _ in 0..open.savepoints.take()? {
                    open.inner.rollback_to_savepoint().map_err(translate)?;
                    if let Some(changes) = &mut open.changes {
                        changes.roll_back_to_savepoint();
                    }
                }
                Ok(())
            })
        })
    }
}
