//! How people are named wherever the console shows them: by the display name, with the username beside it where the two
//! differ and there is room. A bot has a badge.

use morpion_openapi::{
    account::User,
    admin::UserSubscription,
    event::{Player, Signup, StagePlayer, StageStanding, Winner},
    game::{GamePlayer, GamePlayerRef, ReplayPlayer},
    moderation::ReportEvidence,
    player_page::{PlayedAgainst, PlayerProfile},
    profile::UserProfile,
    quick_match::QueuedPlayer,
    series::SeriesTableRow,
};
use ratatui::{
    style::Style,
    text::{Line, Span},
};

use super::text::{fit_line, width};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Name<'a> {
    display: &'a str,
    username: &'a str,
    is_bot: bool,
}

/// Behind the name of a bot.
const BADGE: &str = " [bot]";

/// A user with a name.
pub trait Named {
    fn name(&self) -> Name<'_>;
}

macro_rules! named {
    ($($somebody:ty),+ $(,)?) => {$(
        impl Named for $somebody {
            fn name(&self) -> Name<'_> {
                Name::new(&self.display_name, &self.username).of_bot(self.is_bot == Some(true))
            }
        }
    )+};
}

named!(
    GamePlayer,
    GamePlayerRef,
    PlayedAgainst,
    Player,
    PlayerProfile,
    QueuedPlayer,
    ReplayPlayer,
    SeriesTableRow,
    Signup,
    StagePlayer,
    StageStanding,
    User,
    UserProfile,
    UserSubscription,
    Winner,
);

impl Named for ReportEvidence {
    fn name(&self) -> Name<'_> {
        Name::new(&self.display_name, &self.username)
    }
}

impl<'a> Name<'a> {
    /// Of a person.
    pub fn new(display: &'a str, username: &'a str) -> Self {
        Self { display, username, is_bot: false }
    }

    #[must_use]
    pub fn of_bot(self, is_bot: bool) -> Self {
        Self { is_bot, ..self }
    }

    /// The display name, or the username if there is none, without a badge.
    pub fn short(self) -> &'a str {
        if self.display.trim().is_empty() { self.username } else { self.display }
    }

    /// ` @anna`, where the display name does not say that already.
    fn beside(self) -> Option<String> {
        (!self.username.is_empty() && self.short() != self.username).then(|| format!(" @{}", self.username))
    }

    fn badge(self) -> &'static str {
        if self.is_bot { BADGE } else { "" }
    }

    /// `Anna Petit @anna`, `Solver [bot] @solver_1`.
    pub fn whole(self) -> String {
        format!("{}{}{}", self.short(), self.badge(), self.beside().unwrap_or_default())
    }

    /// [`Self::whole`], with a separate style for the username.
    pub fn spans(self, style: Style, beside: Style) -> Vec<Span<'static>> {
        let mut spans = self.marked(style, beside);
        spans.extend(self.beside().map(|username| Span::styled(username, beside)));
        spans
    }

    /// The name with its badge.
    fn marked(self, style: Style, badge: Style) -> Vec<Span<'static>> {
        let name = Span::styled(self.short().to_owned(), style);
        std::iter::once(name).chain(self.is_bot.then(|| Span::styled(BADGE, badge))).collect()
    }

    /// The same in at most `room` columns: the username is dropped first, then the badge, before the display name is cut.
    pub fn within(self, room: usize, ellipsis: &str, style: Style, beside: Style) -> Vec<Span<'static>> {
        let plain = || Line::from(Span::styled(self.short().to_owned(), style));
        let forms = [self.spans(style, beside), self.marked(style, beside)].map(Line::from);
        let line = forms.into_iter().find(|line| width(line) <= room).unwrap_or_else(plain);
        fit_line(line, room, ellipsis).spans
    }

    /// What a list of people is in the order of.
    pub fn order(self) -> [String; 2] {
        [self.short(), self.username].map(str::to_lowercase)
    }
}

/// One of several in a sentence: by the display name, and by the username too where another has the same display name.
pub fn in_sentence<T: Named>(one: &T, all: &[T]) -> String {
    let name = one.name();
    let is_shared = all.iter().filter(|other| other.name().short() == name.short()).count() > 1;
    if is_shared { name.whole() } else { name.short().to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_username_is_shown_beside_a_different_display_name() {
        for (display, username, whole) in [
            ("Anna Petit", "anna", "Anna Petit @anna"),
            ("Anna", "anna", "Anna @anna"),
            ("anna", "anna", "anna"),
            ("", "anna", "anna"),
            ("Deleted user", "", "Deleted user"),
        ] {
            assert_eq!(Name::new(display, username).whole(), whole);
        }
    }

    #[test]
    fn a_bot_has_a_badge_while_there_is_room() {
        let bot = Name::new("Solver", "solver_1").of_bot(true);
        assert_eq!(bot.whole(), "Solver [bot] @solver_1");
        assert_eq!(bot.short(), "Solver");
        let within = |room| Line::from(bot.within(room, "…", Style::new(), Style::new())).to_string();
        assert_eq!(
            [22, 21, 12, 11, 4].map(within),
            ["Solver [bot] @solver_1", "Solver [bot]", "Solver [bot]", "Solver", "Sol…"]
        );
    }

    #[test]
    fn the_username_is_dropped_before_the_display_name_is_cut() {
        let within = |room| {
            let spans = Name::new("日本 太郎", "taro").within(room, "…", Style::new(), Style::new());
            Line::from(spans).to_string()
        };
        assert_eq!([15, 14, 9, 8, 0].map(within), ["日本 太郎 @taro", "日本 太郎", "日本 太郎", "日本 太…", ""]);
        let spans = Name::new("an\u{202e}na", "anna").within(20, "…", Style::new(), Style::new());
        assert_eq!(Line::from(spans).to_string(), "an\\u{202e}na @anna");
    }

    #[test]
    fn namesakes_are_distinguished_in_a_sentence() {
        let player = |display: &str, username: &str| GamePlayerRef {
            user_id: uuid::Uuid::nil(),
            username: username.to_owned(),
            display_name: display.to_owned(),
            profile_url: None,
            is_bot: None,
            rating: None,
        };
        let namesakes = [player("Sam", "sam_1"), player("Sam", "sam_2")];
        assert_eq!(in_sentence(&namesakes[1], &namesakes), "Sam @sam_2");
        let others = [player("Sam", "sam_1"), player("Ben", "ben")];
        assert_eq!(in_sentence(&others[0], &others), "Sam");
    }
}
