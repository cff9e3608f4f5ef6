//! The resource `series`. Who may call what: `docs/behaviour/api.md#who-may-call-what`.

use std::sync::Arc;

use morpion_openapi::{
    Acknowledgement, PageRequest,
    event::{CreateEvent, Event},
    series::{
        CreateSeries, DeleteSeries, EndSeries, GetSeries, GetSeriesTable, ListSeries, PreviewSeries, Series,
        SeriesAnswer, SeriesDatesAnswer, SeriesListAnswer, SeriesPageAnswer, SeriesRead, SeriesTableAnswer,
        SeriesWrite, UpdateSeries,
    },
};
use morpion_rules::event::Details;
use morpion_store::AuditEntry;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{
    ApiError,
    convert::{events, series as convert},
    event::listed,
    resource::{Reply, Resource, reply},
};
use crate::{
    app::App,
    caller::Call,
    error::CommonError,
    events::series::{SeriesChange, SeriesPlan, SeriesView},
};

/// Default number of series of a page, and of rows of a table.
const DEFAULT_PAGE: u32 = 20;

/// What places are worth, unless the organiser says otherwise.
const DEFAULT_POINTS: [u32; 6] = [10, 7, 5, 3, 2, 1];

/// Days before the start in which an event is made, unless the organiser says otherwise.
const DEFAULT_DAYS_AHEAD: u32 = 28;

pub struct SeriesResource(pub Arc<App>);

impl Resource for SeriesResource {
    type Reads = SeriesRead;
    type Writes = SeriesWrite;
    const IDS: (&'static str, &'static str) = ("readSeries", "writeSeries");

    async fn read(&self, call: Call, action: SeriesRead) -> Result<Reply, ApiError> {
        match action {
            SeriesRead::ListSeries(payload) => reply::<ListSeries>(self.list(&call, payload).await),
            SeriesRead::GetSeries(payload) => reply::<GetSeries>(self.get(&call, payload.series_id).await),
            SeriesRead::GetSeriesTable(payload) => reply::<GetSeriesTable>(self.table(payload).await),
            SeriesRead::PreviewSeries(payload) => reply::<PreviewSeries>(self.preview(&call, &payload)),
        }
    }

    async fn write(&self, call: Call, action: SeriesWrite) -> Result<Reply, ApiError> {
        call.caller.admin()?;
        match action {
            SeriesWrite::CreateSeries(payload) => reply::<CreateSeries>(self.create(&call, payload).await),
            SeriesWrite::UpdateSeries(payload) => reply::<UpdateSeries>(self.update(&call, payload).await),
            SeriesWrite::EndSeries(EndSeries { series_id }) => {
                let entry = self.entry(&call, "end_series", series_id).await?;
                let ended = self.0.events.end_series(series_id, entry).await?;
                reply::<EndSeries>(self.answer(&call, ended).await)
            }
            SeriesWrite::DeleteSeries(DeleteSeries { series_id }) => {
                let entry = self.entry(&call, "delete_series", series_id).await?;
                self.0.events.delete_series(series_id, entry).await?;
                reply::<DeleteSeries>(Ok(Acknowledgement {}))
            }
        }
    }
}

impl SeriesResource {
    async fn list(&self, call: &Call, payload: ListSeries) -> Result<SeriesListAnswer, ApiError> {
        let page = PageRequest::new(payload.page, payload.limit, DEFAULT_PAGE);
        let found = self.0.events.list_series(payload.ended == Some(true), page).await?;
        let series = found.rows.into_iter().map(|view| convert::series(view, &call.caller)).collect();
        Ok(SeriesListAnswer { series, pagination: page.pagination(found.total_count) })
    }

    async fn get(&self, call: &Call, id: Uuid) -> Result<SeriesPageAnswer, ApiError> {
        let page = self.0.events.series(id).await?;
        let shown = |views: Vec<_>| views.into_iter().map(|view| events::event(view, &call.caller)).collect();
        Ok(SeriesPageAnswer {
            series: self.told(call, page.series).await?,
            upcoming: shown(page.upcoming),
            past: shown(page.past),
        })
    }

    async fn table(&self, payload: GetSeriesTable) -> Result<SeriesTableAnswer, ApiError> {
        let page = PageRequest::new(payload.page, payload.limit, DEFAULT_PAGE);
        let (rows, counted) = self.0.events.series_table(payload.series_id, page).await?;
        Ok(convert::table(rows, counted, page))
    }

    fn preview(&self, call: &Call, payload: &PreviewSeries) -> Result<SeriesDatesAnswer, ApiError> {
        call.caller.admin()?;
        let PreviewSeries { first_start, time_zone, rule } = payload;
        let dates = self.0.events.preview_series(first_start, time_zone, rule)?;
        Ok(SeriesDatesAnswer { dates: convert::dates(&dates) })
    }

    async fn create(&self, call: &Call, payload: CreateSeries) -> Result<SeriesAnswer, ApiError> {
        let entry = self.0.accounts.audit_entry(call, "create_series", "", json!({ "rule": payload.rule }));
        let plan = SeriesPlan {
            name: payload.name,
            description: payload.description.unwrap_or_default(),
            template: self.template(call, payload.template).await?,
            duration_minutes: payload.duration_minutes,
            first_start: payload.first_start,
            time_zone: payload.time_zone,
            rule: payload.rule,
            points: payload.points.unwrap_or_else(|| DEFAULT_POINTS.to_vec()),
            days_ahead: payload.days_ahead.unwrap_or(DEFAULT_DAYS_AHEAD),
        };
        self.answer(call, self.0.events.create_series(plan, entry).await?).await
    }

    async fn update(&self, call: &Call, payload: UpdateSeries) -> Result<SeriesAnswer, ApiError> {
        // The requested changes, without the id that the trail has anyway.
        let mut detail = serde_json::to_value(&payload).map_err(ApiError::internal)?;
        if let Some(fields) = detail.as_object_mut() {
            fields.remove("seriesId");
        }
        // A list may be long.
        if let Some(list) = detail.pointer_mut("/template/allowList") {
            *list = list.as_array().map_or(Value::Null, |names| names.len().into());
        }
        let id = payload.series_id;
        let entry = self.0.accounts.audit_entry(call, "update_series", &id.to_string(), detail);
        let change = SeriesChange {
            name: payload.name,
            description: payload.description,
            template: match payload.template {
                Some(template) => Some(self.template(call, template).await?),
                None => None,
            },
            duration_minutes: payload.duration_minutes,
            first_start: payload.first_start,
            time_zone: payload.time_zone,
            rule: payload.rule,
            points: payload.points,
            days_ahead: payload.days_ahead,
        };
        self.answer(call, self.0.events.update_series(id, change, entry).await?).await
    }

    /// The event that a series makes again and again.
    async fn template(&self, call: &Call, template: CreateEvent) -> Result<Details, ApiError> {
        let set = [
            ("template.eventState", template.event_state.is_some()),
            ("template.startTime", template.start_time.is_some()),
            ("template.endTime", template.end_time.is_some()),
            ("template.roundTimes", template.round_times.is_some()),
            ("template.isPrivate", template.is_private.is_some()),
        ];
        if let Some((field, _)) = set.into_iter().find(|(_, is_set)| *is_set) {
            return Err(CommonError::invalid(
                field,
                "The events of a series are public, and their times follow its rule.",
            )
            .into());
        }
        let listed = listed(&self.0, call, template.allow_list.as_deref()).await?;
        events::draft(template, listed)
    }

    /// The entry of the audit trail for what is done to a series, with its name.
    async fn entry(&self, call: &Call, action: &str, id: Uuid) -> Result<AuditEntry, ApiError> {
        let detail = json!({ "name": self.0.events.series_name(id).await? });
        Ok(self.0.accounts.audit_entry(call, action, &id.to_string(), detail))
    }

    async fn answer(&self, call: &Call, view: SeriesView) -> Result<SeriesAnswer, ApiError> {
        Ok(SeriesAnswer { series: self.told(call, view).await? })
    }

    /// One series, with the list of names of its template for admins.
    async fn told(&self, call: &Call, view: SeriesView) -> Result<Series, ApiError> {
        let allow_list = self.0.events.allow_list(&view.template, &call.caller).await?;
        let series = convert::series(view, &call.caller);
        let template = series.template.map(|template| Event { allow_list, ..template });
        Ok(Series { template, ..series })
    }
}
