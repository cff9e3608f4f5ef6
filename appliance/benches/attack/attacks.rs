//! The attacks, one after the other. Each ends with an error if it reaches what it must not.

mod accounts;
mod at_once;
mod connections;
mod credentials;
mod frames;
mod http2;
mod members;
mod requests;

use futures_util::FutureExt;

use crate::arena::Attack;

/// Makes an attack of an async function.
macro_rules! attack {
    ($name:literal, $run:path) => {
        Attack { name: $name, run: |arena| $run(arena).boxed_local() }
    };
}

pub fn all() -> Vec<Attack> {
    vec![
        attack!("text frames in endless fragments", frames::fragments),
        attack!("pings, pongs and empty fragments without end", frames::controls),
        attack!("connections of one address", connections::one_address),
        attack!("connections of many addresses", connections::many_addresses),
        attack!("HTTP/1.1: answers that nobody reads", connections::unread),
        attack!("heads that never end", connections::heads),
        attack!("bodies that never come", connections::bodies),
        attack!("HTTP/2: streams", http2::streams),
        attack!("HTTP/2: rapid resets", http2::resets),
        attack!("HTTP/2: endless heads", http2::continuations),
        attack!("HTTP/2: pings and settings", http2::pings),
        attack!("HTTP/2: answers that nobody reads", http2::unread),
        attack!("header floods", requests::headers),
        attack!("huge and deeply nested queries", requests::queries),
        attack!("compressed bombs", requests::bombs),
        attack!("log floods by anonymous records", requests::log_records),
        attack!("log floods by scans", requests::scans),
        attack!("cross-site sockets, forged Origin and Host", requests::other_sites),
        attack!("forged X-Forwarded-For", requests::forwarded),
        attack!("guessing codes that verify an email", accounts::verification_codes),
        attack!("guessing codes that recover a password", accounts::recovery_codes),
        attack!("guessing passwords", accounts::passwords),
        attack!("invitations to one person", members::invitations),
        attack!("offers to play again", members::play_again),
        attack!("uploads that pile up", members::uploads),
        attack!("exports that pile up", members::exports),
        attack!("costly searches", members::searches),
        attack!("forged sessions and tokens", credentials::forged),
        attack!("ended sessions and revoked tokens", credentials::ended),
        attack!("TLS: handshakes that never end", connections::handshakes_begun),
        attack!("TLS: handshakes without a request", connections::handshakes),
        attack!("ten attacks at once", at_once::ten),
    ]
}
