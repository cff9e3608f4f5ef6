//! The queues of events and of quick match: `docs/behaviour/events.md#pairing`, `docs/behaviour/quick-match.md#pairing`.

use morpion_rules::matchmaking::{
    Addresses, GAP_WIDENS_EVERY, Pairing, Policy, QUEUE_CAPACITY, Queue, REMATCH_AVOIDED, Seeker, Waiting,
};
use morpion_rules::{BoardSize, Millis, UserId};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::net::{IpAddr, Ipv4Addr};
use std::time::{Duration, Instant};
use uuid::Uuid;

const START: Millis = Millis(1_000_000);

fn user(n: u128) -> UserId {
    UserId(Uuid::from_u128(n))
}

fn seeker(n: u128, level: u32) -> Seeker {
    Seeker { user: user(n), level, last_opponent: None, address: None, size: None }
}

/// Each size and any, evenly.
fn wish(n: u128) -> Option<BoardSize> {
    BoardSize::ALL.get((n % 5) as usize).copied()
}

fn address(n: u8) -> Option<IpAddr> {
    Some(IpAddr::V4(Ipv4Addr::new(192, 0, 2, n)))
}

/// A queue of players with these levels, named 0, 1, 2… and entering one millisecond apart.
fn queue(levels: &[u32]) -> Queue {
    let mut queue = Queue::new(Addresses::Together);
    for (n, &level) in (0..).zip(levels) {
        queue.enqueue(seeker(n, level), START + n as i64).unwrap();
    }
    queue
}

/// Pairings as sets of names, in the order they were made.
fn names(pairings: &[Pairing]) -> Vec<[u128; 2]> {
    let name = |pairing: &Pairing| {
        let mut two = pairing.players.map(|user| user.0.as_u128());
        two.sort_unstable();
        two
    };
    pairings.iter().map(name).collect()
}

#[test]
fn the_nearest_level_is_paired_first() {
    // 0 and 1 could be paired at once, but 2 is nearer to 1, and 3 to 0.
    let mut queue = queue(&[5, 6, 6, 5]);
    assert_eq!(names(&queue.pair(START + 10, 0)), [[0, 3], [1, 2]]);
}

#[test]
fn among_equal_levels_the_longest_waiting_is_paired_first() {
    let mut same = queue(&[3, 3, 3]);
    assert_eq!(names(&same.pair(START + 10, 0)), [[0, 1]]);
    let mut both_sides = queue(&[4, 2, 3]);
    assert_eq!(names(&both_sides.pair(START + 10, 0)), [[0, 2]]);
}

#[test]
fn level_gap_allowed_is_1_and_grows_by_1_every_5_s() {
    assert_eq!(
        [0, 4_999, 5_000, 9_999, 10_000].map(|waited| Policy::from(Addresses::Together).allowed_gap(waited)),
        [1, 1, 2, 2, 3]
    );
    for difference in 0..8 {
        let mut queue = queue(&[10, 10 + difference]);
        let due = START + GAP_WIDENS_EVERY * i64::from(difference.saturating_sub(1));
        if difference > 1 {
            assert_eq!(queue.pair(due - 1, 0), []);
            assert_eq!(queue.next_wakeup(), Some(due), "difference {difference}");
        }
        assert_eq!(names(&queue.pair(due + 1, 0)), [[0, 1]], "difference {difference}");
    }
}

#[test]
fn a_newcomer_is_paired_with_someone_whose_level_gap_has_grown() {
    let mut queue = queue(&[1]);
    let later = START + 6 * GAP_WIDENS_EVERY;
    assert_eq!(queue.pair(later, 0), []);
    queue.enqueue(seeker(1, 8), later).unwrap();
    assert_eq!(names(&queue.pair(later, 0)), [[0, 1]]);
}

#[test]
fn the_last_opponent_is_avoided_for_10_s_if_others_wait() {
    let mut queue = Queue::new(Addresses::Together);
    for (name, last) in [(0, Some(1)), (1, None)] {
        let last_opponent = last.map(user);
        queue.enqueue(Seeker { last_opponent, ..seeker(name, 1) }, START).unwrap();
    }
    queue.enqueue(seeker(2, 40), START).unwrap();
    assert_eq!(queue.pair(START + REMATCH_AVOIDED - 1, 0), []);
    assert_eq!(queue.next_wakeup(), Some(START + REMATCH_AVOIDED));
    let why = queue.why_waiting(user(0), 0, START + 1);
    assert_eq!(why, Some(Waiting::AvoidingRematch { until: START + REMATCH_AVOIDED }));
    assert_eq!(names(&queue.pair(START + REMATCH_AVOIDED, 0)), [[0, 1]]);
}

#[test]
fn last_opponents_are_paired_at_once_if_nobody_else_waits() {
    let mut queue = Queue::new(Addresses::Together);
    queue.enqueue(Seeker { last_opponent: Some(user(1)), ..seeker(0, 1) }, START).unwrap();
    queue.enqueue(Seeker { last_opponent: Some(user(0)), ..seeker(1, 1) }, START).unwrap();
    assert_eq!(names(&queue.clone().pair(START, 0)), [[0, 1]]);

    // A third player who leaves or is absent is not available either.
    queue.enqueue(seeker(2, 40), START).unwrap();
    assert_eq!(queue.pair(START, 0), []);
    let mut left = queue.clone();
    left.remove(user(2));
    assert_eq!(names(&left.pair(START, 0)), [[0, 1]]);
    queue.away(user(2));
    assert_eq!(names(&queue.pair(START, 0)), [[0, 1]]);
}

#[test]
fn somebody_else_is_preferred_to_the_last_opponent() {
    let mut queue = Queue::new(Addresses::Together);
    queue.enqueue(Seeker { last_opponent: Some(user(1)), ..seeker(0, 1) }, START).unwrap();
    queue.enqueue(Seeker { last_opponent: Some(user(0)), ..seeker(1, 1) }, START).unwrap();
    queue.enqueue(seeker(2, 2), START).unwrap();
    queue.enqueue(seeker(3, 2), START).unwrap();
    // 2 and 3 are nearest to each other; then nobody else is free for 0 and 1.
    assert_eq!(names(&queue.pair(START, 0)), [[2, 3], [0, 1]]);
}

#[test]
fn players_of_one_address_are_not_paired_if_the_event_forbids_it() {
    let fill = |addresses| {
        let mut queue = Queue::new(addresses);
        for (name, at) in [(0, 1), (1, 1), (2, 2)] {
            let seeker = Seeker { address: address(at), ..seeker(name, 1) };
            queue.enqueue(seeker, START + name as i64).unwrap();
        }
        queue
    };
    assert_eq!(names(&fill(Addresses::Together).pair(START + 9, 0)), [[0, 1]]);
    let mut apart = fill(Addresses::Apart);
    assert_eq!(names(&apart.pair(START + 9, 0)), [[0, 2]]);
    apart.enqueue(Seeker { address: address(1), ..seeker(3, 1) }, START).unwrap();
    assert_eq!(apart.pair(START + 1_000_000, 0), []);
    assert_eq!(apart.why_waiting(user(1), 0, START + 9), Some(Waiting::SameAddress));
    assert_eq!(apart.next_wakeup(), None);
    apart.enqueue(seeker(4, 1), START).unwrap();
    assert_eq!(apart.pair(START + 1_000_000, 0).len(), 1, "an unknown address is no address");
}

#[test]
fn after_the_last_opponent_the_longest_waiting_of_any_address_is_next() {
    let mut queue = Queue::new(Addresses::Apart);
    for (name, at, last) in [(0, 1, Some(2)), (1, 3, Some(0)), (2, 2, None), (3, 1, None)] {
        let last_opponent = last.map(user);
        let seeker = Seeker { last_opponent, address: address(at), ..seeker(name, 1) };
        queue.enqueue(seeker, START + name as i64).unwrap();
    }
    // For 1: 0 was the last opponent, and 2 has waited longer than 3, who shares 0's address.
    assert_eq!(names(&queue.pair(START + 9, 0)), [[1, 2]]);
}

#[test]
fn a_player_behind_one_of_the_same_address_is_found() {
    let mut queue = Queue::new(Addresses::Apart);
    let here = |name, level, at| Seeker { address: address(at), ..seeker(name, level) };
    queue.enqueue(here(0, 1, 1), START).unwrap();
    let later = START + 6 * GAP_WIDENS_EVERY;
    queue.enqueue(here(1, 3, 1), later).unwrap();
    assert_eq!(queue.pair(later, 0), []);
    queue.enqueue(here(2, 7, 2), later).unwrap();
    assert_eq!(names(&queue.pair(later, 0)), [[0, 2]]);
}

#[test]
fn absent_players_are_not_paired_and_keep_their_place() {
    let mut queue = queue(&[1, 1, 1]);
    queue.away(user(0));
    assert_eq!(queue.why_waiting(user(0), 0, START), Some(Waiting::Away));
    assert_eq!(names(&queue.pair(START + 9, 0)), [[1, 2]]);
    assert_eq!(queue.len(), 1);
    queue.back(user(0));
    assert_eq!(queue.waiting_since(user(0)), Some(START));
    queue.enqueue(seeker(3, 1), START + 10).unwrap();
    assert_eq!(names(&queue.pair(START + 10, 0)), [[0, 3]]);
}

#[test]
fn the_reason_for_waiting_is_known() {
    let mut queue = queue(&[1]);
    let why = |queue: &Queue, playing| queue.why_waiting(user(0), playing, START + 1).unwrap();
    assert_eq!(why(&queue, 0), Waiting::Alone);
    assert_eq!(why(&queue, 6), Waiting::OthersPlaying);
    queue.enqueue(seeker(1, 4), START).unwrap();
    let gap = Waiting::LevelGap { difference: 3, allowed: 1, until: START + 10_000 };
    assert_eq!(why(&queue, 6), gap);
    queue.away(user(1));
    assert_eq!(why(&queue, 6), Waiting::OthersAway);
    queue.back(user(1));
    queue.enqueue(seeker(2, 1), START).unwrap();
    assert_eq!(why(&queue, 0), Waiting::BeingPaired);
    assert_eq!(queue.why_waiting(user(9), 0, START), None);
}

#[test]
fn reentering_the_queue_keeps_the_place_and_updates_the_level() {
    let mut queue = queue(&[1, 9]);
    queue.enqueue(seeker(0, 9), START + 500).unwrap();
    assert_eq!((queue.len(), queue.waiting_since(user(0))), (2, Some(START)));
    let pairings = queue.pair(START + 500, 0);
    assert_eq!(names(&pairings), [[0, 1]]);
    assert_eq!((pairings[0].levels, pairings[0].level()), ([9, 9], 9));
    assert!(queue.is_empty());
}

#[test]
fn pairings_occur_in_both_orders_with_different_seeds() {
    let paired = |seed| queue(&[1, 1]).pair(START + 9, seed)[0];
    let pairings: Vec<Pairing> = (0..64).map(paired).collect();
    let first: BTreeSet<UserId> = pairings.iter().map(|p| p.players[0]).collect();
    let seeds: BTreeSet<u64> = pairings.iter().map(|p| p.seed).collect();
    assert_eq!((first.len(), seeds.len()), (2, 64));
}

#[test]
fn a_full_queue_refuses_only_newcomers() {
    let mut queue = Queue::new(Addresses::Together);
    for n in 0..QUEUE_CAPACITY as u128 {
        queue.enqueue(seeker(n, 1), START).unwrap();
    }
    assert!(queue.enqueue(seeker(u128::MAX, 1), START).is_err());
    assert!(queue.enqueue(seeker(0, 2), START).is_ok());
}

#[test]
fn priority_players_are_paired_before_those_who_waited_longer() {
    let mut queue = queue(&[3, 3]);
    queue.enqueue_first(seeker(7, 3), START + 60_000).unwrap();
    assert_eq!(queue.waiting_since(user(7)), Some(START - 1));
    assert_eq!(names(&queue.pair(START + 60_000, 0)), [[0, 7]]);
    // The longest waiting player keeps the waiting time.
    queue.enqueue_first(seeker(8, 3), START - 90_000).unwrap();
    assert_eq!(queue.waiting_since(user(8)), Some(START - 90_000));
}

#[test]
fn a_corrected_level_applies_at_once_and_keeps_the_place() {
    let mut queue = queue(&[1, 9]);
    assert_eq!(queue.pair(START + 10, 0), []);
    queue.set_level(user(1), 2);
    let pairings = queue.pair(START + 10, 0);
    assert_eq!(names(&pairings), [[0, 1]]);
    let at = pairings[0].players.iter().position(|player| *player == user(1)).unwrap();
    assert_eq!((pairings[0].since[at], pairings[0].levels[at]), (START + 1, 2));
    // A correction does not put anybody back into the queue.
    queue.enqueue(seeker(2, 1), START).unwrap();
    queue.enqueue(seeker(3, 9), START).unwrap();
    queue.away(user(3));
    queue.set_level(user(3), 1);
    assert_eq!(queue.pair(START + 20, 0), []);
    queue.set_level(user(99), 1);
}

/// With a quadratic step anywhere each of these takes minutes. The limit is generous because the
/// machine may be busy and the build unoptimised.
#[test]
fn pairing_cost_does_not_grow_with_100_000_waiting_players() {
    const PLAYERS: u128 = 100_000;
    type Crowd = (&'static str, Policy, fn(u128) -> Seeker);
    let [together, apart] = [Addresses::Together, Addresses::Apart].map(Policy::from);
    let crowds: [Crowd; 9] = [
        ("one level", together, |n| seeker(n, 1)),
        ("sixty levels", together, |n| seeker(n, (n * 7_919 % 60) as u32)),
        ("every level far from the next", together, |n| seeker(n, n as u32 * 1_000)),
        ("one address", apart, |n| Seeker { address: address(1), ..seeker(n, (n % 30) as u32) }),
        ("two addresses at two levels", apart, |n| Seeker {
            address: address((n % 2) as u8),
            ..seeker(n, (n % 2) as u32)
        }),
        ("everybody last played the same", together, |n| Seeker {
            last_opponent: Some(user(0)),
            ..seeker(n, 1 + (n % 20) as u32 * 50)
        }),
        ("one rating", Policy::QuickMatch, |n| Seeker { size: wish(n), ..seeker(n, 1_500) }),
        ("ratings of a large site", Policy::QuickMatch, |n| Seeker {
            size: wish(n),
            ..seeker(n, 400 + (n * 7_919 % 2_600) as u32)
        }),
        ("one each of far ratings", Policy::QuickMatch, |n| seeker(n, n as u32 * 1_000)),
    ];
    for (name, policy, make) in crowds {
        for step in [1, PLAYERS] {
            let begun = Instant::now();
            let mut queue = Queue::new(policy);
            let mut paired = 0;
            for n in 0..PLAYERS {
                queue.enqueue(make(n), START).unwrap();
                if (n + 1) % step == 0 {
                    paired += queue.pair(START, n as u64).len() * 2;
                }
            }
            assert_eq!(paired + queue.len(), PLAYERS as usize, "{name}");
            let took = begun.elapsed();
            assert!(took < Duration::from_secs(30), "{name}, pairing every {step}: {took:?}");
        }
    }
}

/// A second implementation of the pairing rule, without buckets or wakeups.
#[derive(Clone, Debug)]
struct Model {
    policy: Policy,
    waiting: BTreeMap<UserId, (Seeker, Millis, bool)>,
    avoided: BTreeSet<(UserId, UserId)>,
}

impl Model {
    fn present(&self) -> Vec<(Seeker, Millis)> {
        let here = self.waiting.values().filter(|(_, _, away)| !away);
        here.map(|&(seeker, since, _)| (seeker, since)).collect()
    }

    fn fits(&self, a: (Seeker, Millis), b: (Seeker, Millis), others: usize, now: Millis) -> bool {
        let waited = now - a.1.min(b.1);
        let rematch = a.0.last_opponent == Some(b.0.user) || b.0.last_opponent == Some(a.0.user);
        let difference = i64::from(a.0.level.abs_diff(b.0.level));
        let same_address = a.0.address.is_some() && a.0.address == b.0.address;
        let same_board = a.0.size.is_none() || b.0.size.is_none() || a.0.size == b.0.size;
        let [ab, ba] = [(a.0.user, b.0.user), (b.0.user, a.0.user)];
        let suits = match self.policy {
            Policy::Event(Addresses::Together) => difference <= 1 + waited / 5_000,
            Policy::Event(Addresses::Apart) => difference <= 1 + waited / 5_000 && !same_address,
            Policy::QuickMatch => difference <= 50 * (1 + waited / 3_000) && same_board,
        };
        let is_too_soon = rematch && waited < 10_000 && others > 0;
        let is_avoided = [ab, ba].iter().any(|pair| self.avoided.contains(pair));
        suits && !is_too_soon && !is_avoided
    }
}

#[derive(Clone, Debug)]
enum Step {
    Enqueue { who: u8, level: u32, last: Option<u8>, address: Option<u8>, avoids: Option<u8> },
    Remove(u8),
    Away(u8),
    Back(u8),
    Level(u8, u32),
    First { who: u8, level: u32 },
    Wait(i64),
    WaitForWakeup,
    Pair(u64),
}

fn step() -> impl Strategy<Value = Step> {
    let who = 0..12u8;
    prop_oneof![
        6 => (who.clone(), 1..9u32, prop::option::of(who.clone()), prop::option::of(0..3u8), prop::option::of(who.clone()))
            .prop_map(|(who, level, last, address, avoids)| Step::Enqueue { who, level, last, address, avoids }),
        1 => who.clone().prop_map(Step::Remove),
        1 => who.clone().prop_map(Step::Away),
        1 => who.clone().prop_map(Step::Back),
        1 => (who.clone(), 1..9u32).prop_map(|(who, level)| Step::Level(who, level)),
        1 => (who, 1..9u32).prop_map(|(who, level)| Step::First { who, level }),
        2 => (0..8_000i64).prop_map(Step::Wait),
        1 => Just(Step::WaitForWakeup),
        4 => any::<u64>().prop_map(Step::Pair),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    /// Nobody is paired twice, only eligible players are paired, none is left over, the nearest levels come
    /// first, the same input gives the same pairings, and between wakeups there is nothing to do.
    #[test]
    fn exactly_the_eligible_players_are_paired(
        policy in prop::sample::select(vec![Addresses::Together.into(), Addresses::Apart.into(), Policy::QuickMatch]),
        steps in prop::collection::vec(step(), 1..60),
    ) {
        let mut queue = Queue::new(policy);
        let mut model = Model { policy, waiting: BTreeMap::new(), avoided: BTreeSet::new() };
        let scale = |level: u32| if policy == Policy::QuickMatch { level * 40 } else { level };
        let mut now = START;
        for step in steps {
            match step {
                Step::Enqueue { who, level, last, address: at, avoids } => {
                    let seeker = Seeker {
                        user: user(who.into()),
                        level: scale(level),
                        size: at.and_then(|at| wish(at.into())),
                        last_opponent: last.filter(|&l| l != who).map(|l| user(l.into())),
                        address: at.and_then(address),
                    };
                    let avoids: BTreeSet<_> = avoids.map(|other| user(other.into())).into_iter().collect();
                    model.avoided.retain(|(one, _)| *one != seeker.user);
                    model.avoided.extend(avoids.iter().map(|other| (seeker.user, *other)));
                    queue.enqueue_avoiding(seeker, avoids, now).unwrap();
                    let since = model.waiting.get(&seeker.user).map_or(now, |known| known.1);
                    model.waiting.insert(seeker.user, (seeker, since, false));
                }
                Step::Remove(who) => {
                    let known = model.waiting.remove(&user(who.into())).is_some();
                    model.avoided.retain(|(one, _)| *one != user(who.into()));
                    prop_assert_eq!(queue.remove(user(who.into())), known);
                }
                Step::Away(who) => {
                    queue.away(user(who.into()));
                    if let Some(known) = model.waiting.get_mut(&user(who.into())) {
                        known.2 = true;
                    }
                }
                Step::Back(who) => {
                    queue.back(user(who.into()));
                    if let Some(known) = model.waiting.get_mut(&user(who.into())) {
                        known.2 = false;
                    }
                }
                Step::Level(who, level) => {
                    queue.set_level(user(who.into()), scale(level));
                    if let Some(known) = model.waiting.get_mut(&user(who.into())) {
                        known.0.level = scale(level);
                    }
                }
                Step::First { who, level } => {
                    let seeker = seeker(who.into(), scale(level));
                    model.avoided.retain(|(one, _)| *one != seeker.user);
                    queue.enqueue_first(seeker, now).unwrap();
                    let since = queue.waiting_since(seeker.user).unwrap();
                    let others = model.waiting.iter().filter(|(other, known)| **other != seeker.user && !known.2);
                    prop_assert!(others.clone().all(|(_, known)| since < known.1));
                    prop_assert!(since <= now);
                    model.waiting.insert(seeker.user, (seeker, since, false));
                }
                Step::Wait(ms) => now = now + ms,
                Step::WaitForWakeup => now = now.max(queue.next_wakeup().unwrap_or(now)),
                Step::Pair(seed) => {
                    let idle = queue.next_wakeup().is_none_or(|at| at > now);
                    let mut twin = queue.clone();
                    let pairings = queue.pair(now, seed);
                    prop_assert_eq!(&twin.pair(now, seed), &pairings);
                    prop_assert!(!idle || pairings.is_empty());
                    let mut last_distance = 0;
                    for pairing in &pairings {
                        let [a, b] = pairing.players.map(|user| model.waiting[&user]);
                        prop_assert!(!a.2 && !b.2, "somebody away was paired");
                        let others = model.present().len() - 2;
                        prop_assert!(model.fits((a.0, a.1), (b.0, b.1), others, now));
                        prop_assert_eq!(pairing.levels, [a.0.level, b.0.level]);
                        prop_assert_eq!(pairing.since, [a.1, b.1]);
                        prop_assert_eq!(pairing.addresses, [a.0.address, b.0.address]);
                        let distance = a.0.level.abs_diff(b.0.level);
                        prop_assert!(others == 0 || distance >= last_distance, "nearest first");
                        last_distance = distance;
                        for user in pairing.players {
                            prop_assert!(model.waiting.remove(&user).is_some());
                            model.avoided.retain(|(one, _)| *one != user);
                            prop_assert!(!queue.contains(user));
                        }
                    }
                    let left = model.present();
                    for (i, &a) in left.iter().enumerate() {
                        for &b in &left[i + 1..] {
                            let fits = model.fits(a, b, left.len() - 2, now);
                            prop_assert!(!fits, "{:?} and {:?} were left", a, b);
                        }
                    }
                    for user in model.waiting.keys() {
                        let why = queue.why_waiting(*user, 0, now);
                        prop_assert!(why.is_some_and(|why| why != Waiting::BeingPaired));
                    }
                }
            }
            prop_assert_eq!(queue.len(), model.waiting.len());
        }
    }
}
