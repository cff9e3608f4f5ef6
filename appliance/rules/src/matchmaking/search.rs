//! Searching for partners: who fits whom, from when on, and why a player still waits.

use super::{Bucket, Queue, QueueEntry, REMATCH_AVOIDED, Waiting, bucket::Ticket};
use crate::{UserId, clock::Millis};

/// Why two players do not fit yet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Obstacle {
    Gap,
    Rematch,
}

/// A possible partner, and from when on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Candidate {
    pub(super) ticket: Ticket,
    pub(super) distance: u32,
    pub(super) fits_at: Millis,
    obstacle: Obstacle,
}

/// The result of a search.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct SearchResult {
    /// The nearest who fits now, longest waiting first.
    pub(super) fits: Option<Candidate>,
    /// Who fits first, now or later.
    pub(super) soonest: Option<Candidate>,
}

impl SearchResult {
    fn consider(&mut self, candidate: Candidate, now: Millis) {
        if self.soonest.is_none_or(|best| candidate.fits_at < best.fits_at) {
            self.soonest = Some(candidate);
        }
        let key = |c: Candidate| (c.distance, c.ticket);
        if candidate.fits_at <= now && self.fits.is_none_or(|best| key(candidate) < key(best)) {
            self.fits = Some(candidate);
        }
    }
}

impl Queue {
    /// Why a player waits; `None` for a player who is not in the queue. `playing` counts the event's players in games.
    pub fn why_waiting(&self, user: UserId, playing: usize, now: Millis) -> Option<Waiting> {
        let entry = self.entries.get(&user)?;
        if entry.away {
            return Some(Waiting::Away);
        }
        if self.present.len() == 1 {
            return Some(match (self.entries.len(), playing) {
                (1, 0) => Waiting::Alone,
                (1, _) => Waiting::OthersPlaying,
                _ => Waiting::OthersAway,
            });
        }
        let Some(soonest) = self.search(entry, 0, now).soonest else {
            return Some(Waiting::SameAddress);
        };
        let until = soonest.fits_at;
        Some(match soonest.obstacle {
            _ if until <= now => Waiting::BeingPaired,
            Obstacle::Rematch => Waiting::AvoidingRematch { until },
            Obstacle::Gap => {
                let allowed = self.policy.allowed_gap(now - entry.ticket.since);
                Waiting::LevelGap { difference: soonest.distance, allowed, until }
            }
        })
    }

    /// Walks the buckets outwards from the player's level, starting `least` levels away, until
    /// somebody fits or nobody further away could fit sooner than who was seen.
    pub(super) fn search(&self, entry: &QueueEntry, least: u32, now: Millis) -> SearchResult {
        let mut result = SearchResult::default();
        let Some(oldest) = self.present.first() else {
            return result;
        };
        let level = entry.seeker.level;
        let below = level.checked_sub(least.max(1));
        let mut down = below.into_iter().flat_map(|b| self.buckets.range(..=b).rev()).peekable();
        let above = level.checked_add(least);
        let mut up = above.into_iter().flat_map(|a| self.buckets.range(a..)).peekable();
        loop {
            let next_down = down.peek().map(|(other, _)| level - **other);
            let next_up = up.peek().map(|(other, _)| **other - level);
            let distance = match (next_down, next_up) {
                (Some(d), Some(u)) => d.min(u),
                (Some(one), None) | (None, Some(one)) => one,
                (None, None) => return result,
            };
            if result.fits.is_some_and(|fits| fits.distance < distance) {
                return result;
            }
            let bound = self.policy.gap_allows_at(oldest.since, distance);
            if result.soonest.is_some_and(|soonest| soonest.fits_at <= bound && bound > now) {
                return result;
            }
            for side in [
                down.next_if(|(other, _)| level - **other == distance),
                up.next_if(|(other, _)| **other - level == distance),
            ] {
                let Some((_, bucket)) = side else { continue };
                self.search_bucket(bucket, entry, distance, now, &mut result);
            }
        }
    }

    /// Considers the longest waiting player of a bucket who is not the last opponent, and last opponents who have
    /// waited longer.
    fn search_bucket(
        &self,
        bucket: &Bucket,
        entry: &QueueEntry,
        distance: u32,
        now: Millis,
        result: &mut SearchResult,
    ) {
        let own_group = self.group(&entry.seeker);
        let mut longest_waiting: Option<Ticket> = None;
        for &(head, group) in &bucket.heads {
            if longest_waiting.is_some_and(|ticket| ticket < head) {
                break;
            }
            if !group.fits(own_group) {
                continue;
            }
            for &ticket in bucket.groups.get(&group).into_iter().flatten() {
                if ticket == entry.ticket || self.must_not_meet(entry.seeker.user, ticket.user) {
                    continue;
                }
                let candidate = self.candidate(entry, ticket, distance);
                result.consider(candidate, now);
                if candidate.obstacle != Obstacle::Rematch {
                    longest_waiting = Some(longest_waiting.map_or(ticket, |l| l.min(ticket)));
                    break;
                }
            }
        }
    }

    fn candidate(&self, entry: &QueueEntry, ticket: Ticket, distance: u32) -> Candidate {
        let longer_waiting = entry.ticket.since.min(ticket.since);
        let by_gap = self.policy.gap_allows_at(longer_waiting, distance);
        let rematch = entry.seeker.last_opponent == Some(ticket.user)
            || self
                .entries
                .get(&ticket.user)
                .is_some_and(|other| other.seeker.last_opponent == Some(entry.seeker.user));
        let by_rematch = longer_waiting + REMATCH_AVOIDED;
        let (fits_at, obstacle) = if rematch && self.present.len() > 2 && by_rematch > by_gap {
            (by_rematch, Obstacle::Rematch)
        } else {
            (by_gap, Obstacle::Gap)
        };
        Candidate { ticket, distance, fits_at, obstacle }
    }
}
