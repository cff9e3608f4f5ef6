//! From where somebody plays: the networks of their connections, and the devices that signed in to their account. Two
//! who share any may be one person, whose games with themselves are not rated: `docs/behaviour/ratings.md#rated-games`.

use std::{collections::BTreeSet, net::IpAddr};

use morpion_rules::UserId;
use morpion_store::Store;

use super::limits::network;
use crate::error::CommonError;

/// Networks that are remembered of one search: more connections of an account are not open at once.
const MAX_NETWORKS: usize = 64;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PlayedFrom {
    networks: BTreeSet<IpAddr>,
    /// The hashes of the cookies of devices, shortened: a chance hit makes one game unrated.
    devices: BTreeSet<u64>,
}

/// What two players share.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shared {
    Network,
    Device,
}

impl PlayedFrom {
    /// The devices of an account; its networks are added by [`PlayedFrom::add`].
    ///
    /// # Errors
    /// The store is unavailable.
    pub async fn devices_of(store: &Store, user: UserId) -> Result<Self, CommonError> {
        let hashes = store.known_devices(user.0).await?;
        let short = |hash: &String| u64::from_str_radix(hash.get(..16)?, 16).ok();
        Ok(Self { networks: BTreeSet::new(), devices: hashes.iter().filter_map(short).collect() })
    }

    /// Adds the address of a connection.
    pub fn add(&mut self, address: Option<IpAddr>) {
        if self.networks.len() < MAX_NETWORKS {
            self.networks.extend(address.map(network));
        }
    }

    /// Takes over the account's devices, which are all that it has by now, and adds the networks.
    pub fn update(&mut self, other: &Self) {
        self.devices.clone_from(&other.devices);
        other.networks.iter().for_each(|network| self.add(Some(*network)));
    }

    /// What the two have in common. Where somebody vouches that people on one network are different ones, that alone does
    /// not count.
    pub fn shared_with(&self, other: &Self, vouched: bool) -> Option<Shared> {
        if !vouched && !self.networks.is_disjoint(&other.networks) {
            return Some(Shared::Network);
        }
        (!self.devices.is_disjoint(&other.devices)).then_some(Shared::Device)
    }
}

impl Shared {
    /// Tells both players; `what` is what the game is because of it.
    pub fn text(self, what: &str) -> String {
        match self {
            Self::Network => format!("You and your opponent share a network address, so this game is {what}."),
            Self::Device => format!("You and your opponent have used the same device, so this game is {what}."),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_who_share_a_network_or_a_device_may_be_one() {
        let from = |address: &str, device: u64| {
            let mut from = PlayedFrom { networks: BTreeSet::new(), devices: BTreeSet::from([device]) };
            from.add(address.parse().ok());
            from
        };
        let ada = from("192.0.2.1", 1);
        assert_eq!(ada.shared_with(&from("192.0.2.2", 2), false), None);
        assert_eq!(ada.shared_with(&from("192.0.2.1", 2), false), Some(Shared::Network));
        assert_eq!(ada.shared_with(&from("192.0.2.2", 1), false), Some(Shared::Device));
        assert_eq!(ada.shared_with(&from("192.0.2.1", 2), true), None, "somebody vouches for those on one network");
        assert_eq!(ada.shared_with(&from("192.0.2.1", 1), true), Some(Shared::Device), "and for nothing else");
        let home = from("2001:db8::1", 3);
        assert_eq!(
            home.shared_with(&from("2001:db8::ffff", 4), false),
            Some(Shared::Network),
            "one network of 64 bits"
        );
        assert_eq!(home.shared_with(&from("2001:db8:0:1::1", 4), false), None);
        let mut roaming = from("192.0.2.9", 9);
        roaming.update(&from("192.0.2.1", 8));
        assert_eq!(roaming.shared_with(&ada, false), Some(Shared::Network));
        assert_eq!(PlayedFrom::default().shared_with(&PlayedFrom::default(), false), None, "nothing is known");
    }
}
