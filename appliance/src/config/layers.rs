//! Merging of the sources: tables of the same shape as the defaults, the later one winning key by key.

use std::{
    collections::BTreeMap,
    fmt, fs, io,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    sync::LazyLock,
};

use morpion_shell::environment::{self, PREFIX};
use serde::{Serialize, Serializer, de::IntoDeserializer};
use toml::{Table, Value};

use super::{
    Config, ConfigError, DEFAULT_CONFIG,
    effective::{self, shown},
    kinds::{self, Kind, Kinds, within},
    oidc,
};

/// Keys that are never printed, and that may also be given as `KEY_file` or as a systemd credential named `KEY`: those that
/// [`Config`] reads as secrets, and those of providers with an id that are like them.
static SECRETS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let defaults = Layers::defaults().merged;
    let kinds = kinds::of(&defaults).expect("the built-in configuration is valid; a test loads it");
    kinds.into_iter().filter(|(_, kind)| *kind == Kind::Secret).map(|(key, _)| key).collect()
});

/// The key of the database. Unlike others, an empty file is no way to leave it out: data would be stored unencrypted.
pub(super) const DATA_KEY: &str = "storage.encryption_key";

const NO_KEY: &str = "is empty; put 64 hexadecimal digits there, as `openssl rand -hex 32` prints";

/// Where a value came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ConfigSource {
    Default,
    File(PathBuf),
    Credential,
    /// The variable's name.
    Environment(String),
    /// The flag as typed, `--listen`.
    Flag(&'static str),
}

impl fmt::Display for ConfigSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => f.write_str("default"),
            Self::File(path) => write!(f, "{}", path.display()),
            Self::Credential => f.write_str("systemd credential"),
            Self::Environment(name) => write!(f, "${name}"),
            Self::Flag(flag) => f.write_str(flag),
        }
    }
}

/// The sources of values. The default has none and yields the defaults.
#[derive(Debug, Clone, Default)]
pub struct ConfigSources {
    /// `--config`: must exist.
    pub file: Option<PathBuf>,
    /// Tried in order when neither `--config` nor `MORPION_CONFIG` is given; none needs to exist.
    pub search: Vec<PathBuf>,
    pub credentials: Option<PathBuf>,
    pub environment: Vec<(String, String)>,
    /// A variable of ours that is not UTF-8.
    pub unreadable: Option<String>,
    /// Key, flag, value.
    pub flags: Vec<(&'static str, &'static str, String)>,
}

/// An effective value.
#[derive(Debug, Clone, Serialize)]
pub struct Setting {
    pub key: String,
    /// As TOML; hidden if it is a secret.
    pub value: String,
    #[serde(serialize_with = "as_text")]
    pub source: ConfigSource,
}

fn as_text<S: Serializer>(source: &ConfigSource, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(source)
}

/// The effective configuration.
#[derive(Debug, Clone)]
pub struct LoadedConfig {
    pub config: Config,
    /// The file that was read, if any.
    pub file: Option<PathBuf>,
    /// Every key, sorted.
    pub settings: Vec<Setting>,
}

impl ConfigSources {
    /// This process's environment, credentials and usual files, no flags.
    pub fn from_process() -> Self {
        let (environment, unreadable) = match environment::variables(std::env::vars_os()) {
            Ok(variables) => (variables, None),
            Err(unreadable) => (vec![], Some(unreadable)),
        };
        Self {
            file: None,
            search: vec!["./config/morpion.toml".into(), "/etc/morpion/morpion.toml".into()],
            credentials: std::env::var_os("CREDENTIALS_DIRECTORY").map(PathBuf::from),
            environment,
            unreadable,
            flags: Vec::new(),
        }
    }

    /// # Errors
    /// [`ConfigError`], for the first thing that is wrong.
    pub fn load(&self) -> Result<LoadedConfig, ConfigError> {
        let mut layers = Layers::defaults();
        let file = self.read_file()?;
        if let Some((path, table)) = &file {
            layers.add(table, &ConfigSource::File(path.clone()))?;
        }
        if let Some(folder) = &self.credentials {
            layers.add(&layers.credentials(folder)?, &ConfigSource::Credential)?;
        }
        for (name, text) in &self.environment {
            let Some(key) = setting_of(name)? else { continue };
            layers.add_text(&key, text, &ConfigSource::Environment(name.clone()))?;
        }
        for (key, flag, text) in &self.flags {
            layers.add_text(key, text, &ConfigSource::Flag(flag))?;
        }
        let (config, kinds) = layers.config()?;
        Ok(LoadedConfig { config, file: file.map(|(path, _)| path), settings: layers.settings(&kinds) })
    }

    /// The file that is read, if there is one.
    fn read_file(&self) -> Result<Option<(PathBuf, Table)>, ConfigError> {
        if let Some(variable) = &self.unreadable {
            return Err(ConfigError::NotText { variable: variable.clone() });
        }
        let named = self.file.clone().or_else(|| {
            let variable = self.environment.iter().find(|(name, value)| name == CONFIG_VARIABLE && !value.is_empty());
            variable.map(|(_, value)| PathBuf::from(value))
        });
        let candidates = named.as_ref().map_or(self.search.as_slice(), std::slice::from_ref);
        for path in candidates {
            match fs::read_to_string(path) {
                Ok(text) => return Ok(Some((path.clone(), parse(path, &text)?))),
                Err(error) if error.kind() == io::ErrorKind::NotFound && named.is_none() => {}
                Err(error) => {
                    return Err(ConfigError::Unreadable {
                        path: path.display().to_string(),
                        reason: error.to_string(),
                    });
                }
            }
        }
        Ok(None)
    }
}

const CONFIG_VARIABLE: &str = "MORPION_CONFIG";
const DATA_DIR_VARIABLE: &str = "MORPION_DATA_DIR";

/// The key that a variable sets. Variables without a section belong to other programs (the console's `MORPION_TOKEN`),
/// except `MORPION_DATA_DIR` and misspellings of it.
fn setting_of(variable: &str) -> Result<Option<String>, ConfigError> {
    let Some(name) = variable.strip_prefix(PREFIX) else { return Ok(None) };
    if variable == DATA_DIR_VARIABLE || name.contains("__") {
        return Ok(Some(oidc::of_variable(name.to_lowercase().replace("__", "."))));
    }
    let mistyped = [DATA_DIR_VARIABLE, CONFIG_VARIABLE]
        .into_iter()
        .find(|known| *known != variable && strsim::damerau_levenshtein(known, variable) <= 2);
    match mistyped {
        Some(known) => Err(ConfigError::UnknownKey {
            source_text: "the environment".to_owned(),
            key: variable.to_owned(),
            nearest: Some(known.to_owned()),
        }),
        None => Ok(None),
    }
}

fn parse(path: &Path, text: &str) -> Result<Table, ConfigError> {
    text.parse().map_err(|error: toml::de::Error| ConfigError::Syntax {
        path: path.display().to_string(),
        line: error.span().map_or(1, |span| text[..span.start.min(text.len())].matches('\n').count() + 1),
        reason: one_line(error.message()),
    })
}

pub(super) struct Layers {
    merged: Table,
    pub(super) defaults: BTreeMap<String, Value>,
    sources: BTreeMap<String, ConfigSource>,
}

impl Layers {
    pub(super) fn defaults() -> Self {
        let merged: Table = DEFAULT_CONFIG.parse().expect("the built-in configuration is TOML; a test parses it");
        let mut defaults = BTreeMap::new();
        flatten("", &merged, &mut |key, value| {
            defaults.insert(key.to_owned(), value.clone());
        });
        Self { merged, defaults, sources: BTreeMap::new() }
    }

    /// The secrets among systemd's credentials; there may be others. Those of providers with an id that are known by now.
    fn credentials(&self, folder: &Path) -> Result<Table, ConfigError> {
        let mut table = Table::new();
        for key in self.defaults.keys().filter(|key| is_secret(key)) {
            match fs::read_to_string(folder.join(key)) {
                Ok(text) if key == DATA_KEY && text.trim().is_empty() => {
                    return Err(ConfigError::value(&ConfigSource::Credential, key, NO_KEY));
                }
                Ok(text) => {
                    insert(&mut table, key, Value::String(text.trim_end_matches(['\r', '\n']).to_owned()));
                }
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(ConfigError::value(&ConfigSource::Credential, key, error.to_string())),
            }
        }
        Ok(table)
    }

    pub(super) fn add(&mut self, table: &Table, source: &ConfigSource) -> Result<(), ConfigError> {
        let by_id = oidc::by_id(table).map_err(|reason| ConfigError::value(source, "identity.oidc", reason))?;
        let table = by_id.as_ref().unwrap_or(table);
        let mut leaves = Vec::new();
        flatten("", table, &mut |key, value| leaves.push((key.to_owned(), value.clone())));
        for (key, value) in leaves {
            match secret_of_file(&key) {
                Some(secret) if source_gives(table, secret) => {
                    return Err(ConfigError::Both { source_text: source.to_string(), key: secret.to_owned() });
                }
                Some(secret) => self.set_secret_file(secret, &value, source)?,
                None => self.set(&key, value, source)?,
            }
        }
        Ok(())
    }

    /// A value given as text takes the type its default has; a list is written with commas.
    fn add_text(&mut self, key: &str, text: &str, source: &ConfigSource) -> Result<(), ConfigError> {
        self.make_known(key, source)?;
        if let Some(secret) = secret_of_file(key) {
            return match self.sources.get(secret) {
                Some(ConfigSource::Environment(_)) => {
                    Err(ConfigError::Both { source_text: "the environment".to_owned(), key: secret.to_owned() })
                }
                _ => self.set_secret_file(secret, &Value::String(text.to_owned()), source),
            };
        }
        if is_secret(key) && matches!(self.sources.get(key), Some(ConfigSource::Environment(_))) {
            return Err(ConfigError::Both { source_text: "the environment".to_owned(), key: key.to_owned() });
        }
        let value = match self.defaults.get(key) {
            Some(Value::Integer(_)) => text
                .trim()
                .parse()
                .map(Value::Integer)
                .map_err(|_| ConfigError::value(source, key, format!("'{text}' is not a whole number")))?,
            Some(Value::Boolean(_)) => text
                .trim()
                .parse()
                .map(Value::Boolean)
                .map_err(|_| ConfigError::value(source, key, format!("'{text}' is neither true nor false")))?,
            Some(Value::Array(_)) => {
                let items = text.split(',').map(str::trim).filter(|item| !item.is_empty());
                Value::Array(items.map(|item| Value::String(item.to_owned())).collect())
            }
            _ => Value::String(text.to_owned()),
        };
        self.set(key, value, source)
    }

    /// Gives a provider that a source names by its id the keys of the one without, at their defaults.
    fn make_known(&mut self, key: &str, source: &ConfigSource) -> Result<(), ConfigError> {
        let Some((id, like)) = oidc::with_id(key) else { return Ok(()) };
        if self.defaults.contains_key(key) || !self.defaults.contains_key(&like) {
            return Ok(());
        }
        oidc::check_id(id).map_err(|reason| ConfigError::value(source, key, reason))?;
        let keys = self.defaults.iter().filter_map(|(like, value)| Some((oidc::of_id(like, id)?, value.clone())));
        for (key, value) in keys.collect::<Vec<_>>() {
            insert(&mut self.merged, &key, value.clone());
            self.defaults.insert(key, value);
        }
        Ok(())
    }

    fn set_secret_file(&mut self, secret: &str, path: &Value, source: &ConfigSource) -> Result<(), ConfigError> {
        let Value::String(path) = path else {
            return Err(ConfigError::value(source, &format!("{secret}_file"), "it must be a path in quotes"));
        };
        let text = fs::read_to_string(path).map_err(|error| ConfigError::SecretFile {
            source_text: source.to_string(),
            key: secret.to_owned(),
            path: path.clone(),
            reason: error.to_string(),
        })?;
        if secret == DATA_KEY {
            let refused =
                |reason| Err(ConfigError::value(source, &format!("{secret}_file"), format!("{path} {reason}")));
            if fs::metadata(path).is_ok_and(|file| file.permissions().mode() & 0o077 != 0) {
                return refused(format!("can be read by other users; run `chmod 600 {path}`"));
            }
            if text.trim().is_empty() {
                return refused(NO_KEY.to_owned());
            }
        }
        self.set(secret, Value::String(text.trim_end_matches(['\r', '\n']).to_owned()), source)
    }

    fn set(&mut self, key: &str, value: Value, source: &ConfigSource) -> Result<(), ConfigError> {
        self.make_known(key, source)?;
        if !self.defaults.contains_key(key) {
            let section = format!("{key}.");
            if self.defaults.keys().any(|known| known.starts_with(&section)) {
                return Err(ConfigError::value(
                    source,
                    key,
                    format!("it is a section; write [{key}] and its keys below"),
                ));
            }
            let (source_text, key) = (source.to_string(), key.to_owned());
            return Err(ConfigError::UnknownKey { source_text, nearest: self.nearest(&key), key });
        }
        if is_secret(key) && !value.is_str() {
            return Err(ConfigError::value(source, key, "it must be text in quotes"));
        }
        insert(&mut self.merged, key, value);
        self.sources.insert(key.to_owned(), source.clone());
        Ok(())
    }

    /// The known key that is most similar to `key`, or whose last part is.
    fn nearest(&self, key: &str) -> Option<String> {
        let last = |key: &str| key.rsplit('.').next().unwrap_or_default().to_owned();
        let likeness = |known: &str| {
            let whole = strsim::normalized_damerau_levenshtein(known, key);
            let part = strsim::normalized_damerau_levenshtein(&last(known), &last(key));
            whole.max(part * 0.95)
        };
        let best = self.defaults.keys().max_by(|a, b| likeness(a).total_cmp(&likeness(b)))?;
        (likeness(best) > 0.5).then(|| best.clone())
    }

    fn source(&self, key: &str) -> ConfigSource {
        self.sources.get(key).cloned().unwrap_or(ConfigSource::Default)
    }

    /// The configuration, and the kinds of its values.
    pub(super) fn config(&self) -> Result<(Config, Kinds), ConfigError> {
        let whole = Value::Table(oidc::apart(&self.merged));
        let config: Config = serde_path_to_error::deserialize(whole.into_deserializer()).map_err(|error| {
            // A list's path ends in [0], which is not a key of a source.
            let path = oidc::together(error.path().to_string());
            let key = path.split('[').next().unwrap_or_default();
            ConfigError::value(&self.source(key), key, one_line(error.inner().message()))
        })?;
        let mut config = config.with_checked_cluster()?.with_checked_providers()?;
        let kinds;
        (config.effective, kinds) = effective::of(&self.merged)?;
        Ok((config, kinds))
    }

    fn settings(&self, kinds: &Kinds) -> Vec<Setting> {
        let mut settings = Vec::new();
        flatten("", &self.merged, &mut |key, value| {
            let value = match shown(kinds, key, value) {
                Value::String(text) if is_secret(key) && !text.is_empty() => text,
                value => value.to_string(),
            };
            settings.push(Setting { key: key.to_owned(), value, source: self.source(key) });
        });
        settings.sort_by(|a, b| a.key.cmp(&b.key));
        settings
    }
}

fn is_secret(key: &str) -> bool {
    let like = oidc::like(key);
    SECRETS.iter().any(|secret| *secret == like)
}

/// The secret that this key names a file of.
fn secret_of_file(key: &str) -> Option<&str> {
    key.strip_suffix("_file").filter(|secret| is_secret(secret))
}

fn source_gives(table: &Table, key: &str) -> bool {
    let mut given = false;
    flatten("", table, &mut |leaf, _| given |= leaf == key);
    given
}

pub(super) fn flatten(prefix: &str, table: &Table, visit: &mut impl FnMut(&str, &Value)) {
    for (name, value) in table {
        let key = within(prefix, name);
        match value {
            Value::Table(inner) => flatten(&key, inner, visit),
            value => visit(&key, value),
        }
    }
}

pub(super) fn insert(table: &mut Table, key: &str, value: Value) {
    match key.split_once('.') {
        None => {
            table.insert(key.to_owned(), value);
        }
        Some((section, rest)) => {
            let inner = table.entry(section).or_insert_with(|| Value::Table(Table::new()));
            if let Value::Table(inner) = inner {
                insert(inner, rest, value);
            }
        }
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
