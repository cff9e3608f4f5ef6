//! How people are named wherever the console shows them: by the display name, with the username beside it where the two
//! differ and there is room.

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
}

/// A user with a name.
pub trait Named {
    fn name(&self) -> Name<'_>;
}

macro_rules! named {
    ($($somebody:ty),+ $(,)?) => {$(
        impl Named for $somebody {
            fn name(&self) -> Name<'_> {
                Name::new(&self.display_name, &self.username)
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
    ReportEvidence,
    SeriesTableRow,
    Signup,
    StagePlayer,
    StageStanding,
    User,
    UserProfile,
    UserSubscription,
    Winner,
);

impl<'a> Name<'a> {
    pub fn new(display: &'a str, username: &'a str) -> Self {
        Self { display, username }
    }

    /// The display name, or the username if there is none.
    pub fn short(self) -> &'a str {
        if self.display.trim().is_empty() { self.username } else { self.display }
    }

    /// ` @anna`, where the display name does not say that already.
    fn beside(self) -> Option<String> {
        (!self.username.is_empty() && self.short() != self.username).then(|| format!(" @{}", self.username))
    }

    /// `Anna Petit @anna`.
    pub fn whole(self) -> String {
        format!("{}{}", self.short(), self.beside().unwrap_or_default())
    }

    /// [`Self::whole`], with a separate style for the username.
    pub fn spans(self, style: Style, beside: Style) -> Vec<Span<'static>> {
        let name = Span::styled(self.short().to_owned(), style);
        std::iter::once(name).chain(self.beside().map(|username| Span::styled(username, beside))).collect()
    }

    /// The same in at most `room` columns: the username is dropped before the display name is cut.
    pub fn within(self, room: usize, ellipsis: &str, style: Style, beside: Style) -> Vec<Span<'static>> {
        let whole = Line::from(self.spans(style, beside));
        let line = if width(&whole) <= room { whole } else { Line::from(Span::styled(self.short().to_owned(), style)) };
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
            rating: None,
        };
        let namesakes = [player("Sam", "sam_1"), player("Sam", "sam_2")];
        assert_eq!(in_sentence(&namesakes[1], &namesakes), "Sam @sam_2");
        let others = [player("Sam", "sam_1"), player("Ben", "ben")];
        assert_eq!(in_sentence(&others[0], &others), "Sam");
    }
}
