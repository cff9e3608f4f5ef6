//! Replication: what is committed here goes, in its order, to a log that others follow; what others committed is applied.
//!
//! A commit that is replicated is made in the engine's memory and log first, without waiting for the disk, which settles
//! conflicts and the order. Then it is handed to the [`CommitLog`]. It is acknowledged when that says so: the log puts
//! the commits of some milliseconds on disk at once, with [`Engine::apply`](crate::Engine::apply).

use std::pin::Pin;

use bytes::{Buf, BufMut, Bytes, BytesMut};
use tokio::sync::{OwnedMutexGuard, oneshot};

/// The largest replicated commit, in bytes of [`Changes`].
pub const MAX_CHANGES: usize = 6 << 20;

/// The key of what [`Engine::apply`](crate::Engine::apply) stores beside the changes. No scan of SurrealDB's meets it.
pub(crate) const STATE: &[u8] = b"morpion/cluster/state";

const SET: u8 = 1;
const DELETE: u8 = 0;

/// The changes of one transaction in their order: keys that are set or deleted. Cheap to clone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Changes(Bytes);

impl Changes {
    /// As [`Changes::as_bytes`] returned them; they are checked when they are applied.
    pub fn from_bytes(bytes: Bytes) -> Self {
        Self(bytes)
    }

    pub fn as_bytes(&self) -> &Bytes {
        &self.0
    }

    /// Each key, and its value unless it is deleted; `None` in place of one that cannot be read, which ends them.
    pub(crate) fn iter(&self) -> impl Iterator<Item = Option<(Bytes, Option<Bytes>)>> {
        let mut rest = self.0.clone();
        std::iter::from_fn(move || {
            if rest.is_empty() {
                return None;
            }
            let change = read_change(&mut rest);
            if change.is_none() {
                rest.clear();
            }
            Some(change)
        })
    }
}

fn read_change(rest: &mut Bytes) -> Option<(Bytes, Option<Bytes>)> {
    let kind = rest.try_get_u8().ok()?;
    let key = read_bytes(rest).filter(|key| !key.is_empty())?;
    match kind {
        SET => Some((key, Some(read_bytes(rest)?))),
        DELETE => Some((key, None)),
        _ => None,
    }
}

fn read_bytes(rest: &mut Bytes) -> Option<Bytes> {
    let length = rest.try_get_u32().ok()? as usize;
    (length <= rest.len()).then(|| rest.split_to(length))
}

/// The changes of a transaction that is open.
#[derive(Debug, Default)]
pub(crate) struct OpenChanges {
    bytes: BytesMut,
    savepoints: Vec<usize>,
}

impl OpenChanges {
    pub(crate) fn record(&mut self, key: &[u8], value: Option<&[u8]>) {
        self.bytes.put_u8(if value.is_some() { SET } else { DELETE });
        for part in std::iter::once(key).chain(value) {
            // A larger one is refused by the engine before it gets here.
            self.bytes.put_u32(u32::try_from(part.len()).expect("the engine takes no value of 4 GiB"));
            self.bytes.put_slice(part);
        }
    }

    pub(crate) fn set_savepoint(&mut self) {
        self.savepoints.push(self.bytes.len());
    }

    pub(crate) fn roll_back_to_savepoint(&mut self) {
        if let Some(length) = self.savepoints.pop() {
            self.bytes.truncate(length);
        }
    }

    pub(crate) fn finish(self) -> Changes {
        Changes(self.bytes.freeze())
    }
}

/// Where replicated commits go.
pub trait CommitLog: Send + Sync + 'static {
    /// Resolves as soon as a commit may be made.
    ///
    /// # Errors
    /// Why none is taken; nothing was done.
    fn admit(&self) -> Pin<Box<dyn Future<Output = Result<(), String>> + Send + '_>>;

    /// Takes a commit; called in the order of the commits. The receiver gets a value once the commit is acknowledged, and
    /// an error if nobody can tell whether it will be.
    fn append(&self, changes: Changes) -> oneshot::Receiver<()>;

    /// A commit failed, and what the engine has may no longer be what the log has: nobody may build on it.
    fn broken(&self);
}

/// No replicated commit is made while this is held.
#[derive(Debug)]
pub struct Quiet {
    pub(crate) _turn: OwnedMutexGuard<()>,
}

#[cfg(test)]
mod tests {
    use super::*;

    type Change = (Vec<u8>, Option<Vec<u8>>);

    fn read(changes: &Changes) -> Vec<Option<Change>> {
        let owned = |(key, value): (Bytes, Option<Bytes>)| (key.to_vec(), value.map(|value| value.to_vec()));
        changes.iter().map(|change| change.map(owned)).collect()
    }

    #[test]
    fn changes_are_read_as_they_were_recorded_without_what_was_rolled_back() {
        let mut open = OpenChanges::default();
        open.record(b"a", Some(b"1"));
        open.set_savepoint();
        open.record(b"b", Some(b"2"));
        open.roll_back_to_savepoint();
        open.record(b"c", None);
        open.record(b"d", Some(b""));
        let set = |key: &[u8], value: &[u8]| Some((key.to_vec(), Some(value.to_vec())));
        let expected = vec![set(b"a", b"1"), Some((b"c".to_vec(), None)), set(b"d", b"")];
        assert_eq!(read(&open.finish()), expected);
    }

    #[test]
    fn what_is_no_change_ends_the_reading() {
        let mut open = OpenChanges::default();
        open.record(b"key", Some(b"value"));
        let whole = open.finish().as_bytes().to_vec();
        for length in 1..whole.len() {
            assert_eq!(read(&Changes::from_bytes(Bytes::copy_from_slice(&whole[..length]))), [None], "{length} bytes");
        }
        for hostile in [&[7, 0, 0, 0, 1, b'k'][..], &[1, 0xff, 0xff, 0xff, 0xff, b'k'], &[0, 0, 0, 0, 0]] {
            assert_eq!(read(&Changes::from_bytes(Bytes::copy_from_slice(hostile))), [None]);
        }
    }
}
