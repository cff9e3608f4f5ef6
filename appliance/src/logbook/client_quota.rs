//! How many records clients may write, so that they push out neither the server's nor each other's.

use governor::{DefaultDirectRateLimiter, Quota, RateLimiter};

use std::{num::NonZeroU32, time::Duration};

use super::{
    Retention,
    record::{Record, cut},
};

/// Bytes that a request of a stranger may write to the log in all.
pub const STRANGER_BYTES: usize = 1_024;

/// Of these, what a record takes beside its texts, about.
const RECORD_BYTES: usize = 64;

/// Bytes of one text of a stranger: the message leaves room for where it happened.
const MAX_TEXT: usize = 512;
const MAX_NAME: usize = 128;

const DAY: Duration = Duration::from_secs(86_400);

/// A record is accepted only if it may stay as long as all others: so a day has its share of the records that are kept
/// in all, and no flood can use up more than that. Half is for members, half for visitors and guests.
#[derive(Debug)]
pub struct ClientQuota {
    members: DefaultDirectRateLimiter,
    strangers: DefaultDirectRateLimiter,
}

impl ClientQuota {
    pub fn new(retention: &Retention) -> Self {
        // A day's share may come at once, so the days are one more.
        let half_a_day = retention.client_records / (u64::from(retention.days) + 1) / 2;
        let half_a_day = NonZeroU32::new(half_a_day.clamp(1, u32::MAX.into()) as u32).expect("it is at least 1");
        let every = (DAY / half_a_day.get()).max(Duration::from_nanos(1));
        let quota = Quota::with_period(every).expect("it is not zero").allow_burst(half_a_day);
        Self { members: RateLimiter::direct(quota), strangers: RateLimiter::direct(quota) }
    }

    /// Whether one more record is kept.
    pub fn takes(&self, is_stranger: bool) -> bool {
        let limiter = if is_stranger { &self.strangers } else { &self.members };
        limiter.check().is_ok()
    }
}

impl Record {
    /// Cuts the texts so that the record fits into what is `left` for a request, and takes it from there; `None` if
    /// nothing of it fits.
    pub fn within(mut self, left: &mut usize) -> Option<Self> {
        *left = left.checked_sub(RECORD_BYTES + self.service.len())?;
        let mut fit = |text: &mut String, longest: usize| {
            cut(text, longest.min(left.saturating_sub('…'.len_utf8())));
            *left = left.saturating_sub(text.len());
        };
        fit(&mut self.message, MAX_TEXT);
        fit(&mut self.platform, MAX_NAME);
        for text in [&mut self.file, &mut self.session, &mut self.request].into_iter().flatten() {
            fit(text, MAX_NAME);
        }
        for text in [&mut self.context, &mut self.stack].into_iter().flatten() {
            fit(text, usize::MAX);
        }
        Some(self)
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::record::{Level, sample},
        *,
    };

    fn quota(client_records: u64) -> ClientQuota {
        ClientQuota::new(&Retention { days: 14, records: 1, client_records })
    }

    #[test]
    fn a_flood_of_strangers_leaves_room_for_members() {
        let quota = quota(3_000);
        assert_eq!((0..10_000).filter(|_| quota.takes(true)).count(), 100, "half of a fifteenth");
        assert_eq!((0..10_000).filter(|_| quota.takes(false)).count(), 100);
        let unlimited = self::quota(u64::MAX);
        assert!((0..10_000).all(|_| unlimited.takes(true)));
    }

    #[test]
    fn a_request_of_a_stranger_has_a_kibibyte_however_many_records_it_brings() {
        let long = |text: &str| Some(text.repeat(2_000));
        let record = Record {
            context: long("é"),
            stack: long("x"),
            file: long("f"),
            session: long("s"),
            request: long("r"),
            ..sample(0, Level::Error, &"ü".repeat(5_000))
        };
        let mut left = STRANGER_BYTES;
        let kept: Vec<Record> = (0..50).filter_map(|_| record.clone().within(&mut left)).collect();
        let size = |record: &Record| {
            let texts = [&record.context, &record.stack, &record.file, &record.session, &record.request];
            record.message.len() + record.platform.len() + texts.into_iter().flatten().map(String::len).sum::<usize>()
        };
        assert!((1..=2).contains(&kept.len()), "{}", kept.len());
        assert!(kept.iter().map(size).sum::<usize>() <= STRANGER_BYTES);
        assert!(kept[0].message.ends_with("ü…") && kept[0].message.len() > 500, "{}", kept[0].message);

        let mut left = STRANGER_BYTES;
        let short = sample(0, Level::Error, "a page failed");
        let kept = (0..50).filter_map(|_| short.clone().within(&mut left)).count();
        assert!((8..=16).contains(&kept), "{kept} short records");
    }
}
