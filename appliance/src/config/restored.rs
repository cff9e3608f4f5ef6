//! The configuration file of a restored server: [`StoredSettings`] as this version can read them.

use std::{
    collections::BTreeMap,
    fs::File,
    io::{self, Write},
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
};

use serde::Serialize;
use toml::{Table, Value};

use super::{
    ConfigError, ConfigSource, StoredSettings,
    effective::visit,
    kinds::Kind,
    layers::{Layers, flatten, insert},
    oidc,
};

const ALONE: &str = "a restored server is alone; see docs/hosting/cluster.md, \"Beginning anew\"";
const IN_DATA_DIR: &str = "the restored database is in the data folder";
const UNKNOWN: &str = "this version does not know it";

/// A file for `--config`, and what it does not have. The folder of the data is another one than before.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RestoredSettings {
    /// The Morpion that ran with them.
    pub version: String,
    /// The node of a cluster that did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub node: Option<String>,
    /// Secrets that were set, and were not stored.
    pub missing: Vec<String>,
    /// Keys that are comments in the file.
    pub left_out: Vec<LeftOut>,
    /// What is named outside of the data folder.
    pub elsewhere: Vec<Elsewhere>,
    #[serde(skip)]
    pub text: String,
}

#[derive(Debug, Serialize)]
pub struct LeftOut {
    pub key: String,
    pub reason: String,
}

/// A file, a folder or another place that a key names.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Elsewhere {
    pub key: String,
    pub place: String,
    /// Whether it is on this machine, if it is a file or a folder.
    pub is_here: Option<bool>,
}

/// What became of the settings that a backup or an export has.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum RestoredConfig {
    /// It is of an earlier version, which stored none.
    Absent,
    Unreadable {
        unreadable: String,
    },
    Written {
        /// Where the file is in the end.
        file: PathBuf,
        #[serde(flatten)]
        settings: RestoredSettings,
    },
}

type Leaves = BTreeMap<String, Value>;

/// The names of the file: the first one that is free.
const FILE: (&str, &str) = ("morpion.restored", ".toml");
const MAX_FILES: usize = 100;

impl RestoredConfig {
    /// Writes the file of the settings into a folder that is to become `into`, over nothing and for its owner only.
    ///
    /// # Errors
    /// The disk refuses.
    pub fn write(
        stored: Result<Option<StoredSettings>, String>,
        folder: &Path,
        into: &Path,
        origin: &str,
    ) -> io::Result<Self> {
        let made = match stored {
            Ok(None) => return Ok(Self::Absent),
            Ok(Some(stored)) => RestoredSettings::new(stored, &std::path::absolute(into)?, origin),
            Err(error) => Err(error),
        };
        let settings = match made {
            Ok(settings) => settings,
            Err(unreadable) => return Ok(Self::Unreadable { unreadable }),
        };
        for number in 1..=MAX_FILES {
            let number = if number == 1 { String::new() } else { format!("-{number}") };
            let name = format!("{}{number}{}", FILE.0, FILE.1);
            match File::options().write(true).create_new(true).mode(0o600).open(folder.join(&name)) {
                Ok(mut file) => {
                    file.write_all(settings.text.as_bytes())?;
                    file.sync_all()?;
                    return Ok(Self::Written { file: into.join(name), settings });
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        let text = format!("there are {MAX_FILES} files {}*{} already; remove some", FILE.0, FILE.1);
        Err(io::Error::new(io::ErrorKind::AlreadyExists, text))
    }
}

impl RestoredSettings {
    /// Whether a file of this name is one that [`RestoredConfig::write`] wrote.
    pub fn is_file(name: &str) -> bool {
        name.starts_with(FILE.0) && name.ends_with(FILE.1)
    }

    /// A file for the data in a folder, whose path is absolute. `origin` says in a line what it was made of.
    ///
    /// # Errors
    /// No file can be made of them.
    pub fn new(stored: StoredSettings, data_dir: &Path, origin: &str) -> Result<Self, String> {
        let defaults = Layers::defaults().defaults;
        let mut left_out = vec![];
        let mut kept = Leaves::new();
        let missing = stored.missing();
        flatten("", &stored.settings, &mut |key, value| {
            let reason = match defaults.get(&*oidc::like(key)) {
                Some(default) if default == value => return,
                _ if key == "data_dir" => return,
                Some(_) if key == "database.url" => IN_DATA_DIR,
                Some(_) if key.starts_with("cluster.") => ALONE,
                None => UNKNOWN,
                Some(_) => {
                    kept.insert(key.to_owned(), value.clone());
                    return;
                }
            };
            left_out.push((key.to_owned(), value.clone(), reason.to_owned()));
        });
        kept.insert("data_dir".to_owned(), Value::String(data_dir.to_string_lossy().into_owned()));
        while let Err(error) = load(&kept) {
            let blamed = to_blame(&kept, &error);
            if blamed.is_empty() {
                return Err("they cannot be used".to_owned());
            }
            for key in blamed {
                // What the error says of its place is nothing for whoever restores.
                let reason = match &error {
                    ConfigError::Value { reason, .. } | ConfigError::Together { reason, .. } => reason.clone(),
                    ConfigError::File { path, reason, .. } => format!("{path} {reason}"),
                    other => other.to_string(),
                };
                let value = kept.remove(&key).ok_or("they lead nowhere")?;
                left_out.push((key, value, reason));
            }
        }
        let elsewhere = elsewhere(&kept, data_dir).map_err(|error| error.to_string())?;
        let settings = table(kept);
        let text = comments(&stored, origin, &missing, &left_out) + &toml::to_string(&settings).map_err(unwritten)?;
        if text.parse::<Table>().ok().as_ref() != Some(&settings) {
            return Err("they cannot be written as a file".to_owned());
        }
        let left_out = left_out.into_iter().map(|(key, _, reason)| LeftOut { key, reason }).collect();
        Ok(Self { version: stored.version, node: stored.node, missing, left_out, elsewhere, text })
    }

    /// What whoever restores has to know, one line each.
    pub fn notes(&self) -> Vec<String> {
        let mut notes = vec![];
        if let Some(node) = &self.node {
            notes.push(format!("the settings are those of node {node} of a cluster"));
        }
        if !self.missing.is_empty() {
            notes.push(format!(
                "these secrets were set and are not in it; set each as it was before the first start: {}",
                self.missing.join(", ")
            ));
        }
        for LeftOut { key, reason } in self.left_out.iter().filter(|left_out| left_out.reason != UNKNOWN) {
            notes.push(format!("{key} is only a comment in the file: {reason}"));
        }
        let unknown: Vec<_> = self.left_out.iter().filter(|left_out| left_out.reason == UNKNOWN).collect();
        if !unknown.is_empty() {
            let keys: Vec<_> = unknown.iter().map(|left_out| left_out.key.as_str()).collect();
            notes.push(format!(
                "this version does not know these keys of {}, which are comments in the file: {}",
                self.version,
                keys.join(", ")
            ));
        }
        for Elsewhere { key, place, is_here } in &self.elsewhere {
            let missing = if *is_here == Some(false) { ", which is not here" } else { "" };
            notes.push(format!("{key} names {place}{missing}"));
        }
        notes
    }
}

fn unwritten(error: toml::ser::Error) -> String {
    error.to_string()
}

fn table(leaves: Leaves) -> Table {
    let mut table = Table::new();
    for (key, value) in leaves {
        insert(&mut table, &key, value);
    }
    table
}

/// As a start reads them from a file.
fn load(kept: &Leaves) -> Result<super::Config, ConfigError> {
    let mut layers = Layers::defaults();
    layers.add(&table(kept.clone()), &ConfigSource::File(PathBuf::new()))?;
    layers.config().map(|(config, _)| config)
}

/// The keys without which the others may be right.
fn to_blame(kept: &Leaves, error: &ConfigError) -> Vec<String> {
    let key = error.key();
    if kept.contains_key(key) {
        return vec![key.to_owned()];
    }
    let section: Vec<_> = kept.keys().filter(|kept| kept.starts_with(&format!("{key}."))).cloned().collect();
    let one = section.iter().find(|one| {
        let mut others = kept.clone();
        others.remove(*one);
        load(&others).map_or_else(|other| other.key() != key, |_| true)
    });
    match one {
        Some(one) => vec![one.clone()],
        None if !section.is_empty() => section,
        None => kept.keys().filter(|key| *key != "data_dir").cloned().collect(),
    }
}

fn elsewhere(kept: &Leaves, data_dir: &Path) -> Result<Vec<Elsewhere>, ConfigError> {
    let mut layers = Layers::defaults();
    let settings = table(kept.clone());
    layers.add(&settings, &ConfigSource::File(PathBuf::new()))?;
    let (_, kinds) = layers.config()?;
    let mut found = vec![];
    visit(&Value::Table(settings), "", &mut |name, text| {
        let place = text.replace("{data_dir}", &data_dir.to_string_lossy());
        let path = Path::new(place.strip_prefix("unix:").unwrap_or(&place));
        if kinds.get(name) != Some(&Kind::Path) || text.is_empty() || path.starts_with(data_dir) {
            return;
        }
        let is_here = (!place.contains("://")).then(|| path.exists());
        let key = name.split('[').next().unwrap_or(name).to_owned();
        found.push(Elsewhere { key, place, is_here });
    });
    Ok(found)
}

/// The head of the file. Whatever is in the stored settings, it has nothing but comments.
fn comments(stored: &StoredSettings, origin: &str, missing: &[String], left_out: &[(String, Value, String)]) -> String {
    let node = stored.node.as_ref().map(|node| format!(", node {node} of a cluster")).unwrap_or_default();
    let mut text = format!("The settings of Morpion {}{node}: {origin}.\n", stored.version);
    text += "Keys that are not here have their defaults; `morpion default-config` lists them all.\n";
    if !missing.is_empty() {
        text += "\nSecrets that were set, and are not here. Set each as it was before the first start:\n";
        missing.iter().for_each(|key| text += &format!("  {key}\n"));
    }
    if !left_out.is_empty() {
        text += "\nWhat this file leaves out:\n";
        for (key, value, reason) in left_out {
            text += &format!("  {key} = {value}\n    ({reason})\n");
        }
    }
    let commented = text.lines().map(|line| {
        let line: String = line.chars().map(|char| if char.is_control() { ' ' } else { char }).collect();
        format!("{}\n", format!("# {line}").trim_end())
    });
    commented.chain(["\n".to_owned()]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{ConfigSources, LoadedConfig};

    const LIVE: &str = r#"
        data_dir = "/var/lib/morpion"
        [server]
        public_url = "https://play.example.org"
        [tls]
        cert_file = "/nonexistent/cert.pem"
        key_file = "{data_dir}/key.pem"
        [storage]
        encryption_key = "5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e"
        [backup]
        to = "s3://bucket/morpion"
        passphrase = "hidden horse"
        s3_secret_key = "hidden key"
        [identity.oidc]
        client_id = "client"
        client_secret = "hidden client"
        [identity.oidc.club]
        issuer = "https://club.example"
        client_id = "other client"
        client_secret = "hidden other"
        [mail]
        host = "smtp.example.org"
        username = "ann"
        password = "hidden \"password\"\nof two lines"
        [billing]
        secret_key = "sk_test_hidden"
        publishable_key = "pk_test_told"
        webhook_secret = "whsec_hidden"
        [cluster]
        nats = ["nats://ann:hidden@a", "nats://b"]
        name = "a"
        [audit]
        export = ["/", "{data_dir}/audit.jsonl", "syslog://192.0.2.1"]
    "#;

    fn load(text: &str) -> LoadedConfig {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), text).unwrap();
        ConfigSources { file: Some(file.path().to_owned()), ..ConfigSources::default() }.load().unwrap()
    }

    fn live() -> LoadedConfig {
        load(LIVE)
    }

    /// As it comes out of a backup.
    fn stored(with_secrets: bool) -> StoredSettings {
        StoredSettings::parse(&live().config.effective.stored(with_secrets).encode().unwrap()).unwrap()
    }

    fn restored(stored: StoredSettings) -> RestoredSettings {
        RestoredSettings::new(stored, Path::new("/restored"), "from a test").unwrap()
    }

    fn values(loaded: &LoadedConfig) -> BTreeMap<String, String> {
        // Those that are another server's, or in no backup.
        let is_same = |key: &str| key != "data_dir" && key != "storage.encryption_key" && !key.starts_with("cluster.");
        let settings = loaded.settings.iter().filter(|setting| is_same(&setting.key));
        settings.map(|setting| (setting.key.clone(), setting.value.clone())).collect()
    }

    #[test]
    fn the_file_has_the_settings_that_were_stored() {
        let restored = restored(stored(true));
        let loaded = load(&restored.text);
        assert_eq!(values(&loaded), values(&live()));
        assert_eq!(loaded.config.data_dir, Path::new("/restored"));
        assert_eq!(loaded.config.mail.password.expose(), "hidden \"password\"\nof two lines");
        assert_eq!(loaded.config.backup.passphrase.expose(), "hidden horse");
        assert_eq!(restored.missing, ["storage.encryption_key"]);
        assert!(!restored.text.contains("5e5e"), "the key of the database is in no backup");
        let left_out: Vec<_> = restored.left_out.iter().map(|left_out| left_out.key.as_str()).collect();
        assert_eq!(left_out, ["cluster.name", "cluster.nats"], "it would join the servers that run");
        let elsewhere: Vec<_> =
            restored.elsewhere.iter().map(|it| (it.key.as_str(), it.place.as_str(), it.is_here)).collect();
        assert_eq!(
            elsewhere,
            [
                ("audit.export", "/", Some(true)),
                ("audit.export", "syslog://192.0.2.1", None),
                ("backup.to", "s3://bucket/morpion", None),
                ("tls.cert_file", "/nonexistent/cert.pem", Some(false)),
            ]
        );
    }

    #[test]
    fn without_secrets_they_are_named_and_the_rest_can_be_read() {
        let stored = stored(false);
        assert!(!String::from_utf8(stored.encode().unwrap()).unwrap().contains("hidden"));
        let restored = restored(stored);
        let loaded = load(&restored.text);
        assert_eq!((&*loaded.config.mail.host, loaded.config.mail.password.expose()), ("smtp.example.org", ""));
        let missing = [
            "backup.passphrase",
            "backup.s3_secret_key",
            "billing.secret_key",
            "billing.webhook_secret",
            "cluster.nats",
            "identity.oidc.client_secret",
            "identity.oidc.club.client_secret",
            "mail.password",
            "storage.encryption_key",
        ];
        assert_eq!(restored.missing, missing);
        let billing = restored.left_out.iter().find(|left_out| left_out.key == "billing.publishable_key").unwrap();
        assert!(billing.reason.contains("go together"), "{billing:?}");
        let notes = restored.notes().join("\n");
        for words in
            ["node a of a cluster", "mail.password", "publishable_key is only a comment", "cert.pem, which is not here"]
        {
            assert!(notes.contains(words), "{words}: {notes}");
        }
    }

    #[test]
    fn what_this_version_cannot_read_is_kept_as_comments() {
        let mut stored = stored(true);
        let planted = r#"
            new = "1"
            [mail]
            "pass\nword" = "2"
            password_file = "/etc/passwd"
            port = "many"
            security = { a = 1 }
            [limits]
            shared_networks = ["nonsense"]
            "a]\u0000\n[b" = ["\u001b[31m\n[server]\nlisten = '0.0.0.0:1'"]
        "#;
        for (section, value) in planted.parse::<Table>().unwrap() {
            match (stored.settings.get_mut(&section), value) {
                (Some(Value::Table(known)), Value::Table(more)) => known.extend(more),
                (_, value) => drop(stored.settings.insert(section, value)),
            }
        }
        let restored = restored(stored);
        let loaded = load(&restored.text);
        assert_eq!((loaded.config.mail.port, loaded.config.server.listen.port()), (587, 8080));
        assert_eq!(loaded.config.mail.password.expose(), "hidden \"password\"\nof two lines");
        for key in ["new", "mail.port", "mail.password_file", "limits.shared_networks", "mail.security.a"] {
            assert!(restored.left_out.iter().any(|left_out| left_out.key == key), "{key}: {restored:?}");
            assert!(restored.text.contains(&format!("#   {key} = ")), "{key}: {}", restored.text);
        }
        assert!(!restored.text.contains("root:"), "no file was read");
        assert!(!restored.text.chars().any(|char| char.is_control() && char != '\n'), "{}", restored.text);
        let note = restored.notes().into_iter().find(|note| note.contains("does not know these keys")).unwrap();
        assert!(note.contains("new") && note.contains("mail.password_file"), "{note}");
    }

    #[test]
    fn damaged_settings_are_refused_with_a_reason() {
        for (text, reason) in [
            (&b"\xff"[..], "no text"),
            (b"a = = 1", "not TOML"),
            (b"format = 1", "missing"),
            (b"format = 2\nversion = '9'\nsecrets = []\n[settings]", "install the newer morpion"),
        ] {
            let error = StoredSettings::parse(text).unwrap_err();
            assert!(error.contains(reason), "{error}");
        }
        let mut large = stored(true);
        large.settings.insert("a".to_owned(), Value::String("a".repeat(2 << 20)));
        assert!(large.encode().unwrap_err().contains("larger"));
    }

    #[test]
    fn the_file_is_written_over_nothing_and_for_its_owner() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("morpion.restored.toml"), "mine").unwrap();
        let write =
            || RestoredConfig::write(Ok(Some(stored(true))), folder.path(), Path::new("/restored"), "from a test");
        let RestoredConfig::Written { file, .. } = write().unwrap() else { panic!("it is not written") };
        assert_eq!(file, Path::new("/restored/morpion.restored-2.toml"));
        let written = folder.path().join("morpion.restored-2.toml");
        assert_eq!(std::fs::metadata(&written).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(std::fs::read_to_string(folder.path().join("morpion.restored.toml")).unwrap(), "mine");
        assert!(RestoredSettings::is_file("morpion.restored-2.toml") && !RestoredSettings::is_file("push.key"));
    }
}
