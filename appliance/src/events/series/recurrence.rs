//! The dates of a series: a rule of RFC 5545, a first start, and a time zone.
//!
//! The rule is followed in local time, and each date is then converted, so that an evening at 19:00 stays at 19:00 when clocks
//! change. A local time that does not exist, because clocks are put forward over it, is taken as if they had not been yet
//! (RFC 5545, 3.3.5): 02:30 becomes 03:30. Of one that exists twice the first is meant.

use chrono::{
    DateTime, Datelike, Days, MappedLocalTime, NaiveDate, NaiveDateTime, NaiveTime, TimeDelta, TimeZone, Utc,
};
use chrono_tz::Tz;
use rrule::{Frequency, RRule, RRuleSet, Unvalidated};

use crate::error::CommonError;

/// Characters of a rule; the longest that one writes have some 60.
pub const MAX_RULE: usize = 200;

/// Dates of a series, from the first start on: ten years of days.
pub const MAX_DATES: usize = 3_660;

/// The largest INTERVAL: more than a year of days says another frequency better.
const MAX_INTERVAL: u16 = 366;

/// Years in which a series may start.
const YEARS: std::ops::RangeInclusive<i32> = 2000..=2100;

/// What dates and calendars can write.
const LAST_YEAR: i32 = 9_999;

/// The rule has to have a date in so many days after the first start.
const FIRST_WITHIN: Days = Days::new(3_660);

/// No zone has put its clocks forward by more: Samoa left out a day.
const LONGEST_GAP: TimeDelta = TimeDelta::hours(25);

const START_FORMAT: &str = "%Y-%m-%dT%H:%M";

/// When the events of a series start.
#[derive(Debug, Clone)]
pub struct Recurrence {
    first: NaiveDateTime,
    zone: Tz,
    /// As it is stored.
    rule: String,
    /// In local time, written as if it were UTC.
    dates: RRuleSet,
}

/// A date of a series.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Occurrence {
    /// In the time zone of the series; no two have the same.
    pub date: NaiveDate,
    pub starts_at: DateTime<Utc>,
}

impl Recurrence {
    /// From a first start such as `2027-03-05T19:00`, a name of the IANA's list, and an RRULE, with or without that word.
    ///
    /// # Errors
    /// [`CommonError::Invalid`], for `firstStart`, `timeZone` or `rule`: what cannot be read, a rule that names times of day or
    /// repeats more often than daily, one that has no date, and more than [`MAX_DATES`] of them.
    pub fn new(first_start: &str, time_zone: &str, rule: &str) -> Result<Self, CommonError> {
        let first = first_start_of(first_start)?;
        let zone: Tz = time_zone.parse().map_err(|_| {
            CommonError::invalid("timeZone", "This is no time zone of the IANA’s list, such as Europe/Berlin.")
        })?;
        let rule = rule_text(rule)?;
        let refused = |text: &str| CommonError::invalid("rule", text);
        let start = first.and_utc().with_timezone(&rrule::Tz::UTC);
        let parsed = unvalidated(&rule, zone, first)?;
        if parsed.get_freq() > Frequency::Daily {
            return Err(refused("The rule repeats at most daily."));
        }
        if !(1..=MAX_INTERVAL).contains(&parsed.get_interval()) {
            return Err(refused(&format!("INTERVAL is from 1 to {MAX_INTERVAL}.")));
        }
        if parsed.get_count().is_some_and(|count| count == 0 || count as usize > MAX_DATES) {
            return Err(refused(&format!("COUNT is from 1 to {MAX_DATES}.")));
        }
        let parsed = parsed.validate(start).map_err(|error| refused(&format!("This is no RRULE: {error}")))?;
        let recurrence = Self { first, zone, rule, dates: RRuleSet::new(start).rrule(parsed).limit() };
        let latest = first.date().checked_add_days(FIRST_WITHIN).unwrap_or(NaiveDate::MAX);
        match recurrence.local().next() {
            Some(date) if date.date() <= latest => Ok(recurrence),
            _ => Err(refused("The rule has no date in the ten years after the first start.")),
        }
    }

    /// As `YYYY-MM-DDTHH:MM`.
    pub fn first_start(&self) -> String {
        self.first.format(START_FORMAT).to_string()
    }

    pub fn time_zone(&self) -> &'static str {
        self.zone.name()
    }

    pub fn rule(&self) -> &str {
        &self.rule
    }

    /// The dates that begin after a moment, the first first.
    pub fn after(&self, moment: DateTime<Utc>) -> impl Iterator<Item = Occurrence> {
        let zone = self.zone;
        self.local()
            .map(move |local| Occurrence { date: local.date(), starts_at: instant(zone, local) })
            .filter(move |occurrence| occurrence.starts_at > moment)
    }

    fn local(&self) -> impl Iterator<Item = NaiveDateTime> + use<> {
        let dates = self.dates.clone().into_iter().map(|at| at.naive_utc());
        dates.take_while(|at| at.year() <= LAST_YEAR).take(MAX_DATES)
    }
}

fn first_start_of(text: &str) -> Result<NaiveDateTime, CommonError> {
    let refused =
        || CommonError::invalid("firstStart", "The first start is a date and a time of day, such as 2027-03-05T19:00.");
    let start = NaiveDateTime::parse_from_str(text, START_FORMAT).map_err(|_| refused())?;
    if !YEARS.contains(&start.year()) {
        let text = format!("The first start is in a year from {} to {}.", YEARS.start(), YEARS.end());
        return Err(CommonError::invalid("firstStart", text));
    }
    Ok(start)
}

/// In capitals, without `RRULE:`.
fn rule_text(rule: &str) -> Result<String, CommonError> {
    let text = rule.trim();
    let is_of_rules = |letter: char| letter.is_ascii_alphanumeric() || "=;,+-:".contains(letter);
    if text.len() > MAX_RULE || !text.chars().all(is_of_rules) {
        let text = format!("A rule has at most {MAX_RULE} letters, digits and signs of an RRULE, and no spaces.");
        return Err(CommonError::invalid("rule", text));
    }
    let text = text.to_ascii_uppercase();
    let rule = text.strip_prefix("RRULE:").unwrap_or(&text);
    if rule.contains(':') {
        return Err(CommonError::invalid("rule", "This is no RRULE: only the rule stands here, no other line."));
    }
    Ok(rule.to_owned())
}

/// The rule with its end in local time.
fn unvalidated(rule: &str, zone: Tz, first: NaiveDateTime) -> Result<RRule<Unvalidated>, CommonError> {
    let refused = |text: String| CommonError::invalid("rule", text);
    let (mut parts, mut until) = (vec![], None);
    for part in rule.split(';') {
        match part.split_once('=') {
            Some(("BYHOUR" | "BYMINUTE" | "BYSECOND", _)) => {
                return Err(refused("The time of day is that of the first start; the rule names none.".to_owned()));
            }
            Some(("UNTIL", _)) if until.is_some() => return Err(refused("UNTIL stands there twice.".to_owned())),
            Some(("UNTIL", text)) => until = Some(last_start(text, zone)?),
            _ => parts.push(part),
        }
    }
    let parsed: RRule<Unvalidated> =
        parts.join(";").parse().map_err(|error| refused(format!("This is no RRULE: {error}")))?;
    match until {
        Some(until) if until < first => Err(refused("UNTIL is before the first start.".to_owned())),
        Some(until) => Ok(parsed.until(until.and_utc().with_timezone(&rrule::Tz::UTC))),
        None => Ok(parsed),
    }
}

/// The last moment of UNTIL in local time: a day to its end, a time in local time or, with a Z, in UTC.
fn last_start(text: &str, zone: Tz) -> Result<NaiveDateTime, CommonError> {
    let (text, is_utc) = text.strip_suffix('Z').map_or((text, false), |text| (text, true));
    let day = || NaiveDate::parse_from_str(text, "%Y%m%d").ok().map(|day| day.and_time(end_of_day()));
    let time = || NaiveDateTime::parse_from_str(text, "%Y%m%dT%H%M%S").ok();
    let read = if text.contains('T') { time() } else { day().filter(|_| !is_utc) };
    let read = read.filter(|at| (1..=LAST_YEAR).contains(&at.year()));
    let at = read.ok_or_else(|| {
        CommonError::invalid("rule", "UNTIL is a day such as 20271231, or a time such as 20271231T190000Z.")
    })?;
    Ok(if is_utc { zone.from_utc_datetime(&at).naive_local() } else { at })
}

fn end_of_day() -> NaiveTime {
    NaiveTime::from_hms_opt(23, 59, 59).unwrap_or(NaiveTime::MIN)
}

/// The moment of a local time.
fn instant(zone: Tz, local: NaiveDateTime) -> DateTime<Utc> {
    match zone.from_local_datetime(&local) {
        MappedLocalTime::Single(at) | MappedLocalTime::Ambiguous(at, _) => at.to_utc(),
        MappedLocalTime::None => {
            let mut before = local;
            while local - before < LONGEST_GAP {
                before -= TimeDelta::minutes(15);
                let known = zone.from_local_datetime(&before).latest();
                if let Some(at) = known {
                    return at.to_utc() + (local - before);
                }
            }
            local.and_utc()
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;

    fn starts(first: &str, zone: &str, rule: &str, most: usize) -> Vec<String> {
        let recurrence = Recurrence::new(first, zone, rule).unwrap();
        let shown = |occurrence: Occurrence| occurrence.starts_at.format("%Y-%m-%dT%H:%MZ").to_string();
        recurrence.after(DateTime::UNIX_EPOCH).take(most).map(shown).collect()
    }

    fn refusal(first: &str, zone: &str, rule: &str) -> String {
        match Recurrence::new(first, zone, rule) {
            Err(CommonError::Invalid(fields)) => {
                let (field, text) = fields.0.iter().next().unwrap();
                format!("{field}: {text}")
            }
            other => panic!("{rule}: {other:?}"),
        }
    }

    #[test]
    fn an_evening_stays_at_its_local_time_over_the_changes_of_clocks() {
        assert_eq!(
            starts("2027-03-20T19:00", "Europe/Berlin", "FREQ=WEEKLY", 3),
            ["2027-03-20T18:00Z", "2027-03-27T18:00Z", "2027-04-03T17:00Z"]
        );
        assert_eq!(
            starts("2027-10-29T19:00", "Europe/Berlin", "RRULE:FREQ=WEEKLY", 2),
            ["2027-10-29T17:00Z", "2027-11-05T18:00Z"]
        );
        assert_eq!(
            starts("2027-03-12T19:00", "America/New_York", "FREQ=WEEKLY", 2),
            ["2027-03-13T00:00Z", "2027-03-19T23:00Z"]
        );
        // By half an hour: from +11 to +10:30, and back.
        assert_eq!(
            starts("2027-04-02T19:00", "Australia/Lord_Howe", "freq=weekly", 2),
            ["2027-04-02T08:00Z", "2027-04-09T08:30Z"]
        );
    }

    #[test]
    fn a_time_that_does_not_exist_is_taken_by_the_clock_before() {
        assert_eq!(
            starts("2027-03-27T02:30", "Europe/Berlin", "FREQ=DAILY", 3),
            ["2027-03-27T01:30Z", "2027-03-28T01:30Z", "2027-03-29T00:30Z"]
        );
        // 02:15 is 02:45 that day, in Lord Howe.
        assert_eq!(
            starts("2027-10-03T02:15", "Australia/Lord_Howe", "FREQ=DAILY", 2),
            ["2027-10-02T15:45Z", "2027-10-03T15:15Z"]
        );
        assert_eq!(starts("2027-03-14T02:30", "America/New_York", "FREQ=DAILY", 1), ["2027-03-14T07:30Z"]);
        // Samoa had no 30th of December 2011.
        assert_eq!(
            starts("2011-12-29T19:00", "Pacific/Apia", "FREQ=DAILY", 3),
            ["2011-12-30T05:00Z", "2011-12-31T05:00Z", "2011-12-31T05:00Z"]
        );
    }

    #[test]
    fn of_a_time_that_exists_twice_the_first_is_meant() {
        assert_eq!(
            starts("2027-10-31T02:30", "Europe/Berlin", "FREQ=DAILY", 2),
            ["2027-10-31T00:30Z", "2027-11-01T01:30Z"]
        );
        assert_eq!(starts("2027-11-07T01:30", "America/New_York", "FREQ=DAILY", 1), ["2027-11-07T05:30Z"]);
        assert_eq!(starts("2027-04-04T01:45", "Australia/Lord_Howe", "FREQ=DAILY", 1), ["2027-04-03T14:45Z"]);
    }

    #[test]
    fn usual_rules_have_their_dates() {
        assert_eq!(
            starts("2027-01-01T20:00", "UTC", "FREQ=MONTHLY;BYDAY=1FR", 3),
            ["2027-01-01T20:00Z", "2027-02-05T20:00Z", "2027-03-05T20:00Z"]
        );
        assert_eq!(
            starts("2027-01-01T20:00", "UTC", "FREQ=WEEKLY;INTERVAL=2;BYDAY=FR", 2),
            ["2027-01-01T20:00Z", "2027-01-15T20:00Z"]
        );
        // The first start is one of them only if the rule has it.
        assert_eq!(starts("2027-01-01T20:00", "UTC", "FREQ=WEEKLY;BYDAY=MO", 1), ["2027-01-04T20:00Z"]);
        assert_eq!(starts("2027-01-31T20:00", "UTC", "FREQ=MONTHLY;COUNT=3", 9).len(), 3);
        assert_eq!(
            starts("2027-01-31T20:00", "UTC", "FREQ=MONTHLY", 2),
            ["2027-01-31T20:00Z", "2027-03-31T20:00Z"],
            "a month without a 31st has none"
        );
    }

    #[test]
    fn a_rule_ends_at_the_local_end_of_a_day_or_at_a_moment() {
        let of =
            |until: &str| starts("2027-03-01T19:00", "Europe/Berlin", &format!("FREQ=DAILY;UNTIL={until}"), 9).len();
        assert_eq!(of("20270303"), 3);
        assert_eq!(of("20270303T190000"), 3);
        assert_eq!(of("20270303T185959"), 2);
        assert_eq!(of("20270303T180000Z"), 3, "19:00 in Berlin");
        assert_eq!(of("20270303T175959Z"), 2);
    }

    #[test]
    fn only_dates_after_the_moment_are_told() {
        let recurrence = Recurrence::new("2027-01-01T19:00", "UTC", "FREQ=DAILY").unwrap();
        let moment = "2027-01-02T19:00:00Z".parse().unwrap();
        assert_eq!(recurrence.after(moment).next().unwrap().date.to_string(), "2027-01-03");
        assert_eq!((recurrence.first_start().as_str(), recurrence.time_zone()), ("2027-01-01T19:00", "UTC"));
        assert_eq!(recurrence.after(DateTime::UNIX_EPOCH).count(), MAX_DATES);
    }

    #[test]
    fn hostile_rules_are_refused_at_once() {
        let long = format!("FREQ=DAILY;BYMONTHDAY={}", "1,".repeat(200));
        for (rule, says) in [
            ("", "rule: This is no RRULE"),
            ("FREQ=HOURLY", "rule: The rule repeats at most daily."),
            ("FREQ=SECONDLY;INTERVAL=1", "rule: The rule repeats at most daily."),
            ("FREQ=DAILY;BYHOUR=1,2,3", "rule: The time of day"),
            ("FREQ=DAILY;BYSECOND=1", "rule: The time of day"),
            ("FREQ=DAILY;INTERVAL=0", "rule: INTERVAL"),
            ("FREQ=YEARLY;INTERVAL=65535", "rule: INTERVAL"),
            ("FREQ=YEARLY;INTERVAL=99999999999", "rule: This is no RRULE"),
            ("FREQ=DAILY;COUNT=0", "rule: COUNT"),
            ("FREQ=DAILY;COUNT=4294967295", "rule: COUNT"),
            ("FREQ=DAILY;UNTIL=20000101", "rule: UNTIL is before"),
            ("FREQ=DAILY;UNTIL=99999999T999999Z", "rule: UNTIL is a day"),
            ("FREQ=DAILY;UNTIL=20280101Z", "rule: UNTIL is a day"),
            ("FREQ=DAILY;UNTIL=20280101;UNTIL=20280101", "rule: UNTIL stands there twice"),
            ("FREQ=DAILY;FREQ=DAILY", "rule: This is no RRULE"),
            ("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "rule: The rule has no date"),
            ("FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30", "rule: The rule has no date"),
            ("FREQ=YEARLY;BYSETPOS=400;BYDAY=MO", "rule: "),
            ("FREQ=DAILY;BYSETPOS=2;BYDAY=MO", "rule: "),
            ("FREQ=YEARLY;BYDAY=999MO", "rule: "),
            ("FREQ=FORTNIGHTLY", "rule: This is no RRULE"),
            ("FREQ=DAILY\nEXDATE:20270101", "rule: A rule has"),
            ("FREQ=DAILY;X=Ω", "rule: A rule has"),
            ("DTSTART:20270101T000000", "rule: This is no RRULE"),
            (long.as_str(), "rule: A rule has"),
        ] {
            let began = Instant::now();
            let refusal = refusal("2027-01-01T19:00", "Europe/Berlin", rule);
            assert!(refusal.starts_with(says), "{rule}: {refusal}");
            assert!(began.elapsed().as_secs() < 5, "{rule}: {:?}", began.elapsed());
        }
        for zone in ["", "Mars/Olympus", "europe/berlin", "../../etc/passwd", "Local"] {
            assert!(refusal("2027-01-01T19:00", zone, "FREQ=DAILY").starts_with("timeZone: "), "{zone}");
        }
        for first in
            ["", "2027-02-30T19:00", "2027-01-01", "2027-01-01T25:00", "1999-12-31T19:00", "+12027-01-01T19:00"]
        {
            assert!(refusal(first, "UTC", "FREQ=DAILY").starts_with("firstStart: "), "{first}");
        }
    }
}
