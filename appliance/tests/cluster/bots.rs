//! Accounts that are bots: for all nodes, also after a takeover.

use serde_json::{Value, json};

use crate::{
    cluster::Cluster,
    site::Site,
    support::{Browser, Outcome},
};

async fn becomes(browser: &Browser) -> Outcome {
    browser.write("userprofile", "become_bot", json!({ "username": "robo" })).await
}

async fn is_bot_for(browser: &Browser, user: &Value) -> Value {
    let seen = browser.read("userprofile", "get_user_by_id", json!({ "userId": user })).await.ok();
    seen["user"]["isBot"].clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bot_is_one_at_every_node_and_after_a_takeover() {
    let mut site = Site::open(Cluster::start().await).await;
    let [one, other] = site.followers();
    let (robo, user) = site.registered(one, "robo").await;
    let (bob, _) = site.registered(other, "bob").await;
    let user = user["userId"].clone();
    becomes(&robo).await.fails(403, "email-not-verified");
    site.operate(other, "allow_hosting", json!({ "userId": user, "allowed": true })).await;
    // However many nodes are asked at once, it is one decision.
    let asked = async |node: usize| {
        let answer = becomes(&site.at(&robo, node)).await;
        (answer.status.as_u16(), answer.body["errorCode"].clone())
    };
    let all = tokio::join!(asked(0), asked(1), asked(2));
    for (status, code) in [&all.0, &all.1, &all.2] {
        assert!(*status == 200 || *code == "becoming-bot", "{status} {code}");
    }
    for node in site.running() {
        assert_eq!(is_bot_for(&site.at(&bob, node), &user).await, true);
        becomes(&site.at(&robo, node)).await.ok();
    }

    site.loses_its_leader().await;
    for node in site.running() {
        assert_eq!(is_bot_for(&site.at(&bob, node), &user).await, true);
        let listed = site.at(&bob, node).read("player", "list_bots", json!({})).await.ok();
        assert_eq!((&listed["bots"][0]["userId"], &listed["pagination"]["totalCount"]), (&user, &json!(1)));
        becomes(&site.at(&robo, node)).await.ok();
    }
}
