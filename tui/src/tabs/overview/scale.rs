//! Axes that end at round numbers, and figures with their unit.

/// What figures are counted in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    Count,
    Percent,
    Milliseconds,
    Bytes,
}

const BYTES: [(&str, f64); 4] =
    [("KiB", 1_024.0), ("MiB", 1_048_576.0), ("GiB", 1_073_741_824.0), ("TiB", 1_099_511_627_776.0)];

impl Unit {
    /// A figure as it is shown: three digits where it has that many, and its unit.
    pub fn text(self, value: f64) -> String {
        let (word, one) = match self {
            Self::Count => ("", 1.0),
            Self::Percent => (" %", 1.0),
            Self::Milliseconds if value >= 1_000.0 => (" s", 1_000.0),
            Self::Milliseconds => (" ms", 1.0),
            Self::Bytes => {
                let (word, one) = byte_unit(value);
                return format!("{} {word}", short(value / one));
            }
        };
        format!("{}{word}", short(value / one))
    }
}

/// A size, such as `312 MiB`.
pub fn size(bytes: u64) -> String {
    Unit::Bytes.text(bytes as f64)
}

/// The unit in which this is a number of at most four digits.
fn byte_unit(value: f64) -> (&'static str, f64) {
    BYTES.into_iter().rev().find(|(_, one)| value >= *one).unwrap_or(BYTES[0])
}

fn short(value: f64) -> String {
    match value {
        1_000_000.0.. => format!("{}M", short(value / 1_000_000.0)),
        10_000.0.. => format!("{}k", short(value / 1_000.0)),
        100.0.. => format!("{value:.0}"),
        10.0.. => trimmed(format!("{value:.1}")),
        _ => trimmed(format!("{value:.2}")),
    }
}

fn trimmed(text: String) -> String {
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// An axis from 0 to a round number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scale {
    pub top: f64,
    unit: Unit,
}

impl Scale {
    /// The least round number that is at least as high.
    pub fn up_to(highest: f64, unit: Unit) -> Self {
        let one = if unit == Unit::Bytes { byte_unit(highest).1 } else { 1.0 };
        let top = match round_up(highest / one) * one {
            // 1 GiB instead of 2000 MiB.
            top if unit == Unit::Bytes && top / one >= 1_000.0 => one * 1_024.0,
            top => top,
        };
        Self { top, unit }
    }

    /// From below.
    pub fn labels(self) -> Vec<String> {
        vec!["0".to_owned(), self.unit.text(self.top / 2.0), self.unit.text(self.top)]
    }
}

/// 1, 2 or 5 times a power of ten.
fn round_up(value: f64) -> f64 {
    if value <= 0.0 || !value.is_finite() {
        return 1.0;
    }
    let power = 10_f64.powf(value.log10().floor());
    let found = [1.0, 2.0, 5.0, 10.0].into_iter().map(|step| step * power).find(|round| *round >= value);
    found.unwrap_or(10.0 * power)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_have_their_unit_and_few_digits() {
        for (value, unit, text) in [
            (0.0, Unit::Count, "0"),
            (54.52, Unit::Count, "54.5"),
            (1_234.0, Unit::Count, "1234"),
            (40_000.0, Unit::Count, "40k"),
            (12.0, Unit::Percent, "12 %"),
            (0.85, Unit::Milliseconds, "0.85 ms"),
            (1_500.0, Unit::Milliseconds, "1.5 s"),
            (327_155_712.0, Unit::Bytes, "312 MiB"),
            (512.0, Unit::Bytes, "0.5 KiB"),
            (4e12, Unit::Bytes, "3.64 TiB"),
        ] {
            assert_eq!(unit.text(value), text);
        }
    }

    #[test]
    fn axes_end_at_round_numbers() {
        for (highest, unit, labels) in [
            (0.0, Unit::Count, ["0", "0.5", "1"]),
            (f64::NAN, Unit::Count, ["0", "0.5", "1"]),
            (1_204.0, Unit::Count, ["0", "1000", "2000"]),
            (0.3, Unit::Milliseconds, ["0", "0.25 ms", "0.5 ms"]),
            (100.0, Unit::Percent, ["0", "50 %", "100 %"]),
            (327_155_712.0, Unit::Bytes, ["0", "250 MiB", "500 MiB"]),
            (900_000_000.0, Unit::Bytes, ["0", "512 MiB", "1 GiB"]),
            (1_100_000_000.0, Unit::Bytes, ["0", "1 GiB", "2 GiB"]),
        ] {
            let scale = Scale::up_to(highest, unit);
            assert_eq!(scale.labels(), labels);
            assert!(highest.is_nan() || scale.top >= highest);
        }
    }
}
