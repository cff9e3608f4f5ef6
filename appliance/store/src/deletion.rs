//! Deleting accounts, and the cleanup that is pending outside of this store's account tables: `deletion`, `merge`.
//! Recorded in the transaction that deletes, so that a crash in between loses nothing.

use chrono::{DateTime, Utc};
use surrealdb::types::{RecordId, SurrealValue, Uuid as DbUuid, Variables, vars};
use uuid::Uuid;

use crate::Result;
use crate::avatar::avatars_of;
use crate::calendar::{REVOKE, calendar_record, revocation_record};
use crate::counted::Counted;
use crate::credentials::{self, Credentials};
use crate::device::devices_of;
use crate::engine_use::{engine_use_record, evidence_record};
use crate::moderation::{BlocksChange, blocks_of};
use crate::notification::settings_record;
use crate::password_link::PASSWORD_LINKS_OF;
use crate::rating::rating_record;
use crate::second_factor::second_factor_record;
use crate::store::{Store, rows};
use crate::user::DELETED_NAME;

pub(crate) fn deletion_record(user_id: Uuid) -> RecordId {
    RecordId::new("deletion", DbUuid::from(user_id))
}

/// A guest whose games move to an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq, SurrealValue)]
pub struct Merge {
    pub guest: Uuid,
    pub account: Uuid,
}

pub(crate) fn merge_record(guest: Uuid) -> RecordId {
    RecordId::new("merge", DbUuid::from(guest))
}

impl Store {
    /// Deletes an account permanently: its names become free, its sessions, devices, avatar, rating and calendar are removed,
    /// and a tombstone called 'Deleted player' stays in past results. Idempotent.
    ///
    /// The remaining cleanup is recorded in the same transaction: [`Store::pending_deletions`].
    ///
    /// Audited.
    ///
    /// # Errors
    ///
    /// [`StoreError::NotFound`], and [`StoreError::LastAdmin`].
    pub async fn delete_user(&self, id: Uuid, now: DateTime<Utc>) -> Result<()> {
        self.delete_user_for(credentials::unchecked(id), id, None, now).await
    }

    /// As [`Store::delete_user`], by the owner, or of whom was looked at before.
    ///
    /// # Errors
    ///
    /// As there; [`StoreError::CredentialsChanged`].
    pub async fn delete_own(&self, checked: Credentials, now: DateTime<Utc>) -> Result<()> {
        self.delete_user_for(credentials::checked(checked), checked.user_id, None, now).await
    }

    /// As [`Store::delete_own`], for a guest who signed in to an account: their games move to the account, see
    /// [`Store::pending_merges`].
    ///
    /// # Errors
    ///
    /// [`StoreError::NotFound`] when it is no guest (any more); [`StoreError::CredentialsChanged`].
    pub async fn merge_guest(&self, guest: Credentials, account: Uuid, now: DateTime<Utc>) -> Result<()> {
        self.delete_user_for(credentials::checked(guest), guest.user_id, Some(account), now).await
    }

    /// `variables` are those of [`credentials::checked`].
    async fn delete_user_for(
        &self,
        mut variables: Variables,
        id: Uuid,
        account: Option<Uuid>,
        now: DateTime<Utc>,
    ) -> Result<()> {
        let query = "BEGIN; \
            LET $user = (SELECT * FROM ONLY $id); \
            IF $user = NONE { THROW 'morpion:no-user' }; \
            IF $compare AND $user.deleted_at = NONE AND $user.credential_version != $checked \
                { THROW 'morpion:credentials-changed' }; \
            IF $account != NONE { \
                IF $user.deleted_at != NONE OR !$user.is_temp { THROW 'morpion:no-user' }; \
                UPSERT $merge CONTENT { guest: $uid, account: $account, at: $now } RETURN NONE; }; \
            IF $user.deleted_at = NONE { \
                DELETE type::record('username', string::lowercase($user.username)) RETURN NONE; \
                IF $user.email_verified = true { DELETE type::record('email', $user.email_key) RETURN NONE; } \
                    ELSE IF $user.email_key != NONE { \
                        DELETE type::record('email_claim', $user.email_key) RETURN NONE; }; \
                FOR $link IN $user.providers { \
                    DELETE type::record('provider', [$link.iss, $link.sub]) RETURN NONE; }; \
                IF $user.is_admin = true AND $user.admin_claim = NONE { \
                    IF counter:admins.value <= 1 { THROW 'morpion:last-admin' }; \
                    UPDATE counter:admins SET value -= 1 RETURN NONE; }; \
                UPDATE $id SET username = '', display_name = $deleted, display_key = NONE, first_name = '', \
                    last_name = '', email = NONE, email_key = NONE, email_verified = false, password_hash = NONE, \
                    providers = [], avatar = NONE, is_admin = false, admin_claim = NONE, is_temp = false, \
                    pro = NONE, suspension = NONE, second_factor = false, profile_visibility = NONE, \
                    bot_since = NONE, credential_version = $changed, session_version = $changed, deleted_at = $now RETURN NONE; \
                UPSERT $deletion CONTENT { uid: $uid, at: $now } RETURN NONE; }; \
            DELETE $devices RETURN NONE; \
            DELETE $blocks RETURN NONE; \
            DELETE (SELECT VALUE id FROM block WHERE blocked = $uid) RETURN NONE; \
            DELETE (SELECT VALUE id FROM report WHERE reporter = $uid OR subject = $uid) RETURN NONE; \
            DELETE type::record('reporter', $uid) RETURN NONE; \
            DELETE $engine_use RETURN NONE; \
            DELETE $evidence RETURN NONE; \
            DELETE $avatars RETURN NONE; \
            DELETE $factor RETURN NONE; \
            DELETE $rating RETURN NONE; \
            DELETE $notifications RETURN NONE; \
            DELETE $counted RETURN NONE; \
            DELETE (SELECT VALUE id FROM push_subscription WHERE uid = $uid) RETURN NONE; \
            DELETE (SELECT VALUE id FROM passkey WHERE uid = $uid) RETURN NONE; \
            DELETE (SELECT VALUE id FROM former_name WHERE uid = $uid) RETURN NONE; \
            DELETE (SELECT VALUE id FROM email_undo WHERE uid = $uid) RETURN NONE; \
            DELETE ({links}) RETURN NONE; \
            {revoke} \
            fn::audit($audit); \
            COMMIT;"
            .replace("{links}", PASSWORD_LINKS_OF)
            .replace("{revoke}", REVOKE);
        variables.extend(vars! {
            now: now,
            deleted: DELETED_NAME.to_owned(),
            devices: devices_of(id),
            blocks: blocks_of(id),
            engine_use: engine_use_record(id),
            evidence: evidence_record(id),
            avatars: avatars_of(id),
            factor: second_factor_record(id),
            rating: rating_record(id),
            notifications: settings_record(id),
            counted: Counted::all_of(id),
            calendar: calendar_record(id),
            revocation: revocation_record(Uuid::new_v4()),
            deletion: deletion_record(id),
            merge: merge_record(id),
            account: account,
        });
        self.change_blocks(BlocksChange::Deletion(id), &query, variables).await.map(drop)
    }

    /// Pending merges, at most `limit`.
    pub async fn pending_merges(&self, limit: usize) -> Result<Vec<Merge>> {
        let mut response =
            self.read("SELECT guest, account FROM merge LIMIT $limit", vars! { limit: limit as i64 }).await?;
        rows(&mut response, 0)
    }

    /// Removes a merge that is complete.
    pub async fn finish_merge(&self, guest: Uuid) -> Result<()> {
        self.write("DELETE $id RETURN NONE", vars! { id: merge_record(guest) }).await.map(drop)
    }

    /// Deleted accounts with pending cleanup, at most `limit`.
    pub async fn pending_deletions(&self, limit: usize) -> Result<Vec<Uuid>> {
        // A guest's games move to the account first.
        let query = "SELECT VALUE uid FROM deletion WHERE !record::exists(type::record('merge', uid)) LIMIT $limit";
        let mut response = self.read(query, vars! { limit: limit as i64 }).await?;
        rows(&mut response, 0)
    }

    /// Removes a deletion whose cleanup is complete.
    pub async fn finish_deletion(&self, user_id: Uuid) -> Result<()> {
        self.write("DELETE $id RETURN NONE", vars! { id: deletion_record(user_id) }).await.map(drop)
    }
}
