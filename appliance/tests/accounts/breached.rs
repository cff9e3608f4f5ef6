//! Breached passwords are refused wherever a new one is set.

use morpion_appliance::account::breached::import::{ListFormat, import};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::{
    recovery::{code, request, update, validate},
    support::{PASSWORD, Server, registration},
};

const BREACHED: &str = "Br3ached!word";

const REFUSED: &str = "Password appeared in a data breach. Please choose another.";

#[tokio::test(flavor = "multi_thread")]
async fn a_breached_password_is_refused_wherever_one_is_set() {
    let folder = TempDir::new().unwrap();
    let (path, data) = (folder.path().join("breached.hashes"), folder.path().to_owned());
    import(format!("other\n{BREACHED}\n").as_bytes(), ListFormat::Passwords, &path, |_| {}).unwrap();
    let server = Server::with(|config| {
        config.identity.local.breached_passwords = "{data_dir}/breached.hashes".to_owned();
        config.data_dir = data;
    })
    .await;
    let with = |mut form: Value| {
        form["password"] = json!(BREACHED);
        form
    };

    let visitor = server.browser().await;
    let mut form = with(registration("ada"));
    form["email"] = json!("no email");
    let failure = visitor.post("/api/auth/register", form).await.fails(422, "invalid");
    assert_eq!(failure["fieldErrors"]["password"], REFUSED);
    assert!(failure["fieldErrors"]["email"].is_string(), "with what else is wrong: {failure}");

    let (admin, _) = server.admin().await;
    let change = json!({ "currentPassword": PASSWORD, "newPassword": BREACHED });
    let failure = admin.post("/api/auth/password", change).await.fails(422, "invalid");
    assert_eq!(failure["fieldErrors"]["newPassword"], REFUSED);
    let new = json!({ "email": "new@example.org", "username": "new_one", "password": BREACHED });
    let failure = admin.write("admin", "create_admin", new).await.fails(422, "invalid");
    assert_eq!(failure["fieldErrors"]["password"], REFUSED);
    server.registered("bob").await;
    let reset = json!({ "account": "bob", "newPassword": BREACHED });
    let failure = admin.write("admin", "reset_password", reset).await.fails(422, "invalid");
    assert_eq!(failure["fieldErrors"]["newPassword"], REFUSED);

    let id = server.app.store.user_by_username("the_admin").await.unwrap().unwrap().id;
    server.verify_email_of(id, "the_admin@example.org").await;
    request(&visitor, "the_admin@example.org").await.ok();
    validate(&visitor, "the_admin@example.org", code(&folder, 1).await).await.ok();
    let failure = update(&visitor, "the_admin@example.org", BREACHED).await.fails(422, "invalid");
    assert_eq!(failure["fieldErrors"]["newPassword"], REFUSED);
    update(&visitor, "the_admin@example.org", "Another-Horse-8").await.ok();
}
