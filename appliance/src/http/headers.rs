//! Security headers.

use std::sync::Arc;

use poem::{
    Endpoint, IntoResponse, Middleware, Request, Response, Result,
    http::{HeaderName, HeaderValue, header},
};

use crate::config::Config;

/// Browser features that our pages do not use, so that no injected script can use them.
const PERMISSIONS: &str = "accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), \
    magnetometer=(), microphone=(), midi=(), usb=()";

/// Adds the headers to every response that does not set its own.
#[derive(Debug, Clone)]
pub struct SecurityHeaders(Arc<Vec<(HeaderName, HeaderValue)>>);

impl SecurityHeaders {
    pub fn new(config: &Config) -> Self {
        let mut headers = vec![
            (header::CONTENT_SECURITY_POLICY, content_policy(config)),
            (header::X_CONTENT_TYPE_OPTIONS, "nosniff".to_owned()),
            (header::REFERRER_POLICY, "strict-origin-when-cross-origin".to_owned()),
            (HeaderName::from_static("permissions-policy"), permissions(config)),
            (HeaderName::from_static("cross-origin-opener-policy"), opener_policy(config).to_owned()),
            (HeaderName::from_static("cross-origin-resource-policy"), "same-origin".to_owned()),
            // Responses without a cache policy are not stored.
            (header::CACHE_CONTROL, "no-store".to_owned()),
        ];
        if config.is_secure() {
            // A year; subdomains are not ours to decide about.
            headers.push((header::STRICT_TRANSPORT_SECURITY, "max-age=31536000".to_owned()));
        }
        let parsed = headers.into_iter().map(|(name, value)| (name, value.parse().expect("policies are ASCII")));
        Self(Arc::new(parsed.collect()))
    }

    /// For answers that do not come over HTTPS: RFC 6797 forbids it there.
    pub fn without_hsts(&self) -> Self {
        let kept = self.0.iter().filter(|(name, _)| name != header::STRICT_TRANSPORT_SECURITY).cloned();
        Self(Arc::new(kept.collect()))
    }

    /// Adds those that a response does not have.
    pub fn add_to(&self, response: &mut Response) {
        for (name, value) in self.0.iter() {
            response.headers_mut().entry(name).or_insert_with(|| value.clone());
        }
    }

    /// The headers as lines of an answer that is written by hand.
    pub fn lines(&self) -> String {
        let lines = self.0.iter();
        lines.map(|(name, value)| format!("{name}: {}\r\n", value.to_str().expect("policies are ASCII"))).collect()
    }
}

/// Stripe's form offers the browser's wallets where it may.
fn permissions(config: &Config) -> String {
    let payment = if uses_stripe(config) { "(self \"https://js.stripe.com\")" } else { "()" };
    format!("{PERMISSIONS}, payment={payment}")
}

/// Scripts from this server only and never inline; styles may be inline, since components set positions and sizes.
fn content_policy(config: &Config) -> String {
    // Not every browser counts a websocket to the same origin as 'self'. A policy cannot contain an IPv6 address.
    let sockets: Vec<_> = config
        .public_origin()
        .with_loopback_names()
        .iter()
        .map(|origin| format!("{}://{}", origin.websocket_scheme(), origin.authority()))
        .filter(|address| !address.contains('['))
        .collect();
    let others = [google(config), payments(config)];
    let every = |of: fn(&ThirdPartySources) -> &str| others.iter().map(of).collect::<String>();
    let (script, style) = (every(|sources| &sources.script), every(|sources| &sources.style));
    let (connect, image) = (every(|sources| &sources.connect), every(|sources| &sources.image));
    let mut policy = format!(
        "default-src 'none'; script-src 'self'{script}; worker-src 'self'; style-src 'self' 'unsafe-inline'{style}; \
         font-src 'self'; img-src 'self' data:{image}; media-src 'self'; manifest-src 'self'; \
         connect-src 'self' {}{connect}; form-action 'self'; base-uri 'none'; object-src 'none'; \
         frame-ancestors 'none'",
        sockets.join(" ")
    );
    let frame = every(|sources| &sources.frame);
    if !frame.is_empty() {
        policy.push_str("; frame-src");
        policy.push_str(&frame);
    }
    if config.is_secure() {
        policy.push_str("; upgrade-insecure-requests");
    }
    policy
}

/// Google's button opens a popup, which has to communicate with our page.
fn opener_policy(config: &Config) -> &'static str {
    if uses_google(config) { "same-origin-allow-popups" } else { "same-origin" }
}

/// The policy sources that third-party parts of our pages need, each with a space before it.
#[derive(Debug, Default)]
struct ThirdPartySources {
    script: String,
    style: String,
    connect: String,
    image: String,
    frame: String,
}

/// What Google's button needs, as Google documents it. Any other provider is a link that leaves the page, and needs
/// nothing.
fn google(config: &Config) -> ThirdPartySources {
    if !uses_google(config) {
        return ThirdPartySources::default();
    }
    ThirdPartySources {
        script: " https://accounts.google.com/gsi/client".to_owned(),
        style: " https://accounts.google.com/gsi/style".to_owned(),
        connect: " https://accounts.google.com/gsi/".to_owned(),
        frame: " https://accounts.google.com/gsi/".to_owned(),
        ..ThirdPartySources::default()
    }
}

/// What Stripe's form needs, as Stripe documents it; a stand-in for Stripe is only called.
fn payments(config: &Config) -> ThirdPartySources {
    let billing = &config.billing;
    if uses_stripe(config) {
        return ThirdPartySources {
            script: " https://js.stripe.com https://*.js.stripe.com".to_owned(),
            connect: " https://api.stripe.com".to_owned(),
            image: " https://*.stripe.com".to_owned(),
            frame: " https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com".to_owned(),
            ..ThirdPartySources::default()
        };
    }
    let connect = if billing.is_on() { format!(" {}", billing.api_base) } else { String::new() };
    ThirdPartySources { connect, ..ThirdPartySources::default() }
}

fn uses_stripe(config: &Config) -> bool {
    config.billing.is_on() && config.billing.is_stripe()
}

fn uses_google(config: &Config) -> bool {
    let oidc = &config.identity.oidc;
    oidc.is_google() && !oidc.client_id.is_empty()
}

impl<E: Endpoint> Middleware<E> for SecurityHeaders {
    type Output = SecurityHeadersEndpoint<E>;

    fn transform(&self, inner: E) -> Self::Output {
        SecurityHeadersEndpoint { inner, headers: self.clone() }
    }
}

#[derive(Debug)]
pub struct SecurityHeadersEndpoint<E> {
    inner: E,
    headers: SecurityHeaders,
}

impl<E: Endpoint> Endpoint for SecurityHeadersEndpoint<E> {
    type Output = Response;

    async fn call(&self, request: Request) -> Result<Response> {
        let mut response = match self.inner.call(request).await {
            Ok(response) => response.into_response(),
            Err(error) => error.into_response(),
        };
        self.headers.add_to(&mut response);
        Ok(response)
    }
}

#[cfg(test)]
mod tests {
    use poem::{EndpointExt, endpoint::make_sync, test::TestClient};

    use super::*;

    fn site(public_url: &str) -> TestClient<impl Endpoint> {
        let mut config = Config::default();
        config.server.public_url = (!public_url.is_empty()).then(|| public_url.parse().unwrap());
        let inner = make_sync(|request: Request| match request.uri().path() {
            "/own" => Response::builder()
                .header("content-security-policy", "default-src 'self'")
                .header("cache-control", "max-age=5")
                .body("own"),
            _ => Response::builder().body("answer"),
        });
        TestClient::new(inner.with(SecurityHeaders::new(&config)))
    }

    async fn header_of(client: &TestClient<impl Endpoint>, name: &str) -> Option<String> {
        let response = client.get("/").send().await;
        response.assert_status_is_ok();
        response.0.headers().get(name).map(|value| value.to_str().unwrap().to_owned())
    }

    #[tokio::test]
    async fn every_answer_carries_the_policies() {
        let client = site("");
        let policy = header_of(&client, "content-security-policy").await.unwrap();
        for rule in [
            "default-src 'none'",
            "script-src 'self'",
            "style-src 'self' 'unsafe-inline'",
            "img-src 'self' data:",
            "connect-src 'self' ws://127.0.0.1:8080 ws://localhost:8080",
            "frame-ancestors 'none'",
            "base-uri 'none'",
            "form-action 'self'",
            "object-src 'none'",
        ] {
            assert!(policy.split("; ").any(|given| given == rule), "{rule} is missing in {policy}");
        }
        for (name, value) in [
            ("x-content-type-options", "nosniff"),
            ("referrer-policy", "strict-origin-when-cross-origin"),
            ("cross-origin-opener-policy", "same-origin"),
            ("cross-origin-resource-policy", "same-origin"),
            ("cache-control", "no-store"),
        ] {
            assert_eq!(header_of(&client, name).await.as_deref(), Some(value), "{name}");
        }
        assert!(header_of(&client, "permissions-policy").await.unwrap().contains("camera=()"));
    }

    #[tokio::test]
    async fn https_is_asked_for_only_where_there_is_https() {
        assert_eq!(header_of(&site(""), "strict-transport-security").await, None);
        let secure = site("https://play.example.org");
        assert_eq!(header_of(&secure, "strict-transport-security").await.unwrap(), "max-age=31536000");
        let policy = header_of(&secure, "content-security-policy").await.unwrap();
        assert!(
            policy.contains("wss://play.example.org;") && policy.ends_with("upgrade-insecure-requests"),
            "{policy}"
        );
    }

    #[test]
    fn a_configured_google_is_let_in_and_no_other_provider() {
        let mut config = Config::default();
        assert!(!content_policy(&config).contains("google"));
        config.identity.oidc.client_id = "client".to_owned();
        let policy = content_policy(&config);
        for rule in [
            "script-src 'self' https://accounts.google.com/gsi/client;",
            "frame-src https://accounts.google.com/gsi/",
            "style-src 'self' 'unsafe-inline' https://accounts.google.com/gsi/style;",
        ] {
            assert!(policy.contains(rule), "{rule} is missing in {policy}");
        }
        assert_eq!(opener_policy(&config), "same-origin-allow-popups");
        config.identity.oidc.issuer = "https://id.example.org".to_owned();
        assert!(!content_policy(&config).contains("frame-src") && opener_policy(&config) == "same-origin");
    }

    #[test]
    fn stripe_is_let_in_once_payments_are_set_up() {
        let mut config = Config::default();
        assert!(!content_policy(&config).contains("stripe") && permissions(&config).ends_with("payment=()"));
        config.billing.secret_key = "sk_test_1".to_owned().into();
        let policy = content_policy(&config);
        for rule in [
            "script-src 'self' https://js.stripe.com https://*.js.stripe.com;",
            "img-src 'self' data: https://*.stripe.com;",
            "frame-src https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com",
            " https://api.stripe.com;",
        ] {
            assert!(policy.contains(rule), "{rule} is missing in {policy}");
        }
        assert!(permissions(&config).contains("https://js.stripe.com"));
        config.billing.api_base = "http://127.0.0.1:12111".to_owned();
        let policy = content_policy(&config);
        assert!(policy.contains(" http://127.0.0.1:12111;") && !policy.contains("stripe.com"), "{policy}");
        assert!(!policy.contains("frame-src") && permissions(&config).ends_with("payment=()"));
    }

    #[tokio::test]
    async fn an_answer_may_bring_its_own() {
        let response = site("").get("/own").send().await;
        response.assert_header("content-security-policy", "default-src 'self'");
        response.assert_header("cache-control", "max-age=5");
        response.assert_header("x-content-type-options", "nosniff");
    }
}
