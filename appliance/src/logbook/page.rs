//! The reading side: pages of records, and which chunks have to be read for one.

use std::collections::HashMap;

use morpion_store::StoreError;

use super::{
    Order, Page, PageSpec, SealedChunk, Shared,
    chunk::read_records,
    filter::Filter,
    record::{Cursor, Record},
};

/// Chunks read for one page beyond those that its records are in. What is left uncounted then counts as one more page:
/// an exact total of a rare word in a million records is not worth the wait.
const COUNTED_CHUNKS: usize = 48;

impl Shared {
    /// Passes the records of a saved chunk to `read`; `None` if it was deleted meanwhile.
    pub(super) async fn read<R>(
        &self,
        sealed: &SealedChunk,
        read: impl FnOnce(&[Record<&str>]) -> R,
    ) -> Result<Option<R>, StoreError> {
        let number = sealed.number;
        let cached = self.cache.lock().get(&sealed.version()).cloned();
        let data = match cached {
            Some(data) => data,
            None => {
                let Some(data) = self.store.log_data(number).await? else { return Ok(None) };
                self.cache.lock().put(sealed.version(), data.clone());
                data
            }
        };
        let damaged = || StoreError::Corrupt(format!("chunk {number} of the log"));
        read_records(&data, read).ok_or_else(damaged).map(Some)
    }

    pub(super) async fn page(&self, filter: &Filter, spec: PageSpec) -> Result<Page, StoreError> {
        let mut builder = PageBuilder { page: Page::default(), skip: spec.skip, spec, budget: COUNTED_CHUNKS };
        let (mut chunks, number, latest) = {
            let open = self.open.lock();
            (self.sealed.read().clone(), open.number, open.records.clone())
        };
        if spec.order == Order::NewestFirst {
            builder.add_chunk(filter, number, 0, &latest);
            chunks.reverse();
        }
        for sealed in &chunks {
            if builder.is_before(sealed.number) {
                continue;
            }
            let is_partial = spec.after.is_some_and(|after| after.chunk == sealed.number);
            let known = if is_partial {
                None
            } else {
                let counted = || self.counted.lock().get(filter)?.get(&sealed.version()).copied();
                sealed.header.known_count(filter).or_else(counted)
            };
            if known.is_some_and(|count| builder.skip_chunk(count)) {
                continue;
            }
            if builder.is_full() {
                if builder.budget == 0 {
                    builder.page.has_more = true;
                    builder.page.total += 1;
                    return Ok(builder.page);
                }
                builder.budget -= 1;
            }
            let before = builder.page.total;
            let unsaved = self.unsaved.lock().get(&sealed.number).cloned();
            match unsaved {
                Some((_, records)) => builder.add_chunk(filter, sealed.number, sealed.header.deleted(), &records),
                None => {
                    let take = |records: &[Record<&str>]| {
                        builder.add_chunk(filter, sealed.number, sealed.header.deleted(), records);
                    };
                    self.read(sealed, take).await?;
                }
            }
            if !is_partial {
                let fitting = builder.page.total - before;
                self.counted.lock().get_or_insert_mut(filter.clone(), HashMap::new).insert(sealed.version(), fitting);
            }
        }
        if spec.order == Order::OldestFirst {
            builder.add_chunk(filter, number, 0, &latest);
        }
        Ok(builder.page)
    }
}

/// A page while it is being gathered.
struct PageBuilder {
    page: Page,
    skip: u64,
    spec: PageSpec,
    budget: usize,
}

impl PageBuilder {
    fn is_full(&self) -> bool {
        self.page.records.len() == self.spec.limit
    }

    /// Whether all of a chunk lies before the cursor.
    fn is_before(&self, chunk: u64) -> bool {
        self.spec.after.is_some_and(|after| match self.spec.order {
            Order::NewestFirst => chunk > after.chunk,
            Order::OldestFirst => chunk < after.chunk,
        })
    }

    /// Skips a chunk with this many matching records, if none of them is on the page; otherwise returns false, and it
    /// has to be read.
    fn skip_chunk(&mut self, count: u64) -> bool {
        let is_passed = count == 0 || self.is_full() || self.skip >= count;
        if is_passed {
            self.page.total += count;
            if self.is_full() {
                self.page.has_more |= count > 0;
            } else {
                self.skip -= count.min(self.skip);
            }
        }
        is_passed
    }

    /// Adds the matching records of a chunk whose first `deleted` records are deleted.
    fn add_chunk<T: AsRef<str>>(&mut self, filter: &Filter, chunk: u64, deleted: u32, records: &[Record<T>]) {
        let after = self.spec.after;
        let places = 0..records.len();
        let places: Box<dyn Iterator<Item = usize>> = match self.spec.order {
            Order::NewestFirst => Box::new(places.rev()),
            Order::OldestFirst => Box::new(places),
        };
        for index in places {
            let cursor = Cursor { chunk, index: deleted + index as u32 };
            let is_behind = after.is_none_or(|after| match self.spec.order {
                Order::NewestFirst => cursor < after,
                Order::OldestFirst => cursor > after,
            });
            if !is_behind || !filter.matches(&records[index]) {
                continue;
            }
            self.page.total += 1;
            if self.skip > 0 {
                self.skip -= 1;
            } else if self.is_full() {
                self.page.has_more = true;
            } else {
                self.page.records.push((cursor, records[index].to_owned()));
            }
        }
    }
}
