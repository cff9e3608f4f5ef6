//! News of events: cancelled, moved, added and removed, by page, push and letter, once, also across a restart.

use chrono::Utc;
use morpion_appliance::clock::Clock;
use morpion_store::{NewEventNews, NewsChannel, NewsKind};
use serde_json::json;
use tempfile::TempDir;

use crate::{
    reminders::{event, in_folder, letters, letters_once, signs_up, verified, wants_letters},
    support::Server,
    world::World,
};

#[tokio::test(flavor = "multi_thread")]
async fn those_who_signed_up_are_told_on_their_page_or_by_push() {
    let world = World::new().await;
    let (admin, _) = world.server.admin().await;
    let (ada, bob, cid) = (world.subscribed("ada").await, world.subscribed("bob").await, world.subscribed("cid").await);
    let friday = event(&admin, "Friday Night", 240).await;
    for person in [&ada, &bob] {
        signs_up(person, &friday).await;
    }
    let mut page = bob.comes(&world).await;
    let edited = json!({ "eventId": friday, "description": "Bring cake." });
    admin.write("event", "update_event", edited).await.ok();
    let moved = json!({ "eventId": friday, "startTime": "2031-05-01T18:00:00Z", "endTime": "2031-05-01T20:00:00Z" });
    admin.write("event", "update_event", moved).await.ok();
    let pushed = world.service.wait(1).await;
    let told = "Its time has changed. It starts on 1 May 2031, 18:00 UTC. It ends on 1 May 2031, 20:00 UTC.";
    assert_eq!((&pushed[0].message["title"], &pushed[0].message["body"]), (&json!("Friday Night"), &json!(told)));
    assert_eq!(pushed[0].message["to"], json!(format!("/app/events/view/{friday}")));
    let news = page.wait("eventNews").await;
    assert_eq!((&news["news"], &news["startTime"]), (&json!("moved"), &json!("2031-05-01T18:00:00Z")));

    // An admin adds somebody, and takes somebody out.
    admin.write("player", "create_player", json!({ "eventId": friday, "userId": cid.id })).await.ok();
    let pushed = world.service.wait(2).await;
    assert_eq!(pushed[1].message["body"], "An organiser has signed you up. It starts on 1 May 2031, 18:00 UTC.");
    let out = json!({ "eventId": friday, "userId": bob.id, "reason": "Asked to" });
    admin.write("event", "remove_participant", out).await.ok();
    assert_eq!(page.wait("eventNews").await["news"], "removed");

    // Whoever is out is told no more, and those who did not sign up never.
    admin.write("event", "cancel_event", json!({ "eventId": friday })).await.ok();
    let pushed = world.service.wait(4).await;
    assert!(pushed[2..].iter().all(|push| push.message["body"] == "It was cancelled."));
    assert!(page.drained().await.iter().all(|frame| frame["event"] != "eventNews"));
    world.stays_at(4).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_letter_tells_those_who_asked_for_letters() {
    let folder = TempDir::new().unwrap();
    let server = Server::with_clock(Clock::default(), in_folder(&folder)).await;
    let (admin, _) = server.admin().await;
    let (ada, bob) = (verified(&server, folder.path(), "ada").await, verified(&server, folder.path(), "bob").await);
    wants_letters(&ada).await;
    let friday = event(&admin, "Friday Night", 240).await;
    for person in [&ada, &bob] {
        signs_up(person, &friday).await;
    }
    admin.write("event", "cancel_event", json!({ "eventId": friday })).await.ok();
    let letter = letters_once(folder.path(), "Friday Night: It was cancelled", 1).await.remove(0);
    assert!(letter.contains("To: ada@example.org"), "{letter}");
    assert!(letter.contains("List-Unsubscribe-Post: List-Unsubscribe=One-Click"), "{letter}");
    tokio::time::sleep(crate::world::QUIET).await;
    assert_eq!(letters(folder.path(), "Friday Night").len(), 1);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn news_that_a_stop_interrupted_go_on_behind_those_who_were_told() {
    let folder = TempDir::new().unwrap();
    let server = Server::with_clock(Clock::default(), in_folder(&folder)).await;
    let (admin, _) = server.admin().await;
    let mut people = vec![];
    for name in ["ada", "bob"] {
        let person = verified(&server, folder.path(), name).await;
        wants_letters(&person).await;
        people.push(person);
    }
    people.sort_by_key(|person| person.id.clone());
    let friday = event(&admin, "Friday Night", 240).await;
    for person in &people {
        signs_up(person, &friday).await;
    }
    // As the transaction of a change left it, and a part of those concerned were told.
    let store = server.app.store.clone();
    let id = friday.parse().unwrap();
    let mut row = store.event(id).await.unwrap().unwrap();
    let news = NewEventNews {
        event_id: id,
        user_id: None,
        kind: NewsKind::Cancelled,
        title: row.title.clone(),
        starts_at: row.start_time,
        ends_at: row.end_time,
        at: Utc::now(),
        reason: None,
    };
    row.version += 1;
    store.update_event(&row, Some(&news), &[]).await.unwrap();
    let first = people[0].id.parse().unwrap();
    assert!(store.tell_event_news(&news, NewsChannel::Letter, Some(first)).await.unwrap());
    drop(store);
    server.stop().await;

    let server = Server::with_clock(Clock::default(), in_folder(&folder)).await;
    let letter = letters_once(folder.path(), "Friday Night: It was cancelled", 1).await.remove(0);
    let user = server.app.store.user(people[1].id.parse().unwrap()).await.unwrap().unwrap();
    assert!(letter.contains(&format!("To: {}", user.email.unwrap())), "{letter}");
    tokio::time::sleep(crate::world::QUIET).await;
    assert_eq!(letters(folder.path(), "Friday Night").len(), 1, "nobody is told twice");
    for channel in [NewsChannel::Page, NewsChannel::Letter, NewsChannel::Calendar] {
        assert_eq!(server.app.store.event_news(channel).await.unwrap(), [], "{channel:?}");
    }
    server.stop().await;
}
