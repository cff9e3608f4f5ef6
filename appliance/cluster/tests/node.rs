//! One node, step by step: the cases that whole schedules reach only among many others.

use morpion_cluster::{
    Action, Blocked, Config, Entry, Epoch, Event, Formats, Item, Lease, Node, NodeId, Position, ProposalId, ReadId,
    Refusal, RequestId, Revision, Standing, State,
};

const ME: NodeId = NodeId(0);
const OTHER: NodeId = NodeId(1);
const FORMATS: Formats = Formats { oldest: 0, newest: 1 };

/// A node with a time, and what it asked for that has no answer.
struct Lone {
    node: Node<&'static str>,
    now: u64,
    actions: Vec<Action<&'static str>>,
    revision: u64,
}

impl Lone {
    fn founder() -> Self {
        let node = Node::start(Config::new(ME, 1, FORMATS), 0, Some(State::default()), Some(Position::default()));
        Self { node, now: 0, actions: Vec::new(), revision: 0 }
    }

    /// A founder whose epoch is open.
    fn leader() -> Self {
        let mut lone = Self::founder();
        for _ in 0..20 {
            lone.pass(100);
            lone.answer_all();
        }
        assert_eq!(lone.node.standing(), Standing::Leading { epoch: Epoch(1) });
        lone
    }

    fn give(&mut self, event: Event<&'static str>) {
        self.actions.extend(self.node.handle(self.now, event));
    }

    fn pass(&mut self, time: u64) {
        self.now += time;
        self.give(Event::Tick);
    }

    fn take<T>(&mut self, what: impl Fn(&Action<&'static str>) -> Option<T>) -> Option<T> {
        let at = self.actions.iter().position(|action| what(action).is_some())?;
        what(&self.actions.remove(at))
    }

    fn published(&mut self) -> Option<(RequestId, u64, Entry<&'static str>)> {
        self.take(|action| match action {
            Action::Publish { request, expected, entry } => Some((*request, *expected, entry.clone())),
            _ => None,
        })
    }

    fn stored(&mut self) -> Option<Position> {
        self.take(|action| match action {
            Action::Store { entry, .. } => Some(entry.position),
            _ => None,
        })
    }

    fn fetched(&mut self) -> Option<(RequestId, u64)> {
        self.take(|action| match action {
            Action::Fetch { request, from, .. } => Some((*request, *from)),
            _ => None,
        })
    }

    fn did(&self, action: &Action<&'static str>) -> bool {
        self.actions.contains(action)
    }

    /// The key answers as if nobody else used it.
    fn answer_lease(&mut self) {
        let asked = |action: &Action<_>| match action {
            Action::ReadLease { request } => Some((*request, false)),
            Action::WriteLease { request, .. } => Some((*request, true)),
            _ => None,
        };
        while let Some((request, is_write)) = self.take(asked) {
            self.revision += u64::from(is_write);
            let revision = Revision(self.revision);
            self.give(match is_write {
                true => Event::LeaseWritten { request, revision },
                false => Event::LeaseRead { request, revision, lease: Lease::default() },
            });
        }
    }

    /// Everything succeeds at once, in a stream that has what this node stored.
    fn answer_all(&mut self) {
        self.answer_lease();
        while let Some((request, from)) = self.fetched() {
            self.give(Event::Fetched { request, first: 1, last: from - 1, entries: Vec::new() });
        }
        while let Some((request, ..)) = self.published() {
            self.give(Event::Published { request });
        }
        while let Some(position) = self.stored() {
            self.give(Event::Stored { position });
        }
    }

    fn propose(&mut self, proposal: u64) {
        let proposal = ProposalId(proposal);
        self.give(Event::Propose { proposal, payload: "move", bytes: 40 });
    }

    /// A leader whose publish has had no answer, and that reads back.
    fn unclear() -> (Self, Entry<&'static str>, RequestId) {
        let mut lone = Self::leader();
        lone.propose(7);
        let (_, expected, entry) = lone.published().expect("published at once");
        assert_eq!((expected, entry.position), (1, Position { sequence: 2, epoch: Epoch(1) }));
        let position = lone.stored().expect("stored at once");
        lone.give(Event::Stored { position });
        for _ in 0..10 {
            lone.pass(100);
            lone.answer_lease();
        }
        let (request, from) = lone.fetched().expect("reads back");
        assert_eq!(from, 2);
        (lone, entry, request)
    }
}

const ACKNOWLEDGED: Action<&str> = Action::Acknowledge { proposal: ProposalId(7) };

#[test]
fn a_commit_is_acknowledged_once_both_have_it() {
    for stream_first in [true, false] {
        let mut lone = Lone::leader();
        lone.propose(7);
        let (request, ..) = lone.published().unwrap();
        let position = lone.stored().unwrap();
        let (first, second) = (Event::Published { request }, Event::Stored { position });
        let (first, second) = if stream_first { (first, second) } else { (second, first) };
        lone.give(first);
        assert!(!lone.did(&ACKNOWLEDGED));
        lone.give(second);
        assert!(lone.did(&ACKNOWLEDGED));
    }
}

#[test]
fn one_batch_is_under_way_and_the_next_gathers() {
    let mut lone = Lone::leader();
    (7..10).for_each(|proposal| lone.propose(proposal));
    let (request, _, entry) = lone.published().unwrap();
    assert_eq!(entry.items.len(), 1);
    assert!(lone.published().is_none());
    lone.give(Event::Published { request });
    assert_eq!(lone.published().unwrap().2.items.len(), 2);
}

#[test]
fn a_publish_without_an_answer_that_arrived_is_acknowledged() {
    let (mut lone, entry, request) = Lone::unclear();
    lone.give(Event::Fetched { request, first: 1, last: 2, entries: vec![entry] });
    assert!(lone.did(&ACKNOWLEDGED));
    assert!(lone.published().is_none());
}

#[test]
fn a_publish_that_did_not_arrive_is_repeated_for_the_same_place() {
    let (mut lone, entry, request) = Lone::unclear();
    lone.give(Event::Fetched { request, first: 1, last: 1, entries: Vec::new() });
    let (request, expected, again) = lone.published().expect("published again");
    assert_eq!((expected, again), (1, entry));
    lone.give(Event::Published { request });
    assert!(lone.did(&ACKNOWLEDGED));
}

#[test]
fn a_leader_that_lost_its_place_knows_nothing_and_goes_back() {
    let (mut lone, _, request) = Lone::unclear();
    let opened = Item::Opened { node: OTHER, formats: FORMATS };
    let theirs = Entry { position: Position { sequence: 2, epoch: Epoch(2) }, format: 0, items: vec![opened] };
    lone.give(Event::Fetched { request, first: 1, last: 2, entries: vec![theirs.clone()] });
    assert!(lone.did(&Action::Refuse { proposal: ProposalId(7), refusal: Refusal::Unknown }));
    assert_eq!(lone.node.standing(), Standing::Checking);
    let (request, from) = lone.fetched().expect("compares with the stream");
    assert_eq!(from, 2);
    lone.give(Event::Fetched { request, first: 1, last: 2, entries: vec![theirs] });
    assert_eq!(lone.node.standing(), Standing::Restoring);
}

#[test]
fn without_its_lease_a_leader_takes_nothing_until_it_has_it_again() {
    let mut lone = Lone::leader();
    (0..40).for_each(|_| lone.pass(100));
    assert!(lone.node.status().suspended);
    lone.propose(7);
    lone.give(Event::Read { read: ReadId(1) });
    let refusal = Refusal::NotLeading { leader: None };
    assert!(lone.did(&Action::Refuse { proposal: ProposalId(7), refusal }));
    assert!(lone.did(&Action::RefuseRead { read: ReadId(1), refusal }));
    // The key is as this node left it: nobody has led meanwhile.
    while !matches!(lone.actions.last(), Some(Action::ReadLease { .. })) {
        lone.pass(100);
    }
    let Some(Action::ReadLease { request }) = lone.actions.pop() else { unreachable!() };
    let lease = Lease { holder: Some(ME), run: 1, epoch: Epoch(1), beat: 1 };
    lone.give(Event::LeaseRead { request, revision: Revision(lone.revision), lease });
    lone.actions.clear();
    lone.pass(1_000);
    lone.answer_lease();
    assert!(!lone.node.status().suspended);
    lone.propose(8);
    assert!(lone.published().is_some());
}

#[test]
fn a_step_down_ends_what_is_under_way_and_releases_the_lease() {
    let mut lone = Lone::leader();
    lone.propose(7);
    lone.give(Event::StepDown);
    lone.propose(8);
    assert!(lone.did(&Action::Refuse { proposal: ProposalId(8), refusal: Refusal::NotLeading { leader: None } }));
    lone.answer_all();
    assert!(lone.did(&ACKNOWLEDGED));
    assert_eq!(lone.node.standing(), Standing::Following);
    lone.pass(100);
    let released = |action: &Action<_>| matches!(action, Action::WriteLease { lease: Lease { holder: None, .. }, .. });
    assert!(lone.actions.iter().any(released));
}

#[test]
fn a_node_stops_before_an_entry_that_it_cannot_read() {
    let mut lone = Lone::founder();
    let (request, _) = {
        lone.pass(100);
        lone.fetched().unwrap()
    };
    let later = Entry { position: Position { sequence: 1, epoch: Epoch(1) }, format: 2, items: Vec::new() };
    lone.give(Event::Fetched { request, first: 1, last: 1, entries: vec![later] });
    assert_eq!(lone.node.status().blocked, Some(Blocked::Format(2)));
    assert!(lone.stored().is_none());
    for _ in 0..100 {
        lone.pass(100);
        lone.answer_lease();
    }
    assert_eq!(lone.node.standing(), Standing::Following);
}

#[test]
fn a_format_is_raised_once_every_member_reads_it() {
    let mut state = State::default();
    let mut sequence = 0;
    let mut follow = |state: &mut State, item: Item<()>| {
        sequence += 1;
        let position = Position { sequence, epoch: Epoch(1) };
        state.apply(&Entry { position, format: state.format, items: vec![item] });
    };
    follow(&mut state, Item::Opened { node: ME, formats: FORMATS });
    follow(&mut state, Item::Joined { node: OTHER, formats: Formats { oldest: 0, newest: 0 } });
    follow(&mut state, Item::Raised(1));
    assert_eq!(state.format, 0);
    follow(&mut state, Item::Joined { node: OTHER, formats: FORMATS });
    follow(&mut state, Item::Raised(1));
    assert_eq!(state.format, 1);
    follow(&mut state, Item::Joined { node: NodeId(2), formats: Formats { oldest: 0, newest: 0 } });
    assert!(!state.members.contains_key(&NodeId(2)));
}
