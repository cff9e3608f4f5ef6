//! A node that has nothing, or lags too far, gets the checkpoint of another one in pieces, and with it the keys that all nodes
//! share.

use std::{
    fs::{self, File},
    io::{self, Write},
    os::unix::fs::FileExt,
    path::{Component, Path},
    time::Duration,
};

use anyhow::{Context, bail, ensure};
use bytes::Bytes;
use morpion_cluster::{NodeId, Position};

use super::{
    folder::NodeFolder,
    keys::SharedKeys,
    nats::{
        Nats,
        bus::{CheckpointAnswer, CheckpointAsk, CheckpointFile, GATHER, PIECE, Topic},
    },
};
/// Nodes whose checkpoints are compared.
const OFFERS: usize = 16;

/// Files of one checkpoint.
const MAX_FILES: usize = 100_000;

/// How long a piece may take, and how often it is asked for.
const PIECE_WITHIN: Duration = Duration::from_secs(5);
const ATTEMPTS: usize = 5;

/// The sealed keys in a list, which are none of the checkpoint's files. Versions that sealed none refuse a file of this name.
const KEYS: &str = "keys/sealed";

/// Gives other nodes the checkpoint that is kept here, for as long as the connection is there.
///
/// # Errors
/// NATS does not answer.
pub async fn serve(nats: &Nats, folder: NodeFolder, keys: SharedKeys) -> anyhow::Result<()> {
    let me = nats.node();
    let mut requests = nats.requests::<CheckpointAsk>(Topic::Checkpoint).await?;
    tokio::spawn(async move {
        while let Some(request) = requests.next().await {
            let (folder, keys) = (folder.clone(), keys.clone());
            tokio::spawn(async move {
                let ask = request.question.clone();
                let answered = tokio::task::spawn_blocking(move || answer(me, &folder, &keys, &ask)).await;
                request.answer(&answered.ok().flatten().unwrap_or(CheckpointAnswer::Absent)).await;
            });
        }
    });
    Ok(())
}

/// `None` if it is not there (any longer).
fn answer(me: NodeId, folder: &NodeFolder, keys: &SharedKeys, ask: &CheckpointAsk) -> Option<CheckpointAnswer> {
    match ask {
        CheckpointAsk::List => {
            let position = folder.kept().ok().flatten()?;
            let mut files = vec![];
            list(&folder.checkpoint(position), "", &mut files).ok()?;
            if let Some(sealed) = keys.seal().ok()? {
                files.push(CheckpointFile { name: KEYS.to_owned(), bytes: sealed.len() as u64 });
            }
            Some(CheckpointAnswer::Listed { node: me, position, files })
        }
        // They are sealed anew each time, and fit into one piece.
        CheckpointAsk::Read { file, offset: 0, .. } if file == KEYS => {
            Some(CheckpointAnswer::Piece(Bytes::from(keys.seal().ok()??)))
        }
        CheckpointAsk::Read { position, file, offset, length } => {
            let path = folder.checkpoint(*position).join(checked(file)?);
            folder.serves(*position);
            let mut piece = vec![0; usize::try_from((*length).min(PIECE)).ok()?];
            let read = File::open(path).and_then(|file| read_at(&file, &mut piece, *offset)).ok()?;
            piece.truncate(read);
            Some(CheckpointAnswer::Piece(Bytes::from(piece)))
        }
    }
}

fn read_at(file: &File, piece: &mut [u8], offset: u64) -> io::Result<usize> {
    let mut read = 0;
    while read < piece.len() {
        match file.read_at(&mut piece[read..], offset + read as u64)? {
            0 => break,
            more => read += more,
        }
    }
    Ok(read)
}

fn list(folder: &Path, prefix: &str, files: &mut Vec<CheckpointFile>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.file_type()?.is_dir() {
            list(&entry.path(), &format!("{name}/"), files)?;
        } else {
            files.push(CheckpointFile { name, bytes: entry.metadata()?.len() });
        }
    }
    Ok(())
}

/// A path that stays in its folder.
fn checked(name: &str) -> Option<&Path> {
    let path = Path::new(name);
    let mut parts = path.components();
    (!name.is_empty() && parts.all(|part| matches!(part, Component::Normal(_)))).then_some(path)
}

/// Gets the newest checkpoint that another node has. Returns its position; it is in its place then.
///
/// # Errors
/// No node has one, one disappeared meanwhile, or the disk refuses. What was received is removed at the next attempt.
pub async fn fetch(nats: &Nats, folder: &NodeFolder, keys: &SharedKeys) -> anyhow::Result<Position> {
    let offers: Vec<CheckpointAnswer> = nats.ask_all(Topic::Checkpoint, &CheckpointAsk::List, OFFERS, GATHER).await?;
    let offers = offers.into_iter().filter_map(|offer| match offer {
        CheckpointAnswer::Listed { node, position, files } if node != nats.node() => Some((node, position, files)),
        _ => None,
    });
    let (node, position, files) =
        offers.max_by_key(|(_, position, _)| *position).context("no other node has a checkpoint")?;
    ensure!(files.len() <= MAX_FILES, "node {node} offers a checkpoint of {} files", files.len());
    let bytes: u64 = files.iter().map(|file| file.bytes).sum();
    tracing::info!(%node, sequence = position.sequence, bytes, "receiving a checkpoint");
    let draft = folder.draft()?;
    fs::create_dir_all(&draft)?;
    let (sealed, files): (Vec<_>, Vec<_>) = files.iter().partition(|file| file.name == KEYS);
    let mut text = vec![];
    for file in &sealed {
        ensure!(file.bytes <= PIECE, "node {node} offers keys of {} bytes", file.bytes);
        receive(nats, node, position, file, &mut text).await?;
    }
    keys.install((!sealed.is_empty()).then_some(&text[..]), folder.has_joined())?;
    for file in files {
        let path = draft.join(checked(&file.name).context("a node offers a file outside of its checkpoint")?);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        let mut to = File::create(path)?;
        receive(nats, node, position, file, &mut to).await?;
        to.sync_all()?;
    }
    for name in ["sstables", "wal", "manifest"] {
        // A checkpoint without tables has no such folder.
        fs::create_dir_all(draft.join(name))?;
        File::open(draft.join(name))?.sync_all()?;
    }
    File::open(&draft)?.sync_all()?;
    folder.finish_draft(position)?;
    Ok(position)
}

async fn receive(
    nats: &Nats,
    node: NodeId,
    position: Position,
    file: &CheckpointFile,
    to: &mut impl Write,
) -> anyhow::Result<()> {
    let mut offset = 0;
    while offset < file.bytes {
        let length = (file.bytes - offset).min(PIECE);
        let ask = CheckpointAsk::Read { position, file: file.name.clone(), offset, length };
        let piece = ask_for(nats, node, &ask).await?;
        ensure!(!piece.is_empty() && piece.len() as u64 <= length, "{} of node {node} has another length", file.name);
        to.write_all(&piece)?;
        offset += piece.len() as u64;
    }
    Ok(())
}

async fn ask_for(nats: &Nats, node: NodeId, ask: &CheckpointAsk) -> anyhow::Result<Bytes> {
    let mut attempts = 0;
    loop {
        match nats.ask_node(node, Topic::Checkpoint, ask, PIECE_WITHIN).await {
            Ok(CheckpointAnswer::Piece(piece)) => return Ok(piece),
            Ok(_) => bail!("node {node} has another checkpoint by now"),
            Err(error) if attempts + 1 == ATTEMPTS => return Err(error.into()),
            Err(_) => attempts += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::ConfigSources;

    #[test]
    fn a_checkpoint_is_given_in_pieces_and_nothing_else_is() {
        let data = tempfile::tempdir().unwrap();
        let folder = NodeFolder::new(data.path(), data.path().join("db"));
        folder.prepare().unwrap();
        let keys = |secret: &str| {
            let given = [("NATS", "nats://a"), ("NAME", "a"), ("JOIN_SECRET", secret)];
            let environment = given.map(|(key, value)| (format!("MORPION_CLUSTER__{key}"), value.to_owned())).to_vec();
            let loaded = ConfigSources { environment, ..ConfigSources::default() }.load().unwrap();
            SharedKeys::new(data.path(), &loaded.config.cluster.unwrap())
        };
        let (none, keys) = (keys(""), keys(&"5e".repeat(32)));
        let ask = |ask: &CheckpointAsk| answer(NodeId(1), &folder, &keys, ask);
        assert_eq!(ask(&CheckpointAsk::List), None);
        let (draft, position) = (folder.draft().unwrap(), Position::default());
        fs::create_dir_all(draft.join("sstables")).unwrap();
        fs::write(draft.join("sstables/1"), "abcdef").unwrap();
        folder.finish_draft(position).unwrap();
        folder.keep(position).unwrap();
        fs::write(data.path().join("secret.key"), "the secret").unwrap();
        fs::write(data.path().join("operator.token"), "token").unwrap();
        let read_from = |keys: &SharedKeys, file: &str, offset, length| {
            let ask = CheckpointAsk::Read { position, file: file.to_owned(), offset, length };
            match answer(NodeId(1), &folder, keys, &ask) {
                Some(CheckpointAnswer::Piece(piece)) => Some(piece),
                _ => None,
            }
        };
        let Some(CheckpointAnswer::Listed { files, .. }) = ask(&CheckpointAsk::List) else { panic!("no list") };
        let names: Vec<_> = files.iter().map(|file| file.name.as_str()).collect();
        assert_eq!(names, ["sstables/1", "keys/sealed"]);
        let sealed = read_from(&keys, "keys/sealed", 0, PIECE).unwrap();
        assert_eq!(sealed.len() as u64, files[1].bytes);
        assert!(!sealed.windows(10).any(|part| part == b"the secret"));

        let Some(CheckpointAnswer::Listed { files, .. }) = answer(NodeId(1), &folder, &none, &CheckpointAsk::List)
        else {
            panic!("no list")
        };
        assert_eq!((files.len(), read_from(&none, "keys/sealed", 0, PIECE)), (1, None));
        let read = |file: &str, offset, length| read_from(&keys, file, offset, length);
        assert_eq!(read("sstables/1", 2, 3).unwrap(), "cde");
        assert_eq!(read("sstables/1", 4, u64::MAX).unwrap(), "ef");
        assert_eq!(read("sstables/1", 9, 3).unwrap(), "");
        for hostile in [
            "",
            "/etc/hostname",
            "../../operator.token",
            "keys/operator.token",
            "keys/secret.key",
            "keys/../x",
            "sstables",
        ] {
            assert_eq!(read(hostile, 0, 10), None, "{hostile}");
        }
    }
}
