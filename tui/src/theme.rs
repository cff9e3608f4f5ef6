//! Ink and chalk in a terminal: two colours for the marks, one accent, much air. The background
//! stays the terminal's own.

use clap::ValueEnum;
use morpion_openapi::game::Symbol;
use ratatui::style::{Color, Modifier, Style};
use serde::Deserialize;

/// Which colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Palette {
    /// Detected from the terminal.
    #[default]
    Auto,
    /// Chalk on a dark screen, in 24-bit colours.
    Chalk,
    /// Ink on a light screen, in 24-bit colours.
    Ink,
    /// The terminal's own 16 colours.
    Ansi,
    /// No colours: weight and shape alone.
    #[value(skip)]
    #[serde(skip)]
    None,
}

impl Palette {
    /// Replaces `Auto` by a choice: 24-bit colours if the terminal supports them
    /// (`COLORTERM`), ink if its background is light (`COLORFGBG`).
    pub fn settle(self, env: &dyn Fn(&str) -> Option<String>) -> Self {
        if self != Self::Auto {
            return self;
        }
        let has_rgb = env("COLORTERM").is_some_and(|value| value == "truecolor" || value == "24bit");
        let background = env("COLORFGBG").and_then(|value| value.rsplit(';').next()?.parse::<u8>().ok());
        match (has_rgb, background) {
            (false, _) => Self::Ansi,
            (true, Some(7 | 15)) => Self::Ink,
            (true, _) => Self::Chalk,
        }
    }
}

/// The characters that are not letters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Glyphs {
    pub ascii: bool,
    pub here: &'static str,
    pub away: &'static str,
    pub turn: &'static str,
    pub cursor: &'static str,
    /// Around what is chosen.
    pub before: &'static str,
    pub after: &'static str,
    pub rule: &'static str,
    pub dot: &'static str,
    pub ellipsis: &'static str,
    pub by: &'static str,
    pub up: &'static str,
    pub down: &'static str,
    pub full: &'static str,
    pub empty: &'static str,
    pub absent: &'static str,
    pub mark: &'static str,
    /// From low to high.
    pub bars: [&'static str; 8],
}

const UNICODE: Glyphs = Glyphs {
    ascii: false,
    here: "●",
    away: "○",
    turn: "▸",
    cursor: "▸ ",
    before: "‹ ",
    after: " ›",
    rule: "─",
    dot: "·",
    ellipsis: "…",
    by: "×",
    up: "▴",
    down: "▾",
    full: "━",
    empty: "╌",
    absent: "–",
    mark: "◆",
    bars: ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"],
};

const ASCII: Glyphs = Glyphs {
    ascii: true,
    here: "*",
    away: "o",
    turn: ">",
    cursor: "> ",
    before: "< ",
    after: " >",
    rule: "-",
    dot: "-",
    ellipsis: "~",
    by: "x",
    up: "^",
    down: "v",
    full: "=",
    empty: ".",
    absent: "-",
    mark: "#",
    bars: ["_", ".", ",", "-", "=", "+", "*", "#"],
};

/// How everything looks.
#[derive(Debug, Clone, Copy)]
pub struct Theme {
    x: Style,
    o: Style,
    /// Names, keys, the cursor.
    pub accent: Style,
    /// What steps back.
    pub soft: Style,
    /// Lines that separate.
    pub rule: Style,
    pub good: Style,
    pub warning: Style,
    pub bad: Style,
    pub strong: Style,
    pub selected: Style,
    pub glyphs: Glyphs,
}

impl Theme {
    pub fn new(palette: Palette, ascii: bool) -> Self {
        let fg = |color| Style::new().fg(color);
        let plain = Style::new();
        let strong = plain.add_modifier(Modifier::BOLD);
        let selected = plain.add_modifier(Modifier::REVERSED);
        let glyphs = if ascii { ASCII } else { UNICODE };
        let rgb = |x, o, accent, soft, rule, good, warning, bad| {
            let [x, o, accent, soft, rule, good, warning, bad] =
                [x, o, accent, soft, rule, good, warning, bad].map(|hex: u32| fg(Color::from_u32(hex)));
            Self { x, o, accent, soft, rule, good, warning, bad, strong, selected, glyphs }
        };
        match palette {
            Palette::Chalk => rgb(0xFF8A7A, 0x8CC4FF, 0xE8A317, 0xA3AFA9, 0x5C706E, 0x86D3A2, 0xF3C15F, 0xFFA195),
            Palette::Ink => rgb(0xC23329, 0x1F5FA8, 0x8A5A00, 0x595E69, 0xA3967C, 0x2C6E49, 0x8A5A00, 0xA8281F),
            Palette::Ansi | Palette::Auto => Self {
                x: fg(Color::LightRed),
                o: fg(Color::LightBlue),
                accent: fg(Color::Yellow),
                // Bright black is invisible in some palettes; dim text is not.
                soft: plain.add_modifier(Modifier::DIM),
                rule: plain.add_modifier(Modifier::DIM),
                good: fg(Color::Green),
                warning: fg(Color::Yellow),
                bad: fg(Color::LightRed),
                strong,
                selected,
                glyphs,
            },
            Palette::None => Self {
                x: strong,
                o: plain,
                accent: strong,
                soft: plain.add_modifier(Modifier::DIM),
                rule: plain.add_modifier(Modifier::DIM),
                good: plain,
                warning: strong,
                bad: strong,
                strong,
                selected,
                glyphs,
            },
        }
    }

    pub fn mark(&self, symbol: Symbol) -> Style {
        match symbol {
            Symbol::X => self.x,
            Symbol::O => self.o,
        }
    }

    /// A mark's colour, for drawing with points.
    pub fn ink(&self, style: Style) -> Color {
        style.fg.unwrap_or(Color::Reset)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settle(env: &[(&str, &str)]) -> Palette {
        Palette::Auto.settle(&|name| env.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned()))
    }

    #[test]
    fn the_palette_follows_the_terminals_abilities() {
        assert_eq!(settle(&[]), Palette::Ansi);
        assert_eq!(settle(&[("COLORTERM", "truecolor")]), Palette::Chalk);
        assert_eq!(settle(&[("COLORTERM", "24bit"), ("COLORFGBG", "0;15")]), Palette::Ink);
        assert_eq!(settle(&[("COLORFGBG", "0;15")]), Palette::Ansi);
    }

    fn luminance(color: Color) -> f64 {
        let Color::Rgb(r, g, b) = color else { panic!("{color:?} is not 24-bit") };
        let [r, g, b] = [r, g, b].map(|part| {
            let part = f64::from(part) / 255.0;
            if part <= 0.040_45 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
        });
        0.2126 * r + 0.7152 * g + 0.0722 * b
    }

    fn contrast(one: Color, other: Color) -> f64 {
        let (one, other) = (luminance(one), luminance(other));
        (one.max(other) + 0.05) / (one.min(other) + 0.05)
    }

    #[test]
    fn text_has_sufficient_contrast() {
        for (palette, screens) in [(Palette::Chalk, [0x000000, 0x1E2A2A]), (Palette::Ink, [0xFFFFFF, 0xFBF7EF])] {
            let theme = Theme::new(palette, false);
            for style in [theme.x, theme.o, theme.accent, theme.soft, theme.good, theme.warning, theme.bad] {
                for screen in screens {
                    let ratio = contrast(theme.ink(style), Color::from_u32(screen));
                    assert!(ratio >= 4.5, "{palette:?} {style:?} on {screen:06X}: {ratio:.2}");
                }
            }
        }
    }

    #[test]
    fn the_palette_none_has_no_colours() {
        let theme = Theme::new(Palette::None, false);
        for style in [
            theme.x,
            theme.o,
            theme.accent,
            theme.soft,
            theme.rule,
            theme.good,
            theme.warning,
            theme.bad,
            theme.selected,
        ] {
            assert_eq!((style.fg, style.bg), (None, None));
        }
        assert_ne!(theme.x, theme.o, "weight tells the marks apart");
    }
}
