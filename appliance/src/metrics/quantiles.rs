//! Quantiles of what a histogram counted between two moments.

use prometheus::{Histogram, core::Collector};

/// What a histogram had counted at some moment: upper bounds with how many values were at most as large.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Observed {
    buckets: Vec<(f64, u64)>,
    count: u64,
}

impl Observed {
    pub fn of(histogram: &Histogram) -> Self {
        let families = histogram.collect();
        let Some(metric) = families.first().and_then(|family| family.get_metric().first()) else {
            return Self::default();
        };
        let histogram = metric.get_histogram();
        let buckets =
            histogram.get_bucket().iter().map(|bucket| (bucket.upper_bound(), bucket.cumulative_count())).collect();
        Self { buckets, count: histogram.get_sample_count() }
    }

    /// The value that this share of what was counted since `before` is at most as large as, interpolated within a
    /// bucket; the largest bound for what is beyond. `None` if nothing was counted.
    pub fn quantile_since(&self, before: &Self, share: f64) -> Option<f64> {
        let count = self.count.saturating_sub(before.count);
        if count == 0 {
            return None;
        }
        let wanted = share * count as f64;
        let (mut lower, mut below) = (0.0, 0.0);
        for (at, &(upper, cumulative)) in self.buckets.iter().enumerate() {
            let earlier = before.buckets.get(at).map_or(0, |&(_, cumulative)| cumulative);
            let up_to = cumulative.saturating_sub(earlier) as f64;
            if up_to >= wanted && up_to > below {
                return Some(lower + (upper - lower) * ((wanted - below) / (up_to - below)).max(0.0));
            }
            (lower, below) = (upper, up_to);
        }
        Some(lower)
    }
}

#[cfg(test)]
mod tests {
    use prometheus::HistogramOpts;

    use super::*;

    #[test]
    fn quantiles_are_of_what_came_since() {
        let histogram = Histogram::with_opts(HistogramOpts::new("x", "x").buckets(vec![1.0, 2.0, 4.0])).unwrap();
        for _ in 0..100 {
            histogram.observe(3.9);
        }
        let before = Observed::of(&histogram);
        assert_eq!(before.quantile_since(&before, 0.5), None, "nothing came");
        for value in [0.5, 0.5, 1.5, 1.5] {
            histogram.observe(value);
        }
        let after = Observed::of(&histogram);
        assert_eq!(after.quantile_since(&before, 0.5), Some(1.0));
        assert_eq!(after.quantile_since(&before, 0.75), Some(1.5));
        assert_eq!(after.quantile_since(&before, 1.0), Some(2.0));
        histogram.observe(100.0);
        assert_eq!(Observed::of(&histogram).quantile_since(&after, 0.99), Some(4.0), "the largest bound");
    }
}
