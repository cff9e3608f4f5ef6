//! Lists of players that come in, and tables of events that go out.

use std::time::Duration;

use morpion_rules::tournament::trf;
use reqwest::Method;
use serde_json::{Value, json};

use crate::{
    fixture::{Fixture, details},
    person::{Person, paired, started, win},
    stages::{begun, next_game, people, play, rounds, stages},
    support::{Browser, Outcome},
};

async fn fixture() -> Fixture {
    Fixture::with(|config| {
        config.events.round_pause = Duration::from_millis(50);
        config.limits.game_exports_per_hour = 1_000.try_into().unwrap();
    })
    .await
}

async fn import(browser: &Browser, event: &str, csv: &str, preview: bool) -> Outcome {
    browser.write("player", "import_players", json!({ "eventId": event, "csv": csv, "preview": preview })).await
}

/// Number, status and username of each line.
fn lines(answer: &Value) -> Value {
    let told = answer["players"].as_array().unwrap().iter();
    told.map(|line| json!([line["line"], line["status"], line["username"]])).collect()
}

async fn signed_up(fixture: &Fixture, event: &str) -> u64 {
    fixture.event(event).await["signupCount"].as_u64().unwrap()
}

async fn file(browser: &Browser, event: &str, name: &str) -> (String, String, String) {
    let answer = browser.request(Method::GET, &format!("/api/backend/events/{event}/{name}")).send().await.unwrap();
    assert_eq!(answer.status(), 200, "{name}");
    let header = |name: &str| answer.headers()[name].to_str().unwrap().to_owned();
    let (content_type, disposition) = (header("content-type"), header("content-disposition"));
    // `text()` would leave out the byte order mark.
    (content_type, disposition, String::from_utf8(answer.bytes().await.unwrap().into()).unwrap())
}

/// The rows of a table, without headings.
fn rows(table: &str) -> Vec<Vec<String>> {
    let mut reader = csv::ReaderBuilder::new().from_reader(table.trim_start_matches('\u{FEFF}').as_bytes());
    reader.records().map(|row| row.unwrap().iter().map(ToOwned::to_owned).collect()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_list_is_taken_whole_or_not_at_all() {
    let fixture = fixture().await;
    let (admin, event) = (&fixture.admin, fixture.published(details("Cup")).await);
    for name in ["ada", "bob", "cat", "-dan"] {
        fixture.server.registered(name).await;
    }
    let guest = fixture.server.browser().await;
    let guest = guest.post("/api/auth/guest", json!({})).await.ok()["user"]["username"].clone();
    let guest = guest.as_str().unwrap();
    admin.write("player", "create_player", json!({ "eventId": event, "username": "cat" })).await.ok();

    // As a spreadsheet saves it: a byte order mark, semicolons, quotes, CRLF.
    let list = "\u{FEFF}Club;Username\r\n\"A; B\";ADA\r\nC;@bob\r\n\r\n;'-dan\r\n;cat\r\n;bob\r\n";
    let seen = import(admin, &event, list, true).await.ok();
    let expected = json!([
        [2, "found", "ada"],
        [3, "found", "bob"],
        [5, "found", "-dan"],
        [6, "alreadyIn", "cat"],
        [7, "repeated", "bob"],
    ]);
    assert_eq!(lines(&seen), expected);
    assert_eq!((&seen["added"], &seen["complete"]), (&json!(0), &json!(true)));
    assert_eq!(signed_up(&fixture, &event).await, 1, "a preview changes nothing");

    // One line that cannot be: nobody is signed up, and all is told.
    let wrong = format!("ada\nnobody here\n{guest}\nbob\n");
    let refused = import(admin, &event, &wrong, false).await.ok();
    let expected =
        json!([[1, "found", "ada"], [2, "notFound", "nobody here"], [3, "refused", guest], [4, "found", "bob"]]);
    assert_eq!(lines(&refused), expected);
    assert!(refused["players"][2]["reason"].as_str().is_some_and(|reason| !reason.is_empty()));
    assert_eq!((&refused["added"], &refused["complete"]), (&json!(0), &json!(false)));
    assert_eq!(signed_up(&fixture, &event).await, 1);

    let done = import(admin, &event, list, false).await.ok();
    assert_eq!((&done["added"], &done["complete"]), (&json!(3), &json!(true)));
    assert_eq!((&lines(&done)[0], &lines(&done)[1]), (&json!([2, "added", "ada"]), &json!([3, "added", "bob"])));
    assert_eq!(signed_up(&fixture, &event).await, 4);
    let again = import(admin, &event, list, false).await.ok();
    assert_eq!((&again["added"], &again["complete"]), (&json!(0), &json!(true)), "a list may be sent twice");
    let trail = admin.read("admin", "list_audit", json!({ "limit": 100 })).await.ok();
    let entries = trail["entries"].as_array().unwrap().iter();
    let of_list = entries.filter(|entry| entry["action"] == "create_player" && entry.to_string().contains("list"));
    assert_eq!(of_list.count(), 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_list_that_is_none_or_too_long_is_refused_with_a_word() {
    let fixture = fixture().await;
    let admin = &fixture.admin;
    let mut fields = details("Cup");
    fields["maxPlayers"] = json!(2);
    let event = fixture.published(fields).await;
    for name in ["ada", "bob", "cat"] {
        fixture.server.registered(name).await;
    }
    for (wrong, word) in [
        ("", "no players"),
        ("username\n", "no players"),
        ("\u{FFFD}\u{FFFD}a\0d\0a\0", "UTF-8"),
        ("Jos\u{FFFD}\n", "UTF-8"),
        (&"ada\n".repeat(1_025), "1024"),
    ] {
        let failure = import(admin, &event, wrong, true).await.fails(422, "invalid");
        assert!(failure["fieldErrors"]["csv"].as_str().unwrap().contains(word), "{failure}");
    }
    import(admin, &event, &"x".repeat(70_000), true).await.fails(413, "too-large");
    // A bot is refused before anybody is signed up.
    let (bot, account) = fixture.server.registered("rook").await;
    let id = account["userId"].as_str().unwrap();
    admin.write("admin", "allow_hosting", json!({ "userId": id, "allowed": true })).await.ok();
    bot.write("userprofile", "become_bot", json!({ "username": "rook" })).await.ok();
    for preview in [true, false] {
        let refused = import(admin, &event, "ada\nrook\n", preview).await.ok();
        assert_eq!(lines(&refused), json!([[1, "found", "ada"], [2, "refused", "rook"]]));
        assert_eq!((refused["added"].clone(), signed_up(&fixture, &event).await), (json!(0), 0));
    }
    let full = import(admin, &event, "ada\nbob\ncat\n", false).await.ok();
    assert_eq!(lines(&full)[2], json!([3, "refused", "cat"]));
    assert_eq!((full["added"].clone(), signed_up(&fixture, &event).await), (json!(0), 0));
    let (eve, _) = fixture.server.registered("eve").await;
    import(&eve, &event, "ada\n", true).await.fails(403, "forbidden");
    import(admin, &uuid::Uuid::new_v4().to_string(), "ada\n", true).await.fails(404, "not-found");
    fixture.act("start_event", &event).await;
    fixture.act("end_event", &event).await;
    import(admin, &event, "ada\n", true).await.fails(409, "event-over");
}

#[tokio::test(flavor = "multi_thread")]
async fn tables_of_an_arena_have_no_formulas() {
    let fixture = fixture().await;
    let event = fixture.published(details("Cup")).await;
    let mut ada = Person::new(&fixture.server, "-ada").await;
    let mut bob = Person::new(&fixture.server, "bob").await;
    bob.browser.post("/api/backend/profile/update", json!({ "displayName": "=1+1" })).await.ok();
    for person in [&ada, &bob] {
        person.browser.write("eventSignUp", "sign_up", json!({ "eventId": event })).await.ok();
    }
    fixture.act("start_event", &event).await;
    let game = paired(&mut ada, &mut bob, &event).await;
    let state = started(&mut ada, &mut bob, &game).await;
    win(&mut ada, &mut bob, &game, &state).await;
    for _ in 0..200 {
        let table = file(&ada.browser, &event, "standings.csv").await.2;
        if table.contains("1,'-ada,'-ada,2,1,0,") || table.contains(",2,1,0,") {
            break;
        }
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
    let (content_type, disposition, table) = file(&ada.browser, &event, "standings.csv").await;
    assert_eq!(content_type, "text/csv; charset=utf-8");
    assert_eq!(disposition, format!("attachment; filename=\"standings-{event}.csv\""));
    assert!(table.starts_with("\u{FEFF}rank,username,name,level,wins,losses,out\r\n"), "{table}");
    let found = rows(&table);
    assert_eq!(found[0][..2], ["1", "'-ada"]);
    assert_eq!((found[1][1].as_str(), found[1][2].as_str()), ("bob", "'=1+1"));
    let (_, _, table) = file(&bob.browser, &event, "results.csv").await;
    let found = rows(&table);
    assert_eq!((found.len(), found[0][0].as_str()), (1, game.as_str()));
    assert_eq!((found[0][5].as_str(), found[0][6].as_str(), found[0][7].as_str()), ("'-ada", "line", "1"));
    assert!(!table.contains("example.org"), "no email");
    let path = format!("/api/backend/events/{event}/swiss.trf");
    bob.browser.get(&path).await.fails(409, "no-report");
    for name in ["standings.csv", "results.csv", "swiss.trf"] {
        let path = format!("/api/backend/events/{event}/{name}");
        fixture.server.browser().await.get(&path).await.fails(401, "not-signed-in");
        let unknown = format!("/api/backend/events/{}/{name}", uuid::Uuid::new_v4());
        bob.browser.get(&unknown).await.fails(404, "not-found");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_swiss_is_read_back_from_its_report_and_its_tables_agree() {
    let fixture = fixture().await;
    let mut all = people(&fixture.server, 4).await;
    let event = begun(&fixture, stages("swiss", json!({ "rounds": 2, "matchGames": 1 })), &mut all).await;
    for _ in 0..2 {
        let open = next_game(&fixture, &event).await.unwrap();
        play(&mut all, open).await;
    }
    // Both matches of the first round are over once the second one is paired.
    for _ in 0..200 {
        if rounds(&fixture, &event).await.len() == 2 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
    let (content_type, _, text) = file(&fixture.admin, &event, "swiss.trf").await;
    assert_eq!(content_type, "text/plain; charset=utf-8");
    let report = trf::read(&text).unwrap();
    assert_eq!((report.title.as_str(), report.names.len()), ("Stages", 4));
    assert!(["ada", "bob", "cat", "dan"].iter().all(|name| report.names.contains(&(*name).to_owned())));
    assert!(!report.tournament.rounds.is_empty());
    let standings = fixture.admin.read("event", "get_standings", json!({ "eventId": event })).await.ok();
    let table = rows(&file(&all[0].browser, &event, "standings.csv").await.2);
    for (row, told) in table.iter().zip(standings["standings"].as_array().unwrap()) {
        assert_eq!((row[0].clone(), json!(row[2])), (told["rank"].to_string(), told["username"].clone()));
        assert_eq!(row[4].parse::<f64>().unwrap(), told["points"].as_f64().unwrap());
    }
    let results = rows(&file(&all[0].browser, &event, "results.csv").await.2);
    let first: Vec<_> = results.iter().filter(|row| row[0] == "1").collect();
    assert_eq!(first.len(), 2);
    assert!(first.iter().all(|row| row[4] == row[2] || row[4] == row[3]), "{first:?}");
    assert!(first.iter().all(|row| row[5] == "played" && row[6].len() == 36), "{first:?}");
}
