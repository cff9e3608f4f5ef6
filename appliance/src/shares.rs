//! What strangers may take of something at the same time, in all and each: connections, bytes that are held for them, places
//! for uploads. Whoever takes a share gives it back by dropping it.

use std::{collections::HashMap, fmt, sync::Arc};

use morpion_rules::UserId;
use parking_lot::Mutex;

use crate::{
    config::Server,
    subject::{ClientAddress, Network, Subject},
};

/// Why a share is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Full {
    /// All is taken.
    InAll,
    /// Who asks has as much as one may have.
    ForOne,
}

impl fmt::Display for Full {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::InAll => "everything is taken",
            Self::ForOne => "too much is taken from this address",
        })
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Taker {
    Network(Network),
    User(UserId),
}

/// The takers that a subject counts for, each with its multiple of the limit.
fn takers(subject: Option<Subject>) -> Vec<(Taker, u64)> {
    match subject {
        None => vec![],
        Some(Subject::User(user)) => vec![(Taker::User(user), 1)],
        Some(Subject::Address(address)) => address
            .networks()
            .into_iter()
            .map(|(network, multiple)| (Taker::Network(network), u64::from(multiple)))
            .collect(),
    }
}

/// A whole that is shared. The unit is the caller's: one for a connection or a place, bytes for memory.
#[derive(Debug)]
pub struct Shares {
    total: u64,
    each: u64,
    taken: Mutex<Taken>,
}

/// Has at most three networks a share, so it is bounded by the limit in all.
#[derive(Debug, Default)]
struct Taken {
    total: u64,
    takers: HashMap<Taker, u64>,
}

/// A part that is taken; given back when it is dropped.
#[derive(Debug)]
pub struct Share {
    shares: Arc<Shares>,
    subject: Option<Subject>,
    amount: u64,
}

impl Shares {
    pub fn new(total: u64, each: u64) -> Arc<Self> {
        Arc::new(Self { total, each, taken: Mutex::default() })
    }

    /// Bytes that a server holds for its clients.
    pub fn of_bytes(config: &Server) -> Arc<Self> {
        Self::new(config.max_held, config.max_held_per_address)
    }

    /// What is taken at this moment.
    pub fn taken(&self) -> u64 {
        self.taken.lock().total
    }

    /// A share of nothing yet, to grow.
    pub fn begin(self: &Arc<Self>, subject: Option<Subject>) -> Share {
        Share { shares: Arc::clone(self), subject, amount: 0 }
    }

    /// A share; who is `None` counts only in all.
    ///
    /// # Errors
    /// Which limit is reached.
    pub fn take(self: &Arc<Self>, subject: Option<Subject>, amount: u64) -> Result<Share, Full> {
        self.add(subject, amount)?;
        Ok(Share { shares: Arc::clone(self), subject, amount })
    }

    fn add(&self, subject: Option<Subject>, amount: u64) -> Result<(), Full> {
        let (mut taken, takers) = (self.taken.lock(), takers(subject));
        if taken.total.saturating_add(amount) > self.total {
            return Err(Full::InAll);
        }
        let is_full = |(taker, multiple): &(Taker, u64)| {
            let before = taken.takers.get(taker).copied().unwrap_or_default();
            before.saturating_add(amount) > self.most_of(*multiple)
        };
        if takers.iter().any(is_full) {
            return Err(Full::ForOne);
        }
        taken.total += amount;
        for (taker, _) in takers.into_iter().filter(|_| amount > 0) {
            *taken.takers.entry(taker).or_default() += amount;
        }
        Ok(())
    }

    /// What somebody may have who has this multiple of a share. Half of all is left to others, however many share a network.
    fn most_of(&self, multiple: u64) -> u64 {
        self.each.saturating_mul(multiple).min(self.each.max(self.total / 2))
    }

    fn give_back(&self, subject: Option<Subject>, amount: u64) {
        if amount == 0 {
            return;
        }
        let mut taken = self.taken.lock();
        taken.total -= amount;
        for (taker, _) in takers(subject) {
            if let Some(count) = taken.takers.get_mut(&taker) {
                *count -= amount;
                if *count == 0 {
                    taken.takers.remove(&taker);
                }
            }
        }
    }
}

impl Share {
    /// Takes more.
    ///
    /// # Errors
    /// Which limit is reached; the share is then as it was.
    pub fn grow(&mut self, by: u64) -> Result<(), Full> {
        self.shares.add(self.subject, by)?;
        self.amount += by;
        Ok(())
    }

    /// Gives back what is above an amount.
    pub fn shrink_to(&mut self, amount: u64) {
        let surplus = self.amount.saturating_sub(amount);
        self.amount -= surplus;
        self.shares.give_back(self.subject, surplus);
    }

    /// Grows or shrinks to an amount.
    ///
    /// # Errors
    /// As [`Share::grow`].
    pub fn resize(&mut self, amount: u64) -> Result<(), Full> {
        self.shrink_to(amount);
        self.grow(amount - self.amount)
    }

    /// A further share of the same taker.
    ///
    /// # Errors
    /// As [`Shares::take`].
    pub fn another(&self, amount: u64) -> Result<Self, Full> {
        self.shares.take(self.subject, amount)
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        self.shares.give_back(self.subject, self.amount);
    }
}

/// Places for something that takes long, in all, of one address and of one account.
#[derive(Debug)]
pub struct Places {
    of_addresses: Arc<Shares>,
    of_accounts: Arc<Shares>,
}

/// A place; free again when it is dropped.
#[derive(Debug)]
pub struct Place {
    _of_address: Share,
    _of_account: Share,
}

impl Places {
    pub fn new(total: u64, of_address: u64, of_account: u64) -> Self {
        Self { of_addresses: Shares::new(total, of_address), of_accounts: Shares::new(total, of_account) }
    }

    /// How many are taken.
    pub fn taken(&self) -> u64 {
        self.of_accounts.taken()
    }

    /// A place for somebody.
    ///
    /// # Errors
    /// Which limit is reached.
    pub fn take(&self, user: UserId, address: ClientAddress) -> Result<Place, Full> {
        Ok(Place {
            _of_account: self.of_accounts.take(Some(user.into()), 1)?,
            _of_address: self.of_addresses.take(Some(address.into()), 1)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use super::*;

    fn take(shares: &Arc<Shares>, address: &str, amount: u64) -> Result<Share, Full> {
        shares.take(Some(address.parse::<IpAddr>().unwrap().into()), amount)
    }

    #[test]
    fn what_is_dropped_is_free_again() {
        let shares = Shares::new(3, 2);
        let first = take(&shares, "192.0.2.1", 1).unwrap();
        let _second = take(&shares, "::ffff:192.0.2.1", 1).unwrap();
        assert_eq!(take(&shares, "192.0.2.1", 1).unwrap_err(), Full::ForOne);
        let _third = take(&shares, "192.0.2.2", 1).unwrap();
        assert_eq!(take(&shares, "192.0.2.3", 1).unwrap_err(), Full::InAll);
        drop(first);
        take(&shares, "192.0.2.1", 1).unwrap();
    }

    #[test]
    fn a_share_grows_and_shrinks_within_the_limits() {
        let shares = Shares::new(110, 60);
        let mut share = take(&shares, "192.0.2.1", 10).unwrap();
        share.grow(50).unwrap();
        assert_eq!(share.grow(1).unwrap_err(), Full::ForOne);
        let other = take(&shares, "192.0.2.2", 40).unwrap();
        assert_eq!(shares.taken(), 100, "what was refused is not counted");
        share.shrink_to(20);
        assert_eq!(share.another(41).unwrap_err(), Full::ForOne);
        let another = share.another(40).unwrap();
        share.resize(5).unwrap();
        share.resize(20).unwrap();
        assert_eq!(shares.taken(), 100);
        drop((share, other, another));
        assert_eq!(shares.taken(), 0);
        assert!(shares.taken.lock().takers.is_empty(), "what is empty takes no memory");
    }

    #[test]
    fn a_proxy_counts_only_in_all_and_an_account_by_itself() {
        let shares = Shares::new(3, 1);
        let taken: Vec<_> = (0..3).map(|_| shares.take(None, 1).unwrap()).collect();
        assert_eq!(shares.take(None, 1).unwrap_err(), Full::InAll);
        drop(taken);
        assert_eq!(shares.taken(), 0);
        let [ada, bob] = [1, 2].map(|id| Some(Subject::User(UserId(uuid::Uuid::from_u128(id)))));
        let _share = shares.take(ada, 1).unwrap();
        assert_eq!(shares.take(ada, 1).unwrap_err(), Full::ForOne);
        shares.take(bob, 1).unwrap();
    }

    #[test]
    fn nobody_takes_the_places_of_others() {
        let places = Places::new(16, 8, 2);
        let take =
            |user, address| places.take(UserId(uuid::Uuid::from_u128(user)), IpAddr::from([192, 0, 2, address]).into());
        let of_one: Vec<_> = (0..17).map_while(|_| take(0, 0).ok()).collect();
        assert_eq!(of_one.len(), 2);
        let of_address: Vec<_> = (1..50).map_while(|user| take(user, 0).ok()).collect();
        assert_eq!(of_address.len(), 6);
        assert_eq!(take(50, 0).unwrap_err(), Full::ForOne);
        assert!(take(50, 1).is_ok(), "another address");
        drop(of_one);
        assert!(take(0, 0).is_ok());
        assert_eq!(places.taken(), 6);
    }

    #[test]
    fn a_shared_network_has_more_and_leaves_half_to_others() {
        let shared = crate::subject::tests::shared(&["203.0.113.0/24 = 50"]).unwrap();
        let take = |shares: &Arc<Shares>, host| shares.take(Some(shared.client([203, 0, 113, host].into()).into()), 1);
        for (total, most) in [(100, 10), (12, 6)] {
            let shares = Shares::new(total, 2);
            let taken: Vec<_> = (0..50).map_while(|host| take(&shares, host).ok()).collect();
            assert_eq!(taken.len(), most);
            assert_eq!(take(&shares, 99).unwrap_err(), Full::ForOne);
        }
    }

    #[test]
    fn wider_networks_of_ipv6_are_bounded_too() {
        let shares = Shares::new(1_000, 2);
        let taken_in = |addresses: &mut dyn Iterator<Item = String>| {
            addresses.map_while(|address| take(&shares, &address, 1).ok()).collect::<Vec<_>>()
        };
        assert_eq!(taken_in(&mut (0..50).map(|host| format!("2001:db8:0:1::{host:x}"))).len(), 2);
        assert_eq!(taken_in(&mut (0..50).map(|net| format!("2001:db8:0:{net:x}::1"))).len(), 8);
        assert_eq!(taken_in(&mut (0..50).map(|net| format!("2001:db8:0:{net:x}00::1"))).len(), 32);
        assert!(shares.taken.lock().takers.is_empty(), "what is empty takes no memory");
    }
}
