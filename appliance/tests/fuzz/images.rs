//! Avatars: an upload is refused, or becomes pictures of our sizes, in bounded time and memory.

use std::{
    io::Cursor,
    time::{Duration, Instant},
};

use image::{DynamicImage, ImageFormat, Rgba, RgbaImage};
use morpion_appliance::account::image_processor::{SIZES, process_image};

use crate::{
    runner::{Target, peak_memory},
    support::picture,
};

/// Chunks, markers and labels that decoders act on.
const TOKENS: &[&str] = &[
    "IHDR",
    "PLTE",
    "IDAT",
    "IEND",
    "tRNS",
    "acTL",
    "fcTL",
    "iCCP",
    "eXIf",
    "zTXt",
    "GIF87a",
    "GIF89a",
    "NETSCAPE2.0",
    "!\u{f9}",
    ",",
    ";",
    "JFIF",
    "Exif\0\0",
    "MM\0*",
    "II*\0",
    "ICC_PROFILE\0",
    "Adobe",
    "RIFF",
    "WEBPVP8 ",
    "VP8L",
    "VP8X",
    "ANIM",
    "ALPH",
    "<svg",
    "<!--",
];

/// What decoding may take: its limit, the picture cut out and turned, and what other targets take meanwhile.
const MAX_MEMORY: usize = 512 << 20;

/// Far more than any picture needs, on a machine with other work too.
const MAX_TIME: Duration = Duration::from_secs(20);

/// Pictures in other encodings, of which a change hits something that matters.
fn small_pictures() -> Vec<Vec<u8>> {
    let clear = RgbaImage::from_fn(5, 4, |x, y| Rgba([255, 40 * x as u8, 60 * y as u8, 255 * (x % 2) as u8]));
    let clear = DynamicImage::from(clear);
    [
        (clear.clone(), ImageFormat::Png),
        (clear.clone(), ImageFormat::Gif),
        (clear.to_rgba16().into(), ImageFormat::Png),
        (clear.to_luma8().into(), ImageFormat::Png),
        (clear.to_luma8().into(), ImageFormat::Jpeg),
        (clear.to_rgb8().into(), ImageFormat::Jpeg),
    ]
    .map(|(picture, format)| {
        let mut file = Cursor::new(vec![]);
        picture.write_to(&mut file, format).unwrap();
        file.into_inner()
    })
    .to_vec()
}

#[test]
fn an_upload_is_refused_or_becomes_pictures_of_our_sizes() {
    let mut seeds = [ImageFormat::Png, ImageFormat::Jpeg, ImageFormat::Gif].map(picture).to_vec();
    seeds.extend(small_pictures());
    Target { name: "images", tokens: TOKENS, seeds }.run(|input| {
        let begun = Instant::now();
        let peak = peak_memory(|| {
            for label in ["image/png", "image/jpeg", "image/gif", "image/webp"] {
                let Ok(avatar) = process_image(Some(label), input) else { continue };
                assert!(["image/png", "image/jpeg"].contains(&avatar.media_type.as_str()));
                assert_eq!(avatar.sizes.iter().map(|(size, _)| *size).collect::<Vec<_>>(), SIZES);
                for (size, file) in &avatar.sizes {
                    let made = image::load_from_memory(file).unwrap();
                    assert_eq!((made.width(), made.height()), (*size, *size));
                }
            }
        });
        assert!(peak < MAX_MEMORY, "{peak} bytes");
        assert!(begun.elapsed() < MAX_TIME, "{:?}", begun.elapsed());
    });
}
