//! Conditions of entry: `docs/behaviour/events.md#conditions-of-entry`.

use futures_util::future::join_all;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::{
    fixture::{Fixture, details},
    person::Person,
    restart::{on_disk, signed_in},
    support::{Browser, Outcome, Server},
};

fn with(title: &str, conditions: Value) -> Value {
    let mut fields = details(title);
    fields.as_object_mut().unwrap().extend(conditions.as_object().unwrap().clone());
    fields
}

async fn sign_up(browser: &Browser, event: &str) -> Outcome {
    browser.write("eventSignUp", "sign_up", json!({ "eventId": event })).await
}

async fn edit(browser: &Browser, event: &str, mut fields: Value) -> Outcome {
    fields["eventId"] = json!(event);
    browser.write("event", "update_event", fields).await
}

#[tokio::test(flavor = "multi_thread")]
async fn who_misses_a_condition_is_told_it_before_and_is_refused() {
    let fixture = Fixture::new().await;
    let ann = Person::new(&fixture.server, "ann").await;
    let event = fixture.published(with("Cup", json!({ "maxRating": 1400, "minGames": 2 }))).await;
    let seen = fixture.event(&event).await;
    assert_eq!((&seen["maxRating"], &seen["minGames"], &seen["minRating"]), (&json!(1400), &json!(2), &Value::Null));
    let told = ann.browser.read("eventSignUp", "check_entry", json!({ "eventId": event })).await.ok();
    let text = "This event is for ratings up to 1400. Yours is 1500.";
    let games = "This event is for players with 2 finished games or more. You have 0.";
    assert_eq!(
        told["conditions"],
        json!([
            { "condition": "maxRating", "wanted": 1400, "own": 1500, "isMet": false, "refusal": text },
            { "condition": "minGames", "wanted": 2, "own": 0, "isMet": false, "refusal": games },
        ])
    );
    // A rating counts as it stands, also a provisional one.
    assert_eq!(sign_up(&ann.browser, &event).await.fails(403, "entry-max-rating")["errorMessage"], text);
    edit(&fixture.admin, &event, json!({ "maxRating": 0 })).await.ok();
    assert_eq!(sign_up(&ann.browser, &event).await.fails(403, "entry-min-games")["errorMessage"], games);
    edit(&fixture.admin, &event, json!({ "minGames": 0, "accountAgeDays": 1, "minRating": 1500 })).await.ok();
    sign_up(&ann.browser, &event).await.fails(403, "entry-account-age");
    // Whoever comes late meets them as well, and an admin overrules them.
    fixture.admin.write("event", "start_event", json!({ "eventId": event })).await.ok();
    let join = || ann.browser.write("event", "join_event", json!({ "eventId": event }));
    join().await.fails(403, "entry-account-age");
    ann.browser.write("player", "join_event_room", json!({ "eventId": event })).await.fails(403, "entry-account-age");
    fixture.admin.write("player", "create_player", json!({ "eventId": event, "userId": ann.id })).await.ok();
    join().await.ok();

    // Who is in stays in, whatever is asked for later.
    let bob = Person::new(&fixture.server, "bob").await;
    let event = fixture.published(details("Open")).await;
    sign_up(&bob.browser, &event).await.ok();
    edit(&fixture.admin, &event, json!({ "minRating": 2000 })).await.ok();
    sign_up(&bob.browser, &event).await.ok();
    sign_up(&ann.browser, &event).await.fails(403, "entry-min-rating");
    let visitor = fixture.server.browser().await;
    visitor.read("eventSignUp", "check_entry", json!({ "eventId": event })).await.fails(401, "not-signed-in");
    let open = fixture.published(details("Anybody")).await;
    let told = ann.browser.read("eventSignUp", "check_entry", json!({ "eventId": open })).await.ok();
    assert_eq!(told["conditions"], json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_list_lets_its_players_in_and_is_told_to_nobody_else() {
    let fixture = Fixture::new().await;
    let (ann, bob) = (Person::new(&fixture.server, "ann").await, Person::new(&fixture.server, "bob").await);
    let eve = Person::new(&fixture.server, "eve").await;
    let list = json!({ "allowList": [" ANN ", bob.id, "bob", ""] });
    let event = fixture.published(with("Class 4b", list)).await;
    let names = json!(["ann", "bob"]);
    assert_eq!(fixture.event(&event).await["allowList"], names);
    for outsider in [&eve.browser, &ann.browser, &fixture.server.browser().await] {
        let seen = outsider.read("event", "get_event_by_id", json!({ "eventId": event })).await.ok()["event"].clone();
        assert_eq!((&seen["isListedOnly"], &seen["allowList"]), (&json!(true), &Value::Null));
    }
    let listed = fixture.admin.read("event", "list_events", json!({})).await.ok();
    assert_eq!(listed["events"][0]["allowList"], Value::Null, "not in lists");
    sign_up(&ann.browser, &event).await.ok();
    sign_up(&bob.browser, &event).await.ok();
    sign_up(&eve.browser, &event).await.fails(403, "entry-allow-list");

    // A copy has it, and the trail how long it is.
    let copy = fixture.admin.write("event", "duplicate_event", json!({ "eventId": event })).await.ok();
    assert_eq!(copy["event"]["allowList"], names);
    let unknown = edit(&fixture.admin, &event, json!({ "allowList": ["eve", "nobody", "no name at all"] })).await;
    assert_eq!(
        (unknown.status.as_u16(), &unknown.body["fieldErrors"]["allowList"]),
        (422, &json!("Nobody here is called nobody, no name at all."))
    );
    let long: Vec<String> = (0..1_001).map(|number| format!("player{number}")).collect();
    edit(&fixture.admin, &event, json!({ "allowList": long })).await.fails(422, "allow-list");
    // Many at once, while the list changes: who is in was on it.
    let change = edit(&fixture.admin, &event, json!({ "allowList": ["eve"] }));
    let (change, outcomes) = tokio::join!(change, join_all((0..4).map(|_| sign_up(&eve.browser, &event))));
    change.ok();
    let known = [200, 403];
    assert!(outcomes.iter().all(|outcome| known.contains(&outcome.status.as_u16())));
    sign_up(&eve.browser, &event).await.ok();
    edit(&fixture.admin, &event, json!({ "allowList": [] })).await.ok();
    assert_eq!(fixture.event(&event).await["isListedOnly"], Value::Null);
    for (conditions, field) in [
        (json!({ "minRating": 99 }), "minRating"),
        (json!({ "maxRating": 4001 }), "maxRating"),
        (json!({ "minRating": 1500, "maxRating": 1400 }), "maxRating"),
        (json!({ "minGames": 100_001 }), "minGames"),
        (json!({ "accountAgeDays": 3651 }), "accountAgeDays"),
    ] {
        let refused = edit(&fixture.admin, &event, conditions.clone()).await;
        assert_eq!(refused.status, 422, "{conditions}");
        assert!(refused.body["fieldErrors"][field].is_string(), "{conditions}: {}", refused.body);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn conditions_hold_for_a_join_code_and_after_a_restart() {
    let folder = TempDir::new().unwrap();
    let fixture = Fixture::with(|config| {
        on_disk(&folder)(config);
        config.limits.searches_per_minute = 1.try_into().unwrap();
    })
    .await;
    let ada = Person::new(&fixture.server, "ada").await;
    fixture.server.verify_email_of(ada.id.parse().unwrap(), "ada@example.org").await;
    for name in ["bob", "eve"] {
        fixture.server.registered(name).await;
    }
    let fields = with("Attic", json!({ "allowList": ["bob"], "minRating": 1000 }));
    let made = ada.browser.write("event", "create_event", fields).await.ok()["event"].clone();
    let event = made["eventId"].as_str().unwrap().to_owned();
    assert_eq!(made["allowList"], json!(["bob"]));
    // For members a list is a search of people.
    edit(&ada.browser, &event, json!({ "allowList": ["bob", "eve"] })).await.fails(429, "too-many-requests");
    edit(&ada.browser, &event, json!({ "eventState": "published" })).await.ok();
    let export = ada.browser.get("/api/backend/account/export").await;
    assert_eq!(export.body["hostedEvents"][0]["allowList"], json!(["bob"]), "{}", export.body);
    fixture.server.stop().await;

    let server = Server::with(on_disk(&folder)).await;
    let code = json!({ "joinCode": made["joinCode"] });
    let eve = signed_in(&server, "eve").await.browser;
    eve.write("eventSignUp", "sign_up_by_code", code.clone()).await.fails(403, "entry-allow-list");
    let bob = signed_in(&server, "bob").await.browser;
    bob.write("eventSignUp", "sign_up_by_code", code).await.ok();
    let seen = bob.read("event", "get_event_by_id", json!({ "eventId": event })).await.ok()["event"].clone();
    assert_eq!((&seen["minRating"], &seen["allowList"]), (&json!(1000), &Value::Null));
}
