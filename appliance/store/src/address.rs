use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use crate::StoreError;

/// Where the data lives: the setting `database.url`.
///
/// `surrealkv://PATH` stores it in a folder (relative paths start at the working directory), `mem://` in memory until
/// the process ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DatabaseUrl {
    /// In memory; gone when the process ends. For tests and demonstrations.
    Memory,
    /// SurrealKV in this folder, synced to disk at every commit.
    Folder(PathBuf),
}

impl DatabaseUrl {
    /// The folder that holds the data, or `None` in memory.
    pub fn folder(&self) -> Option<&Path> {
        match self {
            Self::Memory => None,
            Self::Folder(path) => Some(path),
        }
    }
}

impl FromStr for DatabaseUrl {
    type Err = StoreError;

    fn from_str(text: &str) -> Result<Self, StoreError> {
        let refuse = |reason: &str| Err(StoreError::Address { address: text.to_owned(), reason: reason.to_owned() });
        match text.split_once("://") {
            Some(("mem", "")) => Ok(Self::Memory),
            Some(("mem", _)) => refuse("memory has no path"),
            Some(("surrealkv", "")) => refuse("the path is missing"),
            // SurrealDB would read what follows as settings of the engine.
            Some(("surrealkv", path)) if path.contains('?') => refuse("a path with '?' cannot be used"),
            Some(("surrealkv", path)) => Ok(Self::Folder(PathBuf::from(path))),
            _ => refuse("this kind of database is not known"),
        }
    }
}

impl fmt::Display for DatabaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Memory => f.write_str("mem://"),
            Self::Folder(path) => write!(f, "surrealkv://{}", path.display()),
        }
    }
}
