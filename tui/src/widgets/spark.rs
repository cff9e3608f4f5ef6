//! A row of small bars.

use crate::theme::Glyphs;

/// The newest values at the right, as many as fit; the highest is a whole bar, 0 the lowest.
pub fn spark(values: impl ExactSizeIterator<Item = f64>, width: usize, glyphs: &Glyphs) -> String {
    let skipped = values.len().saturating_sub(width);
    let values: Vec<f64> = values.skip(skipped).collect();
    let highest = values.iter().copied().fold(0.0, f64::max);
    let steps = (glyphs.bars.len() - 1) as f64;
    let bar = |value: f64| {
        // What is more than nothing is seen.
        let part = if highest > 0.0 { (value / highest * steps).ceil() } else { 0.0 };
        glyphs.bars[(part.max(0.0) as usize).min(glyphs.bars.len() - 1)]
    };
    let pad = " ".repeat(width - values.len());
    pad + &values.iter().map(|value| bar(*value)).collect::<String>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::theme::{Palette, Theme};

    #[test]
    fn bars_represent_values() {
        let glyphs = Theme::new(Palette::None, false).glyphs;
        assert_eq!(spark([0.0, 1.0, 3.5, 7.0].into_iter(), 6, &glyphs), "  ▁▂▅█");
        assert_eq!(spark([7.0, 0.0, 0.1].into_iter(), 2, &glyphs), "▁█");
        assert_eq!(spark([0.0, 0.0].into_iter(), 2, &glyphs), "▁▁");
        assert_eq!(spark(std::iter::empty(), 2, &glyphs), "  ");
    }
}
