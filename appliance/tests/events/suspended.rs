//! What a suspension ends: games under way, places in events that have not started, and in those that have.

use serde_json::json;

use crate::{
    fixture::{Fixture, details},
    person::{Person, paired, started},
    socket::Socket,
    support::{PASSWORD, credentials},
};

#[tokio::test(flavor = "multi_thread")]
async fn a_suspension_forfeits_games_and_takes_the_player_out_of_events() {
    let fixture = Fixture::new().await;
    let (mut ada, mut bob) = (Person::new(&fixture.server, "ada").await, Person::new(&fixture.server, "bob").await);
    let later = fixture.published(details("Later")).await;
    let of_bob = |event: &str| json!({ "eventId": event, "userId": bob.id });
    bob.browser.write("eventSignUp", "sign_up", of_bob(&later)).await.ok();
    let now = fixture.started(details("Now")).await;
    let (of_now, of_later) = (of_bob(&now), of_bob(&later));
    let game = paired(&mut ada, &mut bob, &now).await;
    started(&mut ada, &mut bob, &game).await;

    let suspension = json!({ "userId": bob.id, "reason": "Insults" });
    fixture.admin.write("admin", "suspend_user", suspension).await.ok();
    let end = ada.socket.wait("gameEnd").await;
    assert_eq!((&end["reason"], &end["winnerUserId"]), (&json!("removed"), &json!(ada.id)));
    fixture.until(&later, |event| event["signupCount"] == 0).await;
    let mut removed = json!(null);
    for _ in 0..200 {
        let listed = json!({ "eventId": now });
        let signups = fixture.admin.read("eventSignUp", "list_signups_for_event", listed).await.ok()["signups"].clone();
        removed =
            signups.as_array().unwrap().iter().find(|signup| signup["userId"] == bob.id.as_str()).unwrap()["status"]
                .clone();
        if removed == "removed" {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    assert_eq!(removed, "removed");

    // Back again, the account is still out of what had started, and may sign up for what has not.
    fixture.admin.write("admin", "lift_suspension", json!({ "userId": bob.id })).await.ok();
    let back = fixture.server.browser().await;
    back.post("/api/auth/login", credentials("bob@example.org", PASSWORD)).await.ok();
    let mut socket = Socket::open(&fixture.server, &back).await;
    assert_eq!(socket.ask("joinEventRoom", of_now).await["errorCode"], "removed");
    back.write("eventSignUp", "sign_up", of_later).await.ok();
}
