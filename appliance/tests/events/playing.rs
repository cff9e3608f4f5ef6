//! From the event room to the winners.

use serde_json::{Value, json};

use crate::{
    fixture::{Fixture, details},
    person::{Person, draw, paired, started, win},
    socket::Socket,
};

async fn two(fixture: &Fixture) -> (Person, Person) {
    (Person::new(&fixture.server, "ada").await, Person::new(&fixture.server, "bob").await)
}

#[tokio::test(flavor = "multi_thread")]
async fn two_players_are_paired_and_the_winner_gains_a_level() {
    let fixture = Fixture::new().await;
    let (mut ada, mut bob) = two(&fixture).await;
    let event = fixture.started(details("Cup")).await;
    let joined = ada.enters(&event).await;
    assert_eq!((&joined["eventId"], &joined["queueSize"]), (&json!(event), &json!(0)));
    assert_eq!((&joined["player"]["username"], &joined["player"]["level"]), (&json!("ada"), &json!(1)));
    let game = paired(&mut ada, &mut bob, &event).await;
    let state = started(&mut ada, &mut bob, &game).await;
    assert_eq!(
        (&state["gameType"], &state["eventId"], &state["boardSize"]),
        (&json!("event"), &json!(event), &json!(3))
    );
    let left = state["turnDeadline"].as_i64().unwrap() - state["serverTime"].as_i64().unwrap();
    assert_eq!(left, 15_000, "15 s a turn, from the start on");

    // A spectator finds the game in the lists.
    let mut eve = Person::new(&fixture.server, "eve").await;
    let live = eve.browser.read("game", "spectatable_games", json!({ "eventId": event })).await.ok();
    assert_eq!((&live["games"][0]["gameId"], &live["games"][0]["status"]), (&json!(game), &json!("active")));
    assert_eq!(eve.socket.ask("spectateGame", json!({ "gameId": game })).await["succeeded"], true);
    let [won, lost] = win(&mut ada, &mut bob, &game, &state).await;
    let result = json!({ "winner": { "userId": ada.id }, "loser": { "userId": bob.id, "isEliminated": false } });
    for end in [&won, &lost, &eve.socket.wait("gameEnd").await] {
        assert_eq!((&end["reason"], &end["winnerUserId"]), (&json!("line"), &json!(ada.id)));
        assert_eq!((&end["tournamentResult"], &end["eventId"]), (&result, &json!(event)));
    }
    assert_eq!((&won["message"], &lost["message"]), (&json!("You Won!"), &json!("ada Won!")));
    assert_eq!(eve.socket.wait("refreshLeaderboard").await["eventId"], json!(event));
    let board = fixture.leaderboard(&event).await;
    assert_eq!((&board[0]["username"], &board[0]["level"], &board[0]["wins"]), (&json!("ada"), &json!(2), &json!(1)));
    assert_eq!((&board[1]["username"], &board[1]["level"], &board[1]["losses"]), (&json!("bob"), &json!(1), &json!(1)));

    let of_event = json!({ "eventId": event, "userId": bob.id });
    // Both at once and when its row is written (after 100 ms or more), the game is always in one of the lists.
    for _ in 0..20 {
        let listed = eve.browser.read("game", "get_games_by_event", of_event.clone()).await.ok();
        assert_eq!(
            (&listed["games"][0]["gameId"], &listed["games"][0]["winnerUserId"]),
            (&json!(game), &json!(ada.id))
        );
        assert_eq!((&listed["games"][0]["status"], &listed["games"][1]), (&json!("completed"), &Value::Null));
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    fixture.act("end_event", &event).await;
    let ended = fixture.until(&event, |event| event["winners"] != json!([])).await;
    let winner = json!({ "userId": ada.id, "username": "ada", "displayName": "ada", "level": 2, "wins": 1 });
    assert_eq!(ended["winners"], json!([winner]), "only players with a win");
    let verified = fixture.admin.read("event", "verify_event", json!({ "eventId": event })).await.ok();
    assert_eq!((&verified["agrees"], &verified["games"]), (&json!(true), &json!(1)), "{verified}");
}

#[tokio::test(flavor = "multi_thread")]
async fn after_a_draw_the_other_player_starts_a_new_round() {
    let fixture = Fixture::new().await;
    let (mut ada, mut bob) = two(&fixture).await;
    let event = fixture.started(details("Cup")).await;
    let game = paired(&mut ada, &mut bob, &event).await;
    let first = started(&mut ada, &mut bob, &game).await;
    let drawn = draw(&mut ada, &mut bob, &game, &first).await;
    assert_eq!(drawn["message"], "Round 1 ended in a draw. Starting new round...");
    let second = drawn["newGameState"].clone();
    assert_eq!((&second["drawCount"], &second["boardSize"]), (&json!(1), &json!(3)));
    assert_ne!(second["currentTurn"], first["currentTurn"]);
    let third = draw(&mut ada, &mut bob, &game, &second).await["newGameState"].clone();
    assert_eq!((&third["drawCount"], &third["boardSize"]), (&json!(2), &json!(4)), "after two draws the board grows");
    let [won, _] = win(&mut bob, &mut ada, &game, &third).await;
    assert_eq!(won["winnerUserId"], json!(bob.id));
}

#[tokio::test(flavor = "multi_thread")]
async fn losing_too_often_eliminates() {
    let fixture = Fixture::new().await;
    let (mut ada, mut bob) = two(&fixture).await;
    let mut fields = details("Knockout");
    fields["maxLosses"] = json!(1);
    let event = fixture.started(fields).await;
    let game = paired(&mut ada, &mut bob, &event).await;
    let state = started(&mut ada, &mut bob, &game).await;
    let [_, lost] = win(&mut ada, &mut bob, &game, &state).await;
    assert_eq!(lost["tournamentResult"]["loser"], json!({ "userId": bob.id, "isEliminated": true }));
    for frame in ["joinEventRoom", "findMatch"] {
        let refused = bob.socket.ask(frame, json!({ "eventId": event })).await;
        assert_eq!(
            (&refused["errorCode"], &refused["errorMessage"]),
            (&json!("eliminated"), &json!("You've Been Eliminated"))
        );
    }
    let check = json!({ "eventId": event, "userId": bob.id });
    assert_eq!(bob.browser.read("player", "check_player_for_event", check).await.ok()["isEliminated"], true);
    // The winner stays in the queue and is told that nobody is left.
    ada.enters(&event).await;
    assert_eq!(ada.seeks(&event).await["reason"], "Nobody else is waiting yet.");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_absent_opponent_has_30_seconds_to_return() {
    let fixture = Fixture::new().await;
    let (mut ada, mut bob) = two(&fixture).await;
    let event = fixture.started(details("Cup")).await;
    let game = paired(&mut ada, &mut bob, &event).await;
    let state = started(&mut ada, &mut bob, &game).await;
    bob.reconnect(&fixture.server).await;
    assert_eq!(ada.socket.wait("opponentDisconnected").await["countdown"], 30);
    bob.joins(&game).await;
    assert_eq!(ada.socket.wait("opponentReconnected").await["userId"], json!(bob.id));
    let (stays, goes) = if state["currentTurn"] == json!(ada.id) { (&mut bob, &mut ada) } else { (&mut ada, &mut bob) };
    goes.reconnect(&fixture.server).await;
    stays.socket.wait("opponentDisconnected").await;
    // The turn of the player who left expires first.
    fixture.clock.advance(15_600);
    let end = stays.socket.wait("gameEnd").await;
    assert_eq!(
        (&end["reason"], &end["winnerUserId"], &end["forfeiter"]),
        (&json!("timeout"), &json!(stays.id), &json!(goes.id))
    );
    assert_eq!(end["message"], "Opponent ran out of time. You win!");
}

#[tokio::test(flavor = "multi_thread")]
async fn not_joining_within_20_seconds_forfeits() {
    let fixture = Fixture::new().await;
    let (mut ada, mut bob) = two(&fixture).await;
    let event = fixture.started(details("Cup")).await;
    let game = paired(&mut ada, &mut bob, &event).await;
    let state = ada.joins(&game).await;
    assert_eq!(state["status"], "waiting");
    fixture.clock.advance(20_001);
    let end = ada.socket.wait("gameEnd").await;
    assert_eq!((&end["reason"], &end["winnerUserId"]), (&json!("noShow"), &json!(ada.id)));
    assert_eq!(fixture.leaderboard(&event).await[1]["losses"], 1);
    // Neither joins: void, and nobody loses.
    let game = paired(&mut ada, &mut bob, &event).await;
    fixture.clock.advance(20_001);
    let end = ada.socket.wait("gameEnd").await;
    assert_eq!((&end["gameId"], &end["reason"], &end["winnerUserId"]), (&json!(game), &json!("void"), &Value::Null));
    assert_eq!(fixture.leaderboard(&event).await[1]["losses"], 1);
    paired(&mut ada, &mut bob, &event).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn at_the_end_pairing_stops_and_games_have_a_minute() {
    let fixture = Fixture::new().await;
    let (mut ada, mut bob) = two(&fixture).await;
    let mut eve = Person::new(&fixture.server, "eve").await;
    let event = fixture.started(details("Cup")).await;
    let game = paired(&mut ada, &mut bob, &event).await;
    started(&mut ada, &mut bob, &game).await;
    eve.enters(&event).await;
    let received = eve.seeks(&event).await;
    assert_eq!((&received["queueSize"], &received["playing"]), (&json!(1), &json!(2)));
    assert_eq!(received["reason"], "All other players are in a game.");
    assert_eq!(fixture.act("end_event", &event).await["eventState"], "ended");
    let cancelled = eve.socket.wait("matchmakingCancelled").await;
    assert_eq!((&cancelled["message"], &cancelled["redirectInMs"]), (&json!("This event has ended."), &json!(1_500)));
    assert_eq!(eve.socket.ask("findMatch", json!({ "eventId": event })).await["errorCode"], "event-ended");
    assert_eq!(fixture.event(&event).await["winners"], json!([]), "not before the last game");
    // Less time used wins: the current turn is charged.
    let state = ada.joins(&game).await;
    let slow = state["currentTurn"].clone();
    fixture.clock.advance(14_000);
    let mover = if slow == json!(ada.id) { &mut ada } else { &mut bob };
    assert_eq!(mover.moves(&game, (0, 0)).await["succeeded"], true);
    fixture.clock.advance(10_000);
    let mover = if slow == json!(ada.id) { &mut bob } else { &mut ada };
    assert_eq!(mover.moves(&game, (1, 1)).await["succeeded"], true);
    for step in 0..4 {
        fixture.clock.advance(9_000);
        let mover = if (slow == json!(ada.id)) == (step % 2 == 0) { &mut ada } else { &mut bob };
        mover.moves(&game, (2, step as u8 % 3)).await;
    }
    let end = ada.socket.wait("gameEnd").await;
    assert_eq!(end["reason"], "time", "{end}");
    assert_ne!(end["winnerUserId"], slow);
    let ended = fixture.until(&event, |event| event["winners"] != json!([])).await;
    assert_eq!(ended["winners"][0]["userId"], end["winnerUserId"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn cancelling_voids_active_games() {
    let fixture = Fixture::new().await;
    let (mut ada, mut bob) = two(&fixture).await;
    let event = fixture.started(details("Cup")).await;
    let game = paired(&mut ada, &mut bob, &event).await;
    started(&mut ada, &mut bob, &game).await;
    fixture.act("cancel_event", &event).await;
    for person in [&mut ada, &mut bob] {
        let end = person.socket.wait("gameEnd").await;
        assert_eq!((&end["reason"], &end["tournamentResult"]), (&json!("void"), &Value::Null));
        let mut states = vec![];
        while states.last() != Some(&json!("cancelled")) {
            states.push(person.socket.wait("eventStateChanged").await["eventState"].clone());
        }
    }
    assert!(fixture.leaderboard(&event).await.iter().all(|player| player["wins"] == 0 && player["losses"] == 0));
    assert_eq!(ada.socket.ask("joinEventRoom", json!({ "eventId": event })).await["errorCode"], "event-cancelled");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_disconnected_player_is_not_paired_and_keeps_the_place() {
    let fixture = Fixture::new().await;
    let (mut ada, mut bob) = two(&fixture).await;
    let event = fixture.started(details("Cup")).await;
    ada.enters(&event).await;
    ada.seeks(&event).await;
    // A second tab opens, then the first closes: still one connected player.
    let mut tab = Socket::open(&fixture.server, &ada.browser).await;
    assert_eq!(tab.ask("joinEventRoom", json!({ "eventId": event })).await["succeeded"], true);
    assert_eq!(tab.wait("matchmakingStarted").await["queueSize"], 1);
    ada.reconnect(&fixture.server).await;
    drop(tab);
    tokio::time::sleep(std::time::Duration::from_millis(300)).await;
    bob.enters(&event).await;
    let received = bob.seeks(&event).await;
    assert_eq!(
        (&received["queueSize"], &received["reason"]),
        (&json!(2), &json!("All other waiting players have lost their connection."))
    );
    let update = bob.socket.wait("queueUpdate").await;
    assert!(update["waitedMs"].as_i64().unwrap() >= 0);
    ada.enters(&event).await;
    let (found, other) = (ada.socket.wait("playerFound").await, bob.socket.wait("playerFound").await);
    assert_eq!(found["gameId"], other["gameId"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn players_cannot_wait_or_play_in_two_events() {
    let fixture = Fixture::new().await;
    let (mut ada, mut bob) = two(&fixture).await;
    let first = fixture.started(details("First")).await;
    let second = fixture.started(details("Second")).await;
    ada.enters(&first).await;
    ada.seeks(&first).await;
    ada.enters(&second).await;
    ada.seeks(&second).await;
    let cancelled = ada.socket.wait("matchmakingCancelled").await;
    assert_eq!(cancelled["eventId"], json!(first));
    bob.enters(&first).await;
    assert_eq!(bob.seeks(&first).await["queueSize"], 1);
    bob.enters(&second).await;
    bob.seeks(&second).await;
    assert_eq!(bob.socket.wait("matchmakingCancelled").await["eventId"], json!(first));
    let game = ada.socket.wait("playerFound").await["gameId"].clone();
    for event in [&first, &second] {
        for frame in ["joinEventRoom", "findMatch"] {
            assert_eq!(ada.socket.ask(frame, json!({ "eventId": event })).await["succeeded"], true);
            let redirect = ada.socket.wait("redirectToGame").await;
            assert_eq!(redirect, json!({ "gameId": game, "redirectInMs": 1_500 }));
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn cancelling_or_leaving_the_room_leaves_the_queue() {
    let fixture = Fixture::new().await;
    let (mut ada, bob) = two(&fixture).await;
    let event = fixture.started(details("Cup")).await;
    ada.enters(&event).await;
    ada.seeks(&event).await;
    assert_eq!(
        ada.socket.ask("cancelMatchmaking", json!({ "eventId": event, "userId": ada.id })).await["succeeded"],
        true
    );
    let cancelled = ada.socket.wait("matchmakingCancelled").await;
    assert_eq!((&cancelled["eventId"], &cancelled["redirectInMs"]), (&json!(event), &json!(1_500)));
    ada.seeks(&event).await;
    ada.socket.ask("leaveEventRoom", json!({ "eventId": event })).await;
    assert_eq!(ada.enters(&event).await["queueSize"], 0);
    // Ids of other users are refused here too.
    for frame in ["joinEventRoom", "leaveEventRoom", "findMatch", "cancelMatchmaking"] {
        let refused = ada.socket.ask(frame, json!({ "eventId": event, "userId": bob.id })).await;
        assert_eq!(refused["errorCode"], "not-yourself", "{frame}");
    }
    // The room over HTTP, for the given socket.
    ada.socket.ask("leaveEventRoom", json!({ "eventId": event })).await;
    ada.socket.drained().await;
    assert_eq!(ada.socket.ask("authenticate", json!({})).await["succeeded"], true);
    let socket = ada.socket.wait("authenticated").await["socketId"].clone();
    let payload = json!({ "eventId": event, "userId": ada.id, "socketId": socket });
    let answer = ada.browser.write("player", "join_event_room", payload).await.ok();
    assert_eq!((&answer["queueSize"], &answer["player"]["username"]), (&json!(0), &json!("ada")));
    ada.socket.wait("eventJoined").await;
    ada.seeks(&event).await;
    ada.browser.write("player", "leave_event_room", json!({ "eventId": event })).await.ok();
    assert_eq!(ada.enters(&event).await["queueSize"], 0);
    let unknown = json!({ "eventId": event, "socketId": "s0" });
    ada.browser.write("player", "join_event_room", unknown).await.fails(404, "not-found");
}

#[tokio::test(flavor = "multi_thread")]
async fn players_of_one_address_are_not_paired_if_configured() {
    let fixture = Fixture::with(|config| config.events.separate_addresses = true).await;
    let (mut ada, mut bob) = two(&fixture).await;
    let event = fixture.started(details("Cup")).await;
    for person in [&mut ada, &mut bob] {
        person.enters(&event).await;
        person.seeks(&event).await;
    }
    let mut reason = json!(null);
    for _ in 0..5 {
        reason = bob.socket.wait("queueUpdate").await["reason"].clone();
    }
    assert_eq!(reason, "Everybody waiting shares your network address.");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_adjudicated_game_counts_in_the_standings() {
    let fixture = Fixture::new().await;
    let (mut ada, mut bob) = two(&fixture).await;
    let event = fixture.started(details("Cup")).await;
    let game = paired(&mut ada, &mut bob, &event).await;
    started(&mut ada, &mut bob, &game).await;
    let ruling = json!({ "gameId": game, "winnerUserId": bob.id, "reason": "The other cheated." });
    fixture.admin.write("admin", "adjudicate_game", ruling).await.ok();
    let end = ada.socket.wait("gameEnd").await;
    assert_eq!((&end["reason"], &end["tournamentResult"]["winner"]["userId"]), (&json!("adjudicated"), &json!(bob.id)));
    assert_eq!(fixture.leaderboard(&event).await[0]["userId"], json!(bob.id));
}
