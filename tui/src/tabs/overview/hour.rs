//! The last hour: a chart for each figure as far as there is room, and a line for each of the others if there is room for
//! all of them. What has no chart comes into sight by stepping through the figures.

use morpion_openapi::admin::HistorySample;
use ratatui::{
    Frame,
    layout::{Alignment, Constraint, Layout, Rect},
    style::Style,
    symbols::Marker,
    text::{Line, Span},
    widgets::{Axis, Chart, Dataset, GraphType, Paragraph},
};

use super::{
    Mode, Overview,
    scale::{Scale, Unit},
    view::NAME,
};
use crate::{
    theme::Theme,
    widgets::{notice, spark::spark},
};

/// The least columns and rows of a chart: a title, three rows of curve, the axis and its labels.
const LEAST: (u16, u16) = (38, 6);
/// The longest figure: "12 / 120 ms".
const FIGURE: usize = 12;
/// Charts beside each other; more would be narrow on every terminal.
const MAX_COLUMNS: u16 = 4;
const HOUR_MINUTES: f64 = 60.0;
/// Samples that are further apart than this are not connected, in minutes.
const GAP: f64 = 0.5;

/// What is beyond is not to be believed, nor is what is below 0: a petabyte.
const HIGHEST: f64 = 1e15;

#[derive(Clone, Copy)]
struct Figure(fn(&HistorySample) -> Option<f64>);

impl Figure {
    fn of(self, sample: &HistorySample) -> Option<f64> {
        (self.0)(sample).map(|figure| figure.clamp(0.0, HIGHEST))
    }
}

/// What has one chart.
struct Series {
    name: &'static str,
    unit: Unit,
    /// One curve each; the last is the highest.
    figures: &'static [Figure],
}

/// The most telling first.
const SERIES: [Series; 7] = [
    Series { name: "Moves a second", unit: Unit::Count, figures: &[Figure(|sample| Some(sample.moves_per_second))] },
    Series {
        name: "Move, p50 and p99",
        unit: Unit::Milliseconds,
        figures: &[Figure(|sample| sample.move_p50), Figure(|sample| sample.move_p99)],
    },
    Series { name: "Processor", unit: Unit::Percent, figures: &[Figure(|sample| Some(sample.cpu_percent))] },
    Series { name: "Memory", unit: Unit::Bytes, figures: &[Figure(|sample| Some(sample.memory as f64))] },
    Series { name: "Websockets", unit: Unit::Count, figures: &[Figure(|sample| Some(sample.sockets as f64))] },
    Series {
        name: "Free disk space",
        unit: Unit::Bytes,
        figures: &[Figure(|sample| sample.disk_free.map(|free| free as f64))],
    },
    Series {
        name: "Log, a second",
        unit: Unit::Count,
        figures: &[Figure(|sample| Some(sample.log_records_per_second))],
    },
];

/// The figures there are.
pub const COUNT: usize = SERIES.len();

/// Whether an area has room for charts, with the rest as lines.
pub fn has_room(area: Rect) -> bool {
    charts_with_lines(area) > 0
}

/// How many charts fit if the others get a line each.
fn charts_with_lines(area: Rect) -> usize {
    let fits = |charts: &usize| {
        let rows = charts.div_ceil(columns(area).into()) as u16;
        rows * LEAST.1 + (COUNT - charts) as u16 <= area.height
    };
    if area.width < LEAST.0 { 0 } else { (0..=COUNT).rev().find(fits).unwrap_or(0) }
}

fn columns(area: Rect) -> u16 {
    (area.width / LEAST.0).clamp(1, MAX_COLUMNS)
}

pub fn draw(frame: &mut Frame, area: Rect, overview: &Overview, theme: &Theme) {
    let samples = &overview.history;
    if samples.is_empty() {
        let text = match &overview.history_fetch.failure {
            Some(refusal) => Line::styled(refusal.text.clone(), theme.bad),
            None => Line::styled("The server's figures appear in a few seconds.", theme.soft),
        };
        return notice::centered(frame, area, vec![text]);
    }
    let columns = columns(area);
    let (shown, has_lines) = match charts_with_lines(area) {
        // Without the lines there is room for one row of charts.
        0 => (columns.into(), false),
        shown => (shown, true),
    };
    // Where all are in sight they keep their places.
    let steps = overview.mode == Mode::Hour && shown < COUNT;
    let first = if steps { overview.first_chart } else { 0 };
    let order: Vec<_> = SERIES.iter().zip(1..).cycle().skip(first).take(COUNT).collect();
    let (charts, others) = order.split_at(shown);
    let others = if has_lines { others } else { &[] };
    let [top, bottom] = Layout::vertical([Constraint::Min(0), Constraint::Length(others.len() as u16)]).areas(area);
    let rows = Layout::vertical(charts.chunks(columns.into()).map(|_| Constraint::Fill(1))).split(top);
    for (row, charts) in rows.iter().zip(charts.chunks(columns.into())) {
        let places = Layout::horizontal((0..columns).map(|_| Constraint::Fill(1))).horizontal_margin(1).spacing(2);
        for (place, (series, number)) in places.split(*row).iter().zip(charts) {
            draw_chart(frame, *place, series, samples, theme);
            if steps {
                let position = Line::styled(format!("{number}/{COUNT}"), theme.soft).right_aligned();
                frame.render_widget(position, Rect { height: 1, ..*place });
            }
        }
    }
    let width = usize::from(bottom.width).saturating_sub(NAME + FIGURE + 6);
    let lines: Vec<_> = others.iter().map(|(series, _)| line(series, samples, width, theme)).collect();
    frame.render_widget(Paragraph::new(lines), bottom);
}

/// The newest figures, such as "3.1 / 9 ms".
fn newest(series: &Series, samples: &[HistorySample], theme: &Theme) -> String {
    let rounded = |figure: f64| match figure {
        _ if series.unit == Unit::Bytes => figure,
        10.0.. => figure.round(),
        _ => (figure * 10.0).round() / 10.0,
    };
    let figures = series.figures.iter().map(|figure| samples.last().and_then(|sample| figure.of(sample)));
    let texts: Vec<_> = figures.map(|figure| figure.map(|figure| series.unit.text(rounded(figure)))).collect();
    match &texts[..] {
        [Some(one)] => one.clone(),
        [Some(low), Some(high)] => {
            let (figure, unit) = low.split_once(' ').unwrap_or((low, ""));
            let is_same_unit = high.ends_with(&format!(" {unit}"));
            format!("{} / {high}", if is_same_unit { figure } else { low })
        }
        _ => theme.glyphs.absent.to_owned(),
    }
}

fn line(series: &Series, samples: &[HistorySample], width: usize, theme: &Theme) -> Line<'static> {
    let highest = series.figures[series.figures.len() - 1];
    let values: Vec<f64> = samples.iter().map(|sample| highest.of(sample).unwrap_or(0.0)).collect();
    // The whole hour in so many columns, none of its peaks left out.
    let a_column = values.len().div_ceil(width.max(1)).max(1);
    let peaks: Vec<f64> = values.chunks(a_column).map(|chunk| chunk.iter().copied().fold(0.0, f64::max)).collect();
    Line::from(vec![
        Span::styled(format!(" {:<NAME$}", series.name), theme.soft),
        Span::styled(format!("{:>FIGURE$}", newest(series, samples, theme)), theme.strong),
        Span::raw("   "),
        Span::styled(spark(peaks.into_iter(), width, &theme.glyphs), theme.accent),
    ])
}

fn draw_chart(frame: &mut Frame, area: Rect, series: &Series, samples: &[HistorySample], theme: &Theme) {
    let [title, body] = Layout::vertical([Constraint::Length(1), Constraint::Min(0)]).areas(area);
    let values = samples.iter().flat_map(|sample| series.figures.iter().filter_map(|figure| figure.of(sample)));
    let scale = Scale::up_to(values.fold(0.0, f64::max), series.unit);
    let name = Span::styled(format!("{}  ", series.name), theme.soft);
    frame.render_widget(Line::from(vec![name, Span::styled(newest(series, samples, theme), theme.strong)]), title);

    let curves: Vec<_> = series.figures.iter().map(|figure| pieces(samples, *figure)).collect();
    let styles = if curves.len() > 1 { [theme.good, theme.accent] } else { [theme.accent; 2] };
    let marker = if theme.glyphs.ascii { Marker::Dot } else { Marker::Braille };
    let datasets = curves.iter().zip(styles).flat_map(|(pieces, style)| {
        pieces
            .iter()
            .map(move |piece| Dataset::default().data(piece).marker(marker).graph_type(GraphType::Line).style(style))
    });
    let axis = |labels: Vec<String>, style: Style| {
        let labels: Vec<_> = labels.into_iter().map(|label| Span::styled(label, theme.soft)).collect();
        Axis::default().style(style).labels(labels)
    };
    let minutes = ["-60 min", "-30 min", "now"].map(str::to_owned).to_vec();
    let chart = Chart::new(datasets.collect())
        .x_axis(axis(minutes, theme.rule).bounds([-HOUR_MINUTES, 0.0]))
        .y_axis(axis(scale.labels(), theme.rule).bounds([0.0, scale.top]).labels_alignment(Alignment::Right))
        .legend_position(None);
    frame.render_widget(chart, body);
    if theme.glyphs.ascii {
        make_ascii(frame, body);
    }
}

/// The points of a figure, in minutes before the newest sample; a new piece begins after each gap.
fn pieces(samples: &[HistorySample], figure: Figure) -> Vec<Vec<(f64, f64)>> {
    let newest = samples.last().map_or(0, |sample| sample.at.as_millis());
    let mut pieces: Vec<Vec<(f64, f64)>> = vec![];
    for sample in samples {
        let Some(value) = figure.of(sample) else { continue };
        let minute = (sample.at.as_millis() - newest) as f64 / 60_000.0;
        match pieces.last_mut() {
            Some(piece) if piece.last().is_some_and(|(before, _)| (minute - before).abs() <= GAP) => {
                piece.push((minute, value));
            }
            _ => pieces.push(vec![(minute, value)]),
        }
    }
    pieces
}

/// The characters that charts draw axes and points with, for terminals without Unicode.
fn make_ascii(frame: &mut Frame, area: Rect) {
    for position in area.positions() {
        let cell = &mut frame.buffer_mut()[position];
        let ascii = match cell.symbol() {
            "│" => "|",
            "─" => "-",
            "└" => "+",
            "•" => "*",
            _ => continue,
        };
        cell.set_symbol(ascii);
    }
}
