//! Live games: the table, kept up to date by the server; and who waits for one in quick match.

pub mod live_games;
mod queue;
mod view;

use crossterm::event::KeyCode;
use morpion_openapi::{
    PageRequest,
    admin::{AdjudicateGame, ListLiveGames},
    game::Game,
    realtime::{ClientFrame, ServerFrame, SubscribeLiveGames},
};
use morpion_shell::{command_error::CommandError, reference};
use ratatui::{
    Frame,
    layout::{Constraint, Layout, Rect},
};
use uuid::Uuid;

use super::{CommandLine, Request, Tab, TabId};
use crate::{
    actions::Action,
    calls::{Call, Reply},
    context::Context,
    dialog::{
        Dialog,
        confirm::{ConfirmDialog, ConfirmField},
        menu::{Menu, game_items},
        palette::{Argument, PaletteCommand, command},
    },
    event::Effect,
    hit_testing::ClickTargets,
    keymap::{KeyAction, Keys, bind, char, key},
    list::List,
    own_commands::Target,
    theme::Theme,
    toast::Level,
    widgets::{block::sections, text::short_id},
};
pub use live_games::{LiveGames, Section};

#[rustfmt::skip] // One row a line.
const KEYS: Keys = Keys { title: "Live games", has_list: true, bindings: &[
    bind(&[key(KeyCode::Enter)], KeyAction::Open, "watch the chosen game, or open the chosen account", "open"),
    bind(&[char('a')], KeyAction::Menu, "decide the chosen game", "act"),
    bind(&[key(KeyCode::Right), char('l')], KeyAction::Right, "to who waits in quick match", "waiting"),
    bind(&[key(KeyCode::Left), char('h')], KeyAction::Left, "to the games", ""),
]};

#[rustfmt::skip] // One row a line.
const COMMANDS: &[PaletteCommand] = &[
    command("games", Argument::None, "live games"),
    command("queue", Argument::None, "who waits in quick match"),
    command("game", Argument::Game, "watch a game"),
    command("replay", Argument::Text, "replay a finished game, by its id"),
];

/// The acknowledgement of the subscription comes under this id.
const SUBSCRIBE_ID: &str = "live-games";

/// A page of the live games, counted from 1.
fn page(page: u32) -> Request {
    Call::from(ListLiveGames { page: Some(page), limit: Some(PageRequest::MAX_LIMIT) }).into()
}

/// A game by its id, or by a prefix of the id of a listed one.
fn game_id(line: CommandLine<'_>) -> Result<Uuid, String> {
    let wanted = line.required("a game's id")?;
    if let Ok(id) = wanted.parse() {
        return Ok(id);
    }
    let games = line.listed_games.iter().cloned();
    let chosen = reference::choose("game", wanted, games).map_err(|refusal| refusal.text)?;
    chosen.id.parse().map_err(|_| "That is not an id.".to_owned())
}

fn confirm_adjudication(game_id: Uuid, winner: Option<(Uuid, String)>) -> ConfirmDialog {
    let (title, done) = match &winner {
        Some((_, name)) => {
            (format!("Decide game {} for {name}?", short_id(game_id)), format!("{name} won by your decision."))
        }
        None => (format!("Make game {} void?", short_id(game_id)), "The game is void.".to_owned()),
    };
    let lines = vec!["The game ends at once; both players are told.".to_owned()];
    let call = AdjudicateGame { game_id, winner_user_id: winner.map(|(id, _)| id), reason: String::new() };
    ConfirmDialog::new(title, lines, done).step(short_id(game_id), call).field(ConfirmField::Reason)
}

impl Tab for LiveGames {
    fn title(&self) -> &'static str {
        "Games"
    }

    fn keys(&self) -> &'static Keys {
        &KEYS
    }

    fn modes(&self) -> &'static [&'static Keys] {
        &[&KEYS]
    }

    fn commands(&self) -> &'static [PaletteCommand] {
        COMMANDS
    }

    fn run(&mut self, line: CommandLine<'_>, _context: &Context) -> Result<Vec<Request>, String> {
        Ok(vec![match line.name {
            "games" => {
                self.section = Section::Live;
                Request::ShowTab(TabId::Games)
            }
            "queue" => {
                self.section = Section::Waiting;
                Request::ShowTab(TabId::Games)
            }
            "game" => Request::Perform(Action::Watch(game_id(line)?)),
            _ => Request::Perform(Action::Replay(game_id(line)?)),
        }])
    }

    fn suggestions(&self, argument: Argument) -> Vec<String> {
        match argument {
            Argument::User => {
                self.shown().flat_map(|game| game.players.iter().map(|player| player.username.clone())).collect()
            }
            Argument::Game => self.shown().map(|game| game.game_id.to_string()).collect(),
            _ => vec![],
        }
    }

    fn list(&self) -> Option<&dyn List> {
        Some(match self.section {
            Section::Live => self,
            Section::Waiting => &self.waiting.table,
        })
    }

    fn list_mut(&mut self) -> Option<&mut dyn List> {
        Some(match self.section {
            Section::Live => self,
            Section::Waiting => &mut self.waiting.table,
        })
    }

    fn kept_list(&self) -> Option<&dyn List> {
        Some(self)
    }

    fn kept_list_mut(&mut self) -> Option<&mut dyn List> {
        Some(self)
    }

    fn target(&self) -> Option<Target> {
        match self.section {
            Section::Live => self.selected().map(|game| {
                let names: Vec<_> = game.players.iter().map(|player| player.username.as_str()).collect();
                Target::new(game.game_id, names.join(" - "))
            }),
            Section::Waiting => None,
        }
    }

    fn key(&mut self, action: KeyAction, _context: &Context) -> Vec<Request> {
        match action {
            KeyAction::Left | KeyAction::Right => {
                self.section = if action == KeyAction::Right { Section::Waiting } else { Section::Live };
                vec![Request::Poll]
            }
            KeyAction::Open if self.section == Section::Waiting => {
                let player = self.waiting.table.chosen();
                player
                    .map(|player| Request::Perform(Action::OpenUser(player.user_id.to_string())))
                    .into_iter()
                    .collect()
            }
            KeyAction::Open => self.selected().map(|game| Request::Watch(Box::new(game.clone()))).into_iter().collect(),
            _ => vec![],
        }
    }

    fn menu(&self) -> Option<Menu> {
        let game = self.selected().filter(|_| self.section == Section::Live)?;
        Some(Menu::new(format!("Game {}", short_id(game.game_id)), game_items(game.game_id, &game.players)))
    }

    fn perform(&mut self, action: Action, _context: &Context) -> Result<Vec<Request>, Action> {
        match action {
            Action::Adjudicate { game_id, winner } => {
                Ok(vec![Request::OpenDialog(Dialog::Confirm(confirm_adjudication(game_id, winner)))])
            }
            other => Err(other),
        }
    }

    fn poll(&mut self, shown: TabId, now: i64) -> Vec<Call> {
        let is_shown = shown == TabId::Games && self.section == Section::Waiting;
        is_shown.then(|| self.waiting.poll(now)).flatten().into_iter().collect()
    }

    fn expire(&mut self) {
        self.waiting.fetch.expire();
    }

    fn connected(&mut self, _is_shown: bool) -> Vec<Effect> {
        self.begin_sync();
        vec![Effect::Send { frame: ClientFrame::SubscribeLiveGames(SubscribeLiveGames {}), id: Some(SUBSCRIBE_ID) }]
    }

    fn acknowledged(&mut self, id: &str, refused: Option<&str>) -> Option<Vec<Request>> {
        if id != SUBSCRIBE_ID {
            return None;
        }
        if refused.is_none() && self.first_list_is_cut() {
            return Some(vec![page(1)]);
        }
        self.end_sync();
        Some(refused.map(|why| Request::Toast(Level::Error, why.to_owned())).into_iter().collect())
    }

    fn frame(&mut self, frame: Box<ServerFrame>, context: &Context) -> Result<Vec<Request>, Box<ServerFrame>> {
        match *frame {
            ServerFrame::LiveGamesChanged(changed) => {
                self.merge(changed, context.now);
                Ok(vec![])
            }
            other => Err(Box::new(other)),
        }
    }

    fn replied(&mut self, call: &Call, reply: &Reply, context: &Context) -> Vec<Request> {
        if let Reply::QuickMatchQueue(answer) = reply {
            self.waiting.take(answer, context.now);
            return vec![];
        }
        let (Call::ListLiveGames(call), Reply::ListLiveGames(answer)) = (call, reply) else { return vec![] };
        self.merge_page(answer.games.clone());
        if answer.pagination.has_next_page && !self.is_full() {
            return vec![page(call.page.unwrap_or(1) + 1)];
        }
        self.end_sync();
        vec![]
    }

    fn refused(&mut self, call: &Call, refusal: &CommandError, context: &Context) -> Option<Vec<Request>> {
        if let Call::QuickMatchQueue(_) = call {
            self.waiting.fetch.failed(refusal.clone(), context.now);
            return Some(vec![]);
        }
        let Call::ListLiveGames(_) = call else { return None };
        self.end_sync();
        Some(vec![Request::Toast(Level::Error, format!("Not all live games are listed. {refusal}"))])
    }

    fn listed_games(&self) -> Vec<&Game> {
        self.shown().collect()
    }

    fn draw(&self, frame: &mut Frame, area: Rect, context: &Context, theme: &Theme, targets: &mut ClickTargets) {
        let [titles, body] = Layout::vertical([Constraint::Length(1), Constraint::Min(0)]).areas(area);
        let sections_of = [(Section::Live, "Live games"), (Section::Waiting, "Waiting in quick match")];
        frame.render_widget(sections(&sections_of, self.section, theme), titles);
        match self.section {
            Section::Live => view::draw(frame, body, self, context, theme, targets),
            Section::Waiting => self.waiting.draw(frame, body, context, theme, targets),
        }
    }
}
