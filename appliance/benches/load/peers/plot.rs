//! What was found over the time of a soak, as a picture.

use std::path::Path;

use plotters::prelude::*;

use super::sustained::Sample;

const SIZE: (u32, u32) = (960, 720);

/// A figure and what it is called.
type Panel = (&'static str, fn(&Sample) -> f64);

const PANELS: [Panel; 6] = [
    ("moves a second", |sample| sample.round.moves_a_second),
    ("p99 of a move, ms", |sample| sample.round.p99_ms),
    ("memory, MiB", |sample| sample.round.resident_mib),
    ("ended games not yet stored", |sample| sample.unstored),
    ("open descriptors", |sample| sample.descriptors as f64),
    ("files of the data folder, without tables", |sample| sample.files as f64),
];

/// Draws a panel for each figure, over minutes, in an SVG file. All begin at zero, so that what looks flat is.
///
/// # Errors
/// The file cannot be written.
pub fn draw(file: &Path, samples: &[Sample]) -> anyhow::Result<()> {
    let root = SVGBackend::new(file, SIZE).into_drawing_area();
    root.fill(&WHITE)?;
    let end = samples.last().map_or(1.0, |sample| sample.minutes);
    for (area, (name, figure)) in root.split_evenly((3, 2)).iter().zip(PANELS) {
        let most = samples.iter().map(figure).fold(1.0, f64::max);
        let mut chart = ChartBuilder::on(area)
            .caption(name, ("sans-serif", 16))
            .margin(12)
            .x_label_area_size(36)
            .y_label_area_size(64)
            .build_cartesian_2d(0.0..end, 0.0..most * 1.2)?;
        chart
            .configure_mesh()
            .disable_x_mesh()
            .light_line_style(TRANSPARENT)
            .x_desc("minutes")
            .x_label_formatter(&|minutes| format!("{minutes:.0}"))
            .y_label_formatter(&|figure| format!("{figure:.0}"))
            .draw()?;
        chart.draw_series(LineSeries::new(samples.iter().map(|sample| (sample.minutes, figure(sample))), &BLUE))?;
    }
    root.present()?;
    Ok(())
}
