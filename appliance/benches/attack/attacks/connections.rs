//! Connections that are too many or too slow.

use std::{net::Ipv4Addr, time::Duration};

use anyhow::ensure;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpSocket,
    task::JoinSet,
    time::{Instant, sleep, sleep_until, timeout},
};
use tokio_util::either::Either;

use crate::{
    arena::{Arena, Outcome, Tally, a_second},
    socket::{connect_from, open_from, over_tcp, speaks_tls},
    wire::{Answer, Visitor},
};

/// What an address may have, by default.
const OF_ONE_ADDRESS: usize = 512;

/// How long a head may take, by default, and what a busy machine adds.
const HEAD: Duration = Duration::from_secs(10 + 3);

/// How long a body may lag, by default, and what a busy machine adds.
const BODY: Duration = Duration::from_secs(30 + 5);

/// How long a connection that is refused at once is open at most.
const AT_ONCE: Duration = Duration::from_secs(1);

/// A connection, from its start to its end.
struct Held {
    from: Instant,
    to: Instant,
    answer: Answer,
}

/// Connections, what is sent on each, and for how long the server may keep them.
struct Plan<'a> {
    a_second: u32,
    source: &'a dyn Fn(usize) -> Ipv4Addr,
    bytes: &'a [u8],
    longest: Duration,
    /// The bytes are sent as they are, also where the run speaks TLS.
    is_raw: bool,
}

/// Connects until it is time, and waits until the server has closed all connections.
async fn hold(arena: &Arena, plan: Plan<'_>) -> anyhow::Result<Vec<Held>> {
    let until = arena.until();
    let mut ticks = a_second(plan.a_second);
    let mut holding: JoinSet<anyhow::Result<Held>> = JoinSet::new();
    while Instant::now() < until {
        ticks.tick().await;
        let (from, source, address) = (Instant::now(), (plan.source)(holding.len()), arena.address);
        let sent = plan.bytes.to_vec();
        let (longest, is_raw) = (plan.longest, plan.is_raw);
        holding.spawn_local(async move {
            let mut bytes = vec![];
            // One that is refused may be gone already.
            let opened = match is_raw {
                true => connect_from(source, address).await.map(Either::Left),
                false => open_from(source, address).await,
            };
            if let Ok(mut stream) = opened {
                let _ = stream.write_all(&sent).await;
                let closed = timeout(longest, stream.read_to_end(&mut bytes)).await;
                ensure!(closed.is_ok(), "a connection is open after {longest:?}");
            }
            Ok(Held { from, to: Instant::now(), answer: Answer::of(&bytes) })
        });
    }
    holding.join_all().await.into_iter().collect()
}

/// The most that were open at once, of those that were not refused at once.
fn most_at_once(held: &[Held]) -> usize {
    let mut changes: Vec<(Instant, isize)> = held
        .iter()
        .filter(|each| each.to - each.from > AT_ONCE)
        .flat_map(|each| [(each.from, 1), (each.to, -1)])
        .collect();
    changes.sort();
    let mut open = 0_isize;
    let counts = changes.into_iter().map(|(_, change)| {
        open += change;
        open
    });
    counts.max().unwrap_or(0).unsigned_abs()
}

fn outcome(held: &[Held]) -> Outcome {
    let mut tally = Tally::default();
    held.iter().for_each(|each| tally.count(&each.answer));
    let longest = held.iter().map(|each| each.to - each.from).max().unwrap_or_default();
    Outcome {
        reached: format!(
            "{} connections, {} of them at once, for {:.0} s at most",
            held.len(),
            most_at_once(held),
            longest.as_secs_f64()
        ),
        refused: tally.to_string(),
    }
}

pub async fn one_address(arena: &Arena) -> anyhow::Result<Outcome> {
    let source = arena.source(0);
    let plan = Plan { a_second: 200, source: &|_| source, bytes: b"GET / HTTP/1.1\r\n", longest: HEAD, is_raw: false };
    let held = hold(arena, plan).await?;
    let most = most_at_once(&held);
    ensure!(most <= OF_ONE_ADDRESS, "one address has {most} connections");
    let refused = held.iter().filter(|each| each.answer.status == 429).count();
    ensure!(
        // With TLS nobody is told before a handshake.
        (refused > 0 || speaks_tls()) && held.iter().all(|each| each.answer.status != 429 || each.answer.is_too_many()),
        "{refused} are told"
    );
    Ok(outcome(&held))
}

pub async fn many_addresses(arena: &Arena) -> anyhow::Result<Outcome> {
    let plan =
        Plan { a_second: 400, source: &|number| arena.source(number % 200), bytes: b"", longest: HEAD, is_raw: false };
    Ok(outcome(&hold(arena, plan).await?))
}

/// Heads that end never, though a line of them comes again and again.
pub async fn heads(arena: &Arena) -> anyhow::Result<Outcome> {
    let mut dripping: JoinSet<anyhow::Result<Duration>> = JoinSet::new();
    for number in 0..300 {
        let (source, address) = (arena.source(number), arena.address);
        dripping.spawn_local(async move {
            let begun = Instant::now();
            let mut stream = open_from(source, address).await?;
            let mut drip: &[u8] = b"GET / HTTP/1.1\r\n";
            while stream.write_all(drip).await.is_ok() {
                ensure!(begun.elapsed() < HEAD, "a head may take longer than {HEAD:?}");
                sleep(Duration::from_millis(500)).await;
                drip = b"x: y\r\n";
            }
            Ok(begun.elapsed())
        });
    }
    let ended: Vec<Duration> = dripping.join_all().await.into_iter().collect::<anyhow::Result<_>>()?;
    let longest = ended.iter().max().copied().unwrap_or_default();
    Ok(Outcome {
        reached: format!("{} heads, each open for {:.0} s at most", ended.len(), longest.as_secs_f64()),
        refused: "closed".to_owned(),
    })
}

pub async fn bodies(arena: &Arena) -> anyhow::Result<Outcome> {
    let visitor = Visitor::opened(arena, arena.source(0)).await?;
    let head = visitor.head("POST", "/api/auth/login");
    let request = format!("{head}content-type: application/json\r\ncontent-length: 1000\r\n\r\n{{");
    let plan = Plan {
        a_second: 40,
        source: &|number| arena.source(number),
        bytes: request.as_bytes(),
        longest: BODY,
        is_raw: false,
    };
    let held = hold(arena, plan).await?;
    ensure!(held.iter().any(|each| each.answer.status == 408), "nobody is told that the body is too slow");
    Ok(outcome(&held))
}

/// Handshakes a second: a client's costs the attackers' core as much as it costs the server's.
const HANDSHAKES: u32 = 500;

/// Requests on each connection, one after the other.
const PIPELINED: usize = 100;

/// What the attacker's system takes of an answer that is not read, in bytes.
const RECEIVED: u32 = 4 << 10;

/// As many connections as an address may have, with requests whose answers are not read.
pub async fn unread(arena: &Arena) -> anyhow::Result<Outcome> {
    let until = arena.until();
    let request = format!("GET /login HTTP/1.1\r\nhost: {}\r\n\r\n", arena.address).repeat(PIPELINED);
    let (mut streams, mut refused) = (vec![], 0);
    for _ in 0..OF_ONE_ADDRESS {
        let socket = TcpSocket::new_v4()?;
        socket.set_recv_buffer_size(RECEIVED)?;
        socket.bind((arena.source(0), 0).into())?;
        let opened = async {
            let mut stream = over_tcp(socket.connect(arena.address).await?, arena.address).await?;
            stream.write_all(request.as_bytes()).await?;
            Ok::<_, std::io::Error>(stream)
        };
        match opened.await {
            Ok(stream) => streams.push(stream),
            Err(_) => refused += 1,
        }
    }
    sleep_until(until).await;
    let mut answered = 0;
    for stream in &mut streams {
        let mut start = [0; 8];
        let read = timeout(Duration::from_millis(10), stream.read_exact(&mut start)).await;
        answered += usize::from(matches!(read, Ok(Ok(_))) && start.starts_with(b"HTTP/1.1"));
    }
    ensure!(answered > 0, "nothing was answered");
    Ok(Outcome {
        reached: format!("{} requests on {} connections", streams.len() * PIPELINED, streams.len()),
        refused: format!("{refused} connections; {answered} began to be answered"),
    })
}

/// Handshakes that begin and go no further.
pub async fn handshakes_begun(arena: &Arena) -> anyhow::Result<Outcome> {
    // The head of a record of 512 bytes that holds a ClientHello.
    const BEGIN: &[u8] = b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03";
    let source = |number| arena.source(number % 200);
    let plan = Plan { a_second: 200, source: &source, bytes: BEGIN, longest: HEAD, is_raw: true };
    Ok(outcome(&hold(arena, plan).await?))
}

/// Handshakes that end, each with a signature, on connections that ask for nothing and are closed.
pub async fn handshakes(arena: &Arena) -> anyhow::Result<Outcome> {
    let until = arena.until();
    let mut ticks = a_second(HANDSHAKES);
    let mut open: JoinSet<bool> = JoinSet::new();
    while Instant::now() < until {
        ticks.tick().await;
        let (source, address) = (arena.source(open.len() % 200), arena.address);
        open.spawn_local(async move { open_from(source, address).await.is_ok() });
    }
    let ended = open.join_all().await;
    let done = ended.iter().filter(|&&is_done| is_done).count();
    ensure!(done > 0, "no handshake was done");
    Ok(Outcome { reached: format!("{done} handshakes"), refused: format!("{} were not done", ended.len() - done) })
}
