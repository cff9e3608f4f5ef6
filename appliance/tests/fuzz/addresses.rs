//! `X-Forwarded-For` and its relatives: whatever a client writes into them, its address is the one that the last
//! trusted proxy saw.

use std::net::IpAddr;

use poem::http::{HeaderMap, HeaderName, HeaderValue};
use tokio::runtime::Runtime;

use crate::{runner::Target, support::Server};

const TRUSTED: &[&str] = &["10.0.0.0/8", "127.0.0.1/32", "2001:db8:aaaa::/48"];

const TOKENS: &[&str] = &[
    ",",
    ", ",
    " ",
    ":",
    ":80",
    "[",
    "]",
    "::",
    "::ffff:",
    "%eth0",
    "\n",
    "\t",
    "\"",
    ";",
    "for=",
    "unknown",
    "0x7f.1",
    "010.0.0.1",
    "10.0.0.1",
    "127.0.0.1",
    "192.0.2.7",
    "2001:db8:aaaa::1",
    "2001:db8::7",
    "[2001:db8::7]:443",
    "::ffff:10.0.0.1",
    "x-forwarded-for: ",
    "forwarded: ",
    "x-real-ip: ",
    "\u{661}",
];

/// The hop that connected, which the client did not choose.
const CLIENT: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(198, 51, 100, 9));

/// Each line of the input is a header; others are values of `X-Forwarded-For`.
fn headers(input: &[u8]) -> Vec<(HeaderName, HeaderValue)> {
    let header = |line: &[u8]| {
        let split = line.iter().position(|byte| *byte == b':').map(|at| (&line[..at], &line[at + 1..]));
        let named = split.and_then(|(name, value)| Some((HeaderName::from_bytes(name).ok()?, value)));
        let (name, value) = named
            .filter(|(name, _)| name.as_str().contains('-'))
            .unwrap_or_else(|| (HeaderName::from_static("x-forwarded-for"), line));
        Some((name, HeaderValue::from_bytes(value).ok()?))
    };
    input.split(|byte| *byte == b'\n').filter_map(header).collect()
}

#[test]
fn a_client_does_not_choose_its_address() {
    let runtime = Runtime::new().unwrap();
    let server = runtime.block_on(Server::with(|config| {
        config.server.trusted_proxies = TRUSTED.iter().map(|network| network.parse().unwrap()).collect();
    }));
    let address = |peer: &str, headers: Vec<(HeaderName, HeaderValue)>| {
        let mut map = HeaderMap::new();
        map.extend(headers.into_iter().map(|(name, value)| (Some(name), value)));
        server.app.accounts.forwarded_client(peer.parse().unwrap(), &map)
    };
    Target { name: "addresses", tokens: TOKENS, ..Target::default() }.run(|input| {
        let chosen = headers(input);
        // Without a proxy no header counts.
        for peer in ["198.51.100.9", "::ffff:198.51.100.9"] {
            assert_eq!(address(peer, chosen.clone()), CLIENT);
        }
        // One or two trusted proxies append what they saw, to the same line or as another.
        for (peer, seen) in [
            ("10.0.0.1", "198.51.100.9"),
            ("127.0.0.1", "198.51.100.9:5000"),
            ("2001:db8:aaaa::1", "198.51.100.9, 10.1.2.3"),
            ("::ffff:10.0.0.1", "::ffff:198.51.100.9, [2001:db8:aaaa::2]:443"),
        ] {
            let seen: HeaderValue = seen.parse().unwrap();
            let name = HeaderName::from_static("x-forwarded-for");
            let mut separate = chosen.clone();
            separate.push((name.clone(), seen.clone()));
            assert_eq!(address(peer, separate), CLIENT);

            let mut appended = chosen.clone();
            match appended.iter_mut().rfind(|(header, _)| *header == name) {
                Some((_, value)) => {
                    let line = [value.as_bytes(), b", ", seen.as_bytes()].concat();
                    *value = HeaderValue::from_bytes(&line).unwrap();
                }
                None => appended.push((name, seen)),
            }
            assert_eq!(address(peer, appended), CLIENT, "appended");
        }
    });
}
