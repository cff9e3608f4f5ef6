//! Integers of a fixed number of words: the weights of pairings, whose digits are the criteria in their order.

use std::cmp::Ordering;

/// In two's complement, the lowest word first. Arithmetic wraps: whoever makes them leaves room.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Wide<const WORDS: usize>([u64; WORDS]);

impl<const WORDS: usize> Wide<WORDS> {
    pub const ZERO: Self = Self([0; WORDS]);

    pub fn is_zero(&self) -> bool {
        *self == Self::ZERO
    }

    #[inline]
    pub fn plus(mut self, other: &Self) -> Self {
        let mut carry = false;
        for (word, added) in self.0.iter_mut().zip(&other.0) {
            let (sum, over) = word.overflowing_add(*added);
            let (sum, again) = sum.overflowing_add(u64::from(carry));
            (*word, carry) = (sum, over || again);
        }
        self
    }

    #[inline]
    pub fn minus(mut self, other: &Self) -> Self {
        let mut borrow = false;
        for (word, taken) in self.0.iter_mut().zip(&other.0) {
            let (rest, under) = word.overflowing_sub(*taken);
            let (rest, again) = rest.overflowing_sub(u64::from(borrow));
            (*word, borrow) = (rest, under || again);
        }
        self
    }

    /// Half of an even number.
    #[inline]
    pub fn half(mut self) -> Self {
        let sign = self.0[WORDS - 1] & (1 << 63);
        for at in 0..WORDS {
            let above = if at + 1 < WORDS { self.0[at + 1] << 63 } else { sign };
            self.0[at] = self.0[at] >> 1 | above;
        }
        self
    }

    #[inline]
    pub fn twice(self) -> Self {
        self.plus(&self)
    }

    /// Makes room for a digit of so many bits below, and adds to it.
    pub fn push(&mut self, bits: u32, digit: u64) {
        let (words, bits) = ((bits / 64) as usize, bits % 64);
        for at in (0..WORDS).rev() {
            let word = |index: usize| self.0[index];
            let mut shifted = if at >= words { word(at - words) << bits } else { 0 };
            if bits > 0 && at > words {
                shifted |= word(at - words - 1) >> (64 - bits);
            }
            self.0[at] = shifted;
        }
        self.add_at(0, digit);
    }

    /// Adds a digit that begins so many bits above the lowest.
    pub fn add_at(&mut self, shift: u32, digit: u64) {
        let mut added = [0; WORDS];
        let (word, bits) = ((shift / 64) as usize, shift % 64);
        added[word] = digit << bits;
        if bits > 0 && word + 1 < WORDS {
            added[word + 1] = digit >> (64 - bits);
        }
        *self = self.plus(&Self(added));
    }
}

impl<const WORDS: usize> Ord for Wide<WORDS> {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        let top = |it: &Self| it.0[WORDS - 1] as i64;
        top(self).cmp(&top(other)).then_with(|| self.0.iter().rev().cmp(other.0.iter().rev()))
    }
}

impl<const WORDS: usize> PartialOrd for Wide<WORDS> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
