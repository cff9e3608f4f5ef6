//! `/.well-known/security.txt` (RFC 9116): where to report a vulnerability, if the operator has set a contact; and
//! `/.well-known/change-password`, by which password managers find the page for that.

use std::sync::Arc;

use chrono::{Days, SecondsFormat, Utc};
use poem::{IntoResponse, Response, Route, endpoint::make_sync};

use super::{ApiError, body::Redirect, request_log::request_id};
use crate::config::{Config, Operator};

/// The file expires after this many days.
const VALID_FOR: Days = Days::new(90);

/// Where one changes the password, after signing in.
const CHANGE_PASSWORD: &str = "/app/setting/security";

/// Adds them.
pub fn mount(route: Route, config: &Arc<Config>) -> Route {
    let config = Arc::clone(config);
    let endpoint = make_sync(move |request: poem::Request| match security_text(&config.operator) {
        Some(text) => Response::builder().content_type("text/plain; charset=utf-8").body(text),
        None => ApiError::not_found("file").respond(request_id(&request)),
    });
    let change_password = make_sync(|_| Redirect(CHANGE_PASSWORD.to_owned()).into_response());
    route
        .at("/.well-known/security.txt", poem::get(endpoint))
        .at("/.well-known/change-password", poem::get(change_password))
}

fn security_text(operator: &Operator) -> Option<String> {
    let contact = match operator.contact.as_str() {
        "" => return None,
        uri if uri.contains(':') => uri.to_owned(),
        mail => format!("mailto:{mail}"),
    };
    let expires = (Utc::now() + VALID_FOR).to_rfc3339_opts(SecondsFormat::Secs, true);
    let name = if operator.name.is_empty() { String::new() } else { format!("# {}\n", operator.name) };
    Some(format!("{name}Contact: {contact}\nExpires: {expires}\n"))
}

#[cfg(test)]
mod tests {
    use poem::{http::StatusCode, test::TestClient};

    use super::*;

    fn site(name: &str, contact: &str) -> TestClient<Route> {
        let operator = Operator { name: name.to_owned(), contact: contact.to_owned() };
        let config = Config { operator, ..Config::default() };
        TestClient::new(mount(Route::new(), &Arc::new(config)))
    }

    async fn text(name: &str, contact: &str) -> String {
        let response = site(name, contact).get("/.well-known/security.txt").send().await;
        response.assert_status_is_ok();
        response.0.into_body().into_string().await.unwrap()
    }

    #[tokio::test]
    async fn it_names_whom_to_write_to() {
        let with_mail = text("Ann's games", "ann@example.org").await;
        assert!(with_mail.starts_with("# Ann's games\nContact: mailto:ann@example.org\nExpires: 2"), "{with_mail}");
        assert!(text("", "https://example.org/contact").await.starts_with("Contact: https://example.org/contact\n"));
    }

    #[tokio::test]
    async fn password_managers_find_the_page() {
        let response = site("", "").get("/.well-known/change-password").send().await;
        response.assert_status(StatusCode::FOUND);
        response.assert_header("location", CHANGE_PASSWORD);
    }

    #[tokio::test]
    async fn without_a_contact_there_is_no_file() {
        let response = site("Ann's games", "").get("/.well-known/security.txt").send().await;
        response.assert_status(StatusCode::NOT_FOUND);
    }
}
