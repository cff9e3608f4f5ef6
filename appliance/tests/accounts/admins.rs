//! Actions of admins and operator tokens, refused to others.

use serde_json::{Value, json};

use crate::{
    changes::mails_to,
    recovery,
    support::{PASSWORD, Server, credentials},
};

#[tokio::test(flavor = "multi_thread")]
async fn only_admins_and_operators_have_access() {
    let server = Server::start().await;
    let (player, user) = server.registered("player").await;
    let visitor = server.browser().await;
    let id = &user["userId"];
    for (action, payload) in [
        ("list_users", json!({})),
        ("list_admins", json!({})),
        ("list_sessions", json!({ "userId": id })),
        ("list_audit", json!({})),
        ("list_tokens", json!({})),
        ("overview", json!({})),
        ("list_live_games", json!({})),
        ("list_backups", json!({})),
        ("cluster", json!({})),
    ] {
        visitor.read("admin", action, payload.clone()).await.fails(401, "not-signed-in");
        player.read("admin", action, payload).await.fails(403, "forbidden");
    }
    for (action, payload) in [
        ("set_admin", json!({ "userId": id, "isAdmin": true })),
        ("promote_user", json!({ "account": "player" })),
        ("create_admin", json!({ "email": "a@example.org", "username": "abc", "password": PASSWORD })),
        ("reset_password", json!({ "account": "player", "newPassword": PASSWORD })),
        ("remove_second_factor", json!({ "account": "player", "reason": "x" })),
        ("create_password_link", json!({ "account": "player", "reason": "x" })),
        ("change_email", json!({ "account": "player", "newEmail": "a@example.org", "reason": "x" })),
        ("create_token", json!({ "name": "mine", "scope": "all" })),
        ("create_backup", json!({})),
        ("verify_backup", json!({ "backupId": "latest" })),
    ] {
        visitor.write("admin", action, payload.clone()).await.fails(401, "not-signed-in");
        player.write("admin", action, payload).await.fails(403, "forbidden");
    }
    assert_eq!(player.get("/api/auth/check-login").await.ok()["user"]["isAdmin"], false);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_runs_alone_has_no_nodes() {
    let server = Server::start().await;
    let (admin, _) = server.admin().await;
    let answer = admin.read("admin", "cluster", json!({})).await.ok();
    assert_eq!((&answer["enabled"], &answer["nodes"]), (&json!(false), &json!([])));
    assert_eq!(admin.read("admin", "overview", json!({})).await.ok()["leader"], Value::Null);
}

#[tokio::test(flavor = "multi_thread")]
async fn role_changes_apply_at_once_and_the_last_admin_remains() {
    let server = Server::start().await;
    let (admin, chief) = server.admin().await;
    let (player, user) = server.registered("player").await;
    let set =
        |id: &Value, is_admin: bool| admin.write("admin", "set_admin", json!({ "userId": id, "isAdmin": is_admin }));
    set(&chief["userId"], false).await.fails(409, "last-admin");
    player.read("admin", "list_users", json!({})).await.fails(403, "forbidden");
    assert_eq!(set(&user["userId"], true).await.ok()["user"]["isAdmin"], true);
    player.read("admin", "list_users", json!({})).await.ok();
    admin.write("admin", "demote_user", json!({ "account": "player" })).await.ok();
    player.read("admin", "list_users", json!({})).await.fails(403, "forbidden");
    set(&json!(uuid::Uuid::new_v4()), true).await.fails(404, "not-found");
    admin.write("admin", "promote_user", json!({ "account": "nobody" })).await.fails(404, "not-found");
}

/// A stranger who registered with somebody's email first would get what is meant for its owner.
#[tokio::test(flavor = "multi_thread")]
async fn an_email_that_nobody_confirmed_names_no_account() {
    let server = Server::start().await;
    let (admin, chief) = server.admin().await;
    let (stranger, user) = server.registered("player").await;
    let named = json!({ "account": "player@example.org", "reason": "asked for it", "newEmail": "other@example.org" });
    for action in ["promote_user", "demote_user", "create_password_link", "remove_second_factor", "change_email"] {
        let fields: &[&str] = match action {
            "promote_user" | "demote_user" => &["account"],
            "change_email" => &["account", "reason", "newEmail"],
            _ => &["account", "reason"],
        };
        let payload: serde_json::Map<_, _> =
            fields.iter().map(|&field| (field.to_owned(), named[field].clone())).collect();
        admin.write("admin", action, Value::Object(payload)).await.fails(409, "unconfirmed-email");
    }
    assert_eq!(stranger.get("/api/auth/check-login").await.ok()["user"]["isAdmin"], false);
    let store = &server.app.store;
    let id = user["userId"].as_str().unwrap().parse().unwrap();
    let owner = store.user(id).await.unwrap().unwrap();
    store.verify_email(owner.credentials(), "player@example.org").await.unwrap();
    assert_ne!(chief["userId"], user["userId"]);
    admin.write("admin", "promote_user", json!({ "account": "player@example.org" })).await.ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn users_are_paged() {
    let server = Server::start().await;
    let (admin, _) = server.admin().await;
    for name in ["delta", "alpha", "charlie", "bravo"] {
        server.registered(name).await;
    }
    let page = |payload: Value| admin.read("admin", "list_users", payload);
    let names = |answer: &Value| {
        let users = answer["users"].as_array().unwrap().iter();
        users.map(|user| user["username"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let first = page(json!({ "limit": 2 })).await.ok();
    assert_eq!(names(&first), ["alpha", "bravo"]);
    assert_eq!(first["users"][0]["email"], "alpha@example.org");
    let pagination =
        json!({ "currentPage": 1, "limit": 2, "totalCount": 5, "hasPrevPage": false, "hasNextPage": true });
    assert_eq!(first["pagination"], pagination);
    let last = page(json!({ "limit": 2, "page": 3 })).await.ok();
    assert_eq!((names(&last), &last["pagination"]["hasNextPage"]), (vec!["the_admin".to_owned()], &json!(false)));
    let found = page(json!({ "text": "RAV" })).await.ok();
    assert_eq!((names(&found), &found["pagination"]["totalCount"]), (vec!["bravo".to_owned()], &json!(1)));
    assert!(names(&page(json!({ "page": 4_000_000_000_u32, "limit": 100 })).await.ok()).is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn admins_can_end_sessions_of_others() {
    let server = Server::start().await;
    let (admin, _) = server.admin().await;
    let (player, user) = server.registered("player").await;
    let sessions = admin.read("admin", "list_sessions", json!({ "userId": user["userId"] })).await.ok();
    let session = &sessions["sessions"][0];
    assert_eq!(session["isCurrent"], false);
    let end = json!({ "userId": user["userId"], "sessionId": session["sessionId"] });
    admin.write("admin", "revoke_session", end.clone()).await.ok();
    assert!(!player.is_signed_in().await);
    admin.write("admin", "revoke_session", end).await.fails(404, "not-found");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_password_reset_ends_all_sessions_and_emails_the_owner() {
    let (server, folder) = recovery::server().await;
    let (admin, _) = server.admin().await;
    let (player, user) = server.registered("player").await;
    server.verify_email(&user).await;
    let reset = |password: &str| {
        admin.write("admin", "reset_password", json!({ "account": "player", "newPassword": password }))
    };
    let failure = reset("weak").await.fails(422, "invalid");
    assert_eq!(failure["fieldErrors"]["newPassword"], "Password must be at least 8 characters.");
    assert!(player.is_signed_in().await);
    reset("Brand-New-1").await.ok();
    assert!(!player.is_signed_in().await);
    player.post("/api/auth/login", credentials("player@example.org", "Brand-New-1")).await.ok();
    let mails = mails_to(&folder, "player@example.org", "Your Morpion password was changed", 1).await;
    assert!(mails[0].contains("set by an administrator of this server"), "{mails:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_admin_made_by_an_operator_can_sign_in() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let wish = json!({ "email": "new@example.org", "username": "new_admin", "password": PASSWORD });
    let made = operator.write("admin", "create_admin", wish.clone()).await.ok();
    assert_eq!(made["user"]["isAdmin"], true);
    operator.write("admin", "create_admin", wish).await.fails(409, "username-taken");
    let browser = server.browser().await;
    browser.post("/api/auth/login", credentials("new@example.org", PASSWORD)).await.ok();
    browser.read("admin", "list_tokens", json!({})).await.ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn an_operator_token_needs_no_cookies_and_is_no_user() {
    let server = Server::start().await;
    let operator = server.operator().await;
    operator.read("admin", "list_users", json!({})).await.ok();
    operator.write("userprofile", "create_profile", json!({})).await.fails(403, "forbidden");
    let tokens = operator.read("admin", "list_tokens", json!({})).await.ok();
    let token = &tokens["tokens"][0];
    assert_eq!(token["name"], "test");
    assert!(token["lastUsedAt"].is_string() && token["expiresAt"].is_string() && token["scope"] == "all");
    assert!(!tokens.to_string().contains(&operator.token), "the secret is shown once");
    let mut closures = server.app.accounts.closures();
    operator.write("admin", "revoke_token", json!({ "tokenId": token["tokenId"] })).await.ok();
    assert_eq!(Value::from(closures.recv().await.unwrap().session_id.to_string()), token["tokenId"]);
    operator.read("admin", "list_users", json!({})).await.fails(401, "bad-operator-token");
}

#[tokio::test(flavor = "multi_thread")]
async fn tokens_are_named_and_limited() {
    let server = Server::start().await;
    let (admin, _) = server.admin().await;
    let create = |payload: Value| admin.write("admin", "create_token", payload);
    for (payload, field) in [
        (json!({ "name": " ", "scope": "read" }), "name"),
        (json!({ "name": "x".repeat(51), "scope": "read" }), "name"),
        (json!({ "name": "a\nb", "scope": "read" }), "name"),
        (json!({ "name": "a", "scope": "read", "expiresInDays": 0 }), "expiresInDays"),
        (json!({ "name": "a", "scope": "read", "expiresInDays": 4_000_000_000_u32 }), "expiresInDays"),
    ] {
        let failure = create(payload).await.fails(422, "invalid");
        assert!(failure["fieldErrors"][field].is_string(), "{failure}");
    }
    create(json!({ "name": "a", "scope": "read", "expiresInDays": 1 })).await.ok();
    admin.write("admin", "revoke_token", json!({ "tokenId": "nonsense" })).await.fails(404, "not-found");
}

#[tokio::test(flavor = "multi_thread")]
async fn every_admin_action_is_audited() {
    let server = Server::start().await;
    let (admin, _) = server.admin().await;
    let (_, user) = server.registered("player").await;
    admin.write("admin", "promote_user", json!({ "account": "player" })).await.ok();
    admin.write("admin", "demote_user", json!({ "account": "player" })).await.ok();
    admin.write("admin", "reset_password", json!({ "account": "player", "newPassword": "Brand-New-1" })).await.ok();
    admin.write("admin", "create_token", json!({ "name": "laptop", "scope": "all" })).await.ok();
    let audit = admin.read("admin", "list_audit", json!({})).await.ok();
    let entries = audit["entries"].as_array().unwrap();
    let actions: Vec<_> = entries.iter().map(|entry| entry["action"].as_str().unwrap()).collect();
    assert_eq!(actions, ["create_token", "reset_password", "set_admin", "set_admin"], "the newest first");
    for entry in entries {
        assert_eq!((&entry["actor"], &entry["address"]), (&json!("the_admin"), &json!("127.0.0.1")));
    }
    assert_eq!(entries[1]["subject"], user["userId"]);
    assert!(!audit.to_string().contains("Brand-New-1") && !audit.to_string().contains("morpion_"), "no secrets");
    let second = admin.read("admin", "list_audit", json!({ "page": 2, "limit": 3 })).await.ok();
    assert_eq!(second["entries"][0], entries[3]);
    assert_eq!((&second["pagination"]["totalCount"], &second["pagination"]["hasPrevPage"]), (&json!(4), &json!(true)));
}
