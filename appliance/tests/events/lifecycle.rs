//! Creating, editing, publishing, starting, ending and cancelling events, and the refusals.

use serde_json::{Value, json};

use crate::{
    fixture::{Fixture, details, in_seconds},
    support::Browser,
};

#[tokio::test(flavor = "multi_thread")]
async fn own_events_are_listed_by_themselves_and_pages_hear_of_an_edit() {
    let fixture = Fixture::new().await;
    let (ada, user) = fixture.server.registered("ada").await;
    let mut socket = crate::socket::Socket::open(&fixture.server, &ada).await;
    let mut ids = vec![];
    for title in ["Later", "Sooner", "Live", "Left", "Other"] {
        let id = fixture.published(details(title)).await;
        if title != "Other" {
            ada.write("eventSignUp", "sign_up", json!({ "eventId": id })).await.ok();
        }
        ids.push(id);
    }
    ada.write("eventSignUp", "remove_signup", json!({ "eventId": ids[3] })).await.ok();
    fixture.act("start_event", &ids[2]).await;
    let moved = json!({ "eventId": ids[0], "endTime": in_seconds(9_000), "startTime": in_seconds(8_000) });
    fixture.admin.write("event", "update_event", moved).await.ok();
    socket.wait_for(|frame| frame["data"] == json!({ "eventId": ids[0], "eventState": "published" })).await;
    let own = async |browser: &Browser, filter: Value| {
        let listed = browser.read("event", "list_events", json!({ "filter": filter })).await.ok();
        let titles =
            listed["events"].as_array().unwrap().iter().map(|event| event["title"].as_str().unwrap().to_owned());
        (titles.collect::<Vec<_>>(), listed["pagination"]["totalCount"].as_u64().unwrap())
    };
    let all = (["Live", "Sooner", "Later"].map(str::to_owned).to_vec(), 3);
    assert_eq!(own(&ada, json!({ "signedUp": true })).await, all);
    let published = json!({ "signedUp": true, "eventState": "published", "text": "soon" });
    assert_eq!(own(&ada, published).await.0, ["Sooner"]);
    let taken_out = json!({ "eventId": ids[2], "userId": user["userId"], "reason": "Asked to" });
    fixture.admin.write("event", "remove_participant", taken_out).await.ok();
    assert_eq!(own(&ada, json!({ "signedUp": true })).await.0, ["Sooner", "Later"]);
    assert_eq!(own(&fixture.server.browser().await, json!({ "signedUp": true })).await.1, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_event_is_drafted_published_started_and_ended() {
    let fixture = Fixture::new().await;
    let mut fields = details("  Autumn cup  ");
    fields["description"] = json!(" Three in a row. ");
    fields["prize"] = json!("Honour");
    let made = fixture.admin.write("event", "create_event", fields).await.ok()["event"].clone();
    assert_eq!((&made["title"], &made["description"]), (&json!("Autumn cup"), &json!("Three in a row.")));
    assert_eq!((&made["eventState"], &made["eventType"]), (&json!("drafted"), &json!("open")));
    assert_eq!((&made["maxLosses"], &made["signupCount"], &made["winners"]), (&json!(3), &json!(0), &json!([])));
    assert_eq!(made["_id"], made["eventId"]);
    let id = made["eventId"].as_str().unwrap();

    let edit = json!({ "eventId": id, "title": "Winter cup", "maxLosses": 1, "eventType": "closed", "prize": "" });
    let edited = fixture.admin.write("event", "update_event", edit).await.ok()["event"].clone();
    assert_eq!(
        (&edited["title"], &edited["prize"], &edited["maxLosses"]),
        (&json!("Winter cup"), &Value::Null, &json!(1))
    );
    assert_eq!(edited["startTime"], made["startTime"], "omitted fields stay");
    assert_eq!(fixture.publish(id).await["event"]["eventState"], "published");
    assert_eq!(fixture.act("start_event", id).await["eventState"], "started");
    assert_eq!(fixture.act("end_event", id).await["eventState"], "ended");
    let visitor = fixture.server.browser().await;
    let seen = visitor.read("event", "get_event_by_id", json!({ "eventId": id })).await.ok();
    assert_eq!(seen["event"]["eventState"], "ended");
}

/// The allowed transitions: `docs/behaviour/events.md#life-of-an-event`. Everything else is refused with 409.
#[tokio::test(flavor = "multi_thread")]
async fn every_other_transition_is_refused() {
    let fixture = Fixture::new().await;
    let publish = ("update_event", json!({ "eventState": "published" }));
    let start = ("start_event", json!({}));
    let end = ("end_event", json!({}));
    let cancel = ("cancel_event", json!({}));
    let delete = ("delete_event", json!({}));
    let edit = ("update_event", json!({ "title": "Other" }));
    let states: [(&str, Vec<_>, Vec<_>); 5] = [
        ("drafted", vec![], vec![(&start, "cannot-start"), (&end, "cannot-end"), (&cancel, "cannot-cancel")]),
        (
            "published",
            vec![&publish],
            vec![(&publish, "cannot-publish"), (&end, "cannot-end"), (&delete, "cannot-delete")],
        ),
        (
            "started",
            vec![&publish, &start],
            vec![
                (&publish, "cannot-publish"),
                (&start, "cannot-start"),
                (&edit, "cannot-edit"),
                (&delete, "cannot-delete"),
            ],
        ),
        (
            "ended",
            vec![&publish, &start, &end],
            vec![
                (&publish, "cannot-publish"),
                (&start, "cannot-start"),
                (&end, "cannot-end"),
                (&cancel, "cannot-cancel"),
                (&edit, "cannot-edit"),
                (&delete, "cannot-delete"),
            ],
        ),
        (
            "cancelled",
            vec![&publish, &cancel],
            vec![
                (&publish, "cannot-publish"),
                (&start, "cannot-start"),
                (&end, "cannot-end"),
                (&cancel, "cannot-cancel"),
                (&edit, "cannot-edit"),
                (&delete, "cannot-delete"),
            ],
        ),
    ];
    let write = async |id: &str, (action, fields): &(&'static str, Value)| {
        let mut payload = fields.clone();
        payload["eventId"] = json!(id);
        fixture.admin.write("event", action, payload).await
    };
    for (state, way, refusals) in states {
        let id = fixture.draft(details(state)).await;
        for step in way {
            write(&id, step).await.ok();
        }
        for (step, code) in refusals {
            let failure = write(&id, step).await.fails(409, code);
            assert!(failure["errorMessage"].as_str().unwrap().ends_with('.'), "{failure}");
            assert_eq!(fixture.event(&id).await["eventState"], state, "{step:?} changed nothing");
        }
        let other = if state == "published" { "drafted" } else { "started" };
        if other != state {
            let strange = json!({ "eventState": other });
            write(&id, &("update_event", strange)).await.fails(409, "unlisted-transition");
        }
    }
    // A live event can be cancelled, too.
    let id = fixture.started(details("Live")).await;
    assert_eq!(fixture.act("cancel_event", &id).await["eventState"], "cancelled");
}

#[tokio::test(flavor = "multi_thread")]
async fn publishing_names_what_is_missing() {
    let fixture = Fixture::new().await;
    let publish = async |fields: Value, also: Value| {
        let id = fixture.draft(fields).await;
        let mut payload = also;
        payload["eventId"] = json!(id);
        payload["eventState"] = json!("published");
        let failure = fixture.admin.write("event", "update_event", payload).await;
        assert_eq!(failure.status, 422, "{}", failure.body);
        assert_eq!(fixture.event(&id).await["eventState"], "drafted");
        failure.body["errorMessage"].as_str().unwrap().to_owned()
    };
    let (soon, later) = (in_seconds(60), in_seconds(120));
    let start = "Start time is required to publish.";
    assert_eq!(publish(json!({ "title": "a" }), json!({})).await, start);
    assert_eq!(publish(json!({ "title": "a", "endTime": later }), json!({})).await, start);
    let end = "End time is required to publish.";
    assert_eq!(publish(json!({ "title": "a", "startTime": soon }), json!({})).await, end);
    let order = "End time must be after start time.";
    assert_eq!(publish(json!({ "title": "a", "startTime": later, "endTime": soon }), json!({})).await, order);
    assert_eq!(publish(json!({ "title": "a", "startTime": soon, "endTime": soon }), json!({})).await, order);
    let title = "Event title is required to publish.";
    assert_eq!(publish(details("a"), json!({ "title": "  " })).await, title);
    let missing =
        fixture.admin.write("event", "create_event", json!({ "title": " \t" })).await.fails(422, "title-required");
    assert_eq!(missing["errorMessage"], "Event title is required.");
    assert_eq!(missing["fieldErrors"]["title"], "Event title is required.");
}

#[tokio::test(flavor = "multi_thread")]
async fn event_fields_have_limits() {
    let fixture = Fixture::new().await;
    for (field, longest) in [("title", 120), ("description", 4_000), ("prize", 200)] {
        let mut fields = details("a");
        fields[field] = json!("ä".repeat(longest));
        fixture.draft(fields.clone()).await;
        fields[field] = json!("ä".repeat(longest + 1));
        let failure = fixture.admin.write("event", "create_event", fields).await;
        assert_eq!(failure.status, 422, "{}", failure.body);
        assert!(failure.body["fieldErrors"][field].is_string(), "{}", failure.body);
    }
    let mut published = details("a");
    published["eventState"] = json!("published");
    let failure = fixture.admin.write("event", "create_event", published).await.fails(422, "invalid");
    assert!(failure["fieldErrors"]["eventState"].is_string());
    // A published event stays publishable.
    let id = fixture.published(details("a")).await;
    let backwards = json!({ "eventId": id, "endTime": in_seconds(1) });
    fixture.admin.write("event", "update_event", backwards).await.fails(422, "end-not-after-start");
}

#[tokio::test(flavor = "multi_thread")]
async fn only_drafts_can_be_deleted_and_get_needs_the_csrf_header() {
    let fixture = Fixture::new().await;
    let id = fixture.draft(details("a")).await;
    let path = format!("/api/backend/event?action=delete_event&payload={{\"eventId\":\"{id}\"}}");
    let bare = fixture.admin.bare(reqwest::Method::GET, &path);
    assert_eq!(fixture.admin.send(bare).await.status, 403);
    assert_eq!(fixture.event(&id).await["eventState"], "drafted");
    fixture.admin.get(&path).await.ok();
    fixture.admin.read("event", "get_event_by_id", json!({ "eventId": id })).await.fails(404, "not-found");
    let failure = fixture.admin.write("event", "start_event", json!({ "eventId": id })).await.fails(404, "not-found");
    assert_eq!(failure["errorMessage"], "Event not found.");
}

#[tokio::test(flavor = "multi_thread")]
async fn lists_are_filtered_and_paged() {
    let fixture = Fixture::new().await;
    for number in 0..3 {
        fixture.draft(details(&format!("Draft {number}"))).await;
        fixture.published(details(&format!("Open {number}"))).await;
    }
    let live = fixture.started(details("Live one")).await;
    let gone = fixture.published(details("Gone")).await;
    fixture.act("cancel_event", &gone).await;
    let visitor = fixture.server.browser().await;
    let list = async |payload: Value| visitor.read("event", "list_events", payload).await.ok();
    let titles = |answer: &Value| -> Vec<String> {
        answer["events"].as_array().unwrap().iter().map(|event| event["title"].as_str().unwrap().to_owned()).collect()
    };
    let all = list(json!({})).await;
    assert_eq!(titles(&all), ["Live one", "Open 0", "Open 1", "Open 2"], "no drafts or cancelled events");
    let both = list(json!({ "filter": { "eventState": ["published", "started"] }, "limit": 3, "page": 2 })).await;
    let pagination =
        json!({ "currentPage": 2, "limit": 3, "totalCount": 4, "hasPrevPage": true, "hasNextPage": false });
    assert_eq!((titles(&both), &both["pagination"]), (vec!["Open 2".to_owned()], &pagination));
    assert_eq!(titles(&list(json!({ "filter": { "eventState": "started" } })).await), ["Live one"]);
    assert_eq!(titles(&list(json!({ "filter": { "eventState": "cancelled" } })).await), ["Gone"]);
    assert!(titles(&list(json!({ "filter": { "eventState": "drafted" } })).await).is_empty());
    assert_eq!(titles(&list(json!({ "filter": { "text": "EN 1" } })).await), ["Open 1"]);
    let drafts =
        fixture.admin.read("event", "list_events", json!({ "filter": { "eventState": "drafted" } })).await.ok();
    assert_eq!(titles(&drafts), ["Draft 2", "Draft 1", "Draft 0"]);
    visitor.read("event", "list_events", json!({ "filter": { "eventState": "gone" } })).await.fails(400, "malformed");
    assert_eq!(fixture.event(&live).await["eventState"], "started");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_event_in_the_year_10000_is_refused_at_its_field() {
    let fixture = Fixture::new().await;
    let mut fields = details("Far away");
    fields["endTime"] = json!("+010000-01-01T00:00:00Z");
    let refused = fixture.admin.write("event", "create_event", fields).await.fails(422, "end-too-far");
    assert_eq!(refused["fieldErrors"]["endTime"], "End time must be before the year 10000.");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_event_can_be_downloaded_as_a_calendar_file() {
    let fixture = Fixture::new().await;
    let mut fields = details("Cup; with, signs");
    fields["prize"] = json!("Honour");
    fields["description"] = json!("one\r\ntwo\rthree");
    let id = fixture.draft(fields).await;
    let visitor = fixture.server.browser().await;
    let path = format!("/api/backend/events/{id}/calendar.ics");
    visitor.get(&path).await.fails(404, "not-found");
    let event = fixture.publish(&id).await["event"].clone();
    let response = visitor.bare(reqwest::Method::GET, &path).send().await.unwrap();
    assert_eq!(response.headers()["content-type"], "text/calendar; charset=utf-8");
    let text = response.text().await.unwrap();
    let plain = |time: &Value| time.as_str().unwrap()[..19].replace(['-', ':'], "") + "Z";
    assert!(!text.replace("\r\n", "").contains('\r'), "{text:?}");
    assert!(text.contains("one\\ntwo\\nthree"), "{text:?}");
    // Long lines are folded.
    let unfolded = text.replace("\r\n ", "");
    for line in [
        "BEGIN:VCALENDAR".to_owned(),
        "SUMMARY:Cup\\; with\\, signs".to_owned(),
        format!("DTSTART:{}", plain(&event["startTime"])),
        format!("DTEND:{}", plain(&event["endTime"])),
        format!("UID:{id}@morpion"),
        format!("URL:http://{}/app/events/view/{id}", fixture.server.address),
    ] {
        assert!(unfolded.lines().any(|found| found == line), "{line}\n{text}");
    }
}
