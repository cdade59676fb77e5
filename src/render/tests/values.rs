use glam::UVec2;

use super::*;
use crate::render::values::ENTRIES;

const MAPS: [ColorMap; 2] = [ColorMap::Sequential, ColorMap::Diverging];

fn scale(map: ColorMap) -> ColorScale {
    ColorScale { map, low: -2.0, high: 6.0 }
}

/// L* of CIELAB.
fn lightness(color: [u8; 3]) -> f64 {
    let [r, g, b] = color.map(|channel| f64::from(color::linear(channel)));
    116.0 * (0.2126 * r + 0.7152 * g + 0.0722 * b).cbrt() - 16.0
}

#[test]
fn maps_are_ordered_by_lightness() {
    let steps = |table: &[[u8; 3]]| {
        let lightness: Vec<_> = table.iter().map(|&color| lightness(color)).collect();
        lightness.windows(2).map(|pair| pair[1] - pair[0]).collect::<Vec<_>>()
    };
    let sequential = steps(ColorMap::Sequential.table());
    assert!(sequential.iter().all(|step| (2.0..7.0).contains(step)), "{sequential:?}");
    let table = ColorMap::Diverging.table();
    let middle = ENTRIES / 2;
    assert!(steps(&table[..=middle]).iter().all(|&step| step > 1.5));
    assert!(steps(&table[middle..]).iter().all(|&step| step < -1.5));
    assert!(table[middle].iter().all(|&channel| channel == table[middle][0]), "grey");
    for k in 0..middle {
        let (low, high) = (lightness(table[k]), lightness(table[ENTRIES - 1 - k]));
        assert!((low - high).abs() < 8.0, "{k}: {low} {high}");
    }
}

#[test]
fn colors_of_a_legend() {
    for map in MAPS {
        let (scale, table) = (scale(map), map.table());
        for (k, color) in table.iter().enumerate() {
            assert_eq!(scale.color(-2.0 + 0.5 * k as f32), *color);
        }
        assert_eq!(scale.color(-1e38), table[0]);
        assert_eq!(scale.color(f32::MAX), table[16]);
        for wrong in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            assert_eq!(scale.color(wrong), [255, 0, 255]);
        }
        let between = scale.color(-1.75);
        assert!(
            (0..3).all(|c| between[c].abs_diff(table[0][c]) <= table[1][c].abs_diff(table[0][c]))
        );
        let none = ColorScale { low: 3.0, high: 3.0, ..scale };
        assert_eq!([2.9, 3.0, 3.1].map(|value| none.color(value)), [table[0], table[0], table[16]]);
    }
}

/// A body all of whose values are the same looks like one that has the legend's colour.
#[test]
fn surfaces_have_the_colors_of_the_legend_in_the_same_light() {
    let mesh = Mesh::octahedron();
    let mut renderer = renderer(60, 45);
    for value in [-2.0, 0.3, 2.0, 5.9, -1e30, 1e30, f32::MAX, f32::NAN, f32::INFINITY] {
        let values = Buffer::new(context(), "values", &[value; 6]).unwrap();
        for style in [SurfaceStyle::Smooth, SurfaceStyle::Flat, SurfaceStyle::Edges] {
            for (map, closed) in MAPS.into_iter().zip([true, false]) {
                let scale = scale(map);
                let mut picture = |color, values| {
                    let body = DrawnSurface { style, values, closed, ..mesh.surface(color) };
                    renderer.shot(&camera(), &floor(), &[Drawn::Surface(body)])
                };
                let colored = picture(BLUE, Some(Values { values: &values, scale }));
                let want = picture(scale.color(value), None);
                assert!(largest_difference(&colored, &want) <= 2, "{value} {style:?} {map:?}");
            }
        }
    }
}

#[test]
fn values_are_interpolated_before_they_are_colored() {
    let mesh = Mesh::triangle(2.0, 0.0);
    let camera = Camera::parse("0,0,3:0,0,0").unwrap();
    let mut renderer = renderer(65, 65);
    let scale = scale(ColorMap::Diverging);
    // 2 + 3 x: below the scale on the left, above it on the right.
    let some = triangle(2.0, 0.0).map(|corner| 2.0 + 3.0 * corner.x);
    let values = Buffer::new(context(), "values", &some).unwrap();
    let mut picture = |color, values| {
        let body = DrawnSurface { values, ..mesh.surface(color) };
        renderer.shot(&camera, &Look::default(), &[Drawn::Surface(body)])
    };
    let image = picture(RED, Some(Values { values: &values, scale }));
    for x in [20, 26, 32, 40, 44] {
        let (_, ray) = camera.ray(glam::Vec2::new(x as f32 + 0.5, 44.5), [65, 65]);
        let value = 2.0 + 3.0 * ray.x * 3.0 / -ray.z;
        let want = picture(scale.color(value), None);
        let (got, want) = (image.pixel(x, 44), want.pixel(x, 44));
        assert!(difference(got, want) <= 3, "{x}: {got:?}, wanted {want:?}");
    }
    // One value that is no number spoils its triangle, and that only.
    let spoilt = Buffer::new(context(), "values", &[some[0], f32::NAN, some[2]]).unwrap();
    let image = picture(RED, Some(Values { values: &spoilt, scale }));
    let magenta = picture([255, 0, 255], None);
    assert!(difference(image.pixel(40, 44), magenta.pixel(40, 44)) <= 2);
    assert!(largest_difference(&image, &magenta) < 60);
}

#[test]
fn points_and_wires_have_the_colors_of_their_particles() {
    let places = [Vec3::new(-0.8, 0.0, 0.0), Vec3::new(0.8, 0.0, 0.0)];
    let particles = particles(&places);
    let pairs = Buffer::new(context(), "pairs", &[UVec2::new(1, 0)]).unwrap();
    let camera = Camera::parse("0,0,5:0,0,0").unwrap();
    let mut renderer = renderer(129, 129);
    let look = Look::default();
    let mut draw = |body: Drawn<'_>| renderer.shot(&camera, &look, &[body]);
    for map in MAPS {
        let scale = scale(map);
        for some in [[-2.0, 6.0], [1.0, f32::NAN]] {
            let values = &Buffer::new(context(), "values", &some).unwrap();
            let values = Some(Values { values, scale });
            let mut cloud = |color, values, range| {
                draw(Drawn::Points(DrawnPoints {
                    particles: &particles,
                    range,
                    radius: 0.3,
                    color,
                    values,
                    active: false,
                }))
            };
            for (k, value) in (0..).zip(some) {
                let range = k..k + 1;
                let want = cloud(scale.color(value), None, range.clone());
                assert!(largest_difference(&cloud(RED, values, range), &want) <= 2, "{map:?} {k}");
            }
            let wires = DrawnWires {
                particles: &particles,
                pairs: &pairs,
                range: 0..1,
                color: RED,
                width: 2.5,
                values,
            };
            let image = draw(Drawn::Wires(wires));
            for x in [-0.6, 0.0, 0.6_f32] {
                let pixel = camera.project(x * Vec3::X, [129, 129]).unwrap();
                let (_, ray) = camera.ray(pixel.floor() + 0.5, [129, 129]);
                // NaN where one end is.
                let value = 2.0 + 5.0 * (5.0 * ray.x / -ray.z) + 0.0 * some[1];
                let got = image.pixel(pixel.x as u32, pixel.y as u32);
                let [r, g, b] = scale.color(value);
                assert!(
                    difference(got, [r, g, b, 255]) <= 9,
                    "{map:?} {x}: {got:?}, wanted {r} {g} {b}"
                );
            }
        }
    }
}

#[test]
fn bodies_with_and_without_values_and_scales_mix() {
    let mesh = Mesh::octahedron();
    let mut renderer = renderer(60, 45);
    let values = Buffer::new(context(), "values", &[0.0, 0.0, 1.0, 0.0, 0.0, 0.0]).unwrap();
    let part = |first: u32, map: Option<ColorMap>, color, style| {
        let values = map.map(|map| Values { values: &values, scale: scale(map) });
        Drawn::Surface(DrawnSurface {
            index_range: first..first + 3,
            values,
            style,
            ..mesh.surface(color)
        })
    };
    let (smooth, flat) = (SurfaceStyle::Smooth, SurfaceStyle::Flat);
    let bodies = [
        part(0, Some(MAPS[0]), RED, smooth),
        part(3, None, RED, smooth),
        part(6, Some(MAPS[1]), RED, flat),
        part(9, None, BLUE, flat),
        part(12, Some(MAPS[1]), RED, smooth),
    ];
    let together = renderer.shot(&camera(), &Look::default(), &bodies);
    let empty = renderer.shot(&camera(), &Look::default(), &[]);
    let mut left = together.clone();
    for body in bodies {
        let alone = renderer.shot(&camera(), &Look::default(), &[body]);
        let own = left.pixels.as_chunks_mut::<4>().0.iter_mut();
        for ((left, alone), empty) in own.zip(pixels(&alone)).zip(pixels(&empty)) {
            if left == alone {
                *left = *empty;
            }
        }
    }
    // All but the pixels on the bodies' borders and on shadows are those of one body alone.
    let left = pixels(&left).iter().zip(pixels(&empty));
    let left = left.filter(|(left, empty)| left != empty).count();
    assert!(left < 150, "{left} pixels");
}

#[test]
fn unusable_values_are_refused() {
    let mesh = Mesh::octahedron();
    let few = Buffer::new(context(), "values", &[0.0; 5]).unwrap();
    let enough = Buffer::new(context(), "values", &[0.0; 6]).unwrap();
    let mut renderer = renderer(8, 8);
    let mut message = |values, low, high| {
        let scale = ColorScale { map: ColorMap::Sequential, low, high };
        let body = Drawn::Surface(DrawnSurface {
            values: Some(Values { values, scale }),
            ..mesh.surface(RED)
        });
        let drawn = renderer.render_to_image(&camera(), &floor(), &[body]);
        drawn.err().map(|error| error.to_string()).unwrap_or_default()
    };
    assert_eq!(message(&few, 0.0, 1.0), "values is 5, wanted 6 of them");
    for (low, high) in [(1.0, 0.0), (f32::NAN, 0.0), (0.0, f32::INFINITY), (-2e30, 0.0)] {
        let text = message(&enough, low, high);
        assert!(text.starts_with("scale of colours is "), "{text}");
    }
    assert_eq!(message(&enough, 3.0, 3.0), "");
}
