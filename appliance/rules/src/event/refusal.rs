use std::fmt;

/// Why an event refused a command. It is unchanged then.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum EventRefusal {
    TitleRequired,
    TitleTooLong,
    TitleInvisible,
    DescriptionTooLong,
    PrizeTooLong,
    PrizeInvisible,
    TitleRequiredToPublish,
    StartRequiredToPublish,
    EndRequiredToPublish,
    EndNotAfterStart,
    EndInThePast,
    StartTooFar,
    EndTooFar,
    MatchGames,
    Rounds,
    MaxPlayers,
    CannotEdit,
    CannotPublish,
    CannotStart,
    CannotEnd,
    CannotCancel,
    CannotConclude,
    CannotReopen,
    CannotDelete,
    NotOpenYet,
    RegistrationClosed,
    NotStarted,
    TournamentClosed,
    Eliminated,
    Removed,
    Ended,
    Concluded,
    Cancelled,
    MessageRequired,
    MessageTooLong,
    MessageInvisible,
}

impl EventRefusal {
    /// Stable, kebab-case, for programs.
    pub const fn code(self) -> &'static str {
        match self {
            EventRefusal::TitleRequired => "title-required",
            EventRefusal::TitleTooLong => "title-too-long",
            EventRefusal::TitleInvisible => "title-invisible",
            EventRefusal::DescriptionTooLong => "description-too-long",
            EventRefusal::PrizeTooLong => "prize-too-long",
            EventRefusal::PrizeInvisible => "prize-invisible",
            EventRefusal::TitleRequiredToPublish => "publish-title-required",
            EventRefusal::StartRequiredToPublish => "publish-start-required",
            EventRefusal::EndRequiredToPublish => "publish-end-required",
            EventRefusal::EndNotAfterStart => "end-not-after-start",
            EventRefusal::EndInThePast => "end-in-the-past",
            EventRefusal::StartTooFar => "start-too-far",
            EventRefusal::EndTooFar => "end-too-far",
            EventRefusal::MatchGames => "match-games",
            EventRefusal::Rounds => "rounds",
            EventRefusal::MaxPlayers => "max-players",
            EventRefusal::CannotEdit => "cannot-edit",
            EventRefusal::CannotPublish => "cannot-publish",
            EventRefusal::CannotStart => "cannot-start",
            EventRefusal::CannotEnd => "cannot-end",
            EventRefusal::CannotCancel => "cannot-cancel",
            EventRefusal::CannotConclude => "cannot-conclude",
            EventRefusal::CannotReopen => "cannot-reopen",
            EventRefusal::CannotDelete => "cannot-delete",
            EventRefusal::NotOpenYet => "event-not-ready",
            EventRefusal::RegistrationClosed => "registration-closed",
            EventRefusal::NotStarted => "event-not-started",
            EventRefusal::TournamentClosed => "tournament-closed",
            EventRefusal::Eliminated => "eliminated",
            EventRefusal::Removed => "removed",
            EventRefusal::Ended => "event-ended",
            EventRefusal::Concluded => "event-over",
            EventRefusal::MessageRequired => "message-required",
            EventRefusal::MessageTooLong => "message-too-long",
            EventRefusal::MessageInvisible => "message-invisible",
            EventRefusal::Cancelled => "event-cancelled",
        }
    }

    /// For people; screens show it as it is.
    pub const fn text(self) -> &'static str {
        match self {
            EventRefusal::TitleRequired => "Event title is required.",
            EventRefusal::TitleTooLong => "Event title may have at most 120 characters.",
            EventRefusal::TitleInvisible => "Event title has a character that cannot be seen. Please type it again.",
            EventRefusal::DescriptionTooLong => "Description may have at most 4000 characters.",
            EventRefusal::PrizeTooLong => "Prize may have at most 200 characters.",
            EventRefusal::PrizeInvisible => "Prize has a character that cannot be seen. Please type it again.",
            EventRefusal::TitleRequiredToPublish => "Event title is required to publish.",
            EventRefusal::StartRequiredToPublish => "Start time is required to publish.",
            EventRefusal::EndRequiredToPublish => "End time is required to publish.",
            EventRefusal::EndNotAfterStart => "End time must be after start time.",
            EventRefusal::EndInThePast => "End time must be in the future.",
            EventRefusal::StartTooFar => "Start time must be before the year 10000.",
            EventRefusal::EndTooFar => "End time must be before the year 10000.",
            EventRefusal::MatchGames => "A match has one or two games.",
            EventRefusal::Rounds => "A Swiss has 1 to 32 rounds.",
            EventRefusal::MaxPlayers => "An event has at least 2 players.",
            EventRefusal::CannotEdit => "Only a draft or a published event can be edited.",
            EventRefusal::CannotPublish => "Only a draft can be published.",
            EventRefusal::CannotStart => "Only a published event can be started.",
            EventRefusal::CannotEnd => "Only a live event can be ended.",
            EventRefusal::CannotCancel => "Only a published or live event can be cancelled.",
            EventRefusal::CannotConclude => "Only an ended event can be concluded, and only once.",
            EventRefusal::CannotReopen => "Only an event whose winners are final can be reopened.",
            EventRefusal::CannotDelete => "Only a draft can be deleted.",
            EventRefusal::NotOpenYet => "This event is not ready yet.",
            EventRefusal::RegistrationClosed => "Registration closed when the event started.",
            EventRefusal::NotStarted => "This event has not started yet.",
            EventRefusal::TournamentClosed => "Tournament Closed",
            EventRefusal::Eliminated => "You've Been Eliminated",
            EventRefusal::Removed => "You have been removed from this event.",
            EventRefusal::Ended => "This event has ended.",
            EventRefusal::Concluded => "The winners of this event are final. Reopen it to correct them.",
            EventRefusal::MessageRequired => "A message is required.",
            EventRefusal::MessageTooLong => "A message may have at most 280 characters.",
            EventRefusal::MessageInvisible => "The message has a character that cannot be seen. Please type it again.",
            EventRefusal::Cancelled => "Event Cancelled",
        }
    }
}

impl fmt::Display for EventRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

impl std::error::Error for EventRefusal {}
