//! The tabs. Each is one module with its state, its keys, what it makes of keys and replies, and its view, behind
//! [`Tab`]; the list at the end of this file is the only place that names them all. The header, the number keys, the
//! footer, the help and the palette follow from it.

pub mod audit;
pub mod cluster;
pub mod events;
pub mod games;
pub mod logs;
pub mod overview;
pub mod reports;
pub mod subscriptions;
pub mod users;
pub mod webhooks;

use morpion_openapi::{account::User, game::Game, realtime::ServerFrame};
use morpion_shell::{command_error::CommandError, reference::Candidate};
use ratatui::{Frame, layout::Rect};

use crate::{
    actions::Action,
    calls::{Call, Reply},
    context::Context,
    dialog::{
        Dialog, InputPurpose,
        menu::Menu,
        palette::{Argument, PaletteCommand},
    },
    event::Effect,
    hit_testing::ClickTargets,
    keymap::{Binding, Key, KeyAction, Keys, bind, char},
    list::List,
    own_commands::Target,
    theme::Theme,
    toast::Level,
};

/// What a tab asks the console for.
#[derive(Debug)]
pub enum Request {
    Effect(Effect),
    /// Another tab may be the one to do it.
    Perform(Action),
    /// A game of a list: live ones are watched, the others replayed.
    OpenGame(Box<Game>),
    /// A live game, as it is listed.
    Watch(Box<Game>),
    OpenDialog(Dialog),
    ShowTab(TabId),
    /// Makes the calls that are due.
    Poll,
    Toast(Level, String),
}

impl Request {
    /// A short message to the operator.
    pub fn warn(text: impl Into<String>) -> Self {
        Self::Toast(Level::Warning, text.into())
    }
}

impl From<Call> for Request {
    fn from(call: Call) -> Self {
        Self::Effect(Effect::Call(call))
    }
}

/// A line of the command palette.
#[derive(Debug, Clone, Copy)]
pub struct CommandLine<'a> {
    pub name: &'static str,
    pub argument: &'a str,
    /// The games in all lists: a game can be given by a prefix of its id.
    pub listed_games: &'a [Candidate],
}

impl<'a> CommandLine<'a> {
    /// The argument, which has to be there.
    ///
    /// # Errors
    /// What is to be named.
    pub fn required(&self, what: &str) -> Result<&'a str, String> {
        if self.argument.is_empty() { Err(format!("Name {what}.")) } else { Ok(self.argument) }
    }

    /// The argument as one of these.
    ///
    /// # Errors
    /// Which there are.
    pub fn one_of<T: Copy + ToString>(&self, all: &[T]) -> Result<T, String> {
        let found = all.iter().find(|one| one.to_string() == self.argument).copied();
        found.ok_or_else(|| {
            let words: Vec<_> = all.iter().map(ToString::to_string).collect();
            format!("Please choose one of these: {}.", words.join(", "))
        })
    }

    /// `on`, `off`, or the other of both.
    ///
    /// # Errors
    /// It is something else.
    pub fn switch(&self, is_on: bool) -> Result<bool, String> {
        match self.argument {
            "on" => Ok(true),
            "off" => Ok(false),
            "" => Ok(!is_on),
            _ => Err("It is on or off.".to_owned()),
        }
    }
}

/// A tab: state, keys, update and view. Only what a tab needs has to be implemented.
pub trait Tab: std::fmt::Debug {
    /// Its name in the header.
    fn title(&self) -> &'static str;

    /// The keys of its present mode: one of [`Tab::modes`].
    fn keys(&self) -> &'static Keys;

    /// The keys of each of its modes.
    fn modes(&self) -> &'static [&'static Keys];

    /// Its commands in the palette.
    fn commands(&self) -> &'static [PaletteCommand];

    /// Runs one of its commands.
    ///
    /// # Errors
    /// What is wrong with the line, for the operator.
    fn run(&mut self, line: CommandLine<'_>, context: &Context) -> Result<Vec<Request>, String>;

    /// What it knows that can follow a command's name in the palette.
    fn suggestions(&self, _argument: Argument) -> Vec<String> {
        vec![]
    }

    /// Takes a line that was typed for one of its purposes.
    ///
    /// # Errors
    /// What is wrong with it, for the operator.
    fn typed(&mut self, _purpose: InputPurpose, _text: &str, _context: &Context) -> Option<TypedOutcome> {
        None
    }

    /// The list that keys and the mouse move in.
    fn list(&self) -> Option<&dyn List> {
        None
    }

    fn list_mut(&mut self) -> Option<&mut dyn List> {
        None
    }

    /// The list of the tab itself, whatever is open in front of it: it is there again at the next start.
    fn kept_list(&self) -> Option<&dyn List> {
        self.list()
    }

    fn kept_list_mut(&mut self) -> Option<&mut dyn List> {
        self.list_mut()
    }

    /// What a command of the operator's own is run on: what is open or chosen.
    fn target(&self) -> Option<Target> {
        None
    }

    /// The list's filter was typed or cleared.
    fn filter_changed(&mut self, _now: i64) {}

    /// Moves by so many rows.
    fn step(&mut self, by: isize, _context: &Context) -> Vec<Request> {
        if let Some(list) = self.list_mut() {
            list.step(by);
        }
        vec![]
    }

    /// Does what a key of one of its tables asks for.
    fn key(&mut self, _action: KeyAction, _context: &Context) -> Vec<Request> {
        vec![]
    }

    /// Goes back: closes what is open, else clears the filter.
    fn back(&mut self, _now: i64) {
        if let Some(list) = self.list_mut() {
            list.set_filter(String::new());
        }
    }

    /// What can be done with what is chosen.
    fn menu(&self) -> Option<Menu> {
        None
    }

    /// Performs an action that is its own; any other is passed on.
    ///
    /// # Errors
    /// The action of another tab.
    fn perform(&mut self, action: Action, _context: &Context) -> Result<Vec<Request>, Action> {
        Err(action)
    }

    /// A confirmed action was carried out.
    fn confirmed(&mut self) {}

    /// It is shown from now on, with a connection.
    fn shown(&mut self) -> Vec<Effect> {
        vec![]
    }

    fn tick(&mut self, _context: &Context) -> Vec<Effect> {
        vec![]
    }

    /// The calls that are due while `shown` is on the screen.
    fn poll(&mut self, _shown: TabId, _now: i64) -> Vec<Call> {
        vec![]
    }

    /// What it knows is out of date: everything is due.
    fn expire(&mut self) {}

    /// The operator requested a refresh. Returns whether nothing is left to fetch.
    fn refresh(&mut self) -> bool {
        false
    }

    fn connected(&mut self, _is_shown: bool) -> Vec<Effect> {
        vec![]
    }

    fn disconnected(&mut self) {}

    /// The server acknowledged a frame of this id. None: not one of its own.
    fn acknowledged(&mut self, _id: &str, _refused: Option<&str>) -> Option<Vec<Request>> {
        None
    }

    /// Takes a frame that is its own; any other is passed on.
    ///
    /// # Errors
    /// The frame of another.
    fn frame(&mut self, frame: Box<ServerFrame>, _context: &Context) -> Result<Vec<Request>, Box<ServerFrame>> {
        Err(frame)
    }

    /// A call was answered. Every tab sees every reply.
    fn replied(&mut self, _call: &Call, _reply: &Reply, _context: &Context) -> Vec<Request> {
        vec![]
    }

    /// A call was refused. None: not one of its own.
    fn refused(&mut self, _call: &Call, _refusal: &CommandError, _context: &Context) -> Option<Vec<Request>> {
        None
    }

    /// Whether the header names it while another one is shown.
    fn is_offered(&self) -> bool {
        true
    }

    /// Whether the header marks it.
    fn needs_attention(&self) -> bool {
        false
    }

    /// An account that it knows.
    fn find_user(&self, _lookup: &users::UserLookup) -> Option<&User> {
        None
    }

    /// The games in its lists.
    fn listed_games(&self) -> Vec<&Game> {
        vec![]
    }

    fn draw(&self, frame: &mut Frame, area: Rect, context: &Context, theme: &Theme, targets: &mut ClickTargets);
}

/// What a tab made of a typed line, or what is wrong with it.
pub type TypedOutcome = Result<Vec<Request>, String>;

macro_rules! tabs {
    ($($id:ident => $field:ident: $type:ty),* $(,)?) => {
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum TabId { $($id),* }

        impl TabId {
            /// In the order of the header.
            pub const ALL: &'static [Self] = &[$(Self::$id),*];

            /// Counted from 0.
            pub fn index(self) -> usize {
                self as usize
            }

            /// The digit that opens it.
            pub fn digit(self) -> usize {
                (self.index() + 1) % 10
            }
        }

        #[derive(Debug, Default)]
        pub struct Tabs { $(pub $field: $type),* }

        impl Tabs {
            pub fn get(&self, id: TabId) -> &dyn Tab {
                match id { $(TabId::$id => &self.$field),* }
            }

            pub fn get_mut(&mut self, id: TabId) -> &mut dyn Tab {
                match id { $(TabId::$id => &mut self.$field),* }
            }

            pub fn iter(&self) -> impl Iterator<Item = (TabId, &dyn Tab)> {
                TabId::ALL.iter().map(|id| (*id, self.get(*id)))
            }

            pub fn iter_mut(&mut self) -> impl Iterator<Item = (TabId, &mut dyn Tab)> {
                [$((TabId::$id, &mut self.$field as &mut dyn Tab)),*].into_iter()
            }
        }
    };
}

// Every tab, in the order of the header and the number keys.
tabs! {
    Overview => overview: overview::Overview,
    Events => events: events::Events,
    Games => games: games::LiveGames,
    Logs => logs: logs::Logs,
    Users => users: users::Users,
    Audit => audit: audit::Audit,
    Subscriptions => subscriptions: subscriptions::Subscriptions,
    Reports => reports: reports::Reports,
    Cluster => cluster: cluster::Cluster,
    Webhooks => webhooks: webhooks::Webhooks,
}

/// The tenth has the 0, which is beside the 9.
static DIGITS: [Key; 10] =
    [char('1'), char('2'), char('3'), char('4'), char('5'), char('6'), char('7'), char('8'), char('9'), char('0')];
static NUMBER_BINDINGS: [Binding; TabId::ALL.len()] = number_bindings();

/// The number keys: each tab has its own, in the order of the header.
pub static NUMBERS: Keys = Keys { title: "Tabs", has_list: false, bindings: &NUMBER_BINDINGS };

const fn number_bindings() -> [Binding; TabId::ALL.len()] {
    let mut bindings = [bind(&[], KeyAction::Tab(0), "a tab by its number", ""); TabId::ALL.len()];
    let mut at = 0;
    while at < bindings.len() {
        bindings[at].keys = std::slice::from_ref(&DIGITS[at]);
        bindings[at].action = KeyAction::Tab(at);
        at += 1;
    }
    bindings
}
