//! What may run on the threads of play. A move waits for whatever else runs there, so each place that starts something is
//! listed with its reason, and what takes a core for long has a module that runs it elsewhere.

use std::{collections::BTreeSet, fs};

use super::{imports, source};

/// Compression takes longer than everything else of an answer; this module does it on the threads of queries.
const COMPRESSES: &str = "http/encoding.rs";

/// Names of crates that compress, and of what poem has of them.
const COMPRESSION: [&str; 8] = [
    "async_compression",
    "brotli::",
    "flate2",
    "zstd::",
    "CompressionAlgo",
    "web::Compress",
    "Compress::new",
    "lz4_flex",
];

/// What is not an answer: chunks of the log, and entries of a cluster's log, a few KiB of LZ4 each.
const ELSEWHERE: [&str; 2] = ["cluster/wire.rs", "logbook/chunk.rs"];

/// Who starts runtimes: the threads of play are those of the process, all others are made here.
const MAKES_THREADS: [&str; 2] = ["background.rs", "cli.rs"];

fn code_of(file: &std::path::Path) -> String {
    let text = fs::read_to_string(file).unwrap();
    let code: Vec<_> = text.lines().map(|line| line.split("//").next().unwrap()).collect();
    code.join("\n").split("#[cfg(test)]\nmod tests").next().unwrap().to_owned()
}

/// The files outside of tests that name one of these.
fn that_name(names: &[&str]) -> BTreeSet<String> {
    let named = imports::files(&source()).into_keys().filter(|file| {
        let code = code_of(file);
        names.iter().any(|name| code.contains(name))
    });
    named.map(|file| file.strip_prefix(source()).unwrap().to_str().unwrap().to_owned()).collect()
}

fn set(names: &[&str]) -> BTreeSet<String> {
    names.iter().map(|&name| name.to_owned()).collect()
}

#[test]
fn one_module_compresses_answers() {
    let others: BTreeSet<_> = that_name(&COMPRESSION).difference(&set(&ELSEWHERE)).cloned().collect();
    assert_eq!(others, set(&[COMPRESSES]));
    let code = code_of(&source().join(COMPRESSES));
    assert_eq!(code.matches("compressing(").count(), 3, "its definition, and two tasks");
    assert_eq!(code.matches("queries().spawn(").count(), 2, "each of them behind play");
}

#[test]
fn threads_are_made_in_one_place() {
    assert_eq!(that_name(&["Builder::new_multi_thread", "Builder::new_current_thread"]), set(&MAKES_THREADS));
}

/// Connections are accepted, decrypted and read on the threads of the edge, until they become websockets.
#[test]
fn http_and_tls_run_at_the_edge() {
    assert_eq!(
        that_name(&["conn::auto", "service_fn(", ".accept(stream)"]),
        set(&["server/edge.rs", "server/upgraded.rs"])
    );
    let code = code_of(&source().join("server/edge.rs"));
    assert_eq!(code.matches("background::edge()").count(), 2, "who accepts, and each connection");
}

/// What a request is answered by runs where queries do, but for these paths.
#[test]
fn requests_are_answered_behind_queries() {
    let code = code_of(&source().join("http.rs"));
    let list = code.split("const BESIDE_QUERIES: ").nth(1).and_then(|rest| rest.split(';').nth(1)).unwrap();
    assert_eq!(list, " 3] = [REALTIME, \"/healthz\", \"/readyz\"]");
}

/// Who starts tasks where it is called, with the reason why that does not make moves wait: the tasks wait for a socket, a timer
/// or a channel, and do little between.
const STARTS_TASKS: [(&str, &str); 24] = [
    ("account/calendars.rs", "asks a provider, one change after the other"),
    ("account/recovery.rs", "is called behind play"),
    ("account/session.rs", "waits for the store"),
    ("backup.rs", "waits for the store"),
    ("bots.rs", "waits for the store"),
    ("cli/api.rs", "a program that ends"),
    ("cli/doctor.rs", "a program that ends"),
    ("cli/serve.rs", "the watchdog, the metrics' listener, the demo, signals"),
    ("cluster.rs", "what drives the protocol: play waits for it anyway"),
    ("cluster/checkpoint.rs", "sends and receives pieces of a checkpoint"),
    ("cluster/driver.rs", "play waits for it anyway"),
    ("cluster/link.rs", "moves bytes"),
    ("cluster/nats/bus.rs", "moves bytes"),
    ("cluster/nats/inbox.rs", "moves bytes"),
    ("cluster/tunnel.rs", "moves bytes"),
    ("connections/announcement.rs", "writes frames of moves"),
    ("http/passing.rs", "moves bytes"),
    ("http/repeats.rs", "a timer"),
    ("http/streamed.rs", "is called behind play"),
    ("logbook.rs", "gathers records; chunks are made by the writer"),
    ("mail.rs", "waits for a mail server"),
    ("push.rs", "waits for a queue"),
    ("push/delivery.rs", "waits for push services"),
    ("webhooks.rs", "waits for receivers"),
];

#[test]
fn what_starts_tasks_is_known() {
    let known = STARTS_TASKS.map(|(file, _)| file);
    assert_eq!(that_name(&["tokio::spawn(", "task::spawn("]), set(&known));
}
