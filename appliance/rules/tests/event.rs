//! The life of an event: `docs/behaviour/events.md#life-of-an-event`.

use morpion_rules::event::entry::{AGE_MAX, ALLOWED_MAX, Conditions, Entrant, GAMES_MAX};
use morpion_rules::event::{
    ANNOUNCEMENT_MAX, Admission, DEFAULT_MAX_LOSSES, DESCRIPTION_MAX, Details, Event, EventCommand, EventRefusal,
    EventState, EventType, PRIZE_MAX, Phase, Registration, Stages, TITLE_MAX, UNPAIRED_LIMIT,
};
use morpion_rules::{BoardSize, Millis, Times, UserId, clock::TimeControl, tournament::Format};
use uuid::Uuid;

const START: Millis = Millis(1_000_000);
const END: Millis = Millis(4_600_000);

fn details() -> Details {
    Details {
        title: "Saturday Cup".into(),
        description: "Bring a friend.".into(),
        prize: Some("A cup".into()),
        event_type: EventType::Open,
        start_time: Some(START),
        end_time: Some(END),
        max_losses: DEFAULT_MAX_LOSSES,
        rated_on_one_network: false,
        clock: TimeControl::PerTurn,
        stages: None,
        max_players: None,
        conditions: Conditions::default(),
        check_in_minutes: None,
        round_times: vec![],
    }
}

fn event(state: EventState) -> Event {
    let mut event = Event::draft(details()).unwrap();
    let path: &[EventCommand] = match state {
        EventState::Drafted => &[],
        EventState::Published => &[EventCommand::Publish],
        EventState::Started => &[EventCommand::Publish, EventCommand::Start],
        EventState::Ended => &[EventCommand::Publish, EventCommand::Start, EventCommand::End],
        EventState::Cancelled => &[EventCommand::Publish, EventCommand::Cancel],
    };
    for command in path {
        event.apply(command, START).unwrap();
    }
    assert_eq!(event.state(), state);
    event
}

/// The outcome of every command in every state.
fn expected(from: EventState, command: &EventCommand) -> Result<EventState, EventRefusal> {
    use EventState::*;
    match (from, command) {
        (Drafted, EventCommand::Edit(_)) => Ok(Drafted),
        (Published, EventCommand::Edit(_)) => Ok(Published),
        (Published | Started, EventCommand::Extend(_)) => Ok(from),
        (Drafted, EventCommand::Publish) => Ok(Published),
        (Published, EventCommand::Start) => Ok(Started),
        (Started, EventCommand::End) => Ok(Ended),
        (Published | Started, EventCommand::Cancel) => Ok(Cancelled),
        (Ended, EventCommand::Conclude) => Ok(Ended),
        (state, EventCommand::ResumeAfterRestart { .. }) => Ok(state),
        (_, EventCommand::Edit(_) | EventCommand::Extend(_)) => Err(EventRefusal::CannotEdit),
        (_, EventCommand::Publish) => Err(EventRefusal::CannotPublish),
        (_, EventCommand::Start) => Err(EventRefusal::CannotStart),
        (_, EventCommand::End) => Err(EventRefusal::CannotEnd),
        (_, EventCommand::Cancel) => Err(EventRefusal::CannotCancel),
        (_, EventCommand::Conclude) => Err(EventRefusal::CannotConclude),
        // Not concluded; concluded events are tested below.
        (_, EventCommand::Reopen) => Err(EventRefusal::CannotReopen),
    }
}

#[test]
fn every_command_is_defined_in_every_state_and_a_refusal_changes_nothing() {
    let commands = [
        EventCommand::Edit(Box::new(details())),
        EventCommand::Publish,
        EventCommand::Start,
        EventCommand::End,
        EventCommand::Cancel,
        EventCommand::Conclude,
        EventCommand::ResumeAfterRestart { stopped_at: START },
        EventCommand::Reopen,
        EventCommand::Extend(END + 60_000),
    ];
    for from in EventState::ALL {
        for command in &commands {
            let before = event(from);
            let mut after = before.clone();
            let answer = after.apply(command, START + 5).map(|()| after.state());
            assert_eq!(answer, expected(from, command), "{from:?} {command:?}");
            if answer.is_err() {
                assert_eq!(after, before);
            }
        }
    }
}

#[test]
fn title_is_required_and_texts_are_trimmed() {
    let blank = Details { title: " \t".into(), ..details() };
    let refusal = Event::draft(blank).unwrap_err();
    assert_eq!(refusal.text(), "Event title is required.");

    let padded = Details { title: "  Cup ".into(), description: " d ".into(), prize: Some("  ".into()), ..details() };
    let event = Event::draft(padded).unwrap();
    assert_eq!(event.details().title, "Cup");
    assert_eq!(event.details().description, "d");
    assert_eq!(event.details().prize, None);
}

#[test]
fn texts_have_limits_in_characters() {
    let long = |n: usize| "é".repeat(n);
    let titled = |n| Event::draft(Details { title: long(n), ..details() });
    assert!(titled(TITLE_MAX).is_ok());
    assert_eq!(titled(TITLE_MAX + 1), Err(EventRefusal::TitleTooLong));
    let described = Details { description: long(DESCRIPTION_MAX + 1), ..details() };
    assert_eq!(Event::draft(described), Err(EventRefusal::DescriptionTooLong));
    let prized = Details { prize: Some(long(PRIZE_MAX + 1)), ..details() };
    assert_eq!(Event::draft(prized), Err(EventRefusal::PrizeTooLong));
}

#[test]
fn lines_of_a_description_end_alike() {
    let described = Details { description: "one\r\ntwo\rthree\n\rfour".into(), ..details() };
    assert_eq!(Event::draft(described).unwrap().details().description, "one\ntwo\nthree\n\nfour");
}

/// No calendar can write the year 10000.
#[test]
fn times_have_years_of_four_digits() {
    let last = Millis(253_402_300_799_999);
    let far = Millis(last.0 + 1);
    let timed = |start, end| Event::draft(Details { start_time: Some(start), end_time: Some(end), ..details() });
    assert!(timed(START, last).is_ok());
    assert_eq!(timed(START, far), Err(EventRefusal::EndTooFar));
    assert_eq!(timed(far, far), Err(EventRefusal::StartTooFar));
}

#[test]
fn a_title_has_no_invisible_characters() {
    for bad in ["Cup\u{1b}[2J", "Cup\u{202e}gnp.exe", "Cup\u{2066}", "two\nlines", "zero\u{200b}width", "\u{9b}31m"] {
        let titled = Event::draft(Details { title: bad.to_owned(), ..details() });
        assert_eq!(titled, Err(EventRefusal::TitleInvisible), "{bad:?}");
        let prized = Event::draft(Details { prize: Some(bad.to_owned()), ..details() });
        assert_eq!(prized, Err(EventRefusal::PrizeInvisible), "{bad:?}");
    }
    for good in ["Coupe d'été 🏆", "כוס", "👩‍👩‍👧 Łucja नमस्ते"] {
        assert!(Event::draft(Details { title: good.to_owned(), ..details() }).is_ok(), "{good}");
    }
}

#[test]
fn publishing_without_title_start_or_end_is_refused_in_fixed_words() {
    let publish = |details: Details| {
        let mut event = Event::restore(details, Phase::Drafted, None);
        event.apply(&EventCommand::Publish, START).map_err(EventRefusal::text)
    };
    let cases = [
        (Details { title: String::new(), start_time: None, ..details() }, "Event title is required to publish."),
        (Details { start_time: None, end_time: None, ..details() }, "Start time is required to publish."),
        (Details { end_time: None, ..details() }, "End time is required to publish."),
        (Details { end_time: Some(START), ..details() }, "End time must be after start time."),
    ];
    for (details, text) in cases {
        assert_eq!(publish(details), Err(text));
    }
    let past = |end| Details { start_time: Some(START - 9), end_time: Some(end), ..details() };
    assert_eq!(publish(past(START)), Err("End time must be in the future."));
    assert_eq!(publish(past(START + 1)), Ok(()));
    assert_eq!(
        event(EventState::Published)
            .apply(&EventCommand::Edit(Box::new(past(START))), START)
            .map_err(EventRefusal::code),
        Err("end-in-the-past")
    );
}

#[test]
fn a_concluded_event_is_reopened_for_corrections_and_concluded_again() {
    let mut event = event(EventState::Ended);
    assert_eq!((event.started_at(), event.ended_at(), event.is_concluded()), (Some(START), Some(START), false));
    assert_eq!(event.apply(&EventCommand::Reopen, START), Err(EventRefusal::CannotReopen));
    event.apply(&EventCommand::Conclude, START + 1).unwrap();
    assert!(event.is_concluded());
    event.apply(&EventCommand::Reopen, START + 2).unwrap();
    assert_eq!((event.state(), event.is_concluded(), event.next_due()), (EventState::Ended, false, None));
    assert_eq!(event.check_join(Registration::Registered), Err(EventRefusal::Ended));
    assert_eq!(event.apply(&EventCommand::Reopen, START + 3), Err(EventRefusal::CannotReopen));
    event.apply(&EventCommand::ResumeAfterRestart { stopped_at: START }, START + 9).unwrap();
    assert_eq!(event.phase(), Phase::Reopened { at: START });
    event.apply(&EventCommand::Conclude, START + 10).unwrap();
    assert_eq!((event.is_concluded(), event.ended_at()), (true, Some(START)));
    let mut cancelled = self::event(EventState::Cancelled);
    assert!(cancelled.is_concluded());
    assert_eq!((cancelled.started_at(), cancelled.ended_at()), (None, Some(START)));
    assert_eq!(cancelled.apply(&EventCommand::Reopen, START), Err(EventRefusal::CannotReopen));
}

#[test]
fn a_published_event_stays_publishable_when_edited() {
    let mut event = event(EventState::Published);
    let endless = Details { end_time: None, ..details() };
    let refusal = event.apply(&EventCommand::Edit(Box::new(endless.clone())), START);
    assert_eq!(refusal, Err(EventRefusal::EndRequiredToPublish));
    let mut draft = self::event(EventState::Drafted);
    assert_eq!(draft.apply(&EventCommand::Edit(Box::new(endless)), START), Ok(()));
}

#[test]
fn a_published_event_starts_and_ends_at_its_times() {
    assert_eq!(event(EventState::Drafted).due(END), None);
    let mut event = event(EventState::Published);
    assert_eq!(event.due(START - 1), None);
    assert_eq!(event.due(START), Some(EventCommand::Start));
    event.apply(&EventCommand::Start, START).unwrap();
    assert_eq!((event.due(END - 1), event.due(END)), (None, Some(EventCommand::End)));
    event.apply(&EventCommand::End, END).unwrap();
    assert_eq!(event.due(END + 59_999), None);
    assert_eq!(event.due(END + 60_000), Some(EventCommand::Conclude));
    event.apply(&EventCommand::Conclude, END + 60_000).unwrap();
    assert_eq!(event.next_due(), None);
}

#[test]
fn an_event_missed_while_stopped_starts_then_ends() {
    let mut event = event(EventState::Published);
    let mut commands = Vec::new();
    while let Some(command) = event.due(END + 1) {
        event.apply(&command, END + 1).unwrap();
        commands.push(command);
    }
    assert_eq!(commands, [EventCommand::Start, EventCommand::End]);
}

#[test]
fn a_restart_delays_the_end_of_an_event_by_20_s() {
    let resume = EventCommand::ResumeAfterRestart { stopped_at: END + 10_000 };
    let mut live = event(EventState::Started);
    live.apply(&resume, START + 1).unwrap();
    assert_eq!(live.next_due(), Some(END + 20_000));

    let mut overdue = event(EventState::Started);
    overdue.apply(&resume, END + 500_000).unwrap();
    assert_eq!(overdue.next_due(), Some(END + 520_000));

    let mut ending = event(EventState::Started);
    ending.apply(&EventCommand::End, END).unwrap();
    ending.apply(&resume, END + 300_000).unwrap();
    assert_eq!(ending.next_due(), Some(END + 300_000 + 50_000 + 20_000));
}

#[test]
fn deadlines_after_the_end_of_an_event_use_the_steady_clock() {
    let hour = 3_600_000;
    for set_by in [hour, -hour] {
        let now = |calendar: Millis, steady: Millis| Times { calendar: calendar + set_by, steady };
        let mut event = event(EventState::Started);
        assert_eq!(event.due_in(now(START, START)), Some(END - START - set_by), "the end is at the announced time");
        event.apply(&EventCommand::End, now(END, START + 5)).unwrap();
        assert_eq!(event.phase(), Phase::Ended { at: END + set_by, decide_at: START + 60_005, concluded: false });
        assert_eq!(event.due(now(END + 2 * set_by, START + 60_004)), None);
        assert_eq!(event.due(now(END + 2 * set_by, START + 60_005)), Some(EventCommand::Conclude));
    }
}

#[test]
fn registration_closes_at_the_start() {
    let answers = EventState::ALL.map(|state| event(state).check_registration(Registration::None));
    assert_eq!(
        answers,
        [
            Err(EventRefusal::NotOpenYet),
            Ok(()),
            Err(EventRefusal::RegistrationClosed),
            Err(EventRefusal::Ended),
            Err(EventRefusal::Cancelled),
        ]
    );
}

#[test]
fn only_drafts_can_be_deleted() {
    for state in EventState::ALL {
        let allowed = event(state).check_delete().is_ok();
        assert_eq!(allowed, state == EventState::Drafted, "{state:?}");
    }
}

#[test]
fn joining_a_started_event_signs_up_if_it_is_open() {
    let open = event(EventState::Started);
    assert_eq!(open.check_join(Registration::None), Ok(Admission::SignUpFirst));
    assert_eq!(open.check_join(Registration::Registered), Ok(Admission::Allowed));
    assert_eq!(open.check_join(Registration::Eliminated), Err(EventRefusal::Eliminated));

    assert_eq!(open.check_join(Registration::Removed), Err(EventRefusal::Removed));
    let published = event(EventState::Published);
    assert_eq!(published.check_registration(Registration::Removed), Err(EventRefusal::Removed));

    let details = Details { event_type: EventType::Closed, ..details() };
    let closed = Event::restore(details, open.phase(), open.started_at());
    let refusal = closed.check_join(Registration::None).unwrap_err();
    assert_eq!(refusal.text(), "Tournament Closed");
    assert_eq!(closed.check_join(Registration::Registered), Ok(Admission::Allowed));

    for state in EventState::ALL.into_iter().filter(|&state| state != EventState::Started) {
        assert!(event(state).check_join(Registration::Registered).is_err(), "{state:?}");
    }
}

#[test]
fn a_copy_is_a_draft_without_times_that_have_passed() {
    let copy = event(EventState::Published).duplicate(START);
    assert_eq!((copy.state(), copy.details().title.as_str()), (EventState::Drafted, "Saturday Cup (copy)"));
    assert_eq!(copy.details(), &Details { title: "Saturday Cup (copy)".into(), ..details() });
    let later = event(EventState::Ended).duplicate(END);
    assert_eq!((later.details().start_time, later.details().end_time, later.started_at()), (None, None, None));
    let long = Event::draft(Details { title: "é".repeat(TITLE_MAX), ..details() }).unwrap().duplicate(START);
    assert_eq!(long.details().title.chars().count(), TITLE_MAX);
}

#[test]
fn announcements_are_short_and_only_for_visible_events() {
    let live = event(EventState::Started);
    assert_eq!(live.announcement("  Round two in five minutes. "), Ok("Round two in five minutes.".to_owned()));
    assert_eq!(live.announcement(" \n"), Err(EventRefusal::MessageRequired));
    assert!(live.announcement(&"é".repeat(ANNOUNCEMENT_MAX)).is_ok());
    assert_eq!(live.announcement(&"é".repeat(ANNOUNCEMENT_MAX + 1)), Err(EventRefusal::MessageTooLong));
    assert!(live.announcement("Round two\nin five minutes.").is_ok());
    for hidden in ["\u{1b}[2J", "five\u{202e}nim", "a\0b"] {
        assert_eq!(live.announcement(hidden), Err(EventRefusal::MessageInvisible));
    }
    assert_eq!(event(EventState::Drafted).announcement("Hello"), Err(EventRefusal::NotOpenYet));
}

#[test]
fn standings_can_be_corrected_until_winners_are_final() {
    let mut event = event(EventState::Ended);
    assert_eq!(event.check_correction(), Ok(()));
    event.apply(&EventCommand::Conclude, START).unwrap();
    assert_eq!(event.check_correction(), Err(EventRefusal::Concluded));
    event.apply(&EventCommand::Reopen, START).unwrap();
    assert_eq!(event.check_correction(), Ok(()));
}

#[test]
fn wire_names_parse_back_to_their_values() {
    for state in EventState::ALL {
        assert_eq!(EventState::parse(state.as_str()), Some(state));
    }
    assert_eq!(EventType::parse("open"), Some(EventType::Open));
    assert_eq!(EventType::parse("closed"), Some(EventType::Closed));
    assert_eq!((EventState::parse("live"), EventType::parse("")), (None, None));
}

#[test]
fn an_event_in_which_nobody_can_be_paired_ends_at_once_or_waits_for_newcomers() {
    let since = Millis(7_000);
    for (event_type, ends) in [(EventType::Closed, since), (EventType::Open, since + UNPAIRED_LIMIT)] {
        let details = Details { event_type, ..details() };
        let of = |phase| Event::restore(details.clone(), phase, None).ends_unpaired(since);
        assert_eq!(of(Phase::Started { at: Millis(0), ends_at: Millis(9) }), Some(ends));
        for phase in [Phase::Drafted, Phase::Published, Phase::Cancelled { at: Millis(0) }] {
            assert_eq!(of(phase), None);
        }
    }
}

#[test]
fn a_live_event_ends_when_it_was_extended_to() {
    let mut live = event(EventState::Started);
    live.apply(&EventCommand::Extend(END + 1), START).unwrap();
    assert_eq!(live.next_due(), Some(END + 1));
    assert_eq!(live.details().end_time, Some(END + 1));
    let before = live.clone();
    assert_eq!(live.apply(&EventCommand::Extend(START), START), Err(EventRefusal::EndNotAfterStart));
    assert_eq!(live.apply(&EventCommand::Extend(START + 5), START + 5), Err(EventRefusal::EndInThePast));
    assert_eq!(live, before);
}

#[test]
fn an_event_in_rounds_counts_no_losses_and_its_numbers_are_checked() {
    let stages = |format, match_games| Some(Stages { format, match_games, board: BoardSize::MIN });
    let of = |stages| Event::draft(Details { stages, ..details() });
    let knockout = Format::Knockout { third_place: true };
    assert_eq!(of(stages(knockout, 2)).unwrap().details().max_losses, 0);
    for games in [0, 3, 255] {
        assert_eq!(of(stages(knockout, games)), Err(EventRefusal::MatchGames));
    }
    assert!(of(stages(Format::Swiss { rounds: 32 }, 1)).is_ok());
    assert_eq!(of(stages(Format::Swiss { rounds: 33 }, 1)), Err(EventRefusal::Rounds));
}

#[test]
fn an_event_has_a_clock_until_it_starts() {
    let timed = |clock| Details { clock, ..details() };
    assert_eq!(Event::draft(timed(TimeControl::Untimed)), Err(EventRefusal::Clock));
    let mut event = Event::draft(timed(TimeControl::Increment)).unwrap();
    event.apply(&EventCommand::Publish, START - 1_000).unwrap();
    event.apply(&EventCommand::Edit(Box::new(details())), START - 900).unwrap();
    assert_eq!(event.details().clock, TimeControl::PerTurn);
    event.apply(&EventCommand::Edit(Box::new(timed(TimeControl::Increment))), START - 800).unwrap();
    event.apply(&EventCommand::Start, START).unwrap();
    let change = EventCommand::Edit(Box::new(details()));
    assert_eq!(event.apply(&change, START + 1), Err(EventRefusal::CannotEdit));
    assert_eq!(event.details().clock, TimeControl::Increment);
    assert_eq!(event.duplicate(START + 1).details().clock, TimeControl::Increment);
}

#[test]
fn rounds_have_fixed_times_in_order_between_start_and_end() {
    let in_rounds = |format, round_times: &[i64]| Details {
        stages: Some(Stages { format, match_games: 1, board: BoardSize::MIN }),
        round_times: round_times.iter().map(|after| START + *after).collect(),
        ..details()
    };
    let swiss = |rounds, times: &[i64]| Event::draft(in_rounds(Format::Swiss { rounds }, times));
    let length = END - START;
    let timed = swiss(3, &[1, length - 1]).unwrap();
    let begins = [1, 2, 3, 4].map(|round| timed.details().round_begins(round));
    assert_eq!(begins, [None, Some(START + 1), Some(END - 1), None]);
    assert_eq!(timed.details().round_begins(0), None);
    assert_eq!(swiss(3, &[1, 2, 3]), Err(EventRefusal::RoundTimesCount));
    assert_eq!(swiss(1, &[1]), Err(EventRefusal::RoundTimesCount));
    assert_eq!(swiss(3, &[2, 2]), Err(EventRefusal::RoundTimesOrder));
    assert_eq!(swiss(3, &[0]), Err(EventRefusal::RoundTimesStart));
    assert_eq!(swiss(3, &[length]), Err(EventRefusal::RoundTimesEnd));
    // How many there will be depends on the players.
    let most = |format| {
        let fits = |count: i64| Event::draft(in_rounds(format, &(1..=count).collect::<Vec<_>>())).is_ok();
        (1..40).take_while(|count| fits(*count)).count()
    };
    assert_eq!(most(Format::Knockout { third_place: true }), 9);
    assert_eq!(most(Format::Swiss { rounds: 0 }), 31);
    assert_eq!([false, true].map(|double| most(Format::RoundRobin { double })), [14, 29]);

    // What they depend on comes later, and is checked then.
    let untimed = Details { start_time: None, end_time: None, ..in_rounds(Format::Swiss { rounds: 0 }, &[1]) };
    let mut draft = Event::draft(untimed.clone()).unwrap();
    let late = Details { start_time: Some(START + 1), end_time: Some(END), ..untimed.clone() };
    assert_eq!(draft.apply(&EventCommand::Edit(Box::new(late)), START), Err(EventRefusal::RoundTimesStart));
    let year_10000 = Details { round_times: vec![Millis(253_402_300_800_000)], ..untimed };
    assert_eq!(Event::draft(year_10000), Err(EventRefusal::RoundTimesEnd));
    let arena = Details { stages: None, ..in_rounds(Format::Swiss { rounds: 0 }, &[9, 1]) };
    assert_eq!(Event::draft(arena).unwrap().details().round_times, []);

    // The end stays behind the last round.
    let mut live = timed;
    for command in [EventCommand::Publish, EventCommand::Start] {
        live.apply(&command, START).unwrap();
    }
    assert_eq!(live.apply(&EventCommand::Extend(END - 1), START), Err(EventRefusal::EndBeforeRounds));
    live.apply(&EventCommand::Extend(END + 1), START).unwrap();
    assert_eq!(live.duplicate(START).details().round_times, live.details().round_times);
    assert_eq!(live.duplicate(END + 1).details().round_times, []);
}

const ANN: UserId = UserId(Uuid::from_u128(1));
const BOB: UserId = UserId(Uuid::from_u128(2));

#[test]
fn conditions_of_entry_are_limited() {
    let everything = Conditions {
        min_rating: Some(100),
        max_rating: Some(4_000),
        min_games: Some(GAMES_MAX),
        account_age_days: Some(AGE_MAX),
        allow_list: Some(vec![BOB, ANN, BOB]),
        bots_allowed: true,
    };
    let drafted = |conditions| Event::draft(Details { conditions, ..details() });
    let kept = drafted(everything.clone()).unwrap().details().conditions.clone();
    assert_eq!(kept, Conditions { allow_list: Some(vec![ANN, BOB]), ..everything.clone() });
    let long = (0..=ALLOWED_MAX as u128).map(|id| UserId(Uuid::from_u128(id))).collect();
    for (conditions, refusal) in [
        (Conditions { min_rating: Some(99), ..everything.clone() }, EventRefusal::MinRating),
        (Conditions { max_rating: Some(4_001), ..everything.clone() }, EventRefusal::MaxRating),
        (
            Conditions { min_rating: Some(1_401), max_rating: Some(1_400), ..everything.clone() },
            EventRefusal::RatingRange,
        ),
        (Conditions { min_games: Some(GAMES_MAX + 1), ..everything.clone() }, EventRefusal::MinGames),
        (Conditions { account_age_days: Some(AGE_MAX + 1), ..everything.clone() }, EventRefusal::AccountAge),
        (Conditions { allow_list: Some(long), ..everything }, EventRefusal::AllowList),
    ] {
        assert_eq!(drafted(conditions), Err(refusal));
    }
    let nobody = Conditions { allow_list: Some(vec![]), ..Conditions::default() };
    assert_eq!(drafted(nobody).unwrap().details().conditions, Conditions::default(), "a list without names is none");
}

#[test]
fn who_misses_a_condition_of_entry_is_told_the_figures() {
    let conditions = Conditions {
        min_rating: Some(1_200),
        max_rating: Some(1_400),
        min_games: Some(20),
        account_age_days: Some(1),
        allow_list: Some(vec![BOB]),
        bots_allowed: false,
    };
    let bob = Entrant { user: BOB, rating: 1_400, games: 20, account_age_days: 1, is_bot: false };
    assert_eq!(conditions.judge(&bob).iter().map(|judged| judged.is_met).collect::<Vec<_>>(), [true; 5]);
    assert_eq!(Conditions::default().judge(&bob), []);
    let missed = |entrant: Entrant| {
        let judged = conditions.judge(&entrant).into_iter().find(|judged| !judged.is_met).unwrap();
        (judged.code(), judged.text())
    };
    for (entrant, code, text) in [
        (
            Entrant { rating: 1_199, ..bob },
            "entry-min-rating",
            "This event is for ratings of 1200 or more. Yours is 1199.",
        ),
        (Entrant { rating: 1_512, ..bob }, "entry-max-rating", "This event is for ratings up to 1400. Yours is 1512."),
        (
            Entrant { games: 3, ..bob },
            "entry-min-games",
            "This event is for players with 20 finished games or more. You have 3.",
        ),
        (
            Entrant { account_age_days: 0, ..bob },
            "entry-account-age",
            "This event is for accounts that are 1 day old or older. Yours is 0 days old.",
        ),
        (
            Entrant { user: ANN, ..bob },
            "entry-allow-list",
            "This event is for players on its organiser's list. You are not on it.",
        ),
    ] {
        assert_eq!(missed(entrant), (code, text.to_owned()));
    }
}

#[test]
fn players_check_in_from_so_many_minutes_before_the_start_until_it() {
    const MINUTE: i64 = 60_000;
    let opens = START - 10 * MINUTE;
    let asking = |minutes| Details { check_in_minutes: minutes, ..details() };
    let mut event = Event::draft(asking(Some(10))).unwrap();
    assert_eq!(event.check_check_in(START), Err(EventRefusal::NotOpenYet));
    event.apply(&EventCommand::Publish, opens).unwrap();
    assert_eq!(event.check_check_in(opens - 1), Err(EventRefusal::CheckInNotOpen));
    assert_eq!((event.check_check_in(opens), event.check_check_in(START + MINUTE)), (Ok(()), Ok(())));
    assert!(!event.has_asked_to_check_in(), "it has not started");

    let started = |at| {
        let mut event = event.clone();
        event.apply(&EventCommand::Start, at).unwrap();
        event
    };
    assert!(!started(opens - 1).has_asked_to_check_in(), "nobody could");
    assert!(started(opens).has_asked_to_check_in() && started(START).has_asked_to_check_in());
    assert_eq!(started(START).check_check_in(START), Err(EventRefusal::CheckInClosed));
    assert_eq!(started(START).check_join(Registration::NotCheckedIn), Ok(Admission::SignUpFirst));
    let closed = Details { event_type: EventType::Closed, ..asking(Some(10)) };
    let closed = Event::restore(closed, Phase::Started { at: START, ends_at: END }, Some(START));
    assert_eq!(closed.check_join(Registration::NotCheckedIn), Err(EventRefusal::NotCheckedIn));

    for (minutes, refusal) in [(Some(0), true), (Some(1), false), (Some(120), false), (Some(121), true), (None, false)]
    {
        assert_eq!(Event::draft(asking(minutes)).is_err(), refusal, "{minutes:?}");
    }
    let unasked = self::event(EventState::Published);
    assert_eq!(unasked.check_check_in(START), Err(EventRefusal::NoCheckIn));

    // The server was down: at least a minute, at most five, and no more than it could have been open.
    let grace = |down_for, now| event.check_in_grace(down_for, now);
    assert_eq!(grace(3_000, opens + MINUTE), Some(MINUTE));
    assert_eq!(grace(3 * MINUTE, START), Some(3 * MINUTE));
    assert_eq!(grace(60 * MINUTE, START), Some(5 * MINUTE));
    assert_eq!(grace(60 * MINUTE, opens + 2 * MINUTE), Some(2 * MINUTE));
    assert_eq!((grace(3_000, opens - 1), unasked.check_in_grace(3_000, START)), (None, None));
    assert_eq!(event.duplicate(opens).details().check_in_minutes, Some(10));
}
