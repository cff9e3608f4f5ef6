//! Failed sign-ins: who has to wait, and for how long. See `docs/behaviour/accounts.md#signing-in`.
//!
//! After 5 failures for one account from one address, or 10 from one address for any accounts, the address has to wait
//! 1 minute, and 10 after every further failure. Failures for one account from everywhere never lock it, so that nobody
//! can lock another user out: from 50 on they only slow down devices that never signed in to it.
//!
//! A device that signed in to the account before, and a session of it, fail on their own: no neighbour's failures make
//! them wait.
//!
//! An address of IPv6 counts with the networks it is in: a /56 may fail four times as often and a /48 sixteen times. A shared
//! network of the configuration has a multiple of the 10 failures for any accounts, and none of those for one account: however
//! many people are there, the account is one person's.
//!
//! An account is identified by what was typed, so accounts that do not exist behave the same.

use std::{
    collections::HashMap,
    hash::Hash,
    sync::Arc,
    time::{Duration, Instant},
};

use morpion_store::User;
use parking_lot::Mutex;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::{
    error::AccountError,
    limits::{ClientAddress, LimitsConfig, Network, network, networks},
};

/// Entries per table, some 64 bytes each. When a table is full, the older half is dropped.
const MAX_ENTRIES: usize = 50_000;

/// What was typed as the account, ignoring case. Stored as a hash: of fixed size, whatever was typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct AccountKey([u8; 16]);

impl AccountKey {
    pub fn new(typed: &str) -> Self {
        let digest = Sha256::digest(typed.trim().to_lowercase().as_bytes());
        let mut key = [0; 16];
        key.copy_from_slice(&digest[..16]);
        Self(key)
    }

    /// As an account's owner types it.
    pub fn of(user: &User) -> Self {
        Self::new(user.email.as_deref().unwrap_or(&user.username))
    }
}

/// Whom failures are counted for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// Everybody at an address.
    Address(ClientAddress),
    /// One device, session or passkey, as a hash.
    Own([u8; 16]),
}

impl From<ClientAddress> for Source {
    fn from(address: ClientAddress) -> Self {
        Self::Address(address)
    }
}

#[cfg(test)]
impl From<std::net::IpAddr> for Source {
    fn from(address: std::net::IpAddr) -> Self {
        Self::Address(address.into())
    }
}

impl Source {
    /// A device that signed in to the account before, by the hash of its cookie.
    pub fn device(hash: &str) -> Self {
        Self::own("device", hash)
    }

    /// A session of the account.
    pub fn session(id: Uuid) -> Self {
        Self::own("session", &id.to_string())
    }

    /// Passkeys used from an address: they cannot be guessed, so that other failures do not count for them.
    pub fn passkey(address: ClientAddress) -> Self {
        Self::own("passkey", &network(address.ip()).to_string())
    }

    fn own(kind: &str, id: &str) -> Self {
        Self::Own(AccountKey::new(&format!("{kind} {id}")).0)
    }
}

#[derive(Debug, Clone, Copy)]
struct Failures {
    count: u32,
    last: Instant,
    wait_until: Option<Instant>,
}

/// Failures by some key.
#[derive(Debug)]
struct FailureTable<K> {
    entries: HashMap<K, Failures>,
    memory: Duration,
}

impl<K: Hash + Eq + Copy> FailureTable<K> {
    fn new(memory: Duration) -> Self {
        Self { entries: HashMap::new(), memory }
    }

    fn get(&self, key: &K, now: Instant) -> Option<&Failures> {
        self.entries.get(key).filter(|failures| now.duration_since(failures.last) < self.memory)
    }

    fn remaining_wait(&self, key: &K, now: Instant) -> Option<Duration> {
        let until = self.get(key, now)?.wait_until?;
        until.checked_duration_since(now).filter(|wait| !wait.is_zero())
    }

    fn add(&mut self, key: K, now: Instant) -> &mut Failures {
        if self.get(&key, now).is_none() {
            self.entries.remove(&key);
            self.make_room(now);
        }
        let failures = self.entries.entry(key).or_insert(Failures { count: 0, last: now, wait_until: None });
        failures.count = failures.count.saturating_add(1);
        failures.last = now;
        failures
    }

    /// Removes one failure that turned out to be none.
    fn undo(&mut self, key: &K, limit: u32) {
        if let Some(failures) = self.entries.get_mut(key) {
            failures.count = failures.count.saturating_sub(1);
            if failures.count < limit {
                failures.wait_until = None;
            }
        }
    }

    fn make_room(&mut self, now: Instant) {
        if self.entries.len() < MAX_ENTRIES {
            return;
        }
        let memory = self.memory;
        self.entries.retain(|_, failures| now.duration_since(failures.last) < memory);
        if self.entries.len() >= MAX_ENTRIES {
            let mut times: Vec<Instant> = self.entries.values().map(|failures| failures.last).collect();
            let middle = times.len() / 2;
            let median = *times.select_nth_unstable(middle).1;
            self.entries.retain(|_, failures| failures.last > median);
        }
    }
}

#[derive(Debug)]
struct FailureTables {
    by_both: FailureTable<(AccountKey, Network)>,
    by_own: FailureTable<(AccountKey, [u8; 16])>,
    by_address: FailureTable<Network>,
    by_account: FailureTable<AccountKey>,
}

/// See the module.
#[derive(Debug)]
pub struct FailedSignIns {
    config: LimitsConfig,
    tables: Mutex<FailureTables>,
}

/// One attempt to sign in. It counts as failed from its start, so that parallel attempts cannot evade the limits, until
/// [`Attempt::succeeded`].
#[derive(Debug)]
#[must_use]
pub struct Attempt {
    failures: Arc<FailedSignIns>,
    account: AccountKey,
    source: Source,
    /// How long it waits before the password is checked.
    pub slow_down: Option<Duration>,
}

impl FailedSignIns {
    pub fn new(config: &LimitsConfig) -> Self {
        let memory = Duration::from_secs(config.failed_sign_ins_memory.into());
        Self {
            config: config.clone(),
            tables: Mutex::new(FailureTables {
                by_both: FailureTable::new(memory),
                by_own: FailureTable::new(memory),
                by_address: FailureTable::new(memory),
                by_account: FailureTable::new(memory),
            }),
        }
    }

    /// Starts an attempt.
    ///
    /// # Errors
    /// [`AccountError::TooManyFailedSignIns`] with the time to wait.
    pub fn begin(
        self: &Arc<Self>,
        account: AccountKey,
        source: impl Into<Source>,
        now: Instant,
    ) -> Result<Attempt, AccountError> {
        let (source, mut tables) = (source.into(), self.tables.lock());
        let wait = match source {
            Source::Own(own) => tables.by_own.remaining_wait(&(account, own), now),
            Source::Address(address) => {
                let of_both = networks(address.ip()).into_iter();
                let of_both = of_both.map(|(network, _)| tables.by_both.remaining_wait(&(account, network), now));
                let of_address = address.networks().into_iter();
                let of_address = of_address.map(|(network, _)| tables.by_address.remaining_wait(&network, now));
                of_both.chain(of_address).flatten().max()
            }
        };
        if let Some(retry_after) = wait {
            return Err(AccountError::TooManyFailedSignIns { retry_after });
        }
        let everywhere = tables.by_account.add(account, now).count;
        let slow_down = match source {
            Source::Own(own) => {
                self.apply_wait(tables.by_own.add((account, own), now), self.config.both_limit(1), now);
                None
            }
            Source::Address(address) => {
                for (network, multiple) in networks(address.ip()) {
                    let both = self.config.both_limit(multiple);
                    self.apply_wait(tables.by_both.add((account, network), now), both, now);
                }
                for (network, multiple) in address.networks() {
                    self.apply_wait(tables.by_address.add(network, now), self.config.address_limit(multiple), now);
                }
                (everywhere > self.config.failed_sign_ins_per_account.get())
                    .then(|| Duration::from_secs(self.config.failed_sign_ins_slow_down.into()))
            }
        };
        Ok(Attempt { failures: Arc::clone(self), account, source, slow_down })
    }

    fn apply_wait(&self, failures: &mut Failures, limit: u32, now: Instant) {
        let seconds = match failures.count {
            count if count < limit => return,
            count if count == limit => self.config.failed_sign_ins_first_wait,
            _ => self.config.failed_sign_ins_wait,
        };
        failures.wait_until = Some(now + Duration::from_secs(seconds.into()));
    }
}

impl Attempt {
    /// The password was right: the failures of this account from this address are cleared. Those of the address stay,
    /// otherwise the owner of one account could guess at other accounts forever.
    pub fn succeeded(self) {
        self.undo(|tables, networks| {
            for (network, _) in networks {
                tables.by_both.entries.remove(&(self.account, *network));
            }
            if let Source::Own(own) = self.source {
                tables.by_own.entries.remove(&(self.account, own));
            }
        });
    }

    /// The server could not check the password: the attempt does not count.
    pub fn cancel(self) {
        let limits = &self.failures.config;
        self.undo(|tables, networks| {
            for (network, multiple) in networks {
                tables.by_both.undo(&(self.account, *network), limits.both_limit(*multiple));
            }
            if let Source::Own(own) = self.source {
                tables.by_own.undo(&(self.account, own), limits.both_limit(1));
            }
        });
    }

    /// It was no failure of the account from everywhere, nor of the address; `of_both` says what it was of both.
    fn undo(&self, of_both: impl FnOnce(&mut FailureTables, &[(Network, u32)])) {
        let mut tables = self.failures.tables.lock();
        let limits = &self.failures.config;
        let (of_account, of_address) = match self.source {
            Source::Address(address) => (networks(address.ip()), address.networks()),
            Source::Own(_) => (vec![], vec![]),
        };
        of_both(&mut tables, &of_account);
        for (network, multiple) in &of_address {
            tables.by_address.undo(network, limits.address_limit(*multiple));
        }
        tables.by_account.undo(&self.account, limits.failed_sign_ins_per_account.get());
    }
}

impl LimitsConfig {
    /// Failures for one account from a network with this multiple of an address's share.
    fn both_limit(&self, multiple: u32) -> u32 {
        self.failed_sign_ins_per_account_and_address.get().saturating_mul(multiple)
    }

    /// Failures from a network, whatever the accounts.
    fn address_limit(&self, multiple: u32) -> u32 {
        self.failed_sign_ins_per_address.get().saturating_mul(multiple)
    }
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use super::*;

    const HERE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(192, 0, 2, 1));

    fn address(number: u32) -> IpAddr {
        IpAddr::from((0x0A00_0000 + number).to_be_bytes())
    }

    fn fail(failures: &Arc<FailedSignIns>, account: &str, from: IpAddr, now: Instant) -> Result<Attempt, u64> {
        failures.begin(AccountKey::new(account), from, now).map_err(|error| match error {
            AccountError::TooManyFailedSignIns { retry_after } => retry_after.as_secs(),
            other => panic!("{other}"),
        })
    }

    fn fresh() -> Arc<FailedSignIns> {
        Arc::new(FailedSignIns::new(&LimitsConfig::default()))
    }

    #[test]
    fn five_failures_cost_a_minute_and_each_further_one_ten() {
        let failures = fresh();
        let start = Instant::now();
        let after = |seconds| start + Duration::from_secs(seconds);
        for _ in 0..5 {
            assert!(fail(&failures, "ada@example.org", HERE, start).is_ok());
        }
        assert_eq!(fail(&failures, "ADA@example.org ", HERE, start).unwrap_err(), 60);
        assert_eq!(fail(&failures, "ada@example.org", HERE, after(59)).unwrap_err(), 1);
        assert!(fail(&failures, "ada@example.org", address(1), start).is_ok(), "elsewhere one may go on");
        assert!(fail(&failures, "bob@example.org", HERE, start).is_ok(), "and with another account");
        assert!(fail(&failures, "ada@example.org", HERE, after(60)).is_ok());
        assert_eq!(fail(&failures, "ada@example.org", HERE, after(60)).unwrap_err(), 600);
        assert!(fail(&failures, "ada@example.org", HERE, after(660)).is_ok());
        assert_eq!(fail(&failures, "ada@example.org", HERE, after(660)).unwrap_err(), 600);
    }

    #[test]
    fn ten_failures_from_an_address_block_it_for_every_account() {
        let failures = fresh();
        let now = Instant::now();
        for account in 0..10 {
            assert!(fail(&failures, &format!("{account}@example.org"), HERE, now).is_ok());
        }
        assert_eq!(fail(&failures, "eleventh@example.org", HERE, now).unwrap_err(), 60);
        assert!(fail(&failures, "eleventh@example.org", address(1), now).is_ok());
    }

    #[test]
    fn a_shared_network_may_fail_more_often_but_not_for_one_account() {
        let shared_networks = crate::subject::tests::shared(&["203.0.113.0/24 = 500"]).unwrap();
        let school = shared_networks.client([203, 0, 113, 1].into());
        let config = LimitsConfig { shared_networks, ..LimitsConfig::default() };
        let (failures, now) = (Arc::new(FailedSignIns::new(&config)), Instant::now());
        let tries = |account: &dyn Fn(u32) -> String, most| {
            let tried = |number| failures.begin(AccountKey::new(&account(number)), school, now).is_ok();
            (0..most).filter(|number| tried(*number)).count()
        };
        assert_eq!(tries(&|_| "ada".to_owned(), 20), 5);
        failures.begin(AccountKey::new("bob"), school, now).unwrap().succeeded();
        assert_eq!(tries(&|number| number.to_string(), 1_000), 495, "500 in all");
    }

    #[test]
    fn a_customer_of_ipv6_does_not_escape_by_another_network() {
        let guesses = |account: &dyn Fn(u32) -> String, network: &dyn Fn(u32) -> String| {
            let (failures, now) = (fresh(), Instant::now());
            let tried = |number: &u32| {
                let from = network(*number).parse().unwrap();
                fail(&failures, &account(*number), from, now).is_ok()
            };
            (0..500).filter(tried).count()
        };
        let (ada, anybody) = (|_: u32| "ada".to_owned(), |number: u32| format!("{number}"));
        let host = |number: u32| format!("2001:db8::{number:x}");
        let of_56 = |number: u32| format!("2001:db8:0:{:x}::1", number % 256);
        let of_48 = |number: u32| format!("2001:db8:0:{:x}00::1", number % 256);
        assert_eq!([guesses(&ada, &host), guesses(&ada, &of_56), guesses(&ada, &of_48)], [5, 20, 80]);
        assert_eq!([guesses(&anybody, &host), guesses(&anybody, &of_56), guesses(&anybody, &of_48)], [10, 40, 160]);
    }

    #[test]
    fn the_right_password_forgives_the_account_but_not_the_address() {
        let failures = fresh();
        let now = Instant::now();
        for _ in 0..4 {
            assert!(fail(&failures, "ada@example.org", HERE, now).is_ok());
        }
        fail(&failures, "ada@example.org", HERE, now).unwrap().succeeded();
        for _ in 0..4 {
            assert!(fail(&failures, "ada@example.org", HERE, now).is_ok());
        }
        assert!(fail(&failures, "bob@example.org", HERE, now).is_ok());
        // 4 + 4 + 1 failures.
        assert!(fail(&failures, "cleo@example.org", HERE, now).is_ok(), "the tenth");
        assert_eq!(fail(&failures, "dora@example.org", HERE, now).unwrap_err(), 60);
    }

    #[test]
    fn fifty_failures_from_everywhere_slow_down_and_lock_nobody_out() {
        let failures = fresh();
        let now = Instant::now();
        for number in 0..50 {
            assert_eq!(fail(&failures, "ada@example.org", address(number), now).unwrap().slow_down, None);
        }
        let further = fail(&failures, "ada@example.org", address(99), now).unwrap();
        assert_eq!(further.slow_down, Some(Duration::from_secs(3)));
        assert_eq!(fail(&failures, "bob@example.org", address(99), now).unwrap().slow_down, None);
    }

    #[test]
    fn a_known_device_and_a_session_wait_only_for_their_own_failures() {
        let (failures, now) = (fresh(), Instant::now());
        for number in 0..10 {
            assert!(fail(&failures, &format!("{number}@example.org"), HERE, now).is_ok());
        }
        assert!(fail(&failures, "ada@example.org", HERE, now).is_err(), "the address has to wait");
        let account = AccountKey::new("ada@example.org");
        for own in [Source::device("0a"), Source::session(Uuid::new_v4()), Source::passkey(HERE.into())] {
            for _ in 0..5 {
                let attempt = failures.begin(account, own, now).unwrap();
                assert_eq!(attempt.slow_down, None);
            }
            assert!(failures.begin(account, own, now).is_err(), "it may not guess for ever: {own:?}");
            assert!(failures.begin(AccountKey::new("bob"), own, now).is_ok(), "{own:?}");
        }
        let device = Source::device("0b");
        (0..4).for_each(|_| drop(failures.begin(account, device, now).unwrap()));
        failures.begin(account, device, now).unwrap().succeeded();
        failures.begin(account, device, now).unwrap().cancel();
        assert!(failures.begin(account, device, now).is_ok(), "the right password forgives");
    }

    #[test]
    fn failures_are_forgotten_after_an_hour() {
        let failures = fresh();
        let start = Instant::now();
        for _ in 0..4 {
            assert!(fail(&failures, "ada@example.org", HERE, start).is_ok());
        }
        let later = start + Duration::from_secs(3_600);
        for _ in 0..5 {
            assert!(fail(&failures, "ada@example.org", HERE, later).is_ok());
        }
        assert!(fail(&failures, "ada@example.org", HERE, later).is_err());
    }

    #[test]
    fn a_try_that_the_server_could_not_decide_does_not_count() {
        let failures = fresh();
        let now = Instant::now();
        for _ in 0..100 {
            fail(&failures, "ada@example.org", HERE, now).unwrap().cancel();
        }
    }

    #[test]
    fn a_flood_does_not_grow_the_tables() {
        let failures = fresh();
        let start = Instant::now();
        for number in 0..120_000_u32 {
            let now = start + Duration::from_millis(number.into());
            let _ = fail(&failures, &format!("{number}"), address(number), now);
        }
        let tables = failures.tables.lock();
        assert!(tables.by_both.entries.len() <= MAX_ENTRIES);
        assert!(tables.by_address.entries.len() <= MAX_ENTRIES);
        assert!(tables.by_account.entries.len() <= MAX_ENTRIES);
        assert!(tables.by_address.entries.contains_key(&(address(119_999), 32)), "the newest are remembered");
    }
}
