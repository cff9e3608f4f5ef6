//! Whom limits count: accounts, addresses, the networks of IPv6 that one customer controls, and those that the
//! configuration says many people share.

use std::{
    fmt,
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
    str::FromStr,
};

use ipnet::IpNet;
use morpion_rules::UserId;
use serde::Deserialize;

/// Whose limit counts: an address or a user.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject {
    Address(ClientAddress),
    User(UserId),
}

impl From<ClientAddress> for Subject {
    fn from(address: ClientAddress) -> Self {
        Self::Address(address)
    }
}

#[cfg(test)]
impl From<IpAddr> for Subject {
    fn from(address: IpAddr) -> Self {
        Self::Address(address.into())
    }
}

impl From<UserId> for Subject {
    fn from(user_id: UserId) -> Self {
        Self::User(user_id)
    }
}

/// A network by its first bits and their number.
pub type Network = (IpAddr, u8);

/// A network, with its multiple of the limit of an address.
pub type NetworkShare = (Network, u32);

/// Networks of IPv6 that are bounded together, with their multiple of the limit of an address. A home gets a /64 or a
/// /56, an organisation a /48: without a bound of their own the holder of a /48 would have 65,536 times an address's
/// share. The multiples leave room for the households and offices that a provider puts into one of them.
pub const NETWORKS: [(u8, u32); 3] = [(64, 1), (56, 4), (48, 16)];

/// How many people the limits of an address are meant for, of whom each may do everything at once.
const PEOPLE_OF_AN_ADDRESS: u32 = 10;

/// How many people a shared network may be said to have.
const PEOPLE: std::ops::RangeInclusive<u32> = 10..=20_000;

/// The widest networks that can be shared ones: wider ones are no school's, but a slip.
const WIDEST: [u8; 2] = [16, 32];

/// A network whose people share the limits of an address, multiplied by their number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct SharedNetwork {
    network: IpNet,
    multiple: u32,
}

/// `limits.shared_networks`: a list of such as "203.0.113.0/28 = 500", a network and the number of its people.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(try_from = "Vec<String>")]
pub struct SharedNetworks(Vec<SharedNetwork>);

impl FromStr for SharedNetwork {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let malformed = || format!("'{text}' is no network with its people; write such as 203.0.113.0/28 = 500");
        let (network, people) = text.split_once('=').ok_or_else(malformed)?;
        let (network, people) = (network.trim(), people.trim().parse::<u32>().map_err(|_| malformed())?);
        let network = network.parse().or_else(|_| network.parse().map(|ip: IpAddr| ip.to_canonical().into()));
        let network: IpNet = network.map_err(|_| malformed())?;
        if network != network.trunc() {
            return Err(format!(
                "'{text}' is not the beginning of a network; write {} or {}",
                network.trunc(),
                network.addr()
            ));
        }
        let widest = WIDEST[usize::from(network.addr().is_ipv6())];
        if network.prefix_len() < widest {
            return Err(format!("'{text}' is too wide; name networks of /{widest} and narrower"));
        }
        if !PEOPLE.contains(&people) {
            let (fewest, most) = (PEOPLE.start(), PEOPLE.end());
            return Err(format!("'{text}' cannot have {people} people; write a number from {fewest} to {most}"));
        }
        Ok(Self { network, multiple: people.div_ceil(PEOPLE_OF_AN_ADDRESS) })
    }
}

impl TryFrom<Vec<String>> for SharedNetworks {
    type Error = String;

    fn try_from(items: Vec<String>) -> Result<Self, String> {
        let shared = items.iter().map(|item| item.parse()).collect::<Result<Vec<SharedNetwork>, _>>()?;
        for (at, SharedNetwork { network, .. }) in shared.iter().enumerate() {
            let overlaps = |other: &&SharedNetwork| other.network.contains(network) || network.contains(&other.network);
            if let Some(other) = shared[..at].iter().find(overlaps) {
                return Err(format!("{network} and {} overlap; name each network once", other.network));
            }
        }
        Ok(Self(shared))
    }
}

impl SharedNetworks {
    /// The address of a client, with the shared network that it is in.
    pub fn client(&self, ip: IpAddr) -> ClientAddress {
        let ip = ip.to_canonical();
        ClientAddress { ip, shared: self.0.iter().find(|shared| shared.network.contains(&ip)).copied() }
    }

    /// Each of them, with the multiple of the limit of an address that it has.
    pub fn iter(&self) -> impl Iterator<Item = NetworkShare> {
        self.0.iter().map(|shared| shared.share())
    }
}

impl SharedNetwork {
    fn share(self) -> NetworkShare {
        ((self.network.addr(), self.network.prefix_len()), self.multiple)
    }
}

/// The address of a client. Limits count nothing else, and [`SharedNetworks::client`] alone makes it: so none of them leaves out
/// what the configuration says of the client's network.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClientAddress {
    ip: IpAddr,
    shared: Option<SharedNetwork>,
}

impl ClientAddress {
    /// Where it is not known.
    pub const UNKNOWN: Self = Self { ip: IpAddr::V4(Ipv4Addr::UNSPECIFIED), shared: None };

    pub fn ip(self) -> IpAddr {
        self.ip
    }

    /// The shared network that it is in.
    pub fn shared(self) -> Option<Network> {
        self.shared.map(|shared| shared.share().0)
    }

    /// The networks that it counts for, with the multiple of the limit of an address that each has: the shared one, or else
    /// those of [`networks`].
    pub fn networks(self) -> Vec<NetworkShare> {
        self.shared.map_or_else(|| networks(self.ip), |shared| vec![shared.share()])
    }
}

impl fmt::Display for ClientAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.ip.fmt(f)
    }
}

#[cfg(test)]
impl From<IpAddr> for ClientAddress {
    fn from(ip: IpAddr) -> Self {
        SharedNetworks::default().client(ip)
    }
}

/// The networks that an address counts for where it is not in a shared one, the narrowest first. A whole IPv4 address has one.
pub fn networks(address: IpAddr) -> Vec<NetworkShare> {
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

#[cfg(test)]
pub mod tests {
    use super::*;

    pub fn shared(items: &[&str]) -> Result<SharedNetworks, String> {
        items.iter().map(|item| (*item).to_owned()).collect::<Vec<_>>().try_into()
    }

    #[test]
    fn the_people_of_a_shared_network_count_together_and_have_more() {
        let shared = shared(&["203.0.113.16/28 = 501", "2001:db8::/48=10"]).unwrap();
        let of = |address: &str| shared.client(address.parse().unwrap()).networks();
        let school = vec![(("203.0.113.16".parse().unwrap(), 28), 51)];
        assert_eq!(of("203.0.113.17"), school);
        assert_eq!(of("::ffff:203.0.113.31"), school);
        assert_eq!(of("203.0.113.32"), vec![(("203.0.113.32".parse().unwrap(), 32), 1)]);
        assert_eq!(of("2001:db8:0:ff::1"), vec![(("2001:db8::".parse().unwrap(), 48), 1)]);
        assert_eq!(of("2001:db8:1::1").len(), 3);
    }

    #[test]
    fn a_slip_in_a_shared_network_is_refused_with_what_to_write() {
        for (items, told) in [
            (&["203.0.113.7/28 = 50"][..], "write 203.0.113.0/28 or 203.0.113.7"),
            (&["school = 50"], "write such as 203.0.113.0/28 = 500"),
            (&["203.0.113.7"], "write such as"),
            (&["203.0.113.7 = many"], "write such as"),
            (&["203.0.113.7 = -5"], "write such as"),
            (&["0.0.0.0/0 = 50"], "networks of /16 and narrower"),
            (&["2001:d00::/24 = 50"], "networks of /32 and narrower"),
            (&["203.0.113.7 = 9"], "from 10 to 20000"),
            (&["203.0.113.7 = 20001"], "from 10 to 20000"),
            (&["203.0.0.0/16 = 50", "203.0.113.7 = 50"], "203.0.113.7/32 and 203.0.0.0/16 overlap"),
        ] {
            let refused = shared(items).unwrap_err();
            assert!(refused.contains(told), "{items:?}: {refused}");
        }
    }
}
