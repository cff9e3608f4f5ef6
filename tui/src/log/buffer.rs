//! The records that the console remembers: a ring, bounded in number and in memory.

use std::{
    collections::{HashSet, VecDeque},
    hash::{BuildHasher, RandomState},
};

use super::record::Record;

/// What a person can still go through, and what the issue of a night fits into.
pub const MAX_RECORDS: usize = 100_000;
/// Usually the number of records is reached first; this limits records with long stacks.
pub const MAX_BYTES: usize = 64 * 1024 * 1024;

/// The position of a record. It stays the same while newer ones arrive, older ones are fetched, and the
/// oldest are removed.
pub type RecordPosition = i64;

#[derive(Debug, Default)]
pub struct Buffer {
    records: VecDeque<Record>,
    /// The position of the oldest.
    first: RecordPosition,
    /// Hashes of the ids of all records, so that none is stored twice.
    known: HashSet<u64>,
    hasher: RandomState,
    bytes: usize,
    /// Records that were removed to make room.
    pub evicted: u64,
}

impl Buffer {
    pub fn len(&self) -> usize {
        self.records.len()
    }

    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// The memory that the records take, about.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    pub fn first(&self) -> RecordPosition {
        self.first
    }

    /// One past the newest.
    pub fn end(&self) -> RecordPosition {
        self.first + self.records.len() as RecordPosition
    }

    pub fn get(&self, place: RecordPosition) -> Option<&Record> {
        self.records.get(usize::try_from(place - self.first).ok()?)
    }

    pub fn oldest(&self) -> Option<&Record> {
        self.records.front()
    }

    pub fn newest(&self) -> Option<&Record> {
        self.records.back()
    }

    fn hash(&self, record: &Record) -> u64 {
        self.hasher.hash_one(&record.id)
    }

    fn knows(&self, record: &Record) -> bool {
        self.known.contains(&self.hash(record))
    }

    fn is_over(&self) -> bool {
        self.records.len() > MAX_RECORDS || self.bytes > MAX_BYTES
    }

    /// Adds the newest record; the oldest goes where there is no room. One that is known already
    /// is skipped, and `false` is returned.
    pub fn push(&mut self, record: Record) -> bool {
        if !self.known.insert(self.hash(&record)) {
            return false;
        }
        self.bytes += record.bytes();
        self.records.push_back(record);
        while self.is_over() && self.records.len() > 1 {
            self.evict();
        }
        true
    }

    fn evict(&mut self) {
        if let Some(gone) = self.records.pop_front() {
            self.known.remove(&self.hash(&gone));
            self.bytes -= gone.bytes();
            self.first += 1;
            self.evicted += 1;
        }
    }

    /// Adds records older than all others, the newest of them first. What finds no room is left
    /// out: what is newer matters more. Returns how many were added.
    pub fn push_older(&mut self, records: impl IntoIterator<Item = Record>) -> usize {
        let before = self.records.len();
        for record in records {
            let bytes = record.bytes();
            if self.records.len() >= MAX_RECORDS || self.bytes + bytes > MAX_BYTES {
                break;
            }
            if self.known.insert(self.hash(&record)) {
                self.bytes += bytes;
                self.records.push_front(record);
                self.first -= 1;
            }
        }
        self.records.len() - before
    }

    /// Merges records by their time, each once. Returns the first position where anything changed.
    pub fn merge(&mut self, records: Vec<Record>) -> RecordPosition {
        let mut new: Vec<Record> = records.into_iter().filter(|record| !self.knows(record)).collect();
        new.sort_by_key(Record::order);
        let Some(earliest) = new.first().map(|record| record.at) else { return self.end() };
        // Only what is later than the earliest of them has to make way.
        let mut later = VecDeque::new();
        while self.records.back().is_some_and(|record| record.at > earliest) {
            if let Some(record) = self.records.pop_back() {
                self.known.remove(&self.hash(&record));
                self.bytes -= record.bytes();
                later.push_front(record);
            }
        }
        let changed = self.end();
        for record in new {
            while later.front().is_some_and(|other| other.at <= record.at) {
                later.pop_front().map(|other| self.push(other));
            }
            self.push(record);
        }
        for record in later {
            self.push(record);
        }
        changed
    }

    pub fn clear(&mut self) {
        self.first = self.end();
        self.records.clear();
        self.known.clear();
        self.bytes = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use morpion_openapi::logger::LogLevel;

    fn record(number: i64, at: i64, length: usize) -> Record {
        Record {
            id: number.to_string().into(),
            level: LogLevel::Info,
            at,
            service: "play".into(),
            platform: "server".into(),
            message: "x".repeat(length).into(),
            details: None,
        }
    }

    fn ids(buffer: &Buffer) -> Vec<String> {
        (buffer.first()..buffer.end())
            .filter_map(|place| buffer.get(place))
            .map(|record| record.id.to_string())
            .collect()
    }

    #[test]
    fn no_record_is_stored_twice_and_positions_are_stable() {
        let mut buffer = Buffer::default();
        assert!(buffer.push(record(5, 5, 1)) && !buffer.push(record(5, 5, 1)));
        buffer.push(record(6, 6, 1));
        assert_eq!(buffer.push_older([record(5, 5, 1), record(4, 4, 1), record(3, 3, 1)]), 2);
        assert_eq!(ids(&buffer), ["3", "4", "5", "6"]);
        assert_eq!((buffer.first(), buffer.get(0).map(|record| &*record.id)), (-2, Some("5")));
    }

    #[test]
    fn missed_records_are_sorted_in() {
        let mut buffer = Buffer::default();
        for number in [1, 2, 5, 6] {
            buffer.push(record(number, number, 1));
        }
        assert_eq!(buffer.merge(vec![record(7, 7, 1), record(4, 4, 1), record(3, 3, 1), record(5, 5, 1)]), 2);
        assert_eq!(ids(&buffer), ["1", "2", "3", "4", "5", "6", "7"]);
        assert_eq!(buffer.merge(vec![record(4, 4, 1)]), 7, "nothing changed");
    }

    #[test]
    fn records_of_one_millisecond_are_ordered_by_log_position() {
        let at = |place: &str| Record { id: place.into(), ..record(0, 7, 1) };
        let mut buffer = Buffer::default();
        // Pages come with the newest first.
        buffer.merge(["2-0", "1-16", "1-15", "1-9"].map(at).to_vec());
        assert_eq!(ids(&buffer), ["1-9", "1-15", "1-16", "2-0"]);
    }

    #[test]
    fn the_ring_is_bounded_in_number() {
        let mut buffer = Buffer::default();
        for number in 0..MAX_RECORDS as i64 + 10 {
            buffer.push(record(number, number, 1));
        }
        assert_eq!((buffer.len(), buffer.evicted, buffer.known.len()), (MAX_RECORDS, 10, MAX_RECORDS));
        assert_eq!(buffer.oldest().map(|record| record.at), Some(10));
        assert_eq!(buffer.push_older([record(9, 9, 1)]), 0, "there is no room for older ones");
        assert!(buffer.push(record(0, 0, 1)), "what went is forgotten");
    }

    #[test]
    fn the_ring_is_bounded_in_memory() {
        let mut buffer = Buffer::default();
        for number in 0..100 {
            buffer.push(record(number, number, 1024 * 1024));
        }
        assert!(buffer.bytes() <= MAX_BYTES && buffer.len() == 63, "{} {}", buffer.bytes(), buffer.len());
        let counted: usize =
            (buffer.first()..buffer.end()).filter_map(|place| buffer.get(place)).map(Record::bytes).sum();
        assert_eq!(buffer.bytes(), counted);
        buffer.clear();
        assert_eq!((buffer.bytes(), buffer.len(), buffer.first()), (0, 0, 100));
    }
}
