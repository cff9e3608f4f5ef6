//! oEmbed: what publishing programs are told of pages here, and of what they are told nothing.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::{
    fixture::{Fixture, details},
    person::{Person, paired, started, win},
};

async fn asked(fixture: &Fixture, query: &[(&str, &str)]) -> (StatusCode, Value, bool) {
    let request = fixture.admin.bare(Method::GET, "/oembed").query(query);
    let answer = request.send().await.unwrap();
    let (status, sets_cookie) = (answer.status(), answer.headers().contains_key("set-cookie"));
    let text = answer.text().await.unwrap();
    (status, serde_json::from_str(&text).unwrap_or(Value::Null), sets_cookie)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_public_event_and_a_shared_game_are_described() {
    let fixture = Fixture::new().await;
    let origin = fixture.admin.origin().to_owned();
    let event = fixture.started(details("Friday <b>\"Night\"</b>")).await;
    let page = format!("{origin}/app/events/view/{event}");
    let (status, answer, sets_cookie) = asked(&fixture, &[("url", &*page)]).await;
    assert_eq!((status, sets_cookie), (StatusCode::OK, false), "{answer}");
    assert_eq!((&answer["version"], &answer["type"]), (&json!("1.0"), &json!("rich")));
    assert_eq!(answer["title"], "Friday <b>\"Night\"</b>");
    assert_eq!((&answer["width"], &answer["height"]), (&json!(480), &json!(420)));
    let html = answer["html"].as_str().unwrap();
    assert!(html.starts_with(&format!("<iframe src=\"{origin}/embed/event/{event}\" width=\"480\"")), "{html}");
    assert!(html.contains("title=\"Friday &lt;b&gt;&quot;Night&quot;&lt;/b&gt;\""), "{html}");

    let embedded = format!("{origin}/embed/event/{event}");
    let smaller = [("url", &*embedded), ("format", "json"), ("maxwidth", "300"), ("maxheight", "1000")];
    let (_, answer, _) = asked(&fixture, &smaller).await;
    assert_eq!((&answer["width"], &answer["height"]), (&json!(300), &json!(420)));
    assert!(answer["html"].as_str().unwrap().contains("width=\"300\" height=\"420\""));

    let mut ada = Person::new(&fixture.server, "ada").await;
    let mut bob = Person::new(&fixture.server, "bob").await;
    let game = paired(&mut ada, &mut bob, &event).await;
    let state = started(&mut ada, &mut bob, &game).await;
    win(&mut ada, &mut bob, &game, &state).await;
    let shared = ada.browser.write("game", "share_game", json!({ "gameId": game })).await.ok();
    let page = format!("{origin}/replay/{}?move=2", shared["shareToken"].as_str().unwrap());
    let (status, answer, _) = asked(&fixture, &[("url", &*page)]).await;
    let title = answer["title"].as_str().unwrap();
    assert!(status == 200 && title.contains("ada") && title.contains(" – ") && answer["height"] == 640, "{answer}");
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_said_of_what_visitors_do_not_see() {
    let fixture = Fixture::new().await;
    let origin = fixture.admin.origin().to_owned();
    let mut private = details("Secret");
    private["isPrivate"] = json!(true);
    let (secret, draft) = (fixture.published(private).await, fixture.draft(details("Draft")).await);
    let open = fixture.published(details("Open")).await;
    let elsewhere = format!("https://example.org/app/events/view/{open}");
    let with_user = origin.replace("://", "://ada@");
    // The admin's cookies come with each of these.
    for url in [
        format!("{origin}/app/events/view/{secret}"),
        format!("{origin}/embed/event/{secret}"),
        format!("{origin}/app/events/view/{draft}"),
        format!("{origin}/app/events/view/{}", uuid::Uuid::nil()),
        format!("{origin}/app/events/view/x"),
        format!("{origin}/replay/nothing"),
        format!("{origin}/replay/{}", "a".repeat(5_000)),
        format!("{origin}/login"),
        format!("{with_user}/app/events/view/{open}"),
        elsewhere,
        "not an address".to_owned(),
        String::new(),
    ] {
        let (status, answer, _) = asked(&fixture, &[("url", &*url)]).await;
        assert_eq!((status, &answer["errorCode"]), (StatusCode::NOT_FOUND, &json!("not-found")), "{url}");
    }
    let url = format!("{origin}/app/events/view/{open}");
    for format in ["xml", "XML", ""] {
        assert_eq!(asked(&fixture, &[("url", &*url), ("format", format)]).await.0, StatusCode::NOT_IMPLEMENTED);
    }
    for (name, value) in [("maxwidth", "0"), ("maxwidth", "-1"), ("maxheight", "wide"), ("maxheight", "99999999999")] {
        assert_eq!(
            asked(&fixture, &[("url", &*url), (name, value)]).await.0,
            StatusCode::BAD_REQUEST,
            "{name}={value}"
        );
    }
    assert_eq!(asked(&fixture, &[]).await.0, StatusCode::BAD_REQUEST);
    let posted = fixture.admin.request(Method::POST, "/oembed").send().await.unwrap();
    assert_eq!(posted.status(), StatusCode::METHOD_NOT_ALLOWED);
}
