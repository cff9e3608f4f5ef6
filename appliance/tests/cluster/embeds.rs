//! What other sites embed: the same at every node, also after a takeover.

use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};

use crate::{
    client::HOST,
    cluster::Cluster,
    files::{Pair, drafted, published},
    site::Site,
    support::Browser,
};

/// What tells whether a page may be framed, and kept.
const COMPARED: [&str; 6] = [
    "content-type",
    "content-security-policy",
    "cross-origin-resource-policy",
    "cache-control",
    "etag",
    "x-frame-options",
];

#[derive(Debug, PartialEq)]
struct Seen {
    status: u16,
    headers: [Option<String>; COMPARED.len()],
    sets_cookie: bool,
    text: String,
}

impl Seen {
    async fn of(request: RequestBuilder) -> Self {
        let answer = request.send().await.unwrap();
        let headers = COMPARED.map(|name| answer.headers().get(name).map(|value| value.to_str().unwrap().to_owned()));
        let (status, sets_cookie) = (answer.status().as_u16(), answer.headers().contains_key("set-cookie"));
        Self { status, headers, sets_cookie, text: answer.text().await.unwrap() }
    }

    fn header(&self, name: &str) -> Option<&str> {
        let at = COMPARED.iter().position(|compared| *compared == name).unwrap();
        self.headers[at].as_deref()
    }
}

async fn document(browser: &Browser, path: &str) -> Seen {
    Seen::of(browser.bare(Method::GET, path).header("accept", "text/html")).await
}

async fn oembed(browser: &Browser, path: &str) -> Seen {
    let url = format!("http://{HOST}{path}");
    Seen::of(browser.bare(Method::GET, "/oembed").query(&[("url", &*url), ("format", "json")])).await
}

/// What a frame shows of a replay.
async fn shared(browser: &Browser, token: &str) -> Value {
    browser.read("game", "get_replay", json!({ "shareToken": token })).await.ok()["replay"].clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_embedded_is_the_same_at_every_node_and_after_a_takeover() {
    let mut site = Site::open(Cluster::start().await).await;
    let [one, other] = site.followers();
    let event = published(&site, one, &json!({ "title": "Friday <b>Night</b>" })).await;
    let hidden = drafted(&site, other, &json!({})).await;
    let [event, hidden] = [&event, &hidden].map(|event| event.as_str().unwrap().to_owned());
    let mut pair = Pair::meets(&site, [one, other]).await;
    let game = pair.forfeits().await;
    let answer = pair.browsers[0].write("game", "share_game", json!({ "gameId": game })).await.ok();
    let token = answer["shareToken"].as_str().unwrap();
    let frames = [format!("/embed/event/{event}"), format!("/embed/replay/{token}?move=1")];
    let pages = [format!("/app/events/view/{event}"), format!("/replay/{token}")];

    let visitor = site.visitor(site.leader).await;
    let mut documents = vec![];
    for path in &frames {
        documents.push(document(&visitor, path).await);
    }
    // In a fresh clone the web app is not built.
    for seen in documents.iter().filter(|seen| seen.status == 200) {
        let policy = seen.header("content-security-policy").unwrap();
        assert!(policy.contains("frame-ancestors *"), "{policy}");
        assert_eq!(seen.header("cross-origin-resource-policy"), Some("cross-origin"));
        assert!(seen.header("etag").is_some() && seen.header("x-frame-options").is_none() && !seen.sets_cookie);
    }
    let mut answers = vec![];
    for path in pages.iter().chain(&frames) {
        let seen = oembed(&visitor, path).await;
        assert_eq!((seen.status, seen.sets_cookie), (200, false), "{path}: {}", seen.text);
        let policy = seen.header("content-security-policy").unwrap();
        assert!(policy.contains("frame-ancestors 'none'"), "{policy}");
        answers.push(seen);
    }
    let replay = shared(&visitor, token).await;

    for takes_over in [false, true] {
        if takes_over {
            site.loses_its_leader().await;
        }
        for node in site.running() {
            let visitor = site.at(&visitor, node);
            for (path, expected) in frames.iter().zip(&documents) {
                assert_eq!(document(&visitor, path).await, *expected, "{path}");
                if let Some(tag) = expected.header("etag") {
                    let request = visitor.bare(Method::GET, path).header("accept", "text/html");
                    assert_eq!(Seen::of(request.header("if-none-match", tag)).await.status, 304, "{path}");
                }
            }
            for (path, expected) in pages.iter().chain(&frames).zip(&answers) {
                assert_eq!(oembed(&visitor, path).await, *expected, "{path}");
            }
            assert_eq!(shared(&visitor, token).await, replay);
            for path in [format!("/embed/event/{hidden}"), "/replay/nothing".to_owned()] {
                let seen = oembed(&visitor, &path).await;
                assert!(seen.status == 404 && seen.text.contains("\"not-found\""), "{path}: {}", seen.text);
            }
        }
    }
}
