//! The file of `morpion export` and `morpion import`: `docs/hosting/export.md`.
//!
//! Lines of JSON: a header, the settings, the keys of the data folder, the records, and an end with what was written and the SHA-256 of
//! all lines before it. Neither direction needs memory for more than some records.

use std::{
    collections::BTreeMap,
    fs::{self, DirBuilder},
    io::{BufRead, Read, Write},
    os::unix::fs::{DirBuilderExt, OpenOptionsExt},
    path::Path,
};

use anyhow::{Context, bail, ensure};
use base64::{Engine, engine::general_purpose::STANDARD};
use chrono::{DateTime, Utc};
use morpion_backup::{manifest::MAX_SETTINGS, restore::move_up};
use morpion_shell::command_error::{CommandError, FailureKind};
use morpion_store::{DataKey, DumpReader, DumpRecord, DumpWriter, StoreError};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::{
    backup::{self, DATABASE, MAX_KEY},
    config::{RestoredConfig, StoredSettings},
};

/// Changes with the form of the lines; new tables and fields do not change it. 1 has no settings.
const FORMAT: u32 = 2;

/// Bytes of a line. A record has at most a picture or a chunk of the log, which is far less.
const MAX_LINE: usize = 16 << 20;

/// Records that are stored together, and about how many bytes of them.
const BATCH: (usize, usize) = (64, 4 << 20);

/// Where an import is made, in the folder that it is for.
pub const UNFINISHED: &str = "import.partial";

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    /// Tells the file from other lines of JSON.
    morpion_export: u32,
    version: String,
    /// The migrations of its schema.
    migrations: Vec<u32>,
    at: DateTime<Utc>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct KeyFile {
    file: String,
    /// Base64.
    bytes: String,
}

/// The settings of the server, without secrets.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Configuration<T> {
    configuration: T,
}

/// What a file has, which its last line says.
#[derive(Debug, Default, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Contents {
    /// Records of each table that has some.
    pub tables: BTreeMap<String, u64>,
    pub files: u64,
}

impl Contents {
    pub fn records(&self) -> u64 {
        self.tables.values().sum()
    }
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct End {
    end: Contents,
    sha256: String,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Line {
    Record(DumpRecord),
    KeyFile(KeyFile),
    Configuration(Configuration<serde_json::Value>),
    End(End),
}

/// Writes lines and their hash.
struct Lines<W> {
    out: W,
    hash: Sha256,
}

impl<W: Write> Lines<W> {
    fn write(&mut self, line: &impl Serialize) -> anyhow::Result<()> {
        let mut text = serde_json::to_vec(line)?;
        text.push(b'\n');
        ensure!(text.len() <= MAX_LINE, "a record has {} bytes, which no import reads", text.len());
        self.hash.update(&text);
        Ok(self.out.write_all(&text).map_err(unwritten)?)
    }
}

/// Writes settings without secrets, the keys in `root` and all records of a database that no server has open, unencrypted. `progress` is told the number of
/// records now and then.
///
/// # Errors
/// As [`DumpReader::open`]; or it cannot be written.
pub async fn export(
    root: &Path,
    database: &Path,
    key: Option<DataKey>,
    settings: Option<StoredSettings>,
    now: DateTime<Utc>,
    out: impl Write,
    mut progress: impl FnMut(u64),
) -> anyhow::Result<Contents> {
    let mut reader = DumpReader::open(database, key).await?;
    let header = Header {
        morpion_export: FORMAT,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        migrations: reader.migrations().to_vec(),
        at: now,
    };
    let written = write_all(root, &header, settings, &mut reader, out, &mut progress).await;
    let closed = reader.close().await;
    let contents = written?;
    closed?;
    Ok(contents)
}

async fn write_all(
    root: &Path,
    header: &Header,
    settings: Option<StoredSettings>,
    reader: &mut DumpReader,
    out: impl Write,
    progress: &mut impl FnMut(u64),
) -> anyhow::Result<Contents> {
    let mut lines = Lines { out, hash: Sha256::new() };
    lines.write(header)?;
    if let Some(settings) = settings {
        lines.write(&Configuration { configuration: settings.without_secrets() })?;
    }
    let mut contents = Contents::default();
    for (file, path) in backup::keys(root)? {
        let bytes = fs::read(&path).with_context(|| format!("{} cannot be read", path.display()))?;
        lines.write(&KeyFile { file, bytes: STANDARD.encode(bytes) })?;
        contents.files += 1;
    }
    loop {
        let records = reader.next().await?;
        if records.is_empty() {
            break;
        }
        for record in records {
            lines.write(&record)?;
            *contents.tables.entry(record.table).or_default() += 1;
        }
        progress(contents.records());
    }
    let sha256 = hex(lines.hash.clone());
    lines.write(&End { end: contents.clone(), sha256 })?;
    lines.out.flush().map_err(unwritten)?;
    Ok(contents)
}

fn unwritten(error: std::io::Error) -> CommandError {
    CommandError::new(FailureKind::Unwritten, format!("the export cannot be written: {error}"))
}

fn hex(hash: Sha256) -> String {
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Makes a data folder of a file, with an encrypted database if there is a key. Whatever fails, the folder is as it was before.
///
/// # Errors
/// The folder has something in it; the file is damaged, incomplete or of a newer version, told with the number of the
/// line; or the folder cannot be written.
pub async fn import(
    file: impl BufRead,
    into: &Path,
    key: Option<DataKey>,
    progress: impl FnMut(u64),
) -> anyhow::Result<(Contents, RestoredConfig)> {
    let unfinished = into.join(UNFINISHED);
    if unfinished.exists() {
        bail!("{} is of an import that was interrupted; remove it, and import again", unfinished.display());
    }
    let cannot = || format!("{} cannot be written", into.display());
    if into.exists() && fs::read_dir(into).with_context(cannot)?.next().is_some() {
        bail!("{} is not empty; nothing is imported over data, so name a new or empty folder", into.display());
    }
    let is_new = |folder: &&Path| *folder != Path::new("") && !folder.exists();
    let new: Vec<_> = into.ancestors().take_while(is_new).collect();
    let imported = match make_folder(&unfinished).with_context(cannot) {
        Ok(()) => read_all(file, &unfinished, key, progress).await,
        Err(error) => Err(error),
    };
    let imported = imported.and_then(|(contents, settings)| {
        let settings = RestoredConfig::write(settings, &unfinished, into, "from an export").with_context(cannot)?;
        move_up(&unfinished, into, DATABASE).with_context(cannot)?;
        Ok((contents, settings))
    });
    if imported.is_err() {
        fs::remove_dir_all(&unfinished).ok();
        for folder in new {
            fs::remove_dir(folder).ok();
        }
    }
    imported
}

/// The settings in a file, if it has some that can be read.
type Settings = Result<Option<StoredSettings>, String>;

fn make_folder(folder: &Path) -> std::io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

async fn read_all(
    file: impl BufRead,
    folder: &Path,
    key: Option<DataKey>,
    progress: impl FnMut(u64),
) -> anyhow::Result<(Contents, Settings)> {
    let mut input = Input { file, hash: Sha256::new(), number: 0, line: Vec::new() };
    let header = input.header()?;
    let writer = DumpWriter::create(&folder.join(DATABASE), &header.migrations, key).await?;
    match fill(input, folder, &writer, progress).await {
        Ok(contents) => {
            writer.finish().await?;
            Ok(contents)
        }
        Err(error) => {
            writer.abandon().await;
            Err(error)
        }
    }
}

/// The lines of a file, numbered from 1.
struct Input<R> {
    file: R,
    /// Of the lines before this one.
    hash: Sha256,
    number: u64,
    line: Vec<u8>,
}

impl<R: BufRead> Input<R> {
    /// The next line; the file must not end here.
    fn read_line(&mut self) -> anyhow::Result<&[u8]> {
        self.hash.update(&self.line);
        self.number += 1;
        self.line.clear();
        let number = self.number;
        let read = self.file.by_ref().take(MAX_LINE as u64).read_until(b'\n', &mut self.line);
        read.with_context(|| format!("line {number} cannot be read"))?;
        match self.line.last() {
            Some(b'\n') => Ok(&self.line),
            _ if self.line.len() == MAX_LINE => {
                bail!("line {number} is too long; this is not a file of `morpion export`")
            }
            _ => bail!("the file ends in line {number}, before its end; export it again"),
        }
    }

    fn header(&mut self) -> anyhow::Result<Header> {
        let line = self.read_line()?;
        let format = serde_json::from_slice::<serde_json::Value>(line).ok();
        match format.as_ref().and_then(|line| line.get("morpion_export")?.as_u64()) {
            Some(format) if (1..=u64::from(FORMAT)).contains(&format) => {}
            Some(format) if format > u64::from(FORMAT) => {
                bail!(
                    "the file has format {format}, and this morpion reads {FORMAT}; install the version that wrote it"
                )
            }
            _ => bail!("this is not a file of `morpion export`"),
        }
        serde_json::from_slice(line).context("line 1 is damaged")
    }
}

async fn fill(
    mut input: Input<impl BufRead>,
    folder: &Path,
    writer: &DumpWriter,
    mut progress: impl FnMut(u64),
) -> anyhow::Result<(Contents, Settings)> {
    let mut contents = Contents::default();
    let mut settings = Ok(None);
    let mut batch = Batch::default();
    loop {
        let length = input.read_line()?.len();
        let number = input.number;
        let line = serde_json::from_slice(&input.line)
            .with_context(|| format!("line {number} is damaged; this is not what `morpion export` wrote"))?;
        match line {
            Line::Record(record) => {
                if batch.is_full(&record.table) {
                    batch.store(writer).await?;
                    progress(contents.records());
                }
                *contents.tables.entry(record.table.clone()).or_default() += 1;
                batch.add(record, length, number);
            }
            Line::KeyFile(key) => {
                write_key(folder, &key).with_context(|| format!("line {number}"))?;
                contents.files += 1;
            }
            Line::Configuration(Configuration { configuration }) => {
                settings = read_settings(configuration, length).map(Some);
            }
            Line::End(End { end, sha256 }) => {
                batch.store(writer).await?;
                ensure!(
                    end == contents && sha256 == hex(input.hash.clone()),
                    "the file was changed or is damaged: its lines are not those that its end tells of"
                );
                let mut rest = [0];
                ensure!(input.file.read(&mut rest)? == 0, "something follows the end of the file in line {number}");
                return Ok((contents, settings));
            }
        }
    }
}

fn read_settings(line: serde_json::Value, bytes: usize) -> Result<StoredSettings, String> {
    if bytes as u64 > MAX_SETTINGS {
        return Err(format!("they are larger than {MAX_SETTINGS} bytes"));
    }
    let settings: StoredSettings = serde_json::from_value(line).map_err(|_| "a part of them is missing".to_owned())?;
    settings.of_this_format()
}

/// Records of one table that are not stored yet.
#[derive(Default)]
struct Batch {
    records: Vec<DumpRecord>,
    bytes: usize,
    /// Of the first one.
    line: u64,
}

impl Batch {
    /// Whether a record of this table has to wait for these.
    fn is_full(&self, table: &str) -> bool {
        let (records, bytes) = BATCH;
        self.records.len() >= records || self.bytes >= bytes || self.records.first().is_some_and(|it| it.table != table)
    }

    fn add(&mut self, record: DumpRecord, bytes: usize, line: u64) {
        if self.records.is_empty() {
            (self.line, self.bytes) = (line, 0);
        }
        self.records.push(record);
        self.bytes += bytes;
    }

    async fn store(&mut self, writer: &DumpWriter) -> anyhow::Result<()> {
        let records = std::mem::take(&mut self.records);
        let Some(first) = records.first() else { return Ok(()) };
        let (table, from, to) = (first.table.clone(), self.line, self.line + records.len() as u64 - 1);
        match writer.insert(&table, records).await {
            Ok(()) => Ok(()),
            Err(StoreError::Taken(_)) => bail!("lines {from} to {to}: one of these records was there already"),
            Err(StoreError::Corrupt(what)) => bail!("lines {from} to {to}: {what}"),
            Err(error) => Err(error).with_context(|| format!("lines {from} to {to}")),
        }
    }
}

fn write_key(folder: &Path, KeyFile { file, bytes }: &KeyFile) -> anyhow::Result<()> {
    ensure!(backup::is_key(file), "{file:?} is not the name of a key");
    let bytes = STANDARD.decode(bytes).context("the file is damaged")?;
    ensure!(bytes.len() as u64 <= MAX_KEY, "{file} is too large for a key");
    let path = folder.join(file);
    let mut to = fs::File::options().write(true).create_new(true).mode(0o600).open(&path)?;
    Ok(to.write_all(&bytes).and_then(|()| to.sync_all())?)
}
