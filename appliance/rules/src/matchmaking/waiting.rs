use crate::clock::Millis;

/// Why a player still waits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Waiting {
    /// Somebody fits: the next pairing takes them.
    BeingPaired,
    /// The player has no connection.
    Away,
    /// Nobody else is in the queue, and nobody plays.
    Alone,
    /// Nobody else is in the queue; the other players are playing.
    OthersPlaying,
    /// Everybody else in the queue has no connection.
    OthersAway,
    /// The nearest level is too far; `until` it will not be.
    LevelGap { difference: u32, allowed: u32, until: Millis },
    /// Only the last opponent would fit; `until` somebody else may come.
    AvoidingRematch { until: Millis },
    /// Everybody else is at the same address.
    SameAddress,
}

impl Waiting {
    /// Stable, kebab-case, for programs.
    pub const fn code(self) -> &'static str {
        match self {
            Waiting::BeingPaired => "being-paired",
            Waiting::Away => "away",
            Waiting::Alone => "alone",
            Waiting::OthersPlaying => "others-playing",
            Waiting::OthersAway => "others-away",
            Waiting::LevelGap { .. } => "level-gap",
            Waiting::AvoidingRematch { .. } => "avoiding-rematch",
            Waiting::SameAddress => "same-address",
        }
    }

    /// For people.
    pub const fn text(self) -> &'static str {
        match self {
            Waiting::BeingPaired => "An opponent has been found.",
            Waiting::Away => "You are not connected.",
            Waiting::Alone => "Nobody else is waiting yet.",
            Waiting::OthersPlaying => "All other players are in a game.",
            Waiting::OthersAway => "All other waiting players have lost their connection.",
            Waiting::LevelGap { .. } => "Nobody near your level is waiting. The search is widening.",
            Waiting::AvoidingRematch { .. } => "Only your last opponent is waiting.",
            Waiting::SameAddress => "Everybody waiting shares your network address.",
        }
    }

    /// When this reason ends by itself.
    pub const fn until(self) -> Option<Millis> {
        match self {
            Waiting::LevelGap { until, .. } | Waiting::AvoidingRematch { until } => Some(until),
            _ => None,
        }
    }
}
