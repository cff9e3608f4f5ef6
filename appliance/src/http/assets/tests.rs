use std::{borrow::Cow, collections::HashMap};

use poem::{EndpointExt, http::HeaderValue, test::TestClient};
use rust_embed::Metadata;

use super::*;
use crate::{http::encoding::Compression, subject::ClientAddress};

const SITE: &str = "https://play.example.org";

const PAGES_OF_THE_APP: &str = "/\n/tournaments\n/hello\n/login\n/app/home\n/app/setting/:id?\n/app/players/:username\n\
                                /app/events/view/:eventId\n/app/game/:gameId\n/replay/:shareToken\n\
                                /replay/moves/:notation\n/embed/replay/:shareToken\n/embed/event/:eventId\n";

/// A build of a few files, one of them compressed; `serve` sees nothing else.
fn built() -> TestClient<impl Endpoint> {
    let files = HashMap::from([
        ("index.html", "<title>index</title></head>"),
        ("embed/index.html", "<title>embed</title></head>"),
        ("app/game/index.html", "<title>game</title></head>"),
        ("landing.html", "<title>landing</title>"),
        ("login.html", "<html data-offers=\"{{offers}}\" data-provider=\"{{provider}}\">"),
        ("tournaments.html", "<title>tournaments</title><link href=\"{{origin}}/tournaments\">"),
        ("pages.txt", PAGES_OF_THE_APP),
        ("robots.txt", "Sitemap: {{origin}}/sitemap.xml"),
        ("assets/app-1a2b.js", "plain script"),
        ("assets/app-1a2b.js.br", "script br"),
        ("assets/app-1a2b.js.gz", "script gz"),
        ("favicon.svg", "<svg/>"),
    ]);
    serving(move |name| {
        files.get_key_value(name).map(|(name, text)| {
            let mut hash = [0; 32];
            for (byte, source) in hash.iter_mut().zip(text.bytes()) {
                *byte = source;
            }
            let kind = match name.rsplit('.').next() {
                Some("html") => "text/html",
                Some("js") => "text/javascript",
                Some("txt") => "text/plain",
                _ => "image/svg+xml",
            };
            let metadata = Metadata::__rust_embed_new(hash, None, None, kind);
            EmbeddedFile { data: Cow::Borrowed(text.as_bytes()), metadata }
        })
    })
}

fn serving(file: impl Fn(&str) -> Option<EmbeddedFile> + Send + Sync + 'static) -> TestClient<impl Endpoint> {
    TestClient::new(endpoint_of(file))
}

fn endpoint_of(
    file: impl Fn(&str) -> Option<EmbeddedFile> + Send + Sync + 'static,
) -> impl Endpoint<Output = Response> {
    let host = Host { origin: SITE.to_owned(), offers: "local guests".to_owned(), provider: "Ada &amp; Co".to_owned() };
    let assets = Arc::new(Assets::new(host, file));
    make(move |request: Request| {
        let assets = Arc::clone(&assets);
        async move { Ok::<_, Infallible>(assets.serve(&request).await) }
    })
}

const NAVIGATION: &str = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

#[tokio::test]
async fn hashed_assets_are_kept_for_ever_and_compressed_as_the_client_likes() {
    let client = built();
    for (accepts, encoding, body) in
        [("br, gzip", Some("br"), "script br"), ("gzip", Some("gzip"), "script gz"), ("identity", None, "plain script")]
    {
        let response = client.get("/assets/app-1a2b.js").header("accept-encoding", accepts).send().await;
        response.assert_status_is_ok();
        response.assert_header("cache-control", IMMUTABLE);
        response.assert_header("vary", "accept-encoding");
        response.assert_header("content-type", "text/javascript; charset=utf-8");
        assert_eq!(response.0.headers().get("content-encoding"), encoding.map(HeaderValue::from_static).as_ref());
        response.assert_text(body).await;
    }
}

#[tokio::test]
async fn the_index_and_unhashed_files_are_asked_about_each_time() {
    for path in ["/", "/index.html", "/favicon.svg", "/app/home"] {
        let response = built().get(path).header("accept", NAVIGATION).send().await;
        response.assert_status_is_ok();
        response.assert_header("cache-control", REVALIDATE);
    }
}

#[tokio::test]
async fn a_client_that_has_the_file_gets_no_body() {
    let client = built();
    let tag = |accepts: &'static str| {
        let request = client.get("/assets/app-1a2b.js").header("accept-encoding", accepts);
        async move { request.send().await.0.headers()["etag"].to_str().unwrap().to_owned() }
    };
    let (brotli, plain) = (tag("br").await, tag("identity").await);
    assert_ne!(brotli, plain, "each representation has a tag of its own");
    for known in [brotli.clone(), format!("W/{brotli}"), format!("\"other\", {brotli}"), "*".to_owned()] {
        let request = client.get("/assets/app-1a2b.js").header("accept-encoding", "br");
        let response = request.header("if-none-match", known).send().await;
        response.assert_status(StatusCode::NOT_MODIFIED);
        response.assert_header("cache-control", IMMUTABLE);
        response.assert_text("").await;
    }
    let request = client.get("/assets/app-1a2b.js").header("accept-encoding", "br");
    request.header("if-none-match", plain).send().await.assert_status_is_ok();
}

#[tokio::test]
async fn pages_of_the_app_get_the_index_whatever_their_path() {
    for path in ["/app/home", "/app/events/view/1a.2b", "/login/", "/hello"] {
        let response = built().get(path).header("accept", NAVIGATION).send().await;
        response.assert_status_is_ok();
        response.assert_text("<title>index</title></head>").await;
    }
    built().get("/app/home").send().await.assert_status_is_ok();
}

#[tokio::test]
async fn a_page_gets_the_index_of_the_nearest_folder_that_has_one() {
    for (path, title) in [("/app/game/1a2b", "game"), ("/app/game/1a2b/replay", "game"), ("/app/game", "index")] {
        let response = built().get(path).header("accept", NAVIGATION).send().await;
        response.assert_text(format!("<title>{title}</title></head>")).await;
    }
}

#[tokio::test]
async fn public_pages_have_a_head_of_their_own_and_name_this_server() {
    for path in ["/tournaments", "/tournaments.html"] {
        let response = built().get(path).header("accept", NAVIGATION).send().await;
        response.assert_header("cache-control", REVALIDATE);
        response.assert_header("content-type", "text/html; charset=utf-8");
        let expected = "<title>tournaments</title><link href=\"https://play.example.org/tournaments\">";
        response.assert_text(expected).await;
    }
    let landing = built().get("/").header("accept", NAVIGATION).send().await;
    landing.assert_text("<title>landing</title>").await;
    let robots = built().get("/robots.txt").header("accept", "*/*").send().await;
    robots.assert_text("Sitemap: https://play.example.org/sitemap.xml").await;
}

#[tokio::test]
async fn what_is_no_page_and_no_file_is_not_found() {
    for path in ["/api", "/api/", "/api/nothing", "/api/backend/nothing"] {
        let response = built().get(path).header("accept", NAVIGATION).send().await;
        response.assert_status(StatusCode::NOT_FOUND);
        response.assert_header("content-type", "application/json; charset=utf-8");
        let failure: serde_json::Value = response.json().await.value().deserialize();
        assert_eq!(failure["succeeded"], false);
        assert_eq!(failure["errorCode"], "not-found");
    }
    built().get("/assets/gone-3c4d.js").header("accept", NAVIGATION).send().await.assert_status(StatusCode::NOT_FOUND);
    built().get("/humans.txt").header("accept", "*/*").send().await.assert_status(StatusCode::NOT_FOUND);
    built().get("/assets/app-1a2b.js.br").header("accept", "*/*").send().await.assert_status(StatusCode::NOT_FOUND);
    // Whoever asks for a page of the app gets it: previews of links do not say that they want HTML.
    built().get("/app/players/a.b").header("accept", "*/*").send().await.assert_status_is_ok();
    built().get("/app.js").header("accept", "*/*").send().await.assert_status(StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn head_is_get_without_the_body_and_nothing_else_is_allowed() {
    let response = built().head("/assets/app-1a2b.js").header("accept-encoding", "br").send().await;
    response.assert_status_is_ok();
    response.assert_header("content-length", "script br".len().to_string());
    response.assert_header("content-encoding", "br");
    response.assert_text("").await;
    let response = built().post("/app/home").send().await;
    response.assert_status(StatusCode::METHOD_NOT_ALLOWED);
    response.assert_header("allow", "GET, HEAD");
}

#[tokio::test]
async fn without_a_build_the_page_says_what_to_do() {
    let response = serving(|_| None).get("/").header("accept", NAVIGATION).send().await;
    response.assert_status(StatusCode::SERVICE_UNAVAILABLE);
    assert!(response.0.into_body().into_string().await.unwrap().contains("make web"));
}

#[tokio::test]
async fn no_path_leads_out_of_the_build() {
    let client = TestClient::new(endpoint(&Config::default()));
    for path in ["/../package.json", "/assets/../../package.json", "/%2e%2e/package.json", "//etc/passwd"] {
        let response = client.get(path).header("accept", "*/*").send().await;
        let body = response.0.into_body().into_string().await.unwrap();
        assert!(!body.contains("devDependencies") && !body.contains("root:x:"), "{path}");
    }
}

#[tokio::test]
async fn a_page_may_look_like_a_file_and_nothing_well_known_is_a_page() {
    let client = built();
    for accepts in ["*/*", NAVIGATION] {
        client.get("/app/players/a.b").header("accept", accepts).send().await.assert_status_is_ok();
        for unknown in ["/.well-known/nothing", "/.well-known/assetlinks.json", "/.well-known/a/b"] {
            let response = client.get(unknown).header("accept", accepts).send().await;
            response.assert_status(StatusCode::NOT_FOUND);
        }
    }
    client.get("/robots.json").header("accept", "*/*").send().await.assert_status(StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn a_path_without_a_page_is_not_found_and_has_the_document_of_the_app() {
    let client = built();
    for (path, status) in [
        ("/", 200),
        ("/tournaments", 200),
        ("/TOURNAMENTS", 200),
        ("/app/home", 200),
        ("/app/setting", 200),
        ("/app/setting/security", 200),
        ("/app/players/a.b", 200),
        ("/app/game/5", 200),
        ("/nowhere", 404),
        ("/tournaments/x", 404),
        ("/app/nowhere", 404),
        ("/app/players", 404),
        ("/app/setting/security/x", 404),
        ("/app/game/5/x", 404),
    ] {
        let response = client.get(path).header("accept", NAVIGATION).send().await;
        assert_eq!(response.0.status().as_u16(), status, "{path}");
        response.assert_header("content-type", "text/html; charset=utf-8");
        response.assert_header("cache-control", REVALIDATE);
        assert!(response.0.into_body().into_string().await.unwrap().starts_with("<title>"), "{path}");
    }
    let response = client.head("/nowhere").header("accept", NAVIGATION).send().await;
    response.assert_status(StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn documents_say_what_the_host_offers() {
    let response = built().get("/login").header("accept", NAVIGATION).send().await;
    response.assert_text("<html data-offers=\"local guests\" data-provider=\"Ada &amp; Co\">").await;
}

#[test]
fn what_is_offered_follows_the_configuration() {
    let offers = |change: fn(&mut Config)| {
        let mut config = Config::default();
        change(&mut config);
        let Host { offers, provider, .. } = Host::of(&config);
        (offers, provider)
    };
    let with = |words: &str, provider: &str| (words.to_owned(), provider.to_owned());
    let own = |config: &mut Config| {
        config.identity.guests = true;
        config.identity.registration = true;
        config.identity.local.enabled = true;
    };
    assert_eq!(offers(own), with("local registration guests", ""));
    assert_eq!(
        offers(|config| {
            config.identity.guests = false;
            config.identity.registration = true;
            config.identity.local.enabled = false;
            config.identity.oidc.client_id = "morpion".to_owned();
            config.identity.oidc.issuer = "https://id.example.org".to_owned();
            config.identity.oidc.name = "<Ada> & \"Co\"".to_owned();
        }),
        with("oidc", "&lt;Ada&gt; &amp; &quot;Co&quot;")
    );
    assert_eq!(
        offers(|config| {
            config.identity.guests = true;
            config.identity.registration = false;
            config.identity.local.enabled = true;
            config.identity.oidc.client_id = "morpion".to_owned();
            config.identity.oidc.issuer = "https://accounts.google.com".to_owned();
            config.identity.oidc.name = String::new();
        }),
        with("local guests google", "Google")
    );
}

#[tokio::test]
async fn what_is_embedded_may_be_framed_and_nothing_else() {
    let client = built();
    let event = "/embed/event/0190f2b4-7c1a-7d2e-9a51-2f6d0c8e4b17";
    for path in [event, "/embed/replay/Ab1", "/embed/replay/Ab1/"] {
        let response = client.get(path).header("accept", NAVIGATION).header("cookie", "morpion_session=x").send().await;
        response.assert_status_is_ok();
        response.assert_header("content-security-policy", embeds::POLICY);
        response.assert_header("cross-origin-resource-policy", "cross-origin");
        response.assert_header_is_not_exist("set-cookie");
        response.assert_text("<title>embed</title></head>").await;
    }
    // What has no policy of its own here gets that of all pages, which lets nobody frame it.
    for path in [
        "/",
        "/embed",
        "/embed/",
        "/embed/index.html",
        "/embed/replay",
        "/embed/other/x",
        "/embed/replay/a/b",
        "/EMBED/replay/Ab1",
        "/replay/Ab1",
        "/app/home",
        "/login",
        "/app/events/view/x/embed/replay/y",
    ] {
        let response = client.get(path).header("accept", NAVIGATION).send().await;
        assert!(!response.0.headers().contains_key("content-security-policy"), "{path}");
    }
}

#[tokio::test]
async fn pages_of_replays_and_events_name_their_oembed() {
    let client = built();
    let event = "0190f2b4-7c1a-7d2e-9a51-2f6d0c8e4b17";
    for path in ["/replay/Ab1".to_owned(), format!("/app/events/view/{event}")] {
        let response = client.get(&path).header("accept", NAVIGATION).send().await;
        response.assert_status_is_ok();
        response.assert_header("cache-control", REVALIDATE);
        let text = response.0.into_body().into_string().await.unwrap();
        let page: String = url::form_urlencoded::byte_serialize(format!("{SITE}{path}").as_bytes()).collect();
        assert!(text.contains(&format!("href=\"{SITE}/oembed?url={page}&amp;format=json\"></head>")), "{text}");
    }
    for path in ["/replay/moves/3x", "/app/events/view/x", "/replay/a%22%3E%3Cscript%3E", "/login"] {
        let text =
            client.get(path).header("accept", NAVIGATION).send().await.0.into_body().into_string().await.unwrap();
        assert!(!text.contains("oembed") && !text.contains("script%3E"), "{path}: {text}");
    }
}

#[tokio::test]
async fn pages_that_name_their_oembed_are_compressed() {
    let document = |name: &str| {
        let data = format!("<title>index</title></head>{}", " ".repeat(20_000)).into_bytes().into();
        let metadata = Metadata::__rust_embed_new([0; 32], None, None, "text/html");
        (name == INDEX).then_some(EmbeddedFile { data, metadata })
    };
    let client = TestClient::new(endpoint_of(document).with(Compression::new(|_| ClientAddress::UNKNOWN)));
    let request = client.get("/replay/Ab1").header("accept", NAVIGATION);
    let response = request.header("accept-encoding", "br").send().await;
    response.assert_status_is_ok();
    response.assert_header("content-encoding", "br");
    response.assert_header("cache-control", REVALIDATE);
    assert!(response.0.into_body().into_bytes().await.unwrap().len() < 1_000);
}
