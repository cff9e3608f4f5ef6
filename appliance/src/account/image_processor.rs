//! Profile images: what may be uploaded, and how it is processed: `docs/behaviour/accounts.md#pictures`.
//!
//! An upload is never served as it is: it is decoded, within limits, and encoded again in a fixed set of sizes. That
//! drops all metadata, such as the place where a photograph was taken.

use std::{io::Cursor, sync::Arc, time::Duration};

use bytes::Bytes;
use image::{
    DynamicImage, ImageDecoder, ImageError, ImageFormat, ImageReader, Limits as DecoderLimits,
    codecs::{
        jpeg::JpegEncoder,
        png::{CompressionType, FilterType, PngEncoder},
    },
    imageops::FilterType as Resampling,
    metadata::Orientation,
};
use morpion_rules::UserId;
use morpion_store::NewAvatar;
use sha2::{Digest, Sha256};
use tokio::{sync::Semaphore, task::JoinError, time::timeout};

use super::error::AccountError;
use crate::{
    background,
    error::CommonError,
    shares::{Full, Place, Places},
    subject::ClientAddress,
};

/// Of an uploaded file, in bytes.
pub const MAX_BYTES: usize = 5 * 1024 * 1024;

/// Pixels per side. An avatar shown at more than 128 points on a dense screen needs the largest.
pub const SIZES: [u32; 3] = [64, 128, 256];

/// A photograph of a good camera; decoded it takes 100 MB.
const MAX_PIXELS: u64 = 25_000_000;

/// The longest side in pixels.
const MAX_SIDE: u32 = 16_384;

/// Memory for decoding one image, in bytes: [`MAX_PIXELS`] of four bytes, and what the decoder needs besides.
const MAX_MEMORY: u64 = 128 * 1024 * 1024;

/// Images decoded at once: each may take [`MAX_MEMORY`] and a core for a second.
const MAX_CONCURRENT: usize = 1;

/// Uploads that arrive or are queued, in all, of one address and of one account; a further one is asked to try again before it
/// is read. What is read of them counts among the bytes that are held for clients.
const MAX_QUEUED: u64 = 64;
const MAX_QUEUED_OF_ADDRESS: u64 = 8;
const MAX_QUEUED_OF_ACCOUNT: u64 = 2;

/// How long an uploaded picture waits for those before it, at most: somebody looks at a page meanwhile.
const LONGEST_WAIT: Duration = Duration::from_secs(20);

/// When somebody with too many may try again.
const RETRY_AFTER: Duration = Duration::from_secs(10);

/// With so many uploads that arrive or are queued, they get only what play leaves of a core.
const FLOOD: u64 = 4;

/// Of 100: above it files grow without a visible difference at these sizes.
const JPEG_QUALITY: u8 = 86;

/// Why a file was refused. The texts are for users.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum AvatarError {
    #[error("The picture is larger than 5 MiB.")]
    TooLarge,
    #[error("Only png, gif and jpeg pictures can be used.")]
    UnsupportedType,
    #[error("The file is not the kind of picture that it says it is. Please save it again as png, gif or jpeg.")]
    TypeMismatch,
    #[error("The picture has too many pixels. Please use one of at most 25 megapixels.")]
    TooManyPixels,
    #[error("The picture is damaged or incomplete.")]
    Damaged,
}

fn busy() -> CommonError {
    CommonError::unavailable("Many pictures are being worked on right now. Please try again.")
}

/// Decodes and encodes images, one at a time and away from the async threads.
#[derive(Debug)]
pub struct ImageProcessor {
    permits: Arc<Semaphore>,
    queue: Places,
}

impl Default for ImageProcessor {
    fn default() -> Self {
        Self {
            permits: Arc::new(Semaphore::new(MAX_CONCURRENT)),
            queue: Places::new(MAX_QUEUED, MAX_QUEUED_OF_ADDRESS, MAX_QUEUED_OF_ACCOUNT),
        }
    }
}

impl ImageProcessor {
    /// A place for an upload that is not read yet, to be kept until it is processed.
    ///
    /// # Errors
    /// [`CommonError::Unavailable`] when the queue is full, [`CommonError::TooMany`] when the account or the address has as many
    /// as one may have.
    pub fn queue(&self, user: UserId, address: ClientAddress) -> Result<Place, CommonError> {
        self.queue.take(user, address).map_err(|full| match full {
            Full::InAll => busy(),
            Full::ForOne => CommonError::TooMany { retry_after: RETRY_AFTER },
        })
    }

    /// Processes an uploaded file; `declared_type` is the content type that came with it.
    ///
    /// # Errors
    /// [`AccountError::Avatar`]; [`CommonError::Unavailable`] when those before it take too long.
    pub async fn process(
        &self,
        _place: Place,
        declared_type: Option<String>,
        file: Vec<u8>,
    ) -> Result<NewAvatar, AccountError> {
        match self.run_in_turn(move || process_image(declared_type.as_deref(), &file)).await? {
            Ok(processed) => Ok(processed?),
            // A decoder that panics on a file gives no better reason.
            Err(error) if error.is_panic() => Err(AvatarError::Damaged.into()),
            Err(error) => Err(CommonError::internal(error).into()),
        }
    }

    /// Runs `work` once those before it are done, or not at all after [`LONGEST_WAIT`].
    async fn run_in_turn<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<Result<T, JoinError>, CommonError> {
        let acquiring = Arc::clone(&self.permits).acquire_owned();
        let permit = timeout(LONGEST_WAIT, acquiring).await.map_err(|_| busy())?.map_err(CommonError::internal)?;
        Ok(background::spawn_with(permit, self.queue.taken() >= FLOOD, work).await)
    }
}

/// Makes an avatar of a file; see [`ImageProcessor::process`], which limits how many are processed at once.
///
/// # Errors
/// Why the file is none.
pub fn process_image(declared_type: Option<&str>, file: &[u8]) -> Result<NewAvatar, AvatarError> {
    if file.len() > MAX_BYTES {
        return Err(AvatarError::TooLarge);
    }
    let format = format_of(declared_type, file)?;
    let end = picture_end(format, file).ok_or(AvatarError::Damaged)?;
    // Decoders of GIF want the end of the file, those of the others may stumble over what is behind the picture.
    let picture = if format == ImageFormat::Gif { file } else { &file[..end.min(file.len())] };
    let square = square(decode(format, picture)?);
    // Judged at the smallest size: a few stray pixels of a photograph are not transparency.
    let is_transparent = square.color().has_alpha()
        && square
            .resize_exact(SIZES[0], SIZES[0], Resampling::Triangle)
            .to_rgba8()
            .pixels()
            .any(|pixel| pixel[3] < 250);
    let mut sizes = Vec::with_capacity(SIZES.len());
    for size in SIZES {
        let image = square.resize_exact(size, size, Resampling::Lanczos3);
        sizes.push((size, Bytes::from(encode(&image, is_transparent).map_err(|_| AvatarError::Damaged)?)));
    }
    let mut digest = Sha256::new();
    sizes.iter().for_each(|(_, image)| digest.update(image));
    let version = digest.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    let media_type = if is_transparent { "image/png" } else { "image/jpeg" };
    Ok(NewAvatar { version, media_type: media_type.to_owned(), sizes })
}

/// The format by the file's first bytes; the declared type has to match.
fn format_of(declared_type: Option<&str>, file: &[u8]) -> Result<ImageFormat, AvatarError> {
    let label = match declared_type.map(str::to_ascii_lowercase).as_deref() {
        Some("image/png") => ImageFormat::Png,
        Some("image/gif") => ImageFormat::Gif,
        Some("image/jpeg" | "image/jpg") => ImageFormat::Jpeg,
        _ => return Err(AvatarError::UnsupportedType),
    };
    match image::guess_format(file) {
        Ok(format) if format == label => Ok(format),
        _ => Err(AvatarError::TypeMismatch),
    }
}

/// Where the picture ends in the file, if it is complete: decoders accept truncated files and leave the rest of the picture
/// grey. Phones and editors put other data behind it, such as a short film.
fn picture_end(format: ImageFormat, file: &[u8]) -> Option<usize> {
    match format {
        ImageFormat::Png => {
            const END: &[u8] = b"IEND\xAE\x42\x60\x82";
            Some(file.windows(END.len()).position(|window| window == END)? + END.len())
        }
        ImageFormat::Gif => gif_end(file),
        ImageFormat::Jpeg => jpeg_end(file),
        _ => None,
    }
}

/// Where the first frame of a GIF ends. Later ones are not used.
fn gif_end(file: &[u8]) -> Option<usize> {
    let colours = |flags: u8| if flags & 0x80 == 0 { 0 } else { 3 << ((flags & 7) + 1) };
    let blocks_end = |mut at: usize| loop {
        let length = usize::from(*file.get(at)?);
        at += 1 + length;
        if length == 0 {
            return Some(at);
        }
    };
    let mut at = 13 + colours(*file.get(10)?);
    loop {
        match file.get(at)? {
            0x21 => at = blocks_end(at + 2)?,
            0x2C => return blocks_end(at + 11 + colours(*file.get(at + 9)?)),
            _ => return None,
        }
    }
}

/// Where a JPEG ends: behind the end marker of the picture itself. Previews in its segments have end markers of their own, and
/// what follows may have any bytes.
fn jpeg_end(file: &[u8]) -> Option<usize> {
    let mut at = 2;
    loop {
        // Fill bytes, and data of a scan: there markers are escaped, but for restarts.
        at += file.get(at..)?.windows(2).position(|pair| pair[0] == 0xFF && !matches!(pair[1], 0x00 | 0xFF))?;
        let marker = file[at + 1];
        at += 2;
        match marker {
            0xD9 => return Some(at),
            0x01 | 0xD0..=0xD8 => {}
            _ => at += usize::from(u16::from_be_bytes([*file.get(at)?, *file.get(at + 1)?])),
        }
    }
}

fn decode(format: ImageFormat, file: &[u8]) -> Result<DynamicImage, AvatarError> {
    let refused = |error: ImageError| match error {
        ImageError::Limits(_) => AvatarError::TooManyPixels,
        _ => AvatarError::Damaged,
    };
    let mut limits = DecoderLimits::default();
    limits.max_image_width = Some(MAX_SIDE);
    limits.max_image_height = Some(MAX_SIDE);
    limits.max_alloc = Some(MAX_MEMORY);
    let mut reader = ImageReader::with_format(Cursor::new(file), format);
    reader.limits(limits);
    let mut decoder = reader.into_decoder().map_err(refused)?;
    let (width, height) = decoder.dimensions();
    if u64::from(width) * u64::from(height) > MAX_PIXELS || decoder.total_bytes() > MAX_MEMORY {
        return Err(AvatarError::TooManyPixels);
    }
    if width == 0 || height == 0 {
        return Err(AvatarError::Damaged);
    }
    let orientation = decoder.orientation().unwrap_or(Orientation::NoTransforms);
    let mut image = DynamicImage::from_decoder(decoder).map_err(refused)?;
    image.apply_orientation(orientation);
    Ok(image)
}

/// The centre square. Cropped before scaling: a picture one pixel high would become enormous.
fn square(image: DynamicImage) -> DynamicImage {
    let side = image.width().min(image.height());
    image.crop_imm((image.width() - side) / 2, (image.height() - side) / 2, side, side)
}

fn encode(image: &DynamicImage, is_transparent: bool) -> Result<Vec<u8>, ImageError> {
    let mut file = Vec::new();
    if is_transparent {
        let encoder = PngEncoder::new_with_quality(&mut file, CompressionType::Best, FilterType::Adaptive);
        image.to_rgba8().write_with_encoder(encoder)?;
    } else {
        image.to_rgb8().write_with_encoder(JpegEncoder::new_with_quality(&mut file, JPEG_QUALITY))?;
    }
    Ok(file)
}

#[cfg(test)]
mod tests {
    use base64::prelude::{BASE64_STANDARD, Engine};
    use image::{Rgb, RgbImage, Rgba, RgbaImage};

    use super::*;

    fn file(image: &DynamicImage, format: ImageFormat) -> Vec<u8> {
        let mut file = Cursor::new(Vec::new());
        image.write_to(&mut file, format).unwrap();
        file.into_inner()
    }

    /// Left half red, right half blue.
    fn picture(width: u32, height: u32) -> DynamicImage {
        RgbImage::from_fn(width, height, |x, _| if x < width / 2 { Rgb([220, 20, 20]) } else { Rgb([20, 20, 220]) })
            .into()
    }

    fn label(format: ImageFormat) -> Option<&'static str> {
        Some(format.to_mime_type())
    }

    #[test]
    fn every_kind_becomes_one_set_of_sizes() {
        for format in [ImageFormat::Png, ImageFormat::Gif, ImageFormat::Jpeg] {
            let avatar = process_image(label(format), &file(&picture(400, 300), format)).unwrap();
            assert_eq!(avatar.media_type, "image/jpeg", "{format:?}");
            assert_eq!(avatar.sizes.iter().map(|(size, _)| *size).collect::<Vec<_>>(), SIZES);
            for (size, image) in &avatar.sizes {
                let image = image::load_from_memory(image).unwrap();
                assert_eq!((image.width(), image.height()), (*size, *size));
                let image = image.to_rgb8();
                assert!(
                    image.get_pixel(size / 8, size / 2)[0] > 150 && image.get_pixel(size * 7 / 8, size / 2)[2] > 150
                );
            }
        }
    }

    #[test]
    fn transparency_is_kept() {
        let clear = RgbaImage::from_fn(80, 80, |x, _| Rgba([0, 200, 0, if x < 40 { 0 } else { 255 }]));
        let avatar = process_image(label(ImageFormat::Png), &file(&clear.into(), ImageFormat::Png)).unwrap();
        assert_eq!(avatar.media_type, "image/png");
        assert_eq!(image::load_from_memory(&avatar.sizes[2].1).unwrap().to_rgba8().get_pixel(10, 100)[3], 0);
    }

    #[test]
    fn another_image_has_another_version_and_the_same_the_same() {
        let version = |width| {
            process_image(label(ImageFormat::Png), &file(&picture(width, 90), ImageFormat::Png)).unwrap().version
        };
        assert_eq!(version(200), version(200));
        let other = RgbImage::from_pixel(200, 90, Rgb([1, 2, 3])).into();
        assert_ne!(
            version(200),
            process_image(label(ImageFormat::Png), &file(&other, ImageFormat::Png)).unwrap().version
        );
    }

    #[test]
    fn a_line_is_cut_before_it_is_scaled() {
        for (width, height) in [(1, 16_000), (16_000, 1)] {
            let avatar =
                process_image(label(ImageFormat::Png), &file(&picture(width, height), ImageFormat::Png)).unwrap();
            assert_eq!(avatar.sizes.len(), 3);
        }
    }

    #[test]
    fn what_is_cut_off_is_refused_wherever_it_is_cut() {
        for format in [ImageFormat::Png, ImageFormat::Gif, ImageFormat::Jpeg] {
            let whole = file(&picture(300, 300), format);
            for share in 1..20 {
                let cut = &whole[..whole.len() * share / 20];
                assert!(process_image(label(format), cut).is_err(), "{format:?} cut at {share} of 20");
            }
            let end = &whole[..whole.len() - 3];
            assert_eq!(process_image(label(format), end).unwrap_err(), AvatarError::Damaged, "{format:?}");
        }
    }

    /// Red, 16 x 8, progressive.
    const PROGRESSIVE: &str = "\
        /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABQODxIPDRQSEBIXFRQYHjIhHhwcHj0sLiQySUBMS0dARkVQWnNiUFVtVkVGZIhlbXd7gYKBTmCNl4\
        x9lnN+gXz/2wBDARUXFx4aHjshITt8U0ZTfHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHz/wgARCAAI\
        ABADASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAT/xAAVAQEBAAAAAAAAAAAAAAAAAAADBf/aAAwDAQACEAMQAAABlAU//8QAFBABAA\
        AAAAAAAAAAAAAAAAAAEP/aAAgBAQABBQI//8QAFBEBAAAAAAAAAAAAAAAAAAAAAP/aAAgBAwEBPwF//8QAFBEBAAAAAAAAAAAAAAAAAAAAAP/a\
        AAgBAgEBPwF//8QAFBABAAAAAAAAAAAAAAAAAAAAEP/aAAgBAQAGPwI//8QAFBABAAAAAAAAAAAAAAAAAAAAEP/aAAgBAQABPyE//9oADAMBAA\
        IAAwAAABD7/8QAFBEBAAAAAAAAAAAAAAAAAAAAAP/aAAgBAwEBPxB//8QAFBEBAAAAAAAAAAAAAAAAAAAAAP/aAAgBAgEBPxB//8QAFBABAAAA\
        AAAAAAAAAAAAAAAAEP/aAAgBAQABPxA//9k=";

    /// Red, 16 x 8, in the colours of print.
    const CMYK: &str = "\
        /9j/7gAOQWRvYmUAZAAAAAAA/9sAQwAUDg8SDw0UEhASFxUUGB4yIR4cHB49LC4kMklATEtHQEZFUFpzYlBVbVZFRmSIZW13e4GCgU5gjZeMfZ\
        ZzfoF8/8AAFAgACAAQBEMRAE0RAFkRAEsRAP/EAB8AAAEFAQEBAQEBAAAAAAAAAAABAgMEBQYHCAkKC//EALUQAAIBAwMCBAMFBQQEAAABfQEC\
        AwAEEQUSITFBBhNRYQcicRQygZGhCCNCscEVUtHwJDNicoIJChYXGBkaJSYnKCkqNDU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dX\
        Z3eHl6g4SFhoeIiYqSk5SVlpeYmZqio6Slpqeoqaqys7S1tre4ubrCw8TFxsfIycrS09TV1tfY2drh4uPk5ebn6Onq8fLz9PX29/j5+v/aAA4E\
        QwBNAFkASwAAPwDpa5SuUrs6KKKK/9k=";

    #[test]
    fn pictures_are_taken_as_phones_and_editors_make_them() {
        let jpeg = file(&picture(300, 300), ImageFormat::Jpeg);
        // The film of a motion photo has all bytes, those of markers too.
        let film: Vec<u8> =
            b"\0\0\0\x18ftypmp42".iter().copied().chain(b"\xFF\xDA\xFF\xD8\x12\xFF".repeat(90)).collect();
        // A preview in a segment of its own, a comment, and fill bytes before the marker that follows.
        let preview = file(&picture(16, 16), ImageFormat::Jpeg);
        let length = (preview.len() as u16 + 2).to_be_bytes();
        let segments = [b"\xFF\xE2", &length[..], &preview, b"\xFF\xFE\0\x06edit\xFF\xFF\xFF"].concat();
        let odd = [&jpeg[..2], &segments, &jpeg[2..]].concat();
        let png = file(&picture(300, 300), ImageFormat::Png);
        let text = [&b"\0\0\0\x03tEXta\0b"[..], &crc32(b"tEXta\0b").to_be_bytes()].concat();
        let chunk = [&png[..33], &text, &png[33..]].concat();
        let gif = file(&picture(300, 300), ImageFormat::Gif);
        let deep = DynamicImage::from(picture(40, 40).to_rgba16());
        for (what, format, file) in [
            ("film behind it", ImageFormat::Jpeg, [&jpeg[..], &film].concat()),
            ("odd markers", ImageFormat::Jpeg, odd),
            ("zeros behind it", ImageFormat::Jpeg, [&jpeg[..], &[0; 999]].concat()),
            ("a chunk of text", ImageFormat::Png, chunk),
            ("film behind a png", ImageFormat::Png, [&png[..], &film].concat()),
            ("film behind a gif", ImageFormat::Gif, [&gif[..], &film].concat()),
            ("16 bits a colour", ImageFormat::Png, self::file(&deep, ImageFormat::Png)),
        ] {
            let avatar = process_image(label(format), &file).unwrap_or_else(|error| panic!("{what}: {error}"));
            let shown = image::load_from_memory(&avatar.sizes[2].1).unwrap().to_rgb8();
            assert!(shown.get_pixel(20, 128)[0] > 180 && shown.get_pixel(236, 128)[2] > 180, "{what}");
        }
        for (what, text) in [("progressive", PROGRESSIVE), ("of print", CMYK)] {
            let file = BASE64_STANDARD.decode(text).unwrap();
            let avatar =
                process_image(label(ImageFormat::Jpeg), &file).unwrap_or_else(|error| panic!("{what}: {error}"));
            let shown = image::load_from_memory(&avatar.sizes[2].1).unwrap().to_rgb8();
            let pixel = shown.get_pixel(128, 128);
            assert!(pixel[0] > 150 && pixel[1] < 90 && pixel[2] < 90, "{what}: {pixel:?}");
        }
    }

    #[test]
    fn what_is_cut_off_before_a_film_is_refused() {
        let jpeg = file(&picture(300, 300), ImageFormat::Jpeg);
        let film = b"\0\0\0\x18ftypmp42".repeat(90);
        let cut = [&jpeg[..jpeg.len() / 2], &film].concat();
        assert_eq!(process_image(label(ImageFormat::Jpeg), &cut).unwrap_err(), AvatarError::Damaged);
    }

    #[test]
    fn a_label_must_be_true_and_one_of_ours() {
        let png = file(&picture(20, 20), ImageFormat::Png);
        assert_eq!(process_image(Some("image/jpeg"), &png).unwrap_err(), AvatarError::TypeMismatch);
        assert_eq!(process_image(Some("image/gif"), b"<html>hello</html>").unwrap_err(), AvatarError::TypeMismatch);
        assert_eq!(process_image(Some("IMAGE/PNG"), &png).map(|avatar| avatar.sizes.len()), Ok(3));
        let svg = br#"<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>"#;
        for other in [Some("image/svg+xml"), Some("image/webp"), Some("text/html"), None] {
            assert_eq!(process_image(other, svg).unwrap_err(), AvatarError::UnsupportedType, "{other:?}");
            assert_eq!(process_image(other, &png).unwrap_err(), AvatarError::UnsupportedType, "{other:?}");
        }
    }

    /// A picture that says it has so many pixels, with next to none in it.
    fn bomb(width: u32, height: u32) -> Vec<u8> {
        let mut png = file(&picture(8, 8), ImageFormat::Png);
        png[16..20].copy_from_slice(&width.to_be_bytes());
        png[20..24].copy_from_slice(&height.to_be_bytes());
        let crc = crc32(&png[12..29]);
        png[29..33].copy_from_slice(&crc.to_be_bytes());
        png
    }

    fn crc32(bytes: &[u8]) -> u32 {
        !bytes.iter().fold(!0_u32, |crc, byte| {
            (0..8).fold(crc ^ u32::from(*byte), |crc, _| (crc >> 1) ^ (0xEDB8_8320 * (crc & 1)))
        })
    }

    #[test]
    fn a_bomb_is_refused_before_it_goes_off() {
        for (width, height) in [(10_000, 10_000), (60_000, 60_000), (2_000_000_000, 2), (5_001, 5_000)] {
            assert_eq!(
                process_image(label(ImageFormat::Png), &bomb(width, height)).unwrap_err(),
                AvatarError::TooManyPixels,
                "{width} x {height}"
            );
        }
        let mut gif = file(&picture(8, 8), ImageFormat::Gif);
        gif[6..10].copy_from_slice(&[0xFF; 4]);
        assert_eq!(process_image(label(ImageFormat::Gif), &gif).unwrap_err(), AvatarError::TooManyPixels);
        assert_eq!(process_image(label(ImageFormat::Png), &vec![0; MAX_BYTES + 1]).unwrap_err(), AvatarError::TooLarge);
    }

    #[tokio::test(start_paused = true)]
    async fn a_picture_does_not_wait_for_ever() {
        let processor = ImageProcessor::default();
        let _others = Arc::clone(&processor.permits).acquire_owned().await.unwrap();
        let refused = processor.run_in_turn(|| panic!("it is not its turn")).await.unwrap_err();
        assert!(matches!(refused, CommonError::Unavailable(_)), "{refused:?}");
    }

    #[tokio::test]
    async fn a_flood_of_pictures_gets_only_what_play_leaves() {
        let processor = ImageProcessor::default();
        let thread = || std::thread::current().name().unwrap().to_owned();
        let place = |number| {
            let user = UserId(uuid::Uuid::from_u128(number));
            processor.queue(user, std::net::IpAddr::from([192, 0, 2, number as u8]).into()).unwrap()
        };
        let mut places = vec![place(0)];
        assert_eq!(processor.run_in_turn(thread).await.unwrap().unwrap(), "background");
        places.extend((1..u128::from(FLOOD)).map(place));
        assert_eq!(processor.run_in_turn(thread).await.unwrap().unwrap(), "idle");
    }

    #[test]
    fn noise_is_refused_and_breaks_nothing() {
        let mut seed = 1_u32;
        let mut next = || {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 24) as u8
        };
        for format in [ImageFormat::Png, ImageFormat::Gif, ImageFormat::Jpeg] {
            let whole = file(&picture(64, 64), format);
            for _ in 0..200 {
                let mut broken = whole.clone();
                for _ in 0..8 {
                    let at = (usize::from(next()) << 8 | usize::from(next())) % broken.len();
                    broken[at] = next();
                }
                // Some of it still is a picture, none of it may panic or hang.
                let _ = process_image(label(format), &broken);
            }
        }
    }
}
