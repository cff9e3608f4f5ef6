//! Perfect matchings of the largest weight in a general graph, by the primal-dual method of Edmonds, which goes on from the
//! last one after the weights of a vertex were changed.
//!
//! Each vertex has a dual, and so has each blossom (an odd circle of vertices or smaller blossoms). The slack of an edge
//! outside blossoms is the sum of its ends' duals less its weight. No slack is ever negative and matched edges have none,
//! so a perfect matching has the largest weight. A search from a vertex without a mate grows a tree of edges without
//! slack, changing duals where it has to, until it reaches another such vertex. Duals stay integers because weights are
//! even, and so all vertices of a tree have duals of the same parity.

use super::wide::Wide;

const NONE: usize = usize::MAX;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Label {
    Free,
    /// At an even distance from the root of the tree.
    Even,
    Odd,
}

enum Event {
    /// An edge from the tree to a vertex outside.
    Grow(usize),
    /// An edge between two even vertices.
    Shrink(usize, usize),
    /// An odd blossom whose dual is used up.
    Expand(usize),
}

pub(super) struct Matching<const WORDS: usize> {
    vertices: usize,
    /// Only edges between the first vertices have a weight; others weigh nothing.
    heavy: usize,
    weights: Vec<Wide<WORDS>>,
    edges: Vec<bool>,
    alive: Vec<bool>,
    /// Of vertices; then of blossoms, whose numbers follow.
    duals: Vec<Wide<WORDS>>,
    mate: Vec<usize>,
    /// The outermost blossom of a vertex, or itself.
    top: Vec<usize>,
    /// Of blossoms: the circle, from the one that has the base, and the edge from each to the next.
    circle: Vec<Vec<usize>>,
    links: Vec<Vec<(usize, usize)>>,
    base: Vec<usize>,
    parent: Vec<usize>,
    unused: Vec<usize>,
    label: Vec<Label>,
    /// By which edge an odd one was reached, from the even end.
    entry: Vec<(usize, usize)>,
    /// For a vertex that is not even the even one with the least slack; for an even one the same outside its blossom.
    nearest: Vec<usize>,
    queue: Vec<usize>,
}

impl<const WORDS: usize> Matching<WORDS> {
    /// A graph of vertices, of which the first may have edges with a weight. Weights are doubled.
    pub fn new(
        vertices: usize,
        heavy: usize,
        edge: impl Fn(usize, usize) -> bool,
        weight: impl Fn(usize, usize) -> Wide<WORDS>,
    ) -> Self {
        let all = vertices + vertices / 2;
        let mut it = Self {
            vertices,
            heavy,
            weights: vec![Wide::ZERO; heavy * heavy],
            edges: vec![false; vertices * vertices],
            alive: vec![true; vertices],
            duals: vec![Wide::ZERO; all],
            mate: vec![NONE; vertices],
            top: (0..vertices).collect(),
            circle: vec![Vec::new(); all],
            links: vec![Vec::new(); all],
            base: (0..all).collect(),
            parent: vec![NONE; all],
            unused: (vertices..all).collect(),
            label: vec![Label::Free; all],
            entry: vec![(NONE, NONE); all],
            nearest: vec![NONE; vertices],
            queue: Vec::new(),
        };
        for one in 0..vertices {
            for other in 0..one {
                if edge(one, other) {
                    it.put(one, other, Some(if one < heavy { weight(one, other) } else { Wide::ZERO }));
                }
            }
        }
        for vertex in 0..vertices {
            let heaviest = it.neighbours(vertex).map(|other| it.weight(vertex, other)).max();
            it.duals[vertex] = heaviest.map_or(Wide::ZERO, Wide::half);
        }
        for vertex in 0..vertices {
            let is_free = |other: &usize| it.mate[*other] == NONE && it.slack(vertex, *other).is_zero();
            let other = if it.mate[vertex] == NONE { it.neighbours(vertex).find(is_free) } else { None };
            if let Some(other) = other {
                (it.mate[vertex], it.mate[other]) = (other, vertex);
            }
        }
        it
    }

    fn put(&mut self, one: usize, other: usize, weight: Option<Wide<WORDS>>) {
        for (one, other) in [(one, other), (other, one)] {
            self.edges[one * self.vertices + other] = weight.is_some();
            if one < self.heavy && other < self.heavy {
                self.weights[one * self.heavy + other] = weight.unwrap_or(Wide::ZERO).twice();
            }
        }
    }

    #[inline]
    fn weight(&self, one: usize, other: usize) -> Wide<WORDS> {
        if one < self.heavy && other < self.heavy { self.weights[one * self.heavy + other] } else { Wide::ZERO }
    }

    #[inline]
    fn slack(&self, one: usize, other: usize) -> Wide<WORDS> {
        self.duals[one].plus(&self.duals[other]).minus(&self.weight(one, other))
    }

    fn neighbours(&self, vertex: usize) -> impl Iterator<Item = usize> + '_ {
        let row = &self.edges[vertex * self.vertices..(vertex + 1) * self.vertices];
        row.iter().enumerate().filter(|(other, edge)| **edge && self.alive[*other]).map(|(other, _)| other)
    }

    /// The mate of a vertex in the last matching.
    pub fn mate(&self, vertex: usize) -> usize {
        self.mate[vertex]
    }

    /// Changes the edges of a vertex to some others; `None` removes one.
    pub fn change(&mut self, vertex: usize, edges: impl IntoIterator<Item = (usize, Option<Wide<WORDS>>)>) {
        self.detach(vertex);
        self.unmatch(vertex);
        for (other, weight) in edges {
            self.put(vertex, other, weight);
        }
        let least = self.neighbours(vertex).map(|other| self.weight(vertex, other).minus(&self.duals[other])).max();
        self.duals[vertex] = least.unwrap_or(Wide::ZERO);
    }

    /// Takes a matched pair out of the graph; `false` if the others have no perfect matching, which cannot be.
    pub fn settle(&mut self, one: usize, other: usize) -> bool {
        for vertex in [one, other] {
            self.detach(vertex);
            self.unmatch(vertex);
            self.alive[vertex] = false;
        }
        (self.mate[one], self.mate[other]) = (other, one);
        self.solve()
    }

    fn unmatch(&mut self, vertex: usize) {
        let mate = std::mem::replace(&mut self.mate[vertex], NONE);
        if mate != NONE {
            self.mate[mate] = NONE;
        }
    }

    /// Dissolves the blossoms around a vertex: their duals go to their vertices, so the edge that leaves such a blossom has
    /// slack and is no longer matched.
    fn detach(&mut self, vertex: usize) {
        while self.top[vertex] != vertex {
            let blossom = self.top[vertex];
            let dual = self.duals[blossom];
            if !dual.is_zero() {
                for leaf in self.leaves(blossom) {
                    self.duals[leaf] = self.duals[leaf].plus(&dual.half());
                }
                self.unmatch(self.base[blossom]);
            }
            self.dissolve(blossom);
        }
    }

    fn dissolve(&mut self, blossom: usize) -> Vec<usize> {
        let circle = std::mem::take(&mut self.circle[blossom]);
        self.links[blossom].clear();
        self.duals[blossom] = Wide::ZERO;
        self.unused.push(blossom);
        for child in &circle {
            self.parent[*child] = NONE;
            self.label[*child] = Label::Free;
            for leaf in self.leaves(*child) {
                self.top[leaf] = *child;
            }
        }
        circle
    }

    fn leaves(&self, of: usize) -> Vec<usize> {
        let (mut leaves, mut open) = (Vec::new(), vec![of]);
        while let Some(next) = open.pop() {
            if next < self.vertices {
                leaves.push(next);
            } else {
                open.extend(&self.circle[next]);
            }
        }
        leaves
    }

    fn outer_blossoms(&self) -> impl Iterator<Item = usize> + '_ {
        (self.vertices..self.circle.len())
            .filter(|blossom| self.parent[*blossom] == NONE && !self.circle[*blossom].is_empty())
    }

    /// Matches every vertex; `false` if there is no perfect matching.
    pub fn solve(&mut self) -> bool {
        (0..self.vertices).all(|vertex| !self.alive[vertex] || self.mate[vertex] != NONE || self.search(vertex))
    }

    fn search(&mut self, root: usize) -> bool {
        self.label.fill(Label::Free);
        self.nearest.fill(NONE);
        self.queue.clear();
        self.become_even(self.top[root]);
        loop {
            while let Some(vertex) = self.queue.pop() {
                self.scan(vertex);
            }
            let Some((delta, event)) = self.next_event() else {
                return false;
            };
            if !delta.is_zero() {
                self.adjust(&delta);
            }
            match event {
                Event::Grow(vertex) => {
                    let (even, odd) = (self.nearest[vertex], self.top[vertex]);
                    let mate = self.mate[self.base[odd]];
                    if mate == NONE {
                        self.augment(even, vertex);
                        break;
                    }
                    self.label[odd] = Label::Odd;
                    self.entry[odd] = (even, vertex);
                    self.become_even(self.top[mate]);
                }
                Event::Shrink(one, other) => self.shrink(one, other),
                Event::Expand(blossom) => self.expand(blossom),
            }
        }
        let is_empty = |blossom: &usize| self.duals[*blossom].is_zero();
        let mut open: Vec<usize> = self.outer_blossoms().filter(is_empty).collect();
        while let Some(blossom) = open.pop() {
            for child in self.dissolve(blossom) {
                if child >= self.vertices && self.duals[child].is_zero() {
                    open.push(child);
                }
            }
        }
        true
    }

    fn become_even(&mut self, top: usize) {
        self.label[top] = Label::Even;
        for leaf in self.leaves(top) {
            self.nearest[leaf] = NONE;
            self.queue.push(leaf);
        }
    }

    /// Looks along the edges of an even vertex.
    fn scan(&mut self, vertex: usize) {
        let top = self.top[vertex];
        for other in 0..self.vertices {
            if !self.edges[vertex * self.vertices + other] || !self.alive[other] || self.top[other] == top {
                continue;
            }
            let (at, candidate) =
                if self.label[self.top[other]] == Label::Even { (vertex, other) } else { (other, vertex) };
            let before = self.nearest[at];
            let is_stale = before != NONE && self.top[before] == self.top[at];
            if before == NONE || is_stale || self.slack(at, candidate) < self.slack(at, before) {
                self.nearest[at] = candidate;
            }
        }
    }

    fn next_event(&mut self) -> Option<(Wide<WORDS>, Event)> {
        let mut first: Option<(Wide<WORDS>, Event)> = None;
        let mut offer = |delta: Wide<WORDS>, event| {
            if first.as_ref().is_none_or(|(least, _)| delta < *least) {
                first = Some((delta, event));
            }
        };
        for vertex in 0..self.vertices {
            if !self.alive[vertex] {
                continue;
            }
            match self.label[self.top[vertex]] {
                Label::Free if self.nearest[vertex] != NONE => {
                    offer(self.slack(vertex, self.nearest[vertex]), Event::Grow(vertex));
                }
                Label::Even => {
                    let nearest = self.nearest[vertex];
                    if nearest != NONE && self.top[nearest] == self.top[vertex] {
                        self.nearest[vertex] = NONE;
                        self.scan_even(vertex);
                    }
                    let nearest = self.nearest[vertex];
                    if nearest != NONE {
                        offer(self.slack(vertex, nearest).half(), Event::Shrink(vertex, nearest));
                    }
                }
                Label::Free | Label::Odd => {}
            }
        }
        for blossom in self.outer_blossoms() {
            if self.label[blossom] == Label::Odd {
                offer(self.duals[blossom].half(), Event::Expand(blossom));
            }
        }
        first
    }

    /// Finds the nearest even vertex of an even one anew, after the last came into the same blossom.
    fn scan_even(&mut self, vertex: usize) {
        let top = self.top[vertex];
        for other in 0..self.vertices {
            if self.edges[vertex * self.vertices + other]
                && self.alive[other]
                && self.top[other] != top
                && self.label[self.top[other]] == Label::Even
                && (self.nearest[vertex] == NONE
                    || self.slack(vertex, other) < self.slack(vertex, self.nearest[vertex]))
            {
                self.nearest[vertex] = other;
            }
        }
    }

    fn adjust(&mut self, delta: &Wide<WORDS>) {
        for vertex in (0..self.vertices).filter(|vertex| self.alive[*vertex]) {
            match self.label[self.top[vertex]] {
                Label::Even => self.duals[vertex] = self.duals[vertex].minus(delta),
                Label::Odd => self.duals[vertex] = self.duals[vertex].plus(delta),
                Label::Free => {}
            }
        }
        let twice = delta.twice();
        for blossom in self.outer_blossoms().collect::<Vec<_>>() {
            match self.label[blossom] {
                Label::Even => self.duals[blossom] = self.duals[blossom].plus(&twice),
                Label::Odd => self.duals[blossom] = self.duals[blossom].minus(&twice),
                Label::Free => {}
            }
        }
    }

    /// The step from an even top towards the root: the odd top above it with the edge, then the even one with the edge.
    fn above(&self, even: usize) -> Option<[(usize, (usize, usize)); 2]> {
        let base = self.base[even];
        let mate = self.mate[base];
        if mate == NONE {
            return None;
        }
        let odd = self.top[mate];
        let (from, to) = self.entry[odd];
        Some([(odd, (base, mate)), (self.top[from], (to, from))])
    }

    /// Makes a blossom of the circle that an edge between two even tops closes.
    fn shrink(&mut self, one: usize, other: usize) {
        let mut ancestors = vec![self.top[one]];
        while let Some([_, (even, _)]) = self.above(ancestors[ancestors.len() - 1]) {
            ancestors.push(even);
        }
        let mut common = self.top[other];
        while !ancestors.contains(&common) {
            let Some([_, (even, _)]) = self.above(common) else { unreachable!("both are in one tree") };
            common = even;
        }
        let side = |from: usize| {
            let (mut at, mut nodes, mut links) = (self.top[from], Vec::new(), Vec::new());
            while at != common
                && let Some([(odd, to_odd), (even, to_even)]) = self.above(at)
            {
                nodes.extend([at, odd]);
                links.extend([to_odd, to_even]);
                at = even;
            }
            (nodes, links)
        };
        let ((down, down_links), (up, up_links)) = (side(one), side(other));
        let circle: Vec<usize> = std::iter::once(common).chain(down.into_iter().rev()).chain(up).collect();
        let reversed = down_links.into_iter().rev().map(|(from, to)| (to, from));
        let links = reversed.chain([(one, other)]).chain(up_links).collect();
        let Some(blossom) = self.unused.pop() else { unreachable!("there are fewer blossoms than half the vertices") };
        self.base[blossom] = self.base[common];
        self.duals[blossom] = Wide::ZERO;
        self.label[blossom] = Label::Even;
        self.parent[blossom] = NONE;
        for child in &circle {
            self.parent[*child] = blossom;
            for leaf in self.leaves(*child) {
                self.top[leaf] = blossom;
                if self.label[*child] == Label::Odd {
                    self.nearest[leaf] = NONE;
                    self.queue.push(leaf);
                }
            }
        }
        self.circle[blossom] = circle;
        self.links[blossom] = links;
    }

    /// Takes an odd blossom apart: the way through it stays in the tree, the rest leaves it.
    fn expand(&mut self, blossom: usize) {
        let (from, to) = self.entry[blossom];
        let at = self.child_with(blossom, to);
        let links = std::mem::take(&mut self.links[blossom]);
        let circle = self.dissolve(blossom);
        let mut at = at;
        let mut entry = (from, to);
        let forward = at % 2 == 1;
        loop {
            let child = circle[at];
            self.label[child] = Label::Odd;
            self.entry[child] = entry;
            if at == 0 {
                break;
            }
            let (even, next) = if forward { (at + 1, (at + 2) % circle.len()) } else { (at - 1, at - 2) };
            let (one, other) = if forward { links[even] } else { links[next] };
            entry = if forward { (one, other) } else { (other, one) };
            self.become_even(circle[even]);
            at = next;
        }
    }

    fn child_with(&self, blossom: usize, vertex: usize) -> usize {
        let mut child = vertex;
        while self.parent[child] != blossom {
            child = self.parent[child];
        }
        self.circle[blossom].iter().position(|it| *it == child).unwrap_or(0)
    }

    /// Matches the ends of an edge from the tree to a vertex whose top has no mate, and turns the way to the root over.
    fn augment(&mut self, even: usize, free: usize) {
        self.rebase(self.top[free], free);
        self.mate[free] = even;
        let (mut from, mut to) = (even, free);
        loop {
            let top = self.top[from];
            let before = self.mate[self.base[top]];
            self.rebase(top, from);
            self.mate[from] = to;
            if before == NONE {
                break;
            }
            let odd = self.top[before];
            let (next, inner) = self.entry[odd];
            self.rebase(odd, inner);
            self.mate[inner] = next;
            (from, to) = (next, inner);
        }
    }

    /// Matches the inside of a blossom so that this vertex is its base, and can be matched outside.
    fn rebase(&mut self, blossom: usize, vertex: usize) {
        if blossom < self.vertices {
            return;
        }
        let start = self.child_with(blossom, vertex);
        let count = self.circle[blossom].len();
        self.rebase(self.circle[blossom][start], vertex);
        let mut at = start;
        while at != 0 {
            // Two neighbours towards the old base, on the side where an even number is between.
            let [near, far] = if start % 2 == 1 { [at + 1, (at + 2) % count] } else { [at - 1, at - 2] };
            let (one, other) = self.links[blossom][if start % 2 == 1 { near } else { far }];
            let (one, other) = if start % 2 == 1 { (one, other) } else { (other, one) };
            self.rebase(self.circle[blossom][near], one);
            self.rebase(self.circle[blossom][far], other);
            (self.mate[one], self.mate[other]) = (other, one);
            at = far;
        }
        self.circle[blossom].rotate_left(start);
        self.links[blossom].rotate_left(start);
        self.base[blossom] = vertex;
    }
}
