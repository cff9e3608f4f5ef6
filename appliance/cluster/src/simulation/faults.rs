//! What goes wrong, and what operators do meanwhile.

use super::random::Random;
use super::world::{Happening, NODES, World};
use crate::{Event, NodeId};

/// How bad one schedule is: each has faults of its own, since those that are rare together hide one another.
pub struct Intensity {
    pub loss: u64,
    pub repetition: u64,
    pub delay: u64,
    pub old_views: u64,
    /// Between two faults.
    pause: u64,
}

impl Intensity {
    pub fn new(random: &mut Random) -> Self {
        let mut one_of = |values: &[u64]| values[random.index(values.len())];
        Self {
            loss: one_of(&[0, 0, 2, 10]),
            repetition: one_of(&[0, 2, 20]),
            delay: one_of(&[0, 1, 5, 20]),
            old_views: one_of(&[0, 5, 30]),
            pause: one_of(&[400, 1_500, 5_000]),
        }
    }
}

/// What ends by itself after a while.
#[derive(Clone, Copy, Debug)]
pub enum Fault {
    Crash { node: usize },
    Pause { node: usize },
    CutOff { node: usize },
    NoMajority,
    FullDisk { node: usize },
    SlowDisk { node: usize },
}

impl World {
    pub fn fault(&mut self) {
        if self.is_healed() {
            return;
        }
        let pause = self.random.range(1, 2 * self.intensity.pause);
        self.after(pause, Happening::Fault);
        // A leader is worth most.
        let leader = self.servers.iter().position(|server| server.leads());
        let node = leader.filter(|_| self.random.percent(60)).unwrap_or_else(|| self.random.index(NODES));
        let fault = match self.random.range(0, 8) {
            0 | 1 if self.servers[node].is_up() => Fault::Crash { node },
            2 if self.servers[node].is_up() => Fault::Pause { node },
            3 => Fault::CutOff { node },
            4 => Fault::NoMajority,
            5 => Fault::FullDisk { node },
            6 => Fault::SlowDisk { node },
            _ => return self.by_operator(node),
        };
        self.begin(fault);
        let lasts = match self.random.percent(30) {
            true => self.random.range(3_000, 9_000),
            false => self.random.range(1, 3_000),
        };
        self.after(lasts, Happening::End(fault));
    }

    fn begin(&mut self, fault: Fault) {
        match fault {
            Fault::Crash { node } => self.crash(node),
            Fault::Pause { node } => self.servers[node].is_paused = true,
            Fault::CutOff { node } => self.servers[node].is_cut_off = true,
            Fault::NoMajority => self.broker.has_no_majority = true,
            Fault::FullDisk { node } => self.servers[node].disk.is_full = true,
            Fault::SlowDisk { node } => self.servers[node].disk.sync = 800,
        }
    }

    pub fn end(&mut self, fault: Fault) {
        match fault {
            Fault::Crash { node } => {
                let run = self.servers[node].run;
                if !self.servers[node].is_run(run) {
                    // A rolling upgrade: the new program reads one format more.
                    self.servers[node].newest_format += u16::from(self.random.percent(30));
                    self.start(node);
                }
            }
            Fault::Pause { node } => self.resume(node),
            Fault::CutOff { node } => self.servers[node].is_cut_off = false,
            Fault::NoMajority => {
                self.broker.has_no_majority = false;
                // What only a minority took goes through late, or never.
                for request in std::mem::take(&mut self.broker.undecided) {
                    if self.random.percent(70) {
                        self.broker.carry_out(request, &mut self.random);
                    }
                }
            }
            Fault::FullDisk { node } => self.servers[node].disk.is_full = false,
            Fault::SlowDisk { node } => self.servers[node].disk.sync = 4,
        }
    }

    pub fn heal(&mut self) {
        (self.intensity.loss, self.intensity.delay, self.intensity.repetition) = (0, 0, 0);
        self.broker.old_views = 0;
        self.end(Fault::NoMajority);
        for node in 0..NODES {
            for fault in
                [Fault::Pause { node }, Fault::CutOff { node }, Fault::FullDisk { node }, Fault::SlowDisk { node }]
            {
                self.end(fault);
            }
            self.end(Fault::Crash { node });
        }
        self.upgrade_the_last();
    }

    /// A node that missed a later format while it was no member gets the program that reads it.
    fn upgrade_the_last(&mut self) {
        let newest = self.servers.iter().map(|server| server.newest_format).max().unwrap_or_default();
        for node in 0..NODES {
            if self.servers[node].newest_format < newest {
                self.crash(node);
                self.servers[node].newest_format = newest;
                self.start(node);
            }
        }
    }

    fn by_operator(&mut self, node: usize) {
        let event = match self.random.range(0, 4) {
            0 => Event::Leave { node: NodeId(self.random.index(NODES) as u32) },
            1 => Event::Raise { format: self.servers[node].newest_format },
            _ => Event::StepDown,
        };
        self.handle(node, event);
    }

    /// Nodes that are no members ask to be; the first one has founded the cluster and is one by leading.
    pub fn operate(&mut self) {
        self.after(500, Happening::Operator);
        let Some(leader) = self.servers.iter().position(|server| server.leads() && server.is_up()) else { return };
        for node in 0..NODES {
            if !self.servers[leader].is_member(node) && self.servers[node].disk.durable.is_some() {
                let (run, formats) = (self.servers[leader].run, self.servers[node].formats());
                self.deliver(leader, run, Event::Join { node: NodeId(node as u32), formats });
            }
        }
    }
}
