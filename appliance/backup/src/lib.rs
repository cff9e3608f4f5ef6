//! Backups: a copy of the database at one moment, and the commits since then.
//!
//! | module | what it is |
//! |---|---|
//! | [`target`] | where backups are kept: files by name, each written as a whole |
//! | [`seal`] | the contents of these files: checked, and encrypted if there is a passphrase |
//! | [`manifest`] | what a backup consists of |
//! | [`repository`] | the backups of one server at a target: create, list, prune |
//! | [`log`] | follows the database's log and ships it |
//! | [`tail`] | adds what a process that was killed had not shipped |
//! | [`restore`] | makes a data folder of a backup, as of any moment |
//!
//! The database is one of `surrealkv`: tables, which never change and are stored once however many backups have them,
//! and a log of segments that only grow. A backup is a checkpoint of the tables and the segments from then on. The
//! format of a target is in `docs/behaviour/backups.md`.
//!
//! All calls block; callers run them beside the runtime.

pub mod error;
pub mod log;
pub mod manifest;
pub mod repository;
pub mod restore;
pub mod seal;
pub mod tail;
pub mod target;

pub use error::{BackupError, remove_folder};
pub use manifest::{BackupId, Manifest};
pub use repository::Repository;
pub use target::Target;
