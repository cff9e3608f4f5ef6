//! Moves of rated games compared with the solver: `docs/behaviour/engine-use.md`.

use std::{net::IpAddr, time::Duration};

use serde_json::{Value, json};

use crate::{
    fixture::Fixture,
    person::{Person, started},
    socket::Socket,
};

/// A server that compares nothing by itself.
async fn fixture() -> Fixture {
    Fixture::with(|config| {
        config.server.trusted_proxies = vec!["127.0.0.1".parse::<IpAddr>().unwrap().into()];
        config.play.engine_use_cpu_percent = 0;
    })
    .await
}

async fn person(fixture: &Fixture, name: &str, address: u8) -> Person {
    let mut person = Person::new(&fixture.server, name).await;
    person.socket = Socket::forwarded_for(&format!("192.0.2.{address}"), &fixture.server, &person.browser).await;
    person
}

/// Two people play a quick game on 6×6, in which the starter wins in the second row: from an inner cell, which keeps the
/// win, while the other plays on the edge. Returns the game and whether Ada started.
async fn plays(ada: &mut Person, bob: &mut Person, rated: bool) -> (String, bool) {
    let wish = json!({ "boardSize": 6, "clock": "turn15", "rated": rated });
    assert_eq!(ada.socket.ask("quickMatchJoin", wish.clone()).await["succeeded"], true);
    bob.socket.send("quickMatchJoin", wish).await;
    let game = ada.socket.wait("playerFound").await["gameId"].as_str().unwrap().to_owned();
    bob.socket.wait("playerFound").await;
    let state = started(ada, bob, &game).await;
    let ada_starts = state["currentTurn"] == json!(ada.id);
    for (at, cell) in [(1, 1), (5, 0), (1, 2), (5, 1), (1, 3), (5, 2), (1, 4)].into_iter().enumerate() {
        let mover = if (at % 2 == 0) == ada_starts { &mut *ada } else { &mut *bob };
        assert_eq!(mover.moves(&game, cell).await["succeeded"], true);
    }
    ada.socket.wait("gameEnd").await;
    bob.socket.wait("gameEnd").await;
    (game, ada_starts)
}

/// Compares what waits, once so many games do.
async fn compared(fixture: &Fixture, games: usize) {
    let app = &fixture.server.app;
    for _ in 0..200 {
        if app.store.waiting_comparisons(10).await.unwrap().len() >= games {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert_eq!(app.engine_use.compare_waiting().await.unwrap(), games);
    assert_eq!(app.engine_use.compare_waiting().await.unwrap(), 0, "each game is compared once");
}

#[tokio::test(flavor = "multi_thread")]
async fn moves_of_rated_games_are_evidence_that_admins_see() {
    let fixture = fixture().await;
    let admin = fixture.server.admin().await.0;
    let (mut ada, mut bob) = (person(&fixture, "ada", 1).await, person(&fixture, "bob", 2).await);
    let none = admin.read("admin", "get_engine_evidence", json!({ "userId": ada.id })).await.ok();
    assert_eq!(none.get("evidence"), None);
    let (game, ada_starts) = plays(&mut ada, &mut bob, true).await;
    compared(&fixture, 1).await;
    let (starter, other) = if ada_starts { (&ada, &bob) } else { (&bob, &ada) };

    let list = admin.read("admin", "list_engine_scores", json!({})).await.ok();
    assert_eq!(list["pagination"]["totalCount"], 2, "{list}");
    assert_eq!(list["scores"][0]["user"]["userId"], json!(starter.id), "who had more critical positions comes first");
    assert_eq!(list["scores"][0]["level"], "too-few");

    let evidence = admin.read("admin", "get_engine_evidence", json!({ "userId": starter.id })).await.ok();
    let evidence = &evidence["evidence"];
    let critical = &evidence["score"]["critical"];
    assert!(critical["seen"].as_u64().unwrap() >= 2, "{evidence}");
    assert_eq!(critical["seen"], critical["found"], "{evidence}");
    assert_eq!(evidence["immediate"], json!({ "seen": 1, "found": 1 }), "the line was completed");
    let position = &evidence["positions"][0];
    assert_eq!((&position["gameId"], &position["round"]), (&json!(game), &json!(1)));
    let keeping = position["keeping"].as_array().unwrap();
    assert!(keeping.contains(&position["played"]), "{position}");
    let (row, col) = (position["played"][0].as_u64().unwrap(), position["played"][1].as_u64().unwrap());
    assert_eq!(position["board"][row as usize][col as usize], "", "the position is that before the move");

    let lost = admin.read("admin", "get_engine_evidence", json!({ "userId": other.id })).await.ok();
    assert_eq!(lost["evidence"]["score"]["critical"]["seen"], 0, "nothing is to be found in a lost position: {lost}");
    assert_eq!(lost["evidence"]["positions"], json!([]));

    let audit = admin.read("admin", "list_audit", json!({})).await.ok();
    let actions: Vec<&Value> =
        audit["entries"].as_array().unwrap().iter().map(|entry| &entry["action"]).take(3).collect();
    assert!(actions.contains(&&json!("read_engine_evidence")) && actions.contains(&&json!("read_engine_scores")));
    ada.browser.read("admin", "list_engine_scores", json!({})).await.fails(403, "forbidden");
    ada.browser.read("admin", "get_engine_evidence", json!({ "userId": bob.id })).await.fails(403, "forbidden");
    let export = ada.browser.get("/api/backend/account/export").await.ok();
    assert_eq!(export["engineUse"]["games"], 1, "{export}");
    assert_eq!(export["engineUse"].get("positions"), None);

    // A further game is added.
    plays(&mut ada, &mut bob, true).await;
    compared(&fixture, 1).await;
    let both = admin.read("admin", "list_engine_scores", json!({ "limit": 1 })).await.ok();
    assert_eq!((&both["scores"][0]["games"], &both["pagination"]["hasNextPage"]), (&json!(2), &json!(true)));
}

#[tokio::test(flavor = "multi_thread")]
async fn casual_games_are_not_compared_and_a_deleted_account_leaves_nothing() {
    let fixture = fixture().await;
    let admin = fixture.server.admin().await.0;
    let (mut ada, mut bob) = (person(&fixture, "ada", 1).await, person(&fixture, "bob", 2).await);
    plays(&mut ada, &mut bob, false).await;
    // A casual game ended before a rated one, so it would wait as well.
    plays(&mut ada, &mut bob, true).await;
    compared(&fixture, 1).await;
    let delete = json!({ "userId": bob.id, "reason": "Asked for it by letter." });
    admin.write("admin", "delete_user", delete).await.ok();
    let list = admin.read("admin", "list_engine_scores", json!({})).await.ok();
    assert_eq!(list["pagination"]["totalCount"], 1, "{list}");
    assert_eq!(list["scores"][0]["user"]["userId"], json!(ada.id));
    admin.read("admin", "get_engine_evidence", json!({ "userId": bob.id })).await.fails(404, "not-found");
}
