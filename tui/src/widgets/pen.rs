//! Strokes in a terminal: each character carries 2×4 dots (Unicode's Braille patterns).

use ratatui::{buffer::Buffer, layout::Rect, style::Style};

/// Dots of one character, by column and row, as Unicode orders their bits.
const BITS: [[u8; 4]; 2] = [[0x01, 0x02, 0x04, 0x40], [0x08, 0x10, 0x20, 0x80]];

/// A sheet to draw on, measured in dots from the top left.
pub struct Sheet {
    columns: usize,
    rows: usize,
    dots: Vec<u8>,
    styles: Vec<Style>,
}

impl Sheet {
    /// A sheet of so many characters.
    pub fn new(columns: u16, rows: u16) -> Self {
        let (columns, rows) = (usize::from(columns), usize::from(rows));
        Self { columns, rows, dots: vec![0; columns * rows], styles: vec![Style::new(); columns * rows] }
    }

    /// Draws one dot, unless it is outside the sheet.
    fn dot(&mut self, x: f64, y: f64, style: Style) {
        let (x, y) = (x.round(), y.round());
        if x < 0.0 || y < 0.0 {
            return;
        }
        let (x, y) = (x as usize, y as usize);
        if x / 2 >= self.columns || y / 4 >= self.rows {
            return;
        }
        let at = y / 4 * self.columns + x / 2;
        self.dots[at] |= BITS[x % 2][y % 4];
        self.styles[at] = style;
    }

    /// A stroke through these points; `width` in dots.
    pub fn stroke(&mut self, points: impl IntoIterator<Item = (f64, f64)>, width: u8, style: Style) {
        let mut points = points.into_iter();
        let Some(mut from) = points.next() else { return };
        for to in points {
            let (dx, dy) = (to.0 - from.0, to.1 - from.1);
            let length = dx.hypot(dy).max(1.0);
            let steps = (length * 2.0).ceil() as u32;
            for step in 0..=steps {
                let part = f64::from(step) / f64::from(steps);
                for line in 0..width {
                    // Across the stroke.
                    let aside = f64::from(line) - f64::from(width - 1) / 2.0;
                    self.dot(from.0 + dx * part - dy / length * aside, from.1 + dy * part + dx / length * aside, style);
                }
            }
            from = to;
        }
    }

    /// Puts what was drawn into the buffer; where nothing was drawn the buffer stays.
    pub fn put(&self, area: Rect, buffer: &mut Buffer) {
        for (at, (&dots, &style)) in self.dots.iter().zip(&self.styles).enumerate() {
            let (x, y) = (area.x + (at % self.columns) as u16, area.y + (at / self.columns) as u16);
            if dots != 0
                && let Some(cell) = buffer.cell_mut((x, y))
            {
                let pattern = char::from_u32(0x2800 + u32::from(dots)).unwrap_or(' ');
                cell.set_char(pattern).set_style(style);
            }
        }
    }
}
