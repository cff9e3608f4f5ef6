//! Events in stage rounds: rounds, standings, what a director does, and the form that makes them.

use insta::assert_snapshot;
use morpion_openapi::{
    Timestamp,
    event::{
        CheckInPlayer, CreatePlayer, DisqualifyPlayer, Event, EventAnswer, EventBoard, EventFormat, EventState,
        ExtendEvent, GetEventById, GetRounds, GetStandings, MatchReason, PauseEvent, Presence, ReinstatePlayer,
        ReplayMatch, ResumeEvent, RoundState, RoundsAnswer, SetResult, StageGame, StagePairing, StagePlayer,
        StageRound, StageStanding, StandingsAnswer, StartRound, TieBreakName, TieBreakTerm, TieBreaks, WithdrawPlayer,
    },
    game::GetGame,
    quick_match::QuickMatchClock,
    realtime::{
        ClientFrame, PlayerPresence, PresenceChanged, RoundEnded, RoundPaired, ServerFrame, StandingsChanged,
        UnwatchPresence, WatchPresence,
    },
};
use morpion_tui::{
    calls::{Call, Reply},
    dialog::{Dialog, event_form::Field},
    event::{Effect, NetEvent},
    net::command_error::{CommandError, FailureKind},
    theme::Palette,
};
use uuid::Uuid;

use crate::{
    fixtures::*,
    operations::with_events,
    screens::{buffer, screen, text},
};

const SMALL: (u16, u16) = (80, 24);
const LARGE: (u16, u16) = (160, 40);
const LEAST: (u16, u16) = (40, 12);

const EVENT: u32 = 0x66ff_0006;
const NAMES: [&str; 9] = ["anna", "ben", "日本太郎", "a_very_long_username", "clea", "dora", "emil", "fay", "gus"];

/// By seed.
pub fn user_id(seed: u32) -> Uuid {
    Uuid::from_u128(0x5eed_0000 + u128::from(seed))
}

fn player(seed: u32) -> StagePlayer {
    let username = NAMES[seed as usize - 1];
    StagePlayer {
        user_id: user_id(seed),
        username: username.to_owned(),
        display_name: display_name(username),
        profile_url: None,
        is_bot: None,
        seed,
    }
}

/// A match of these, with the winners of its games; a game without one is on.
fn pairing(board: u32, seeds: &[u32], games: &[Option<u32>], winner: Option<(u32, MatchReason)>) -> StagePairing {
    let game = |(number, winner): (u32, &Option<u32>)| StageGame {
        game_id: game_id(board * 16 + number),
        winner_user_id: winner.map(user_id),
    };
    StagePairing {
        board,
        players: seeds.iter().map(|seed| player(*seed)).collect(),
        bye: winner.is_some_and(|(_, reason)| reason == MatchReason::Bye),
        games: (1..).zip(games).map(game).collect(),
        winner_user_id: winner.filter(|(seed, _)| *seed > 0).map(|(seed, _)| user_id(seed)),
        reason: winner.map(|(_, reason)| reason),
    }
}

fn played(board: u32, seeds: &[u32], games: &[u32], winner: u32) -> StagePairing {
    let games: Vec<_> = games.iter().map(|seed| Some(*seed)).collect();
    pairing(board, seeds, &games, Some((winner, MatchReason::Played)))
}

fn round(round: u32, state: RoundState, seconds: Option<i64>, pairings: Vec<StagePairing>) -> StageRound {
    let starts_at = seconds.map(|seconds| Timestamp::from_millis(START + seconds * 1_000));
    StageRound { round, state, starts_at, not_before: None, pairings }
}

pub fn stage_event(format: EventFormat, state: EventState) -> Event {
    let at = |minutes: i64| Some(Timestamp::from_millis(START + minutes * 60_000));
    Event {
        title: "Club evening".to_owned(),
        start_time: at(-10),
        end_time: at(80),
        max_losses: 0,
        signup_count: 9,
        format,
        rounds: (format == EventFormat::Swiss).then_some(4),
        board_size: EventBoard::Size(3),
        match_games: Some(2),
        third_place: (format == EventFormat::Knockout).then_some(true),
        double_rounds: (format == EventFormat::RoundRobin).then_some(false),
        ..event(EVENT, state)
    }
}

/// A Swiss of nine players in its second round.
pub fn swiss_rounds() -> RoundsAnswer {
    let first = vec![
        played(1, &[1, 5], &[1, 1], 1),
        played(2, &[6, 2], &[6, 2, 2], 2),
        played(3, &[3, 7], &[3, 3], 3),
        pairing(4, &[8, 4], &[], Some((4, MatchReason::Absent))),
        pairing(5, &[9], &[], Some((9, MatchReason::Bye))),
    ];
    let second = vec![
        pairing(1, &[2, 1], &[Some(1), None], None),
        played(2, &[3, 4], &[3, 4, 4], 4),
        pairing(3, &[9, 5], &[Some(9)], None),
        pairing(4, &[7, 6], &[Some(7)], Some((6, MatchReason::Ruling))),
        pairing(5, &[8], &[], Some((8, MatchReason::Bye))),
    ];
    let rounds = vec![round(1, RoundState::Ended, Some(-600), first), round(2, RoundState::Playing, Some(-90), second)];
    RoundsAnswer { rounds, expected_rounds: 4 }
}

/// A knockout of eight players in its semi-finals, with the final and the match for the third place planned.
fn knockout_rounds() -> RoundsAnswer {
    let quarter_finals = vec![
        played(1, &[1, 8], &[1, 1], 1),
        played(2, &[4, 5], &[4, 5, 5], 5),
        played(3, &[2, 7], &[2, 2], 2),
        played(4, &[3, 6], &[3, 3], 3),
    ];
    let semi_finals = vec![played(1, &[1, 5], &[1, 1], 1), pairing(2, &[2, 3], &[Some(3), None], None)];
    let last = vec![pairing(1, &[1], &[], None), pairing(2, &[5], &[], None)];
    let rounds = vec![
        round(1, RoundState::Ended, Some(-600), quarter_finals),
        round(2, RoundState::Playing, Some(-90), semi_finals),
        round(3, RoundState::Planned, None, last),
    ];
    RoundsAnswer { rounds, expected_rounds: 3 }
}

pub fn swiss_standings() -> StandingsAnswer {
    let row = |rank, seed: u32, points, ties: [f64; 5], withdrawn| {
        let StagePlayer { user_id, username, display_name, profile_url, is_bot, seed } = player(seed);
        let [buchholz_cut1, buchholz, sonneborn_berger, wins, head_to_head] = ties;
        let tie_breaks = Some(TieBreaks { buchholz_cut1, buchholz, sonneborn_berger, wins, head_to_head });
        StageStanding {
            rank,
            user_id,
            username,
            display_name,
            profile_url,
            is_bot,
            seed,
            points,
            tie_breaks,
            withdrawn,
            disqualified: false,
            disqualification: None,
            terms: None,
        }
    };
    let standings = vec![
        row(1, 4, 2.0, [1.0, 2.0, 1.5, 1.0, 0.0], false),
        row(2, 1, 1.0, [1.0, 2.0, 1.0, 1.0, 0.0], false),
        row(3, 2, 1.0, [0.0, 1.0, 1.0, 1.0, 0.0], false),
        row(4, 3, 1.0, [0.0, 2.0, 0.0, 1.0, 0.0], false),
        row(5, 6, 1.0, [0.0, 1.0, 0.0, 0.0, 0.0], false),
        row(6, 8, 1.0, [0.0, 0.5, 0.0, 0.0, 0.0], true),
        row(6, 9, 1.0, [0.0, 0.5, 0.0, 0.0, 0.0], false),
        row(8, 5, 0.0, [1.0, 1.0, 0.0, 0.0, 0.0], false),
        row(9, 7, 0.0, [1.0, 1.0, 0.0, 0.0, 0.0], false),
    ];
    StandingsAnswer { standings }
}

fn rounds_call() -> GetRounds {
    GetRounds { event_id: event_id(EVENT), user_id: None }
}

fn standings_call() -> GetStandings {
    GetStandings { event_id: event_id(EVENT), user_id: None }
}

/// An event in full, with its rounds and its standings.
pub fn with_rounds(size: (u16, u16), event: Event, rounds: RoundsAnswer) -> Console {
    let mut console = with_events(size, vec![event]);
    console.press("Enter");
    console.reply(rounds_call(), Reply::GetRounds(rounds));
    console.reply(standings_call(), Reply::GetStandings(swiss_standings()));
    console
}

pub fn swiss(size: (u16, u16)) -> Console {
    with_rounds(size, stage_event(EventFormat::Swiss, EventState::Started), swiss_rounds())
}

fn knockout(size: (u16, u16)) -> Console {
    let event = stage_event(EventFormat::Knockout, EventState::Started);
    let mut console = with_rounds(size, event, knockout_rounds());
    let mut answer = swiss_standings();
    answer.standings.iter_mut().for_each(|row| row.tie_breaks = None);
    answer.standings.truncate(8);
    console.reply(standings_call(), Reply::GetStandings(answer));
    console
}

fn said(console: &Console) -> String {
    console.app.toasts.iter().last().map(|toast| toast.text.clone()).unwrap_or_default()
}

fn only_call(effects: &[Effect]) -> Call {
    let calls = calls(effects);
    let [call] = calls[..] else { panic!("one call, not {calls:?}") };
    call.clone()
}

/// The number of the round that is shown.
fn shown_round(console: &Console) -> Option<u32> {
    let detail = console.app.tabs.events.detail.as_ref().expect("an event");
    detail.rounds.shown().map(|round| round.round)
}

fn line(console: &mut Console, line: &str) -> Vec<Effect> {
    console.press(":");
    console.type_text(line);
    console.press("Enter")
}

#[test]
fn rounds_and_standings() {
    for (name, size) in [("least", LEAST), ("small", SMALL), ("large", LARGE)] {
        let mut console = swiss(size);
        assert_snapshot!(format!("{name}_rounds"), screen(&console));
        console.press("Right");
        assert_snapshot!(format!("{name}_standings"), screen(&console));
        let mut console = knockout(size);
        assert_snapshot!(format!("{name}_knockout"), screen(&console));
        console.press("n");
        assert_snapshot!(format!("{name}_knockout_final"), screen(&console));
        console.press("Right");
        assert_snapshot!(format!("{name}_knockout_standings"), screen(&console));
    }
    for keys in ["p", "Right"] {
        let mut console = swiss(SMALL);
        console.press(keys);
        let plain = text(&buffer(&console, Palette::None, true));
        // Names are as people write them.
        let plain = plain.replace("日本太郎", "");
        assert!(plain.is_ascii(), "{plain}");
    }
    let mut help = swiss((130, 40));
    help.press("?");
    assert_snapshot!("help_rounds", screen(&help));
}

#[test]
fn rounds_that_are_not_there() {
    let event = || stage_event(EventFormat::Swiss, EventState::Started);
    let mut console = with_events(SMALL, vec![event()]);
    console.press("Enter");
    assert_snapshot!("rounds_loading", screen(&console));
    console.refuse(rounds_call(), CommandError::new(FailureKind::Absent, "This server does not have that yet."));
    assert_snapshot!("rounds_absent", screen(&console));
    let none = RoundsAnswer { rounds: vec![], expected_rounds: 0 };
    assert_snapshot!("rounds_none", screen(&with_rounds(SMALL, event(), none)));
    let mut console = swiss(SMALL);
    console.net(NetEvent::Disconnected { why: "The connection was lost.".to_owned(), retry_in_ms: 3_000 });
    assert_snapshot!("rounds_disconnected", screen(&console));
    let mut console = swiss(SMALL);
    console.press("/");
    console.type_text("nobody like this");
    assert_snapshot!("rounds_filtered", screen(&console));

    // Before the start there is nothing but who is registered.
    let mut console = with_events(SMALL, vec![stage_event(EventFormat::Knockout, EventState::Published)]);
    console.press("Enter");
    let shown = screen(&console);
    assert!(shown.contains("Registered") && !shown.contains("Rounds"), "{shown}");
    assert!(shown.contains("format Knockout, third place   match 2 games on 3×3"), "{shown}");
}

#[test]
fn a_round_says_how_far_it_is() {
    let first = |state, seconds| round(1, state, seconds, vec![pairing(1, &[1, 2], &[], None)]);
    let paused = Event { paused: Some(true), ..stage_event(EventFormat::Swiss, EventState::Started) };
    let event = stage_event(EventFormat::Swiss, EventState::Started);
    let not_before = |seconds: i64| {
        let at = Timestamp::from_millis(START + seconds * 1_000);
        StageRound { not_before: Some(at), ..first(RoundState::Planned, None) }
    };
    let (fixed, late) = (not_before(90), not_before(-5));
    for (event, round, told) in [
        (&event, first(RoundState::Planned, Some(12)), "Round 1 of 4   games open in 0:12"),
        (&event, first(RoundState::Playing, Some(-5)), "Round 1 of 4   0 of 1 match decided"),
        (&event, first(RoundState::Planned, None), "Round 1 of 4   not paired yet"),
        (&event, fixed, "Round 1 of 4   not paired yet, begins in 1:30 or later"),
        (&event, late, "Round 1 of 4   not paired yet"),
        (&paused, first(RoundState::Planned, Some(12)), "Round 1 of 4   begins when the event is resumed"),
    ] {
        let answer = RoundsAnswer { rounds: vec![round], expected_rounds: 4 };
        let shown = screen(&with_rounds(SMALL, event.clone(), answer));
        assert!(shown.contains(told), "{told}\n{shown}");
        assert_eq!(shown.contains("left   paused"), event.paused.is_some(), "{shown}");
    }
}

#[test]
fn keys_go_through_the_rounds_and_the_current_one_is_followed() {
    let mut console = swiss(SMALL);
    assert_eq!(shown_round(&console), Some(2), "the current one first");
    console.press("p");
    assert!(screen(&console).contains("Round 1 of 4   all matches are decided"), "{}", screen(&console));
    console.press("p p");
    assert_eq!(shown_round(&console), Some(1), "there is none before");
    console.press("n n");
    assert_eq!(shown_round(&console), Some(2), "there is none behind");
    let mut further = swiss_rounds();
    further.rounds.push(round(3, RoundState::Planned, Some(20), vec![pairing(1, &[1, 4], &[], None)]));
    console.reply(rounds_call(), Reply::GetRounds(further.clone()));
    assert_eq!(shown_round(&console), Some(3), "the next one is shown when it is paired");
    console.press("p");
    further.rounds.push(round(4, RoundState::Planned, Some(40), vec![]));
    console.reply(rounds_call(), Reply::GetRounds(further));
    assert_eq!(shown_round(&console), Some(2), "a round that was chosen stays");

    line(&mut console, "round 1");
    assert_eq!(shown_round(&console), Some(1));
    line(&mut console, "round 9");
    let Some(Dialog::Palette(palette)) = &console.app.dialog else { panic!("it is wrong") };
    assert_eq!(palette.error.as_deref(), Some("Choose a round from 1 to 4."));
}

#[test]
fn frames_have_rounds_and_standings_asked_for_again() {
    let asked = |effects: &[Effect]| {
        let calls = calls(effects).into_iter().cloned().collect::<Vec<_>>();
        (calls.contains(&rounds_call().into()), calls.contains(&standings_call().into()))
    };
    let event = event_id(EVENT);
    for frame in [
        ServerFrame::RoundPaired(RoundPaired { event_id: event, round: 3 }),
        ServerFrame::RoundEnded(RoundEnded { event_id: event, round: 2 }),
        ServerFrame::StandingsChanged(StandingsChanged { event_id: event }),
    ] {
        let mut console = swiss(SMALL);
        assert_eq!(asked(&console.pass(100)), (false, false));
        assert_eq!(asked(&console.frame(frame.clone())), (true, true), "{frame:?}");
        let mut console = swiss(SMALL);
        console.press("Right");
        assert_eq!(asked(&console.frame(frame)), (false, true), "the rounds are asked for when they are shown");
        assert_eq!(asked(&console.press("Left")), (true, false));
    }
    let mut console = swiss(SMALL);
    let other = StandingsChanged { event_id: event_id(9) };
    assert_eq!(asked(&console.frame(ServerFrame::StandingsChanged(other))), (false, false), "of another event");
    assert_eq!(asked(&console.pass(3_000)), (true, false), "and now and then without a frame");
    assert_eq!(asked(&console.pass(12_000)), (false, true));
}

#[test]
fn enter_opens_the_latest_game_of_a_match_and_the_menu_all_of_them() {
    let mut console = swiss(SMALL);
    let call = only_call(&console.press("Enter"));
    assert_eq!(call, Call::GetGame(GetGame { game_id: game_id(18) }));
    let call = only_call(&console.press("a 1"));
    assert_eq!(call, Call::GetGame(GetGame { game_id: game_id(17) }));
    assert_snapshot!("rounds_menu", {
        console.press("a");
        screen(&console)
    });
    console.press("Escape p j j j");
    assert!(console.press("Enter").is_empty());
    assert_eq!(said(&console), "No game of this match was opened.");
    let mut console = swiss(SMALL);
    let effects = console.press("Right Enter");
    let listed = calls(&effects).into_iter().any(|call| matches!(call, Call::ListUsers(_)));
    assert!(listed, "the account is looked up: {effects:?}");
}

#[test]
fn a_result_is_set_with_a_winner_and_a_reason() {
    let mut console = swiss(SMALL);
    console.press("d");
    assert_snapshot!("dialog_result", screen(&console));
    assert!(console.press("Enter r Enter").is_empty(), "nobody is chosen");
    assert!(screen(&console).contains("Please choose who wins."), "{}", screen(&console));
    for (keys, winner) in [("Space", Some(2)), ("Right Right", Some(1)), ("Left", None), ("Space Left", None)] {
        let mut console = swiss(SMALL);
        console.press("d");
        console.press(keys);
        console.press("Enter");
        console.type_text("Both saw it");
        let call = only_call(&console.press("Enter"));
        let reason = "Both saw it".to_owned();
        let winner_user_id = winner.map(user_id);
        let expected = SetResult { event_id: event_id(EVENT), round: 2, board: 1, winner_user_id, reason };
        assert_eq!(call, Call::SetResult(expected), "{keys}");
        let answer = EventAnswer { event: stage_event(EventFormat::Swiss, EventState::Started) };
        let asked = console.reply(call, Reply::SetResult(answer));
        assert_eq!(said(&console), "The result of board 1 is set.");
        assert!(console.app.dialog.is_none() && asked.is_empty());
        assert!(calls(&console.pass(100)).contains(&&rounds_call().into()), "it is seen at once");
    }
    // A round before: what follows from it.
    let mut console = swiss(SMALL);
    console.press("p d");
    let shown = screen(&console);
    assert!(shown.contains("Correct the result of round 1, board 1?"), "{shown}");
    assert!(shown.contains("the pairings of later rounds stay"), "{shown}");
    console.press("Escape");
    // A bye has no result to set, nor has a match without players; the palette knows boards.
    console.press("G d");
    assert!(console.app.dialog.is_none());
    assert_eq!(said(&console), "There is no match to decide.");
    console.press("n");
    line(&mut console, "set-result 3");
    assert!(screen(&console).contains("Set the result of round 2, board 3?"), "{}", screen(&console));
    console.press("Escape");
    line(&mut console, "set-result 9");
    assert_eq!(said(&console), "Round 2 has no board 9.");
    let mut console = knockout(SMALL);
    console.press("n d");
    assert!(console.app.dialog.is_none(), "it is not paired");
}

#[test]
fn a_player_is_withdrawn_and_reinstated() {
    let (event_id, reason) = (event_id(EVENT), "He had to leave".to_owned());
    let mut console = swiss(SMALL);
    console.press("Right w");
    assert_snapshot!("dialog_withdraw", screen(&console));
    console.type_text(&reason);
    let call = only_call(&console.press("Enter"));
    let expected = WithdrawPlayer { event_id, user_id: user_id(4), reason: reason.clone() };
    assert_eq!(call, Call::WithdrawPlayer(expected));
    let answer = EventAnswer { event: stage_event(EventFormat::Swiss, EventState::Started) };
    console.reply(call, Reply::WithdrawPlayer(answer));
    assert_eq!(said(&console), "Alexandra Verylong-Usernamesdottir @a_very_long_username is withdrawn.");

    console.press("j j j j j w");
    console.type_text(&reason);
    let call = only_call(&console.press("Enter"));
    assert_eq!(call, Call::ReinstatePlayer(ReinstatePlayer { event_id, user_id: user_id(8), reason }));

    let mut console = swiss(SMALL);
    for (typed, title) in [("withdraw anna", "Withdraw Anna Petit @anna?"), ("reinstate fay", "Reinstate fay?")] {
        line(&mut console, typed);
        assert!(screen(&console).contains(title), "{}", screen(&console));
        console.press("Escape");
    }
    for (typed, error) in
        [("withdraw fay", "There is no player 'fay'."), ("reinstate anna", "There is no player 'anna'.")]
    {
        line(&mut console, typed);
        let Some(Dialog::Palette(palette)) = &console.app.dialog else { panic!("{typed} is wrong") };
        assert_eq!(palette.error.as_deref(), Some(error));
        console.press("Escape");
    }
}

#[test]
fn a_player_is_disqualified() {
    let (event_id, reason) = (event_id(EVENT), "An engine was open".to_owned());
    let mut console = swiss(SMALL);
    console.press("Right a q");
    assert_snapshot!("dialog_disqualify", screen(&console));
    console.type_text(&reason);
    let call = only_call(&console.press("Enter"));
    let expected = DisqualifyPlayer { event_id, user_id: user_id(4), reason };
    assert_eq!(call, Call::DisqualifyPlayer(expected));
    let answer = EventAnswer { event: stage_event(EventFormat::Swiss, EventState::Started) };
    console.reply(call, Reply::DisqualifyPlayer(answer));
    assert_eq!(said(&console), "Alexandra Verylong-Usernamesdottir @a_very_long_username is disqualified.");
    let mut standings = swiss_standings();
    (standings.standings[0].withdrawn, standings.standings[0].disqualified) = (true, true);
    console.reply(standings_call(), Reply::GetStandings(standings));
    let shown = screen(&console);
    assert!(shown.contains("1 withdrawn") && shown.contains("1 disqualified"), "{shown}");
    console.press("a");
    let shown = screen(&console);
    assert!(shown.contains("reinstate Alex") && !shown.contains("disqualify Alex"), "{shown}");
    console.press("Escape");
    line(&mut console, "disqualify anna");
    assert!(screen(&console).contains("Disqualify Anna Petit @anna?"), "{}", screen(&console));
}

#[test]
fn somebody_is_signed_up_by_their_username() {
    let mut console = swiss(SMALL);
    line(&mut console, "add-player zoe");
    assert!(screen(&console).contains("Sign up zoe?"), "{}", screen(&console));
    let call = only_call(&console.press("y"));
    let expected = CreatePlayer { event_id: event_id(EVENT), user_id: None, username: Some("zoe".to_owned()) };
    assert_eq!(call, Call::CreatePlayer(expected));
}

#[test]
fn a_match_of_the_last_round_is_played_again() {
    let (event_id, reason) = (event_id(EVENT), "The board froze".to_owned());
    let mut console = swiss(SMALL);
    console.press("a g");
    assert_snapshot!("dialog_replay", screen(&console));
    console.type_text(&reason);
    let call = only_call(&console.press("Enter"));
    let game_id = Some(game_id(18));
    assert_eq!(call, Call::ReplayMatch(ReplayMatch { event_id, round: 2, board: 1, game_id, reason }));
    let answer = EventAnswer { event: stage_event(EventFormat::Swiss, EventState::Started) };
    console.reply(call, Reply::ReplayMatch(answer));
    assert_eq!(said(&console), "Board 1 is played again.");
    assert!(calls(&console.pass(100)).contains(&&rounds_call().into()), "it is seen at once");
    line(&mut console, "replay-match 4");
    assert!(screen(&console).contains("Have round 2, board 4 played again?"), "{}", screen(&console));
    console.press("Escape");
    line(&mut console, "replay-match 9");
    assert_eq!(said(&console), "Round 2 has no board 9.");
    console.press("p a");
    assert!(!screen(&console).contains("have board"), "a later round is paired: {}", screen(&console));
    console.press("Escape");
    line(&mut console, "replay-match");
    let Some(Dialog::Palette(palette)) = &console.app.dialog else { panic!("nothing is wrong with it") };
    assert_eq!(palette.error.as_deref(), Some("There is no match to play again."));
}

#[test]
fn a_round_that_waits_is_started() {
    let event = || stage_event(EventFormat::Swiss, EventState::Started);
    let mut waiting = swiss_rounds();
    waiting.rounds[1].state = RoundState::Planned;
    let mut console = with_rounds(SMALL, event(), waiting.clone());
    let call = only_call(&console.press("a s y"));
    assert_eq!(call, Call::StartRound(StartRound { event_id: event_id(EVENT), round: 2 }));
    console.reply(call, Reply::StartRound(EventAnswer { event: event() }));
    assert_eq!(said(&console), "Round 2 has begun.");
    line(&mut console, "start-round");
    assert!(screen(&console).contains("Start round 2 now?"), "{}", screen(&console));
    let paused = Event { paused: Some(true), ..event() };
    for mut console in [swiss(SMALL), with_rounds(SMALL, paused, waiting)] {
        console.press("a");
        assert!(!screen(&console).contains("start round"), "{}", screen(&console));
        console.press("Escape");
        line(&mut console, "start-round");
        let Some(Dialog::Palette(palette)) = &console.app.dialog else { panic!("no round waits") };
        assert_eq!(palette.error.as_deref(), Some("No round waits to begin."));
    }
}

#[test]
fn an_event_is_paused_resumed_and_extended() {
    let event_id = event_id(EVENT);
    let event = || stage_event(EventFormat::Swiss, EventState::Started);
    let mut console = swiss(SMALL);
    let call = only_call(&console.press("Space y"));
    assert_eq!(call, Call::PauseEvent(PauseEvent { event_id }));
    let paused = Event { paused: Some(true), ..event() };
    console.reply(call, Reply::PauseEvent(EventAnswer { event: paused }));
    assert_eq!(said(&console), "'Club evening' is paused.");
    assert_snapshot!("rounds_paused", screen(&console));
    let call = only_call(&console.press("a u y"));
    assert_eq!(call, Call::ResumeEvent(ResumeEvent { event_id }));
    console.reply(call, Reply::ResumeEvent(EventAnswer { event: event() }));
    assert_eq!(said(&console), "'Club evening' goes on.");

    console.press("x");
    assert_snapshot!("dialog_extend", screen(&console));
    console.press("C-u");
    console.type_text("later");
    assert!(console.press("Enter").is_empty());
    assert!(screen(&console).contains("Write 2026-11-21 20:00"), "{}", screen(&console));
    console.press("C-u");
    console.type_text("+90m");
    let call = only_call(&console.press("Enter"));
    let end_time = Timestamp::from_millis(START + 90 * 60_000);
    assert_eq!(call, Call::ExtendEvent(ExtendEvent { event_id, end_time }));
    let later = Event { end_time: Some(end_time), ..event() };
    console.reply(call, Reply::ExtendEvent(EventAnswer { event: later }));
    assert!(screen(&console).contains("ends 2026-11-21 11:30"), "{}", screen(&console));

    // An arena has another end, too, but nothing to pause.
    let mut console = with_events(SMALL, vec![event_of(EventState::Started)]);
    line(&mut console, "extend");
    assert!(screen(&console).contains("Move the end of 'Cup 1'?"), "{}", screen(&console));
    console.press("Escape");
    line(&mut console, "pause");
    assert_eq!(said(&console), "An arena has no rounds to pause.");
    let mut console = with_events(SMALL, vec![event_of(EventState::Ended)]);
    line(&mut console, "extend");
    assert_eq!(said(&console), "Only a published or a live event can be extended.");
}

fn event_of(state: EventState) -> Event {
    event(1, state)
}

#[test]
fn nothing_is_changed_when_the_winners_are_final_or_the_console_is_read_only() {
    let event = stage_event(EventFormat::Swiss, EventState::Ended);
    let mut console = with_rounds(SMALL, event, swiss_rounds());
    console.press("d");
    assert!(console.app.dialog.is_none());
    console.press("a");
    let shown = screen(&console);
    assert!(shown.contains("watch game 2") && !shown.contains("set the result"), "{shown}");
    console.press("Escape Right a");
    assert!(!screen(&console).contains("withdraw Alex"), "{}", screen(&console));
    console.press("Escape w");
    assert!(console.app.dialog.is_none());
    assert_eq!(said(&console), "The winners are final.");

    let mut console = swiss(SMALL);
    console.app.context.options.is_read_only = true;
    for keys in ["d", "Space", "x", "Right w"] {
        console.press(keys);
        assert!(console.app.dialog.is_none(), "{keys}");
        assert_eq!(said(&console), "This console is read-only.");
    }
    let shown = screen(&console);
    assert!(!shown.contains("w withdraw") && !shown.contains("pause"), "{shown}");
}

#[test]
fn an_event_that_starts_while_it_is_shown_gets_rounds() {
    let mut console = with_events(SMALL, vec![stage_event(EventFormat::Swiss, EventState::Published)]);
    console.press("Enter");
    let call = GetEventById { event_id: event_id(EVENT) };
    let started = stage_event(EventFormat::Swiss, EventState::Started);
    console.reply(call, Reply::GetEventById(EventAnswer { event: started }));
    let shown = screen(&console);
    assert!(shown.contains("▸ Rounds     Standings     Games"), "{shown}");
    assert!(calls(&console.pass(100)).contains(&&rounds_call().into()));
}

/// A form for a new event with this format chosen, and the focus on it.
fn form(size: (u16, u16), format: EventFormat) -> Console {
    let mut console = with_events(size, vec![]);
    console.press("n");
    console.type_text("Club evening");
    console.press("Down Down Down Down Down Down");
    let times = EventFormat::ALL.iter().position(|one| *one == format).expect("it is one");
    for _ in 0..times {
        console.press("Right");
    }
    console
}

fn fields(console: &Console) -> Vec<Field> {
    let Some(Dialog::EventForm(form)) = &console.app.dialog else { panic!("a form") };
    form.fields()
}

#[test]
fn the_form_has_the_fields_of_the_chosen_format() {
    for format in EventFormat::ALL {
        let console = form(SMALL, *format);
        assert_snapshot!(format!("form_{format}"), screen(&console));
        // With notes at both times, and that of the longest field, everything is seen.
        let mut console = form(SMALL, *format);
        console.press("Up Up");
        console.type_text("+1h");
        console.press("Down");
        console.type_text("+3h");
        let mut shown = screen(&console);
        for _ in fields(&console) {
            console.press("Down");
            shown.push_str(&screen(&console));
            assert!(screen(&console).contains("Ctrl-s save"), "{shown}");
        }
        for field in fields(&console) {
            assert!(shown.contains(field.label()), "{}\n{shown}", field.label());
        }
    }
    assert_snapshot!("least_form_swiss", screen(&form(LEAST, EventFormat::Swiss)));
    let arena = fields(&form(SMALL, EventFormat::Arena));
    assert!(arena.contains(&Field::MaxLosses) && !arena.contains(&Field::Board));
    let mut console = form(SMALL, EventFormat::Arena);
    console.press("Left");
    assert!(fields(&console).contains(&Field::Twice), "arrows go both ways");
    let plain = text(&buffer(&form(SMALL, EventFormat::Swiss), Palette::None, true));
    assert!(plain.is_ascii() && plain.contains("3x3"), "{plain}");
}

#[test]
fn only_what_the_format_has_is_sent() {
    let created = |format, keys: &[&str]| {
        let mut console = form(SMALL, format);
        keys.iter().for_each(|keys| drop(console.press(keys)));
        let Call::CreateEvent(call) = only_call(&console.press("C-s")) else { panic!("an event is created") };
        (
            call.format,
            call.board_size.and_then(EventBoard::size),
            call.match_games,
            call.rounds,
            call.third_place,
            call.double_rounds,
            call.max_losses,
        )
    };
    assert_eq!(created(EventFormat::Arena, &[]), (None, None, None, None, None, None, Some(3)));
    assert_eq!(
        created(EventFormat::Knockout, &["Down Right Down Left Down Space"]),
        (Some(EventFormat::Knockout), Some(4), Some(1), None, Some(true), None, None)
    );
    assert_eq!(
        created(EventFormat::Swiss, &["Down Down Down 7"]),
        (Some(EventFormat::Swiss), Some(3), Some(2), Some(7), None, None, None)
    );
    assert_eq!(created(EventFormat::Swiss, &[]), (Some(EventFormat::Swiss), Some(3), Some(2), None, None, None, None));
    assert_eq!(
        created(EventFormat::RoundRobin, &["Down Down Down Space"]),
        (Some(EventFormat::RoundRobin), Some(3), Some(2), None, None, Some(true), None)
    );
    let mut console = form(SMALL, EventFormat::Knockout);
    console.press("Down Down Down Down Down");
    console.type_text("2027-05-01 20:00, 2027-05-02 20:00");
    let Call::CreateEvent(call) = only_call(&console.press("C-s")) else { panic!("an event is created") };
    let times: [Timestamp; 2] =
        ["2027-05-01T20:00:00Z", "2027-05-02T20:00:00Z"].map(|at| serde_json::from_value(at.into()).unwrap());
    assert_eq!(call.round_times, Some(times.to_vec()));
    let mut console = form(SMALL, EventFormat::Knockout);
    console.press("Down Down Down Down Down");
    console.type_text("soon");
    assert!(console.press("C-s").is_empty(), "that is no time");
    let mut console = form(SMALL, EventFormat::Swiss);
    console.press("Down Down Down 3 3");
    assert!(console.press("C-s").is_empty());
    assert!(
        screen(&console).contains("Please enter a number from 1 to 32, or leave it empty."),
        "{}",
        screen(&console)
    );
}

#[test]
fn an_edited_event_is_sent_what_changed_of_its_format() {
    let edited = |event: Event, keys: &str| {
        let mut console = with_events(SMALL, vec![event]);
        console.press("e Down Down Down Down Down Down");
        console.press(keys);
        let Call::UpdateEvent(call) = only_call(&console.press("C-s")) else { panic!("an event is changed") };
        (
            call.format,
            call.board_size.and_then(EventBoard::size),
            call.match_games,
            call.rounds,
            call.third_place,
            call.double_rounds,
            call.max_losses,
        )
    };
    let swiss = || stage_event(EventFormat::Swiss, EventState::Published);
    assert_eq!(edited(swiss(), "Down Right"), (None, Some(4), None, None, None, None, None));
    assert_eq!(edited(swiss(), "Down Down Down BSpace"), (None, None, None, Some(0), None, None, None));
    assert_eq!(
        edited(swiss(), "Right"),
        (Some(EventFormat::RoundRobin), Some(3), Some(2), None, None, Some(false), None),
        "another format with all that it has"
    );
    assert_eq!(edited(swiss(), "Left Left"), (Some(EventFormat::Arena), None, None, None, None, None, Some(3)));
    assert_eq!(edited(event(1, EventState::Drafted), "Down 0"), (None, None, None, None, None, None, Some(30)));
}

#[test]
fn the_form_has_the_clock_of_an_event() {
    let to_clock = |console: &mut Console| {
        while let Some(Dialog::EventForm(form)) = &console.app.dialog
            && form.field() != Field::Clock
        {
            console.press("Down");
        }
    };
    for (keys, clock) in
        [(&[][..], None), (&["Space"][..], Some(QuickMatchClock::Increment)), (&["Space", "Left"][..], None)]
    {
        let mut console = form(SMALL, EventFormat::Knockout);
        to_clock(&mut console);
        keys.iter().for_each(|keys| drop(console.press(keys)));
        let Call::CreateEvent(call) = only_call(&console.press("C-s")) else { panic!("an event is created") };
        assert_eq!(call.clock, clock, "{keys:?}");
    }
    let timed = Event { clock: QuickMatchClock::Increment, ..stage_event(EventFormat::Swiss, EventState::Published) };
    let mut console = with_events(LARGE, vec![timed]);
    console.press("Enter");
    assert!(screen(&console).contains("clock 1 min + 2 s a move"), "{}", screen(&console));
    console.press("Escape e");
    to_clock(&mut console);
    console.press("Right");
    let Call::UpdateEvent(call) = only_call(&console.press("C-s")) else { panic!("an event is changed") };
    assert_eq!((call.clock, call.format, call.board_size), (Some(QuickMatchClock::Turn15), None, None));
}

/// The standings with how the tie-breaks of the first came.
pub fn with_terms() -> StandingsAnswer {
    let mut answer = swiss_standings();
    answer.standings.truncate(1);
    let term = |tie_break, round, opponent: Option<u32>, value, cut| TieBreakTerm {
        tie_break,
        round,
        opponent: opponent.map(player),
        value,
        cut,
    };
    answer.standings[0].terms = Some(vec![
        term(TieBreakName::BuchholzCut1, 1, Some(3), 1.0, false),
        term(TieBreakName::BuchholzCut1, 2, None, 0.5, true),
        term(TieBreakName::Buchholz, 1, Some(3), 1.0, false),
        term(TieBreakName::Buchholz, 2, None, 0.5, false),
        term(TieBreakName::Wins, 1, Some(3), 1.0, false),
    ]);
    answer
}

#[test]
fn how_tie_breaks_came() {
    let mut console = swiss(SMALL);
    console.press("Right");
    let asked = only_call(&console.press("t"));
    let call = GetStandings { user_id: Some(user_id(4)), ..standings_call() };
    assert_eq!(asked, call.clone().into());
    console.reply(call.clone(), Reply::GetStandings(with_terms()));
    let shown = screen(&console);
    for line in [
        "Round Opponent                   BC1    BH    SB  Wins   H2H",
        "1     日本太郎                         1     1           1",
        "2     nobody                   (0.5)   0.5",
        "Sum                                1     2   1.5     1     0",
        "Values in brackets are not counted.",
    ] {
        assert!(shown.contains(line), "{line}\n{shown}");
    }
    console.press("Escape");
    assert!(!screen(&console).contains("Values in brackets"), "closed");
    let mut none = with_terms();
    none.standings[0].terms = Some(vec![]);
    console.reply(call.clone(), Reply::GetStandings(none));
    assert!(screen(&console).contains("No round counts towards them yet."));
    console.press("q");
    // A failure is told, and leaves the table as it is.
    console.refuse(call, CommandError::new(FailureKind::Busy, "The server is stopping."));
    assert!(screen(&console).contains("Points"), "{}", screen(&console));
}

#[test]
fn players_are_checked_in_before_the_start() {
    let event = Event {
        check_in_minutes: Some(30),
        checked_in_count: Some(1),
        ..stage_event(EventFormat::Swiss, EventState::Published)
    };
    let mut console = with_events(LARGE, vec![event.clone()]);
    console.press("Enter");
    let signup = |seed: u32, checked_in| {
        let StagePlayer { user_id, username, display_name, .. } = player(seed);
        crate::hostile::signup(user_id, &username, &display_name, Some(checked_in))
    };
    let signups = vec![signup(1, true), signup(2, false)];
    let listed = morpion_openapi::event::ListSignupsForEvent {
        event_id: event.event_id,
        page: Some(1),
        limit: Some(morpion_openapi::PageRequest::MAX_LIMIT),
    };
    let answer = morpion_openapi::event::SignupsAnswer { signups, pagination: page_of(2) };
    console.reply(listed, Reply::ListSignupsForEvent(answer));
    let shown = screen(&console);
    assert!(shown.contains("check-in 30 minutes before the start, 1 of "), "{shown}");
    let row = |name: &str| shown.lines().find(|line| line.contains(name)).unwrap_or_default().to_owned();
    assert!(row("anna").contains(" yes ") && row("ben").contains(" no "), "{shown}");
    let call = |seed, is_there| {
        let (event_id, user_id) = (event.event_id, user_id(seed));
        Call::from(CheckInPlayer { event_id, user_id, checked_in: Some(is_there) })
    };
    console.press("a i");
    assert!(screen(&console).contains("Undo the check-in of"), "{}", screen(&console));
    assert_eq!(only_call(&console.press("y")), call(1, false));
    console.reply(
        CheckInPlayer { event_id: event.event_id, user_id: user_id(1), checked_in: Some(false) },
        Reply::CheckInPlayer(EventAnswer { event: Event { checked_in_count: Some(0), ..event.clone() } }),
    );
    assert!(screen(&console).contains(", 0 of "), "{}", screen(&console));
    line(&mut console, "check-in ben");
    assert_eq!(only_call(&console.press("y")), call(2, true));
    console.press("Escape");
    line(&mut console, "undo-check-in ben");
    assert!(screen(&console).contains("ben"), "only who is here can be taken back: {}", screen(&console));
}

#[test]
fn it_is_shown_who_is_there_while_the_event_is_open() {
    let event = stage_event(EventFormat::Swiss, EventState::Published);
    let event_id = event.event_id;
    let mut console = with_events(LARGE, vec![event]);
    assert_eq!(sent(&console.pass(100)), [] as [&ClientFrame; 0]);
    console.press("Enter");
    let watch = ClientFrame::WatchPresence(WatchPresence { event_id });
    assert_eq!(sent(&console.pass(100)), [&watch]);
    assert_eq!(sent(&console.pass(100)), [] as [&ClientFrame; 0]);
    let signups = [1, 2].map(|seed| {
        let StagePlayer { user_id, username, display_name, .. } = player(seed);
        crate::hostile::signup(user_id, &username, &display_name, None)
    });
    let listed = morpion_openapi::event::ListSignupsForEvent {
        event_id,
        page: Some(1),
        limit: Some(morpion_openapi::PageRequest::MAX_LIMIT),
    };
    let answer = morpion_openapi::event::SignupsAnswer { signups: signups.to_vec(), pagination: page_of(2) };
    console.reply(listed, Reply::ListSignupsForEvent(answer));
    assert!(!screen(&console).contains(" playing "), "{}", screen(&console));
    let told = |seed, presence| PlayerPresence { user_id: user_id(seed), presence };
    let players = vec![told(1, Presence::Playing), told(2, Presence::Online)];
    console.frame(ServerFrame::PresenceChanged(PresenceChanged { event_id, players }));
    console
        .frame(ServerFrame::PresenceChanged(PresenceChanged { event_id, players: vec![told(2, Presence::Offline)] }));
    let shown = screen(&console);
    let row = |name: &str| shown.lines().find(|line| line.contains(name)).unwrap_or_default().to_owned();
    assert!(shown.contains("There"), "{shown}");
    assert!(row("anna").contains(" playing ") && row("ben").contains(" offline "), "{shown}");
    // Another connection is asked anew, and what is no longer shown is not followed.
    console.net(NetEvent::Disconnected { why: "gone".to_owned(), retry_in_ms: 1_000 });
    assert!(!screen(&console).contains(" playing "), "{}", screen(&console));
    console.connect(vec![]);
    assert_eq!(sent(&console.pass(100)), [&watch]);
    console.press("Escape");
    let unwatch = ClientFrame::UnwatchPresence(UnwatchPresence { event_id });
    assert_eq!(sent(&console.pass(100)), [&unwatch]);
}
