//! What keys and the mouse do.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::{Action, App, Effect, List, TabId, Watch};
use crate::{
    context::has_room,
    dialog::{Dialog, columns::ColumnsDialog, menu::Menu, text_input::TextInput},
    help,
    hit_testing::ClickTarget,
    keyboard::one_line,
    keymap::{self, KeyAction, Keys},
    pages,
    tabs::{NUMBERS, Tabs},
};

/// Rows that PgDn and PgUp go past.
pub(super) const PAGE: isize = 10;

impl App {
    pub(super) fn key(&mut self, key: KeyEvent) -> Vec<Effect> {
        if key.code == KeyCode::Char('c') && key.modifiers.contains(KeyModifiers::CONTROL) {
            return vec![Effect::Quit];
        }
        if !has_room(self.context.size) {
            return self.key_unseen(key);
        }
        if self.dialog.is_some() && !self.is_help_open {
            return self.dialog_key(key);
        }
        if !self.is_help_open && self.is_filtering() {
            return self.type_filter(key);
        }
        let action = keymap::find(&self.key_layers(), &self.context.options.keys, key);
        if self.is_help_open
            && !matches!(action, Some(KeyAction::Quit | KeyAction::Suspend | KeyAction::Help | KeyAction::Back))
        {
            self.scroll_help(key.code);
            return vec![];
        }
        match action {
            Some(action) => self.key_action(action),
            None => self.own_key(key),
        }
    }

    /// No state is visible, so none is changed: keys quit the program or show the help.
    fn key_unseen(&mut self, key: KeyEvent) -> Vec<Effect> {
        match keymap::find(&self.key_layers(), &self.context.options.keys, key) {
            // Somebody may be typing a text with a q in it.
            Some(KeyAction::Quit) if !self.is_typing() => return vec![Effect::Quit],
            Some(KeyAction::Suspend) => return vec![Effect::Suspend],
            Some(KeyAction::Help) => self.toggle_help(),
            _ => {}
        }
        vec![]
    }

    /// Whether letters are letters now.
    pub fn is_typing(&self) -> bool {
        match &self.dialog {
            Some(dialog) => dialog.is_typing(),
            None => self.is_filtering(),
        }
    }

    fn is_filtering(&self) -> bool {
        self.list().is_some_and(List::is_typing)
    }

    fn toggle_help(&mut self) {
        self.is_help_open = !self.is_help_open;
        self.help_from = 0;
    }

    fn scroll_help(&mut self, key: KeyCode) {
        let by = match key {
            KeyCode::Down | KeyCode::Char('j') => 1,
            KeyCode::Up | KeyCode::Char('k') => -1,
            KeyCode::PageDown => PAGE as i16,
            KeyCode::PageUp => -(PAGE as i16),
            _ => 0,
        };
        let (layers, own) = (self.key_layers(), self.own_commands());
        let last = help::lines((&layers, &own), &self.context.options.keys, self.context.size.0).saturating_sub(1);
        self.help_from = self.help_from.saturating_add_signed(by).min(last);
    }

    fn key_action(&mut self, action: KeyAction) -> Vec<Effect> {
        match action {
            KeyAction::Quit => return vec![Effect::Quit],
            KeyAction::Suspend => return vec![Effect::Suspend],
            KeyAction::Help => self.toggle_help(),
            KeyAction::Back => return self.back(),
            KeyAction::Refresh => return self.refresh(),
            KeyAction::Palette => self.open_palette(),
            KeyAction::Mouse => return self.set_mouse(!self.context.options.has_mouse),
            KeyAction::Tab(at) => return TabId::ALL.get(at).map_or(vec![], |tab| self.show(*tab)),
            KeyAction::NextTab => return self.show_beside(true),
            KeyAction::PreviousTab => return self.show_beside(false),
            KeyAction::Menu => self.open_menu(),
            KeyAction::Down => return self.step(1),
            KeyAction::Up => return self.step(-1),
            KeyAction::PageDown => return self.step(PAGE),
            KeyAction::PageUp => return self.step(-PAGE),
            KeyAction::First => return self.step(isize::MIN),
            KeyAction::Last => return self.step(isize::MAX),
            KeyAction::Filter => self.with_list(|list| list.set_typing(true)),
            KeyAction::Sort => self.with_list(|list| list.sort_by_next()),
            KeyAction::Reverse => self.with_list(|list| list.reverse()),
            KeyAction::Columns => self.open_columns(),
            action if self.watch.is_some() => return self.board_key(action),
            action if self.replay.is_some() => return self.replay_key(action),
            action => {
                let requests = self.tabs.get_mut(self.tab).key(action, &self.context);
                return self.resolve(requests);
            }
        }
        vec![]
    }

    pub(super) fn with_list(&mut self, change: impl FnOnce(&mut dyn List)) {
        if let Some(list) = self.list_mut() {
            change(list);
        }
    }

    /// Asks which columns of the table are shown.
    fn open_columns(&mut self) {
        let list = self.list().filter(|list| !list.columns().is_empty());
        match list.map(|list| ColumnsDialog::new(list.columns(), list.chosen_columns())) {
            Some(dialog) => self.dialog = Some(Dialog::Columns(dialog)),
            None => self.warn("The columns here are fixed."),
        }
    }

    /// Shows the next tab that the header names, or the one before; after the last one comes the first.
    fn show_beside(&mut self, forward: bool) -> Vec<Effect> {
        let named: Vec<TabId> = self.named_tabs().collect();
        let at = named.iter().position(|tab| *tab == self.tab).unwrap_or(0);
        let by = if forward { 1 } else { named.len() - 1 };
        self.show(named[(at + by) % named.len()])
    }

    /// Asks again for what is shown, or connects.
    fn refresh(&mut self) -> Vec<Effect> {
        if !self.context.connection.is_connected() {
            return vec![Effect::Reconnect];
        }
        let now = self.context.now;
        if let Some(watch) = &mut self.watch {
            return vec![watch.ask(now)];
        }
        if !self.has_page() && self.tabs.get_mut(self.tab).refresh() {
            return vec![];
        }
        self.expire();
        self.poll()
    }

    fn board_key(&mut self, action: KeyAction) -> Vec<Effect> {
        match action {
            KeyAction::NextGame => self.watch_beside(1),
            KeyAction::PreviousGame => self.watch_beside(-1),
            KeyAction::Replay => {
                let over = self.watch.as_ref().filter(|watch| watch.is_over()).map(|watch| watch.game_id);
                if let Some(game_id) = over {
                    return self.perform(Action::Replay(game_id));
                }
                self.warn("It is not over yet.");
                vec![]
            }
            _ => vec![],
        }
    }

    fn replay_key(&mut self, action: KeyAction) -> Vec<Effect> {
        let Some(replay) = &mut self.replay else { return vec![] };
        match action {
            KeyAction::Play => replay.play(self.context.now),
            KeyAction::Right => replay.forward(),
            KeyAction::Left => replay.back(),
            _ => {}
        }
        if action == KeyAction::Play { vec![] } else { self.poll() }
    }

    /// Watches a neighbour in the list of live games.
    fn watch_beside(&mut self, by: isize) -> Vec<Effect> {
        let games = &mut self.tabs.games;
        let watched = self.watch.as_ref().map(|watch| watch.game_id);
        // A watched game that ended is no longer in the list; then its neighbour is chosen already.
        if games.selected_id() == watched {
            games.step(by);
        }
        match games.selected() {
            Some(game) if Some(game.game_id) != watched => {
                let watch = Watch::new(game);
                self.watch_game(watch)
            }
            _ => vec![],
        }
    }

    pub(super) fn set_mouse(&mut self, is_on: bool) -> Vec<Effect> {
        self.context.options.has_mouse = is_on;
        let word = if is_on { "on" } else { "off: the terminal's own selection works again" };
        self.warn(format!("The mouse is {word}."));
        vec![Effect::SetMouse(is_on)]
    }

    fn step(&mut self, by: isize) -> Vec<Effect> {
        if self.watch.is_some() {
            return vec![];
        }
        if let Some(replay) = &mut self.replay {
            if by < 0 {
                replay.first()
            } else {
                replay.last()
            }
            return vec![];
        }
        let requests = self.tabs.get_mut(self.tab).step(by, &self.context);
        self.resolve(requests)
    }

    pub(super) fn click(&mut self, target: ClickTarget) -> Vec<Effect> {
        if !has_room(self.context.size) {
            return vec![];
        }
        match target {
            _ if self.is_help_open => {
                self.is_help_open = false;
                vec![]
            }
            ClickTarget::Tab(at) if self.dialog.is_none() => TabId::ALL.get(at).map_or(vec![], |tab| self.show(*tab)),
            ClickTarget::Row(at) if self.dialog.is_none() => {
                let Some(list) = self.list_mut() else { return vec![] };
                // The second click on a row opens it.
                if list.chosen_index() == Some(at) {
                    return self.key_action(KeyAction::Open);
                }
                list.choose(at);
                vec![]
            }
            ClickTarget::MenuItem(at) => self.choose_item(at),
            ClickTarget::Tab(_) | ClickTarget::Row(_) => vec![],
        }
    }

    pub(super) fn scroll(&mut self, by: isize) -> Vec<Effect> {
        let is_covered = self.dialog.is_some() || self.is_help_open || !has_room(self.context.size);
        if is_covered { vec![] } else { self.step(by) }
    }

    /// A pasted text goes where somebody types, or nowhere: it is never read as keys.
    pub(super) fn paste(&mut self, text: &str) {
        let text = one_line(text);
        let is_shown = has_room(self.context.size) && !self.is_help_open;
        if text.is_empty() || (is_shown && (self.paste_into_dialog(&text) || self.paste_into_filter(&text))) {
            return;
        }
        self.warn("Pasted text goes into fields only.");
    }

    fn paste_into_filter(&mut self, text: &str) -> bool {
        if self.dialog.is_some() || !self.is_filtering() {
            return false;
        }
        let now = self.context.now;
        if let Some(list) = self.list_mut() {
            let mut filter = TextInput::new(list.filter());
            filter.paste(text);
            list.set_filter(filter.text().to_owned());
            self.tabs.get_mut(self.tab).filter_changed(now);
        }
        true
    }

    fn type_filter(&mut self, key: KeyEvent) -> Vec<Effect> {
        let now = self.context.now;
        let Some(list) = self.list_mut() else { return vec![] };
        let mut filter = list.filter().to_owned();
        match key.code {
            KeyCode::Char('u') if key.modifiers.contains(KeyModifiers::CONTROL) => filter.clear(),
            KeyCode::Enter => list.set_typing(false),
            KeyCode::Esc => {
                list.set_typing(false);
                filter.clear();
            }
            KeyCode::Up => list.step(-1),
            KeyCode::Down => list.step(1),
            KeyCode::Backspace => {
                filter.pop();
            }
            KeyCode::Char(char) if !key.modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::ALT) => {
                filter.push(char);
            }
            _ => {}
        }
        if filter != list.filter() {
            list.set_filter(filter);
            self.tabs.get_mut(self.tab).filter_changed(now);
        }
        vec![]
    }

    fn back(&mut self) -> Vec<Effect> {
        if self.is_help_open {
            self.is_help_open = false;
            return vec![];
        }
        if let Some(watch) = self.watch.take() {
            return vec![watch.leave()];
        }
        if self.replay.take().is_none() {
            let now = self.context.now;
            self.tabs.get_mut(self.tab).back(now);
        }
        vec![]
    }

    /// The menu of what can be done with what is chosen.
    fn open_menu(&mut self) {
        let menu = match (&self.watch, &self.replay) {
            (Some(watch), _) => Some(watch.menu()),
            (None, Some(_)) => None,
            (None, None) => self.tabs.get(self.tab).menu(),
        };
        let is_read_only = self.context.options.is_read_only;
        let is_offered = |menu: &mut Menu| {
            menu.items.retain(|item| !is_read_only || !item.action.is_write());
            !menu.items.is_empty()
        };
        match menu.and_then(|mut menu| is_offered(&mut menu).then_some(menu)) {
            Some(menu) => self.dialog = Some(Dialog::Menu(menu)),
            None => self.warn("There is nothing to do here."),
        }
    }
}

/// The active key tables in every place of the console.
pub fn places() -> Vec<Vec<&'static Keys>> {
    let tabs = Tabs::default();
    let modes: Vec<_> = tabs.iter().flat_map(|(_, tab)| tab.modes()).copied().collect();
    modes.into_iter().chain(pages::MODES).map(|keys| keys.layers(&NUMBERS)).collect()
}

/// Those of these modes of a tab.
pub fn places_of(modes: &'static [&'static Keys]) -> Vec<Vec<&'static Keys>> {
    modes.iter().copied().map(|keys| keys.layers(&NUMBERS)).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

    use super::*;
    use crate::{
        keymap::{Binding, ChosenKeys, EVERYWHERE, KeyList, LISTS, find},
        tabs::{Tab, events, games},
    };

    fn bindings() -> impl Iterator<Item = &'static Binding> {
        places().into_iter().flatten().flat_map(|keys| keys.bindings)
    }

    #[test]
    fn no_key_is_bound_twice_in_one_place() {
        for layers in places() {
            let mut seen = HashSet::new();
            for key in layers.iter().flat_map(|keys| keys.bindings).flat_map(|binding| binding.keys) {
                assert!(seen.insert(*key), "{} twice in {}", key.name(false), layers[0].title);
            }
        }
    }

    fn chosen<const N: usize>(keys: [(KeyAction, &str); N]) -> ChosenKeys {
        let keys = keys.into_iter().zip(7..);
        ChosenKeys::new(keys.map(|((action, keys), line)| (action, keys.parse::<KeyList>().expect("keys"), line)))
    }

    #[test]
    fn a_chosen_key_with_two_meanings_is_taken_back_and_told_with_its_line() {
        assert!(ChosenKeys::default().settle(&places()).is_empty());
        assert!(chosen([(KeyAction::Refresh, "F5 r")]).settle(&places()).is_empty());
        for (action, typed, wanted) in [
            (KeyAction::Refresh, "F5 a", "a has two meanings in 'Backups'"),
            (KeyAction::Refresh, "1", "1 has two meanings"),
            (KeyAction::Wrap, "q", "q has two meanings in 'Logs'"),
            (KeyAction::Refresh, "x x", "x has two meanings"),
        ] {
            let mut keys = chosen([(KeyAction::Palette, "Ctrl-p"), (action, typed)]);
            let refused = keys.settle(&places());
            let [(line, text)] = &refused[..] else { panic!("{typed}: {refused:?}") };
            assert!(*line == 8 && text.contains(wanted), "{typed}: {text}");
            assert_eq!(keys, chosen([(KeyAction::Palette, "Ctrl-p")]), "the other one holds");
        }
        // What was taken back may need its usual key, which another one was given.
        let mut keys = chosen([(KeyAction::Help, "r"), (KeyAction::Refresh, "1")]);
        let refused = keys.settle(&places());
        assert_eq!(refused.iter().map(|(line, _)| *line).collect::<Vec<_>>(), [8, 7], "{refused:?}");
        assert_eq!(keys, ChosenKeys::default());
    }

    #[test]
    fn every_bound_key_has_an_effect() {
        for layers in places() {
            for binding in layers.iter().flat_map(|keys| keys.bindings) {
                for key in binding.keys {
                    assert_eq!(
                        find(&layers, &ChosenKeys::default(), KeyEvent::new(key.code, key.modifiers)),
                        Some(binding.action)
                    );
                }
                assert!(!binding.does.is_empty() && !binding.keys.is_empty());
            }
        }
    }

    #[test]
    fn every_tab_has_its_number_everywhere() {
        for (at, tab) in TabId::ALL.iter().enumerate() {
            let number = KeyCode::Char(std::char::from_digit(tab.digit() as u32, 10).expect("a digit"));
            for layers in places() {
                assert_eq!(
                    find(&layers, &ChosenKeys::default(), KeyEvent::from(number)),
                    Some(KeyAction::Tab(at)),
                    "{}",
                    layers[0].title
                );
            }
        }
    }

    #[test]
    fn keys_of_other_places_have_no_effect() {
        let games = games::LiveGames::default().keys().layers(&NUMBERS);
        let board = pages::watch::KEYS.layers(&NUMBERS);
        assert_eq!(find(&board, &ChosenKeys::default(), KeyEvent::from(KeyCode::Char('/'))), None);
        assert_eq!(find(&games, &ChosenKeys::default(), KeyEvent::new(KeyCode::Char('q'), KeyModifiers::ALT)), None);
        assert_eq!(
            find(&games, &ChosenKeys::default(), KeyEvent::new(KeyCode::Char('S'), KeyModifiers::SHIFT)),
            Some(KeyAction::Reverse)
        );
    }

    #[test]
    fn ascii_names_are_ascii() {
        for key in bindings().flat_map(|binding| binding.keys) {
            assert!(key.name(true).is_ascii());
        }
    }

    #[test]
    fn list_and_global_keys_apply_where_there_is_a_list() {
        let titles: Vec<_> = events::Events::default().keys().layers(&NUMBERS).iter().map(|keys| keys.title).collect();
        assert_eq!(titles, ["Events", LISTS.title, NUMBERS.title, EVERYWHERE.title]);
    }
}
