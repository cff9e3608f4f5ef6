//! The table of live games: kept up to date, sorted, filtered, with one row chosen.

use std::{
    cmp::Ordering,
    collections::{HashMap, HashSet},
};

use morpion_openapi::{
    game::{Game, GameStatus, GameType},
    realtime::LiveGamesChanged,
};
use uuid::Uuid;

use super::{queue::WaitingPlayers, view::COLUMNS};
use crate::{
    kept::{KeptColumn, KeptList},
    list::{List, view::Column},
    widgets::name::Named,
};

/// Rows held: what a person can still search, at about 1 KiB a row. Further games are counted, not
/// listed.
pub const MAX_ROWS: usize = 5_000;

/// Games in the server's first list, at most; the others are fetched page by page.
const FIRST_LIST: usize = 500;

/// What the table is ordered by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Sort {
    /// The newest first.
    #[default]
    Age,
    Players,
    Size,
    Status,
    Moves,
    /// The best rated player first.
    Rating,
    /// The most watched first.
    Watchers,
}

impl Sort {
    /// With their names.
    const ALL: [(Self, &'static str); 7] = [
        (Self::Age, "Age"),
        (Self::Players, "Players"),
        (Self::Size, "Size"),
        (Self::Status, "Status"),
        (Self::Moves, "Moves"),
        (Self::Rating, "Rating"),
        (Self::Watchers, "Seen by"),
    ];

    fn next(self) -> Self {
        match self {
            Self::Age => Self::Players,
            Self::Players => Self::Size,
            Self::Size => Self::Status,
            Self::Status => Self::Moves,
            Self::Moves => Self::Rating,
            Self::Rating => Self::Watchers,
            Self::Watchers => Self::Age,
        }
    }

    fn compare(self, one: &Game, other: &Game) -> Ordering {
        match self {
            Self::Age => other.created_at.cmp(&one.created_at),
            Self::Players => names(one).cmp(&names(other)),
            Self::Size => other.board_size.cmp(&one.board_size),
            Self::Status => (one.status == GameStatus::Waiting).cmp(&(other.status == GameStatus::Waiting)),
            Self::Moves => moves(other).cmp(&moves(one)),
            Self::Rating => best_rating(other).cmp(&best_rating(one)),
            Self::Watchers => other.watchers.cmp(&one.watchers),
        }
        .then_with(|| other.created_at.cmp(&one.created_at))
        .then_with(|| one.game_id.cmp(&other.game_id))
    }
}

/// Drawn rounds count more than the moves of the present one.
fn moves(game: &Game) -> (u32, u32) {
    (game.draw_count, game.move_count.unwrap_or(0))
}

/// Of the better rated player; none for two guests.
pub fn best_rating(game: &Game) -> Option<u32> {
    game.players.iter().filter_map(|player| player.rating.as_ref()).map(|rating| rating.value).max()
}

fn names(game: &Game) -> Vec<[String; 2]> {
    game.players.iter().map(|player| player.name().order()).collect()
}

#[derive(Debug)]
struct Row {
    game: Game,
    /// Listed or updated since the connection was made.
    is_fresh: bool,
}

/// What the tab shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Section {
    #[default]
    Live,
    Waiting,
}

#[derive(Debug, Default)]
pub struct LiveGames {
    pub section: Section,
    /// Who looks for an opponent in quick match.
    pub waiting: WaitingPlayers,
    rows: HashMap<Uuid, Row>,
    /// What is shown, in order.
    order: Vec<Uuid>,
    chosen: Option<Uuid>,
    /// A game that is chosen as soon as it is shown, unless another one is before.
    awaited: Option<Uuid>,
    pub sort: Sort,
    pub is_reversed: bool,
    columns: Vec<KeptColumn>,
    pub filter: String,
    /// Keys go to the filter.
    pub is_typing: bool,
    /// The list came at least once.
    pub is_loaded: bool,
    /// Live games for which there was no room.
    pub beyond: u64,
    /// Games that ended while the list is loaded: a page that lists them is older.
    ended_meanwhile: Option<HashSet<Uuid>>,
    /// The server's clock minus ours, in milliseconds.
    clock_offset: i64,
}

impl LiveGames {
    /// A connection was made: the list is loaded again. Until then the old one is shown.
    pub fn begin_sync(&mut self) {
        self.rows.values_mut().for_each(|row| row.is_fresh = false);
        self.ended_meanwhile = Some(HashSet::new());
        self.beyond = 0;
    }

    /// The whole list came: what was not in it has ended.
    pub fn end_sync(&mut self) {
        if self.ended_meanwhile.take().is_some() {
            self.rows.retain(|_, row| row.is_fresh);
            self.is_loaded = true;
            self.arrange();
        }
    }

    /// Whether the first list may not have been the whole.
    pub fn first_list_is_cut(&self) -> bool {
        self.rows.values().filter(|row| row.is_fresh).count() >= FIRST_LIST
    }

    pub fn is_full(&self) -> bool {
        self.rows.len() >= MAX_ROWS
    }

    pub fn merge(&mut self, changed: LiveGamesChanged, now: i64) {
        self.clock_offset = changed.server_time.as_millis() - now;
        for id in changed.ended {
            self.rows.remove(&id);
            if let Some(ended) = &mut self.ended_meanwhile {
                ended.insert(id);
            }
        }
        changed.games.into_iter().for_each(|game| self.put(game));
        self.arrange();
    }

    /// A page of the list. Live updates are newer.
    pub fn merge_page(&mut self, games: Vec<Game>) {
        for game in games {
            let is_known = self.rows.get(&game.game_id).is_some_and(|row| row.is_fresh);
            let has_ended = self.ended_meanwhile.as_ref().is_some_and(|ended| ended.contains(&game.game_id));
            if !is_known && !has_ended {
                self.put(game);
            }
        }
        self.arrange();
    }

    fn put(&mut self, game: Game) {
        if self.is_full() && !self.rows.contains_key(&game.game_id) {
            self.beyond += 1;
        } else {
            self.rows.insert(game.game_id, Row { game, is_fresh: true });
        }
    }

    /// Sorts the rows again. The same game stays chosen; if it has ended, the one in its place is.
    fn arrange(&mut self) {
        let place = self.chosen_index().unwrap_or(0);
        let wanted: Vec<String> = self.filter.split_whitespace().map(str::to_lowercase).collect();
        let mut shown: Vec<&Game> =
            self.rows.values().map(|row| &row.game).filter(|game| fits(game, &wanted)).collect();
        let sort = self.sort;
        shown.sort_by(|one, other| sort.compare(one, other));
        if self.is_reversed {
            shown.reverse();
        }
        self.order = shown.into_iter().map(|game| game.game_id).collect();
        if let Some(id) = self.awaited.take_if(|id| self.order.contains(id)) {
            self.chosen = Some(id);
        }
        let is_shown = self.chosen.is_some_and(|id| self.order.contains(&id));
        if !is_shown {
            self.chosen = self.order.get(place).or(self.order.last()).copied();
        }
    }

    /// All that is shown, in order.
    pub fn shown(&self) -> impl ExactSizeIterator<Item = &Game> {
        self.order.iter().map(|id| &self.rows[id].game)
    }

    /// How many there are, shown or not.
    pub fn total(&self) -> usize {
        self.rows.len()
    }

    pub fn selected_id(&self) -> Option<Uuid> {
        self.chosen.filter(|id| self.rows.contains_key(id))
    }

    pub fn selected(&self) -> Option<&Game> {
        self.chosen.and_then(|id| self.rows.get(&id)).map(|row| &row.game)
    }

    /// Whether a game is among the live ones.
    pub fn contains(&self, id: Uuid) -> bool {
        self.rows.contains_key(&id)
    }

    /// The live game with this id.
    pub fn get(&self, id: Uuid) -> Option<&Game> {
        self.rows.get(&id).map(|row| &row.game)
    }

    /// How old a game is, in milliseconds, by the server's clock.
    pub fn age(&self, game: &Game, now: i64) -> i64 {
        (now + self.clock_offset - game.created_at.as_millis()).max(0)
    }
}

impl List for LiveGames {
    fn step(&mut self, by: isize) {
        let Some(last) = self.order.len().checked_sub(1) else { return };
        let at = self.chosen_index().unwrap_or(0);
        self.choose(at.saturating_add_signed(by).min(last));
    }

    fn choose(&mut self, at: usize) {
        if let Some(id) = self.order.get(at) {
            (self.chosen, self.awaited) = (Some(*id), None);
        }
    }

    fn chosen_index(&self) -> Option<usize> {
        let chosen = self.chosen?;
        self.order.iter().position(|id| *id == chosen)
    }

    fn filter(&self) -> &str {
        &self.filter
    }

    fn set_filter(&mut self, filter: String) {
        self.filter = filter;
        self.arrange();
    }

    fn is_typing(&self) -> bool {
        self.is_typing
    }

    fn set_typing(&mut self, is_typing: bool) {
        self.is_typing = is_typing;
    }

    fn sort_by_next(&mut self) {
        self.sort = self.sort.next();
        self.is_reversed = false;
        self.arrange();
    }

    fn reverse(&mut self) {
        self.is_reversed = !self.is_reversed;
        self.arrange();
    }

    fn columns(&self) -> &'static [Column] {
        &COLUMNS
    }

    fn chosen_columns(&self) -> &[KeptColumn] {
        &self.columns
    }

    fn choose_columns(&mut self, chosen: Vec<KeptColumn>) {
        self.columns = chosen;
    }

    fn kept(&self) -> KeptList {
        KeptList {
            row: self.awaited.or(self.chosen).map(|id| id.to_string()),
            filter: self.filter.clone(),
            sort: Sort::ALL.iter().find(|(sort, _)| *sort == self.sort).map(|(_, name)| (*name).to_owned()),
            is_reversed: self.is_reversed,
            columns: self.columns.clone(),
        }
    }

    fn restore(&mut self, kept: &KeptList) {
        self.awaited = kept.row.as_ref().and_then(|id| id.parse().ok());
        self.filter.clone_from(&kept.filter);
        self.columns.clone_from(&kept.columns);
        if let Some((sort, _)) = Sort::ALL.iter().find(|(_, name)| Some(*name) == kept.sort.as_deref()) {
            (self.sort, self.is_reversed) = (*sort, kept.is_reversed);
        }
        self.arrange();
    }
}

/// Every word of the filter is somewhere in the row.
fn fits(game: &Game, wanted: &[String]) -> bool {
    if wanted.is_empty() {
        return true;
    }
    let kind = match game.game_type {
        GameType::Invite => "invite",
        GameType::Event => "event",
        GameType::Quick => "quick",
    };
    let size = game.board_size;
    let names: Vec<_> = game.players.iter().map(|player| player.name().whole().to_lowercase()).collect();
    let row = format!("{} {kind} {} {size}x{size} {}", game.game_id, game.status, names.join(" "));
    wanted.iter().all(|word| row.contains(word))
}
