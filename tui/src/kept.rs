//! What one had open, kept in a file for the next start: for each server the tab, and of each tab's list the chosen row, the
//! filter, the order and the columns.

use std::{
    collections::BTreeMap,
    fs::{self, DirBuilder, OpenOptions},
    io::{self, ErrorKind, Write},
    os::unix::fs::{DirBuilderExt, OpenOptionsExt},
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// Of the file. What another version wrote is not read.
const VERSION: u32 = 1;
/// Bytes of the file, at most.
const LARGEST: u64 = 4 * 1024 * 1024;
/// Servers that are kept, at most; the one that was not used for the longest time goes first.
const MOST_SERVERS: usize = 50;
/// Columns of a list, at most.
const MOST_COLUMNS: usize = 50;
/// Characters of a text in it, at most.
const LONGEST: usize = 500;

/// The file's content.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Kept {
    version: u32,
    /// By their addresses.
    servers: BTreeMap<String, Opened>,
}

impl Default for Kept {
    fn default() -> Self {
        Self { version: VERSION, servers: BTreeMap::new() }
    }
}

/// What one had open on a server.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Opened {
    /// When it was kept, Unix milliseconds.
    pub at: i64,
    /// The title of the tab.
    pub tab: String,
    /// By the titles of their tabs.
    pub lists: BTreeMap<String, KeptList>,
}

/// What is kept of a list.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct KeptList {
    /// The key of the chosen row.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub row: Option<String>,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub filter: String,
    /// What it is sorted by, as the list names it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sort: Option<String>,
    pub is_reversed: bool,
    /// Those of its columns that were chosen about, in their order; empty: as usual.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub columns: Vec<KeptColumn>,
}

/// A column of a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeptColumn {
    pub name: String,
    pub is_shown: bool,
}

impl KeptList {
    fn is_sound(&self) -> bool {
        let names = self.columns.iter().map(|column| &column.name);
        let mut texts = self.row.iter().chain([&self.filter]).chain(&self.sort).chain(names);
        self.columns.len() <= MOST_COLUMNS && texts.all(|text| is_sound(text))
    }
}

/// Whether a text is one that a console keeps.
fn is_sound(text: &str) -> bool {
    text.chars().count() <= LONGEST && !text.chars().any(char::is_control)
}

impl Opened {
    fn is_sound(&self) -> bool {
        is_sound(&self.tab) && self.lists.iter().all(|(tab, list)| is_sound(tab) && list.is_sound())
    }
}

impl Kept {
    /// Reads the file; if there is none, nothing was kept.
    ///
    /// # Errors
    /// A sentence for the operator: it cannot be read, or a console of this version did not write it.
    pub fn read(path: &Path) -> Result<Self, String> {
        let read = || {
            let metadata = fs::metadata(path)?;
            if !metadata.is_file() || metadata.len() > LARGEST {
                return Err(io::Error::new(ErrorKind::InvalidData, "it is no file of a console"));
            }
            fs::read_to_string(path)
        };
        let told = |why: &str| format!("What was open last time is not known: {}: {why}.", path.display());
        let text = match read() {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Self::default()),
            Err(error) => return Err(told(&error.to_string())),
        };
        let kept = serde_json::from_str(&text).ok();
        let is_sound = |kept: &Self| kept.version == VERSION && kept.servers.values().all(Opened::is_sound);
        kept.filter(is_sound).ok_or_else(|| told("a console of this version did not write it"))
    }

    /// What was open on a server.
    pub fn of(&self, server: &str) -> Option<&Opened> {
        self.servers.get(server)
    }

    fn put(&mut self, server: &str, mut opened: Opened) {
        opened.lists.retain(|_, list| list.is_sound());
        self.servers.insert(server.to_owned(), opened);
        while self.servers.len() > MOST_SERVERS {
            let others = self.servers.iter().filter(|(name, _)| *name != server);
            let Some(oldest) = others.min_by_key(|(_, opened)| opened.at).map(|(name, _)| name.clone()) else { break };
            self.servers.remove(&oldest);
        }
    }
}

/// Where it is kept: `morpion/console.json` in the user's folder for states. None: nowhere, as the user has none.
pub fn path(env: &dyn Fn(&str) -> Option<String>) -> Option<PathBuf> {
    let folder = |name: &str| env(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let states = folder("XDG_STATE_HOME").or_else(|| Some(folder("HOME")?.join(".local/state")))?;
    Some(states.join("morpion/console.json"))
}

/// Keeps what is open on a server, beside what is kept of others. A file that cannot be read is replaced.
///
/// # Errors
/// A sentence for the operator: it cannot be written. Then the file is as it was.
pub fn save(path: &Path, server: &str, opened: Opened) -> Result<(), String> {
    let mut kept = Kept::read(path).unwrap_or_default();
    kept.put(server, opened);
    let write = || {
        let text = serde_json::to_string(&kept)?;
        let folder = path.parent().unwrap_or(Path::new("/"));
        DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
        // A console that ends at the same time has a name of its own.
        let unfinished = folder.join(format!("console.{}", Uuid::new_v4()));
        let written = || {
            let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&unfinished)?;
            file.write_all(text.as_bytes())?;
            file.sync_all()?;
            fs::rename(&unfinished, path)
        };
        written().inspect_err(|_| drop(fs::remove_file(&unfinished)))
    };
    write().map_err(|error: io::Error| format!("What was open is not kept: {}: {error}.", path.display()))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    fn opened(at: i64) -> Opened {
        let list = KeptList {
            row: Some("7".to_owned()),
            filter: "blitz".to_owned(),
            sort: Some("Title".to_owned()),
            is_reversed: true,
            columns: vec![KeptColumn { name: "Title".to_owned(), is_shown: false }],
        };
        Opened { at, tab: "Events".to_owned(), lists: [("Events".to_owned(), list)].into() }
    }

    #[test]
    fn what_is_kept_is_read_again_and_only_its_owner_can() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("morpion/console.json");
        assert_eq!(Kept::read(&path), Ok(Kept::default()), "at the first start");
        save(&path, "http://one/", opened(1)).unwrap();
        save(&path, "http://two/", opened(2)).unwrap();
        let kept = Kept::read(&path).unwrap();
        assert_eq!((kept.of("http://one/"), kept.of("http://two/")), (Some(&opened(1)), Some(&opened(2))));
        assert_eq!(kept.of("http://three/"), None);
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&path), mode(path.parent().unwrap())), (0o600, 0o700));
        assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1, "nothing else is left");
    }

    #[test]
    fn a_file_of_something_else_is_told_and_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("console.json");
        let long = format!(r#"{{"version":1,"servers":{{"a":{{"at":1,"tab":"{}","lists":{{}}}}}}}}"#, "x".repeat(501));
        let control = "{\"version\":1,\"servers\":{\"a\":{\"at\":1,\"tab\":\"\\u001b]0;evil\",\"lists\":{}}}}";
        let large = " ".repeat(LARGEST as usize + 1);
        let nested = "[".repeat(100_000);
        for hostile in [
            "",
            "null",
            "\u{0}",
            r#"{"version":0,"servers":{}}"#,
            r#"{"version":2,"servers":{}}"#,
            r#"{"version":1,"servers":{},"more":1}"#,
            r#"{"version":1,"servers":{"a":{"at":"now","tab":"Events","lists":{}}}}"#,
            long.as_str(),
            control,
            large.as_str(),
            nested.as_str(),
        ] {
            fs::write(&path, hostile).unwrap();
            let told = Kept::read(&path).unwrap_err();
            assert!(told.starts_with("What was open last time is not known: /"), "{told}");
            save(&path, "http://one/", opened(1)).unwrap();
            assert_eq!(Kept::read(&path).unwrap().of("http://one/"), Some(&opened(1)));
        }
        fs::write(&path, [0xff, 0xfe]).unwrap();
        assert!(Kept::read(&path).is_err());
        assert!(Kept::read(folder.path()).unwrap_err().contains("it is no file of a console"));
    }

    #[test]
    fn what_cannot_be_written_is_told_and_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("console.json");
        fs::create_dir(&path).unwrap();
        fs::write(path.join("file"), "").unwrap();
        let told = save(&path, "http://one/", opened(1)).unwrap_err();
        assert!(told.starts_with("What was open is not kept: /"), "{told}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn few_servers_and_short_texts_are_kept() {
        let mut kept = Kept::default();
        for number in 0..MOST_SERVERS as i64 + 2 {
            kept.put(&format!("http://{number}/"), opened(number));
        }
        assert_eq!(kept.servers.len(), MOST_SERVERS);
        assert_eq!((kept.of("http://0/"), kept.of("http://1/"), kept.of("http://2/").is_some()), (None, None, true));
        // The clock was wrong.
        kept.put("http://late/", opened(-1));
        assert!(kept.of("http://late/").is_some());
        let mut long = opened(1);
        long.lists.values_mut().for_each(|list| list.filter = "ß".repeat(LONGEST + 1));
        kept.put("http://late/", long);
        assert!(kept.of("http://late/").is_some_and(|opened| opened.lists.is_empty()));
    }

    #[test]
    fn the_file_is_in_the_users_folder_for_states() {
        let path_of = |variables: &[(&str, &str)]| {
            path(&|name| variables.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned()))
        };
        assert_eq!(path_of(&[("HOME", "/home/ada")]), Some("/home/ada/.local/state/morpion/console.json".into()));
        let both = [("HOME", "/home/ada"), ("XDG_STATE_HOME", "/states")];
        assert_eq!(path_of(&both), Some("/states/morpion/console.json".into()));
        assert_eq!(path_of(&[("XDG_STATE_HOME", "here"), ("HOME", "")]), None, "relative paths mean nothing");
        assert_eq!(path_of(&[]), None);
    }
}
