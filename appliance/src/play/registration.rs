//! New games among those in memory: counted until they are over, and forgotten if they are not opened.
//!
//! There is room for so many games that are not over. A quarter of it is for those of events alone, and another one for
//! events and quick match: invitations wait for up to a day, and must not keep people from playing now. And so that few
//! cannot take the places of all who invite, the invitations that wait are bounded for each network.

use std::{collections::HashMap, net::IpAddr, sync::Arc};

use morpion_rules::{Game, UserId};
use parking_lot::Mutex;

use super::{
    Play,
    error::{PlayError, Room},
    runtime::GameRuntime,
    shared::Shared,
};

/// A network by its first bits and their number.
type Network = (IpAddr, u8);

/// One of the networks of an address, with the multiple of the share of one address that it has. Where the address is not
/// known there is none, and what is counted counts in all only.
pub type NetworkShare = (Network, u32);

/// How many games there may be at once.
#[derive(Debug, Clone, Copy)]
pub(super) struct Places {
    /// Games that are not over.
    pub(super) all: usize,
    /// Waiting invitations of one address.
    pub(super) waiting_per_address: usize,
}

impl Places {
    /// Games between friends, waiting or active.
    fn invites(self) -> usize {
        self.all / 2
    }

    /// Games between friends and those of quick match.
    fn outside_events(self) -> usize {
        self.all - self.all / 4
    }

    /// Waiting invitations of a network: never more than half of all, however small the server or wide the network is.
    fn waiting_of(self, multiple: u32) -> usize {
        self.waiting_per_address.saturating_mul(multiple as usize).min(self.invites().div_ceil(2))
    }
}

/// How many games are not over. In three kinds: each kind is counted where it begins and where it ends.
#[derive(Debug, Default)]
pub(super) struct LiveGames(Mutex<Taken>);

#[derive(Debug, Default)]
struct Taken {
    invites: usize,
    quick: usize,
    event: usize,
    /// Waiting invitations; has at most three networks each.
    waiting: HashMap<Network, usize>,
}

impl Taken {
    fn of_kind(&mut self, kind: Kind) -> &mut usize {
        match kind {
            Kind::Invite => &mut self.invites,
            Kind::Quick => &mut self.quick,
            Kind::Event => &mut self.event,
        }
    }
}

#[derive(Debug, Clone, Copy)]
enum Kind {
    Invite,
    Quick,
    Event,
}

impl Kind {
    fn of(game: &Game) -> Self {
        match (game.is_event(), game.is_quick()) {
            (true, _) => Self::Event,
            (_, true) => Self::Quick,
            _ => Self::Invite,
        }
    }
}

impl LiveGames {
    /// Counts a game that there is already.
    pub(super) fn count(self: &Arc<Self>, game: &Game) -> CountedGame {
        let kind = Kind::of(game);
        *self.0.lock().of_kind(kind) += 1;
        CountedGame { live: Arc::clone(self), kind, waiting: vec![] }
    }

    /// Counts a new game; an invitation counts for the networks `from` which it was made until it starts.
    ///
    /// # Errors
    /// [`PlayError::NoRoom`], [`PlayError::TooManyInvitations`].
    pub(super) fn take(
        self: &Arc<Self>,
        game: &Game,
        from: &[NetworkShare],
        places: Places,
    ) -> Result<CountedGame, PlayError> {
        let kind = Kind::of(game);
        let mut taken = self.0.lock();
        let outside_events = taken.invites + taken.quick;
        let (most, others, room) = match kind {
            Kind::Invite if taken.invites >= places.invites() => return Err(PlayError::NoRoom(Room::Invitations)),
            Kind::Invite | Kind::Quick => (places.outside_events(), outside_events, Room::Games),
            Kind::Event => (places.all, outside_events + taken.event, Room::Games),
        };
        if others >= most {
            return Err(PlayError::NoRoom(room));
        }
        let waiting = if matches!(kind, Kind::Invite) { from.to_vec() } else { vec![] };
        let is_full = |(network, multiple): &NetworkShare| {
            taken.waiting.get(network).is_some_and(|count| *count >= places.waiting_of(*multiple))
        };
        if waiting.iter().any(is_full) {
            return Err(PlayError::TooManyInvitations);
        }
        *taken.of_kind(kind) += 1;
        for (network, _) in &waiting {
            *taken.waiting.entry(*network).or_default() += 1;
        }
        Ok(CountedGame { live: Arc::clone(self), kind, waiting })
    }

    /// Games of quick match that are not over.
    pub(super) fn quick(&self) -> usize {
        self.0.lock().quick
    }
}

/// Counts as a live game until it is dropped.
#[derive(Debug)]
pub(super) struct CountedGame {
    live: Arc<LiveGames>,
    kind: Kind,
    /// The networks for which it counts as an invitation that waits.
    waiting: Vec<NetworkShare>,
}

impl CountedGame {
    /// The game started: it no longer waits.
    pub(super) fn started(&mut self) {
        if self.waiting.is_empty() {
            return;
        }
        let mut taken = self.live.0.lock();
        for (network, _) in self.waiting.drain(..) {
            if let Some(count) = taken.waiting.get_mut(&network) {
                *count -= 1;
                if *count == 0 {
                    taken.waiting.remove(&network);
                }
            }
        }
    }
}

impl Drop for CountedGame {
    fn drop(&mut self) {
        self.started();
        *self.live.0.lock().of_kind(self.kind) -= 1;
    }
}

/// A new game that is found by its id and by its players. It is forgotten when this is dropped before it is opened.
#[must_use]
pub(super) struct Registration<'a> {
    shared: &'a Shared,
    runtime: Arc<GameRuntime>,
}

impl Drop for Registration<'_> {
    fn drop(&mut self) {
        if let Some(game) = self.runtime.unopened() {
            self.shared.games.write().remove_uncommitted(&self.runtime, &game);
        }
    }
}

impl Play {
    /// Registers a new game that was asked for `from` these networks, unless as many as there may be live are over and
    /// still have to be stored. An `owner` may have so many games at once.
    ///
    /// # Errors
    /// [`CommonError::DiskFull`](crate::error::CommonError::DiskFull); [`PlayError::NoRoom`],
    /// [`PlayError::TooManyInvitations`]; [`PlayError::IdTaken`] for the id of a game in memory;
    /// [`PlayError::TooManyGames`] of the owner.
    pub(super) fn register(
        &self,
        runtime: &Arc<GameRuntime>,
        game: &Game,
        owner: Option<UserId>,
        from: &[NetworkShare],
    ) -> Result<Registration<'_>, PlayError> {
        self.options.disk.check()?;
        if self.shared.ended.lock().len() >= self.options.max_live_games {
            return Err(PlayError::NoRoom(Room::Games));
        }
        let places = Places {
            all: self.options.max_live_games,
            waiting_per_address: self.options.max_waiting_invitations_per_address,
        };
        let counted = self.shared.live.take(game, from, places)?;
        let mut games = self.shared.games.write();
        if games.runtimes.contains_key(&runtime.id) {
            return Err(PlayError::IdTaken);
        }
        if owner.is_some_and(|owner| games.places_taken(owner) >= self.options.max_games_per_account) {
            return Err(PlayError::TooManyGames);
        }
        runtime.count(counted);
        games.insert(runtime, game);
        Ok(Registration { shared: &self.shared, runtime: Arc::clone(runtime) })
    }
}

#[cfg(test)]
mod tests {
    use morpion_rules::{
        BoardSize, EventId, GameId, Mark, Millis,
        clock::TimeControl,
        game::{Entrant, EventSetup, InviteSetup, Player, QuickSetup, Tiebreak},
    };
    use std::net::Ipv6Addr;
    use uuid::Uuid;

    use super::*;

    const PLACES: Places = Places { all: 40, waiting_per_address: 2 };

    /// An invitation, a game of quick match, and one of an event.
    fn games() -> [Game; 3] {
        let players = [1, 2].map(|number| Player { user: UserId(Uuid::from_u128(number)), username: "ada".into() });
        let (id, size, starter) = (GameId(Uuid::from_u128(7)), BoardSize::MIN, Mark::X);
        let control = TimeControl::Untimed;
        let invite = InviteSetup { id, inviter: players[0].clone(), opponent: None, size, starter, control };
        let quick = QuickSetup { id, players: players.clone(), size, starter, control, rated: false };
        let tiebreak = Tiebreak { losses: 0, joined_event_at: Millis(0) };
        let entrants = players.map(|player| Entrant { player, tiebreak });
        let event = EventId(Uuid::from_u128(9));
        let (control, rated) = (TimeControl::PerTurn, false);
        let event = EventSetup { id, event, entrants, level: 1, size, starter, seed: 1, control, no_show: 1, rated };
        let now = Millis(5);
        [Game::invite(invite, now), Game::quick(quick, now), Game::event(event, now)].map(Result::unwrap)
    }

    /// An IPv4 address, or a /64 with the wider networks around it.
    fn address(text: &str) -> Vec<NetworkShare> {
        let prefix =
            |ip: Ipv6Addr, bits: u8| IpAddr::from(Ipv6Addr::from_bits(ip.to_bits() & (u128::MAX << (128 - bits))));
        match text.parse().unwrap() {
            IpAddr::V4(ip) => vec![((ip.into(), 32), 1)],
            IpAddr::V6(ip) => {
                [(64, 1), (56, 4), (48, 16)].map(|(bits, share)| ((prefix(ip, bits), bits), share)).to_vec()
            }
        }
    }

    /// As many as there is room for.
    fn fill(live: &Arc<LiveGames>, game: &Game, from: &mut dyn Iterator<Item = Vec<NetworkShare>>) -> Vec<CountedGame> {
        from.map_while(|from| live.take(game, &from, PLACES).ok()).collect()
    }

    #[test]
    fn a_game_counts_until_nothing_counts_it() {
        let [invite, quick, _] = games();
        let live = Arc::<LiveGames>::default();
        let first = live.count(&invite);
        let second = live.count(&quick);
        assert_eq!(live.quick(), 1);
        drop([first, second]);
        let taken = live.0.lock();
        assert_eq!((taken.invites, taken.quick, taken.event), (0, 0, 0));
    }

    #[test]
    fn invitations_leave_places_to_quick_match_and_both_to_events() {
        let [invite, quick, event] = games();
        let live = Arc::<LiveGames>::default();
        let nowhere = || std::iter::repeat_n(vec![], 100);
        let mut taken = vec![];
        for (game, places, why) in
            [(&invite, 20, Room::Invitations), (&quick, 10, Room::Games), (&event, 10, Room::Games)]
        {
            let filled = fill(&live, game, &mut nowhere());
            assert_eq!(filled.len(), places);
            assert_eq!(live.take(game, &[], PLACES).map(drop), Err(PlayError::NoRoom(why)));
            taken.extend(filled);
        }
        drop(taken);
        assert_eq!(fill(&live, &quick, &mut nowhere()).len(), 30, "places that nobody invites with");
    }

    #[test]
    fn a_network_has_a_share_of_the_invitations_that_wait() {
        let [invite, quick, _] = games();
        let live = Arc::<LiveGames>::default();
        let here = || std::iter::repeat_n(address("192.0.2.1"), 100);
        let mut taken = fill(&live, &invite, &mut here());
        assert_eq!(taken.len(), 2);
        let again = live.take(&invite, &address("192.0.2.1"), PLACES);
        assert_eq!(again.map(drop), Err(PlayError::TooManyInvitations));
        let other = live.take(&invite, &address("192.0.2.2"), PLACES).unwrap();
        assert_eq!(fill(&live, &quick, &mut here()).len(), 27, "only invitations");
        // One that starts makes room, as one that ends does.
        taken[0].started();
        taken[0].started();
        assert_eq!(fill(&live, &invite, &mut here()).len(), 1);
        drop((taken, other));
        assert!(live.0.lock().waiting.is_empty(), "what is empty takes no memory");
        // The holder of a /48 has no more than half of the invitations.
        let mut sites = (0..100).map(|site| address(&format!("2001:db8:0:{site:x}00::1")));
        assert_eq!(fill(&live, &invite, &mut sites).len(), 10);
    }
}
