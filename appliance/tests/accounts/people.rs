//! Searching for people, and the own profile.

use serde_json::{Value, json};

use crate::support::Server;

fn usernames(answer: &Value) -> Vec<&str> {
    answer["users"].as_array().unwrap().iter().map(|user| user["username"].as_str().unwrap()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn people_are_found_by_a_part_of_their_name_and_never_by_email() {
    let server = Server::start().await;
    for name in ["marion", "mario", "submarine", "zoe"] {
        server.registered(name).await;
    }
    let (browser, user) = server.registered("marilyn").await;
    let search =
        |action: &'static str, text: &str| browser.read("userprofile", action, json!({ "text": text, "limit": 10 }));
    let answer = search("search_user", "MARI").await.ok();
    assert_eq!(usernames(&answer), ["marilyn", "mario", "marion", "submarine"]);
    assert!(!answer.to_string().contains("example.org"), "{answer}");
    let mut person = answer["users"][0].as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    person.sort();
    assert_eq!(person, ["displayName", "isProUser", "isTempUser", "profile", "userId", "username"]);
    let payload = json!({ "text": "mari", "userId": user["userId"] });
    let answer = browser.read("userprofile", "search_user_profile", payload).await.ok();
    assert_eq!(usernames(&answer), ["mario", "marion", "submarine"], "without oneself");
    let answer = browser.get("/api/backend/api/v1/user/search?username=mari").await.ok();
    assert_eq!(usernames(&answer), ["mario", "marion", "submarine"]);
    assert_eq!(usernames(&search("search_user", "example").await.ok()), [""; 0]);
    let failure = search("search_user", " m ").await.fails(422, "invalid");
    assert_eq!(failure["fieldErrors"]["text"], "Type at least 2 characters");
    let few = browser.read("userprofile", "search_user", json!({ "text": "mari", "limit": 2 })).await.ok();
    assert_eq!(usernames(&few).len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn visitors_cannot_search() {
    let server = Server::start().await;
    let (_, user) = server.registered("ada").await;
    let visitor = server.browser().await;
    for (action, payload) in [
        ("search_user", json!({ "text": "ada" })),
        ("search_user_profile", json!({ "text": "ada" })),
        ("find_user", json!({ "text": "ada" })),
        ("get_user_by_id", json!({ "userId": user["userId"] })),
    ] {
        visitor.read("userprofile", action, payload).await.fails(401, "not-signed-in");
    }
    visitor.get("/api/backend/api/v1/user/search?username=ada").await.fails(401, "not-signed-in");
    visitor.write("userprofile", "create_profile", json!({})).await.fails(401, "not-signed-in");
}

#[tokio::test(flavor = "multi_thread")]
async fn only_the_own_profile_is_returned_in_full() {
    let server = Server::start().await;
    let (ada, user) = server.registered("ada").await;
    let (_, bob) = server.registered("bob").await;
    let own = ada.read("userprofile", "get_user_by_id", json!({ "userId": user["userId"] })).await.ok();
    for field in ["userId", "username", "firstName", "lastName", "displayName", "email", "profile"] {
        assert!(own["user"][field].is_string(), "{field}: {own}");
    }
    for field in ["isProUser", "isTempUser", "isAdmin"] {
        assert!(own["user"][field].is_boolean(), "{field}: {own}");
    }
    assert_eq!(own["user"]["email"], "ada@example.org");
    let found = ada.read("userprofile", "search_user_profile", json!({ "userId": bob["userId"] })).await.ok();
    assert_eq!((&found["user"]["username"], &found["users"][0]["username"]), (&json!("bob"), &json!("bob")));
    assert!(!found.to_string().contains("@example.org"), "{found}");
    let other = ada.read("userprofile", "find_user", json!({ "text": "BOB" })).await.ok();
    assert_eq!(other["user"]["userId"], bob["userId"]);
    assert!(!other.to_string().contains("@example.org"), "{other}");
    ada.read("userprofile", "find_user", json!({ "text": "nobody" })).await.fails(404, "not-found");
    let unknown = json!({ "userId": uuid::Uuid::new_v4() });
    ada.read("userprofile", "get_user_by_id", unknown).await.fails(404, "not-found");
}

#[tokio::test(flavor = "multi_thread")]
async fn users_can_change_their_own_profile() {
    let server = Server::start().await;
    server.registered("bob").await;
    let (ada, user) = server.registered("ada").await;
    let id = &user["userId"];
    let update = |wish: Value| ada.write("userprofile", "update_user_profile", wish);
    let answer =
        update(json!({ "userId": id, "displayName": " Countess ", "firstName": "Ada", "lastName": "" })).await.ok();
    assert_eq!((&answer["user"]["displayName"], &answer["user"]["lastName"]), (&json!("Countess"), &json!("")));
    update(json!({ "userId": id, "username": "BOB" })).await.fails(409, "username-taken");
    let failure = update(json!({ "userId": id, "username": "b", "displayName": "" })).await.fails(422, "invalid");
    assert_eq!(failure["fieldErrors"].as_object().unwrap().len(), 2);
    update(json!({ "userId": id, "username": "Lovelace" })).await.ok();
    assert_eq!(ada.get("/api/auth/check-login").await.ok()["user"]["username"], "Lovelace");
    let answer = ada.post("/api/backend/profile/update", json!({ "displayName": "L." })).await.ok();
    assert_eq!(answer["user"]["displayName"], "L.");
}
