//! What a node keeps in `<data_dir>/cluster`: to which cluster its data belong, whether it led, and checkpoints.
//!
//! ```text
//! lineage               the cluster's id, and whether this node is about to found it
//! joined                there once this node was a member
//! led                   there while this node leads: its store may have what the stream has not
//! hold-off              until when this node leaves the lead to others
//! kept                  the name of the checkpoint to go back to
//! checkpoints/12-3      a copy of the store as of entry 12 in epoch 3
//! ```

use std::{
    fs::{self, File},
    io,
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, Instant},
};

use anyhow::{Context, bail};
use morpion_cluster::{Epoch, Millis, Position};
use parking_lot::Mutex;
use uuid::Uuid;

use crate::private_file;

/// A checkpoint that another node reads stays so long after it last did.
const SERVED_FOR: Duration = Duration::from_secs(30);

/// The folder `<data_dir>/cluster`.
#[derive(Debug, Clone)]
pub struct NodeFolder {
    folder: PathBuf,
    database: PathBuf,
    /// The checkpoint that another node reads, and when it last did.
    served: Arc<Mutex<Option<(Position, Instant)>>>,
}

/// To which cluster the data belong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lineage {
    pub id: Uuid,
    /// The cluster gets this node's data, and that is not finished.
    pub is_founding: bool,
}

impl NodeFolder {
    pub fn new(data_dir: &Path, database: PathBuf) -> Self {
        Self { folder: data_dir.join("cluster"), database, served: Arc::default() }
    }

    pub fn path(&self) -> &Path {
        &self.folder
    }

    /// Makes the folder, ends an installation that was interrupted, and removes checkpoints that are not kept.
    ///
    /// # Errors
    /// The disk refuses.
    pub fn prepare(&self) -> anyhow::Result<()> {
        let cannot = || format!("the folder {} cannot be made ready", self.folder.display());
        fs::create_dir_all(self.checkpoints()).with_context(cannot)?;
        if !self.database.exists() && self.replaced().exists() {
            fs::rename(self.replaced(), &self.database).with_context(cannot)?;
        }
        remove_folder(&self.replaced()).with_context(cannot)?;
        remove_folder(&self.installing()).with_context(cannot)?;
        let kept = self.kept().with_context(cannot)?;
        self.remove_all_but(kept).with_context(cannot)
    }

    /// Whether there is a database.
    pub fn has_data(&self) -> bool {
        fs::read_dir(&self.database).is_ok_and(|mut files| files.next().is_some())
    }

    /// # Errors
    /// The file cannot be read, or has something else.
    pub fn lineage(&self) -> anyhow::Result<Option<Lineage>> {
        let path = self.folder.join("lineage");
        let Some(text) = private_file::read(&path).with_context(|| format!("{} cannot be read", path.display()))?
        else {
            return Ok(None);
        };
        let (id, role) = text.split_once(' ').unwrap_or((&text, ""));
        match (id.parse(), role) {
            (Ok(id), "founding" | "member") => Ok(Some(Lineage { id, is_founding: role == "founding" })),
            _ => bail!("{} has something else than the id of a cluster", path.display()),
        }
    }

    /// # Errors
    /// The disk refuses.
    pub fn set_lineage(&self, lineage: Lineage) -> anyhow::Result<()> {
        let role = if lineage.is_founding { "founding" } else { "member" };
        let path = self.folder.join("lineage");
        private_file::write(&path, &format!("{} {role}", lineage.id))
            .and_then(|()| sync(&self.folder))
            .with_context(|| format!("{} cannot be written", path.display()))
    }

    /// Whether this node led when it stopped, and was not able to finish.
    pub fn led(&self) -> bool {
        self.folder.join("led").exists()
    }

    /// # Errors
    /// The disk refuses.
    pub fn set_led(&self, led: bool) -> io::Result<()> {
        let path = self.folder.join("led");
        if led {
            private_file::write(&path, "")?;
        } else if path.exists() {
            fs::remove_file(path)?;
        }
        sync(&self.folder)
    }

    /// Whether this node was a member of the cluster.
    pub fn has_joined(&self) -> bool {
        self.folder.join("joined").exists()
    }

    /// # Errors
    /// The disk refuses.
    pub fn set_joined(&self) -> io::Result<()> {
        private_file::write(&self.folder.join("joined"), "").and_then(|()| sync(&self.folder))
    }

    /// The checkpoint to go back to.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn kept(&self) -> io::Result<Option<Position>> {
        let name = private_file::read(&self.folder.join("kept"))?;
        let position = name.and_then(|name| position_of(&name));
        Ok(position.filter(|position| self.checkpoint(*position).is_dir()))
    }

    /// From now on this checkpoint is the one to go back to; all others are removed.
    ///
    /// # Errors
    /// The disk refuses.
    pub fn keep(&self, position: Position) -> io::Result<()> {
        private_file::write(&self.folder.join("kept"), &name_of(position))?;
        sync(&self.folder)?;
        self.remove_all_but(Some(position))
    }

    fn remove_all_but(&self, kept: Option<Position>) -> io::Result<()> {
        let served = self.served.lock().filter(|(_, at)| at.elapsed() < SERVED_FOR).map(|(position, _)| position);
        let stays: Vec<String> = kept.into_iter().chain(served).map(name_of).collect();
        for entry in fs::read_dir(self.checkpoints())? {
            let entry = entry?;
            if !stays.iter().any(|name| **name == *entry.file_name()) {
                remove_folder(&entry.path())?;
            }
        }
        Ok(())
    }

    /// Another node reads this checkpoint, which stays for a while.
    pub fn serves(&self, position: Position) {
        *self.served.lock() = Some((position, Instant::now()));
    }

    /// Where a checkpoint is or will be.
    pub fn checkpoint(&self, position: Position) -> PathBuf {
        self.checkpoints().join(name_of(position))
    }

    /// Where a checkpoint is made, before it gets its name.
    ///
    /// # Errors
    /// What an earlier attempt left cannot be removed.
    pub fn draft(&self) -> io::Result<PathBuf> {
        let draft = self.checkpoints().join("draft");
        remove_folder(&draft)?;
        Ok(draft)
    }

    /// Gives the checkpoint in [`NodeFolder::draft`] its name.
    ///
    /// # Errors
    /// The disk refuses.
    pub fn finish_draft(&self, position: Position) -> io::Result<()> {
        let target = self.checkpoint(position);
        remove_folder(&target)?;
        fs::rename(self.checkpoints().join("draft"), target)?;
        sync(&self.checkpoints())
    }

    /// Replaces the database, which is closed, by a checkpoint. A crash leaves the one or the other.
    ///
    /// # Errors
    /// The disk refuses, or there is no such checkpoint.
    pub fn install(&self, position: Position) -> io::Result<()> {
        let (installing, replaced) = (self.installing(), self.replaced());
        remove_folder(&installing)?;
        morpion_engine::copy_with_links(&self.checkpoint(position), &installing)?;
        remove_folder(&replaced)?;
        if self.database.exists() {
            fs::rename(&self.database, &replaced)?;
        }
        fs::rename(&installing, &self.database)?;
        if let Some(parent) = self.database.parent() {
            sync(parent)?;
        }
        remove_folder(&replaced)
    }

    /// Makes a copy of the database, which is closed, as of this position, with links to its tables. One that is there
    /// already stays.
    ///
    /// # Errors
    /// The disk refuses.
    pub fn copy_aside(&self, position: Position) -> io::Result<PathBuf> {
        let aside = self.database.with_extension(format!("aside-{}", name_of(position)));
        let draft = self.database.with_extension("aside-draft");
        if !aside.exists() {
            remove_folder(&draft)?;
            morpion_engine::copy_with_links(&self.database, &draft)?;
            fs::rename(&draft, &aside)?;
        }
        Ok(aside)
    }

    /// Until when this node leaves the lead to others, in milliseconds of the machine's time since it was started.
    pub fn hold_off(&self) -> Option<Millis> {
        private_file::read(&self.folder.join("hold-off")).ok().flatten()?.parse().ok()
    }

    /// # Errors
    /// The disk refuses.
    pub fn set_hold_off(&self, until: Millis) -> io::Result<()> {
        private_file::write(&self.folder.join("hold-off"), &until.to_string())
    }

    fn checkpoints(&self) -> PathBuf {
        self.folder.join("checkpoints")
    }

    fn installing(&self) -> PathBuf {
        self.database.with_extension("installing")
    }

    fn replaced(&self) -> PathBuf {
        self.database.with_extension("replaced")
    }
}

fn name_of(position: Position) -> String {
    format!("{}-{}", position.sequence, position.epoch.0)
}

fn position_of(name: &str) -> Option<Position> {
    let (sequence, epoch) = name.split_once('-')?;
    Some(Position { sequence: sequence.parse().ok()?, epoch: Epoch(epoch.parse().ok()?) })
}

fn remove_folder(path: &Path) -> io::Result<()> {
    match fs::remove_dir_all(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        removed => removed,
    }
}

fn sync(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    const AT: Position = Position { sequence: 12, epoch: Epoch(3) };

    fn folder() -> (tempfile::TempDir, NodeFolder) {
        let data = tempfile::tempdir().unwrap();
        let folder = NodeFolder::new(data.path(), data.path().join("db"));
        folder.prepare().unwrap();
        (data, folder)
    }

    fn make_checkpoint(folder: &NodeFolder, position: Position, text: &str) {
        let draft = folder.draft().unwrap();
        fs::create_dir_all(draft.join("sstables")).unwrap();
        fs::write(draft.join("sstables/1"), text).unwrap();
        folder.finish_draft(position).unwrap();
    }

    #[test]
    fn a_node_remembers_its_cluster_and_that_it_led() {
        let (_data, folder) = folder();
        assert_eq!((folder.lineage().unwrap(), folder.led()), (None, false));
        let lineage = Lineage { id: Uuid::from_u128(7), is_founding: true };
        folder.set_lineage(lineage).unwrap();
        folder.set_led(true).unwrap();
        assert_eq!((folder.lineage().unwrap(), folder.led()), (Some(lineage), true));
        folder.set_led(false).unwrap();
        folder.set_led(false).unwrap();
        assert!(!folder.led());
        fs::write(folder.folder.join("lineage"), "seven member").unwrap();
        assert!(folder.lineage().unwrap_err().to_string().contains("something else"));
    }

    #[test]
    fn a_database_is_replaced_by_the_checkpoint_that_is_kept() {
        let (data, folder) = folder();
        assert!(!folder.has_data());
        make_checkpoint(&folder, Position::default(), "older");
        make_checkpoint(&folder, AT, "newer");
        folder.keep(AT).unwrap();
        assert_eq!(folder.kept().unwrap(), Some(AT));
        assert!(!folder.checkpoint(Position::default()).exists());
        fs::create_dir(data.path().join("db")).unwrap();
        fs::write(data.path().join("db/1"), "changed").unwrap();
        folder.install(AT).unwrap();
        folder.install(AT).unwrap();
        assert!(folder.has_data() && !data.path().join("db/1").exists());
        assert_eq!(fs::read_to_string(data.path().join("db/sstables/1")).unwrap(), "newer");
        assert!(folder.install(Position::default()).is_err());
        assert!(folder.has_data());
    }

    #[test]
    fn an_interrupted_installation_leaves_a_database() {
        let (data, folder) = folder();
        fs::create_dir_all(data.path().join("db.replaced")).unwrap();
        fs::create_dir_all(data.path().join("db.installing")).unwrap();
        fs::create_dir_all(data.path().join("cluster/checkpoints/draft")).unwrap();
        folder.prepare().unwrap();
        assert!(data.path().join("db").exists());
        assert!(!data.path().join("db.installing").exists());
        assert_eq!(fs::read_dir(data.path().join("cluster/checkpoints")).unwrap().count(), 0);
        assert_eq!(folder.kept().unwrap(), None);
    }
}
