//! Profile images: valid and hostile uploads, and how they are served.

use image::ImageFormat;
use reqwest::Method;
use serde_json::json;

use crate::support::{Server, picture, upload};

#[tokio::test(flavor = "multi_thread")]
async fn every_image_format_is_accepted_and_served_in_three_sizes() {
    let server = Server::start().await;
    let (ada, user) = server.registered("ada").await;
    let visitor = server.browser().await;
    let mut addresses = Vec::new();
    for (format, label) in
        [(ImageFormat::Png, "image/png"), (ImageFormat::Gif, "image/gif"), (ImageFormat::Jpeg, "image/jpeg")]
    {
        let answer = upload(&ada, label, &picture(format), Some(&user["userId"])).await.ok();
        let address = answer["profileUrl"].as_str().unwrap().to_owned();
        assert_eq!(ada.get("/api/auth/check-login").await.ok()["user"]["profile"], json!(address));
        for size in [64, 128, 256] {
            let path = address.replace("/256?", &format!("/{size}?"));
            let response = visitor.bare(Method::GET, &path).send().await.unwrap();
            assert_eq!(response.status(), 200, "{path}");
            let header = |name: &str| response.headers()[name].to_str().unwrap().to_owned();
            assert_eq!(header("content-type"), "image/jpeg");
            assert_eq!(header("x-content-type-options"), "nosniff");
            assert_eq!(header("cache-control"), "public, max-age=31536000, immutable");
            assert!(header("content-security-policy").contains("sandbox"));
            let image = image::load_from_memory(&response.bytes().await.unwrap()).unwrap();
            assert_eq!((image.width(), image.height()), (size, size));
        }
        addresses.push(address);
    }
    addresses.dedup();
    assert_eq!(addresses.len(), 3, "another image has another address");
}

#[tokio::test(flavor = "multi_thread")]
async fn picture_urls_without_a_version_are_revalidated() {
    let server = Server::start().await;
    let (ada, user) = server.registered("ada").await;
    upload(&ada, "image/png", &picture(ImageFormat::Png), None).await.ok();
    let path = format!("/api/backend/profile/image/{}/128", user["userId"].as_str().unwrap());
    let response = ada.bare(Method::GET, &path).send().await.unwrap();
    assert_eq!(response.headers()["cache-control"], "no-cache");
    let tag = response.headers()["etag"].to_str().unwrap().to_owned();
    let again = ada.bare(Method::GET, &path).header("if-none-match", &tag).send().await.unwrap();
    assert_eq!(again.status(), 304);
    let other = ada.bare(Method::GET, &path).header("if-none-match", "\"other\"").send().await.unwrap();
    assert_eq!(other.status(), 200);
    for path in [path.replace("/128", "/100"), path.replace("/128", "/99999"), path.replace(&path[27..35], "00000000")]
    {
        ada.get(&path).await.fails(404, "not-found");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn removing_a_picture_removes_all_its_sizes() {
    let server = Server::start().await;
    let (ada, _) = server.registered("ada").await;
    let address = upload(&ada, "image/png", &picture(ImageFormat::Png), None).await.ok()["profileUrl"].clone();
    ada.post("/api/backend/profile/remove", json!({})).await.ok();
    assert_eq!(ada.get("/api/auth/check-login").await.ok()["user"]["profile"], "");
    ada.get(address.as_str().unwrap()).await.fails(404, "not-found");
    ada.post("/api/backend/profile/remove", json!({})).await.ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn uploads_that_are_not_images_are_refused_with_a_clear_text() {
    let server = Server::start().await;
    let (ada, _) = server.registered("ada").await;
    let png = picture(ImageFormat::Png);
    let svg = br#"<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>"#;
    let mut bomb = png.clone();
    bomb[16..24].copy_from_slice(&[0, 0, 0x75, 0x30, 0, 0, 0x75, 0x30]);
    let crc = !bomb[12..29]
        .iter()
        .fold(!0_u32, |crc, byte| (0..8).fold(crc ^ u32::from(*byte), |crc, _| (crc >> 1) ^ (0xEDB8_8320 * (crc & 1))));
    bomb[29..33].copy_from_slice(&crc.to_be_bytes());
    let only = "Only png, gif and jpeg pictures can be used.";
    let label = "The file is not the kind of picture that it says it is. Please save it again as png, gif or jpeg.";
    for (content_type, file, status, code, text) in [
        ("image/svg+xml", svg.as_slice(), 415, "not-an-image", only),
        ("image/webp", &png, 415, "not-an-image", only),
        ("text/html", b"<script>alert(1)</script>", 415, "not-an-image", only),
        ("image/png", svg, 422, "image-mislabelled", label),
        ("image/jpeg", &png, 422, "image-mislabelled", label),
        ("image/png", b"", 422, "image-mislabelled", label),
        ("image/png", &png[..png.len() / 2], 422, "image-damaged", "The picture is damaged or incomplete."),
        (
            "image/png",
            &bomb,
            422,
            "image-too-many-pixels",
            "The picture has too many pixels. Please use one of at most 25 megapixels.",
        ),
        ("image/png", &vec![0; 5 * 1024 * 1024 + 1], 413, "image-too-large", "The picture is larger than 5 MiB."),
        ("image/png", &vec![0; 9 * 1024 * 1024], 413, "image-too-large", "The picture is larger than 5 MiB."),
    ] {
        let failure = upload(&ada, content_type, file, None).await.fails(status, code);
        assert_eq!(failure["errorMessage"], text, "{content_type}");
    }
    assert_eq!(ada.get("/api/auth/check-login").await.ok()["user"]["profile"], "", "nothing was stored");
}

#[tokio::test(flavor = "multi_thread")]
async fn uploads_are_for_the_own_picture_and_rate_limited() {
    let server = Server::with(|config| config.limits.uploads_per_hour = 2.try_into().unwrap()).await;
    let png = picture(ImageFormat::Png);
    upload(&server.browser().await, "image/png", &png, None).await.fails(401, "not-signed-in");
    let guest = server.browser().await;
    guest.post("/api/auth/guest", json!({})).await.ok();
    upload(&guest, "image/png", &png, None).await.fails(403, "guest");
    let (_, bob) = server.registered("bob").await;
    let (ada, user) = server.registered("ada").await;
    upload(&ada, "image/png", &png, Some(&bob["userId"])).await.fails(403, "not-yourself");
    upload(&ada, "image/png", &png, Some(&user["userId"])).await.ok();
    upload(&ada, "image/png", &png, None).await.fails(429, "too-many-requests");
    let bare = ada.bare(Method::POST, "/api/backend/profile/image").body("x");
    ada.send(bare).await.fails(403, "missing-forgery-token");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_invalid_upload_form_is_refused() {
    let server = Server::start().await;
    let (ada, _) = server.registered("ada").await;
    for (content_type, body) in [
        ("application/json", "{}"),
        ("multipart/form-data", "no boundary"),
        ("multipart/form-data; boundary=x", "nothing of the kind"),
        (
            "multipart/form-data; boundary=x",
            "--x\r\nContent-Disposition: form-data; name=\"other\"\r\n\r\n1\r\n--x--\r\n",
        ),
        ("multipart/form-data; boundary=x", "--x--\r\n"),
    ] {
        let request =
            ada.request(Method::POST, "/api/backend/profile/image").header("content-type", content_type).body(body);
        let outcome = ada.send(request).await;
        assert!(outcome.status.is_client_error(), "{content_type}: {} {}", outcome.status, outcome.body);
        assert_eq!(outcome.body["succeeded"], false);
    }
}
