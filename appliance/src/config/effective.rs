//! The settings that a server was started with, and the form in which backups and exports keep them.

use std::{
    collections::BTreeSet,
    fmt,
    fs::File,
    io::{self, Read},
    path::Path,
};

use morpion_backup::manifest::{MAX_SETTINGS, SETTINGS};
use serde::{Deserialize, Serialize};
use toml::{Table, Value};

use super::{
    ConfigError,
    kinds::{self, Kind, Kinds, nth, within},
    layers::DATA_KEY,
};

/// Changes with the form of [`StoredSettings`]; new keys do not change it.
const FORMAT: u32 = 1;

/// Every key with its value, secrets too, whatever it came from. The default has none.
#[derive(Clone, Default)]
pub struct EffectiveSettings {
    values: Table,
    /// The secrets among them that are set.
    secrets: BTreeSet<String>,
}

/// The settings of a server as a backup or an export has them: secrets only where they are encrypted.
#[derive(Clone, Serialize, Deserialize)]
pub struct StoredSettings {
    format: u32,
    /// The Morpion that ran with them.
    pub(super) version: String,
    /// The node of a cluster.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) node: Option<String>,
    /// The secrets that are set, whether they are here or not.
    pub(super) secrets: BTreeSet<String>,
    pub(super) settings: Table,
}

impl fmt::Debug for EffectiveSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EffectiveSettings").finish_non_exhaustive()
    }
}

impl fmt::Debug for StoredSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StoredSettings").field("version", &self.version).finish_non_exhaustive()
    }
}

impl EffectiveSettings {
    pub(super) fn new(values: &Table, kinds: &Kinds) -> Self {
        let mut secrets = BTreeSet::new();
        visit(&Value::Table(values.clone()), "", &mut |name, text| {
            if let Some(secret) = secret_in(kinds, name, text) {
                secrets.insert(secret);
            }
        });
        Self { values: values.clone(), secrets }
    }

    /// What a backup or an export has of them. The key of the database is in none: it is kept elsewhere, so that whoever gets the
    /// disk with the passphrase of the backups does not get the key with it.
    pub fn stored(&self, with_secrets: bool) -> StoredSettings {
        let mut stored = StoredSettings {
            format: FORMAT,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            node: self.node(),
            secrets: self.secrets.clone(),
            settings: self.values.clone(),
        };
        remove(&mut stored.settings, &|name| name == DATA_KEY);
        if with_secrets { stored } else { stored.without_secrets() }
    }

    fn node(&self) -> Option<String> {
        let name = self.values.get("cluster")?.get("name")?.as_str()?;
        (!name.is_empty()).then(|| name.to_owned())
    }
}

impl StoredSettings {
    #[must_use]
    pub fn without_secrets(mut self) -> Self {
        remove(&mut self.settings, &|name| self.secrets.contains(name));
        self
    }

    /// The secrets that were set and are not here.
    pub(super) fn missing(&self) -> Vec<String> {
        let mut missing = self.secrets.clone();
        visit(&Value::Table(self.settings.clone()), "", &mut |name, _| {
            missing.remove(name);
            missing.remove(list_of(name));
        });
        missing.into_iter().collect()
    }

    /// The content of the file in a backup.
    ///
    /// # Errors
    /// A backup has no file of this size.
    pub fn encode(&self) -> Result<Vec<u8>, String> {
        let text = toml::to_string(self).map_err(|error| error.to_string())?;
        if text.len() as u64 > MAX_SETTINGS {
            return Err(format!("they are larger than {MAX_SETTINGS} bytes"));
        }
        Ok(text.into_bytes())
    }

    /// Those in a folder that a backup was restored into; none if the backup has none.
    ///
    /// # Errors
    /// As [`StoredSettings::parse`], or the file cannot be read.
    pub fn in_folder(folder: &Path) -> Result<Option<Self>, String> {
        let mut text = vec![];
        let file = match File::open(folder.join(SETTINGS)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            file => file.map_err(|error| error.to_string())?,
        };
        file.take(MAX_SETTINGS).read_to_end(&mut text).map_err(|error| error.to_string())?;
        Self::parse(&text).map(Some)
    }

    /// Reads what [`StoredSettings::encode`] wrote, perhaps of another version; nothing of it is checked.
    ///
    /// # Errors
    /// Why it cannot be read, without its values.
    pub fn parse(text: &[u8]) -> Result<Self, String> {
        let text = std::str::from_utf8(text).map_err(|_| "they are no text".to_owned())?;
        let table: Table = text.parse().map_err(|_| "they are not TOML".to_owned())?;
        table.try_into::<Self>().map_err(|_| "a part of them is missing".to_owned())?.of_this_format()
    }

    /// # Errors
    /// The form is of a newer version.
    pub fn of_this_format(self) -> Result<Self, String> {
        if self.format > FORMAT {
            return Err(format!(
                "they have the format {}, and this morpion knows only {FORMAT}; install the newer morpion",
                self.format
            ));
        }
        Ok(self)
    }
}

/// The name of the secret that a text is or is a part of.
fn secret_in(kinds: &Kinds, name: &str, text: &str) -> Option<String> {
    match kinds.get(name)? {
        Kind::Secret if !text.is_empty() => Some(name.to_owned()),
        // Without one of its addresses a list would mean something else.
        Kind::UrlWithUser if super::cluster::without_user(text) != text => Some(list_of(name).to_owned()),
        _ => None,
    }
}

/// The list that has a value of this name as an item.
fn list_of(name: &str) -> &str {
    name.strip_suffix(']').and_then(|name| Some(name.rsplit_once('[')?.0)).unwrap_or(name)
}

/// A value as it may be printed.
pub(super) fn shown(kinds: &Kinds, name: &str, value: &Value) -> Value {
    match value {
        Value::Table(table) => Value::Table(
            table.iter().map(|(key, value)| (key.clone(), shown(kinds, &within(name, key), value))).collect(),
        ),
        Value::Array(items) => Value::Array(
            items.iter().enumerate().map(|(index, value)| shown(kinds, &nth(name, index), value)).collect(),
        ),
        Value::String(text) => match kinds.get(name) {
            Some(Kind::Secret) if !text.is_empty() => Value::String("(hidden)".to_owned()),
            Some(Kind::UrlWithUser) => Value::String(super::cluster::without_user(text)),
            _ => value.clone(),
        },
        other => other.clone(),
    }
}

/// Calls `found` for every text, with its name.
pub(super) fn visit(value: &Value, name: &str, found: &mut impl FnMut(&str, &str)) {
    match value {
        Value::Table(table) => table.iter().for_each(|(key, value)| visit(value, &within(name, key), found)),
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(index, value)| visit(value, &nth(name, index), found));
        }
        Value::String(text) => found(name, text),
        _ => {}
    }
}

/// Removes the values of these names, wherever they are.
fn remove(table: &mut Table, is_removed: &impl Fn(&str) -> bool) {
    fn inside(value: &mut Value, name: &str, is_removed: &impl Fn(&str) -> bool) {
        match value {
            Value::Table(table) => table.retain(|key, value| {
                let name = within(name, key);
                inside(value, &name, is_removed);
                !is_removed(&name)
            }),
            Value::Array(items) => {
                items.iter_mut().enumerate().for_each(|(index, value)| inside(value, &nth(name, index), is_removed));
            }
            _ => {}
        }
    }
    let mut whole = Value::Table(std::mem::take(table));
    inside(&mut whole, "", is_removed);
    if let Value::Table(whole) = whole {
        *table = whole;
    }
}

/// What [`EffectiveSettings`] are of a merged table.
///
/// # Errors
/// It is no configuration.
pub(super) fn of(merged: &Table) -> Result<(EffectiveSettings, Kinds), ConfigError> {
    let kinds = kinds::of(merged)
        .map_err(|error| ConfigError::Together { key: "the configuration", reason: error.message().to_owned() })?;
    Ok((EffectiveSettings::new(merged, &kinds), kinds))
}
