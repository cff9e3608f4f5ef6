mod common;
use common::*;
use surrealdb::types::{Value, ToSql};
#[tokio::test(flavor = "multi_thread")]
async fn scratch() {
    let (folder, store) = on_disk().await;
    store.create_user(account("ann")).await.unwrap();
    store.close().await.unwrap();
    for q in [
        "EXPLAIN SELECT * FROM game WHERE status = 'waiting'",
        "SELECT * FROM game WHERE status = 'waiting' EXPLAIN",
        "EXPLAIN SELECT * FROM game WHERE players CONTAINS u'00000000-0000-4000-8000-000000000000' AND status IN ['completed'] ORDER BY created_at DESC LIMIT 10 START 2",
        "EXPLAIN SELECT count() AS total FROM game WHERE players CONTAINS u'00000000-0000-4000-8000-000000000000' AND status IN ['completed'] GROUP ALL",
        "EXPLAIN SELECT * FROM game WHERE event_id = u'00000000-0000-4000-8000-000000000000' AND status IN ['completed'] ORDER BY created_at DESC LIMIT 10",
        "EXPLAIN SELECT * FROM game WHERE share_token = 'x' LIMIT 1",
        "EXPLAIN SELECT VALUE id FROM game WHERE status = 'cancelled' AND ended_at < time::now() LIMIT 3",
        "EXPLAIN SELECT * FROM session WHERE user_id = u'00000000-0000-4000-8000-000000000000'",
        "EXPLAIN SELECT * FROM session WHERE expires_at <= time::now()",
        "EXPLAIN SELECT * FROM user WHERE email_key = 'x'",
        "EXPLAIN SELECT * FROM user WHERE is_admin = true",
        "EXPLAIN SELECT VALUE uid FROM user WHERE is_temp = true AND last_seen_at < time::now() LIMIT 3",
        "EXPLAIN SELECT VALUE uid FROM user WHERE display_key >= 'a' AND display_key < 'b' AND is_temp = false AND deleted_at = NONE LIMIT 3",
        "EXPLAIN SELECT VALUE uid FROM username:a..b WHERE names != NONE LIMIT 3",
        "EXPLAIN SELECT VALUE seq FROM journal ORDER BY id DESC LIMIT 1",
        "EXPLAIN SELECT seq, data FROM journal:3.. LIMIT 8",
        "EXPLAIN SELECT * FROM audit:..u'00000000-0000-4000-8000-000000000000' ORDER BY id DESC LIMIT 10",
        "EXPLAIN SELECT * FROM user:u'00000000-0000-4000-8000-000000000000'",
    ] {
        let r = tokio::spawn({ let f = folder.path().join("db"); async move { raw_query(&f, q).await } }).await;
        match r { Ok(v) => println!("{q}\n   => {}", match v { Value::String(s) => s, v => v.to_sql() }), Err(_) => println!("{q}\n  => ERR") }
    }
}
