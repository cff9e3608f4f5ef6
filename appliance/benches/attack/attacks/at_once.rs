//! Several attacks at the same time, each from addresses of its own.

use anyhow::Context;
use futures_util::{FutureExt, future::try_join_all};

use super::{connections, frames, http2, members};
use crate::arena::{Arena, Outcome};

/// Those that hold most, or ask for most: connections, frames, streams, bodies, answers and queries. Each checks what it
/// reaches as it does alone.
pub async fn ten(arena: &Arena) -> anyhow::Result<Outcome> {
    let arenas: Vec<Arena> = (0..10).map(|number| arena.beside(number)).collect();
    let [a, b, c, d, e, f, g, h, i, j] = &arenas[..] else { unreachable!("there are ten") };
    let attacks = [
        frames::fragments(a).boxed_local(),
        frames::controls(b).boxed_local(),
        connections::many_addresses(c).boxed_local(),
        connections::unread(d).boxed_local(),
        connections::heads(e).boxed_local(),
        connections::bodies(f).boxed_local(),
        http2::streams(g).boxed_local(),
        http2::unread(h).boxed_local(),
        http2::pings(i).boxed_local(),
        members::searches(j).boxed_local(),
    ];
    let outcomes = try_join_all(attacks).await.context("one of ten")?;
    let texts = |of: fn(&Outcome) -> &str| outcomes.iter().map(of).collect::<Vec<_>>().join("; ");
    Ok(Outcome { reached: texts(|outcome| &outcome.reached), refused: texts(|outcome| &outcome.refused) })
}
