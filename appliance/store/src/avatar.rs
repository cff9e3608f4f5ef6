//! Profile images: `avatar`, one record per size. They are small, re-encoded by us, and belong to the account's
//! transactions and backups; their cost is measured in `examples/store_costs.rs`.

use std::ops::Bound;

use bytes::Bytes;
use surrealdb::types::{RecordId, RecordIdKey, RecordIdKeyRange, SurrealValue, Uuid as DbUuid, array, vars};
use uuid::Uuid;

use crate::store::{Store, row};
use crate::user::user_record;
use crate::{Result, StoreError};

/// An image in one of its sizes.
#[derive(Debug, Clone, PartialEq, Eq, SurrealValue)]
pub struct AvatarImage {
    /// The account's `avatar`, which changes with the image.
    pub version: String,
    /// Such as `image/png`.
    pub media_type: String,
    pub image: Bytes,
}

/// An image to be stored, in all its sizes.
#[derive(Debug, Clone)]
pub struct NewAvatar {
    pub version: String,
    pub media_type: String,
    /// Pixels a side, and the encoded image.
    pub sizes: Vec<(u32, Bytes)>,
}

#[derive(SurrealValue)]
struct StoredSize {
    size: i64,
    content: AvatarImage,
}

/// All sizes of an account's image, as a range of ids.
pub(crate) fn avatars_of(user_id: Uuid) -> RecordId {
    let user = DbUuid::from(user_id);
    let range = RecordIdKeyRange {
        start: Bound::Included(RecordIdKey::from(array![user])),
        end: Bound::Excluded(RecordIdKey::from(array![user, i64::MAX])),
    };
    RecordId::new("avatar", range)
}

impl Store {
    /// Replaces an account's image, or removes it. Audited.
    ///
    /// # Errors
    ///
    /// [`StoreError::NotFound`] when there is no such account (any more).
    pub async fn set_avatar(&self, id: Uuid, avatar: Option<NewAvatar>) -> Result<()> {
        let query = "BEGIN; \
            LET $changed = (UPDATE $id SET avatar = $version WHERE deleted_at = NONE RETURN VALUE uid); \
            IF array::len($changed) = 0 { THROW 'morpion:no-user' }; \
            DELETE $all RETURN NONE; \
            FOR $size IN $sizes { \
                CREATE type::record('avatar', [$uid, $size.size]) CONTENT $size.content RETURN NONE; }; \
            fn::audit($audit); \
            COMMIT;";
        let version = avatar.as_ref().map(|avatar| avatar.version.clone());
        let sizes: Vec<StoredSize> = avatar.map_or_else(Vec::new, |NewAvatar { version, media_type, sizes }| {
            let stored = |(size, image): (u32, Bytes)| StoredSize {
                size: size.into(),
                content: AvatarImage { version: version.clone(), media_type: media_type.clone(), image },
            };
            sizes.into_iter().map(stored).collect()
        });
        let variables = vars! { id: user_record(id), uid: id, all: avatars_of(id), version: version, sizes: sizes };
        self.write(query, variables).await.map(drop)
    }

    /// An account's image in this size.
    ///
    /// # Errors
    ///
    /// [`StoreError::NotFound`] when it has none, or none of that size.
    pub async fn avatar(&self, id: Uuid, size: u32) -> Result<AvatarImage> {
        let record = RecordId::new("avatar", array![DbUuid::from(id), i64::from(size)]);
        let mut response = self.read("SELECT * FROM $id", vars! { id: record }).await?;
        row(&mut response, 0)?.ok_or(StoreError::NotFound("image"))
    }
}
