//! What directors do in stage rounds beside results: a round begins at once, a match is played again, a player is disqualified.

use std::time::Duration;

use morpion_appliance::config::Config;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::{
    fixture::{Fixture, details},
    person::{Person, started, win},
    restart::{on_disk, signed_in},
    stages::{
        NAMES, begun, fixture, names, next_game, people, play, play_all, quick_on_disk, rounds, stages, standings, two,
        verified,
    },
    support::{Browser, Outcome, Server},
};

/// Rounds begin only when a director says so.
fn slow(config: &mut Config) {
    config.events.round_pause = Duration::from_secs(3_600);
}

async fn act(fixture: &Fixture, event: &str, action: &str, mut payload: Value) -> Outcome {
    payload["eventId"] = json!(event);
    fixture.admin.write("event", action, payload).await
}

/// Waits until a round was paired.
async fn paired_round(fixture: &Fixture, event: &str, round: usize) {
    for _ in 0..400 {
        if rounds(fixture, event).await.get(round - 1).is_some_and(|round| round["startsAt"].is_string()) {
            return;
        }
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
    panic!("round {round} is not paired: {:?}", rounds(fixture, event).await);
}

/// The match of a game, and its board.
async fn match_of(fixture: &Fixture, event: &str, round: usize, player: &str) -> (u64, Value) {
    let round = rounds(fixture, event).await[round - 1].clone();
    let has_player = |it: &&Value| it["players"].as_array().unwrap().iter().any(|it| it["userId"] == player);
    let found = round["pairings"].as_array().unwrap().iter().find(has_player).unwrap().clone();
    (found["board"].as_u64().unwrap(), found)
}

/// The same server after a restart, with those who play.
async fn restarted(fixture: Fixture, event: &str, setup: impl FnOnce(&mut Config)) -> (Fixture, Vec<Person>) {
    let Fixture { server, clock, .. } = fixture;
    server.stop().await;
    let server = Server::with_clock(clock.clone(), setup).await;
    let admin = signed_in(&server, "the_admin").await.browser;
    let fixture = Fixture { server, admin, clock };
    let mut all = vec![];
    for name in &NAMES[..2] {
        let mut person = signed_in(&fixture.server, name).await;
        person.enters(event).await;
        all.push(person);
    }
    (fixture, all)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_round_that_waits_begins_at_once() {
    let folder = TempDir::new().unwrap();
    let setup = || {
        let on_disk = on_disk(&folder);
        |config: &mut Config| {
            on_disk(config);
            slow(config);
        }
    };
    let fixture = Fixture::with(setup()).await;
    let start = async |fixture: &Fixture, event: &str, round: u32| {
        act(fixture, event, "start_round", json!({ "round": round })).await
    };
    let arena = fixture.started(details("Arena")).await;
    start(&fixture, &arena, 1).await.fails(409, "no-rounds");
    let coming = fixture.published(stages("swiss", json!({}))).await;
    start(&fixture, &coming, 1).await.fails(409, "no-round-yet");

    let mut all = people(&fixture.server, 2).await;
    let event = begun(&fixture, stages("roundRobin", json!({ "doubleRounds": true })), &mut all).await;
    paired_round(&fixture, &event, 1).await;
    assert_eq!(rounds(&fixture, &event).await[0]["state"], "planned");
    for round in [2, 9] {
        start(&fixture, &event, round).await.fails(409, "round-not-paired");
    }
    start(&fixture, &event, 0).await.fails(409, "round-begun");
    let player = all[0].browser.write("event", "start_round", json!({ "eventId": event, "round": 1 })).await;
    player.fails(403, "forbidden");
    act(&fixture, &event, "pause_event", json!({})).await.ok();
    start(&fixture, &event, 1).await.fails(409, "rounds-paused");
    act(&fixture, &event, "resume_event", json!({})).await.ok();
    // Two directors at once: it begins once.
    let (one, other) = tokio::join!(start(&fixture, &event, 1), start(&fixture, &event, 1));
    let mut statuses = [one.status, other.status];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 409]);
    start(&fixture, &event, 1).await.fails(409, "round-begun");
    let open = next_game(&fixture, &event).await.unwrap();
    start(&fixture, &event, 1).await.fails(409, "round-begun");
    play(&mut all, open).await;
    paired_round(&fixture, &event, 2).await;
    start(&fixture, &event, 1).await.fails(409, "round-begun");

    // What was acknowledged holds after a restart.
    start(&fixture, &event, 2).await.ok();
    let (fixture, mut all) = restarted(fixture, &event, setup()).await;
    start(&fixture, &event, 2).await.fails(409, "round-begun");
    play_all(&fixture, &event, &mut all).await;
    start(&fixture, &event, 2).await.fails(409, "event-over");
    let found = verified(&fixture, &event).await;
    assert_eq!(found["differences"], json!([]), "{found}");
    let trail = fixture.admin.read("admin", "list_audit", json!({})).await.ok();
    let entries = trail["entries"].as_array().unwrap().iter().filter(|entry| entry["action"] == "start_round");
    assert_eq!(entries.count(), 2, "what was refused is not in it");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_match_is_played_again_with_other_games() {
    let fixture = fixture().await;
    let mut people = people(&fixture.server, 5).await;
    let event = begun(&fixture, stages("swiss", json!({ "rounds": 2 })), &mut people).await;
    let replay = async |payload: Value| {
        let mut payload = payload;
        payload["reason"] = json!("The board was set up wrongly.");
        act(&fixture, &event, "replay_match", payload).await
    };
    let (game, ids) = next_game(&fixture, &event).await.unwrap();
    let (board, _) = match_of(&fixture, &event, 1, &ids[0]).await;
    let [winner, loser] = two(&mut people, &ids);
    let state = started(winner, loser, &game).await;
    win(winner, loser, &game, &state).await;
    let (winner, loser) = (winner.id.clone(), loser.id.clone());
    let place = json!({ "round": 1, "board": board });
    let mut unexplained = place.clone();
    unexplained["reason"] = json!(" ");
    act(&fixture, &event, "replay_match", unexplained).await.fails(422, "invalid");
    let byes = rounds(&fixture, &event).await[0].clone();
    let bye = byes["pairings"].as_array().unwrap().iter().find(|it| it["bye"] == true).unwrap()["board"].clone();
    replay(json!({ "round": 1, "board": bye })).await.fails(409, "nothing-to-replay");
    replay(json!({ "round": 1, "board": 99 })).await.fails(404, "not-found");
    replay(json!({ "round": 2, "board": 1 })).await.fails(404, "not-found");

    // Two directors who saw the same game: the match is begun anew once.
    let seen = json!({ "round": 1, "board": board, "gameId": game });
    let (one, other) = tokio::join!(replay(seen.clone()), replay(seen.clone()));
    let mut statuses = [one.status, other.status];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 409]);
    let reopened = async |before: &str| {
        for _ in 0..400 {
            let (_, it) = match_of(&fixture, &event, 1, &winner).await;
            let open = it["games"][0]["gameId"].as_str().filter(|game| *game != before).map(ToOwned::to_owned);
            if let Some(open) = open.filter(|_| it["reason"].is_null())
                && fixture.admin.read("game", "get_game", json!({ "gameId": open })).await.status == 200
            {
                assert_eq!(it["games"].as_array().unwrap().len(), 1, "the old game is none of it: {it}");
                return open;
            }
            tokio::time::sleep(Duration::from_millis(25)).await;
        }
        panic!("the match is not played again: {:?}", rounds(&fixture, &event).await);
    };
    let second = reopened(&game).await;
    replay(seen).await.fails(409, "replayed-already");

    // A game that is played becomes void; the loser of the first one wins the third.
    let ids = vec![winner.clone(), loser.clone()];
    let [a, b] = two(&mut people, &ids);
    started(a, b, &second).await;
    replay(place.clone()).await.ok();
    a.socket.wait("gameEnd").await;
    b.socket.wait("gameEnd").await;
    let old = fixture.admin.read("game", "get_game", json!({ "gameId": second })).await.ok();
    assert_eq!(old["game"]["winner"], Value::Null, "{old}");
    let third = reopened(&second).await;
    let (first, other) = if a.id == winner { (b, a) } else { (a, b) };
    let state = started(first, other, &third).await;
    win(first, other, &third, &state).await;
    let (_, decided) = match_of(&fixture, &event, 1, &winner).await;
    assert_eq!((&decided["winnerUserId"], &decided["reason"]), (&json!(loser), &json!("played")));

    let open = next_game(&fixture, &event).await.unwrap();
    play(&mut people, open).await;
    paired_round(&fixture, &event, 2).await;
    replay(place).await.fails(409, "later-round-paired");
    play_all(&fixture, &event, &mut people).await;
    let found = verified(&fixture, &event).await;
    assert_eq!((&found["agrees"], &found["differences"]), (&json!(true), &json!([])), "{found}");
    let acts = found["acts"].as_array().unwrap();
    let of = |act: &Value| (act["what"].clone(), act["by"].clone(), act["round"].clone(), act["board"].clone());
    let replayed = (json!("replayMatch"), json!("the_admin"), json!(1), json!(board));
    assert_eq!(acts.iter().map(of).collect::<Vec<_>>(), [replayed.clone(), replayed]);
    assert_eq!(acts[0]["before"], json!({ "winnerUserId": winner, "reason": "played" }));
    assert_eq!((&acts[1]["before"], &acts[1]["reason"]), (&Value::Null, &json!("The board was set up wrongly.")));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_match_is_played_again_after_a_restart_in_between() {
    let folder = TempDir::new().unwrap();
    let setup = || quick_on_disk(&folder);
    let fixture = Fixture::with(setup()).await;
    let mut all = people(&fixture.server, 2).await;
    let event = begun(&fixture, stages("knockout", json!({})), &mut all).await;
    let (old, ids) = next_game(&fixture, &event).await.unwrap();
    let [a, b] = two(&mut all, &ids);
    started(a, b, &old).await;
    act(&fixture, &event, "replay_match", json!({ "round": 1, "board": 1, "reason": "Both were interrupted." }))
        .await
        .ok();
    let (fixture, mut all) = restarted(fixture, &event, setup()).await;
    let (game, ids) = next_game(&fixture, &event).await.unwrap();
    assert_ne!(game, old);
    let void = fixture.admin.read("game", "get_game", json!({ "gameId": old })).await.ok();
    assert_eq!((&void["game"]["winner"], void["game"]["status"] == "playing"), (&Value::Null, false), "{void}");
    play(&mut all, (game, ids)).await;
    fixture.until(&event, |event| event["concluded"] == true).await;
    let found = verified(&fixture, &event).await;
    assert_eq!(found["differences"], json!([]), "{found}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_host_directs_the_own_event_in_words_that_may_be_read() {
    let fixture = Fixture::with(slow).await;
    let mut all = people(&fixture.server, 3).await;
    fixture.server.verify_email_of(all[0].id.parse().unwrap(), "ada@example.org").await;
    let made = all[0].browser.write("event", "create_event", stages("knockout", json!({}))).await.ok()["event"].clone();
    let event = made["eventId"].as_str().unwrap().to_owned();
    let act = async |person: &Person, action: &str, mut payload: Value| {
        payload["eventId"] = json!(event);
        person.browser.write("event", action, payload).await
    };
    act(&all[0], "update_event", json!({ "eventState": "published" })).await.ok();
    for person in &all[1..] {
        let code = json!({ "joinCode": made["joinCode"] });
        person.browser.write("eventSignUp", "sign_up_by_code", code).await.ok();
    }
    act(&all[0], "start_event", json!({})).await.ok();
    paired_round(&fixture, &event, 1).await;
    // Who plays in it directs nothing.
    act(&all[1], "start_round", json!({ "round": 1 })).await.fails(403, "forbidden");
    act(&all[0], "start_round", json!({ "round": 1 })).await.ok();
    let out = |reason: &str| json!({ "userId": all[1].id, "reason": reason });
    for reason in ["Read www.example for it", "A fucker"] {
        for action in ["withdraw_player", "disqualify_player", "reinstate_player"] {
            act(&all[0], action, out(reason)).await.fails(422, "invalid");
        }
    }
    act(&all[1], "disqualify_player", out("x")).await.fails(403, "forbidden");
    act(&all[0], "disqualify_player", out("Two accounts")).await.ok();
    let bob = &mut all[1].socket;
    assert_eq!(bob.wait("eventNews").await["reason"], "Two accounts");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_admin_signs_people_up_by_their_usernames() {
    let fixture = Fixture::with(|config| {
        config.events.require_verified_email = true;
        slow(config);
    })
    .await;
    let mut all = vec![];
    for name in NAMES {
        let mut person = Person::new(&fixture.server, name).await;
        if name != "fay" {
            fixture.server.verify_email_of(person.id.parse().unwrap(), &format!("{name}@example.org")).await;
        }
        person.socket.drained().await;
        all.push(person);
    }
    let event = fixture.published(stages("swiss", json!({ "maxPlayers": 4 }))).await;
    let add = async |username: &str| {
        fixture.admin.write("player", "create_player", json!({ "eventId": event, "username": username })).await
    };
    assert_eq!(add(" Ada ").await.ok()["player"]["userId"], json!(all[0].id));
    add("ada").await.ok();
    assert_eq!(all[0].socket.wait("eventNews").await["news"], "added");
    add("bob").await.ok();
    add("nobody").await.fails(404, "not-found");
    add(" ").await.fails(422, "invalid");
    fixture.admin.write("player", "create_player", json!({ "eventId": event })).await.fails(422, "invalid");
    add("fay").await.fails(403, "email-not-verified");
    let suspension = json!({ "userId": all[2].id, "reason": "Rude" });
    fixture.admin.write("admin", "suspend_user", suspension).await.ok();
    add("cat").await.fails(409, "suspended");
    let player = json!({ "eventId": event, "username": "dan" });
    all[3].browser.write("player", "create_player", player).await.fails(403, "forbidden");
    // Late, as far as the format takes somebody, and while there is room.
    fixture.act("start_event", &event).await;
    paired_round(&fixture, &event, 1).await;
    add("dan").await.ok();
    add("eve").await.ok();
    let (_, last) = fixture.server.registered("gus").await;
    fixture.server.verify_email_of(last["userId"].as_str().unwrap().parse().unwrap(), "gus@example.org").await;
    add("gus").await.fails(409, "event-full");
    let drawn = fixture.published(stages("knockout", json!({}))).await;
    for name in ["ada", "bob"] {
        let entry = json!({ "eventId": drawn, "username": name });
        fixture.admin.write("player", "create_player", entry).await.ok();
    }
    fixture.act("start_event", &drawn).await;
    paired_round(&fixture, &drawn, 1).await;
    let late = json!({ "eventId": drawn, "username": "dan" });
    fixture.admin.write("player", "create_player", late).await.fails(409, "tournament-closed");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_disqualified_player_loses_is_told_why_and_wins_nothing() {
    let fixture = fixture().await;
    let mut people = people(&fixture.server, 4).await;
    let event = begun(&fixture, stages("roundRobin", json!({})), &mut people).await;
    let ada = people[0].id.clone();
    let disqualify = async |fixture: &Fixture| {
        let payload = json!({ "userId": ada, "reason": "An engine was open." });
        act(fixture, &event, "disqualify_player", payload).await
    };
    // She wins her first match.
    loop {
        let open = next_game(&fixture, &event).await.unwrap();
        let is_hers = open.1.contains(&ada);
        play(&mut people, open).await;
        if is_hers {
            break;
        }
    }
    // The player reads it.
    for reason in ["", " ", "\u{2800}", "\u{3164}\u{3164}"] {
        let empty = json!({ "userId": ada, "reason": reason });
        act(&fixture, &event, "disqualify_player", empty).await.fails(422, "invalid");
    }
    act(&fixture, &event, "disqualify_player", json!({ "userId": event, "reason": "x" })).await.fails(404, "not-found");
    let (one, other) = tokio::join!(disqualify(&fixture), disqualify(&fixture));
    let mut statuses = [one.status, other.status];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 409]);
    disqualify(&fixture).await.fails(409, "disqualified-already");
    act(&fixture, &event, "withdraw_player", json!({ "userId": ada, "reason": "x" }))
        .await
        .fails(409, "disqualified-already");
    let told = people[0].socket.wait("eventNews").await;
    assert_eq!((&told["news"], &told["reason"]), (&json!("disqualified"), &json!("An engine was open.")));
    let row = async |person: &Browser| {
        let answer = person.read("event", "get_standings", json!({ "eventId": event })).await.ok();
        answer["standings"].as_array().unwrap().iter().find(|row| row["userId"] == ada).unwrap().clone()
    };
    for (browser, reason) in [
        (&fixture.admin, json!("An engine was open.")),
        (&people[0].browser, json!("An engine was open.")),
        (&people[1].browser, Value::Null),
    ] {
        let row = row(browser).await;
        assert_eq!(
            (&row["withdrawn"], &row["disqualified"], &row["disqualification"]),
            (&json!(true), &json!(true), &reason)
        );
    }
    // It is lifted, and holds again.
    act(&fixture, &event, "reinstate_player", json!({ "userId": ada, "reason": "It was not hers." })).await.ok();
    assert_eq!(row(&fixture.admin).await["disqualified"], false);
    let told = people[0].socket.wait("eventNews").await;
    assert_eq!((&told["news"], &told["reason"]), (&json!("reinstated"), &json!("It was not hers.")));
    disqualify(&fixture).await.ok();
    let over = play_all(&fixture, &event, &mut people[1..]).await;
    assert!(!names(over["winners"].as_array().unwrap()).contains(&"ada"), "{over}");
    assert!(standings(&fixture, &event).await.iter().any(|row| row["username"] == "ada" && row["points"] == 1.0));
    let found = verified(&fixture, &event).await;
    assert_eq!(found["differences"], json!([]), "{found}");
    let acts: Vec<_> = found["acts"].as_array().unwrap().iter().map(|act| act["what"].clone()).collect();
    assert_eq!(acts, ["disqualifyPlayer", "reinstatePlayer", "disqualifyPlayer"]);
}
