//! The realtime channel: `GET /api/backend/realtime`. See `openapi/realtime.md`.

pub mod connection;
mod dispatch;
mod idle_reader;
pub mod upgrade;

use std::{sync::Arc, time::Duration};

use base64::{Engine, engine::general_purpose::STANDARD};
use poem::{IntoResponse, Request, Response, http::StatusCode};
use sha2::Digest;

use self::upgrade::{Upgrade, UpgradedStream};
use crate::{
    account::{cookies::Cookies, limits::RateLimit},
    api_error::ApiError,
    app::App,
    caller::{Call, Caller},
    clock,
    connections::handle::ConnectionHandle,
    error::CommonError,
    shares::Full,
};

/// How long a visitor waits before the next try, where an address has no room for one more.
const RETRY_VISIT: Duration = Duration::from_secs(60);

/// What a server appends to the client's key (RFC 6455, section 1.3).
const ACCEPT_GUID: &[u8] = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

fn header<'a>(request: &'a Request, name: &str) -> &'a str {
    request.headers().get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
}

fn has_token(list: &str, wanted: &str) -> bool {
    list.split(',').any(|token| token.trim().eq_ignore_ascii_case(wanted))
}

/// Completes an upgrade and serves the connection in its own task.
///
/// # Errors
/// 400 for what is no websocket handshake, 401 for a session that ended meanwhile, 429 and 503 at the limits.
pub async fn upgrade(app: &Arc<App>, call: Call, request: &Request) -> Result<Response, ApiError> {
    let key = header(request, "sec-websocket-key");
    let key_is_valid = STANDARD.decode(key).is_ok_and(|bytes| bytes.len() == 16);
    if !has_token(header(request, "connection"), "upgrade")
        || !has_token(header(request, "upgrade"), "websocket")
        || header(request, "sec-websocket-version") != "13"
        || !key_is_valid
    {
        return Err(ApiError::malformed("This address speaks websocket, version 13."));
    }
    // Visitors watch what everybody may see, and have limits of their own.
    let is_visitor = matches!(call.caller, Caller::Visitor);
    // Whoever had a session is told that it has ended, not let in as nobody.
    if is_visitor && Cookies::new(&app.accounts, request.cookie()).session().is_some() {
        return Err(ApiError::not_signed_in());
    }
    let limit = if is_visitor { RateLimit::VisitorSocket } else { RateLimit::Socket };
    app.accounts.limits().check(limit, call.address)?;
    let visit = match is_visitor {
        true => Some(app.visitors.take(Some(call.address.into()), 1).map_err(|full| match full {
            Full::ForOne => CommonError::TooMany { retry_after: RETRY_VISIT },
            Full::InAll => CommonError::unavailable("The server has no room for another visitor right now."),
        })?),
        false => None,
    };
    let upgrade = request
        .extensions()
        .get::<Upgrade>()
        .and_then(Upgrade::take)
        .ok_or_else(|| ApiError::malformed("This connection cannot be upgraded to a websocket."))?;
    let held = app.held.begin(Some(call.address.into()));
    let connection = Arc::new(ConnectionHandle::new(call.caller, Some(call.address)).holding(held));
    app.hub.admit(&connection)?;
    if !is_visitor {
        // The end of a session or token between its check and the admission did not reach this socket.
        let check = connection.begin_check();
        let end = app.accounts.valid_until([&connection.caller]).await.ok().and_then(|ends| ends.into_values().next());
        let Some(end) = end else {
            app.hub.remove(&connection);
            return Err(ApiError::not_signed_in());
        };
        connection.set_valid_until(check, clock::millis(end));
    }
    if !connection.caller.is_program() {
        connection.user_id().into_iter().for_each(|user| app.push.came_back(user));
    }

    let accept = accept_key(key);
    let (app, connections, play) = (Arc::clone(app), app.connections.clone(), app.runtime.clone());
    let serving = async move {
        let _visit = visit;
        match upgrade.await {
            Ok(UpgradedStream::Socket { read, write, guard: _guard }) => {
                connection::serve(app, read, write, connection).await;
            }
            Ok(UpgradedStream::Other { read, write, guard: _guard }) => {
                connection::serve(app, read, write, connection).await;
            }
            Err(error) => {
                tracing::debug!(%error, "an upgrade was not completed");
                app.hub.remove(&connection);
            }
        }
    };
    connections.spawn_on(serving, &play);
    Ok(StatusCode::SWITCHING_PROTOCOLS
        .with_header("connection", "upgrade")
        .with_header("upgrade", "websocket")
        .with_header("sec-websocket-accept", accept)
        .into_response())
}

fn accept_key(key: &str) -> String {
    // RFC 6455 prescribes SHA-1.
    use sha1::Sha1;
    let mut hash = Sha1::new();
    hash.update(key.as_bytes());
    hash.update(ACCEPT_GUID);
    STANDARD.encode(hash.finalize())
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_accept_key_is_the_one_of_rfc_6455() {
        assert_eq!(super::accept_key("dGhlIHNhbXBsZSBub25jZQ=="), "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
    }
}
