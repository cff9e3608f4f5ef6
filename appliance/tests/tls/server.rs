//! A server with TLS in this process, with its store in memory.

use std::{fs, net::SocketAddr, path::PathBuf, sync::Arc, time::Duration};

use morpion_appliance::{app::App, config::Config};
use reqwest::Client;
use tempfile::TempDir;
use tokio::{
    net::TcpListener,
    sync::oneshot,
    time::{Instant, sleep},
};

use crate::certificates::{Authority, Issued};

/// The name in certificates and in `public_url`.
pub const NAME: &str = "play.example.org";

/// Generous: what is waited for takes a few seconds at most.
pub const PATIENCE: Duration = Duration::from_secs(30);

pub struct Server {
    pub app: Arc<App>,
    pub address: SocketAddr,
    /// Of `http_listen`.
    pub redirecting: SocketAddr,
    folder: Arc<TempDir>,
    _stop: oneshot::Sender<()>,
}

impl Server {
    pub async fn start(issued: &Issued, change: impl FnOnce(&mut Config)) -> Self {
        let folder = Arc::new(TempDir::new().unwrap());
        write(&folder, issued);
        Self::of(folder, |config| {
            config.tls.cert_file = "{data_dir}/tls.crt".to_owned();
            config.tls.key_file = "{data_dir}/tls.key".to_owned();
            change(config);
        })
        .await
    }

    /// With what is in the folder.
    pub async fn of(folder: Arc<TempDir>, change: impl FnOnce(&mut Config)) -> Self {
        // Shown with a test that fails.
        let log = tracing_subscriber::fmt().with_test_writer().with_max_level(tracing::Level::WARN);
        let _ = log.try_init();
        let mut config = Config { data_dir: folder.path().to_owned(), ..Config::default() };
        config.database.url = "mem://".to_owned();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let redirecting = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let redirecting_at = redirecting.local_addr().unwrap();
        config.server.public_url = Some(format!("https://{NAME}:{}", address.port()).parse().unwrap());
        config.server.http_listen = Some(redirecting_at);
        config.server.listen = address;
        change(&mut config);
        let app = App::build(config).await.unwrap();
        let (stop, stopped) = oneshot::channel::<()>();
        let served = Arc::clone(&app).serve_with_redirect(listener, Some(redirecting), async move {
            let _ = stopped.await;
        });
        tokio::spawn(served);
        Self { app, address, redirecting: redirecting_at, folder, _stop: stop }
    }

    pub fn replace(&self, issued: &Issued) {
        write(&self.folder, issued);
    }

    pub fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn url(&self, path: &str) -> String {
        format!("https://{NAME}:{}{path}", self.address.port())
    }

    /// A browser that trusts this authority and finds the server by its name.
    pub fn browser(&self, authority: &Authority) -> Client {
        let root = reqwest::Certificate::from_pem(authority.pem().as_bytes()).unwrap();
        Client::builder()
            .add_root_certificate(root)
            .tls_built_in_root_certs(false)
            .resolve(NAME, self.address)
            .no_proxy()
            .cookie_store(true)
            .redirect(reqwest::redirect::Policy::none())
            .build()
            .unwrap()
    }
}

fn write(folder: &TempDir, issued: &Issued) {
    fs::write(folder.path().join("tls.crt"), &issued.chain).unwrap();
    fs::write(folder.path().join("tls.key"), &issued.key).unwrap();
}

/// Waits until it is so.
pub async fn until(what: &str, mut is_so: impl AsyncFnMut() -> bool) {
    let begun = Instant::now();
    while !is_so().await {
        assert!(begun.elapsed() < PATIENCE, "{what}");
        sleep(Duration::from_millis(50)).await;
    }
}
