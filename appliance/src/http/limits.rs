//! How many connections there may be, in all and from one address. A request that is passed on has one to the leader.

use std::{collections::HashMap, net::IpAddr, sync::Arc};

use parking_lot::Mutex;

use crate::{
    account::limits::{Network, networks},
    config::Server as ServerConfig,
    process::connections_with_files,
};

/// Why a connection is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LimitReached {
    Server,
    Address,
}

#[derive(Debug)]
pub struct ConnectionLimits {
    total: usize,
    per_address: usize,
    taken: Mutex<Taken>,
}

/// Has at most three networks a connection, so it is bounded by the limit in all.
#[derive(Debug, Default)]
struct Taken {
    total: usize,
    networks: HashMap<Network, usize>,
}

/// A connection's permit; free again when it is dropped.
#[derive(Debug)]
pub struct ConnectionPermit {
    limits: Arc<ConnectionLimits>,
    address: Option<IpAddr>,
}

impl ConnectionLimits {
    pub fn new(total: usize, per_address: usize) -> Arc<Self> {
        Arc::new(Self { total, per_address, taken: Mutex::default() })
    }

    /// Those of a server, as far as there are file descriptors.
    pub fn of_server(config: &ServerConfig) -> Arc<Self> {
        Self::new(connections_with_files(config.max_connections), config.max_connections_per_address)
    }

    /// Connections at this moment.
    pub fn taken(&self) -> usize {
        self.taken.lock().total
    }

    /// A permit for a connection; `None` as address counts only in all.
    ///
    /// # Errors
    /// Which limit is reached.
    pub fn take(self: &Arc<Self>, address: Option<IpAddr>) -> Result<ConnectionPermit, LimitReached> {
        let mut taken = self.taken.lock();
        if taken.total >= self.total {
            return Err(LimitReached::Server);
        }
        let is_full = |(network, multiple)| {
            let limit = self.per_address.saturating_mul(multiple as usize);
            taken.networks.get(&network).is_some_and(|&count| count >= limit)
        };
        if address.into_iter().flat_map(networks).any(is_full) {
            return Err(LimitReached::Address);
        }
        taken.total += 1;
        for (network, _) in address.into_iter().flat_map(networks) {
            *taken.networks.entry(network).or_default() += 1;
        }
        Ok(ConnectionPermit { limits: Arc::clone(self), address })
    }
}

impl Drop for ConnectionPermit {
    fn drop(&mut self) {
        let mut taken = self.limits.taken.lock();
        taken.total -= 1;
        for (network, _) in self.address.into_iter().flat_map(networks) {
            if let Some(count) = taken.networks.get_mut(&network) {
                *count -= 1;
                if *count == 0 {
                    taken.networks.remove(&network);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn take(limits: &Arc<ConnectionLimits>, address: &str) -> Result<ConnectionPermit, LimitReached> {
        limits.take(Some(address.parse().unwrap()))
    }

    #[test]
    fn a_place_is_free_again_when_its_connection_ends() {
        let limits = ConnectionLimits::new(3, 2);
        let first = take(&limits, "192.0.2.1").unwrap();
        let _second = take(&limits, "::ffff:192.0.2.1").unwrap();
        assert_eq!(take(&limits, "192.0.2.1").unwrap_err(), LimitReached::Address);
        let _third = take(&limits, "192.0.2.2").unwrap();
        assert_eq!(take(&limits, "192.0.2.3").unwrap_err(), LimitReached::Server);
        drop(first);
        take(&limits, "192.0.2.1").unwrap();
    }

    #[test]
    fn a_proxy_counts_only_in_all() {
        let limits = ConnectionLimits::new(3, 1);
        let taken: Vec<_> = (0..3).map(|_| limits.take(None).unwrap()).collect();
        assert_eq!(limits.take(None).unwrap_err(), LimitReached::Server);
        drop(taken);
        assert_eq!(limits.taken(), 0);
    }

    #[test]
    fn wider_networks_of_ipv6_are_bounded_too() {
        let limits = ConnectionLimits::new(1_000, 2);
        let taken_in = |addresses: &mut dyn Iterator<Item = String>| {
            addresses.map_while(|address| take(&limits, &address).ok()).collect::<Vec<_>>()
        };
        assert_eq!(taken_in(&mut (0..50).map(|host| format!("2001:db8:0:1::{host:x}"))).len(), 2);
        assert_eq!(taken_in(&mut (0..50).map(|net| format!("2001:db8:0:{net:x}::1"))).len(), 8);
        assert_eq!(taken_in(&mut (0..50).map(|net| format!("2001:db8:0:{net:x}00::1"))).len(), 32);
        assert!(limits.taken.lock().networks.is_empty(), "what is empty takes no memory");
    }
}
