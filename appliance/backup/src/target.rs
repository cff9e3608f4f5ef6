//! Where backups are kept: files by name, each of which is there as a whole or not at all.

mod bucket;
mod folder;

use std::{fmt, fs::File, io::Write, sync::Arc};

use bucket::Bucket;
pub use bucket::BucketOptions;
use folder::Folder;
pub(crate) use folder::sync_folder;

use crate::error::{BackupError, Result};

/// A place for files. Names are relative, with `/` between their parts.
#[derive(Debug, Clone)]
pub struct Target {
    place: Arc<dyn Place>,
    /// The part of the place that this is: empty, or ends with `/`.
    prefix: String,
}

/// Whoever holds it is the only one who changes a target; released when it is dropped.
pub(crate) trait Lock {
    /// False once somebody else may have taken it: nothing may be changed any more.
    fn is_held(&self) -> bool;

    /// # Errors
    /// [`BackupError::Busy`] if it is not held any more.
    fn check(&self) -> Result<()> {
        if self.is_held() { Ok(()) } else { Err(BackupError::Busy) }
    }
}

/// A folder or a bucket.
trait Place: fmt::Debug + fmt::Display + Send + Sync {
    /// Stores what `write` writes under a name, replacing what is there; nothing is left of a failure.
    fn put(&self, name: &str, write: &mut dyn FnMut(&mut dyn Write) -> Result<()>) -> Result<()>;

    fn open(&self, name: &str) -> Result<File>;

    fn has(&self, name: &str) -> Result<bool>;

    /// The names directly in a folder, in any order; none if there is no such folder.
    fn list(&self, folder: &str) -> Result<Vec<String>>;

    /// Removes a file or a folder, if it is there.
    fn remove(&self, name: &str) -> Result<()>;

    fn lock(&self, name: &str) -> Result<Box<dyn Lock>>;
}

impl Target {
    /// The path of a folder, or `s3://BUCKET/PREFIX`. Only inside a tokio runtime for the latter.
    ///
    /// # Errors
    /// [`BackupError::Location`] for what is neither, [`BackupError::Target`] for options that do not fit together.
    pub fn at(location: &str, options: &BucketOptions) -> Result<Self> {
        let place: Arc<dyn Place> = match location.split_once("://") {
            None if !location.trim().is_empty() => Arc::new(Folder::new(location)),
            Some(("s3", bucket)) => Arc::new(Bucket::connect(bucket, options)?),
            _ => return Err(BackupError::Location(location.to_owned())),
        };
        Ok(Self { place, prefix: String::new() })
    }

    /// Whether a text names a target.
    pub fn is_location(text: &str) -> bool {
        match text.split_once("://") {
            None => !text.trim().is_empty(),
            Some((scheme, bucket)) => scheme == "s3" && bucket::is_name(bucket.split('/').next().unwrap_or_default()),
        }
    }

    /// The part of it that is under `name`.
    #[must_use]
    pub fn under(&self, name: &str) -> Self {
        Self { place: Arc::clone(&self.place), prefix: format!("{}{name}/", self.prefix) }
    }

    /// For people.
    pub fn place(&self) -> String {
        format!("{}/{}", self.place, self.prefix).trim_end_matches('/').to_owned()
    }

    /// Writes a file as a whole: once this returns, it is stored under its name.
    ///
    /// # Errors
    /// [`BackupError::Target`]; nothing is left then.
    pub fn put<T>(&self, name: &str, write: impl FnOnce(&mut dyn Write) -> Result<T>) -> Result<T> {
        let (mut write, mut written) = (Some(write), None);
        self.place.put(&self.full(name), &mut |to| {
            let write = write.take().expect("a place writes once");
            written = Some(write(to)?);
            Ok(())
        })?;
        Ok(written.expect("a place writes"))
    }

    /// # Errors
    /// [`BackupError::Missing`], [`BackupError::Target`].
    pub fn open(&self, name: &str) -> Result<File> {
        self.place.open(&self.full(name)).map_err(|error| match error {
            BackupError::Missing { .. } => BackupError::Missing { name: name.to_owned() },
            error => error,
        })
    }

    /// # Errors
    /// [`BackupError::Target`].
    pub fn has(&self, name: &str) -> Result<bool> {
        self.place.has(&self.full(name))
    }

    /// The names of the files and folders directly in `folder`, sorted; none if there is no such folder.
    ///
    /// # Errors
    /// [`BackupError::Target`].
    pub fn list(&self, folder: &str) -> Result<Vec<String>> {
        let mut names = self.place.list(self.full(folder).trim_end_matches('/'))?;
        names.sort();
        Ok(names)
    }

    /// Removes a file or folder, if it is there.
    ///
    /// # Errors
    /// [`BackupError::Target`].
    pub fn remove(&self, name: &str) -> Result<()> {
        self.place.remove(&self.full(name))
    }

    /// # Errors
    /// [`BackupError::Busy`], [`BackupError::Target`].
    pub(crate) fn lock(&self) -> Result<Box<dyn Lock>> {
        self.place.lock(&self.full(".lock"))
    }

    pub(crate) fn refuse(&self, cause: std::io::Error) -> BackupError {
        BackupError::Target { place: self.place(), cause }
    }

    fn full(&self, name: &str) -> String {
        format!("{}{name}", self.prefix)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use object_store::memory::InMemory;

    use super::*;

    fn in_bucket() -> Target {
        let place = Arc::new(Bucket::over(Arc::new(InMemory::new()), "s3://bucket/prefix"));
        Target { place, prefix: String::new() }
    }

    fn text(target: &Target, name: &str) -> String {
        let mut text = String::new();
        target.open(name).unwrap().read_to_string(&mut text).unwrap();
        text
    }

    /// Folders and buckets do the same.
    fn behaves(target: &Target) {
        let write = |target: &Target, name: &str, text: &str| {
            target.put(name, |to| to.write_all(text.as_bytes()).map_err(|cause| target.refuse(cause))).unwrap();
        };
        let part = target.under("server");
        assert_eq!(part.list("a").unwrap(), Vec::<String>::new());
        write(&part, "a/2", "two");
        write(&part, "a/1", "one");
        write(&part, "a/b/3", "three");
        write(&part, "a/1", "ONE");
        assert_eq!(part.list("a").unwrap(), ["1", "2", "b"]);
        assert_eq!(target.list("").unwrap(), ["server"]);
        assert_eq!((text(&part, "a/1"), text(target, "server/a/b/3")), ("ONE".to_owned(), "three".to_owned()));
        assert!(part.has("a/1").unwrap() && !part.has("a/4").unwrap());
        assert!(matches!(part.open("a/4"), Err(BackupError::Missing { name }) if name == "a/4"));
        let failed: Result<()> = part.put("a/5", |to| {
            to.write_all(b"half").map_err(|cause| part.refuse(cause))?;
            Err(BackupError::Busy)
        });
        assert!(failed.is_err() && !part.has("a/5").unwrap(), "nothing is left of a failure");
        part.remove("a/1").unwrap();
        part.remove("a/b").unwrap();
        part.remove("nothing").unwrap();
        assert_eq!(part.list("a").unwrap(), ["2"]);
        let lock = part.lock().unwrap();
        assert!(matches!(part.lock(), Err(BackupError::Busy)));
        drop(lock);
        drop(part.lock().unwrap());
        assert_eq!(part.list("").unwrap(), ["a"], "a lock is not listed");
    }

    #[test]
    fn a_folder_keeps_files() {
        let folder = tempfile::TempDir::new().unwrap();
        behaves(&Target::at(folder.path().to_str().unwrap(), &BucketOptions::default()).unwrap());
    }

    #[test]
    fn a_bucket_keeps_files() {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
        let _inside = runtime.enter();
        behaves(&in_bucket());
    }

    #[test]
    fn a_large_file_goes_to_a_bucket_in_parts() {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
        let _inside = runtime.enter();
        let target = in_bucket();
        let large: Vec<u8> = (0..40_000_000_u32).map(|at| (at % 251) as u8).collect();
        target.put("large", |to| to.write_all(&large).map_err(|cause| target.refuse(cause))).unwrap();
        let mut found = vec![];
        target.open("large").unwrap().read_to_end(&mut found).unwrap();
        assert!(found == large);
    }

    #[test]
    fn locations_are_folders_and_buckets() {
        for text in ["/var/backups", "../there", "s3://bucket", "s3://bucket/a/b"] {
            assert!(Target::is_location(text), "{text}");
        }
        for text in ["", " ", "ftp://host", "s3://", "s3:///a", "http://host/bucket", "s3://Bucket name/a"] {
            assert!(!Target::is_location(text), "{text}");
            assert!(matches!(Target::at(text, &BucketOptions::default()), Err(BackupError::Location(_))), "{text}");
        }
    }
}
