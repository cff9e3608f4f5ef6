//! The commands for events in stage rounds: what they print, and what they ask the server for.

use morpion_openapi::{
    Timestamp,
    admin::{FoundIdsAnswer, UsersListAnswer},
    event::{Event, EventAnswer, EventFormat, EventState, Player, PlayerAnswer, StandingsAnswer},
};
use serde_json::json;

use crate::{
    fixtures::*,
    script::run,
    server::Server,
    stages::{stage_event, swiss_rounds, swiss_standings, user_id, with_terms},
};

/// A server with a Swiss in its second round.
async fn server_with_swiss() -> Server {
    let server = Server::start().await;
    let event = stage_event(EventFormat::Swiss, EventState::Started);
    server.answer("get_event_by_id", &EventAnswer { event: event.clone() });
    server.answer("get_rounds", &swiss_rounds());
    server.answer("get_standings", &swiss_standings());
    server.answer("list_users", &UsersListAnswer { users: users(), pagination: page_of(4) });
    for action in [
        "set_result",
        "replay_match",
        "start_round",
        "withdraw_player",
        "disqualify_player",
        "reinstate_player",
        "check_in_player",
        "pause_event",
        "resume_event",
        "extend_event",
    ] {
        server.answer(action, &EventAnswer { event: event.clone() });
    }
    server
}

fn id() -> String {
    stage_event(EventFormat::Swiss, EventState::Started).event_id.to_string()
}

#[tokio::test]
async fn rounds_are_printed_match_by_match() {
    let server = server_with_swiss().await;
    let (code, out, error) = run(&server.url(), &["events", "rounds", &id()]).await;
    assert_eq!((code, out.lines().count()), (0, 11), "{error}");
    for line in [
        "ROUND  STATE    BOARD  GAMES  RESULT",
        "1      ended    2      1:2    ben won ",
        "1      ended    4             Alexandra Verylong-Usernamesdottir won, by absence ",
        "1      ended    5             bye ",
        "2      playing  1      0:1    game 2 is on ",
        "2      playing  4      1:0    dora won, by decision ",
    ] {
        assert!(out.lines().any(|printed| printed.starts_with(line)), "{line}\n{out}");
    }
    let board = out.lines().find(|line| line.starts_with("2      playing  1 ")).expect("the first board");
    assert!(board.contains("  ben ") && board.ends_with("  Anna Petit @anna"), "{out}");
    let (_, out, _) = run(&server.url(), &["events", "rounds", &id(), "--json"]).await;
    let printed: Vec<serde_json::Value> =
        out.lines().map(|line| serde_json::from_str(line).expect("a round")).collect();
    assert_eq!((printed.len(), &printed[1]["state"]), (2, &json!("playing")), "a round a line");

    server.answer("get_event_by_id", &EventAnswer { event: event(1, EventState::Started) });
    let (code, out, error) = run(&server.url(), &["events", "rounds", &id()]).await;
    assert_eq!((code, out.as_str()), (6, ""));
    assert!(error.contains("An arena has no rounds"), "{error}");
}

#[tokio::test]
async fn standings_are_printed_with_their_tie_breaks() {
    let server = server_with_swiss().await;
    let (code, out, error) = run(&server.url(), &["events", "standings", &id()]).await;
    assert_eq!((code, out.lines().count()), (0, 10), "{error}");
    let titles: Vec<_> = out.lines().next().expect("titles").split_whitespace().collect();
    assert_eq!(titles, ["RANK", "PLAYER", "POINTS", "BC1", "BH", "SB", "WINS", "H2H", "SEED", "OUT", "ACCOUNT"]);
    let fay: Vec<_> = out.lines().find(|line| line.contains("fay")).expect("fay").split_whitespace().collect();
    assert_eq!(fay[..10], ["6", "fay", "1", "0", "0.5", "0", "0", "0", "8", "withdrawn"]);
    let (_, out, _) = run(&server.url(), &["events", "standings", &id(), "--json"]).await;
    assert_eq!(out.lines().count(), 9, "a player a line");

    server.answer("get_standings", &with_terms());
    let (_, out, error) = run(&server.url(), &["events", "standings", &id(), "--player", "ben"]).await;
    let ben = user(2, "ben").user_id.to_string();
    assert_eq!(server.called("get_standings").last().expect("a call")["userId"], json!(ben), "{error}");
    assert!(out.contains("ROUND  OPPONENT") && out.contains("(0.5)"), "{out}");
    assert!(out.ends_with("Values in brackets are not counted.\n"), "{out}");

    let mut knockout = swiss_standings().standings;
    knockout.iter_mut().for_each(|row| row.tie_breaks = None);
    server.answer("get_standings", &StandingsAnswer { standings: knockout });
    let (_, out, _) = run(&server.url(), &["events", "standings", &id()]).await;
    assert!(out.contains("WON  SEED") && !out.contains("BC1"), "{out}");
}

#[tokio::test]
async fn a_director_acts_by_commands() {
    let server = server_with_swiss().await;
    let (url, id) = (server.url(), id());
    for (winner, sent) in [(&["anna"][..], Some(user_id(1))), (&[], None)] {
        let arguments = [&["events", "set-result", &id, "2", "1"][..], winner, &["--reason", "Seen"]].concat();
        let (code, out, error) = run(&url, &arguments).await;
        assert_eq!(code, 0, "{error}");
        assert!(out.contains("format       Swiss, 4 rounds") && out.contains("match        2 games on 3x3"), "{out}");
        let mut expected = json!({ "eventId": id, "round": 2, "board": 1, "reason": "Seen" });
        if let Some(sent) = sent {
            expected["winnerUserId"] = sent.to_string().into();
        }
        assert_eq!(server.called("set_result").last(), Some(&expected));
    }
    let (code, _, error) = run(&url, &["events", "set-result", &id, "2", "1", "dora", "--reason", "Seen"]).await;
    assert_eq!((code, error.as_str()), (5, "morpion-tui: 'dora' does not play in round 2, board 1.\n"));
    assert_eq!(server.called("set_result").len(), 2);

    let ben = user(2, "ben").user_id.to_string();
    for (verb, action) in
        [("withdraw", "withdraw_player"), ("disqualify", "disqualify_player"), ("reinstate", "reinstate_player")]
    {
        let (code, _, error) = run(&url, &["events", verb, &id, "ben", "--reason", "Ill"]).await;
        assert_eq!(code, 0, "{error}");
        assert_eq!(server.called(action), [json!({ "eventId": id, "userId": ben, "reason": "Ill" })]);
    }
    for (undo, is_there) in [(&[][..], true), (&["--undo"], false)] {
        let arguments = [&["events", "check-in", &id, "ben"][..], undo].concat();
        assert_eq!(run(&url, &arguments).await.0, 0);
        let expected = json!({ "eventId": id, "userId": ben, "checkedIn": is_there });
        assert_eq!(server.called("check_in_player").last(), Some(&expected));
    }
    let arguments = ["events", "replay-match", &id, "2", "1", "--reason", "It froze"];
    assert_eq!(run(&url, &arguments).await.0, 0);
    let seen = swiss_rounds().rounds[1].pairings[0].games.last().expect("a game").game_id;
    let expected = json!({ "eventId": id, "round": 2, "board": 1, "gameId": seen, "reason": "It froze" });
    assert_eq!(server.called("replay_match"), [expected]);
    assert_eq!(run(&url, &["events", "start-round", &id, "3"]).await.0, 0);
    assert_eq!(server.called("start_round"), [json!({ "eventId": id, "round": 3 })]);
    let player = Player {
        user_id: user(2, "ben").user_id,
        username: "ben".to_owned(),
        display_name: "Ben".to_owned(),
        profile_url: None,
        is_bot: None,
        event_id: stage_event(EventFormat::Swiss, EventState::Started).event_id,
        level: 1,
        wins: 0,
        losses: 0,
        is_eliminated: false,
        is_removed: None,
        rank: None,
        email: None,
    };
    server.answer("create_player", &PlayerAnswer { player });
    let (code, out, error) = run(&url, &["events", "add-player", &id, "ben"]).await;
    assert_eq!((code, out.as_str()), (0, "ben is signed up.\n"), "{error}");
    assert_eq!(server.called("create_player"), [json!({ "eventId": id, "username": "ben" })]);
    for (verb, action) in [("pause", "pause_event"), ("resume", "resume_event")] {
        assert_eq!(run(&url, &["events", verb, &id]).await.0, 0);
        assert_eq!(server.called(action), [json!({ "eventId": id })]);
    }
    assert_eq!(run(&url, &["events", "extend", &id, "2030-01-01 22:00"]).await.0, 0);
    assert_eq!(server.called("extend_event"), [json!({ "eventId": id, "endTime": "2030-01-01T22:00:00Z" })]);
    let (code, _, error) = run(&url, &["events", "extend", &id, "later"]).await;
    assert!(code == 7 && error.contains("Write 2026-11-21 20:00"), "{error}");
    for wrong in [
        &["events", "set-result", &id, "2", "1", "anna"][..],
        &["events", "set-result", &id, "two", "1", "--reason", "r"],
        &["events", "withdraw", &id, "ben"],
        &["events", "disqualify", &id, "ben"],
        &["events", "replay-match", &id, "2", "1"],
        &["events", "start-round", &id],
        &["events", "extend", &id],
    ] {
        assert_eq!(run(&url, wrong).await.0, 2, "{wrong:?}");
    }
    let (code, _, error) = run(&url, &["events", "pause", &id, "--readonly"]).await;
    assert_eq!((code, error.as_str()), (4, "morpion-tui: This console is read-only.\n"));
}

#[tokio::test]
async fn events_are_created_and_edited_with_a_format() {
    let server = server_with_swiss().await;
    let url = server.url();
    let paused = Event { paused: Some(true), ..stage_event(EventFormat::Swiss, EventState::Started) };
    server.answer("create_event", &EventAnswer { event: paused.clone() });
    server.answer("update_event", &EventAnswer { event: paused });
    for (arguments, sent) in [
        (
            &["--format", "swiss", "--rounds", "5", "--board", "4", "--match-games", "1"][..],
            json!({ "format": "swiss", "rounds": 5, "boardSize": 4, "matchGames": 1 }),
        ),
        (&["--format", "knockout", "--third-place"], json!({ "format": "knockout", "thirdPlace": true })),
        (&["--format", "roundRobin", "--double"], json!({ "format": "roundRobin", "doubleRounds": true })),
        (
            &["--format", "knockout", "--round-times", "2027-05-01 20:00, 2027-05-02 20:00"],
            json!({ "format": "knockout", "roundTimes": ["2027-05-01T20:00:00Z", "2027-05-02T20:00:00Z"] }),
        ),
        (&["--format", "arena", "--max-losses", "1"], json!({ "format": "arena", "maxLosses": 1 })),
        (&["--board", "byLevel", "--clock", "1+2"], json!({ "boardSize": "byLevel", "clock": "1+2" })),
    ] {
        let (code, out, error) = run(&url, &[&["events", "create", "--title", "Cup"], arguments].concat()).await;
        assert_eq!(code, 0, "{error}");
        assert!(out.contains("paused       yes"), "{out}");
        assert!(out.contains("clock        15 s a turn"), "{out}");
        let mut expected = sent;
        expected["title"] = "Cup".into();
        assert_eq!(server.called("create_event").last(), Some(&expected));
    }
    let id = id();
    let (code, _, error) = run(&url, &["events", "edit", &id, "--rounds", "0", "--third-place", "false"]).await;
    assert_eq!(code, 0, "{error}");
    assert_eq!(server.called("update_event"), [json!({ "eventId": id, "rounds": 0, "thirdPlace": false })]);
    let (code, _, error) = run(&url, &["events", "edit", &id, "--round-times", ""]).await;
    assert_eq!(code, 0, "{error}");
    assert_eq!(server.called("update_event")[1], json!({ "eventId": id, "roundTimes": [] }));
    let (code, _, error) = run(&url, &["events", "create", "--title", "Cup", "--format", "league"]).await;
    assert!(code == 2 && error.contains("one of arena, knockout, swiss, roundRobin is wanted"), "{error}");
    let (code, _, error) = run(&url, &["events", "create", "--title", "Cup", "--board", "big"]).await;
    assert!(code == 2 && error.contains("a number from 3 to 6 is wanted, or byLevel"), "{error}");
    let (code, _, error) = run(&url, &["events", "create", "--title", "Cup", "--clock", "none"]).await;
    assert!(code == 2 && error.contains("one of turn15, 1+2 is wanted"), "{error}");
}

#[tokio::test]
async fn events_are_listed_with_their_format() {
    let server = server_with_swiss().await;
    let swiss = stage_event(EventFormat::Swiss, EventState::Started);
    let mut ended = stage_event(EventFormat::RoundRobin, EventState::Ended);
    ended.winners = events()[2].winners.clone();
    ended.end_time = Some(Timestamp::from_millis(START));
    let listed = morpion_openapi::event::EventsAnswer { events: vec![swiss], pagination: page_of(1) };
    server.answer("list_events", &listed);
    server.answer("find_ids", &FoundIdsAnswer { ids: vec![] });
    let (_, out, _) = run(&server.url(), &["events", "list"]).await;
    assert!(out.lines().nth(1).is_some_and(|line| line.contains("  started  swiss   ")), "{out}");
    server.answer("get_event_by_id", &EventAnswer { event: ended });
    let (_, out, _) = run(&server.url(), &["events", "show", "Club evening"]).await;
    assert!(out.contains("winner 1     Anna Petit @anna\n"), "levels are of arenas: {out}");
}
