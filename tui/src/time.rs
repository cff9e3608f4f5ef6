//! Times as an operator types and reads them: always UTC, so that two people on call mean
//! the same minute.

use std::time::{SystemTime, UNIX_EPOCH};

use chrono::{DateTime, Duration, NaiveDateTime, NaiveTime, TimeZone, Utc};
use morpion_openapi::Timestamp;

/// A duration of more days is a typing error.
const FURTHEST_DAYS: i64 = 3_660;

/// Reads `2026-11-21 20:00`, `20:00` (today), `+2h`, `-15m`, `+1d`; all UTC.
///
/// # Errors
/// How times are written.
pub fn parse(typed: &str, now: i64) -> Result<Timestamp, String> {
    let typed = typed.trim();
    let now = Timestamp::from_millis(now).utc();
    let relative = typed.strip_prefix('+').map(|rest| (rest, 1)).or(typed.strip_prefix('-').map(|rest| (rest, -1)));
    let moment = if let Some((rest, sign)) = relative {
        duration(rest).map(|duration| now + duration * sign)
    } else if let Ok(time) = NaiveTime::parse_from_str(typed, "%H:%M") {
        Some(Utc.from_utc_datetime(&now.date_naive().and_time(time)))
    } else {
        ["%Y-%m-%d %H:%M", "%Y-%m-%dT%H:%M", "%Y-%m-%d %H:%M:%S"]
            .into_iter()
            .find_map(|format| NaiveDateTime::parse_from_str(typed, format).ok())
            .map(|moment| Utc.from_utc_datetime(&moment))
            .or_else(|| DateTime::parse_from_rfc3339(typed).ok().map(Into::into))
    };
    moment.map(Timestamp::from).ok_or_else(|| "Write 2026-11-21 20:00, 20:00 (UTC), +2h or +1d.".to_owned())
}

/// Reads `90s`, `15m`, `2h`, `1d`.
pub fn duration(typed: &str) -> Option<Duration> {
    let typed = typed.trim();
    let (number, unit) = typed.split_at_checked(typed.len().checked_sub(1)?)?;
    let number: u32 = number.trim().parse().ok()?;
    let duration = match unit {
        "s" => Duration::seconds(number.into()),
        "m" => Duration::minutes(number.into()),
        "h" => Duration::hours(number.into()),
        "d" => Duration::days(number.into()),
        _ => return None,
    };
    (duration.num_days() <= FURTHEST_DAYS).then_some(duration)
}

/// `2026-11-21 20:00`, in UTC.
pub fn minute(moment: Timestamp) -> String {
    moment.utc().format("%Y-%m-%d %H:%M").to_string()
}

/// This machine's clock, Unix milliseconds.
pub fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 2026-11-21T10:00:00Z.
    const NOW: i64 = 1_795_255_200_000;

    #[test]
    fn times_are_parsed_in_common_formats() {
        for (typed, read) in [
            ("2026-12-24 18:30", "2026-12-24T18:30:00Z"),
            ("2026-12-24T18:30", "2026-12-24T18:30:00Z"),
            ("2026-12-24T18:30:00+01:00", "2026-12-24T17:30:00Z"),
            // An hour that comes twice in Berlin: the offset says which.
            ("2027-10-31T02:45:00+02:00", "2027-10-31T00:45:00Z"),
            ("2027-10-31T02:45:00+01:00", "2027-10-31T01:45:00Z"),
            // UTC has it once, and has the hour that Berlin leaves out.
            ("2027-10-31 02:45", "2027-10-31T02:45:00Z"),
            ("2027-03-28 02:30", "2027-03-28T02:30:00Z"),
            (" 20:15 ", "2026-11-21T20:15:00Z"),
            ("+2h", "2026-11-21T12:00:00Z"),
            ("-15m", "2026-11-21T09:45:00Z"),
            ("+1d", "2026-11-22T10:00:00Z"),
        ] {
            assert_eq!(parse(typed, NOW).map(|moment| moment.to_string()), Ok(read.to_owned()), "{typed}");
        }
        for wrong in ["", "tomorrow", "+2", "+x h", "25:00", "2026-13-01 10:00", "+99999999d", "+é"] {
            assert!(parse(wrong, NOW).is_err(), "{wrong}");
        }
    }

    #[test]
    fn displayed_times_can_be_parsed() {
        let moment = Timestamp::from_millis(NOW);
        assert_eq!(parse(&minute(moment), 0), Ok(moment));
    }
}
