//! Devices that signed in before: `device`, keyed by account and the hash of the device cookie. A flood of failed
//! sign-ins elsewhere does not slow them down.

use chrono::{DateTime, Utc};
use surrealdb::types::{RecordId, SurrealValue, Uuid as DbUuid, array, vars};
use uuid::Uuid;

use crate::Result;
use crate::credentials::{self, Credentials, IN_ORDER, UNCHANGED};
use crate::store::{Store, last, row, rows};
use crate::user::{email_record, records_of};

/// Devices remembered per account; the one not seen for longest is removed.
const DEVICES_KEPT: usize = 20;

#[derive(SurrealValue)]
struct SeenDevice {
    id: RecordId,
    seen_at: DateTime<Utc>,
}

/// What is known when a device is remembered.
#[derive(Default, SurrealValue)]
struct Devices {
    before: i64,
    seen: Vec<SeenDevice>,
}

fn device_record(user_id: Uuid, hash: &str) -> RecordId {
    RecordId::new("device", array![DbUuid::from(user_id), hash.to_owned()])
}

/// All devices of an account, as a range.
pub(crate) fn devices_of(user_id: Uuid) -> RecordId {
    records_of("device", user_id)
}

impl Store {
    /// Records that this device signed in to an account whose credentials are still those that were checked, and returns
    /// whether it is new while others are known. `hash` is the SHA-256 of its cookie in hex. The account's row is written,
    /// so that what forgets its devices at the same time comes before or after.
    ///
    /// # Errors
    ///
    /// [`StoreError::NotFound`](crate::StoreError::NotFound) for a deleted account,
    /// [`StoreError::CredentialsChanged`](crate::StoreError::CredentialsChanged).
    pub async fn remember_device(&self, checked: Credentials, hash: &str, now: DateTime<Utc>) -> Result<bool> {
        let query = format!(
            "BEGIN; {UNCHANGED} \
             LET $before = array::len((SELECT VALUE id FROM $devices)); \
             {IN_ORDER} \
             UPSERT $device SET seen_at = $now RETURN NONE; \
             RETURN [{{ before: $before, seen: (SELECT id, seen_at FROM $devices) }}]; \
             COMMIT;"
        );
        let mut variables = credentials::checked(checked);
        variables.extend(vars! {
            device: device_record(checked.user_id, hash),
            devices: devices_of(checked.user_id),
            now: now,
        });
        let mut response = self.write(&query, variables).await?;
        let Devices { before, mut seen } = last(&mut response)?.pop().unwrap_or_default();
        let is_new = before > 0 && seen.len() as i64 > before;
        if seen.len() <= DEVICES_KEPT {
            return Ok(is_new);
        }
        seen.sort_by_key(|device| std::cmp::Reverse(device.seen_at));
        let surplus: Vec<RecordId> = seen.drain(DEVICES_KEPT..).map(|device| device.id).collect();
        self.write("DELETE $surplus RETURN NONE", vars! { surplus: surplus }).await?;
        Ok(is_new)
    }

    /// The hashes of the devices that signed in to this account, at most [`DEVICES_KEPT`].
    pub async fn known_devices(&self, user_id: Uuid) -> Result<Vec<String>> {
        let query = "SELECT VALUE record::id(id)[1] FROM $devices";
        let mut response = self.read(query, vars! { devices: devices_of(user_id) }).await?;
        rows(&mut response, 0)
    }

    /// Whether this device signed in to this account before.
    pub async fn is_known_device(&self, user_id: Uuid, hash: &str) -> Result<bool> {
        let query = "SELECT id, seen_at FROM $device";
        let mut response = self.read(query, vars! { device: device_record(user_id, hash) }).await?;
        Ok(row::<SeenDevice>(&mut response, 0)?.is_some())
    }

    /// Whether this device signed in before to the account that verified this email. The same is read whether or not
    /// there is such an account, so that the time tells nothing.
    pub async fn is_device_of_owner(&self, email: &str, hash: &str) -> Result<bool> {
        let query = "LET $uid = (SELECT VALUE uid FROM ONLY $guard) ?? $nobody; \
                     SELECT id, seen_at FROM type::record('device', [$uid, $hash])";
        let variables = vars! { guard: email_record(email), nobody: Uuid::nil(), hash: hash.to_owned() };
        let mut response = self.read(query, variables).await?;
        Ok(row::<SeenDevice>(&mut response, 1)?.is_some())
    }
}
