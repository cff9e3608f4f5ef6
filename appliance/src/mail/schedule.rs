//! Which letter is sent next: codes first, and no domain of recipients holds up the others.

use std::{collections::HashMap, num::NonZeroUsize, sync::Arc, time::Duration};

use lru::LruCache;
use tokio::time::Instant;

/// Letters sent at once.
pub const MAX_CONCURRENT: usize = 8;

/// Letters sent at once to a domain that took its last letter fast.
const FOR_ONE_DOMAIN: usize = 6;

/// Letters sent at once to any other domain: a stranger may have chosen it because it is slow.
const FOR_ONE_UNKNOWN_DOMAIN: usize = 2;

/// Letters sent at once to all such domains together.
const FOR_UNKNOWN_DOMAINS: usize = 4;

/// A letter that takes longer makes its domain a slow one.
const FAST: Duration = Duration::from_secs(5);

/// Domains remembered as fast; the one unused for longest is forgotten.
const MAX_FAST_DOMAINS: NonZeroUsize = NonZeroUsize::new(1024).expect("not zero");

/// Letters that wait, for a place or for another try.
pub const MAX_WAITING: usize = 512;

/// In the order in which letters are sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Urgency {
    /// Somebody waits for a code.
    Code,
    /// For security.
    Security,
    Other,
}

/// A letter that waits.
#[derive(Debug)]
pub struct Waiting<T> {
    /// The recipient's domain.
    pub domain: Arc<str>,
    pub urgency: Urgency,
    /// When it may be sent.
    pub from: Instant,
    pub letter: T,
}

/// The letters that wait, and the places that are taken.
pub struct Schedule<T> {
    /// In the order in which they came.
    waiting: Vec<Waiting<T>>,
    under_way: HashMap<Arc<str>, usize>,
    fast: LruCache<Arc<str>, ()>,
}

impl<T> Default for Schedule<T> {
    fn default() -> Self {
        Self { waiting: Vec::new(), under_way: HashMap::new(), fast: LruCache::new(MAX_FAST_DOMAINS) }
    }
}

impl<T> Schedule<T> {
    /// Adds a letter. If there is no room, the one that is returned has to go: the least urgent and latest of the domain with
    /// the most.
    pub fn add(&mut self, letter: Waiting<T>) -> Option<Waiting<T>> {
        self.waiting.push(letter);
        if self.waiting.len() <= MAX_WAITING {
            return None;
        }
        let mut of_domain: HashMap<&str, usize> = HashMap::new();
        for waiting in &self.waiting {
            *of_domain.entry(&waiting.domain).or_default() += 1;
        }
        let numbered = self.waiting.iter().enumerate();
        let last = numbered.max_by_key(|(number, letter)| (of_domain[&*letter.domain], letter.urgency, *number));
        last.map(|(number, _)| number).map(|number| self.waiting.remove(number))
    }

    /// Takes the next letter, for which there is a place until [`Schedule::end`].
    pub fn next(&mut self, now: Instant) -> Option<Waiting<T>> {
        let unknown: usize =
            self.under_way.iter().filter(|(domain, _)| !self.fast.contains(*domain)).map(|(_, number)| number).sum();
        if self.under_way.values().sum::<usize>() >= MAX_CONCURRENT {
            return None;
        }
        let of_domain = |domain: &str| self.under_way.get(domain).copied().unwrap_or_default();
        let has_place = |domain: &Arc<str>| match self.fast.contains(domain) {
            true => of_domain(domain) < FOR_ONE_DOMAIN,
            false => of_domain(domain) < FOR_ONE_UNKNOWN_DOMAIN && unknown < FOR_UNKNOWN_DOMAINS,
        };
        let due = self.waiting.iter().enumerate().filter(|(_, letter)| letter.from <= now && has_place(&letter.domain));
        let (number, _) = due.min_by_key(|(number, letter)| (letter.urgency, of_domain(&letter.domain), *number))?;
        let letter = self.waiting.remove(number);
        *self.under_way.entry(Arc::clone(&letter.domain)).or_default() += 1;
        Some(letter)
    }

    /// Gives back the place of a letter, which took this long.
    pub fn end(&mut self, domain: &Arc<str>, took: Duration, was_taken: bool) {
        if let Some(number) = self.under_way.get_mut(domain) {
            *number -= 1;
            if *number == 0 {
                self.under_way.remove(domain);
            }
        }
        // A refusal alone says nothing: a stranger can cause it at any domain.
        if took > FAST {
            self.fast.pop(domain);
        } else if was_taken {
            self.fast.put(Arc::clone(domain), ());
        }
    }

    /// When the next letter that waits for another try may be sent.
    pub fn wakes_at(&self, now: Instant) -> Option<Instant> {
        self.waiting.iter().map(|letter| letter.from).filter(|from| *from > now).min()
    }

    /// Letters that wait for a place only.
    pub fn due(&self, now: Instant) -> usize {
        self.waiting.iter().filter(|letter| letter.from <= now).count()
    }

    pub fn waiting(&self) -> usize {
        self.waiting.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn letter(domain: &str, urgency: Urgency, number: usize) -> Waiting<usize> {
        Waiting { domain: domain.into(), urgency, from: Instant::now(), letter: number }
    }

    fn take(schedule: &mut Schedule<usize>) -> Vec<usize> {
        std::iter::from_fn(|| schedule.next(Instant::now() + FAST)).map(|waiting| waiting.letter).collect()
    }

    #[test]
    fn a_slow_domain_and_many_of_them_leave_places_for_an_honest_code() {
        let mut schedule = Schedule::default();
        schedule.end(&"honest.org".into(), Duration::ZERO, true);
        for number in 0..100 {
            schedule.add(letter("slow.example", Urgency::Code, number));
        }
        assert_eq!(take(&mut schedule).len(), FOR_ONE_UNKNOWN_DOMAIN);
        for number in 100..200 {
            schedule.add(letter(&format!("slow{number}.example"), Urgency::Code, number));
        }
        assert_eq!(take(&mut schedule).len(), FOR_UNKNOWN_DOMAINS - FOR_ONE_UNKNOWN_DOMAIN);
        schedule.add(letter("honest.org", Urgency::Code, 1_000));
        assert_eq!(take(&mut schedule), [1_000]);
        schedule.end(&"honest.org".into(), FAST * 2, true);
        schedule.add(letter("honest.org", Urgency::Code, 1_001));
        assert_eq!(take(&mut schedule), [0; 0], "it is slow, too, by now");
    }

    #[test]
    fn codes_go_first_and_domains_take_turns() {
        let mut schedule = Schedule::default();
        for domain in ["a.example", "b.example"] {
            schedule.end(&domain.into(), Duration::ZERO, true);
        }
        for (number, urgency) in
            [Urgency::Other, Urgency::Security, Urgency::Code, Urgency::Code].into_iter().enumerate()
        {
            schedule.add(letter("a.example", urgency, number));
        }
        schedule.add(letter("b.example", Urgency::Code, 4));
        schedule.add(letter("b.example", Urgency::Other, 5));
        assert_eq!(take(&mut schedule), [2, 4, 3, 1, 5, 0]);
    }

    #[test]
    fn a_letter_that_waits_for_another_try_holds_no_place() {
        let mut schedule = Schedule::default();
        let later = Instant::now() + Duration::from_secs(60);
        for number in 0..MAX_CONCURRENT {
            schedule.add(Waiting { from: later, ..letter("grey.example", Urgency::Code, number) });
        }
        schedule.add(letter("grey.example", Urgency::Code, 100));
        assert_eq!(take(&mut schedule), [100]);
        assert_eq!((schedule.wakes_at(Instant::now()), schedule.due(Instant::now())), (Some(later), 0));
        assert_eq!(schedule.waiting(), MAX_CONCURRENT);
    }

    #[test]
    fn a_domain_that_fills_the_room_makes_its_own_letters_go() {
        let mut schedule = Schedule::default();
        schedule.add(letter("honest.org", Urgency::Other, 10_000));
        for number in 1..MAX_WAITING {
            schedule.add(letter("flood.example", Urgency::Code, number));
        }
        let gone = schedule.add(letter("honest.org", Urgency::Code, 10_001)).unwrap();
        assert_eq!(gone.letter, MAX_WAITING - 1);
        let gone = schedule.add(letter("flood.example", Urgency::Other, 20_000)).unwrap();
        assert_eq!((gone.letter, schedule.waiting()), (20_000, MAX_WAITING));
    }

    #[test]
    fn a_refusal_does_not_make_a_domain_slow() {
        let mut schedule: Schedule<usize> = Schedule::default();
        let domain: Arc<str> = "honest.org".into();
        schedule.end(&domain, Duration::ZERO, true);
        schedule.end(&domain, Duration::ZERO, false);
        assert!(schedule.fast.contains(&domain));
    }
}
