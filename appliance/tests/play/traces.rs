//! What an OpenTelemetry collector gets of the real server, and what one that is not there costs.

use std::{
    collections::BTreeSet,
    net::SocketAddr,
    process::Command,
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use futures_util::{StreamExt, stream};
use opentelemetry_proto::tonic::{
    collector::trace::v1::ExportTraceServiceRequest, common::v1::any_value::Value as Attribute, trace::v1::Span,
};
use poem::{Request, Response, Route, endpoint::make, listener::TcpAcceptor, post};
use prost::Message;
use serde_json::json;
use tempfile::TempDir;
use tokio::{net::TcpListener, time::timeout};

use crate::{
    free_address::free_address,
    process::{Account, Process, register},
    socket::Socket,
};

const PATIENCE: Duration = Duration::from_secs(30);

/// A stand-in for a collector, with the spans that it received.
#[derive(Clone, Default)]
struct Collector(Arc<Mutex<Vec<Span>>>);

impl Collector {
    async fn start(&self) -> SocketAddr {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let collector = self.clone();
        let receive = make(move |request: Request| {
            let collector = collector.clone();
            async move {
                assert_eq!(request.header("content-type"), Some("application/x-protobuf"));
                let body = request.into_body().into_bytes().await.unwrap();
                collector.add(ExportTraceServiceRequest::decode(body).expect("spans in protobuf"));
                Response::default()
            }
        });
        let routes = Route::new().at("/v1/traces", post(receive));
        tokio::spawn(poem::Server::new_with_acceptor(TcpAcceptor::from_tokio(listener).unwrap()).run(routes));
        address
    }

    fn add(&self, received: ExportTraceServiceRequest) {
        for resource in received.resource_spans {
            let attributes = resource.resource.unwrap().attributes;
            let name = attributes.iter().find(|attribute| attribute.key == "service.name").unwrap();
            assert!(format!("{:?}", name.value).contains("morpion"), "{name:?}");
            let spans = resource.scope_spans.into_iter().flat_map(|scope| scope.spans);
            self.0.lock().unwrap().extend(spans);
        }
    }

    fn named(&self, name: &str) -> Vec<Span> {
        self.0.lock().unwrap().iter().filter(|span| span.name == name).cloned().collect()
    }
}

fn attribute(span: &Span, key: &str) -> Option<String> {
    let found = span.attributes.iter().find(|attribute| attribute.key == key)?;
    match found.value.as_ref()?.value.as_ref()? {
        Attribute::StringValue(text) => Some(text.clone()),
        Attribute::IntValue(number) => Some(number.to_string()),
        other => panic!("{other:?}"),
    }
}

/// Two people, one of whom made a move in their game; returns the game's id and how long the move took.
async fn moved(address: SocketAddr) -> (String, Duration, Vec<Account>) {
    let (ada, bob) = (register(address, "ada").await, register(address, "bob").await);
    let mut sockets = vec![];
    for account in [&ada, &bob] {
        sockets.push(Socket::with_session(address, &account.session).await);
    }
    let players = json!([{ "userId": ada.id }, { "userId": bob.id }]);
    let payload = json!({ "players": players, "gameType": "invite", "boardSize": 3 });
    let created = ada.write(address, "game", "create_game", payload).await;
    let game = created.1["game"]["gameId"].as_str().unwrap().to_owned();
    for (socket, account) in sockets.iter_mut().zip([&ada, &bob]) {
        socket.ask("joinGame", json!({ "gameId": game, "userId": account.id })).await;
    }
    let began = Instant::now();
    let answer = sockets[0].ask("makeMove", json!({ "gameId": game, "userId": ada.id, "row": 0, "col": 0 })).await;
    assert_eq!(answer["succeeded"], true, "{answer}");
    (game, began.elapsed(), vec![ada, bob])
}

#[tokio::test(flavor = "multi_thread")]
async fn a_collector_gets_requests_moves_and_commits_and_no_people() {
    let collector = Collector::default();
    let address = collector.start().await;
    let folder = TempDir::new().unwrap();
    let otlp = format!("http://{address}/");
    let server = Process::start_with(folder.path(), &[("MORPION_TELEMETRY__OTLP", &otlp)]);
    let (game, took, people) = moved(server.address).await;
    let arrived = async {
        while ["request", "move", "commit"].into_iter().any(|name| collector.named(name).is_empty()) {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    timeout(PATIENCE, arrived).await.expect("all three kinds of spans arrive");

    let moves = collector.named("move");
    assert_eq!((moves.len(), attribute(&moves[0], "game")), (1, Some(game)));
    let length = Duration::from_nanos(moves[0].end_time_unix_nano - moves[0].start_time_unix_nano);
    assert!(length > Duration::ZERO && length <= took, "{length:?} of {took:?}");
    let registration = |span: &&Span| attribute(span, "http.route").as_deref() == Some("/api/auth/register");
    let requests = collector.named("request");
    let request = requests.iter().find(registration).expect("the request by its route");
    assert_eq!(attribute(request, "http.request.method").as_deref(), Some("POST"));
    assert_eq!(attribute(request, "http.response.status_code").as_deref(), Some("200"));
    let commits = collector.named("commit");
    assert!(attribute(&commits[0], "entries").unwrap().parse::<u64>().unwrap() > 0);

    let spans = collector.0.lock().unwrap().clone();
    let keys: BTreeSet<_> = spans.iter().flat_map(|span| &span.attributes).map(|found| found.key.as_str()).collect();
    let known = ["entries", "game", "http.request.method", "http.response.status_code", "http.route"];
    assert_eq!(keys, BTreeSet::from(known), "a new attribute has to be one that names nobody");
    let text = format!("{spans:?}");
    for person in &people {
        assert!(!text.contains(&person.id) && !text.contains(&person.session), "{text}");
    }
}

/// More than the queue of spans holds.
const REQUESTS: usize = 5_000;

#[tokio::test(flavor = "multi_thread")]
async fn a_collector_that_is_gone_or_hangs_costs_nothing() {
    let gone = free_address();
    // It accepts and never answers.
    let hangs = TcpListener::bind("127.0.0.1:0").await.unwrap();
    for address in [gone, hangs.local_addr().unwrap()] {
        let folder = TempDir::new().unwrap();
        let otlp = format!("http://{address}");
        let server = Process::start_with(folder.path(), &[("MORPION_TELEMETRY__OTLP", &otlp)]);
        let client = reqwest::Client::builder().no_proxy().build().unwrap();
        let url = format!("http://{}/healthz", server.address);
        let answered = stream::iter(0..REQUESTS)
            .map(|_| client.get(&url).send())
            .buffer_unordered(16)
            .filter(|answer| std::future::ready(answer.as_ref().is_ok_and(|answer| answer.status().is_success())))
            .count();
        assert_eq!(timeout(PATIENCE, answered).await.expect("requests do not wait"), REQUESTS);
        let (_, took, _) = moved(server.address).await;
        assert!(took < Duration::from_secs(2), "a move does not wait: {took:?}");
        let stopped = timeout(Duration::from_secs(10), stop(&server)).await;
        assert!(stopped.is_ok(), "the end does not wait");
    }
}

/// Asks the server to stop, and waits until it has.
async fn stop(server: &Process) {
    let id = server.id().to_string();
    assert!(Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
    // Nobody waits for the child yet, so it stays as a zombie.
    while !std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap().contains(") Z") {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}
