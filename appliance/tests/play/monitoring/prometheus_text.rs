//! A strict reader of Prometheus' text format 0.0.4.

use std::collections::{BTreeMap, BTreeSet};

/// What was scraped: the values by metric and labels, in the order of the text.
pub struct Scrape {
    pub text: String,
    /// The names of the metrics, without the endings of a histogram's parts.
    pub families: BTreeSet<String>,
    values: BTreeMap<(String, String), f64>,
}

impl Scrape {
    /// Panics if the text is not in the format, a counter or histogram is none, or a series is there twice.
    pub fn read(text: &str) -> Self {
        let (mut values, mut types, mut current) = (BTreeMap::new(), BTreeMap::new(), String::new());
        assert!(text.ends_with('\n'), "the last line ends too");
        for line in text.lines() {
            if let Some(help) = line.strip_prefix("# HELP ") {
                let (name, help) = help.split_once(' ').unwrap();
                assert!(help.ends_with('.'), "a sentence: {line}");
                current = name.to_owned();
            } else if let Some(kind) = line.strip_prefix("# TYPE ") {
                let (name, kind) = kind.split_once(' ').unwrap();
                assert_eq!(name, current, "the help comes right before");
                assert!(types.insert(name.to_owned(), kind.to_owned()).is_none(), "twice: {line}");
                assert_eq!(name.ends_with("_total"), kind == "counter", "{line}");
            } else {
                let (metric, labels, value) = sample(line);
                let kind = &types[&current];
                let base = match kind.as_str() {
                    "histogram" => ["_bucket", "_sum", "_count"].iter().find_map(|end| metric.strip_suffix(end)),
                    "counter" | "gauge" => Some(metric.as_str()),
                    _ => panic!("{kind}"),
                };
                assert_eq!(base, Some(current.as_str()), "{line}");
                assert!(value.is_finite() && (kind == "gauge" || value >= 0.0), "{line}");
                assert!(values.insert((metric, labels), value).is_none(), "twice: {line}");
            }
        }
        let scrape = Self { text: text.to_owned(), families: types.keys().cloned().collect(), values };
        types.iter().filter(|(_, kind)| *kind == "histogram").for_each(|(name, _)| scrape.check_histogram(name));
        scrape
    }

    fn check_histogram(&self, name: &str) {
        let buckets = self.values.iter().filter(|((metric, _), _)| *metric == format!("{name}_bucket"));
        let mut buckets: Vec<_> = buckets
            .map(|((_, labels), count)| {
                let bound = labels.strip_prefix("le=\"").unwrap().strip_suffix('"').unwrap();
                (if bound == "+Inf" { f64::INFINITY } else { bound.parse().unwrap() }, *count)
            })
            .collect();
        buckets.sort_by(|one, other| one.0.total_cmp(&other.0));
        assert!(buckets.is_sorted_by(|one, other| one.0 < other.0 && one.1 <= other.1), "{name}: {buckets:?}");
        assert_eq!(buckets.last().unwrap(), &(f64::INFINITY, self.value(&format!("{name}_count"), "").unwrap()));
        assert!(self.value(&format!("{name}_sum"), "").is_some());
    }

    pub fn value(&self, metric: &str, labels: &str) -> Option<f64> {
        self.values.get(&(metric.to_owned(), labels.to_owned())).copied()
    }

    /// Whether a metric, or a part of a histogram, has a value.
    pub fn has(&self, metric: &str) -> bool {
        self.values.keys().any(|(name, _)| name == metric)
    }

    pub fn series(&self) -> BTreeSet<(String, String)> {
        self.values.keys().cloned().collect()
    }

    fn labels(&self) -> impl Iterator<Item = (&str, &str)> {
        self.values.keys().flat_map(|(_, labels)| pairs(labels))
    }

    pub fn label_names(&self) -> impl Iterator<Item = &str> {
        self.labels().map(|(name, _)| name)
    }

    pub fn label_values(&self) -> impl Iterator<Item = &str> {
        self.labels().map(|(_, value)| value)
    }
}

fn sample(line: &str) -> (String, String, f64) {
    let (series, value) = line.rsplit_once(' ').unwrap_or_else(|| panic!("{line}"));
    let (metric, labels) = match series.split_once('{') {
        Some((metric, labels)) => (metric, labels.strip_suffix('}').unwrap_or_else(|| panic!("{line}"))),
        None => (series, ""),
    };
    assert!(is_name(metric), "{line}");
    assert!(pairs(labels).all(|(name, value)| is_name(name) && !value.contains(['"', '\\', '\n'])), "{line}");
    (metric.to_owned(), labels.to_owned(), value.parse().unwrap_or_else(|_| panic!("{line}")))
}

/// Names with their values; the values of ours need no escapes.
fn pairs(labels: &str) -> impl Iterator<Item = (&str, &str)> {
    labels.split_terminator("\",").map(|pair| pair.trim_end_matches('"').split_once("=\"").unwrap())
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_')
}
