//! A thousand records that are stored as one row, and the header that describes them without reading them.

use std::collections::BTreeMap;

use bytes::Bytes;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::{
    bloom::{BloomFilter, SearchTerm, hash},
    filter::Filter,
    record::{CLIENT, Level, Record},
};

/// Records of a full chunk: some 300 KiB, 40 KiB compressed. One such row costs the store half a millisecond.
pub const CHUNK_SIZE: usize = 1024;

const HOUR: i64 = 3_600_000;

/// The number of records of one kind in a chunk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct KindCount {
    service: String,
    platform: String,
    level: Level,
    count: u32,
}

/// What is known about a chunk without its records. 30 KiB, kept in memory: 6 MiB for 200,000 records.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct ChunkHeader {
    /// The earliest and the latest time, in Unix milliseconds.
    earliest: i64,
    latest: i64,
    count: u32,
    /// Deleted records that preceded these.
    deleted: u32,
    kinds: Vec<KindCount>,
    /// Records of each level by the hour since the epoch.
    hours: BTreeMap<i64, [u32; 4]>,
    /// Hashes of the users, sessions and requests in it, sorted.
    subjects: Vec<u32>,
    bloom: BloomFilter,
    /// The number of records about each subject.
    counts: Vec<u16>,
}

impl ChunkHeader {
    /// The header of a chunk whose first records are deleted.
    pub fn starting_after(deleted: u32) -> Self {
        Self { deleted, ..Self::default() }
    }

    pub fn deleted(&self) -> u32 {
        self.deleted
    }

    pub fn add(&mut self, record: &Record) {
        if self.count == 0 {
            (self.earliest, self.latest) = (record.at, record.at);
        }
        self.earliest = self.earliest.min(record.at);
        self.latest = self.latest.max(record.at);
        self.count += 1;
        let same = |kind: &&mut KindCount| {
            kind.level == record.level && kind.service == record.service && kind.platform == record.platform
        };
        match self.kinds.iter_mut().find(same) {
            Some(kind) => kind.count += 1,
            None => self.kinds.push(KindCount {
                service: record.service.clone(),
                platform: record.platform.clone(),
                level: record.level,
                count: 1,
            }),
        }
        self.hours.entry(record.at.div_euclid(HOUR)).or_default()[record.level as usize] += 1;
        for subject in subjects(record.user.as_ref(), record.session.as_deref(), record.request.as_deref()) {
            match self.subjects.binary_search(&subject) {
                Ok(at) => self.counts[at] += 1,
                Err(at) => {
                    self.subjects.insert(at, subject);
                    self.counts.insert(at, 1);
                }
            }
        }
        record.texts().for_each(|text| self.bloom.add(text));
    }

    pub fn count(&self) -> u64 {
        u64::from(self.count)
    }

    /// Records that are not of clients.
    pub fn count_of_server(&self) -> u64 {
        let of_server = self.kinds.iter().filter(|kind| kind.service != CLIENT);
        of_server.map(|kind| u64::from(kind.count)).sum()
    }

    pub fn last(&self) -> i64 {
        self.latest
    }

    /// Records of each level.
    pub fn levels(&self) -> [u64; 4] {
        let mut levels = [0; 4];
        self.kinds.iter().for_each(|kind| levels[kind.level as usize] += u64::from(kind.count));
        levels
    }

    /// Records of each level in each hour since the epoch.
    pub fn hours(&self) -> impl Iterator<Item = (i64, [u32; 4])> + '_ {
        self.hours.iter().map(|(hour, levels)| (*hour, *levels))
    }

    /// How many records match the filter, if that is known without reading them.
    pub fn known_count(&self, filter: &Filter) -> Option<u64> {
        let kinds = self.kinds.iter().filter(|kind| {
            filter.has_level(kind.level)
                && filter.service.as_ref().is_none_or(|service| *service == kind.service)
                && filter.platform.as_ref().is_none_or(|platform| *platform == kind.platform)
        });
        let count = kinds.map(|kind| u64::from(kind.count)).sum();
        let before = filter.since.is_some_and(|since| self.latest < since);
        let after = filter.until.is_some_and(|until| self.earliest > until);
        if count == 0 || before || after {
            return Some(0);
        }
        let may_contain =
            filter.text.as_ref().map(SearchTerm::tokens).is_none_or(|tokens| self.bloom.may_contain(tokens));
        let about: Vec<u64> = subjects(filter.user.as_ref(), filter.session.as_deref(), filter.request.as_deref())
            .map(|subject| self.subjects.binary_search(&subject).map_or(0, |at| u64::from(self.counts[at])))
            .collect();
        if !may_contain || about.contains(&0) {
            return Some(0);
        }
        let wholly_in_time = filter.since.is_none_or(|since| self.earliest >= since)
            && filter.until.is_none_or(|until| self.latest <= until);
        let has_one_kind = self.kinds.len() == 1
            || (filter.levels.is_empty() && (&filter.service, &filter.platform) == (&None, &None));
        match about[..] {
            _ if !wholly_in_time || filter.text.is_some() => None,
            [] => Some(count),
            [about] if has_one_kind => Some(about),
            _ => None,
        }
    }

    /// As it is stored.
    pub fn encode(&self) -> Bytes {
        encode(self)
    }

    /// `None` for what is damaged.
    pub fn decode(bytes: &[u8]) -> Option<Self> {
        let header: Self = postcard::from_bytes(&decompress(bytes)?).ok()?;
        (header.counts.len() == header.subjects.len()).then_some(header)
    }
}

fn subjects(user: Option<&Uuid>, session: Option<&str>, request: Option<&str>) -> impl Iterator<Item = u32> {
    [user.map(user_hash), session.map(hash), request.map(hash)].into_iter().flatten()
}

fn user_hash(user: &Uuid) -> u32 {
    let (high, low) = user.as_u64_pair();
    ((high ^ low) >> 32) as u32 ^ (high ^ low) as u32
}

pub fn encode_records(records: &[Record]) -> Bytes {
    encode(records)
}

/// Passes the records of a chunk to `read` without allocating their texts, which would take most of the time.
///
/// `None` for what is damaged.
pub fn read_records<R>(bytes: &[u8], read: impl FnOnce(&[Record<&str>]) -> R) -> Option<R> {
    let plain = decompress(bytes)?;
    let records: Vec<Record<&str>> = postcard::from_bytes(&plain).ok()?;
    Some(read(&records))
}

fn encode<T: Serialize + ?Sized>(value: &T) -> Bytes {
    let plain = postcard::to_stdvec(value).expect("plain data is encoded");
    lz4_flex::compress_prepend_size(&plain).into()
}

fn decompress(bytes: &[u8]) -> Option<Vec<u8>> {
    lz4_flex::decompress_size_prepended(bytes).ok()
}
