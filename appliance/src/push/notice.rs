//! What people are told by a push: the words, and how a push service handles it.

use std::time::Duration;

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use chrono::{DateTime, Utc};
use morpion_rules::{EventId, GameId, UserId, tournament::MATCH_NO_SHOW};
use morpion_store::PushSettings;
use serde::Serialize;
use sha2::{Digest, Sha256};

/// Characters of a name or a title in a push; the rest is left out. Both have less, but not by this module's promise.
const MAX_WORDS: usize = 120;

/// An invitation waits for a day, and so does a game whose player is away.
const DAY: Duration = Duration::from_secs(86_400);

/// Minutes before the start of an event in which one is reminded a last time.
const SOON: u32 = 10;

/// A paired game starts within 20 s or not at all.
const PAIRED_LIFE: Duration = Duration::from_secs(20);

/// What somebody is told of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Notice {
    /// Somebody invites them to a game.
    Invitation { game: GameId, from: UserId, name: String, size: u8 },
    /// Whom they invited has come to the game, or has declined it.
    Answer { game: GameId, from: UserId, name: String, accepted: bool },
    /// Their turn in a game without a time control.
    Turn { game: GameId, from: UserId, name: String },
    /// They were paired in an event.
    Paired { game: GameId, from: UserId, name: String },
    /// An event that they signed up for starts in so many minutes, and may ask them to check in.
    EventSoon { event: EventId, title: String, starts_at: DateTime<Utc>, minutes: u32, check_in: bool },
    /// It has started.
    EventStarted { event: EventId, title: String },
    /// They are paired in a stage round of an event, or have a bye.
    RoundPaired(PairedRound),
    /// What became of an event that they signed up for, or of their part in it; how long that is of use.
    EventNews { event: EventId, title: String, text: String, at: DateTime<Utc>, life: Duration },
    /// The host of a private event invites them to it; how long that is of use.
    EventInvitation { event: EventId, from: UserId, name: String, text: String, at: DateTime<Utc>, life: Duration },
    /// They asked to see one.
    Test,
}

/// A stage round, as one of its players is told of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PairedRound {
    pub event: EventId,
    /// Of the event.
    pub title: String,
    /// From 1.
    pub round: u32,
    /// `None`: a bye.
    pub opponent: Option<String>,
    pub board: u32,
    pub starts_at: DateTime<Utc>,
    /// Seconds until then; 0 or less where it has begun.
    pub left: i64,
    /// They were told before, and it begins soon.
    pub is_reminder: bool,
}

impl PairedRound {
    /// How long it is of use: until whoever is absent has lost the match.
    fn life(&self) -> Duration {
        let seconds = self.left.saturating_add(MATCH_NO_SHOW / 1_000).max(1).unsigned_abs();
        Duration::from_secs(seconds).min(DAY)
    }

    fn text(&self) -> String {
        let Self { round, board, left, .. } = self;
        let Some(opponent) = &self.opponent else { return format!("Round {round}: you have a bye.") };
        let begins = match left {
            ..60 => "It is about to begin.".to_owned(),
            60..120 => "It begins in a minute.".to_owned(),
            120..3_600 => format!("It begins in {} minutes.", left / 60),
            _ => format!("It begins on {}.", self.starts_at.format("%-d %B %Y, %H:%M UTC")),
        };
        format!("Round {round}: you play {} on board {board}. {begins}", short(opponent))
    }
}

/// How soon a push service wakes a device (RFC 8030, 5.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Urgency {
    Normal,
    High,
}

impl Urgency {
    pub fn word(self) -> &'static str {
        match self {
            Self::Normal => "normal",
            Self::High => "high",
        }
    }
}

/// The payload, which the service worker shows: `webapp/src/offline/pushMessage.ts`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Message {
    pub title: String,
    pub body: String,
    /// A later one with the same tag replaces it.
    pub tag: String,
    /// The path that a press opens.
    pub to: String,
}

impl Notice {
    /// Whether somebody with these settings wants it.
    pub fn is_wanted(&self, settings: &PushSettings) -> bool {
        match self {
            Self::Invitation { .. } | Self::EventInvitation { .. } => settings.invitation,
            Self::Answer { .. } => settings.answer,
            Self::Turn { .. } => settings.turn,
            Self::Paired { .. } | Self::RoundPaired(_) => settings.paired,
            Self::EventSoon { .. } | Self::EventStarted { .. } | Self::EventNews { .. } => settings.event,
            Self::Test => true,
        }
    }

    /// Whose doing it is.
    pub fn from(&self) -> Option<UserId> {
        match self {
            Self::Invitation { from, .. }
            | Self::Answer { from, .. }
            | Self::Turn { from, .. }
            | Self::Paired { from, .. }
            | Self::EventInvitation { from, .. } => Some(*from),
            Self::EventSoon { .. }
            | Self::EventStarted { .. }
            | Self::RoundPaired(_)
            | Self::EventNews { .. }
            | Self::Test => None,
        }
    }

    /// How long a push service keeps it for a browser that it does not reach.
    pub fn life(&self) -> Duration {
        match self {
            Self::Invitation { .. } | Self::Answer { .. } | Self::Turn { .. } => DAY,
            Self::Paired { .. } => PAIRED_LIFE,
            Self::EventSoon { minutes, .. } => Duration::from_secs(60 * u64::from(*minutes)),
            Self::EventStarted { .. } => Duration::from_secs(15 * 60),
            Self::RoundPaired(paired) => paired.life(),
            Self::EventNews { life, .. } | Self::EventInvitation { life, .. } => *life,
            Self::Test => Duration::from_secs(60),
        }
    }

    pub fn urgency(&self) -> Urgency {
        match self {
            Self::Turn { .. } | Self::Answer { .. } => Urgency::Normal,
            _ => Urgency::High,
        }
    }

    /// What an earlier push is replaced by, at the push service: of each game and event only the latest waits there. It says
    /// nothing about them.
    pub fn topic(&self) -> String {
        let digest = Sha256::digest(format!("morpion topic {}", self.tag()));
        // 32 characters are the most there may be.
        URL_SAFE_NO_PAD.encode(&digest[..24])
    }

    /// What makes two the same, for somebody who was told once already.
    pub fn key(&self) -> String {
        let kind = match self {
            Self::Invitation { .. } => "invitation",
            Self::Answer { accepted: true, .. } => "accepted",
            Self::Answer { accepted: false, .. } => "declined",
            Self::Turn { .. } => "turn",
            Self::Paired { .. } => "paired",
            // Of another start they are told again, and asked once more shortly before it.
            Self::EventSoon { starts_at, check_in, minutes, .. } => {
                let kind = match (check_in, minutes) {
                    (false, _) => "soon",
                    (true, 0..=SOON) => "last check-in",
                    (true, _) => "check-in",
                };
                return format!("{kind} {} {}", starts_at.timestamp(), self.tag());
            }
            Self::EventStarted { .. } => "started",
            Self::RoundPaired(PairedRound { round, is_reminder, .. }) => {
                let kind = if *is_reminder { "round soon" } else { "round" };
                return format!("{kind} {round} {}", self.tag());
            }
            // Each is told.
            Self::EventNews { at, .. } => return format!("news {} {}", at.timestamp_millis(), self.tag()),
            Self::EventInvitation { .. } => "event invitation",
            Self::Test => "test",
        };
        format!("{kind} {}", self.tag())
    }

    /// As the pages name their own notifications, so that the two replace each other.
    fn tag(&self) -> String {
        match self {
            Self::Invitation { game, .. }
            | Self::Answer { game, .. }
            | Self::Turn { game, .. }
            | Self::Paired { game, .. } => game.0.to_string(),
            Self::EventSoon { event, .. }
            | Self::EventStarted { event, .. }
            | Self::RoundPaired(PairedRound { event, .. })
            | Self::EventNews { event, .. }
            | Self::EventInvitation { event, .. } => event.0.to_string(),
            Self::Test => "test".to_owned(),
        }
    }

    /// What is shown.
    pub fn message(&self) -> Message {
        let (title, body) = match self {
            Self::Invitation { name, size, .. } => {
                (format!("{} invites you", short(name)), format!("A game on {size}×{size}."))
            }
            Self::Answer { name, accepted: true, .. } => {
                (format!("{} accepted your invitation", short(name)), "They are waiting to play.".to_owned())
            }
            Self::Answer { name, accepted: false, .. } => {
                (format!("{} declined the invitation", short(name)), String::new())
            }
            Self::Turn { name, .. } => ("Your turn".to_owned(), format!("{} has played.", short(name))),
            Self::Paired { name, .. } => {
                (format!("You play {}!", short(name)), "Your game is about to begin.".to_owned())
            }
            Self::EventSoon { title, minutes, check_in, .. } => {
                let starts = match minutes {
                    1 => "It starts in a minute.".to_owned(),
                    minutes => format!("It starts in {minutes} minutes."),
                };
                (short(title), if *check_in { format!("Check in now. {starts}") } else { starts })
            }
            Self::EventStarted { title, .. } => (short(title), "It has started. Come and play!".to_owned()),
            Self::RoundPaired(paired) => (short(&paired.title), paired.text()),
            Self::EventNews { title, text, .. } => (short(title), text.clone()),
            Self::EventInvitation { name, text, .. } => (format!("{} invites you", short(name)), text.clone()),
            Self::Test => ("Test notification".to_owned(), "Notifications work on this device.".to_owned()),
        };
        let to = match self {
            Self::EventSoon { event, .. }
            | Self::EventStarted { event, .. }
            | Self::RoundPaired(PairedRound { event, .. })
            | Self::EventNews { event, .. } => format!("/app/events/view/{event}"),
            // Its own page is for those who have entered.
            Self::EventInvitation { .. } => "/app/events".to_owned(),
            // Somebody who declined waits nowhere.
            Self::Answer { accepted: false, .. } => "/app/home".to_owned(),
            Self::Test => "/app/setting/notifications".to_owned(),
            Self::Invitation { game, .. }
            | Self::Answer { game, .. }
            | Self::Turn { game, .. }
            | Self::Paired { game, .. } => format!("/app/game/{game}"),
        };
        Message { title, body, tag: self.tag(), to }
    }
}

fn short(words: &str) -> String {
    words.chars().take(MAX_WORDS).collect()
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::push::encryption::MAX_PAYLOAD;

    fn all(name: &str) -> Vec<Notice> {
        let (game, from, event) = (GameId(Uuid::new_v4()), UserId(Uuid::new_v4()), EventId(Uuid::new_v4()));
        let (name, title) = (name.to_owned(), name.to_owned());
        vec![
            Notice::Invitation { game, from, name: name.clone(), size: 4 },
            Notice::Answer { game, from, name: name.clone(), accepted: true },
            Notice::Answer { game, from, name: name.clone(), accepted: false },
            Notice::Turn { game, from, name: name.clone() },
            Notice::Paired { game, from, name: name.clone() },
            Notice::EventSoon {
                event,
                title: title.clone(),
                starts_at: DateTime::UNIX_EPOCH,
                minutes: 10,
                check_in: false,
            },
            Notice::EventStarted { event, title: title.clone() },
            Notice::RoundPaired(PairedRound {
                event,
                title: title.clone(),
                round: 3,
                opponent: Some(title.clone()),
                board: 2,
                starts_at: DateTime::UNIX_EPOCH,
                left: 90,
                is_reminder: false,
            }),
            Notice::EventNews {
                event,
                title,
                text: "It was cancelled.".to_owned(),
                at: DateTime::UNIX_EPOCH,
                life: DAY,
            },
            Notice::EventInvitation {
                event,
                from,
                name,
                text: "To Friday Night.".to_owned(),
                at: DateTime::UNIX_EPOCH,
                life: DAY,
            },
            Notice::Test,
        ]
    }

    #[test]
    fn every_notice_fits_a_push_service() {
        // Four bytes each, and six as JSON escapes them.
        for name in ["🂡".repeat(5_000), "\u{1}".repeat(5_000)] {
            for notice in all(&name) {
                let payload = serde_json::to_vec(&notice.message()).unwrap();
                assert!(payload.len() <= MAX_PAYLOAD, "{notice:?}: {}", payload.len());
                let topic = notice.topic();
                let is_plain = |char: char| char.is_ascii_alphanumeric() || char == '-' || char == '_';
                assert!(topic.len() <= 32 && topic.chars().all(is_plain), "{topic}");
            }
        }
    }

    #[test]
    fn a_paired_round_says_whom_one_plays_and_when() {
        let paired = |opponent: Option<&str>, left| PairedRound {
            event: EventId(Uuid::new_v4()),
            title: "Cup".to_owned(),
            round: 3,
            opponent: opponent.map(str::to_owned),
            board: 2,
            starts_at: DateTime::UNIX_EPOCH,
            left,
            is_reminder: false,
        };
        for (opponent, left, text) in [
            (Some("Bea"), -5, "Round 3: you play Bea on board 2. It is about to begin."),
            (Some("Bea"), 60, "Round 3: you play Bea on board 2. It begins in a minute."),
            (Some("Bea"), 3_599, "Round 3: you play Bea on board 2. It begins in 59 minutes."),
            (Some("Bea"), 3_600, "Round 3: you play Bea on board 2. It begins on 1 January 1970, 00:00 UTC."),
            (None, 60, "Round 3: you have a bye."),
        ] {
            assert_eq!(paired(opponent, left).text(), text);
        }
        assert_eq!(paired(None, 20).life(), Duration::from_secs(80));
        assert_eq!(paired(None, -90).life(), Duration::from_secs(1));
        assert_eq!(paired(None, i64::MAX).life(), DAY);
    }

    #[test]
    fn presses_lead_to_pages_of_the_app_and_names_nowhere() {
        for notice in all("../../evil?x=https://example.org") {
            let to = notice.message().to;
            let is_plain = |char: char| char.is_ascii_alphanumeric() || "-/".contains(char);
            assert!(to.starts_with("/app/") && to.chars().all(is_plain), "{to}");
        }
    }

    #[test]
    fn of_one_game_only_the_latest_waits_at_the_push_service() {
        let notices = all("Ada");
        let topics: Vec<_> = notices.iter().map(Notice::topic).collect();
        assert!(topics[..5].iter().all(|topic| *topic == topics[0]));
        assert!(topics[5..9].iter().all(|topic| *topic == topics[5]));
        assert_ne!(topics[0], topics[5]);
        let mut keys: Vec<_> = notices.iter().map(Notice::key).collect();
        keys.dedup();
        assert_eq!(keys.len(), notices.len(), "and all are told of");
    }
}
