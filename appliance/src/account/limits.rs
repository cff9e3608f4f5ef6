//! Rate limits by address or account: `docs/behaviour/accounts.md#rate-limits`.
//!
//! Failed sign-ins have rules of their own: [`super::failures`].

use std::{
    collections::HashMap,
    hash::{BuildHasher, Hash, RandomState},
    num::NonZeroU32,
    time::{Duration, Instant},
};

use governor::{
    DefaultDirectRateLimiter, DefaultKeyedRateLimiter, NotUntil, Quota, RateLimiter,
    clock::{Clock, DefaultClock},
};
use parking_lot::Mutex;
use serde::Deserialize;

pub use crate::subject::{ClientAddress, Network, Subject, network, networks};
use crate::{
    error::CommonError,
    subject::{NETWORKS, SharedNetworks},
};

/// The section `[limits]` of the configuration.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LimitsConfig {
    /// Networks that have more of every limit by address, also of those of other sections.
    pub shared_networks: SharedNetworks,
    pub registrations_per_hour: NonZeroU32,
    pub guests_per_hour: NonZeroU32,
    pub sign_ins_per_minute: NonZeroU32,
    pub passkey_options_per_minute: NonZeroU32,
    pub codes_per_hour: NonZeroU32,
    pub invites_per_minute: NonZeroU32,
    pub invitations_received_per_minute: NonZeroU32,
    pub uploads_per_hour: NonZeroU32,
    pub exports_per_hour: NonZeroU32,
    pub game_exports_per_hour: NonZeroU32,
    pub join_codes_per_hour: NonZeroU32,
    pub hosted_events_per_hour: NonZeroU32,
    pub host_acts_per_hour: NonZeroU32,
    /// Members whom one host invites to private events by their names.
    pub event_invitations_per_day: NonZeroU32,
    /// Private events that are published or under way, in all.
    pub open_private_events: u32,
    pub searches_per_minute: NonZeroU32,
    pub player_pages_per_minute: NonZeroU32,
    pub client_logs_per_minute: NonZeroU32,
    pub program_calls_per_minute: NonZeroU32,
    /// Accounts that become bots, from one address.
    pub bots_per_day: NonZeroU32,
    pub sockets_per_minute: NonZeroU32,
    pub payments_per_minute: NonZeroU32,
    pub payments_per_minute_of_an_address: NonZeroU32,
    pub card_forms_per_hour: NonZeroU32,
    pub card_forms_per_hour_of_an_address: NonZeroU32,
    /// Failed sign-ins for one account from one address before the address has to wait.
    pub failed_sign_ins_per_account_and_address: NonZeroU32,
    /// Failed sign-ins from one address, whatever the accounts.
    pub failed_sign_ins_per_address: NonZeroU32,
    /// Failed sign-ins for one account from everywhere before unknown devices are slowed down.
    pub failed_sign_ins_per_account: NonZeroU32,
    /// Seconds of the first wait.
    pub failed_sign_ins_first_wait: u32,
    /// Seconds of every further wait.
    pub failed_sign_ins_wait: u32,
    /// Seconds by which an unknown device is slowed down.
    pub failed_sign_ins_slow_down: u32,
    /// Seconds after the last failure until failures are forgotten.
    pub failed_sign_ins_memory: u32,
}

impl Default for LimitsConfig {
    fn default() -> Self {
        const fn some(number: u32) -> NonZeroU32 {
            NonZeroU32::new(number).expect("not zero")
        }
        Self {
            shared_networks: SharedNetworks::default(),
            // A school class or a club shares one address.
            registrations_per_hour: some(60),
            guests_per_hour: some(60),
            sign_ins_per_minute: some(60),
            // The page asks for them when it opens.
            passkey_options_per_minute: some(120),
            codes_per_hour: some(10),
            invites_per_minute: some(20),
            invitations_received_per_minute: some(30),
            uploads_per_hour: some(30),
            exports_per_hour: some(2),
            // An organiser fetches those of each event, a program what was played since.
            game_exports_per_hour: some(60),
            // A class that mistypes; 80 bits are not guessed.
            join_codes_per_hour: some(60),
            hosted_events_per_hour: some(10),
            // A tournament of 64 players, each of whose matches is decided by hand; each act is in the audit trail for ever.
            host_acts_per_hour: some(300),
            // Two full events, and as many who do not come.
            event_invitations_per_day: some(256),
            open_private_events: 1_000,
            // The search box asks once every 300 ms of typing.
            searches_per_minute: some(120),
            // Opening a page takes three calls, a filter of its games one.
            player_pages_per_minute: some(240),
            client_logs_per_minute: some(60),
            // Five a second; what is quicker belongs on a websocket.
            program_calls_per_minute: some(300),
            bots_per_day: some(3),
            sockets_per_minute: some(120),
            // Each may take several calls of the payment provider.
            payments_per_minute: some(40),
            payments_per_minute_of_an_address: some(120),
            // Whoever tests stolen cards wants a form for each.
            card_forms_per_hour: some(20),
            card_forms_per_hour_of_an_address: some(60),
            failed_sign_ins_per_account_and_address: some(5),
            failed_sign_ins_per_address: some(10),
            failed_sign_ins_per_account: some(50),
            failed_sign_ins_first_wait: 60,
            failed_sign_ins_wait: 600,
            failed_sign_ins_slow_down: 3,
            failed_sign_ins_memory: 3_600,
        }
    }
}

/// An address has the tries of so many accounts.
const JOIN_CODES_OF_AN_ADDRESS: NonZeroU32 = NonZeroU32::new(5).expect("not zero");

/// What is limited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RateLimit {
    Registration,
    Guest,
    SignIn,
    /// Options for a sign-in with a passkey, before any try.
    PasskeyOptions,
    /// Codes by mail.
    Code,
    Invite,
    /// Being told of an invitation.
    Invited,
    Upload,
    Export,
    /// Exports of games alone.
    GameExport,
    /// Private events that a member makes.
    HostedEvent,
    /// What a member does to private events that they host.
    HostAct,
    /// Members whom a host invites to them.
    EventInvitation,
    /// Tries of join codes, of one account.
    JoinCode,
    /// The same, of one address.
    JoinCodeOfAddress,
    Search,
    /// Calls for a player's page, history and head to head.
    PlayerPage,
    ClientLog,
    /// Calls with the personal tokens of one account.
    ProgramCall,
    /// Accounts that become bots.
    Bot,
    /// Websocket upgrades of those who are signed in.
    Socket,
    /// Those of visitors, so that these leave the others theirs.
    VisitorSocket,
    /// Calls about payments, of one account.
    Payment,
    /// The same, of one address.
    PaymentOfAddress,
    /// Forms in which a card can be entered, of one account.
    CardForm,
    /// The same, of one address.
    CardFormOfAddress,
}

/// Subjects that a table counts one by one. Those that come when it is full share as many buckets, so that no flood of
/// addresses makes it grow beyond 4 MiB, and nobody shares a bucket with a flooder before.
const MOST_SUBJECTS: usize = 1 << 16;

/// How often a full table drops the subjects that have their whole limit again.
const PRUNE_EVERY: Duration = Duration::from_secs(60);

/// Uses counted by subject, each an unpredictable hash.
#[derive(Debug)]
struct Table {
    counts: DefaultKeyedRateLimiter<u64>,
    pruned: Mutex<Instant>,
}

impl Table {
    fn new(quota: Quota) -> Self {
        Self { counts: RateLimiter::keyed(quota), pruned: Mutex::new(Instant::now()) }
    }

    /// What the subject is counted as.
    fn key(&self, subject: u64) -> u64 {
        if self.is_full() {
            let mut pruned = self.pruned.lock();
            if pruned.elapsed() >= PRUNE_EVERY {
                self.counts.retain_recent();
                *pruned = Instant::now();
            }
        }
        if self.is_full() { subject % MOST_SUBJECTS as u64 } else { subject }
    }

    fn is_full(&self) -> bool {
        self.counts.len() >= MOST_SUBJECTS
    }
}

/// A limit for each of [`NETWORKS`], of which users and IPv4 addresses have the first, and for each shared network.
#[derive(Debug)]
struct Limiter {
    networks: [Table; NETWORKS.len()],
    shared: HashMap<Network, DefaultDirectRateLimiter>,
}

impl Limiter {
    fn new(quota: fn(NonZeroU32) -> Quota, number: NonZeroU32, shared: &SharedNetworks) -> Self {
        let quota = |multiple| quota(number.saturating_mul(NonZeroU32::new(multiple).unwrap_or(NonZeroU32::MIN)));
        Self {
            networks: NETWORKS.map(|(_, multiple)| Table::new(quota(multiple))),
            shared: shared.iter().map(|(network, multiple)| (network, RateLimiter::direct(quota(multiple)))).collect(),
        }
    }
}

/// Never more than so many in a day: so many at once, and then one a day.
fn per_day(number: NonZeroU32) -> Quota {
    const DAY: Duration = Duration::from_secs(24 * 3_600);
    Quota::with_period(DAY).map_or_else(|| Quota::per_hour(number), |quota| quota.allow_burst(number))
}

/// So many at once, and then as many again in each day.
fn spread_over_a_day(number: NonZeroU32) -> Quota {
    const DAY: Duration = Duration::from_secs(24 * 3_600);
    Quota::with_period(DAY / number.get()).map_or_else(|| Quota::per_hour(number), |quota| quota.allow_burst(number))
}

#[derive(Debug)]
pub struct Limits {
    hasher: RandomState,
    clock: DefaultClock,
    registrations: Limiter,
    guests: Limiter,
    sign_ins: Limiter,
    passkey_options: Limiter,
    codes: Limiter,
    invites: Limiter,
    invited: Limiter,
    uploads: Limiter,
    exports: Limiter,
    game_exports: Limiter,
    hosted_events: Limiter,
    host_acts: Limiter,
    event_invitations: Limiter,
    join_codes: Limiter,
    join_codes_of_addresses: Limiter,
    searches: Limiter,
    player_pages: Limiter,
    client_logs: Limiter,
    program_calls: Limiter,
    bots: Limiter,
    sockets: Limiter,
    visitor_sockets: Limiter,
    payments: Limiter,
    payments_of_addresses: Limiter,
    card_forms: Limiter,
    card_forms_of_addresses: Limiter,
}

impl Limits {
    pub fn new(config: &LimitsConfig) -> Self {
        let hourly = |number| Limiter::new(Quota::per_hour, number, &config.shared_networks);
        let daily = |number| Limiter::new(per_day, number, &config.shared_networks);
        let over_a_day = |number| Limiter::new(spread_over_a_day, number, &config.shared_networks);
        let by_the_minute = |number| Limiter::new(Quota::per_minute, number, &config.shared_networks);
        Self {
            hasher: RandomState::new(),
            clock: DefaultClock::default(),
            registrations: hourly(config.registrations_per_hour),
            guests: hourly(config.guests_per_hour),
            sign_ins: by_the_minute(config.sign_ins_per_minute),
            passkey_options: by_the_minute(config.passkey_options_per_minute),
            codes: hourly(config.codes_per_hour),
            invites: by_the_minute(config.invites_per_minute),
            invited: by_the_minute(config.invitations_received_per_minute),
            uploads: hourly(config.uploads_per_hour),
            exports: hourly(config.exports_per_hour),
            game_exports: hourly(config.game_exports_per_hour),
            hosted_events: hourly(config.hosted_events_per_hour),
            host_acts: hourly(config.host_acts_per_hour),
            event_invitations: over_a_day(config.event_invitations_per_day),
            join_codes: hourly(config.join_codes_per_hour),
            join_codes_of_addresses: hourly(config.join_codes_per_hour.saturating_mul(JOIN_CODES_OF_AN_ADDRESS)),
            searches: by_the_minute(config.searches_per_minute),
            player_pages: by_the_minute(config.player_pages_per_minute),
            program_calls: by_the_minute(config.program_calls_per_minute),
            bots: daily(config.bots_per_day),
            client_logs: by_the_minute(config.client_logs_per_minute),
            sockets: by_the_minute(config.sockets_per_minute),
            visitor_sockets: by_the_minute(config.sockets_per_minute),
            payments: by_the_minute(config.payments_per_minute),
            payments_of_addresses: by_the_minute(config.payments_per_minute_of_an_address),
            card_forms: hourly(config.card_forms_per_hour),
            card_forms_of_addresses: hourly(config.card_forms_per_hour_of_an_address),
        }
    }

    /// Counts one use.
    ///
    /// # Errors
    /// [`CommonError::TooMany`] with the time until the next one is allowed.
    pub fn check(&self, kind: RateLimit, subject: impl Into<Subject>) -> Result<(), CommonError> {
        let limiter = self.limiter(kind);
        let subjects = match subject.into() {
            Subject::User(user) => vec![self.hasher.hash_one(user)],
            Subject::Address(address) => {
                if let Some(shared) = address.shared().and_then(|network| limiter.shared.get(&network)) {
                    return shared.check().map_err(|until| self.too_many(&until));
                }
                networks(address.ip()).into_iter().map(|(network, _)| self.hasher.hash_one(network)).collect()
            }
        };
        self.count(limiter, subjects)
    }

    /// Counts one use of somebody who has an allowance of their own: a session, or a device that signed in before. Whoever has
    /// another one, with the same account too, uses none of it up.
    ///
    /// # Errors
    /// As [`Limits::check`].
    pub fn check_own(&self, kind: RateLimit, own: impl Hash) -> Result<(), CommonError> {
        self.count(self.limiter(kind), vec![self.hasher.hash_one(own)])
    }

    fn too_many(&self, until: &NotUntil<<DefaultClock as Clock>::Instant>) -> CommonError {
        CommonError::TooMany { retry_after: until.wait_time_from(self.clock.now()) }
    }

    fn count(&self, limiter: &Limiter, subjects: Vec<u64>) -> Result<(), CommonError> {
        for (table, subject) in limiter.networks.iter().zip(subjects) {
            table.counts.check_key(&table.key(subject)).map_err(|until| self.too_many(&until))?;
        }
        Ok(())
    }

    fn limiter(&self, kind: RateLimit) -> &Limiter {
        match kind {
            RateLimit::Registration => &self.registrations,
            RateLimit::Guest => &self.guests,
            RateLimit::SignIn => &self.sign_ins,
            RateLimit::PasskeyOptions => &self.passkey_options,
            RateLimit::Code => &self.codes,
            RateLimit::Invite => &self.invites,
            RateLimit::Invited => &self.invited,
            RateLimit::Upload => &self.uploads,
            RateLimit::Export => &self.exports,
            RateLimit::GameExport => &self.game_exports,
            RateLimit::HostedEvent => &self.hosted_events,
            RateLimit::HostAct => &self.host_acts,
            RateLimit::EventInvitation => &self.event_invitations,
            RateLimit::JoinCode => &self.join_codes,
            RateLimit::JoinCodeOfAddress => &self.join_codes_of_addresses,
            RateLimit::Search => &self.searches,
            RateLimit::PlayerPage => &self.player_pages,
            RateLimit::ClientLog => &self.client_logs,
            RateLimit::ProgramCall => &self.program_calls,
            RateLimit::Bot => &self.bots,
            RateLimit::Socket => &self.sockets,
            RateLimit::VisitorSocket => &self.visitor_sockets,
            RateLimit::Payment => &self.payments,
            RateLimit::PaymentOfAddress => &self.payments_of_addresses,
            RateLimit::CardForm => &self.card_forms,
            RateLimit::CardFormOfAddress => &self.card_forms_of_addresses,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use super::*;

    fn limits(registrations: u32) -> Limits {
        let registrations_per_hour = NonZeroU32::new(registrations).unwrap();
        Limits::new(&LimitsConfig { registrations_per_hour, ..LimitsConfig::default() })
    }

    #[test]
    fn the_one_too_many_is_told_how_long_to_wait() {
        let limits = limits(2);
        let here = IpAddr::from([192, 0, 2, 1]);
        assert!(limits.check(RateLimit::Registration, here).is_ok());
        assert!(limits.check(RateLimit::Registration, here).is_ok());
        let refused = limits.check(RateLimit::Registration, here);
        let Err(CommonError::TooMany { retry_after }) = refused else { panic!("{refused:?}") };
        let wait = retry_after.as_secs();
        assert!((1_700..=1_800).contains(&wait), "one of two an hour is free after half an hour, not {wait} s");
        assert!(limits.check(RateLimit::Search, here).is_ok(), "every kind is counted by itself");
        assert!(limits.check(RateLimit::Registration, IpAddr::from([192, 0, 2, 2])).is_ok());
    }

    #[test]
    fn the_sample_says_the_defaults() {
        assert_eq!(crate::config::Config::default().limits, LimitsConfig::default());
    }

    #[test]
    fn a_customer_of_ipv6_is_one_subject() {
        let limits = limits(2);
        let allowed = |addresses: &mut dyn Iterator<Item = String>| {
            let allowed = |address: &String| limits.check(RateLimit::Registration, address.parse::<IpAddr>().unwrap());
            addresses.filter(|address| allowed(address).is_ok()).count()
        };
        assert_eq!(allowed(&mut (0..50).map(|host| format!("2001:db8:0:1::{host:x}"))), 2, "of a /64");
        assert_eq!(allowed(&mut (0..50).map(|net| format!("2001:db8:1:{net:x}::1"))), 8, "of the /64 in a /56");
        assert_eq!(allowed(&mut (0..50).map(|net| format!("2001:db8:2:{net:x}00::1"))), 32, "of the /56 in a /48");
        assert_eq!(allowed(&mut (0..50).map(|_| "::ffff:192.0.2.1".to_owned())), 2);
        assert_eq!(allowed(&mut std::iter::once("192.0.2.1".to_owned())), 0, "the same address");
    }

    #[test]
    fn a_shared_network_has_a_multiple_for_all_its_addresses_together() {
        let shared_networks = crate::subject::tests::shared(&["203.0.113.0/24 = 500"]).unwrap();
        let registrations_per_hour = NonZeroU32::new(2).unwrap();
        let config = LimitsConfig { shared_networks, registrations_per_hour, ..LimitsConfig::default() };
        let limits = Limits::new(&config);
        let allowed = |subnet| {
            let clients = (0..250).map(|host| config.shared_networks.client([203, 0, subnet, host].into()));
            clients.filter(|client| limits.check(RateLimit::Registration, *client).is_ok()).count()
        };
        assert_eq!([allowed(113), allowed(113), allowed(112)], [100, 0, 250]);
    }

    #[test]
    fn nobody_is_counted_for_somebody_else() {
        let limits = limits(1);
        let refused = (0..20_000_u32)
            .filter(|address| limits.check(RateLimit::Registration, IpAddr::from(address.to_be_bytes())).is_err());
        assert_eq!(refused.count(), 0);
    }

    fn flood(limits: &Limits, kind: RateLimit) -> usize {
        for address in 0..200_000_u32 {
            let _ = limits.check(kind, IpAddr::from(address.to_be_bytes()));
        }
        limits.limiter(kind).networks[0].counts.len()
    }

    #[test]
    fn a_flood_of_addresses_does_not_grow_the_table() {
        let limits = limits(1);
        assert!((MOST_SUBJECTS..=2 * MOST_SUBJECTS).contains(&flood(&limits, RateLimit::Registration)));
    }

    #[test]
    fn after_a_flood_everybody_is_counted_alone_again() {
        let searches_per_minute = NonZeroU32::new(60_000).unwrap();
        let limits = Limits::new(&LimitsConfig { searches_per_minute, ..LimitsConfig::default() });
        flood(&limits, RateLimit::Search);
        let table = &limits.searches.networks[0];
        std::thread::sleep(Duration::from_millis(10));
        *table.pruned.lock() -= PRUNE_EVERY;
        limits.check(RateLimit::Search, IpAddr::from([192, 0, 2, 1])).unwrap();
        assert_eq!(table.counts.len(), 1);
    }
}
