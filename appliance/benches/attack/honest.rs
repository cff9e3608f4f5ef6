//! The honest games that go on meanwhile.

use std::{
    net::{Ipv4Addr, SocketAddr},
    path::PathBuf,
    rc::Rc,
    time::Duration,
};

use anyhow::{Context, ensure};
use hdrhistogram::Histogram;
use serde_json::json;
use tokio::{
    task::JoinSet,
    time::{Instant, timeout},
};

use crate::{
    arena::{Arena, FIRST_SOURCE},
    matches::{Boards, Last, Morpion, Watch, begin_at},
    seed::Seeded,
    wire::Visitor,
};

/// Between two moves.
const THOUGHT: Duration = Duration::from_secs(1);

/// Games that go on for longer than any run.
const ENDLESS: Duration = Duration::from_secs(7_200);

/// A move that takes longer is lost.
const PATIENCE: Duration = Duration::from_secs(20);

pub struct Honest {
    watch: Rc<Watch>,
    games: JoinSet<anyhow::Result<Last>>,
}

impl Honest {
    pub async fn begin(address: SocketAddr, seeded: &Seeded, count: usize) -> anyhow::Result<Self> {
        let watch = Watch::until(Instant::now().into_std() + ENDLESS);
        let morpion = Morpion::new(address, seeded, Boards::Small)?;
        let games = begin_at(&morpion, count, THOUGHT, &watch).await?;
        Ok(Self { watch, games })
    }

    /// The latency of moves, in microseconds, since it was last asked for.
    pub fn latency(&self) -> Histogram<u64> {
        self.watch.take()
    }

    /// Why games ended that should go on.
    pub fn lost(&mut self) -> Vec<String> {
        let mut lost = vec![];
        while let Some(ended) = self.games.try_join_next() {
            lost.push(match ended {
                Ok(Ok(last)) => format!("a game ended after {} moves", last.moves),
                Ok(Err(failure)) => format!("{failure:#}"),
                Err(failure) => failure.to_string(),
            });
        }
        lost
    }

    /// Lets every player make the move they are at.
    pub async fn end(mut self) -> anyhow::Result<Vec<Last>> {
        self.watch.until.set(Instant::now().into_std());
        let mut games = vec![];
        let ending = async {
            while let Some(ended) = self.games.join_next().await {
                games.push(ended??);
            }
            anyhow::Ok(())
        };
        timeout(PATIENCE, ending).await.context("a move is never answered")??;
        Ok(games)
    }
}

/// Checks that a server, started anew, has every move that was acknowledged.
pub async fn check_moves(
    address: SocketAddr,
    folder: PathBuf,
    operator_token: String,
    games: &[Last],
) -> anyhow::Result<usize> {
    let nobody = || std::sync::Arc::from(vec![]);
    let arena = Arena {
        address,
        folder,
        operator_token,
        accounts: nobody(),
        askers: nobody(),
        first_source: FIRST_SOURCE,
        lasting: Duration::ZERO,
    };
    let operator = Visitor::new(&arena, Ipv4Addr::LOCALHOST);
    let mut moves = 0;
    for last in games {
        let game = operator.reads_as_operator("game", "get_game", &json!({ "gameId": last.game })).await?;
        let stored = game["game"]["moves"].as_array().with_context(|| game.to_string())?.len();
        ensure!(stored >= last.moves, "game {} has {stored} of {} acknowledged moves", last.game, last.moves);
        moves += last.moves;
    }
    Ok(moves)
}
