//! Binary USD, read by hand after OpenUSD's `crateFile.cpp`.

use super::*;
use std::collections::HashMap;

/// A file by its paths and the fields of each.
struct Crate {
    bytes: Vec<u8>,
    tokens: Vec<String>,
    specs: HashMap<String, (u32, HashMap<String, u64>)>,
    paths: Vec<String>,
}

/// Where one reads on.
struct Cursor<'a>(&'a [u8]);

impl Cursor<'_> {
    fn take<const N: usize>(&mut self) -> [u8; N] {
        let (head, rest) = self.0.split_first_chunk().unwrap();
        self.0 = rest;
        *head
    }

    fn long(&mut self) -> u64 {
        u64::from_le_bytes(self.take())
    }

    /// A block of LZ4, of which only literals are understood.
    fn block(&mut self) -> Vec<u8> {
        let size = self.long() as usize;
        let (mut block, rest) = (Cursor(&self.0[..size]), &self.0[size..]);
        assert_eq!(block.take::<1>(), [0], "one block");
        let [token] = block.take();
        let mut length = usize::from(token >> 4);
        while length >= 15 {
            let [more] = block.take();
            length += usize::from(more);
            if more < 255 {
                break;
            }
        }
        assert!(block.0.len() == length && token & 15 == 0, "literals alone");
        let bytes = block.0.to_vec();
        self.0 = rest;
        bytes
    }

    fn ints(&mut self, count: usize) -> Vec<i32> {
        let bytes = self.block();
        let mut rest = Cursor(&bytes);
        let commonest = i32::from_le_bytes(rest.take());
        let (kinds, deltas) = rest.0.split_at(count.div_ceil(4));
        let (mut deltas, mut last) = (Cursor(deltas), 0);
        let ints = (0..count).map(|i| {
            last += match kinds[i / 4] >> (2 * (i % 4)) & 3 {
                0 => commonest,
                1 => i8::from_le_bytes(deltas.take()).into(),
                2 => i16::from_le_bytes(deltas.take()).into(),
                _ => i32::from_le_bytes(deltas.take()),
            };
            last
        });
        let ints = ints.collect();
        assert!(deltas.0.is_empty());
        ints
    }
}

impl Crate {
    fn read(bytes: Vec<u8>) -> Self {
        assert_eq!(bytes[..16], *b"PXR-USDC\0\x08\0\0\0\0\0\0");
        let at = |offset: u64| Cursor(&bytes[offset as usize..]);
        let mut list = at(at(16).long());
        let sections: HashMap<_, _> = (0..list.long())
            .map(|_| {
                let name = list.take::<16>().to_vec();
                let name = String::from_utf8(name).unwrap().trim_end_matches('\0').to_owned();
                let place = list.long();
                assert!(place + list.long() <= bytes.len() as u64);
                (name, place)
            })
            .collect();

        let mut section = at(sections["TOKENS"]);
        let [count, size] = [section.long(), section.long()];
        let text = String::from_utf8(section.block()).unwrap();
        assert_eq!(text.len() as u64, size);
        let tokens: Vec<_> = text.split_terminator('\0').map(String::from).collect();
        assert_eq!(tokens.len() as u64, count);

        let mut section = at(sections["FIELDS"]);
        let count = section.long() as usize;
        let names = section.ints(count);
        let values = section.block();
        let value = |k: usize| Cursor(&values[8 * k..]).long();
        let mut section = at(sections["FIELDSETS"]);
        let count = section.long() as usize;
        let sets = section.ints(count);

        let mut section = at(sections["PATHS"]);
        let count = section.long() as usize;
        assert_eq!(section.long() as usize, count);
        let [numbers, elements, jumps] = [0; 3].map(|_| section.ints(count));
        assert!(numbers.iter().copied().eq(0..count as i32));
        let mut paths = vec![String::new(); count];
        walk(0, "", &tokens, &elements, &jumps, &mut paths);

        let mut section = at(sections["SPECS"]);
        let count = section.long() as usize;
        let [of, starts, kinds] = [0; 3].map(|_| section.ints(count));
        let specs = (0..count).map(|i| {
            let set = sets[starts[i] as usize..].iter().take_while(|field| **field >= 0);
            let field = |k: &i32| (tokens[names[*k as usize] as usize].clone(), value(*k as usize));
            (paths[of[i] as usize].clone(), (kinds[i] as u32, set.map(field).collect()))
        });
        let specs = specs.collect();
        Self { specs, paths, tokens, bytes }
    }

    fn at(&self, rep: u64) -> Cursor<'_> {
        Cursor(&self.bytes[(rep & ((1 << 48) - 1)) as usize..])
    }

    fn field(&self, path: &str, name: &str) -> u64 {
        self.specs[path].1[name]
    }

    fn token(&self, path: &str, name: &str) -> &str {
        let rep = self.field(path, name);
        assert_eq!(rep >> 48, 1 << 14 | 11, "an inlined token");
        &self.tokens[rep as u32 as usize]
    }

    /// The numbers of an array of items of so many, whose type has this number.
    fn floats(&self, rep: u64, kind: u64, each: usize) -> Vec<f32> {
        assert_eq!(rep >> 48, 1 << 15 | kind, "an array");
        let mut cursor = self.at(rep);
        let count = cursor.long() as usize * each;
        (0..count).map(|_| f32::from_le_bytes(cursor.take())).collect()
    }

    /// Times and values of samples.
    fn samples(&self, path: &str) -> Vec<(f64, u64)> {
        let rep = self.field(path, "timeSamples");
        assert_eq!(rep >> 48, 46);
        let mut cursor = self.at(rep);
        assert_eq!(cursor.long(), 8, "right behind");
        let times = cursor.long();
        assert_eq!(times >> 48, 48);
        let mut times = self.at(times);
        assert_eq!(cursor.long(), 8, "right behind");
        let count = cursor.long();
        assert_eq!(times.long(), count);
        (0..count).map(|_| (f64::from_bits(times.long()), cursor.long())).collect()
    }
}

/// Names a path and those behind it that are its siblings or below it.
fn walk(
    mut i: usize,
    above: &str,
    tokens: &[String],
    elements: &[i32],
    jumps: &[i32],
    paths: &mut [String],
) {
    loop {
        let name = &tokens[elements[i].unsigned_abs() as usize];
        paths[i] = match (above, elements[i] < 0) {
            _ if i == 0 => "/".into(),
            (_, true) => format!("{above}.{name}"),
            ("/", false) => format!("/{name}"),
            (_, false) => format!("{above}/{name}"),
        };
        if jumps[i] > 0 || jumps[i] == -1 {
            let path = paths[i].clone();
            walk(i + 1, &path, tokens, elements, jumps, paths);
        }
        match jumps[i] {
            0 => i += 1,
            far @ 1.. => i += far as usize,
            _ => return,
        }
    }
}

fn file() -> Crate {
    let folder = Folder::new("usdc");
    let mut topology = topology();
    topology.solids.push(SolidTopology { name: "a floor".into(), ..SolidTopology::default() });
    let mut output = Output::new(&folder.0, &[Format::Usdc], topology, 24.0).unwrap();
    for index in 5..8 {
        let solids = vec![Placement { centre: index as f32 * Vec3::Y, ..Placement::default() }];
        output.write(&State { solids, ..State::new(index) }.frame()).unwrap();
    }
    output.finish().unwrap();
    Crate::read(fs::read(folder.path("scene.usdc")).unwrap())
}

#[test]
fn a_binary_scene_has_all_prims_and_properties() {
    let file = file();
    assert_eq!(file.specs.len(), file.paths.len());
    for (path, kind) in [
        ("/", 7),
        ("/World", 6),
        ("/World/_2_W_rfel", 6),
        ("/World/_2_W_rfel.points", 1),
        ("/World/_2_W_rfel.material:binding", 8),
        ("/World/a_floor.xformOp:translate", 1),
        ("/World/Camera.focalLength", 1),
        ("/World/Looks/dust/Surface.inputs:diffuseColor", 1),
    ] {
        assert_eq!(file.specs.get(path).map(|spec| spec.0), Some(kind), "{path}");
    }
    assert_eq!(file.token("/", "defaultPrim"), "World");
    assert_eq!(file.token("/World/dust", "typeName"), "Mesh");
    assert_eq!(file.token("/World/dust.points", "typeName"), "point3f[]");
    assert_eq!(file.token("/World/dust.normals", "interpolation"), "vertex");
    let frames = ["startTimeCode", "endTimeCode", "timeCodesPerSecond"];
    let frames = frames.map(|name| f64::from_bits(file.at(file.field("/", name)).long()));
    assert_eq!(frames, [5.0, 7.0, 24.0]);
    // What a prim says that it has is what there is.
    for path in &file.paths {
        for (list, between) in [("properties", '.'), ("primChildren", '/')] {
            let Some(rep) = file.specs[path].1.get(list) else { continue };
            let mut names = file.at(*rep);
            for _ in 0..names.long() {
                let name = &file.tokens[u32::from_le_bytes(names.take()) as usize];
                let below = format!("{}{between}{name}", path.trim_end_matches('/'));
                assert!(file.specs.contains_key(&below), "{below}");
            }
        }
    }
    let mut target = file.at(file.field("/World/dust.material:binding", "targetPaths"));
    assert_eq!((target.take(), target.long()), ([3], 1));
    let target = u32::from_le_bytes(target.take());
    assert_eq!(file.paths[target as usize], "/World/Looks/dust");
}

#[test]
fn a_binary_scene_has_the_samples_bit_for_bit() {
    let file = file();
    for (name, vertices) in [("_2_W_rfel", 0..4), ("dust", 4..7)] {
        let points = file.samples(&format!("/World/{name}.points"));
        let normals = file.samples(&format!("/World/{name}.normals"));
        for (i, index) in (5..8).enumerate() {
            let state = State::new(index);
            for (samples, wanted) in
                [(&points, &state.drawn_positions), (&normals, &state.drawn_normals)]
            {
                assert_eq!(samples[i].0, index as f64);
                let got = file.floats(samples[i].1, 24, 3);
                let (got, _) = got.as_chunks();
                let got: Vec<_> = got.iter().copied().map(Vec3::from_array).collect();
                assert_eq!(bits(&got), bits(&wanted[vertices.clone()]));
            }
        }
    }
    let uv = file.floats(file.field("/World/_2_W_rfel.primvars:st", "default"), 20, 2);
    assert_eq!(uv[..4], [0.0, 1.0 / 3.0, 0.125, 1.0 / 3.0]);
    let places = file.samples("/World/a_floor.xformOp:translate");
    let heights = places.iter().map(|(_, rep)| {
        let mut place = file.at(*rep);
        [0; 3].map(|_| f64::from_bits(place.long()))
    });
    assert!(heights.eq([5.0, 6.0, 7.0].map(|y| [0.0, y, 0.0])));
    let turns = file.samples("/World/a_floor.xformOp:orient");
    let mut turn = file.at(turns[2].1);
    assert_eq!([0; 4].map(|_| f32::from_le_bytes(turn.take())), [0.0, 0.0, 0.0, 1.0]);
}
