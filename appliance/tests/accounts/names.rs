//! Reserved and offensive names are refused wherever one is chosen.

use serde_json::json;
use tempfile::TempDir;

use crate::support::{PASSWORD, Server, registration};

const RESERVED: &str = "This name is reserved. Please choose another.";

const OFFENSIVE: &str = "This name is not allowed. Please choose another.";

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
        let rename = json!({ "userId": id, "username": names[0], "displayName": names[1], "reason": "a test" });
        let failure = admin.write("admin", "rename_user", rename).await.fails(422, "invalid");
        assert_eq!(failure["fieldErrors"], json!({ "username": text, "displayName": text }));
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
