//! Follows the log of the database: segments that only grow, and are removed once their content is in tables.
//!
//! Each segment is linked as soon as it is seen, so that it can be read to its end although the database has removed it.
//! That costs the database nothing.

use std::{
    collections::BTreeMap,
    fs::{self, File},
    io::{self, Read, Seek, SeekFrom},
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};

use crate::error::{BackupError, Result, local, remove_folder};

/// Bytes that one reading takes from a segment: a follower that is behind must not fill the memory.
pub(crate) const READ_AT_ONCE: u64 = 16 << 20;

/// What was appended to a segment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Piece {
    /// When it was read, in milliseconds since 1970: it was written before.
    pub at: i64,
    pub segment: u64,
    /// In the segment.
    pub offset: u64,
    pub bytes: Vec<u8>,
}

/// What is stored at once: some seconds of the log.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogPart {
    pub pieces: Vec<Piece>,
}

impl LogPart {
    pub fn encode(&self) -> Vec<u8> {
        postcard::to_stdvec(self).expect("a part is plain data")
    }

    pub fn decode(text: &[u8]) -> Option<Self> {
        postcard::from_bytes(text).ok()
    }
}

#[derive(Debug, Default)]
struct Segment {
    /// Bytes that were read.
    read: u64,
    /// When the bytes before these places were read first, so that reading them again tells the same.
    marks: Vec<(u64, i64)>,
}

impl Segment {
    /// Where the next piece ends, and when it was read first.
    fn next(&self, length: u64, now: i64) -> (u64, i64) {
        self.marks.iter().copied().find(|(end, _)| *end > self.read).unwrap_or((length, now))
    }
}

/// Follows the segments in a folder.
#[derive(Debug)]
pub struct LogFollower {
    folder: PathBuf,
    /// Where the links are, on the same disk.
    links: PathBuf,
    segments: BTreeMap<u64, Segment>,
    /// The newest segment that was ever seen.
    newest: Option<u64>,
}

impl LogFollower {
    /// Begins with the segments that are there; links of an earlier process are removed.
    ///
    /// # Errors
    /// [`BackupError::Local`].
    pub fn start(folder: PathBuf, links: PathBuf) -> Result<Self> {
        remove_folder(&links)?;
        fs::create_dir_all(&links).map_err(local(format!("the folder {}", links.display())))?;
        let mut follower = Self { folder, links, segments: BTreeMap::new(), newest: None };
        // An opening of the database leaves gaps where nothing was written, and removes what is in tables.
        for number in numbers(&follower.folder)? {
            follower.link(number)?;
        }
        Ok(follower)
    }

    /// False if the segment was removed a moment ago.
    fn link(&mut self, number: u64) -> Result<bool> {
        match fs::hard_link(path(&self.folder, number), path(&self.links, number)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
            linked => linked.map_err(local(format!("a link in {}", self.links.display())))?,
        }
        self.newest = Some(number);
        self.segments.insert(number, Segment::default());
        Ok(true)
    }

    /// Links new segments. To be called more often than segments come and go.
    ///
    /// # Errors
    /// [`BackupError::Gap`] if one went unseen: only a new backup is complete. [`BackupError::Local`].
    pub fn follow(&mut self) -> Result<()> {
        for number in numbers(&self.folder)? {
            if self.newest.is_some_and(|newest| number <= newest) {
                continue;
            }
            let is_next = self.newest.is_none_or(|newest| number == newest + 1);
            // What is behind a gap is not linked: after a kill it would pass for what follows.
            if !is_next || !self.link(number)? {
                return Err(BackupError::Gap);
            }
        }
        Ok(())
    }

    /// The oldest segment that the database still has. A checkpoint that is made from now on needs none before it.
    ///
    /// # Errors
    /// As [`LogFollower::follow`].
    pub fn first(&mut self) -> Result<u64> {
        self.follow()?;
        let oldest = numbers(&self.folder)?.first().copied();
        Ok(oldest.unwrap_or_else(|| self.newest.map_or(0, |newest| newest + 1)))
    }

    /// Reads what was appended since the last reading.
    ///
    /// # Errors
    /// As [`LogFollower::follow`]; [`BackupError::Gap`] also when a segment became shorter, as a repair makes it.
    pub fn read(&mut self, at: i64) -> Result<Vec<Piece>> {
        self.follow()?;
        let (mut pieces, mut left) = (vec![], READ_AT_ONCE);
        for (number, segment) in &mut self.segments {
            let path = path(&self.links, *number);
            let about = || local(format!("the log {}", path.display()));
            let mut file = File::open(&path).map_err(about())?;
            let length = file.metadata().map_err(about())?.len();
            if length < segment.read {
                return Err(BackupError::Gap);
            }
            file.seek(SeekFrom::Start(segment.read)).map_err(about())?;
            while segment.read < length {
                // The order of segments is the order of the commits in them, so none is skipped.
                if left == 0 {
                    return Ok(pieces);
                }
                let (end, at) = segment.next(length, at);
                let (offset, mut bytes) = (segment.read, vec![]);
                file.by_ref().take(left.min(end - offset)).read_to_end(&mut bytes).map_err(about())?;
                left -= bytes.len() as u64;
                segment.read += bytes.len() as u64;
                if segment.marks.last().is_none_or(|(end, _)| *end < segment.read) {
                    segment.marks.push((segment.read, at));
                }
                pieces.push(Piece { at, segment: *number, offset, bytes });
            }
        }
        Ok(pieces)
    }

    /// Forgets the segments that the database has removed and that were read to their end, but none from `hold` on.
    ///
    /// # Errors
    /// [`BackupError::Local`].
    pub fn release(&mut self, hold: Option<u64>) -> Result<()> {
        let present = numbers(&self.folder)?;
        let hold = hold.unwrap_or(u64::MAX);
        let gone = |number: &u64| *number < hold && !present.contains(number);
        let candidates: Vec<u64> = self.segments.keys().copied().filter(gone).collect();
        for number in candidates {
            let path = path(&self.links, number);
            let about = || local(format!("the log {}", path.display()));
            let length = fs::metadata(&path).map_err(about())?.len();
            if self.segments[&number].read == length {
                fs::remove_file(&path).map_err(about())?;
                self.segments.remove(&number);
            }
        }
        Ok(())
    }

    /// Reads everything from `first` on again, and forgets what is before it.
    ///
    /// # Errors
    /// [`BackupError::Local`].
    pub fn restart(&mut self, first: u64) -> Result<()> {
        let kept = self.segments.split_off(&first);
        for number in std::mem::replace(&mut self.segments, kept).into_keys() {
            let path = path(&self.links, number);
            fs::remove_file(&path).map_err(local(format!("the log {}", path.display())))?;
        }
        self.segments.values_mut().for_each(|segment| segment.read = 0);
        Ok(())
    }
}

/// The file of a segment in a folder.
pub(crate) fn path(folder: &Path, number: u64) -> PathBuf {
    folder.join(format!("{number:020}.wal"))
}

/// The segments in a folder, the oldest first.
pub(crate) fn numbers(folder: &Path) -> Result<Vec<u64>> {
    let about = || local(format!("the folder {}", folder.display()));
    let mut numbers = vec![];
    for entry in fs::read_dir(folder).map_err(about())? {
        let name = entry.map_err(about())?.file_name();
        let number = name.to_str().and_then(|name| name.strip_suffix(".wal")?.parse::<u64>().ok());
        numbers.extend(number);
    }
    numbers.sort_unstable();
    Ok(numbers)
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    struct Log {
        folder: tempfile::TempDir,
    }

    impl Log {
        fn new() -> Self {
            let log = Self { folder: tempfile::TempDir::new().unwrap() };
            fs::create_dir(log.wal()).unwrap();
            log
        }

        fn wal(&self) -> PathBuf {
            self.folder.path().join("wal")
        }

        fn follower(&self) -> LogFollower {
            LogFollower::start(self.wal(), self.folder.path().join("links")).unwrap()
        }

        fn append(&self, number: u64, text: &str) {
            let mut file = File::options().create(true).append(true).open(path(&self.wal(), number)).unwrap();
            file.write_all(text.as_bytes()).unwrap();
        }

        fn remove(&self, number: u64) {
            fs::remove_file(path(&self.wal(), number)).unwrap();
        }
    }

    fn texts(pieces: &[Piece]) -> Vec<(u64, u64, &str)> {
        pieces.iter().map(|piece| (piece.segment, piece.offset, std::str::from_utf8(&piece.bytes).unwrap())).collect()
    }

    #[test]
    fn what_is_appended_is_read_once_and_in_order() {
        let log = Log::new();
        log.append(3, "ab");
        let mut follower = log.follower();
        assert_eq!(texts(&follower.read(1).unwrap()), [(3, 0, "ab")]);
        assert_eq!(follower.read(2).unwrap(), []);
        log.append(3, "cd");
        log.append(4, "e");
        assert_eq!(texts(&follower.read(3).unwrap()), [(3, 2, "cd"), (4, 0, "e")]);
    }

    #[test]
    fn a_removed_segment_is_read_to_its_end() {
        let log = Log::new();
        log.append(1, "a");
        let mut follower = log.follower();
        log.append(1, "b");
        log.append(2, "c");
        follower.follow().unwrap();
        log.remove(1);
        follower.release(None).unwrap();
        assert_eq!(texts(&follower.read(1).unwrap()), [(1, 0, "ab"), (2, 0, "c")]);
        follower.release(Some(1)).unwrap();
        assert!(path(&follower.links, 1).exists(), "a new backup needs it");
        follower.release(None).unwrap();
        assert!(!path(&follower.links, 1).exists() && path(&follower.links, 2).exists());
    }

    #[test]
    fn a_new_backup_begins_with_what_the_database_still_has() {
        let log = Log::new();
        log.append(1, "a");
        log.append(2, "b");
        let mut follower = log.follower();
        follower.read(1).unwrap();
        log.remove(1);
        assert_eq!(follower.first().unwrap(), 2);
        follower.restart(2).unwrap();
        assert_eq!(texts(&follower.read(2).unwrap()), [(2, 0, "b")]);
        log.remove(2);
        assert_eq!(follower.first().unwrap(), 3, "the next one");
    }

    #[test]
    fn what_is_read_again_was_read_when_it_was_read_first() {
        let log = Log::new();
        log.append(1, "ab");
        let mut follower = log.follower();
        follower.read(10).unwrap();
        log.append(1, "c");
        log.append(2, "d");
        follower.read(20).unwrap();
        follower.restart(1).unwrap();
        log.append(2, "e");
        let times = follower.read(30).unwrap().iter().map(|piece| (piece.at, piece.bytes.len())).collect::<Vec<_>>();
        assert_eq!(times, [(10, 2), (20, 1), (20, 1), (30, 1)]);
    }

    #[test]
    fn a_follower_that_is_behind_reads_in_parts() {
        let log = Log::new();
        log.append(1, &"a".repeat(READ_AT_ONCE as usize - 1));
        log.append(2, "bc");
        let mut follower = log.follower();
        let lengths = |pieces: &[Piece]| pieces.iter().map(|piece| piece.bytes.len() as u64).collect::<Vec<_>>();
        assert_eq!(lengths(&follower.read(1).unwrap()), [READ_AT_ONCE - 1, 1]);
        assert_eq!(texts(&follower.read(2).unwrap()), [(2, 1, "c")]);
    }

    #[test]
    fn what_went_unseen_is_noticed() {
        let log = Log::new();
        log.append(1, "a");
        let mut follower = log.follower();
        log.append(3, "c");
        assert!(matches!(follower.read(1), Err(BackupError::Gap)));
        let log = Log::new();
        log.append(1, "abc");
        let mut follower = log.follower();
        follower.read(1).unwrap();
        File::options().write(true).open(path(&log.wal(), 1)).unwrap().set_len(1).unwrap();
        assert!(matches!(follower.read(1), Err(BackupError::Gap)), "a repair cut it");
    }

    #[test]
    fn gaps_that_an_opening_of_the_database_left_are_none() {
        let log = Log::new();
        log.append(1, "a");
        log.append(3, "c");
        let mut follower = log.follower();
        log.append(4, "d");
        assert_eq!(follower.first().unwrap(), 1);
        assert_eq!(texts(&follower.read(1).unwrap()), [(1, 0, "a"), (3, 0, "c"), (4, 0, "d")]);
    }

    #[test]
    fn links_of_an_earlier_process_are_removed() {
        let log = Log::new();
        log.append(1, "a");
        drop(log.follower());
        log.remove(1);
        log.append(9, "b");
        assert_eq!(texts(&log.follower().read(1).unwrap()), [(9, 0, "b")]);
    }
}
