//! `morpion-tui series …`

use morpion_openapi::{
    PageRequest,
    event::{CreateEvent, Event},
    series::{
        CreateSeries, DeleteSeries, EndSeries, GetSeries, GetSeriesTable, ListSeries, PreviewSeries, Series,
        SeriesDate, SeriesTableRow, UpdateSeries,
    },
};
use morpion_shell::{
    command_error::CommandError,
    reference::{self, Candidate},
};
use uuid::Uuid;

use super::{events, print::TextTable};
use crate::{
    args::{self, SeriesCommand, TheSeries},
    script::{Outcome, Script},
    widgets::name::Named,
};

impl Script {
    pub(super) async fn series(&self, command: &SeriesCommand) -> Outcome {
        match command {
            SeriesCommand::List { ended, page } => {
                let call = ListSeries { ended: Some(*ended), page: Some(page.page), limit: Some(page.limit) };
                let answer = self.api.ask(&call).await?;
                self.list(&answer.series, Some(&answer.pagination), table)
            }
            SeriesCommand::Show(TheSeries { series }) => {
                let series_id = self.one_series(series).await?;
                self.show(GetSeries { series_id }, |answer| {
                    let events: Vec<Event> = answer.upcoming.iter().chain(&answer.past).cloned().collect();
                    let events =
                        if events.is_empty() { String::new() } else { format!("\n{}", events::table(&events)) };
                    facts(&answer.series) + &events
                })
                .await
            }
            SeriesCommand::Table { series, page } => {
                let series_id = self.one_series(&series.series).await?;
                let call = GetSeriesTable { series_id, page: Some(page.page), limit: Some(page.limit) };
                let answer = self.api.ask(&call).await?;
                self.list(&answer.rows, Some(&answer.pagination), points)
            }
            SeriesCommand::Preview(schedule) => {
                let args::TheSchedule { first_start, time_zone, rule } = schedule.clone();
                let answer = self.api.ask(&PreviewSeries { first_start, time_zone, rule }).await?;
                self.list(&answer.dates, None, dates)
            }
            SeriesCommand::Create(series) => self.show(created(series), |answer| facts(&answer.series)).await,
            SeriesCommand::Edit(series) => {
                let call = UpdateSeries {
                    series_id: self.one_series(&series.series.series).await?,
                    name: series.name.clone(),
                    description: series.description.clone(),
                    template: None,
                    duration_minutes: series.duration,
                    first_start: series.first_start.clone(),
                    time_zone: series.time_zone.clone(),
                    rule: series.rule.clone(),
                    points: series.points.clone(),
                    days_ahead: series.days_ahead,
                };
                self.show(call, |answer| facts(&answer.series)).await
            }
            SeriesCommand::End(TheSeries { series }) => {
                let series_id = self.one_series(series).await?;
                self.show(EndSeries { series_id }, |answer| facts(&answer.series)).await
            }
            SeriesCommand::Delete(TheSeries { series }) => {
                let series_id = self.one_series(series).await?;
                self.api.ask(&DeleteSeries { series_id }).await?;
                let deleted = serde_json::json!({ "seriesId": series_id });
                self.print(&deleted, |_| "The series is deleted.\n".to_owned())
            }
        }
    }

    /// Resolves a series by its id, a prefix of it, or its name.
    async fn one_series(&self, wanted: &str) -> Result<Uuid, CommandError> {
        reference::resolve("series", wanted, async || self.all_series().await, async || Ok(vec![])).await
    }

    /// The series that make events, and the latest that were ended.
    pub async fn all_series(&self) -> Result<Vec<Candidate>, CommandError> {
        let mut found = vec![];
        for ended in [false, true] {
            let call = ListSeries { ended: Some(ended), page: Some(1), limit: Some(PageRequest::MAX_LIMIT) };
            let series = self.api.ask(&call).await?.series.into_iter();
            found.extend(series.map(|series| Candidate { id: series.series_id.to_string(), name: series.name }));
        }
        Ok(found)
    }
}

fn created(series: &args::CreateSeries) -> CreateSeries {
    let args::TheSchedule { first_start, time_zone, rule } = series.schedule.clone();
    CreateSeries {
        name: series.name.clone(),
        description: series.description.clone(),
        template: CreateEvent {
            title: series.title.clone(),
            description: series.event_description.clone(),
            prize: series.prize.clone(),
            event_type: series.r#type,
            event_state: None,
            start_time: None,
            end_time: None,
            round_times: None,
            max_losses: series.max_losses,
            rated_on_one_network: None,
            clock: series.format.clock,
            format: series.format.format,
            rounds: series.format.rounds.filter(|rounds| *rounds > 0),
            board_size: series.format.board,
            match_games: series.format.match_games,
            third_place: series.format.third_place,
            double_rounds: series.format.double,
            max_players: series.max_players.filter(|most| *most > 0),
            min_rating: series.entry.min_rating,
            max_rating: series.entry.max_rating,
            min_games: series.entry.min_games,
            account_age_days: series.entry.account_age_days,
            allow_list: series.entry.names(),
            bots_allowed: series.entry.bots_allowed,
            check_in_minutes: series.check_in.filter(|minutes| *minutes > 0),
            is_private: None,
        },
        duration_minutes: series.duration,
        first_start,
        time_zone,
        rule,
        points: series.points.clone(),
        days_ahead: series.days_ahead,
    }
}

fn table(series: &[Series]) -> String {
    let mut table = TextTable::new(&["ID", "NEXT", "RULE", "ZONE", "NAME"]);
    for one in series {
        let next = one.next_dates.first().map(|date| date.starts_at.to_string()).unwrap_or_default();
        table.row(&[&one.series_id.to_string(), &next, &one.rule, &one.time_zone, &one.name]);
    }
    table.text()
}

fn dates(dates: &[SeriesDate]) -> String {
    let mut table = TextTable::new(&["DATE", "STARTS"]);
    for date in dates {
        table.row(&[&date.date, &date.starts_at.to_string()]);
    }
    table.text()
}

fn points(rows: &[SeriesTableRow]) -> String {
    let mut table = TextTable::new(&["RANK", "PLAYER", "POINTS", "EVENTS", "FIRST", "ACCOUNT"]);
    for row in rows {
        let figures = [row.rank, row.points, row.events, row.firsts].map(|figure| figure.to_string());
        let [rank, points, events, firsts] = &figures;
        table.row(&[rank, &row.name().whole(), points, events, firsts, &row.user_id.to_string()]);
    }
    table.text()
}

fn facts(series: &Series) -> String {
    let points: Vec<String> = series.points.iter().map(ToString::to_string).collect();
    let mut table = TextTable::facts();
    table.fact("id", &series.series_id.to_string());
    table.fact("name", &series.name);
    table.fact("rule", &series.rule);
    table.fact("first start", &series.first_start);
    table.fact("time zone", &series.time_zone);
    table.fact("minutes", &series.duration_minutes.to_string());
    table.fact("days ahead", &series.days_ahead.to_string());
    table.fact("points", &points.join(", "));
    if let Some(ended) = series.ended_at {
        table.fact("ended", &ended.to_string());
    }
    table.fact("description", &series.description);
    if let Some(template) = &series.template {
        table.fact("events", &template.title);
        table.fact("format", template.format.as_str());
    }
    for date in &series.next_dates {
        table.fact(&date.date, &date.starts_at.to_string());
    }
    table.text()
}
