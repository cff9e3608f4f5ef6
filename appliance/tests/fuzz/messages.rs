//! Frames of clients as JSON: each is answered, and the connection stays open.

use morpion_appliance::connections::handle::close;
use morpion_openapi::realtime::MAX_CLIENT_FRAME;
use serde_json::json;
use tokio::runtime::Runtime;

use crate::{
    runner::Target,
    samples::{document, sample},
    websocket::{TEXT, converse, frame},
    world::World,
};

const TOKENS: &[&str] =
    &["\"event\":", "\"data\":", "\"id\":\"1\"", "{", "}", "[", ",", "\\u0000", "1e999", "$game", "$event"];

/// Every frame of the contract, whole and with as little as it may have.
fn seeds() -> Vec<Vec<u8>> {
    let document = document();
    let frames = document["components"]["schemas"]["ClientFrame"]["oneOf"].as_array().unwrap();
    let samples = frames.iter().flat_map(|frame| [true, false].map(|is_whole| sample(&document, frame, is_whole)));
    samples.map(|sample| sample.to_string().into_bytes()).collect()
}

#[test]
fn a_message_is_answered_and_the_next_one_read() {
    let runtime = Runtime::new().unwrap();
    let world = runtime.block_on(World::new());
    let app = &world.server.app;
    let caller = runtime.block_on(world.identity());
    let seeds = seeds();
    assert!(seeds.len() > 20, "{}", seeds.len());
    Target { name: "messages", tokens: TOKENS, seeds }.run(|input| {
        let Ok(text) = std::str::from_utf8(input) else { return };
        let text = world.fill(text);
        if text.len() >= 4 * MAX_CLIENT_FRAME {
            return;
        }
        // In two fragments, the first of which ends somewhere in a character, too.
        let (first, rest) = text.as_bytes().split_at(text.len() / 3);
        let last = json!({ "event": "authenticate", "data": {}, "id": "the last" }).to_string();
        let bytes = [frame(TEXT, false, first), frame(0, true, rest), frame(TEXT, true, last.as_bytes())].concat();
        let conversation = runtime.block_on(converse(app, &caller, &bytes, 1 + text.len() / 2));
        assert_eq!(conversation.code, Some(close::NORMAL));
        assert!(conversation.messages.iter().all(|message| message["event"].is_string()));
        let is_last = |message: &&serde_json::Value| message["event"] == "ack" && message["id"] == "the last";
        let acks = conversation.messages.iter().filter(is_last).count();
        assert!(acks >= 1, "{:?}", conversation.messages);
    });
}
