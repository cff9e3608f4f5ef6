//! Reserved and offensive names are refused wherever one is chosen.

use serde_json::json;
use tempfile::TempDir;

use crate::support::{PASSWORD, Server, registration};

const RESERVED: &str = "This name is reserved. Please choose another.";

const OFFENSIVE: &str = "This name is not allowed. Please choose another. If it is your real name, an admin of this site can set it for you.";

#[tokio::test(flavor = "multi_thread")]
async fn names_that_nobody_may_choose_are_refused_at_the_field() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("reserved.txt");
    std::fs::write(&path, "# ours\nMagnus\n").unwrap();
    let server = Server::with(|config| config.identity.reserved_names_file = path.display().to_string()).await;
    let visitor = server.browser().await;
    for (name, text) in [("Adm1n", RESERVED), ("m_a_g_n_u_s", RESERVED), ("f.u.c.k", OFFENSIVE)] {
        let failure = visitor.post("/api/auth/register", registration(name)).await.fails(422, "invalid");
        assert_eq!(failure["fieldErrors"]["username"], text, "{name}");
    }

    let (ada, user) = server.registered("ada").await;
    let id = &user["userId"];
    let (admin, _) = server.admin().await;
    for (names, text) in [(["moderator1", "Аdmin"], RESERVED), (["n1gger", "fück you"], OFFENSIVE)] {
        let wish = json!({ "userId": id, "username": names[0], "displayName": names[1] });
        let failure = ada.write("userprofile", "update_user_profile", wish).await.fails(422, "invalid");
        assert_eq!(failure["fieldErrors"], json!({ "username": text, "displayName": text }));
    }
    let rename = json!({ "userId": id, "username": "moderator1", "displayName": "Аdmin", "reason": "a test" });
    let failure = admin.write("admin", "rename_user", rename).await.fails(422, "invalid");
    assert_eq!(failure["fieldErrors"], json!({ "username": RESERVED, "displayName": RESERVED }));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_admin_gives_somebody_the_name_that_the_list_takes_for_an_offence() {
    let server = Server::start().await;
    let (ada, user) = server.registered("ada").await;
    let (admin, _) = server.admin().await;
    let wish = json!({ "userId": user["userId"], "displayName": "Homer Tit" });
    let failure = ada.write("userprofile", "update_user_profile", wish.clone()).await.fails(422, "invalid");
    assert_eq!(failure["fieldErrors"]["displayName"], OFFENSIVE);
    let mut rename = wish;
    rename["reason"] = json!("their name");
    let renamed = admin.write("admin", "rename_user", rename).await.ok();
    assert_eq!(renamed["user"]["displayName"], "Homer Tit");
    let same = json!({ "userId": user["userId"], "displayName": "Homer Tit", "firstName": "Homer" });
    ada.write("userprofile", "update_user_profile", same).await.ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn names_show_something_and_are_found_however_they_are_typed() {
    let server = Server::start().await;
    let (ada, user) = server.registered("ada").await;
    let unseen = |what: &str| format!("{what} has a character that cannot be seen. Please type it again.");
    for name in ["\u{2800}", "\u{3164}", "\u{115F}", "\u{FFA0}", "\u{34F}", "\u{200D}", "\u{301}", "\u{FFFF}"] {
        let wish = json!({ "userId": user["userId"], "displayName": name, "firstName": name });
        let failure = ada.write("userprofile", "update_user_profile", wish).await.fails(422, "invalid");
        let errors = json!({ "displayName": unseen("Display name"), "firstName": unseen("A name") });
        assert_eq!(failure["fieldErrors"], errors, "{name:?}");
    }
    let scotland = "🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}";
    let (bob, _) = server.registered("bob").await;
    // Decomposed, as some keyboards and file systems make it.
    let name = format!("Zoe\u{308} Gro\u{DF} {scotland}");
    let wish = json!({ "userId": user["userId"], "displayName": name });
    let changed = ada.write("userprofile", "update_user_profile", wish).await.ok();
    assert_eq!(changed["user"]["displayName"], format!("Zoë Groß {scotland}"));
    for text in ["zoë", "ZOE\u{308}", "ｚｏë", "gross", "GROSS", "groß", "ë gro", scotland] {
        let found = bob.read("userprofile", "search_user", json!({ "text": text })).await.ok();
        assert_eq!(found["users"][0]["userId"], user["userId"], "{text:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn names_that_exist_are_kept_and_admins_may_be_called_so() {
    let server = Server::start().await;
    let (admin, _) = server.admin().await;
    let form = |name: &str| json!({ "email": format!("{name}@example.org"), "username": name, "password": PASSWORD });
    let made = admin.write("admin", "create_admin", form("support")).await.ok();
    assert_eq!(made["user"]["username"], "support");
    let failure = admin.write("admin", "create_admin", form("fuck")).await.fails(422, "invalid");
    assert_eq!(failure["fieldErrors"]["username"], OFFENSIVE);

    let browser = server.browser().await;
    let credentials = crate::support::credentials("support@example.org", PASSWORD);
    let user = browser.post("/api/auth/login", credentials).await.ok()["user"].clone();
    let same = json!({
        "userId": user["userId"], "username": "support", "displayName": user["displayName"], "firstName": "Sue",
    });
    let changed = browser.write("userprofile", "update_user_profile", same).await.ok();
    assert_eq!(changed["user"]["firstName"], "Sue");
}
