//! Who makes a request, from where, and whether one of our pages made it.

use std::{
    net::{IpAddr, SocketAddr},
    sync::{Arc, atomic::Ordering},
};

use poem::{Request, http::HeaderMap};

use super::{Accounts, cookies, csrf, error::AccountError, personal_token};
use crate::{
    caller::{Call, Caller, RequestId},
    config::Config,
    subject::ClientAddress,
};

/// Headers in which a proxy names the client; only the first is ever trusted.
const FORWARDING_HEADERS: [&str; 3] = ["x-forwarded-for", "forwarded", "x-real-ip"];

/// The address of a request's client: see [`forwarded_client`].
pub fn client_address(config: &Config, request: &Request) -> ClientAddress {
    config.client(forwarded_client(config, peer(request), request.headers()))
}

/// The other end of the connection.
fn peer(request: &Request) -> IpAddr {
    // Only a test that calls the endpoint directly has no address.
    request.remote_addr().as_socket_addr().map_or(IpAddr::from([127, 0, 0, 1]), |peer| peer.ip())
}

/// The peer's address, or the one named by a trusted proxy: the last address in `X-Forwarded-For` that is not a trusted
/// proxy itself, since everything before it may be made up.
pub fn forwarded_client(config: &Config, peer: IpAddr, headers: &HeaderMap) -> IpAddr {
    let peer = peer.to_canonical();
    if !config.trusts_proxy(peer) {
        return peer;
    }
    // In bytes: what a client made up need not be text, and stands before a proxy's address in the same value.
    let values = headers.get_all(FORWARDING_HEADERS[0]).iter();
    let forwarded: Vec<&[u8]> = values.flat_map(|value| value.as_bytes().split(|byte| *byte == b',')).collect();
    let mut client = peer;
    for hop in forwarded.iter().rev() {
        let Some(address) = forwarded_address(hop) else { break };
        client = address;
        if !config.trusts_proxy(address) {
            break;
        }
    }
    client
}

impl Accounts {
    /// Identifies the caller and the client's address, after the checks that keep other sites out.
    ///
    /// # Errors
    /// As [`csrf::check_host`], [`csrf::check_origin`] and [`csrf::check_token`];
    /// [`AccountError::BadOperatorToken`], [`AccountError::BadPersonalToken`]; a program asks too often; the store is unavailable.
    pub async fn identify(
        &self,
        request: &Request,
        session: Option<&str>,
        device: Option<&str>,
    ) -> Result<Call, AccountError> {
        let headers = request.headers();
        let host = host_of(request);
        csrf::check_host(&self.config, host)?;
        let caller = self.caller(headers, session).await?;
        // Nothing sends a token by itself, as browsers do with cookies.
        let has_token = matches!(caller, Caller::Operator(_)) || caller.is_program();
        let kind = RequestKind::of(request);
        if !has_token && kind != RequestKind::Safe {
            csrf::check_origin(&self.config, headers, host)?;
        }
        if !has_token && kind == RequestKind::Change {
            csrf::check_token(&self.secret, headers, cookies::binding(&caller, device))?;
        }
        if let Caller::User(identity) = &caller
            && kind != RequestKind::Safe
        {
            self.check_required_factor(identity, request.original_uri().path())?;
        }
        let request_id = request.data::<RequestId>().map(|id| id.0.clone()).unwrap_or_default();
        Ok(Call { caller, address: self.client_address(request), request_id })
    }

    async fn caller(&self, headers: &HeaderMap, session: Option<&str>) -> Result<Caller, AccountError> {
        if let Some(token) = bearer(headers) {
            if token.starts_with(personal_token::PREFIX) {
                return Ok(Caller::User(self.program(token).await?));
            }
            return match self.operators.find(token, self.clock.wall()).await? {
                Some(operator) => Ok(Caller::Operator(Arc::new(operator))),
                None => Err(AccountError::BadOperatorToken),
            };
        }
        let identity = match session {
            Some(token) => self.sessions.find(token, self.clock.steady()).await?,
            None => None,
        };
        Ok(identity.map_or(Caller::Visitor, Caller::User))
    }

    /// The client's address: see [`Accounts::forwarded_client`].
    pub fn client_address(&self, request: &Request) -> ClientAddress {
        self.config.client(self.forwarded_client(peer(request), request.headers()))
    }

    /// As [`forwarded_client`]; warns once when a proxy is not trusted.
    pub fn forwarded_client(&self, peer: IpAddr, headers: &HeaderMap) -> IpAddr {
        if !self.config.trusts_proxy(peer)
            && FORWARDING_HEADERS.iter().any(|name| headers.contains_key(*name))
            && !self.warned_of_forwarding.swap(true, Ordering::Relaxed)
        {
            tracing::warn!(
                peer = %peer.to_canonical(),
                "a forwarding header was ignored: its sender is not in server.trusted_proxies. If it is a proxy of \
                 yours, list it there; until then all its clients share the limits of its one address"
            );
        }
        forwarded_client(&self.config, peer, headers)
    }
}

/// Which checks a request has to pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RequestKind {
    /// It only reads, and no other site can see the response.
    Safe,
    /// Browsers let every site open a websocket anywhere, and send only the origin.
    Socket,
    /// It changes something.
    Change,
}

/// The payment provider calls this from its own servers, and signs the content.
const WEBHOOK: &str = "/api/backend/stripe/webhook";

/// Clients may send this change as a `GET`.
pub const CHANGES_BY_GET: &[&str] = &["delete_event"];

/// Whether the request may change something.
pub fn may_change(request: &Request) -> bool {
    matches!(RequestKind::of(request), RequestKind::Change)
}

impl RequestKind {
    fn of(request: &Request) -> Self {
        if request.original_uri().path().trim_end_matches('/') == WEBHOOK {
            return Self::Safe;
        }
        if !request.method().is_safe() {
            return Self::Change;
        }
        let changes = request.params::<Vec<(String, String)>>().is_ok_and(|query| {
            query.iter().any(|(name, value)| name == "action" && CHANGES_BY_GET.contains(&value.as_str()))
        });
        if changes {
            Self::Change
        } else if request.headers().contains_key("upgrade") {
            Self::Socket
        } else {
            Self::Safe
        }
    }
}

fn host_of(request: &Request) -> Option<&str> {
    // HTTP/2 has it in the URI.
    request.header("host").or_else(|| request.original_uri().authority().map(|authority| authority.as_str()))
}

/// The token of `Authorization: Bearer`; other schemes are for a proxy in front of us. Whoever shows one is never
/// identified by a cookie, so one that cannot be read, or is one of several, is empty.
fn bearer(headers: &HeaderMap) -> Option<&str> {
    let mut tokens = headers.get_all("authorization").iter().filter_map(|value| {
        let value = value.as_bytes().trim_ascii();
        let (scheme, token) = value.split_at(value.iter().position(u8::is_ascii_whitespace).unwrap_or(value.len()));
        scheme.eq_ignore_ascii_case(b"bearer").then(|| std::str::from_utf8(token.trim_ascii()).unwrap_or_default())
    });
    let token = tokens.next()?;
    Some(if tokens.next().is_some() { "" } else { token })
}

/// An address in the forms that proxies write: `192.0.2.1`, `192.0.2.1:4711`, `2001:db8::1`, `[2001:db8::1]:4711`.
fn forwarded_address(hop: &[u8]) -> Option<IpAddr> {
    let text = std::str::from_utf8(hop).ok()?.trim();
    text.parse::<IpAddr>()
        .or_else(|_| text.parse::<SocketAddr>().map(|address| address.ip()))
        .or_else(|_| text.trim_start_matches('[').trim_end_matches(']').parse())
        .map(|address| address.to_canonical())
        .ok()
}

#[cfg(test)]
mod tests {
    use poem::http::Method;

    use super::*;

    fn kind(method: Method, uri: &str, upgrade: Option<&str>) -> RequestKind {
        let mut request = Request::builder().method(method).uri_str(uri);
        if let Some(protocol) = upgrade {
            request = request.header("upgrade", protocol);
        }
        RequestKind::of(&request.finish())
    }

    #[test]
    fn changes_are_told_from_reads() {
        for method in [Method::POST, Method::PUT, Method::PATCH, Method::DELETE] {
            assert_eq!(kind(method, "/api/backend/game", None), RequestKind::Change);
        }
        assert_eq!(kind(Method::GET, "/api/backend/game?action=get_game", None), RequestKind::Safe);
        for query in ["action=delete_event", "action=delete%5Fevent&payload=x", "action=a&action=delete_event"] {
            assert_eq!(kind(Method::GET, &format!("/api/backend/event?{query}"), None), RequestKind::Change, "{query}");
        }
        assert_eq!(kind(Method::GET, "/api/backend/realtime", Some("websocket")), RequestKind::Socket);
    }

    #[test]
    fn addresses_as_proxies_write_them() {
        for text in ["192.0.2.1", " 192.0.2.1 ", "192.0.2.1:4711", "::ffff:192.0.2.1"] {
            assert_eq!(forwarded_address(text.as_bytes()), Some(IpAddr::from([192, 0, 2, 1])), "{text}");
        }
        for text in ["2001:db8::1", "[2001:db8::1]", "[2001:db8::1]:4711"] {
            assert_eq!(forwarded_address(text.as_bytes()), "2001:db8::1".parse().ok(), "{text}");
        }
        for text in ["", "unknown", "_hidden", "192.0.2", "<script>"] {
            assert_eq!(forwarded_address(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn only_bearer_tokens_are_ours() {
        let headers = |value: &str| HeaderMap::from_iter([("authorization".parse().unwrap(), value.parse().unwrap())]);
        assert_eq!(bearer(&headers("Bearer abc")), Some("abc"));
        assert_eq!(bearer(&headers("bearer  abc ")), Some("abc"));
        assert_eq!(bearer(&headers("Basic abc")), None);
        assert_eq!(bearer(&headers("abc")), None);
        assert_eq!(bearer(&headers("Bearerabc")), None);
        // None of these falls back to a cookie.
        for unreadable in ["Bearer", "Bearer "] {
            assert_eq!(bearer(&headers(unreadable)), Some(""), "{unreadable}");
        }
        assert_eq!(bearer(&headers("Bearer\tabc")), Some("abc"));
        let several = |values: &[&str]| {
            let mut headers = HeaderMap::new();
            for value in values {
                headers.append("authorization", value.parse().unwrap());
            }
            headers
        };
        assert_eq!(bearer(&several(&["Basic abc", "Bearer abc"])), Some("abc"));
        assert_eq!(bearer(&several(&["Bearer abc", "Bearer def"])), Some(""));
    }
}
