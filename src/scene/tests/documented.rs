//! The examples and defaults of the documentation.

use std::collections::BTreeSet;

use super::super::events::{ATTACHMENT_KEYS, KEYFRAMES, VELOCITIES};
use super::super::materials::{DAMPED, FEM, REGIONS, RIGID, SHAPE, SPRINGS};
use super::super::solids::{SOLID_KEYS, SOLID_KINDS};
use super::super::tables::{BODY_KEYS, COPIES_KEYS, WORLD_KEYS};
use super::*;

pub const EXAMPLE: &str = r##"
[world]
gravity = [0.0, -9.81, 0.0]
floor = 0.0
step = "auto"
integrator = "verlet"
projection = "mass"
response = "impulse"
broad_phase = "grid"
narrow = "gjk"
rigid_integrator = "rk4"
friction = 0.5
restitution = 0.0
drag = 0.0
contact = true
self_contact = false
sleep = true
duration = 5.0
fps = 60

[[body]]
name = "top"
kind = "springs"
mesh = { lattice = [5, 5, 5], size = [1.0, 1.0, 1.0] }
position = [0.0, 3.0, 0.0]
rotation = [0.0, 0.0, 0.0]
scale = [1.0, 1.0, 1.0]
velocity = [0.0, 0.0, 0.0]
angular_velocity = [0.0, 0.0, 0.0]
point_mass = 0.05
distance = 60.0
volume = 20.0
damping = 2.0
damping_mode = "exact"
friction = 0.5
group = 1
mask = 0xFFFF
color = "#c8c864"
pin = [{ box = [[-0.6, 0.4, -0.6], [0.6, 0.6, 0.6]] }]

[[solid]]
kind = "sphere"
radius = 0.5
position = [0.0, 0.5, 0.0]

[[event]]
kind = "line_force"
body = "top"
point = [0.5, 0.5, 0.5]
force = [10.0, 0.0, 0.0]
from = 0.5
to = 1.0
"##;

#[test]
fn the_documented_example_is_read() {
    let scene = parse(EXAMPLE).unwrap();
    assert_eq!(scene.folder, Path::new("some"));
    assert_eq!(scene.world, WorldSettings { floor: Some(0.0), ..WorldSettings::default() });
    let body = &scene.bodies[0];
    assert_eq!(body.name, "top");
    let MeshSource::Lattice { cubes, size } = body.mesh else { panic!("{:?}", body.mesh) };
    assert_eq!((cubes, size), ([5; 3], [1.0; 3]));
    assert_eq!((body.position, body.scale), ([0.0, 3.0, 0.0], [1.0; 3]));
    assert_eq!(body.mass, Mass::Point(0.05));
    let constants = Springs::Constants { distance: 60.0, volume: 20.0, damping: 2.0 };
    assert_eq!(body.kind, Kind::Springs(constants));
    assert_eq!(body.damping_mode, Some(DampingMode::Exact));
    assert_eq!(body.friction, Some(0.5));
    let (group, mask) = (body.group, body.mask);
    assert_eq!((group, mask, body.color), (1, 0xFFFF, [0xc8, 0xc8, 0x64]));
    let (min, max) = ([-0.6, 0.4, -0.6], [0.6, 0.6, 0.6]);
    assert_eq!(body.pin, [Aabb { min, max }]);
    let (position, radius) = ([0.0, 0.5, 0.0], 0.5);
    assert_eq!(scene.solids, [Solid { name: "solid 1".into(), ..Solid::sphere(position, radius) }]);
    let pull = Event::LineForce {
        body: "top".into(),
        point: [0.5; 3],
        force: [10.0, 0.0, 0.0],
        from: 0.5,
        to: 1.0,
    };
    assert_eq!(scene.events, [pull]);
}

const EXAMPLE_KINDS: &str = r##"
[[body]]
name = "gel"
kind = "fem"
mesh = { file = "gel.vtu" }
density = 1000.0
young = 1e5
poisson = 0.45
relaxation = 0.01
material = "corotated"
yield = 0.1
creep = 5.0
plastic_max = 0.5
cell_data = ["density"]
region = [{ box = [[0, 0, 0], [1, 1, 1]], young = 1e6, poisson = 0.3 }]

[[body]]
name = "cloud"
kind = "shape"
mesh = { file = "cloud.xyz" }
radius = 0.02
stretch = [1.0, 0.0, -1.0]
scatter = 0.1
seed = 7
frequency = 8.0
beta = 0.7
mode = "quadratic"
relaxation = 0.02
clusters = [2, 3, 4]
overlap = 1.5

[[body]]
name = "sheet"
mesh = { file = "sheet.obj" }
shell = true
radius = 0.005
density = 900.0
young = 1e5
relaxation = 0.01
area = 20.0
"##;

#[test]
fn examples_of_the_other_kinds_are_read() {
    let bodies = parse(EXAMPLE_KINDS).unwrap().bodies;
    let plasticity = Plasticity { yield_strain: 0.1, creep: 5.0, most: 0.5 };
    assert_eq!(
        bodies[0].kind,
        Kind::Fem(Fem {
            relaxation: Some(0.01),
            law: Law::Corotated,
            plasticity,
            ..Fem::new(1e5, 0.45)
        })
    );
    assert_eq!(bodies[0].cell_data, [Constant::Density]);
    let within = Aabb { min: [0.0; 3], max: [1.0; 3] };
    let constants = vec![(Constant::Young, 1e6), (Constant::Poisson, 0.3)];
    assert_eq!(bodies[0].regions, [Region { within, constants }]);
    assert_eq!(
        bodies[1].kind,
        Kind::Shape(ShapeMatching {
            pull: Pull::Frequency(8.0),
            beta: 0.7,
            mode: Mode::Quadratic,
            relaxation: 0.02,
            clusters: Clusters::Grid { count: [2, 3, 4], overlap: 1.5 },
            plasticity: Plasticity::default(),
        })
    );
    assert_eq!((bodies[1].stretch, bodies[1].scatter, bodies[1].seed), ([1.0, 0.0, -1.0], 0.1, 7));
    let [gel, cloud, sheet] = &bodies[..] else { panic!("three bodies") };
    assert_eq!(
        [gel, cloud, sheet].map(|body| (body.shell, body.radius, body.area)),
        [(false, None, 0.0), (false, Some(0.02), 0.0), (true, Some(0.005), 20.0)]
    );
}

#[test]
fn kinds_have_the_documented_defaults() {
    let mesh = "mesh = { file = \"a.obj\" }";
    let text = format!(
        "[[body]]\nname = \"a\"\nkind = \"fem\"\nyoung = 1\npoisson = 0\nmass = 1\n{mesh}\n[[body]]\nname = \"b\"\nkind = \"shape\"\n{mesh}"
    );
    let bodies = parse(&text).unwrap().bodies;
    assert_eq!(bodies[0].kind, Kind::Fem(Fem::new(1.0, 0.0)));
    let Kind::Fem(fem) = bodies[0].kind else { panic!("{:?}", bodies[0].kind) };
    assert_eq!((fem.law, fem.relaxation), (Law::NeoHookean, None));
    assert_eq!(fem.plasticity.yield_strain, f64::INFINITY);
    assert_eq!((fem.plasticity.creep, fem.plasticity.most), (1.0, 1.0));
    assert_eq!(bodies[1].kind, Kind::Shape(ShapeMatching::default()));
    let shape = ShapeMatching::default();
    assert_eq!((shape.pull, shape.beta), (Pull::Suited, 0.5));
    assert_eq!((shape.mode, shape.clusters), (Mode::Linear, Clusters::Whole));
    let body = &bodies[1];
    assert_eq!((body.area, body.shell, body.radius), (0.0, false, None));
    assert_eq!((body.stretch, body.scatter, body.seed), ([1.0; 3], 0.0, 0));
    assert!(body.regions.is_empty() && body.cell_data.is_empty());
}

#[test]
fn defaults_are_the_documented_ones() {
    let scene = parse("[[body]]\nname = \"a\"\nmesh = { file = \"a.obj\" }\n[[body]]\nname = \"b\"\nmesh = { file = \"b.obj\", cells = 7 }").unwrap();
    assert_eq!(scene.world, WorldSettings::default());
    let world = &scene.world;
    assert_eq!((world.gravity, world.floor, world.step), ([0.0, -9.81, 0.0], None, Step::Auto));
    assert_eq!(
        (world.integrator, world.projection, world.response),
        (Integrator::Verlet, Projection::Mass, Response::Impulse)
    );
    assert_eq!(
        (world.broad_phase, world.narrow, world.rigid_integrator),
        (BroadPhase::Grid, Narrow::Gjk, RigidIntegrator::Rk4)
    );
    assert_eq!((world.friction, world.drag), (0.5, 0.0));
    assert_eq!(
        (world.contact, world.self_contact, world.sleep, world.duration, world.fps),
        (true, false, true, 5.0, 60.0)
    );
    let body = &scene.bodies[0];
    assert!(
        matches!(&body.mesh, MeshSource::File { path, cells: DEFAULT_CELLS } if path == Path::new("a.obj"))
    );
    assert!(matches!(&scene.bodies[1].mesh, MeshSource::File { cells: 7, .. }));
    assert_eq!([body.position, body.rotation, body.velocity, body.angular_velocity], [[0.0; 3]; 4]);
    assert_eq!((body.scale, body.mass), ([1.0; 3], Mass::Density(1000.0)));
    let unsaid = Springs::Moduli { young: None, relaxation: None };
    assert_eq!(body.kind, Kind::Springs(unsaid));
    assert_eq!((body.damping_mode, body.friction), (None, None));
    assert_eq!(body.group & body.mask, u32::MAX);
    assert!(body.pin.is_empty() && body.color != scene.bodies[1].color);
    assert!(Scene::default().check().is_ok(), "the library accepts an empty world");
}

#[test]
fn planes_boxes_and_wind_have_defaults() {
    let (text, _) = scene_with("wind", "velocity", "[3, 0, 0]");
    let scene = parse(&text).unwrap();
    let position = [0.0; 3];
    let (normal, size) = ([0.0, 1.0, 0.0], [1.0; 3]);
    let named = |name: &str, solid| Solid { name: name.into(), ..solid };
    assert_eq!(scene.solids[0], named("solid 1", Solid::plane(position, normal)));
    assert_eq!(scene.solids[2], named("solid 3", Solid::cuboid(position, size)));
    let (from, to) = (0.0, f64::INFINITY);
    let velocity = [3.0, 0.0, 0.0];
    assert_eq!(scene.events[1], Event::Wind { velocity, from, to });
}

/// docs/scenes.md, the reference of the format.
fn reference() -> String {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/scenes.md");
    std::fs::read_to_string(path).unwrap()
}

/// The keys of the table of a section.
fn documented_keys<'t>(text: &'t str, section: &str) -> BTreeSet<&'t str> {
    let head = format!("# {section}\n");
    let (_, rest) = text.split_once(&head).unwrap_or_else(|| panic!("no section {section}"));
    let own = rest.split("\n## ").next().and_then(|part| part.split("\n### ").next()).unwrap();
    let rows: Vec<_> = own.lines().filter_map(|line| line.strip_prefix("| `")).collect();
    let keys: BTreeSet<_> = rows.iter().filter_map(|row| row.split('`').next()).collect();
    assert_eq!(keys.len(), rows.len(), "{section}: a key has two rows");
    keys
}

/// Every key that the parser knows has a row in its section, and no other has. Where kinds share keys they stand with the first, or
/// with what is said of each.
#[test]
fn the_reference_has_every_key_and_no_other() {
    let text = reference();
    let set = |keys: &[&'static str]| keys.iter().copied().collect::<BTreeSet<_>>();
    // Both are known so that they can be refused with a reason.
    let hidden = set(&["restitution"]);
    assert_eq!(documented_keys(&text, "world"), &set(WORLD_KEYS) - &hidden);
    assert_eq!(documented_keys(&text, "body"), &set(BODY_KEYS) - &hidden);
    let springs = set(&[SPRINGS, DAMPED, REGIONS].concat());
    assert_eq!(documented_keys(&text, "springs"), springs);
    assert_eq!(documented_keys(&text, "fem"), &set(FEM) - &set(&["preset"]));
    assert_eq!(documented_keys(&text, "shape"), set(SHAPE));
    assert_eq!(documented_keys(&text, "rigid"), set(RIGID));
    let solid = SOLID_KINDS.iter().flat_map(|(_, keys)| *keys).chain(SOLID_KEYS).copied();
    assert_eq!(documented_keys(&text, "solid"), solid.collect());
    assert_eq!(documented_keys(&text, "attachment"), set(ATTACHMENT_KEYS));
    assert_eq!(documented_keys(&text, "copies"), set(COPIES_KEYS));
    let event = ["kind", "body", "solid", "point", "force", "centre"];
    let event = set(&[&event, VELOCITIES, KEYFRAMES].concat());
    assert_eq!(documented_keys(&text, "event"), event);
    let constants = Constant::ALL.map(Constant::name);
    assert_eq!(documented_keys(&text, "region"), set(&[&["box"], &constants[..]].concat()));
}

/// Every block of it is a scene, whose meshes are where it says.
#[test]
fn the_references_scenes_are_sound() {
    let text = reference();
    let blocks: Vec<_> =
        text.split("```toml\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
    assert!(blocks.len() > 8);
    for block in blocks {
        let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/scenes.md"));
        let scene = Scene::parse(block, path).unwrap_or_else(|error| panic!("{error}\n{block}"));
        for body in &scene.bodies {
            if let MeshSource::File { path, .. } = &body.mesh {
                assert!(scene.folder.join(path).exists(), "{path:?}");
            }
        }
    }
}
