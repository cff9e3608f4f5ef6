//! A bucket that speaks S3.

use std::{
    fmt,
    fs::File,
    future::Future,
    io::{self, BufWriter, Read, Seek, Write},
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use chrono::{TimeDelta, Utc};
use futures_util::TryStreamExt;
use object_store::{
    ClientOptions, Error, ObjectStore, ObjectStoreExt, PutMode, PutOptions, PutPayload, RetryConfig, UpdateVersion,
    WriteMultipart, aws::AmazonS3Builder, path::Path,
};
use tokio::{runtime::Handle, task::JoinHandle};
use uuid::Uuid;

use super::{Lock, Place};
use crate::error::{BackupError, Result};

/// Larger files are uploaded in parts of this size, so that a cut connection costs one part.
const PART: usize = 8 << 20;

/// Parts that are under way at once.
const AT_ONCE: usize = 2;

/// For connecting, and for one request.
const CONNECT: Duration = Duration::from_secs(10);
const REQUEST: Duration = Duration::from_secs(120);

/// A lock is written again this often while it is held, and one attempt may take so long.
const LOCK_RENEWED: Duration = Duration::from_secs(20);
const RENEWAL: Duration = Duration::from_secs(20);

/// A lock of which a process has seen for so long that nobody renews it was left by a process that is gone.
const LOCK_EXPIRES: Duration = Duration::from_secs(90);

/// So is one that is older than this, even if nobody has watched it. This machine's clock may differ from the bucket's.
const LOCK_OLD: TimeDelta = TimeDelta::minutes(20);

/// How a bucket is reached. What is left out is taken from the environment, as the tools of AWS do.
#[derive(Clone, Default)]
pub struct BucketOptions {
    /// Of other providers than AWS: `https://HOST`.
    pub endpoint: Option<String>,
    pub region: Option<String>,
    pub access_key: Option<String>,
    pub secret_key: Option<String>,
}

impl fmt::Debug for BucketOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { endpoint, region, .. } = self;
        f.debug_struct("BucketOptions").field("endpoint", endpoint).field("region", region).finish_non_exhaustive()
    }
}

#[derive(Debug)]
pub(super) struct Bucket {
    store: Arc<dyn ObjectStore>,
    prefix: String,
    place: String,
    runtime: Handle,
    /// The lock of somebody else, and since when it has been like that.
    others: Mutex<Option<(UpdateVersion, Instant)>>,
}

/// Renewed while it is there; its object is removed when it is dropped.
struct LockObject {
    store: Arc<dyn ObjectStore>,
    path: Path,
    runtime: Handle,
    /// Ends when the lock was lost.
    renewing: JoinHandle<()>,
}

impl Lock for LockObject {
    fn is_held(&self) -> bool {
        !self.renewing.is_finished()
    }
}

impl Drop for LockObject {
    fn drop(&mut self) {
        if !self.is_held() {
            return;
        }
        self.renewing.abort();
        if let Err(error) = self.runtime.block_on(self.store.delete(&self.path)) {
            tracing::warn!(%error, "a lock of the backups could not be removed; it expires");
        }
    }
}

/// Writes a lock: its holder, and something new, so that each version is another one.
async fn put_lock(
    store: &dyn ObjectStore,
    path: &Path,
    holder: Uuid,
    mode: PutMode,
) -> object_store::Result<UpdateVersion> {
    let content = PutPayload::from(format!("{holder} {}", Uuid::new_v4()));
    let options = PutOptions { mode, ..PutOptions::default() };
    store.put_opts(path, content, options).await.map(UpdateVersion::from)
}

/// Renews a lock until it is lost.
async fn renew_lock(
    store: Arc<dyn ObjectStore>,
    path: Path,
    holder: Uuid,
    mut version: UpdateVersion,
    every: Duration,
) {
    let renew = async |version| match put_lock(&*store, &path, holder, PutMode::Update(version)).await {
        // Perhaps a renewal whose answer was lost.
        Err(Error::Precondition { .. }) => {
            let found = store.get(&path).await?;
            let meta = &found.meta;
            let version = UpdateVersion { e_tag: meta.e_tag.clone(), version: meta.version.clone() };
            let is_own = found.bytes().await?.starts_with(holder.to_string().as_bytes());
            Ok(is_own.then_some(version))
        }
        renewed => renewed.map(Some),
    };
    let mut renewed = Instant::now();
    loop {
        tokio::time::sleep(every).await;
        match tokio::time::timeout(RENEWAL, renew(version.clone())).await {
            Ok(Ok(Some(newer))) => (version, renewed) = (newer, Instant::now()),
            Ok(Ok(None) | Err(Error::NotFound { .. })) => break,
            // Others take it for abandoned soon.
            _ if renewed.elapsed() + every + RENEWAL >= LOCK_EXPIRES => break,
            Ok(Err(error)) => tracing::warn!(%error, "the lock of the backups could not be renewed yet"),
            Err(_) => tracing::warn!("the lock of the backups could not be renewed in time yet"),
        }
    }
    tracing::warn!("the lock of the backups was lost");
}

/// Whether a text can be the name of a bucket.
pub(super) fn is_name(text: &str) -> bool {
    (3..=63).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b".-_".contains(&byte))
}

impl Bucket {
    pub(super) fn connect(location: &str, options: &BucketOptions) -> Result<Self> {
        let place = format!("s3://{location}");
        let (bucket, _) = location.split_once('/').unwrap_or((location, ""));
        if !is_name(bucket) {
            return Err(BackupError::Location(place));
        }
        let client = ClientOptions::new().with_connect_timeout(CONNECT).with_timeout(REQUEST);
        let retry = RetryConfig { max_retries: 4, retry_timeout: REQUEST, ..RetryConfig::default() };
        let mut builder = AmazonS3Builder::from_env().with_bucket_name(bucket).with_retry(retry);
        let mut client = client;
        if let Some(endpoint) = &options.endpoint {
            client = client.with_allow_http(endpoint.starts_with("http://"));
            builder = builder.with_endpoint(endpoint.trim_end_matches('/'));
        }
        if let Some(region) = &options.region {
            builder = builder.with_region(region);
        }
        if let (Some(access), Some(secret)) = (&options.access_key, &options.secret_key) {
            builder = builder.with_access_key_id(access).with_secret_access_key(secret);
        }
        let store = builder.with_client_options(client).build();
        let store =
            store.map_err(|error| BackupError::Target { place: place.clone(), cause: io::Error::other(error) })?;
        Ok(Self::over(Arc::new(store), &place))
    }

    /// `place` is `s3://BUCKET/PREFIX`.
    pub(super) fn over(store: Arc<dyn ObjectStore>, place: &str) -> Self {
        let location = place.trim_start_matches("s3://").trim_end_matches('/');
        let prefix = location.split_once('/').map_or("", |(_, prefix)| prefix).to_owned();
        let (place, runtime) = (format!("s3://{location}"), Handle::current());
        Self { store, prefix, place, runtime, others: Mutex::new(None) }
    }

    fn path(&self, name: &str) -> Path {
        Path::from(format!("{}/{name}", self.prefix))
    }

    fn wait<T>(&self, work: impl Future<Output = object_store::Result<T>>) -> object_store::Result<T> {
        self.runtime.block_on(work)
    }

    fn refuse(&self, cause: impl Into<io::Error>) -> BackupError {
        BackupError::Target { place: self.place.clone(), cause: cause.into() }
    }

    async fn upload(&self, path: &Path, mut from: File) -> object_store::Result<()> {
        let mut upload = WriteMultipart::new_with_chunk_size(self.store.put_multipart(path).await?, PART);
        let mut part = vec![0; PART];
        loop {
            let read = match from.read(&mut part) {
                Ok(0) => break,
                Ok(read) => read,
                Err(error) => {
                    let _ = upload.abort().await;
                    return Err(Error::Generic { store: "local", source: Box::new(error) });
                }
            };
            upload.wait_for_capacity(AT_ONCE).await?;
            upload.write(&part[..read]);
        }
        upload.finish().await.map(drop)
    }

    async fn download(&self, path: &Path) -> object_store::Result<File> {
        let local = |error: io::Error| Error::Generic { store: "local", source: Box::new(error) };
        let mut file = tempfile::tempfile().map_err(local)?;
        let mut bytes = self.store.get(path).await?.into_stream();
        while let Some(bytes) = bytes.try_next().await? {
            file.write_all(&bytes).map_err(local)?;
        }
        file.rewind().map_err(local)?;
        Ok(file)
    }

    /// The version of the lock, if it was taken.
    async fn take_lock(&self, path: &Path, holder: Uuid) -> object_store::Result<Option<UpdateVersion>> {
        match put_lock(&*self.store, path, holder, PutMode::Create).await {
            Err(Error::AlreadyExists { .. }) => {}
            taken => return taken.map(Some),
        }
        let found = self.store.head(path).await?;
        let age = Utc::now() - found.last_modified;
        let left = UpdateVersion { e_tag: found.e_tag, version: found.version };
        if age < LOCK_OLD && !self.is_abandoned(&left) {
            return Ok(None);
        }
        match put_lock(&*self.store, path, holder, PutMode::Update(left)).await {
            Err(Error::Precondition { .. }) => Ok(None),
            taken => taken.map(Some),
        }
    }

    /// Whether somebody else's lock has been like that for too long.
    fn is_abandoned(&self, lock: &UpdateVersion) -> bool {
        let mut others = self.others.lock().unwrap_or_else(PoisonError::into_inner);
        match &*others {
            Some((seen, since)) if seen == lock => since.elapsed() >= LOCK_EXPIRES,
            _ => {
                *others = Some((lock.clone(), Instant::now()));
                false
            }
        }
    }
}

impl fmt::Display for Bucket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.place)
    }
}

impl Place for Bucket {
    fn put(&self, name: &str, write: &mut dyn FnMut(&mut dyn Write) -> Result<()>) -> Result<()> {
        // A bucket takes an object whose size is known, or parts that can be sent again.
        let mut file = BufWriter::new(tempfile::tempfile().map_err(|cause| self.refuse(cause))?);
        write(&mut file)?;
        let mut file = file.into_inner().map_err(|error| self.refuse(error.into_error()))?;
        let length = file.stream_position().map_err(|cause| self.refuse(cause))?;
        file.rewind().map_err(|cause| self.refuse(cause))?;
        let path = self.path(name);
        let stored = if length > PART as u64 {
            self.wait(self.upload(&path, file))
        } else {
            let mut bytes = vec![];
            file.read_to_end(&mut bytes).map_err(|cause| self.refuse(cause))?;
            self.wait(async { self.store.put(&path, bytes.into()).await.map(drop) })
        };
        stored.map_err(|error| self.refuse(error))
    }

    fn open(&self, name: &str) -> Result<File> {
        self.wait(self.download(&self.path(name))).map_err(|error| match error {
            Error::NotFound { .. } => BackupError::Missing { name: name.to_owned() },
            error => self.refuse(error),
        })
    }

    fn has(&self, name: &str) -> Result<bool> {
        match self.wait(async { self.store.head(&self.path(name)).await }) {
            Ok(_) => Ok(true),
            Err(Error::NotFound { .. }) => Ok(false),
            Err(error) => Err(self.refuse(error)),
        }
    }

    fn list(&self, folder: &str) -> Result<Vec<String>> {
        let path = self.path(folder);
        let found = self.wait(self.store.list_with_delimiter(Some(&path))).map_err(|error| self.refuse(error))?;
        let objects = found.objects.iter().map(|object| &object.location);
        let names = found.common_prefixes.iter().chain(objects).filter_map(Path::filename);
        // Locks.
        Ok(names.filter(|name| !name.starts_with('.')).map(str::to_owned).collect())
    }

    fn remove(&self, name: &str) -> Result<()> {
        let path = self.path(name);
        let removed = self.wait(async {
            match self.store.delete(&path).await {
                Ok(()) | Err(Error::NotFound { .. }) => {}
                Err(error) => return Err(error),
            }
            let mut below = self.store.list(Some(&path));
            while let Some(object) = below.try_next().await? {
                self.store.delete(&object.location).await?;
            }
            Ok(())
        });
        removed.map_err(|error| self.refuse(error))
    }

    fn lock(&self, name: &str) -> Result<Box<dyn Lock>> {
        let (path, holder) = (self.path(name), Uuid::new_v4());
        match self.wait(self.take_lock(&path, holder)) {
            Ok(Some(version)) => {
                let (store, runtime) = (Arc::clone(&self.store), self.runtime.clone());
                let renewing = renew_lock(Arc::clone(&store), path.clone(), holder, version, LOCK_RENEWED);
                let renewing = runtime.spawn(renewing);
                Ok(Box::new(LockObject { store, path, runtime, renewing }))
            }
            Ok(None) => Err(BackupError::Busy),
            Err(error) => Err(self.refuse(error)),
        }
    }
}

#[cfg(test)]
mod tests {
    use object_store::memory::InMemory;

    use super::*;

    fn runtime() -> tokio::runtime::Runtime {
        tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap()
    }

    #[test]
    fn a_lock_that_nobody_renews_is_taken() {
        let runtime = runtime();
        let _inside = runtime.enter();
        let store = Arc::new(InMemory::new());
        let [left, other] = [0, 1].map(|_| Bucket::over(Arc::clone(&store) as Arc<dyn ObjectStore>, "s3://bucket"));
        let held = left.lock(".lock").unwrap();
        let is_busy = || matches!(other.lock(".lock"), Err(BackupError::Busy));
        let wait = || other.others.lock().unwrap().as_mut().unwrap().1 -= LOCK_EXPIRES;
        assert!(is_busy() && is_busy());
        // It was renewed meanwhile.
        runtime.block_on(put_lock(&*store, &left.path(".lock"), Uuid::nil(), PutMode::Overwrite)).unwrap();
        wait();
        assert!(is_busy() && is_busy());
        wait();
        let taken = other.lock(".lock").unwrap();
        assert!(matches!(left.lock(".lock"), Err(BackupError::Busy)));
        assert!(taken.is_held());
        drop(taken);
        drop(left.lock(".lock").unwrap());
        std::mem::forget(held);
    }

    #[test]
    fn a_lock_is_renewed_until_it_is_somebody_elses() {
        let runtime = runtime();
        let store: Arc<dyn ObjectStore> = Arc::new(InMemory::new());
        let (path, holder) = (Path::from(".lock"), Uuid::new_v4());
        runtime.block_on(async {
            let first = put_lock(&*store, &path, holder, PutMode::Create).await.unwrap();
            // A renewal whose answer was lost.
            put_lock(&*store, &path, holder, PutMode::Update(first.clone())).await.unwrap();
            let lost = store.head(&path).await.unwrap().e_tag;
            let every = Duration::from_millis(5);
            let renewing = tokio::spawn(renew_lock(Arc::clone(&store), path.clone(), holder, first, every));
            while store.head(&path).await.unwrap().e_tag == lost {
                tokio::time::sleep(every).await;
            }
            assert!(!renewing.is_finished());
            put_lock(&*store, &path, Uuid::new_v4(), PutMode::Overwrite).await.unwrap();
            tokio::time::timeout(Duration::from_secs(10), renewing).await.unwrap().unwrap();
        });
    }
}
