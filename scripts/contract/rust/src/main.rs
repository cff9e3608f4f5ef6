//! Two people play a game with the Rust client that is generated from the document alone: they register, one invites the
//! other, they play to the end over the realtime channel, and read what they played. The server's address is the argument.

use std::{env, net::TcpStream, sync::Arc, thread::sleep, time::Duration};

use morpion_client::{
    apis::{auth_api, configuration::Configuration, game_api, player_api},
    models::{AccountType, CreateGame, GameType, GetHistory, PlayedResult, PlayerRef, RegisterRequest},
};
use reqwest::{
    Url,
    blocking::Client,
    cookie::{CookieStore, Jar},
    header::{HeaderMap, HeaderValue},
};
use serde_json::{Value, json};
use tungstenite::{ClientRequestBuilder, Message, WebSocket, client, http::Uri};

/// X wins in the first row.
const MOVES: [(u8, u8); 5] = [(0, 0), (1, 0), (0, 1), (1, 1), (0, 2)];

struct Person {
    client: Configuration,
    cookies: String,
    user_id: String,
    socket: Option<WebSocket<TcpStream>>,
}

fn cookies(jar: &Jar, address: &Url) -> String {
    jar.cookies(address).map_or_else(String::new, |all| all.to_str().expect("cookies are ASCII").to_owned())
}

impl Person {
    fn new(address: &Url, name: &str) -> Self {
        let jar = Arc::new(Jar::default());
        let origin = address.as_str().trim_end_matches('/');
        let base_path = origin.to_owned();
        // What the server hands out as a cookie is repeated in a header.
        let client = |token: &str| {
            let mut headers = HeaderMap::new();
            headers.insert("origin", HeaderValue::from_str(origin).expect("an address"));
            headers.insert("x-xsrf-token", HeaderValue::from_str(token).expect("a token"));
            let builder = Client::builder().cookie_provider(Arc::clone(&jar)).default_headers(headers);
            Configuration { base_path: base_path.clone(), client: builder.build().expect("a client"), ..Configuration::new() }
        };
        let token = || {
            let all = cookies(&jar, address);
            let token = all.split("; ").find_map(|cookie| cookie.strip_prefix("XSRF-TOKEN="));
            token.unwrap_or_default().to_owned()
        };
        auth_api::check_login(&client("")).expect("nobody is signed in");
        let account = RegisterRequest {
            username: Some(Some(name.to_owned())),
            password: Some(Some("Chalk-and-1nk".to_owned())),
            ..RegisterRequest::new(AccountType::Local, format!("{name}@example.org"), "Ink".into(), false, "Chalk".into())
        };
        let answer = auth_api::register(&client(&token()), account).expect("an account");
        let user_id = answer.user.user_id.to_string();
        Self { client: client(&token()), cookies: cookies(&jar, address), user_id, socket: None }
    }

    fn enter(&mut self, address: &Url, game_id: &str) {
        let at = address.as_str().replacen("http", "ws", 1) + "api/backend/realtime";
        let request = ClientRequestBuilder::new(at.parse::<Uri>().expect("an address"))
            .with_header("Origin", address.as_str().trim_end_matches('/'))
            .with_header("Cookie", &self.cookies);
        let host = address.socket_addrs(|| None).expect("an address")[0];
        let stream = TcpStream::connect(host).expect("a server");
        stream.set_read_timeout(Some(Duration::from_secs(10))).expect("a timeout");
        self.socket = Some(client(request, stream).expect("a websocket").0);
        self.send("joinGame", json!({ "gameId": game_id }));
    }

    fn send(&mut self, event: &str, data: Value) {
        let frame = json!({ "event": event, "id": event, "data": data }).to_string();
        self.socket.as_mut().expect("a socket").send(Message::text(frame)).expect("it is sent");
    }

    fn is_next(user_id: &str, data: &Value) -> bool {
        data["nextTurn"] == user_id || data["gameState"]["currentTurn"] == user_id
    }

    fn until(&mut self, fits: impl Fn(&str, &Value) -> bool) -> Value {
        loop {
            let message = self.socket.as_mut().expect("a socket").read().expect("a frame in time");
            let Message::Text(text) = message else { continue };
            let frame: Value = serde_json::from_str(&text).expect("a frame is JSON");
            let (event, data) = (frame["event"].as_str().expect("an event"), &frame["data"]);
            assert!(event != "error" && data["errorCode"].is_null(), "{frame}");
            if fits(event, data) {
                return data.clone();
            }
        }
    }
}

fn main() {
    let address: Url = env::args().nth(1).expect("the server's address").parse().expect("an address");
    let mut people = ["rustada", "rustbob"].map(|name| Person::new(&address, name));
    let [ada, bob] = [0, 1].map(|at| people[at].user_id.clone());
    let players = [&ada, &bob].map(|id| PlayerRef::new(id.parse().expect("an id")));
    let invitation = CreateGame::new(GameType::Invite, players.into());
    let game = game_api::create_game(&people[0].client, invitation).expect("a game").game;
    let game_id = game.game_id.to_string();
    for person in &mut people {
        person.enter(&address, &game_id);
    }
    for (number, (row, col)) in MOVES.into_iter().enumerate() {
        let mover = &mut people[number % 2];
        let id = mover.user_id.clone();
        mover.until(|_, data| Person::is_next(&id, data));
        mover.send("makeMove", json!({ "gameId": game_id, "row": row, "col": col }));
    }
    let over = people[1].until(|event, _| event == "gameEnd");
    assert_eq!(over["winnerUserId"], ada.as_str(), "{over}");

    // A game is in the history once it is stored, shortly after its end.
    let wish = serde_json::to_string(&GetHistory::new(ada.parse().expect("an id"))).expect("plain data");
    let mut played = vec![];
    for _ in 0..50 {
        played = player_api::get_history(&people[0].client, &wish).expect("a history").games;
        if !played.is_empty() {
            break;
        }
        sleep(Duration::from_millis(200));
    }
    let found: Vec<_> = played.iter().map(|game| (game.game_id.to_string(), game.result)).collect();
    assert_eq!(found, [(game_id, PlayedResult::Won)]);
    println!("A game of {} moves was played with the Rust client.", MOVES.len());
}
