//! How entries of the stream, the lease and the messages between nodes are encoded.
//!
//! A byte for the version, and postcard, which goes by the order of fields and variants: append variants, and reorder
//! nothing. What is read is not trusted: it may be cut off, of another version, or made to fill the memory.

use bytes::Bytes;
use morpion_cluster::{Entry, Sequence};
use morpion_engine::{Changes, MAX_CHANGES};
use serde::{Serialize, de::DeserializeOwned};

/// Bytes of the largest message that NATS has to take: the setting `max_payload` of its servers.
pub const MAX_MESSAGE: usize = 8 << 20;

/// Bytes of the largest entry, both in the stream and decompressed. NATS adds headers to it.
pub const MAX_ENTRY: usize = MAX_MESSAGE - (64 << 10);

// An entry that has the largest commit alone is no larger.
const _: () = assert!(MAX_CHANGES + (1 << 10) < MAX_ENTRY);

/// The version of everything but entries.
const VERSION: u8 = 1;

/// The versions of entries: as they are, and in a block of LZ4 behind its length.
const PLAIN: u8 = 1;
const COMPRESSED: u8 = 2;

/// Bytes from which compressing is tried.
const WORTH_COMPRESSING: usize = 256;

/// Why something cannot be encoded or decoded.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WireError {
    #[error("it has {0} bytes, and at most {max} are allowed", max = MAX_ENTRY)]
    TooLarge(usize),
    #[error("it has the encoding {0}, which this version of the program does not know")]
    Version(u8),
    #[error("it is damaged")]
    Damaged,
    #[error("it was written for place {meant} of the stream, and stands at {found}")]
    Misplaced { meant: Sequence, found: Sequence },
}

/// An entry as a message of the stream; compressed if that makes it smaller.
///
/// Fails only for an entry of more than [`MAX_ENTRY`] bytes.
pub fn encode_entry(entry: &Entry<Changes>) -> Result<Bytes, WireError> {
    let message = prefixed(PLAIN, &entry.map(|changes| changes.as_bytes().clone()));
    if message.len() > MAX_ENTRY {
        return Err(WireError::TooLarge(message.len()));
    }
    if message.len() >= WORTH_COMPRESSING {
        let compressed = lz4_flex::compress_prepend_size(&message[1..]);
        if compressed.len() < message.len() - 1 {
            return Ok([&[COMPRESSED][..], &compressed].concat().into());
        }
    }
    Ok(message.into())
}

/// The entry in the message that the stream has at `sequence`. Its commits share the message's memory.
pub fn decode_entry(message: &Bytes, sequence: Sequence) -> Result<Entry<Changes>, WireError> {
    if message.len() > MAX_ENTRY {
        return Err(WireError::TooLarge(message.len()));
    }
    let plain = match message[..] {
        [PLAIN, ..] => message.slice(1..),
        [COMPRESSED, ref block @ ..] => decompress(block)?,
        [version, ..] => return Err(WireError::Version(version)),
        [] => return Err(WireError::Damaged),
    };
    let Ok((entry, [])) = postcard::take_from_bytes::<Entry<&[u8]>>(&plain) else { return Err(WireError::Damaged) };
    if entry.position.sequence != sequence {
        return Err(WireError::Misplaced { meant: entry.position.sequence, found: sequence });
    }
    Ok(entry.map(|changes| Changes::from_bytes(plain.slice_ref(changes))))
}

fn decompress(block: &[u8]) -> Result<Bytes, WireError> {
    let (length, block) = lz4_flex::block::uncompressed_size(block).map_err(|_| WireError::Damaged)?;
    if length > MAX_ENTRY {
        return Err(WireError::TooLarge(length));
    }
    match lz4_flex::decompress(block, length) {
        Ok(plain) if plain.len() == length => Ok(plain.into()),
        _ => Err(WireError::Damaged),
    }
}

/// The lease, or a message between nodes.
pub fn encode<T: Serialize>(value: &T) -> Bytes {
    prefixed(VERSION, value).into()
}

/// What [`encode`] made; nothing may follow it.
pub fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, WireError> {
    match bytes {
        [VERSION, value @ ..] => match postcard::take_from_bytes(value) {
            Ok((value, [])) => Ok(value),
            _ => Err(WireError::Damaged),
        },
        [version, ..] => Err(WireError::Version(*version)),
        [] => Err(WireError::Damaged),
    }
}

fn prefixed<T: Serialize>(version: u8, value: &T) -> Vec<u8> {
    postcard::to_extend(value, vec![version]).expect("plain data is encoded")
}

#[cfg(test)]
mod tests {
    use morpion_cluster::{Epoch, Formats, Item, Lease, NodeId, Position};
    use proptest::{collection::vec, prelude::*};

    use super::*;

    fn entry(items: Vec<Item<Changes>>) -> Entry<Changes> {
        Entry { position: Position { sequence: 7, epoch: Epoch(3) }, format: 1, items }
    }

    fn commit(bytes: Vec<u8>) -> Item<Changes> {
        Item::Commit(Changes::from_bytes(bytes.into()))
    }

    /// Bytes that do not compress.
    fn noise(length: usize) -> Vec<u8> {
        let mut state = 1_u64;
        let next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 56) as u8
        };
        std::iter::repeat_with(next).take(length).collect()
    }

    fn items() -> impl Strategy<Value = Vec<Item<Changes>>> {
        let formats = || any::<(u16, u16)>().prop_map(|(oldest, newest)| Formats { oldest, newest });
        let node = || any::<u32>().prop_map(NodeId);
        let item = prop_oneof![
            vec(0..4_u8, 0..600).prop_map(commit),
            (node(), formats()).prop_map(|(node, formats)| Item::Opened { node, formats }),
            (node(), formats()).prop_map(|(node, formats)| Item::Joined { node, formats }),
            node().prop_map(Item::Left),
            any::<u16>().prop_map(Item::Raised),
        ];
        vec(item, 0..8)
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn an_entry_is_read_as_it_was_written(items in items()) {
            let entry = entry(items);
            let message = encode_entry(&entry).unwrap();
            prop_assert_eq!(decode_entry(&message, 7), Ok(entry));
        }

        #[test]
        fn damaged_entries_are_errors(items in items(), cut in any::<prop::sample::Index>(), flip in 1..=u8::MAX) {
            let message = encode_entry(&entry(items)).unwrap();
            let at = cut.index(message.len());
            prop_assert!(decode_entry(&message.slice(..at), 7).is_err());
            let mut changed = message.to_vec();
            changed[at] ^= flip;
            let _ = decode_entry(&changed.into(), 7);
            let longer = [&message[..], &[0]].concat();
            prop_assert!(decode_entry(&longer.into(), 7).is_err());
        }

        #[test]
        fn anything_can_be_read(version in 0..4_u8, bytes in vec(any::<u8>(), 0..200)) {
            let message = Bytes::from([&[version][..], &bytes].concat());
            let _ = decode_entry(&message, 7);
            let _ = decode::<Lease>(&message);
        }
    }

    #[test]
    fn entries_are_compressed_where_it_helps() {
        let text = encode_entry(&entry(vec![commit(vec![7; 100_000])])).unwrap();
        assert!(text[0] == COMPRESSED && text.len() < 1_000, "{}", text.len());
        for incompressible in [noise(100_000), vec![7; 100]] {
            let message = encode_entry(&entry(vec![commit(incompressible.clone())])).unwrap();
            assert!(message[0] == PLAIN && message.len() < incompressible.len() + 16, "{}", message.len());
        }
    }

    #[test]
    fn the_largest_commit_fits_and_no_larger_entry_is_written() {
        let whole = entry(vec![commit(noise(MAX_CHANGES))]);
        let message = encode_entry(&whole).unwrap();
        assert!(message.len() <= MAX_ENTRY);
        assert_eq!(decode_entry(&message, 7), Ok(whole));
        let refused = encode_entry(&entry(vec![commit(vec![0; MAX_ENTRY])]));
        assert!(matches!(refused, Err(WireError::TooLarge(length)) if length > MAX_ENTRY));
    }

    #[test]
    fn an_entry_belongs_to_its_place() {
        let message = encode_entry(&entry(Vec::new())).unwrap();
        assert_eq!(decode_entry(&message, 8), Err(WireError::Misplaced { meant: 7, found: 8 }));
    }

    #[test]
    fn hostile_messages_are_refused_before_they_are_unpacked() {
        let refused = |bytes: &[u8]| decode_entry(&Bytes::copy_from_slice(bytes), 7).unwrap_err();
        assert_eq!(refused(&[]), WireError::Damaged);
        assert_eq!(refused(&[9, 1, 2]), WireError::Version(9));
        assert_eq!(refused(&[COMPRESSED, 0]), WireError::Damaged);
        // It says that it is 4 GiB long.
        assert_eq!(refused(&[COMPRESSED, 0xff, 0xff, 0xff, 0xff, 0]), WireError::TooLarge(u32::MAX as usize));
        // It is longer than it says, and shorter.
        let zeros = lz4_flex::compress(&[0; 1_000]);
        for length in [999_u32, 1_001] {
            assert_eq!(refused(&[&[COMPRESSED][..], &length.to_le_bytes(), &zeros].concat()), WireError::Damaged);
        }
        // A place, an epoch, a format, and 2^60 items of which there is none.
        assert_eq!(refused(&[PLAIN, 7, 3, 1, 128, 128, 128, 128, 128, 128, 128, 128, 16]), WireError::Damaged);
        assert_eq!(refused(&vec![PLAIN; MAX_ENTRY + 1]), WireError::TooLarge(MAX_ENTRY + 1));
    }

    #[test]
    fn a_lease_is_read_as_it_was_written_and_nothing_else_is() {
        let lease = Lease { holder: Some(NodeId(4)), run: u64::MAX, epoch: Epoch(5), beat: 6 };
        let bytes = encode(&lease);
        assert_eq!(decode(&bytes), Ok(lease));
        for length in 1..bytes.len() {
            assert_eq!(decode::<Lease>(&bytes[..length]), Err(WireError::Damaged));
        }
        assert_eq!(decode::<Lease>(&[&bytes[..], &[0]].concat()), Err(WireError::Damaged));
        assert_eq!(decode::<Lease>(&[]), Err(WireError::Damaged));
        assert_eq!(decode::<Lease>(&[VERSION + 1]), Err(WireError::Version(VERSION + 1)));
    }
}
