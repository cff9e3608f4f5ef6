//! Series of events: `docs/behaviour/series.md`.

use chrono::{TimeDelta, Timelike, Utc};
use futures_util::future::join_all;
use serde_json::{Value, json};
use tempfile::TempDir;
use uuid::Uuid;

use crate::{
    fixture::{Fixture, details},
    person::{Person, paired, started, win},
    process::{Process, register, sign_in_from},
    restart::{on_disk, signed_in},
    support::Server,
};

/// A date so many days from today, and a time that is a few minutes before the present one, as a first start.
fn first_start(days: i64) -> String {
    let time = (Utc::now() - TimeDelta::minutes(5)).time();
    let day = (Utc::now() + TimeDelta::days(days)).date_naive();
    format!("{day}T{:02}:{:02}", time.hour(), time.minute())
}

/// Every day, three days ahead; the first date is tomorrow.
fn daily(name: &str) -> Value {
    json!({
        "name": name,
        "template": { "title": "Daily cup", "description": "Come all", "maxLosses": 1 },
        "durationMinutes": 90,
        "firstStart": first_start(0),
        "timeZone": "UTC",
        "rule": "FREQ=DAILY",
        "points": [10, 6, 4],
        "daysAhead": 3,
    })
}

async fn made(fixture: &Fixture, fields: Value) -> String {
    let made = fixture.admin.write("series", "create_series", fields).await.ok();
    made["series"]["seriesId"].as_str().unwrap().to_owned()
}

async fn page(fixture: &Fixture, id: &str) -> Value {
    fixture.admin.read("series", "get_series", json!({ "seriesId": id })).await.ok()
}

async fn upcoming(fixture: &Fixture, id: &str) -> Vec<Value> {
    page(fixture, id).await["upcoming"].as_array().unwrap().clone()
}

async fn table(fixture: &Fixture, id: &str) -> Vec<(u64, String, u64)> {
    let answer = fixture.admin.read("series", "get_series_table", json!({ "seriesId": id })).await.ok();
    let row = |row: &Value| {
        (row["rank"].as_u64().unwrap(), row["username"].as_str().unwrap().to_owned(), row["points"].as_u64().unwrap())
    };
    let mut rows: Vec<_> = answer["rows"].as_array().unwrap().iter().map(row).collect();
    // Equals are in the order of their ids.
    rows.sort();
    rows
}

async fn ics(server: &Server, path: &str) -> (u16, String) {
    let answer = reqwest::get(format!("http://{}/api/backend/{path}", server.address)).await.unwrap();
    let status = answer.status().as_u16();
    // Long lines are folded.
    (status, answer.text().await.unwrap().replace("\r\n ", ""))
}

/// The lines of an entry of a file.
fn entry(text: &str, event: &str) -> Vec<String> {
    let uid = format!("UID:{event}@morpion");
    let found =
        text.split("BEGIN:VEVENT").find(|part| part.contains(&uid)).unwrap_or_else(|| panic!("{event}: {text}"));
    let lines = found.split("END:VEVENT").next().unwrap().lines().map(str::to_owned);
    // When the file was made is no part of what it says.
    let mut lines: Vec<String> = lines.filter(|line| !line.is_empty()).collect();
    lines.sort();
    lines
}

fn line<'a>(entry: &'a [String], name: &str) -> &'a str {
    entry.iter().find_map(|line| line.strip_prefix(&format!("{name}:"))).unwrap_or_else(|| panic!("{name}: {entry:?}"))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_series_makes_the_events_of_its_next_dates_and_publishes_them() {
    let fixture = Fixture::new().await;
    let mut reader = Person::new(&fixture.server, "reader").await;
    let id = made(&fixture, daily("Daily")).await;
    let events = upcoming(&fixture, &id).await;
    assert_eq!(events.len(), 3, "those of three days: {events:?}");
    for event in &events {
        assert_eq!((&event["title"], &event["eventState"]), (&json!("Daily cup"), &json!("published")));
        assert_eq!((&event["seriesId"], &event["maxLosses"]), (&json!(id), &json!(1)));
        let time = |field: &str| chrono::DateTime::parse_from_rfc3339(event[field].as_str().unwrap()).unwrap();
        assert_eq!(time("endTime") - time("startTime"), TimeDelta::minutes(90));
    }
    assert_eq!(reader.socket.wait("eventStateChanged").await["eventState"], "published", "as if an admin had");
    // Anybody sees them, and signs up.
    let event = events[0]["eventId"].clone();
    reader.browser.write("eventSignUp", "sign_up", json!({ "eventId": event })).await.ok();
    let visitor = fixture.server.browser().await;
    let listed = visitor.read("series", "list_series", json!({})).await.ok();
    assert_eq!(listed["series"][0]["name"], "Daily");
    assert_eq!((&listed["series"][0]["template"], &listed["pagination"]["totalCount"]), (&Value::Null, &json!(1)));
    let seen = visitor.read("series", "get_series", json!({ "seriesId": id })).await.ok();
    assert_eq!(seen["upcoming"].as_array().unwrap().len(), 3);
    assert_eq!(seen["series"]["nextDates"].as_array().unwrap().len(), 5);
    assert_eq!(seen["series"]["template"], Value::Null, "the template is for admins");
    assert_eq!(page(&fixture, &id).await["series"]["template"]["title"], "Daily cup");

    // Nothing is made twice, and with the next day the next event.
    fixture.server.app.events.make_due_events().await.unwrap();
    assert_eq!(upcoming(&fixture, &id).await.len(), 3);
    fixture.clock.advance_calendar(TimeDelta::days(1).num_milliseconds());
    fixture.server.app.events.make_due_events().await.unwrap();
    let all = fixture.server.app.store.events_of_series(id.parse().unwrap(), 100).await.unwrap().len();
    assert_eq!(all, 4);

    // A clock that is set back makes none twice.
    fixture.clock.advance_calendar(-TimeDelta::days(1).num_milliseconds());
    let change = json!({ "seriesId": id, "description": "Every day" });
    fixture.admin.write("series", "update_series", change).await.ok();
    fixture.server.app.events.make_due_events().await.unwrap();
    assert_eq!(fixture.server.app.store.events_of_series(id.parse().unwrap(), 100).await.unwrap().len(), all);
    let trail = fixture.admin.read("admin", "list_audit", json!({ "limit": 50 })).await.ok();
    let by_server = |entry: &&Value| entry["action"] == "create_event" && entry["actor"] == "server";
    assert_eq!(trail["entries"].as_array().unwrap().iter().filter(by_server).count(), all, "{trail}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_changed_by_hand_stays_and_a_changed_template_is_for_events_to_be_made() {
    let fixture = Fixture::new().await;
    let id = made(&fixture, daily("Daily")).await;
    let events = upcoming(&fixture, &id).await;
    let of = |index: usize| events[index]["eventId"].as_str().unwrap();
    fixture.admin.write("event", "update_event", json!({ "eventId": of(0), "title": "By hand" })).await.ok();
    fixture.act("cancel_event", of(1)).await;
    let change = json!({
        "seriesId": id,
        "template": { "title": "New cup", "format": "swiss", "rounds": 3 },
        "durationMinutes": 30,
        "daysAhead": 4,
    });
    let changed = fixture.admin.write("series", "update_series", change).await.ok();
    assert_eq!(changed["series"]["template"]["format"], "swiss");
    let now = page(&fixture, &id).await;
    let titles: Vec<_> = now["upcoming"].as_array().unwrap().iter().map(|event| event["title"].clone()).collect();
    assert_eq!(titles, ["By hand", "Daily cup", "New cup"]);
    assert_eq!(now["past"][0]["eventId"], of(1), "the cancelled date stays skipped");
    let made = &now["upcoming"][2];
    assert_eq!((&made["format"], &made["rounds"]), (&json!("swiss"), &json!(3)));

    // Another time of day makes no second event for a date.
    let change = json!({ "seriesId": id, "firstStart": format!("{}T23:59", &first_start(0)[..10]) });
    fixture.admin.write("series", "update_series", change).await.ok();
    let all = fixture.server.app.store.events_of_series(id.parse().unwrap(), 100).await.unwrap();
    let mut dates: Vec<_> = all.iter().map(|event| event.start_time.unwrap().date_naive()).collect();
    dates.sort();
    dates.dedup();
    assert_eq!(dates.len(), all.len());

    let ended = fixture.admin.write("series", "end_series", json!({ "seriesId": id })).await.ok();
    assert!(ended["series"]["endedAt"].is_string() && ended["series"]["nextDates"] == json!([]));
    fixture.admin.write("series", "end_series", json!({ "seriesId": id })).await.fails(409, "series-ended");
    let change = json!({ "seriesId": id, "name": "Again" });
    fixture.admin.write("series", "update_series", change).await.fails(409, "series-ended");
    fixture.admin.write("series", "delete_series", json!({ "seriesId": id })).await.fails(409, "series-has-events");
    fixture.clock.advance_calendar(TimeDelta::days(2).num_milliseconds());
    fixture.server.app.events.make_due_events().await.unwrap();
    assert_eq!(fixture.server.app.store.events_of_series(id.parse().unwrap(), 100).await.unwrap().len(), all.len());
    let listed = fixture.admin.read("series", "list_series", json!({ "ended": true })).await.ok();
    assert_eq!(listed["series"][0]["seriesId"], json!(id));
    assert_eq!(fixture.admin.read("series", "list_series", json!({})).await.ok()["series"], json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn admins_at_once_make_no_event_twice_and_lose_no_change() {
    let fixture = Fixture::new().await;
    let mut fields = daily("Later");
    fields["daysAhead"] = json!(1);
    let id = made(&fixture, fields).await;
    let changes = (2..10).map(|days| {
        let payload = match days % 2 {
            0 => json!({ "seriesId": id, "daysAhead": days }),
            _ => json!({ "seriesId": id, "points": [days] }),
        };
        fixture.admin.write("series", "update_series", payload)
    });
    let ticks = join_all((0..4).map(|_| fixture.server.app.events.make_due_events()));
    let (changed, made) = tokio::join!(join_all(changes), ticks);
    changed.into_iter().for_each(|change| drop(change.ok()));
    made.into_iter().for_each(|made| made.unwrap());
    fixture.server.app.events.make_due_events().await.unwrap();
    let row = fixture.server.app.store.series(id.parse().unwrap()).await.unwrap().unwrap();
    assert_eq!(row.version, 9);
    let events = fixture.server.app.store.events_of_series(id.parse().unwrap(), 100).await.unwrap();
    let mut starts: Vec<_> = events.iter().map(|event| event.start_time).collect();
    starts.sort();
    starts.dedup();
    assert_eq!((starts.len(), events.len()), (8, 8), "of the eight days that were asked for at most");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_restart_makes_what_became_due_and_nothing_twice() {
    let folder = TempDir::new().unwrap();
    let fixture = Fixture::with(on_disk(&folder)).await;
    Person::new(&fixture.server, "ada").await;
    let id = made(&fixture, daily("Daily")).await;
    let before: Vec<Value> = upcoming(&fixture, &id).await;
    fixture.server.stop().await;

    let clock = morpion_appliance::clock::Clock::default();
    clock.advance_calendar(TimeDelta::days(1).num_milliseconds());
    let server = Server::with_clock(clock.clone(), on_disk(&folder)).await;
    let admin = signed_in(&server, "ada").await.browser;
    let fixture = Fixture { server, admin, clock };
    let store = fixture.server.app.store.clone();
    let mut tries = 0..200;
    while store.events_of_series(id.parse().unwrap(), 100).await.unwrap().len() < 4 {
        tries.next().expect("the event of the fourth day is not made");
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    fixture.server.app.events.make_due_events().await.unwrap();
    let after = store.events_of_series(id.parse().unwrap(), 100).await.unwrap();
    assert_eq!(after.len(), 4);
    for event in before {
        assert!(after.iter().any(|row| json!(row.id) == event["eventId"]), "{event}");
    }
    // The new one is in memory as well: people can sign up.
    let newest = after[0].id;
    fixture.admin.write("eventSignUp", "sign_up", json!({ "eventId": newest })).await.ok();
    fixture.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn hostile_and_wrong_fields_are_refused_each_at_its_place() {
    let fixture = Fixture::new().await;
    let with = |field: &str, value: Value| {
        let mut fields = daily("Daily");
        fields[field] = value;
        fields
    };
    for (fields, wrong) in [
        (with("name", json!(" ")), "name"),
        (with("name", json!("x".repeat(121))), "name"),
        (with("description", json!("x".repeat(4_001))), "description"),
        (with("durationMinutes", json!(0)), "durationMinutes"),
        (with("durationMinutes", json!(10_081)), "durationMinutes"),
        (with("daysAhead", json!(91)), "daysAhead"),
        (with("points", json!([])), "points"),
        (with("points", json!([0])), "points"),
        (with("points", json!([1, 2])), "points"),
        (with("points", json!([1_001])), "points"),
        (with("points", json!(vec![1; 65])), "points"),
        (with("timeZone", json!("Mars/Olympus")), "timeZone"),
        (with("firstStart", json!("tomorrow")), "firstStart"),
        (with("rule", json!("FREQ=SECONDLY")), "rule"),
        (with("rule", json!("FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30")), "rule"),
        (with("rule", json!("FREQ=DAILY\r\nATTENDEE:x")), "rule"),
    ] {
        let refused = fixture.admin.write("series", "create_series", fields).await.fails(422, "invalid");
        assert!(refused["fieldErrors"][wrong].is_string(), "{wrong}: {refused}");
    }
    let untitled = with("template", json!({ "title": "" }));
    let refused = fixture.admin.write("series", "create_series", untitled).await.fails(422, "title-required");
    assert!(refused["fieldErrors"]["title"].is_string());
    let timed = with("template", json!({ "title": "Cup", "startTime": "2027-01-01T00:00:00Z" }));
    let refused = fixture.admin.write("series", "create_series", timed).await.fails(422, "invalid");
    assert!(refused["fieldErrors"]["template.startTime"].is_string());
    assert_eq!(fixture.admin.read("series", "list_series", json!({})).await.ok()["series"], json!([]));

    let preview =
        json!({ "firstStart": "2027-03-26T19:00", "timeZone": "Europe/Berlin", "rule": "FREQ=WEEKLY;COUNT=2" });
    let dates = fixture.admin.read("series", "preview_series", preview.clone()).await.ok();
    assert_eq!(
        dates["dates"],
        json!([
            { "date": "2027-03-26", "startsAt": "2027-03-26T18:00:00Z" },
            { "date": "2027-04-02", "startsAt": "2027-04-02T17:00:00Z" },
        ])
    );
    let mut wrong = preview.clone();
    wrong["rule"] = json!("FREQ=HOURLY");
    let refused = fixture.admin.read("series", "preview_series", wrong).await.fails(422, "invalid");
    assert_eq!(refused["fieldErrors"]["rule"], "The rule repeats at most daily.");

    // Nobody but admins, and no unknown series.
    let id = made(&fixture, daily("Daily")).await;
    let (player, visitor) = (fixture.server.registered("player").await.0, fixture.server.browser().await);
    for (action, payload) in [
        ("create_series", daily("Mine")),
        ("update_series", json!({ "seriesId": id, "name": "Mine" })),
        ("end_series", json!({ "seriesId": id })),
        ("delete_series", json!({ "seriesId": id })),
    ] {
        player.write("series", action, payload.clone()).await.fails(403, "forbidden");
        visitor.write("series", action, payload).await.fails(401, "not-signed-in");
    }
    player.read("series", "preview_series", preview).await.fails(403, "forbidden");
    let unknown = json!({ "seriesId": Uuid::new_v4() });
    for action in ["update_series", "end_series", "delete_series"] {
        fixture.admin.write("series", action, unknown.clone()).await.fails(404, "not-found");
    }
    for action in ["get_series", "get_series_table"] {
        visitor.read("series", action, unknown.clone()).await.fails(404, "not-found");
    }

    // One that starts later than events are made can still go.
    let mut far = daily("Far");
    far["firstStart"] = json!(first_start(30));
    let far = made(&fixture, far).await;
    fixture.admin.write("series", "delete_series", json!({ "seriesId": far })).await.ok();
    visitor.read("series", "get_series", json!({ "seriesId": far })).await.fails(404, "not-found");
}

#[tokio::test(flavor = "multi_thread")]
async fn no_more_series_make_events_than_the_server_follows() {
    let fixture = Fixture::new().await;
    let mut fields = daily("Far");
    fields["firstStart"] = json!(first_start(200));
    let id = made(&fixture, fields.clone()).await;
    let row = fixture.server.app.store.series(id.parse().unwrap()).await.unwrap().unwrap();
    for _ in 1..morpion_appliance::events::series::MOST_RUNNING {
        let row = morpion_store::SeriesRow { id: Uuid::new_v4(), ..row.clone() };
        fixture.server.app.store.create_series(&row).await.unwrap();
    }
    fixture.admin.write("series", "create_series", fields.clone()).await.fails(409, "too-many-series");
    fixture.admin.write("series", "end_series", json!({ "seriesId": id })).await.ok();
    made(&fixture, fields).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_counts_concluded_events_and_follows_corrections() {
    let fixture = Fixture::new().await;
    let id = made(&fixture, daily("League")).await;
    let events = upcoming(&fixture, &id).await;
    let of = |index: usize| events[index]["eventId"].as_str().unwrap().to_owned();
    let [mut ada, mut bob] = [Person::new(&fixture.server, "ada").await, Person::new(&fixture.server, "bob").await];
    assert_eq!(table(&fixture, &id).await, []);
    for event in [of(0), of(1)] {
        for person in [&ada, &bob] {
            person.browser.write("eventSignUp", "sign_up", json!({ "eventId": event })).await.ok();
        }
        fixture.act("start_event", &event).await;
        let game = paired(&mut ada, &mut bob, &event).await;
        let state = started(&mut ada, &mut bob, &game).await;
        win(&mut ada, &mut bob, &game, &state).await;
        let ended = fixture.event(&event).await;
        if ended["eventState"] == "started" {
            fixture.act("end_event", &event).await;
        }
        fixture.until(&event, |event| event["concluded"] == true).await;
    }
    let expected = |rows: &[(u64, &str, u64)]| {
        rows.iter().map(|(rank, name, points)| (*rank, (*name).to_owned(), *points)).collect::<Vec<_>>()
    };
    assert_eq!(table(&fixture, &id).await, expected(&[(1, "ada", 20), (2, "bob", 12)]));
    let answer = fixture.admin.read("series", "get_series_table", json!({ "seriesId": id })).await.ok();
    assert_eq!((&answer["countedEvents"], &answer["rows"][0]["firsts"]), (&json!(2), &json!(2)));

    // A result is corrected: the second event has another winner.
    let reopen = json!({ "eventId": of(1), "reason": "A mistake" });
    fixture.admin.write("event", "reopen_event", reopen).await.ok();
    assert_eq!(table(&fixture, &id).await, expected(&[(1, "ada", 10), (2, "bob", 6)]), "meanwhile it does not count");
    let correction = json!({ "eventId": of(1), "userId": bob.id, "updates": { "level": 9, "wins": 9, "losses": 0 }, "reason": "A mistake" });
    fixture.admin.write("player", "update_player", correction).await.ok();
    fixture.act("conclude_event", &of(1)).await;
    assert_eq!(table(&fixture, &id).await, expected(&[(1, "ada", 16), (1, "bob", 16)]), "equal in all places");
    // Other points count for what was played, too.
    fixture.admin.write("series", "update_series", json!({ "seriesId": id, "points": [3] })).await.ok();
    assert_eq!(table(&fixture, &id).await, expected(&[(1, "ada", 3), (1, "bob", 3)]));

    // A deleted account is shown as everywhere.
    let wish = json!({ "userId": ada.id, "password": crate::support::PASSWORD });
    ada.browser.write("userprofile", "delete_user_profile", wish).await.ok();
    for _ in 0..200 {
        let names: Vec<String> = table(&fixture, &id).await.into_iter().map(|(_, name, _)| name).collect();
        assert_eq!(names.len(), 2);
        if names.iter().any(|name| name == "Deleted player") {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    panic!("the name of a deleted account stays: {:?}", table(&fixture, &id).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_feed_moves_with_its_events() {
    let fixture = Fixture::new().await;
    let mut fields = daily("Friday; league, \"A\"");
    fields["template"]["title"] =
        json!("Cup; with, signs and a title that is so long that its line has to be folded somewhere");
    let id = made(&fixture, fields).await;
    let feed_path = format!("events/series/{id}/calendar.ics");
    let events = upcoming(&fixture, &id).await;
    let of = |index: usize| events[index]["eventId"].as_str().unwrap().to_owned();
    let (status, feed) = ics(&fixture.server, &feed_path).await;
    assert_eq!((status, feed.matches("BEGIN:VEVENT").count()), (200, 3));
    assert!(feed.contains("X-WR-CALNAME:Friday\\; league\\, \"A\"") && feed.contains("REFRESH-INTERVAL"), "{feed}");
    for index in 0..3 {
        let (_, own) = ics(&fixture.server, &format!("events/{}/calendar.ics", of(index))).await;
        let same = |text: &str| {
            let mut lines = entry(text, &of(index));
            lines.retain(|line| !line.starts_with("CREATED"));
            lines
        };
        assert_eq!(same(&feed), same(&own), "each entry is what the event's own file says");
    }
    let before = entry(&feed, &of(0));
    assert!(line(&before, "DTSTART").ends_with('Z') && line(&before, "STATUS") == "CONFIRMED", "{before:?}");

    let start = chrono::DateTime::parse_from_rfc3339(events[0]["startTime"].as_str().unwrap()).unwrap();
    let moved = (start + TimeDelta::minutes(15)).to_utc();
    let change = json!({ "eventId": of(0), "startTime": moved.to_rfc3339() });
    fixture.admin.write("event", "update_event", change).await.ok();
    fixture.act("cancel_event", &of(1)).await;
    let (_, feed) = ics(&fixture.server, &feed_path).await;
    let after = entry(&feed, &of(0));
    assert_eq!(line(&after, "DTSTART"), moved.format("%Y%m%dT%H%M%SZ").to_string());
    let sequence = |entry: &[String]| line(entry, "SEQUENCE").parse::<u32>().unwrap();
    assert!(sequence(&after) > sequence(&before));
    assert!(line(&after, "LAST-MODIFIED") >= line(&before, "LAST-MODIFIED"));
    assert_eq!(line(&entry(&feed, &of(1)), "STATUS"), "CANCELLED");
    assert_eq!(ics(&fixture.server, &format!("events/series/{}/calendar.ics", Uuid::new_v4())).await.0, 404);
    assert_eq!(ics(&fixture.server, "events/series/x/calendar.ics").await.0, 404);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_file_of_a_private_event_needs_its_token() {
    let fixture = Fixture::new().await;
    let [ada, bob] = [Person::new(&fixture.server, "ada").await, Person::new(&fixture.server, "bob").await];
    let eve = Person::new(&fixture.server, "eve").await;
    fixture.server.verify_email_of(ada.id.parse().unwrap(), "ada@example.org").await;
    let made = ada.browser.write("event", "create_event", details("Party")).await.ok()["event"].clone();
    let id = made["eventId"].as_str().unwrap().to_owned();
    ada.browser.write("event", "update_event", json!({ "eventId": id, "eventState": "published" })).await.ok();
    bob.browser.write("eventSignUp", "sign_up_by_code", json!({ "joinCode": made["joinCode"] })).await.ok();
    let told = async |person: &Person| {
        let answer = person.browser.read("event", "get_event_by_id", json!({ "eventId": id })).await;
        answer.ok()["event"]["calendarToken"].as_str().unwrap().to_owned()
    };
    let token = told(&ada).await;
    assert_eq!((token.len(), &told(&bob).await), (32, &token), "its host and who has entered are told");
    assert_eq!(fixture.event(&id).await["calendarToken"], Value::Null, "an admin who is not in it is not");
    eve.browser.read("event", "get_event_by_id", json!({ "eventId": id })).await.fails(404, "not-found");
    let listed = bob.browser.read("event", "list_events", json!({ "filter": { "signedUp": true } })).await.ok();
    assert_eq!(listed["events"][0]["calendarToken"], Value::Null, "lists have none");

    let file = async |event: &str, token: &str| {
        ics(&fixture.server, &format!("events/{event}/calendar.ics?token={token}")).await
    };
    let (status, text) = file(&id, &token).await;
    assert_eq!(status, 200);
    assert!(text.contains(&format!("UID:{id}@morpion")) && text.contains("SUMMARY:Party"), "{text}");
    let public = fixture.published(details("Open")).await;
    for (event, token) in [
        (id.as_str(), ""),
        (&id, "x"),
        (&id, &token[1..]),
        (&id, &token.to_uppercase().replace(char::is_numeric, "0")),
        (&id, &format!("{token}0")),
        (&public, &token),
        (&Uuid::new_v4().to_string(), &token),
    ] {
        assert_eq!(file(event, token).await.0, 404, "{event} {token}");
    }
    assert_eq!(ics(&fixture.server, &format!("events/{id}/calendar.ics")).await.0, 404);

    // Another join code ends it.
    ada.browser.write("event", "renew_join_code", json!({ "eventId": id })).await.ok();
    assert_eq!(file(&id, &token).await.0, 404);
    let renewed = told(&bob).await;
    assert_eq!((file(&id, &renewed).await.0, renewed == token), (200, false));
}

/// The server is killed while it makes the events of twenty dates: after the next start each date has one, which people can
/// sign up for.
#[tokio::test(flavor = "multi_thread")]
async fn a_kill_among_the_events_of_a_series_makes_none_twice_and_loses_none() {
    let folder = TempDir::new().unwrap();
    let server = Process::start(folder.path());
    register(server.address, "ada").await;
    let address = server.address.to_string();
    let promoted = std::process::Command::new(env!("CARGO_BIN_EXE_morpion"))
        .args(["admin", "promote", "ada", "--listen", &address])
        .env("MORPION_DATA_DIR", folder.path())
        .current_dir(folder.path())
        .status()
        .unwrap();
    assert!(promoted.success());
    let ada = sign_in_from(server.address, "ada", "127.0.0.1").await;
    let mut fields = daily("Daily");
    fields["daysAhead"] = json!(90);
    let making =
        tokio::spawn(async move { (ada.write(server.address, "series", "create_series", fields).await, server) });
    // Any time among them will do; mostly some are made and others not.
    tokio::time::sleep(std::time::Duration::from_millis(120)).await;
    making.abort();
    let _ = making.await;

    let server = Process::start(folder.path());
    let ada = sign_in_from(server.address, "ada", "127.0.0.1").await;
    let listed = || async {
        let client = reqwest::Client::builder().no_proxy().build().unwrap();
        let payload = json!({ "filter": { "text": "Daily cup" }, "limit": 100 }).to_string();
        let query = [("action", "list_events"), ("payload", payload.as_str())];
        let request = client.get(format!("http://{}/api/backend/event", server.address)).query(&query);
        request.send().await.unwrap().json::<Value>().await.unwrap()["events"].as_array().unwrap().clone()
    };
    // The call may have come to nothing: then it is made again, by somebody who saw nothing of it.
    if listed().await.is_empty() {
        let mut fields = daily("Daily");
        fields["daysAhead"] = json!(90);
        ada.write(server.address, "series", "create_series", fields).await;
    }
    let mut tries = 0..400;
    let mut events = listed().await;
    while events.len() < 20 {
        tries.next().unwrap_or_else(|| panic!("{} events", events.len()));
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        events = listed().await;
    }
    let mut starts: Vec<_> = events.iter().map(|event| event["startTime"].to_string()).collect();
    starts.sort();
    starts.dedup();
    assert_eq!((starts.len(), events.len()), (20, 20));
    for event in &events {
        let id = json!({ "eventId": event["eventId"] });
        let (status, answer) = ada.write(server.address, "eventSignUp", "sign_up", id).await;
        assert_eq!(status, 200, "{answer}");
    }
}
