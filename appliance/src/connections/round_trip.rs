//! The round-trip time to a client, measured by pings. What a client gains by answering late is bounded where it is
//! used: [`morpion_rules::clock::MAX_ROUND_TRIP`].

use std::{sync::LazyLock, time::Instant};

use bytes::Bytes;
use fastwebsockets::{Frame, OpCode, Payload};

use super::frame::encode_frame;

/// The origin of the times in pings.
static EPOCH: LazyLock<Instant> = LazyLock::new(Instant::now);

/// A ping that carries its own time; one may go to many.
#[derive(Debug, Clone)]
pub struct Ping {
    micros: u64,
    frame: Bytes,
}

fn micros(now: Instant) -> u64 {
    u64::try_from(now.saturating_duration_since(*EPOCH).as_micros()).unwrap_or(u64::MAX)
}

impl Ping {
    pub fn new(now: Instant) -> Self {
        let micros = micros(now);
        let payload = micros.to_be_bytes();
        Self { micros, frame: encode_frame(Frame::new(true, OpCode::Ping, None, Payload::Borrowed(&payload))) }
    }

    pub fn frame(&self) -> Bytes {
        self.frame.clone()
    }
}

/// The measurements of one connection.
#[derive(Debug, Default)]
pub struct RoundTrip {
    /// The ping that has no pong yet.
    pending: Option<u64>,
    /// The last two round trips, in milliseconds.
    samples: [Option<u32>; 2],
}

impl RoundTrip {
    pub fn ping_sent(&mut self, ping: &Ping) {
        self.pending = Some(ping.micros);
    }

    /// A pong arrived. Unsolicited ones are ignored.
    pub fn pong_received(&mut self, payload: &[u8], now: Instant) {
        let Ok(payload) = payload.try_into().map(u64::from_be_bytes) else { return };
        if self.pending == Some(payload) {
            self.pending = None;
            let took = micros(now).saturating_sub(payload) / 1_000;
            self.samples = [Some(u32::try_from(took).unwrap_or(u32::MAX)), self.samples[0]];
        }
    }

    /// Milliseconds: the shorter of the last two, so that a single delay does not count.
    pub fn round_trip(&self) -> Option<u32> {
        self.samples.iter().flatten().min().copied()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn only_the_pong_of_the_last_ping_counts_and_only_once() {
        let start = Instant::now();
        let mut round_trip = RoundTrip::default();
        let mut answer = |asked: u64, payload: u64, at: u64| {
            let ping = Ping::new(start + Duration::from_millis(asked));
            assert_eq!(ping.frame().len(), 10);
            round_trip.ping_sent(&ping);
            let claimed = Ping::new(start + Duration::from_millis(payload)).micros.to_be_bytes();
            for again in [0, 500] {
                round_trip.pong_received(&claimed, start + Duration::from_millis(at + again));
            }
            round_trip.pong_received(b"?", start);
            round_trip.round_trip()
        };
        assert_eq!(answer(0, 5, 100), None, "another ping");
        assert_eq!(answer(1_000, 1_000, 1_200), Some(200));
        assert_eq!(answer(2_000, 2_000, 2_900), Some(200), "one hiccup");
        assert_eq!(answer(3_000, 3_000, 3_600), Some(600), "two are none");
    }
}
