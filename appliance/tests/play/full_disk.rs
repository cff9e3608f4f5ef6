//! A disk that fills up: operators are warned, nothing new starts, games under way go on, and all ends by itself.

use std::{net::SocketAddr, time::Duration};

use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::{
    process::{Account, Process, register},
    small_disk::{SmallDisk, may_mount},
    socket::Socket,
};

/// What a refusal must leave for games under way, and far more than they need.
const STOP_FREE: u64 = 8 << 20;

/// The server notices within a second; a busy machine may be slower.
const NOTICED_WITHIN: Duration = Duration::from_secs(30);

async fn invite(address: SocketAddr, accounts: &[Account; 2]) -> (StatusCode, Value) {
    let players = json!([{ "userId": accounts[0].id }, { "userId": accounts[1].id }]);
    let payload = json!({ "players": players, "gameType": "invite", "boardSize": 3, "notify": false });
    accounts[0].write(address, "game", "create_game", payload).await
}

async fn record(address: SocketAddr, account: &Account) -> (StatusCode, Value) {
    account.write(address, "logger", "log", json!({ "level": "error", "message": "Oops" })).await
}

/// Asks until the answer has this status; returns it.
async fn until<F: Future<Output = (StatusCode, Value)>>(status: StatusCode, ask: impl Fn() -> F) -> Value {
    let waiting = async {
        loop {
            let (found, answer) = ask().await;
            if found == status {
                return answer;
            }
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
    };
    tokio::time::timeout(NOTICED_WITHIN, waiting).await.expect("the server notices how much is free")
}

async fn readiness(address: SocketAddr) -> String {
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    client.get(format!("http://{address}/readyz")).send().await.unwrap().text().await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_nearly_full_disk_starts_nothing_new_and_recovers_by_itself() {
    if !may_mount("a_nearly_full_disk_starts_nothing_new_and_recovers_by_itself") {
        return;
    }
    let disk = SmallDisk::mount();
    let server = Process::start_with(disk.path(), &[("MORPION_STORAGE__STOP_FREE", "8 MiB")]);
    let address = server.address;
    let accounts = [register(address, "ada").await, register(address, "bob").await];
    let (status, made) = invite(address, &accounts).await;
    assert_eq!(status, StatusCode::OK, "a warning refuses nothing");
    assert!(readiness(address).await.contains("MiB left. Below 8 MiB no new games"));

    let filler = disk.fill_but(STOP_FREE / 2);
    let refused = until(StatusCode::SERVICE_UNAVAILABLE, || invite(address, &accounts)).await;
    assert_eq!(refused["errorCode"], "disk-full");
    assert_eq!(record(address, &accounts[0]).await.0, StatusCode::SERVICE_UNAVAILABLE);
    let (status, refused) = accounts[0].upload(address).await;
    assert_eq!((status, &refused["errorCode"]), (StatusCode::SERVICE_UNAVAILABLE, &json!("disk-full")));
    assert!(readiness(address).await.contains("Games under way go on."));

    let game = made["game"]["gameId"].as_str().unwrap();
    let mut sockets = [
        Socket::with_session(address, &accounts[0].session).await,
        Socket::with_session(address, &accounts[1].session).await,
    ];
    for socket in &mut sockets {
        socket.send("joinGame", json!({ "gameId": game })).await;
        socket.wait("gameJoined").await;
    }
    for (number, (row, col)) in [(0, 0), (1, 0), (0, 1), (1, 1), (0, 2)].into_iter().enumerate() {
        let answer = sockets[number % 2].ask("makeMove", json!({ "gameId": game, "row": row, "col": col })).await;
        assert_eq!(answer["succeeded"], true, "{answer}");
    }
    sockets[0].wait("gameEnd").await;

    std::fs::remove_file(filler).unwrap();
    until(StatusCode::OK, || invite(address, &accounts)).await;
    assert_eq!(record(address, &accounts[0]).await.0, StatusCode::OK);
    assert_eq!(accounts[0].upload(address).await.0, StatusCode::OK);
}
