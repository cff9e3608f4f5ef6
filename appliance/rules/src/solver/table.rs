//! A hash table of fixed size for proof and disproof numbers, keyed by exact positions. Where a bucket is full, the entry
//! that cost the least work is replaced; what is lost can be computed again.

const BUCKET: usize = 4;
/// No key: those take 62 bits.
const FREE: u64 = u64::MAX;

#[derive(Clone, Copy)]
struct Entry {
    key: u64,
    numbers: Numbers,
    work: u8,
}

/// How far a question is from a yes, and from a no. 0 is settled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Numbers {
    pub proof: u16,
    pub disproof: u16,
}

pub(super) struct Table {
    entries: Vec<Entry>,
}

impl Table {
    /// 16 bytes an entry, 2^`bits` of them.
    pub fn new(bits: u32) -> Table {
        let free = Entry { key: FREE, numbers: Numbers { proof: 1, disproof: 1 }, work: 0 };
        Table { entries: vec![free; 1 << bits] }
    }

    pub fn get(&self, key: u64) -> Option<Numbers> {
        let start = self.bucket(key);
        self.entries[start..start + BUCKET].iter().find(|entry| entry.key == key).map(|entry| entry.numbers)
    }

    /// `nodes` is what the numbers cost.
    pub fn store(&mut self, key: u64, numbers: Numbers, nodes: u32) {
        let work = (u32::BITS - nodes.leading_zeros()) as u8;
        let start = self.bucket(key);
        let bucket = &mut self.entries[start..start + BUCKET];
        let index = bucket.iter().position(|entry| entry.key == key).unwrap_or_else(|| {
            let cost = |entry: &Entry| if entry.key == FREE { -1 } else { i32::from(entry.work) };
            (0..BUCKET).min_by_key(|&index| cost(&bucket[index])).unwrap_or_default()
        });
        bucket[index] = Entry { key, numbers, work };
    }

    fn bucket(&self, key: u64) -> usize {
        let mixed = (key ^ key >> 31).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed >> 20) as usize % (self.entries.len() / BUCKET) * BUCKET
    }
}
