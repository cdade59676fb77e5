use std::fs::File;
use std::io::BufReader;

use super::*;
use crate::folder::Folder;

#[test]
fn pictures_in_flight_keep_apart() {
    let mesh = Mesh::octahedron();
    let mut renderer = renderer(65, 33);
    let mut started = Vec::new();
    for color in [RED, BLUE, RED] {
        renderer.draw(&camera(), &floor(), &[mesh.drawn(color)]).unwrap();
        started.push(renderer.begin_read());
    }
    let images: Vec<_> =
        started.into_iter().rev().map(|pending| renderer.finish_read(pending).unwrap()).collect();
    assert_eq!(images[0], images[2]);
    assert_eq!(order(images[0].pixel(32, 16))[0], 'r');
    assert_eq!(order(images[1].pixel(32, 16))[0], 'b');
    drop(renderer.begin_read());
    assert_eq!(renderer.shot(&camera(), &floor(), &[mesh.drawn(BLUE)]), images[1]);
}

#[test]
fn sizes() {
    for (width, height) in [(1, 1), (3, 7), (257, 2), (64, 1)] {
        let mut renderer = renderer(width, height);
        let image = renderer.shot(&camera(), &floor(), &[]);
        assert_eq!(image.pixels.len() as u32, 4 * width * height);
        assert!(image.pixels.iter().all(|&value| value > 0), "cleared, but not painted");
    }
    for (width, height) in [(0, 1), (1, 0), (8193, 1), (1, u32::MAX)] {
        let message = Renderer::new(context(), width, height).unwrap_err().to_string();
        assert!(
            message.starts_with(&format!("picture size is {width}x{height}, wanted 1 to ")),
            "{message}"
        );
    }
}

#[test]
fn painting_into_targets_that_encode_gives_the_same_colors() {
    let mesh = Mesh::octahedron();
    let mut painter = Painter::new(context(), wgpu::TextureFormat::Rgba8UnormSrgb).unwrap();
    let usage = wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC;
    let drawing = context().drawing().unwrap();
    let target = targets::texture(
        drawing,
        "target",
        [64, 64],
        1,
        wgpu::TextureFormat::Rgba8UnormSrgb,
        usage,
    )
    .unwrap();
    let view = target.create_view(&Default::default());
    let look = Look { left: 4, left_color: [200, 90, 7], ..floor() };
    painter.draw(&view, [64, 64], &camera(), &look, &[mesh.drawn(RED)]).unwrap();
    let row = Buffer::<u32>::zeroed(drawing, "row", 64 * 64).unwrap();
    let (device, queue) = drawing.graphics().unwrap();
    let mut encoder = device.create_command_encoder(&Default::default());
    let layout =
        wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(256), rows_per_image: None };
    let into = wgpu::TexelCopyBufferInfo { buffer: &row.on(drawing).unwrap(), layout };
    encoder.copy_texture_to_buffer(target.as_image_copy(), into, target.size());
    queue.submit([encoder.finish()]);
    let itself = row.read(drawing).unwrap();
    let mut renderer = renderer(64, 64);
    let image = renderer.shot(&camera(), &look, &[mesh.drawn(RED)]);
    for (x, y) in [(32, 32), (36, 28), (0, 0), (5, 0), (63, 0)] {
        let [itself, encoded] = [itself[(64 * y + x) as usize].to_le_bytes(), image.pixel(x, y)];
        assert!(
            itself.iter().zip(encoded).all(|(&a, b)| a.abs_diff(b) <= 1),
            "({x}, {y}): {itself:?} {encoded:?}"
        );
    }
    assert!(Painter::new(context(), wgpu::TextureFormat::Rgba8Uint).is_err());
}

#[test]
fn png_files_hold_the_picture() {
    let folder = Folder::new("png");
    let path = folder.path("picture.png");
    let pixels: Vec<u8> =
        (0..5 * 3).flat_map(|i: u8| [i.wrapping_mul(37), 255 - i, i, 255]).collect();
    let image = Image { width: 5, height: 3, pixels };
    write_png(&path, &image).unwrap();
    let mut reader =
        png::Decoder::new(BufReader::new(File::open(&path).unwrap())).read_info().unwrap();
    let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut bytes).unwrap();
    assert_eq!((info.width, info.height, info.color_type), (5, 3, png::ColorType::Rgb));
    let expected: Vec<u8> =
        image.pixels.as_chunks::<4>().0.iter().flat_map(|pixel| pixel[..3].to_vec()).collect();
    assert_eq!(bytes, expected);
    assert_eq!(std::fs::read_dir(&folder.0).unwrap().count(), 1, "a temporary file was left");
    let nowhere = folder.path("missing/picture.png");
    let error = write_png(&nowhere, &image).unwrap_err().to_string();
    assert!(error.starts_with(&nowhere.display().to_string()), "{error}");
    assert!(write_png(&path, &Image { width: 5, height: 4, ..image }).is_err());
}
