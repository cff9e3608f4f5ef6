//! The backups of one server at a target. Its folder there has
//!
//! * `key.json`, if there is a passphrase: how its key is derived;
//! * `backups/<id>.json`: the manifests;
//! * `objects/<ab>/<sha-256>`: the files of the backups, each stored once;
//! * `log/<id>/<number>`: what was written after the checkpoint, in parts of some seconds.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    fs::{self, File},
    io::{self, Read},
    path::{Path, PathBuf},
    time::UNIX_EPOCH,
};

use chrono::{DateTime, Datelike, TimeDelta, Utc};
use serde::{Deserialize, Serialize};

use crate::{
    error::{BackupError, Result, local},
    log::LogPart,
    manifest::{BackupId, FORMAT, FileEntry, Manifest, SETTINGS},
    seal::{KeyFile, Seal, hex},
    target::Target,
};

const KEY: &str = "key.json";

/// Manifests are small; a larger file is none.
const MAX_MANIFEST: u64 = 64 << 20;

/// What a new backup is made of.
#[derive(Debug)]
pub struct Source<'a> {
    /// The files, by their path in the data folder.
    pub files: BTreeMap<String, PathBuf>,
    /// The content of [`SETTINGS`](crate::manifest::SETTINGS), which is not written to this disk.
    pub settings: Option<&'a [u8]>,
    /// The folder of the database in the data folder.
    pub database: &'a str,
    pub first_segment: u64,
    pub version: &'a str,
    pub host: &'a str,
    pub id: BackupId,
    /// The backups that this server has made, if that is known. Where the latest one is of another, the name is taken.
    pub own: Option<&'a BTreeSet<BackupId>>,
}

/// How long backups are kept: the newest of each of the last days, weeks and months that have one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Keep {
    pub days: usize,
    pub weeks: usize,
    pub months: usize,
}

/// What a removal of old backups did.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Pruned {
    pub backups: Vec<BackupId>,
    pub objects: usize,
    /// Backups whose manifests cannot be read. Files are not removed while there are some, since these may need them.
    pub unreadable: Vec<BackupId>,
}

/// The backups of one server.
#[derive(Debug, Default)]
pub struct Listing {
    /// In the order of their making.
    pub manifests: Vec<Manifest>,
    pub unreadable: Vec<Unreadable>,
}

/// A backup whose manifest cannot be read: it is damaged, or of a newer version.
#[derive(Debug)]
pub struct Unreadable {
    pub id: BackupId,
    /// As in [`Manifest::number`], if that can be told.
    number: Option<u64>,
    pub cause: BackupError,
}

impl Listing {
    /// A backup that was made after another one, and at the latest at `until`, and cannot be read. Where its number is
    /// not known, its name tells when it was made.
    pub fn unreadable_between(self, after: Option<&Manifest>, until: Option<DateTime<Utc>>) -> Option<Unreadable> {
        let until = until.map(BackupId::prefix);
        self.unreadable.into_iter().find(|unreadable| {
            let is_after = |after: &Manifest| match unreadable.number {
                Some(number) if after.number > 0 => number > after.number,
                _ => unreadable.id > after.id,
            };
            let is_until = |until: &String| unreadable.id.as_str().get(..until.len()) <= Some(until.as_str());
            after.is_none_or(is_after) && until.as_ref().is_none_or(is_until)
        })
    }

    pub fn ids(&self) -> impl Iterator<Item = &BackupId> {
        self.manifests
            .iter()
            .map(|manifest| &manifest.id)
            .chain(self.unreadable.iter().map(|unreadable| &unreadable.id))
    }

    /// Whether another than the server that made these made the latest one, or one that cannot be read.
    fn is_of_another(&self, own: &BTreeSet<BackupId>) -> bool {
        let latest = self.manifests.last().map(|manifest| &manifest.id);
        let unreadable = self.unreadable.iter().map(|unreadable| &unreadable.id);
        latest.into_iter().chain(unreadable).any(|id| !own.contains(id))
    }

    /// The number of the next backup.
    fn next_number(&self) -> u64 {
        let readable = self.manifests.iter().map(|manifest| manifest.number);
        let unreadable = self.unreadable.iter().filter_map(|unreadable| unreadable.number);
        readable.chain(unreadable).max().unwrap_or(0).saturating_add(1)
    }
}

/// The backups of one server.
#[derive(Debug, Clone)]
pub struct Repository {
    target: Target,
    seal: Seal,
}

impl Repository {
    /// The backups of the server with this name at the target. A passphrase is needed if they are encrypted; the first
    /// use decides whether they are.
    ///
    /// # Errors
    /// [`BackupError::PassphraseNeeded`], [`BackupError::WrongPassphrase`], [`BackupError::NotEncrypted`],
    /// [`BackupError::Target`]; [`BackupError::Busy`] at the first use.
    pub fn open(target: &Target, server: &str, passphrase: Option<&str>) -> Result<Self> {
        let target = target.under(server);
        let seal = match (passphrase, target.has(KEY)?) {
            (None, false) => Seal::plain(),
            (None, true) => return Err(BackupError::PassphraseNeeded),
            (Some(passphrase), true) => Seal::open(passphrase, &read_key(&target)?)?,
            (Some(_), false) if !target.list("backups")?.is_empty() => return Err(BackupError::NotEncrypted),
            (Some(passphrase), false) => {
                let _lock = target.lock()?;
                if target.has(KEY)? {
                    Seal::open(passphrase, &read_key(&target)?)?
                } else {
                    let (seal, file) = Seal::create(passphrase);
                    let text = serde_json::to_vec_pretty(&file).expect("a key file is plain data");
                    target.put(KEY, |to| to.write_all(&text).map_err(|cause| target.refuse(cause)))?;
                    seal
                }
            }
        };
        Ok(Self { target, seal })
    }

    /// The names of the servers that have backups at a target, and those of each, or why they cannot be listed. No
    /// passphrase is needed; nothing is checked. What others keep there is left out, such as `lost+found`.
    ///
    /// # Errors
    /// [`BackupError::Target`].
    pub fn all(target: &Target) -> Result<Vec<(String, Result<Listing>)>> {
        let servers = target.list("")?.into_iter().filter(|name| is_server_name(name));
        let listed = servers.map(|server| {
            let listing = listing(&target.under(&server));
            (server, listing)
        });
        let is_empty = |listing: &Listing| listing.manifests.is_empty() && listing.unreadable.is_empty();
        Ok(listed.filter(|(_, listing)| !listing.as_ref().is_ok_and(is_empty)).collect())
    }

    /// The backups of the server with this name at a target. No passphrase is needed; nothing is checked.
    ///
    /// # Errors
    /// [`BackupError::Target`].
    pub fn list_of(target: &Target, server: &str) -> Result<Listing> {
        listing(&target.under(server))
    }

    pub fn place(&self) -> String {
        self.target.place()
    }

    /// All backups.
    ///
    /// # Errors
    /// [`BackupError::Target`].
    pub fn list(&self) -> Result<Listing> {
        listing(&self.target)
    }

    /// The manifest of a backup, checked.
    ///
    /// # Errors
    /// [`BackupError::Unknown`], [`BackupError::Damaged`], [`BackupError::Newer`].
    pub fn get(&self, id: &BackupId) -> Result<Manifest> {
        let name = manifest_name(id);
        let text = match read_text(&self.target, &name) {
            Err(BackupError::Missing { .. }) => {
                return Err(BackupError::Unknown { id: id.to_string(), place: self.place() });
            }
            text => text?,
        };
        let manifest = parse_manifest(&name, &text)?;
        manifest.check_signature(&name, &self.seal)?;
        Ok(manifest)
    }

    /// Whether what is stored is encrypted.
    pub fn encrypts(&self) -> bool {
        self.seal.encrypts()
    }

    /// Stores a backup; files that an earlier one has are not stored again. Others may see it once `may_stand` has said yes,
    /// which is asked when everything but the manifest is stored; it exists once this returns.
    ///
    /// # Errors
    /// [`BackupError::NameTaken`], [`BackupError::Busy`], [`BackupError::Target`], [`BackupError::Local`];
    /// [`BackupError::Withdrawn`] if it may not stand.
    pub fn create(&self, source: &Source<'_>, at: DateTime<Utc>, may_stand: impl FnOnce() -> bool) -> Result<Manifest> {
        let lock = self.target.lock()?;
        let earlier = self.list()?;
        if source.own.is_some_and(|own| earlier.is_of_another(own)) {
            return Err(BackupError::NameTaken);
        }
        let known: HashMap<_, _> = earlier
            .manifests
            .iter()
            .flat_map(|manifest| &manifest.files)
            .map(|file| ((file.path.as_str(), file.bytes, file.modified), file.sha256.as_str()))
            .collect();
        let (mut files, mut stored_bytes) = (vec![], 0);
        for (path, local_path) in &source.files {
            let about = || local(format!("the file {}", local_path.display()));
            let metadata = fs::metadata(local_path).map_err(about())?;
            let modified = metadata.modified().map_err(about())?.duration_since(UNIX_EPOCH).unwrap_or_default();
            let modified = u64::try_from(modified.as_nanos()).unwrap_or(0);
            let sha256 = match known.get(&(path.as_str(), metadata.len(), modified)) {
                Some(sha256) if self.target.has(&object_name(sha256))? => (*sha256).to_owned(),
                _ => {
                    let (sha256, stored) = self.store(local_path)?;
                    stored_bytes += stored;
                    sha256
                }
            };
            files.push(FileEntry { path: path.clone(), bytes: metadata.len(), sha256, modified });
        }
        if let Some(mut settings) = source.settings {
            let bytes = settings.len() as u64;
            let sha256 = hash_of(&mut &*settings).map_err(local("the settings"))?;
            stored_bytes += self.store_as(&sha256, &mut settings, local("the settings"))?;
            files.push(FileEntry { path: SETTINGS.to_owned(), bytes, sha256, modified: 0 });
        }
        let manifest = Manifest {
            format: FORMAT,
            number: earlier.next_number(),
            id: source.id.clone(),
            at,
            version: source.version.to_owned(),
            host: source.host.to_owned(),
            database: source.database.to_owned(),
            files,
            first_segment: source.first_segment,
            stored_bytes,
            signature: String::new(),
        }
        .signed(&self.seal);
        let text = serde_json::to_vec_pretty(&manifest).expect("a manifest is plain data");
        let write = |to: &mut dyn io::Write| to.write_all(&text).map_err(|cause| self.target.refuse(cause));
        // Somebody else may have removed what this backup needs.
        lock.check()?;
        if !may_stand() {
            return Err(BackupError::Withdrawn);
        }
        match self.target.put(&manifest_name(&manifest.id), write) {
            // It may be there all the same: the answer of a bucket was lost.
            Err(error) if !self.get(&manifest.id).is_ok_and(|found| found == manifest) => Err(error),
            _ => Ok(manifest),
        }
    }

    /// Stores a file by its content; returns its SHA-256 and how many bytes were new.
    fn store(&self, path: &Path) -> Result<(String, u64)> {
        let about = || local(format!("the file {}", path.display()));
        let sha256 = hash_of(&mut File::open(path).map_err(about())?).map_err(about())?;
        let stored = self.store_as(&sha256, &mut File::open(path).map_err(about())?, about())?;
        Ok((sha256, stored))
    }

    /// Stores what has this SHA-256; returns how many bytes were new.
    fn store_as(&self, sha256: &str, from: &mut dyn Read, about: impl FnOnce(io::Error) -> BackupError) -> Result<u64> {
        let name = object_name(sha256);
        if self.target.has(&name)? {
            return Ok(0);
        }
        let (bytes, written) =
            self.target.put(&name, |to| self.seal.write(&name, from, to).map_err(|cause| self.target.refuse(cause)))?;
        if written != sha256 {
            self.target.remove(&name)?;
            return Err(about(io::Error::other("it changed while it was copied")));
        }
        Ok(bytes)
    }

    /// Reads a stored file into `to`, and checks it.
    ///
    /// # Errors
    /// [`BackupError::Missing`], [`BackupError::Damaged`], and what `refuse` makes of a failed write.
    pub fn read(
        &self,
        file: &FileEntry,
        to: &mut dyn io::Write,
        refuse: impl Fn(io::Error) -> BackupError,
    ) -> Result<()> {
        let name = object_name(&file.sha256);
        let (bytes, sha256) = self.seal.read(&name, &mut self.target.open(&name)?, to, refuse)?;
        if (bytes, &sha256) != (file.bytes, &file.sha256) {
            return Err(BackupError::Damaged { name, reason: "its checksum is wrong" });
        }
        Ok(())
    }

    /// Adds a part to the log of a backup.
    ///
    /// # Errors
    /// [`BackupError::Target`].
    pub fn append(&self, id: &BackupId, number: u64, part: &LogPart) -> Result<()> {
        let name = part_name(id, number);
        let text = part.encode();
        self.target.put(&name, |to| {
            self.seal.write(&name, &mut &text[..], to).map(drop).map_err(|cause| self.target.refuse(cause))
        })
    }

    /// The number of parts in the log of a backup.
    ///
    /// # Errors
    /// [`BackupError::Target`].
    pub fn parts(&self, id: &BackupId) -> Result<u64> {
        Ok(self.target.list(&format!("log/{id}"))?.len() as u64)
    }

    /// A part of a log, checked.
    ///
    /// # Errors
    /// [`BackupError::Missing`], [`BackupError::Damaged`].
    pub fn part(&self, id: &BackupId, number: u64) -> Result<LogPart> {
        let name = part_name(id, number);
        let mut text = vec![];
        self.seal.read(&name, &mut self.target.open(&name)?, &mut text, |cause| self.target.refuse(cause))?;
        LogPart::decode(&text).ok_or(BackupError::Damaged { name, reason: "it is no part of a log" })
    }

    /// Removes the backups that need not be kept any longer, and what only they had. The newest is always kept.
    ///
    /// # Errors
    /// [`BackupError::Busy`], [`BackupError::Target`].
    pub fn prune(&self, keep: Keep, now: DateTime<Utc>) -> Result<Pruned> {
        let lock = self.target.lock()?;
        let Listing { manifests, unreadable } = self.list()?;
        let kept = kept(&manifests, keep, now);
        let unreadable = unreadable.into_iter().map(|unreadable| unreadable.id).collect();
        let mut pruned = Pruned { unreadable, ..Pruned::default() };
        for manifest in manifests.iter().filter(|manifest| !kept.contains(&manifest.id)) {
            lock.check()?;
            // Without its manifest it does not exist; the rest is only space.
            self.target.remove(&manifest_name(&manifest.id))?;
            self.target.remove(&format!("log/{}", manifest.id))?;
            pruned.backups.push(manifest.id.clone());
        }
        if !pruned.unreadable.is_empty() {
            return Ok(pruned);
        }
        let needed: BTreeSet<_> = manifests
            .iter()
            .filter(|manifest| kept.contains(&manifest.id))
            .flat_map(|manifest| manifest.files.iter().map(|file| file.sha256.as_str()))
            .collect();
        for folder in self.target.list("objects")? {
            for object in self.target.list(&format!("objects/{folder}"))? {
                if !needed.contains(object.as_str()) {
                    lock.check()?;
                    self.target.remove(&format!("objects/{folder}/{object}"))?;
                    pruned.objects += 1;
                }
            }
        }
        Ok(pruned)
    }
}

/// Those of the last day, and the newest of each of the last days, weeks and months.
fn kept(manifests: &[Manifest], keep: Keep, now: DateTime<Utc>) -> BTreeSet<BackupId> {
    let mut kept = BTreeSet::new();
    let newest_first = || manifests.iter().rev();
    kept.extend(newest_first().take(1).map(|manifest| manifest.id.clone()));
    // Both ways: the clock may have been wrong.
    let today = |manifest: &&Manifest| (now - manifest.at).abs() < TimeDelta::days(1);
    kept.extend(newest_first().filter(today).map(|manifest| manifest.id.clone()));
    let mut keep_newest = |number: usize, period: fn(DateTime<Utc>) -> (i32, u32)| {
        let mut periods = BTreeSet::new();
        for manifest in newest_first() {
            let period = period(manifest.at);
            if periods.len() < number && periods.insert(period) {
                kept.insert(manifest.id.clone());
            }
        }
    };
    keep_newest(keep.days, |at| (at.year(), at.ordinal()));
    keep_newest(keep.weeks, |at| (at.iso_week().year(), at.iso_week().week()));
    keep_newest(keep.months, |at| (at.year(), at.month()));
    kept
}

fn listing(target: &Target) -> Result<Listing> {
    let mut listing = Listing::default();
    for id in target.list("backups")?.iter().filter_map(|name| BackupId::parse(name.strip_suffix(".json")?)) {
        let name = manifest_name(&id);
        let (parsed, number) = match read_text(target, &name) {
            Ok(text) => (parse_manifest(&name, &text), Manifest::number_in(&text)),
            Err(error) => (Err(error), None),
        };
        match parsed {
            Ok(manifest) => listing.manifests.push(manifest),
            // Removed meanwhile.
            Err(BackupError::Missing { .. }) => {}
            Err(cause) => listing.unreadable.push(Unreadable { id, number, cause }),
        }
    }
    // By number, whatever the clock said. Earlier formats have none, and ids of the same second are in no order.
    listing.manifests.sort_by(|a, b| (a.number, a.at, &a.id).cmp(&(b.number, b.at, &b.id)));
    Ok(listing)
}

/// Whether it can be the name of a server at a target: letters, digits and hyphens.
pub fn is_server_name(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

fn parse_manifest(name: &str, text: &[u8]) -> Result<Manifest> {
    let manifest = Manifest::parse(name, text)?;
    if manifest_name(&manifest.id) != name {
        return Err(BackupError::Damaged { name: name.to_owned(), reason: "it is the manifest of another backup" });
    }
    Ok(manifest)
}

fn read_text(target: &Target, name: &str) -> Result<Vec<u8>> {
    let mut text = vec![];
    target.open(name)?.take(MAX_MANIFEST).read_to_end(&mut text).map_err(|cause| target.refuse(cause))?;
    Ok(text)
}

fn read_key(target: &Target) -> Result<KeyFile> {
    serde_json::from_slice(&read_text(target, KEY)?)
        .map_err(|_| BackupError::Damaged { name: KEY.to_owned(), reason: "it is no key file" })
}

fn manifest_name(id: &BackupId) -> String {
    format!("backups/{id}.json")
}

fn object_name(sha256: &str) -> String {
    format!("objects/{}/{sha256}", &sha256[..2])
}

fn part_name(id: &BackupId, number: u64) -> String {
    format!("log/{id}/{number:010}")
}

fn hash_of(file: &mut dyn Read) -> io::Result<String> {
    use sha2::{Digest, Sha256};
    let mut hash = Sha256::new();
    io::copy(file, &mut hash)?;
    Ok(hex(&hash.finalize()))
}

impl Keep {
    /// Reads `7d, 4w, 6m`, in any order; what is left out is 0.
    pub fn parse(text: &str) -> Option<Self> {
        let mut keep = Self { days: 0, weeks: 0, months: 0 };
        for part in text.split(',').map(str::trim) {
            let (number, unit) = part.split_at_checked(part.len().checked_sub(1)?)?;
            let number = number.trim().parse().ok()?;
            match unit {
                "d" => keep.days = number,
                "w" => keep.weeks = number,
                "m" => keep.months = number,
                _ => return None,
            }
        }
        Some(keep)
    }
}

impl<'de> Deserialize<'de> for Keep {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).ok_or_else(|| {
            serde::de::Error::custom(format!("'{text}' is no rule of keeping; write such as \"7d, 4w, 6m\""))
        })
    }
}

#[cfg(test)]
mod tests;
