//! Whom limits count: accounts, addresses, and the networks of IPv6 that one customer controls.

use std::net::{IpAddr, Ipv6Addr};

use morpion_rules::UserId;

/// Whose limit counts: an address or a user.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject {
    Address(IpAddr),
    User(UserId),
}

impl From<IpAddr> for Subject {
    fn from(address: IpAddr) -> Self {
        Self::Address(address)
    }
}

impl From<UserId> for Subject {
    fn from(user_id: UserId) -> Self {
        Self::User(user_id)
    }
}

/// A network by its first bits and their number.
pub type Network = (IpAddr, u8);

/// Networks of IPv6 that are bounded together, with their multiple of the limit of an address. A home gets a /64 or a
/// /56, an organisation a /48: without a bound of their own the holder of a /48 would have 65,536 times an address's
/// share. The multiples leave room for the households and offices that a provider puts into one of them.
pub const NETWORKS: [(u8, u32); 3] = [(64, 1), (56, 4), (48, 16)];

/// The networks that an address counts for, the narrowest first, with the multiple of the limit of an address that each
/// has. A whole IPv4 address has one.
pub fn networks(address: IpAddr) -> Vec<(Network, u32)> {
    let prefix = |ip: Ipv6Addr, bits: u8| {
        IpAddr::from(Ipv6Addr::from_bits(ip.to_bits() & (u128::MAX << (128 - u32::from(bits)))))
    };
    match address.to_canonical() {
        IpAddr::V4(ip) => vec![((ip.into(), 32), 1)],
        IpAddr::V6(ip) => NETWORKS.map(|(bits, multiple)| ((prefix(ip, bits), bits), multiple)).to_vec(),
    }
}

/// The part of an address that one customer controls: the narrowest of [`networks`].
pub fn network(address: IpAddr) -> IpAddr {
    let ((network, _), _) = networks(address)[0];
    network
}
