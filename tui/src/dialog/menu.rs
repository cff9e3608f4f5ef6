//! Menus, and the items that several tabs offer.

use crossterm::event::{KeyCode, KeyEvent};
use morpion_openapi::{account::User, game::GamePlayerRef, logger::LogFilter};
use uuid::Uuid;

use crate::{
    actions::{Action, Moderation, Subject},
    log::NO_FILTER,
    widgets::{name::Named, text::short_id},
};

#[derive(Debug, Clone, PartialEq)]
pub struct MenuItem {
    pub key: char,
    pub label: String,
    pub action: Action,
}

impl MenuItem {
    pub fn new(key: char, label: impl Into<String>, action: Action) -> Self {
        Self { key, label: label.into(), action }
    }
}

#[derive(Debug)]
pub struct Menu {
    pub title: String,
    pub items: Vec<MenuItem>,
    pub chosen: usize,
}

impl Menu {
    pub fn new(title: impl Into<String>, items: Vec<MenuItem>) -> Self {
        Self { title: title.into(), items, chosen: 0 }
    }

    /// Handles a key; returns what was chosen.
    pub fn key(&mut self, key: KeyEvent) -> Option<Action> {
        let last = self.items.len().saturating_sub(1);
        match key.code {
            KeyCode::Up => self.chosen = self.chosen.saturating_sub(1),
            KeyCode::Down => self.chosen = (self.chosen + 1).min(last),
            KeyCode::Enter => return self.items.get(self.chosen).map(|item| item.action.clone()),
            KeyCode::Char(char) => {
                return self.items.iter().find(|item| item.key == char).map(|item| item.action.clone());
            }
            _ => {}
        }
        None
    }
}

/// What can be done with an account.
pub fn user_items(user: &User) -> Vec<MenuItem> {
    let (id, name) = (user.user_id, user.name().whole());
    let filter = LogFilter { user_id: Some(id), ..NO_FILTER };
    let pro = if user.is_pro_user {
        MenuItem::new('p', "revoke Pro", Action::RevokePro { user: id, name: name.clone() })
    } else {
        MenuItem::new('p', "grant Pro", Action::GrantPro { user: id, name: name.clone() })
    };
    let is_admin = !user.is_admin;
    let label = if is_admin { "make admin" } else { "take the admin's rights away" };
    let admin = MenuItem::new('d', label, Action::SetAdmin { user: id, name: name.clone(), is_admin });
    let mut items = vec![MenuItem::new('o', "open the account", Action::OpenUser(id.to_string()))];
    // A guest can have neither.
    items.extend([pro, admin].into_iter().filter(|_| !user.is_temp_user));
    let subject = Subject { user_id: id, username: user.username.clone(), name: name.clone() };
    items.extend(moderation_items(&subject, user.suspension.is_some(), !user.profile.is_empty()));
    items.extend([
        MenuItem::new(
            'l',
            "its log",
            Action::OpenLogScope { title: format!("Everything of {name}"), filter: Box::new(filter) },
        ),
        MenuItem::new('c', "copy its id", Action::Copy(id.to_string())),
    ]);
    items
}

/// What can be done against somebody's misuse.
pub fn moderation_items(subject: &Subject, is_suspended: bool, has_picture: bool) -> Vec<MenuItem> {
    let item = |key, label: &str, act| MenuItem::new(key, label, Action::Moderate(act, subject.clone()));
    let suspend = if is_suspended { "change the suspension" } else { "suspend" };
    let mut items = vec![item('s', suspend, Moderation::Suspend)];
    items.extend(is_suspended.then(|| item('e', "lift the suspension", Moderation::Lift)));
    items.push(item('n', "rename", Moderation::Rename));
    items.extend(has_picture.then(|| item('i', "remove the picture", Moderation::RemovePicture)));
    items.push(item('x', "delete the account", Moderation::Delete));
    items
}

/// What can be done with a live game.
pub fn game_items(game_id: Uuid, players: &[GamePlayerRef]) -> Vec<MenuItem> {
    // An open seat cannot lose.
    let is_full = players.len() == 2;
    let mut items: Vec<_> = players
        .iter()
        .filter(|_| is_full)
        .zip(['x', 'o'])
        .map(|(player, key)| {
            let name = player.name().whole();
            let winner = Some((player.user_id, name.clone()));
            MenuItem::new(key, format!("decide it for {name}"), Action::Adjudicate { game_id, winner })
        })
        .collect();
    items.push(MenuItem::new('v', "make it void", Action::Adjudicate { game_id, winner: None }));
    for (player, key) in players.iter().zip(['1', '2']) {
        items.push(MenuItem::new(
            key,
            format!("open the account of {}", player.name().whole()),
            Action::OpenUser(player.username.clone()),
        ));
    }
    let filter = LogFilter { text: Some(game_id.to_string()), ..NO_FILTER };
    let title = format!("Game {}", short_id(game_id));
    items.push(MenuItem::new('l', "its log", Action::OpenLogScope { title, filter: Box::new(filter) }));
    items.push(MenuItem::new('c', "copy its id", Action::Copy(game_id.to_string())));
    items
}
