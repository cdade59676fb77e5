//! Every key of the format with good and bad values.

use super::super::materials::{DAMPED, FEM, REGIONS, SHAPE, SPRINGS};
use super::super::tables::{BODY_KEYS, WORLD_KEYS};
use super::*;

/// What may and what must not stand in one field.
struct Case {
    section: &'static str,
    keys: &'static [&'static str],
    good: &'static [&'static str],
    bad: &'static [&'static str],
}

const WRONG_NUMBER: &[&str] = &[
    "\"1\"",
    "true",
    "[1.0]",
    "{}",
    "1979-05-27",
    "nan",
    "-nan",
    "inf",
    "-inf",
    "1e400",
    "99999999999999999999",
];
const WRONG_VECTOR: &[&str] = &[
    "1.0",
    "\"x\"",
    "true",
    "{}",
    "[]",
    "[1.0, 2.0]",
    "[1.0, 2.0, 3.0, 4.0]",
    "[0.0, nan, 0.0]",
    "[0.0, 0.0, inf]",
    "[-inf, 0.0, 0.0]",
    "[\"1\", 0.0, 0.0]",
    "[[0.0], 0.0, 0.0]",
    "[0.0, 2e40, 0.0]",
];
const WRONG_TEXT: &[&str] = &["1", "0.5", "nan", "true", "[]", "[\"a\"]", "{}"];
const WRONG_COUNT: &[&str] =
    &["-1", "1.5", "4294967296", "\"1\"", "true", "[1]", "nan", "inf", "99999999999999999999"];

#[rustfmt::skip]
const CASES: &[(&[&str], Case)] = &[
    (WRONG_VECTOR, Case { section: "world", keys: &["gravity"], good: &["[0, -9.81, 0]"], bad: &["[0, 1e7, 0]"] }),
    (WRONG_NUMBER, Case { section: "world", keys: &["floor"], good: &["0", "-1.5"], bad: &["1e7", "-1e7"] }),
    (&[], Case { section: "world", keys: &["step"], good: &["1e-4", "1", "\"auto\"", "\"adaptive\""],
        bad: &["0", "-0.001", "1.01", "1e-300", "nan", "inf", "\"fast\"", "\"1e-3\"", "true", "[0.1]", "{}"] }),
    (&[], Case { section: "world", keys: &["step_error"], good: &[], bad: &["1e-5", "0", "\"small\""] }),
    (WRONG_TEXT, Case { section: "world", keys: &["integrator"],
        good: &["\"euler\"", "\"symplectic_euler\"", "\"verlet\"", "\"leapfrog\"", "\"midpoint\"", "\"rk4\"", "\"implicit_euler\"",
            "\"vbd\"", "\"auto\""],
        bad: &["\"Verlet\"", "\"automatic\"", "\"\"", "\"implicit\""] }),
    (WRONG_TEXT, Case { section: "world", keys: &["projection"], good: &["\"mass\"", "\"half\"", "\"pressure\""], bad: &["\"Mass\"", "\"\""] }),
    (WRONG_TEXT, Case { section: "world", keys: &["response"], good: &["\"impulse\"", "\"source\""], bad: &["\"sources\"", "\"\""] }),
    (WRONG_TEXT, Case { section: "world", keys: &["broad_phase"], good: &["\"grid\"", "\"sweep\""], bad: &["\"Grid\"", "\"\""] }),
    (WRONG_TEXT, Case { section: "world", keys: &["narrow"],
        good: &["\"gjk\"", "\"sat\"", "\"triangles\"", "\"sphere_triangles\""], bad: &["\"GJK\"", "\"epa\""] }),
    (WRONG_TEXT, Case { section: "world", keys: &["rigid_integrator"], good: &["\"rk4\"", "\"euler\""], bad: &["\"verlet\"", "\"\""] }),
    (WRONG_NUMBER, Case { section: "world", keys: &["friction"], good: &["0", "0.3", "2"], bad: &["-0.1"] }),
    (WRONG_NUMBER, Case { section: "world", keys: &["restitution"], good: &["0", "0.0"], bad: &["-0.1", "0.5", "1.1"] }),
    (WRONG_NUMBER, Case { section: "world", keys: &["drag"], good: &["0.5"], bad: &["-1"] }),
    (&["1", "0", "\"true\"", "nan", "[]", "{}"], Case { section: "world", keys: &["contact"], good: &["true", "false"], bad: &[] }),
    (&["1", "0", "\"true\"", "nan", "[]", "{}"], Case { section: "world", keys: &["self_contact", "sleep"], good: &["true", "false"], bad: &[] }),
    (WRONG_NUMBER, Case { section: "world", keys: &["duration"], good: &["0", "2.5", "1e6"], bad: &["-1", "2e6"] }),
    (WRONG_NUMBER, Case { section: "world", keys: &["fps"], good: &["60", "0.1", "10000"], bad: &["0", "-60", "10001", "1e-300"] }),
    (&[], Case { section: "world", keys: &["iterations"], good: &[], bad: &["10", "0", "\"many\""] }),
    (&[], Case { section: "world", keys: &["tolerance"], good: &[], bad: &["1e-3", "0", "\"small\""] }),

    (WRONG_TEXT, Case { section: "body", keys: &["name"], good: &["\"top\""], bad: &["", "\"\"", "\" \"", "\"a\\nb\""] }),
    (WRONG_TEXT, Case { section: "body", keys: &["kind"], good: &["\"springs\""],
        bad: &["\"cloth\"", "\"terrain\"", "\"spring\""] }),
    (&["1", "\"dog.obj\"", "[]", "true"], Case { section: "body", keys: &["mesh"],
        good: &["{ sphere = 1 }", "{ box = [1, 2, 3], cells = 3 }", "{ capsule = [1, 2] }", "{ cylinder = [1, 2], cells = 512 }",
            "{ torus = [2, 1] }", "{ bipyramid = 8 }", "{ file = \"a.msh\" }", "{ file = \"a.obj\", cells = 5 }", "{ lattice = [1, 4096, 1], size = [1, 1, 1e-3] }"],
        bad: &["", "{}", "{ size = [1, 1, 1] }", "{ lattice = [1, 1, 1] }", "{ cells = 3 }",
            "{ lattice = [0, 1, 1], size = [1, 1, 1] }", "{ lattice = [4097, 1, 1], size = [1, 1, 1] }",
            "{ lattice = [-1, 1, 1], size = [1, 1, 1] }", "{ lattice = [1.0, 1, 1], size = [1, 1, 1] }",
            "{ lattice = [1, 1], size = [1, 1, 1] }", "{ lattice = [400, 400, 400], size = [1, 1, 1] }",
            "{ lattice = [1, 1, 1], size = [0, 1, 1] }", "{ lattice = [1, 1, 1], size = [-1, 1, 1] }",
            "{ lattice = [1, 1, 1], size = [nan, 1, 1] }", "{ lattice = [1, 1, 1], size = [inf, 1, 1] }",
            "{ lattice = [1, 1, 1], size = [1, 1] }", "{ lattice = [1, 1, 1], size = 1 }",
            "{ lattice = [1, 1, 1], size = [1, 1, 1], cells = 3 }", "{ lattice = [1, 1, 1], size = [1, 1, 1], file = \"a\" }",
            "{ lattice = [1, 1, 1], size = [1, 1, 1], sizes = 1 }", "{ file = \"\" }", "{ file = 1 }",
            "{ file = \"a\", cells = 0 }", "{ file = \"a\", cells = 513 }", "{ file = \"a\", cells = -3 }",
            "{ sphere = 0 }", "{ sphere = 1, cells = 0 }", "{ sphere = 1, cells = 513 }", "{ sphere = 1, box = [1, 1, 1] }",
            "{ sphere = 1, file = \"a\" }", "{ sphere = 1, size = [1, 1, 1] }", "{ capsule = 1 }", "{ capsule = [1] }", "{ cylinder = [1, 0] }",
            "{ box = [1, 1] }", "{ torus = [1, 1] }", "{ torus = [1, 2] }", "{ torus = [1, -0.5] }", "{ bipyramid = 7 }", "{ sphere = nan }",
            "{ file = \"a\", cells = 1.5 }", "{ file = \"a\", size = [1, 1, 1] }"] }),
    (WRONG_VECTOR, Case { section: "body", keys: &["position", "rotation", "velocity", "angular_velocity"],
        good: &["[1, -2.5, 1e6]"], bad: &["[1.1e6, 0, 0]", "[0, 0, -1.1e6]"] }),
    (WRONG_VECTOR, Case { section: "body", keys: &["scale"], good: &["[1, 2.5, 0.001]"], bad: &["[1, 0, 1]", "[-1, 1, 1]", "[1, 1, 1e7]"] }),
    (WRONG_NUMBER, Case { section: "body", keys: &["density", "mass", "point_mass"], good: &["1", "0.05", "1e4"], bad: &["0", "-1", "1e-300", "1e30"] }),
    (WRONG_NUMBER, Case { section: "body", keys: &["distance", "volume", "damping"], good: &["0", "60.5"], bad: &["-1", "1e30"] }),
    (WRONG_NUMBER, Case { section: "soft", keys: &["young"], good: &["", "1", "1e11"], bad: &["0", "-1", "1e30"] }),
    (WRONG_NUMBER, Case { section: "soft", keys: &["relaxation"], good: &["", "0", "1"], bad: &["-1", "1e30"] }),
    (WRONG_NUMBER, Case { section: "soft", keys: &["density"], good: &["", "1"], bad: &["0", "-1"] }),
    (WRONG_TEXT, Case { section: "soft", keys: &["preset"], good: &["\"jelly\"", "\"silicone\""], bad: &["\"Jelly\"", "\"\"", "\"steel\""] }),
    (&["1"], Case { section: "soft", keys: &["distance", "volume", "damping"], good: &[], bad: &["0", "-1", "nan"] }),
    (WRONG_TEXT, Case { section: "body", keys: &["damping_mode"], good: &["\"exact\"", "\"capped\"", "\"explicit\""], bad: &["\"\"", "\"none\""] }),
    (WRONG_NUMBER, Case { section: "body", keys: &["friction"], good: &["0", "1.5"], bad: &["-0.1"] }),
    (WRONG_NUMBER, Case { section: "body", keys: &["restitution"], good: &["0", "0.0"], bad: &["-0.1", "0.5", "1.1"] }),
    (WRONG_COUNT, Case { section: "body", keys: &["group", "mask", "seed"], good: &["0", "1", "0xFFFF", "4294967295"], bad: &[] }),
    (WRONG_TEXT, Case { section: "body", keys: &["color"], good: &["\"#c8c864\"", "\"#FFFFFF\""],
        bad: &["\"c8c864\"", "\"#c8c86\"", "\"#c8c8644\"", "\"#+12345\"", "\"#é1234\"", "\"red\"", "\"\""] }),
    (&["1", "true", "\"a\"", "{}", "[1]"], Case { section: "body", keys: &["pin"], good: &["[]", "[{ box = [[0, 0, 0], [0, 1, 1]] }]"],
        bad: &["[{}]", "[{ box = [[0, 0, 0]] }]", "[{ box = [[0, 2, 0], [1, 1, 1]] }]", "[{ box = [[0, 0, nan], [1, 1, 1]] }]",
            "[{ box = [[0, 0, 0], [1, inf, 1]] }]", "[{ box = [0, 0, 0] }]", "[{ box = [[0, 0, 0], [1, 1]] }]",
            "[{ box = [[0, 0, 0], [1, 1, 2e6]] }]", "[{ boxes = [[0, 0, 0], [1, 1, 1]] }]"] }),
    (WRONG_NUMBER, Case { section: "body", keys: &["area"], good: &["0", "3.5"], bad: &["-1", "1e30"] }),
    (&["1", "0", "\"true\"", "nan", "[]", "{}"], Case { section: "body", keys: &["shell", "fitted"], good: &["true", "false"], bad: &[] }),
    (WRONG_NUMBER, Case { section: "body", keys: &["radius"], good: &["0.01"], bad: &["0", "-1", "2e6"] }),
    (WRONG_VECTOR, Case { section: "body", keys: &["stretch"], good: &["[3, 0, -1]"], bad: &["[1, 1e7, 1]"] }),
    (WRONG_NUMBER, Case { section: "body", keys: &["scatter"], good: &["0", "0.3"], bad: &["-1", "2e6"] }),
    (&["1", "true", "\"a\"", "{}", "[1]"], Case { section: "body", keys: &["region"],
        good: &["[]", "[{ box = [[0, 0, 0], [0, 1, 1]], young = 3, density = 2 }, { box = [[0, 0, 0], [1, 1, 1]], relaxation = 0 }]"],
        bad: &["[{}]", "[{ box = [[0, 0, nan], [1, 1, 1]] }]", "[{ box = [[0, 0, 0], [1, 1, 1]], distance = -1 }]",
            "[{ box = [[0, 0, 0], [1, 1, 1]], volume = 1 }]", "[{ box = [[0, 0, 0], [1, 1, 1]], poisson = 0 }]",
            "[{ box = [[0, 0, 0], [1, 1, 1]], color = 1 }]"] }),
    (&["1", "true", "\"young\"", "{}", "[1]"], Case { section: "body", keys: &["cell_data"], good: &["[]", "[\"young\", \"density\"]"],
        bad: &["[\"distance\"]", "[\"poisson\"]", "[\"colour\"]"] }),
    (&[], Case { section: "soft", keys: &["region"],
        good: &["[{ box = [[0, 0, 0], [1, 1, 1]], young = 1, relaxation = 0, density = 5 }]"],
        bad: &["[{ box = [[0, 0, 0], [1, 1, 1]] }]", "[{ box = [[0, 2, 0], [1, 1, 1]] }]", "[{ box = [[0, 0, 0], [1, 1, 1]], young = 0 }]",
            "[{ box = [[0, 0, 0], [1, 1, 1]], relaxation = -1 }]", "[{ box = [[0, 0, 0], [1, 1, 1]], density = 0 }]",
            "[{ box = [[0, 0, 0], [1, 1, 1]], density = nan }]", "[{ box = [[0, 0, 0], [1, 1, 1]], young = \"1\" }]",
            "[{ box = [[0, 0, 0], [1, 1, 1]], poisson = 0.3 }]", "[{ box = [[0, 0, 0], [1, 1, 1]], distance = 3 }]",
            "[{ box = [[0, 0, 0], [1, 1, 2e6]] }]", "[{ young = 3 }]", "[{ box = 3 }]"] }),
    (&[], Case { section: "soft", keys: &["cell_data"], good: &["[\"young\", \"relaxation\", \"density\"]"],
        bad: &["[\"distance\"]", "[\"poisson\"]", "[1]", "[\"young\", \"young\"]"] }),
    (&[], Case { section: "soft", keys: &["poisson", "alpha", "clusters", "yield", "material"], good: &[], bad: &["1"] }),

    (WRONG_TEXT, Case { section: "fem", keys: &["kind"], good: &["\"fem\""], bad: &["\"FEM\""] }),
    (WRONG_NUMBER, Case { section: "fem", keys: &["young"], good: &["", "1", "1e11"], bad: &["0", "-1", "1e30"] }),
    (WRONG_NUMBER, Case { section: "fem", keys: &["poisson"], good: &["", "-0.5", "0", "0.49"], bad: &["0.5", "-1", "0.49999"] }),
    (WRONG_NUMBER, Case { section: "fem", keys: &["relaxation"], good: &["0", "1"], bad: &["-1", "1e30"] }),
    (WRONG_NUMBER, Case { section: "fem", keys: &["density"], good: &["", "1"], bad: &["0", "-1"] }),
    (WRONG_TEXT, Case { section: "fem", keys: &["preset"], good: &["\"rubber\"", "\"foam\""], bad: &["\"glass\""] }),
    (WRONG_TEXT, Case { section: "fem", keys: &["material"], good: &["\"neo_hookean\"", "\"corotated\"", "\"st_venant\""],
        bad: &["\"\"", "\"linear\"", "\"NeoHookean\""] }),
    (WRONG_NUMBER, Case { section: "fem", keys: &["yield"], good: &["0", "0.5"], bad: &["-0.1", "2e6"] }),
    (WRONG_NUMBER, Case { section: "fem", keys: &["creep"], good: &["0", "30"], bad: &["-1", "2e6"] }),
    (WRONG_NUMBER, Case { section: "fem", keys: &["plastic_max"], good: &["0", "100"], bad: &["-1", "101"] }),
    (WRONG_TEXT, Case { section: "fem", keys: &["damping_mode"], good: &["\"exact\"", "\"capped\"", "\"explicit\""], bad: &["\"none\""] }),
    (&["1", "{}"], Case { section: "fem", keys: &["region"],
        good: &["[{ box = [[0, 0, 0], [1, 1, 1]], young = 1, poisson = 0, relaxation = 0, density = 5 }]"],
        bad: &["[{ box = [[0, 0, 0], [1, 1, 1]], poisson = 0.5 }]", "[{ box = [[0, 0, 0], [1, 1, 1]], volume = 1 }]",
            "[{ box = [[0, 0, 0], [1, 1, 1]], yield = 1 }]"] }),
    (&["1", "{}"], Case { section: "fem", keys: &["cell_data"], good: &["[\"young\", \"poisson\"]"], bad: &["[\"damping\"]", "[\"yield\"]"] }),
    (&[], Case { section: "fem", keys: &["distance", "volume", "damping", "area", "alpha", "frequency", "beta", "mode", "clusters", "overlap"],
        good: &[], bad: &["1"] }),

    (WRONG_TEXT, Case { section: "shape", keys: &["kind"], good: &["\"shape\""], bad: &["\"shapes\""] }),
    (WRONG_NUMBER, Case { section: "shape", keys: &["alpha"], good: &["0.001", "1"], bad: &["0", "-0.1", "1.1"] }),
    (WRONG_NUMBER, Case { section: "shape", keys: &["frequency"], good: &["0.5", "100"], bad: &["0", "-1", "2e6"] }),
    (WRONG_NUMBER, Case { section: "shape", keys: &["beta"], good: &["0", "1"], bad: &["-0.1", "1.1"] }),
    (WRONG_TEXT, Case { section: "shape", keys: &["mode"], good: &["\"rigid\"", "\"linear\"", "\"quadratic\""], bad: &["\"cubic\"", "\"\""] }),
    (WRONG_NUMBER, Case { section: "shape", keys: &["relaxation"], good: &["0", "1"], bad: &["-1", "1e30"] }),
    (&["1", "true", "nan", "{}"], Case { section: "shape", keys: &["clusters"],
        good: &["[1, 1, 1]", "[3, 2, 100]", "\"whole\"", "\"tets\"", "[[0, 1, 2], [2]]", "[{ box = [[0, 0, 0], [1, 1, 1]] }]"],
        bad: &["[]", "[[]]", "[[0, 1], []]", "[[0, -1]]", "[[0, 1.5]]", "[0, 1, 1]", "[-1, 1, 1]", "[2, 2]", "[2.0, 1, 1]", "[300, 300, 300]",
            "\"all\"", "\"\"", "[{}]", "[{ box = [[0, 0, 0]] }]", "[{ box = [[0, 2, 0], [1, 1, 1]] }]", "[{ box = [[0, 0, 0], [1, 1, 2e6]] }]",
            "[{ box = [[0, 0, 0], [1, 1, 1]], young = 1 }]", "[[0, 1], { box = [[0, 0, 0], [1, 1, 1]] }]"] }),
    (WRONG_NUMBER, Case { section: "shape", keys: &["overlap"], good: &["0", "2.5"], bad: &["-1", "2e6"] }),
    (WRONG_NUMBER, Case { section: "shape", keys: &["yield"], good: &["0", "0.5"], bad: &["-0.1", "2e6"] }),
    (WRONG_NUMBER, Case { section: "shape", keys: &["creep"], good: &["0", "30"], bad: &["-1", "2e6"] }),
    (WRONG_NUMBER, Case { section: "shape", keys: &["plastic_max"], good: &["0", "100"], bad: &["-1", "101"] }),
    (&["1", "{}"], Case { section: "shape", keys: &["region"],
        good: &["[]", "[{ box = [[0, 0, 0], [1, 1, 1]], density = 5 }]"],
        bad: &["[{ box = [[0, 0, 0], [1, 1, 1]], young = 1 }]", "[{ box = [[0, 0, 0], [1, 1, 1]] }]",
            "[{ box = [[0, 0, 0], [1, 1, 1]], density = 0 }]"] }),
    (&["1", "{}"], Case { section: "shape", keys: &["cell_data"], good: &["[]", "[\"density\"]"], bad: &["[\"young\"]"] }),
    (&[], Case { section: "shape", keys: &["preset", "distance", "volume", "damping", "area", "young", "poisson", "material", "damping_mode"],
        good: &[], bad: &["1"] }),

    (WRONG_TEXT, Case { section: "plane", keys: &["kind"], good: &["\"plane\""], bad: &["", "\"cone\"", "\"cube\""] }),
    (WRONG_VECTOR, Case { section: "plane", keys: &["position"], good: &["[0, -1, 0]"], bad: &["[0, 2e6, 0]"] }),
    (WRONG_VECTOR, Case { section: "plane", keys: &["normal"], good: &["[0, -3, 0.5]"], bad: &["[0, 0, 0]", "[0, 1e-300, 0]"] }),
    (WRONG_VECTOR, Case { section: "sphere", keys: &["position"], good: &["[0, -1, 0]"], bad: &["[0, 2e6, 0]"] }),
    (WRONG_NUMBER, Case { section: "sphere", keys: &["radius"], good: &["2"], bad: &["", "0", "-1", "2e6"] }),
    (&["1", "true", "\"a\"", "[1, 1, 1]"], Case { section: "soft", keys: &["copies"],
        good: &["{ count = [2, 1, 1], spacing = [1, 0, 0] }", "{ count = [1, 2, 3], spacing = [0, -1, 1], jitter = 0.1, seed = 3 }"],
        bad: &["{}", "{ count = [2, 1, 1] }", "{ spacing = [1, 1, 1] }", "{ count = [0, 1, 1], spacing = [1, 1, 1] }",
            "{ count = [100, 100, 11], spacing = [1, 1, 1] }", "{ count = [4294967295, 4294967295, 4294967295], spacing = [1, 1, 1] }",
            "{ count = [1, 1], spacing = [1, 1, 1] }", "{ count = [1, 1, 1], spacing = [nan, 1, 1] }",
            "{ count = [1, 1, 1], spacing = [2e6, 1, 1] }", "{ count = [1, 1, 1], spacing = [1, 1, 1], jitter = -1 }",
            "{ count = [1, 1, 1], spacing = [1, 1, 1], seed = -1 }", "{ count = [1, 1, 1], spacing = [1, 1, 1], gap = 1 }"] }),
    (WRONG_NUMBER, Case { section: "plane", keys: &["friction"], good: &["0", "1.5"], bad: &["-0.1", "2e6"] }),
    (WRONG_NUMBER, Case { section: "sphere", keys: &["restitution"], good: &["0", "1"], bad: &["-0.1", "1.1"] }),
    (WRONG_TEXT, Case { section: "sphere", keys: &["name"], good: &["\"ball\""],
        bad: &["\"\"", "\" \"", "\"a\\nb\"", "\"floor\"", "\"top\"", "\"solid 1\""] }),
    (WRONG_TEXT, Case { section: "box", keys: &["color"], good: &["\"#c8c864\""], bad: &["\"red\""] }),
    (WRONG_VECTOR, Case { section: "box", keys: &["rotation_degrees"], good: &["[0, 90, -45.5]"], bad: &["[0, 2e6, 0]"] }),
    (WRONG_VECTOR, Case { section: "body", keys: &["rotation_degrees"], good: &["[0, 90, -45.5]"], bad: &["[0, 2e6, 0]"] }),
    (WRONG_VECTOR, Case { section: "plane", keys: &["rotation"], good: &[], bad: &["[0, 0, 0]"] }),
    (WRONG_VECTOR, Case { section: "box", keys: &["position", "rotation"], good: &["[0, -1, 0]"], bad: &["[0, 2e6, 0]"] }),
    (WRONG_VECTOR, Case { section: "box", keys: &["size"], good: &["[1, 2, 3]"], bad: &["", "[1, 0, 1]", "[1, -1, 1]", "[1, 1, 2e6]"] }),

    (WRONG_TEXT, Case { section: "wind", keys: &["kind"], good: &["\"wind\""], bad: &["", "\"explosion\"", "\"release\"", "\"storm\""] }),
    (WRONG_VECTOR, Case { section: "wind", keys: &["velocity"], good: &["[0, 0, 0]"], bad: &["", "[2e6, 0, 0]"] }),
    (WRONG_NUMBER, Case { section: "wind", keys: &["from"], good: &["0", "2"], bad: &["-1", "2e6"] }),
    (WRONG_NUMBER, Case { section: "wind", keys: &["to"], good: &["0.1"], bad: &["0", "-1"] }),
    (WRONG_TEXT, Case { section: "line_force", keys: &["body"], good: &["\"soft\""], bad: &["", "\"\"", "\"nobody\""] }),
    (WRONG_VECTOR, Case { section: "line_force", keys: &["point"], good: &["[1, 2, 3]"], bad: &["", "[2e6, 0, 0]"] }),
    (WRONG_VECTOR, Case { section: "line_force", keys: &["force"], good: &["[0, 0, 1e9]"], bad: &[""] }),
    (WRONG_NUMBER, Case { section: "line_force", keys: &["from"], good: &["0", "0.9"], bad: &["", "-1"] }),
    (WRONG_NUMBER, Case { section: "line_force", keys: &["to"], good: &["0.6", "1e5"], bad: &["", "0.5", "0.4", "-1"] }),
];

#[test]
fn every_key_takes_good_values_and_refuses_bad_ones() {
    let mut refused = 0;
    for (wrong_type, case) in CASES {
        for key in case.keys {
            for value in case.good {
                let (text, _) = scene_with(case.section, key, value);
                parse(&text).unwrap_or_else(|error| panic!("{error}\nin\n{text}"));
            }
            for value in wrong_type.iter().chain(case.bad) {
                let (text, line) = scene_with(case.section, key, value);
                let message = refusal(&text);
                assert!(
                    message.starts_with(&format!("{PATH}: line {line}: ")),
                    "{key} = {value}: {message}"
                );
                assert!(message.contains(&format!(".{key}")), "{key} = {value}: {message}");
                assert!(message.contains("wanted"), "{key} = {value}: {message}");
                assert!(
                    !message.contains('\n') && message.len() < 500,
                    "{key} = {value}: {message}"
                );
                refused += 1;
            }
        }
    }
    assert!(refused > 850, "{refused}");
}

#[test]
fn the_cases_cover_every_key() {
    let covered = |keys: &[&str], sections: &[&str]| {
        for key in keys {
            let found = CASES
                .iter()
                .any(|(_, case)| sections.contains(&case.section) && case.keys.contains(key));
            assert!(found, "{key}");
        }
    };
    covered(WORLD_KEYS, &["world"]);
    covered(BODY_KEYS, &["body", "soft"]);
    covered(SPRINGS, &["body", "soft"]);
    covered(REGIONS, &["body", "soft", "shape"]);
    covered(FEM, &["fem"]);
    covered(DAMPED, &["body"]);
    covered(DAMPED, &["fem"]);
    covered(REGIONS, &["fem"]);
    covered(SHAPE, &["shape"]);
}

#[test]
fn unknown_keys_are_refused_at_every_level() {
    for (section, ..) in SECTIONS.iter().chain(KINDS) {
        let (text, line) = scene_with(section, "colour", "1");
        let message = refusal(&text);
        assert!(
            message.contains(&format!("line {line}: "))
                && message.contains(".colour: is not a known key"),
            "{message}"
        );
    }
    // What is mistyped is told of what is near it, what is nothing of the kind is not.
    let slips = [
        ("world", "gravty", "gravity"),
        ("world", "durations", "duration"),
        ("body", "positon", "position"),
    ];
    for (section, key, near) in slips {
        let message = refusal(&scene_with(section, key, "1").0);
        assert!(message.contains(&format!("did you mean {near:?}?")), "{message}");
    }
    assert!(!refusal(&scene_with("world", "xyzzy", "1").0).contains("did you mean"));
    assert!(refusal("[[bodies]]\n").contains("did you mean \"body\"?"));
    for (text, place) in [("gravity = 1\n", "[world]"), ("density = 1\n", "[[body]]")] {
        let message = refusal(text);
        assert!(message.contains(&format!("is a key of {place}, wanted")), "{message}");
    }
    for text in ["[wrold]\n", "title = 1\n", "[[bodies]]\n"] {
        let message = refusal(text);
        assert!(
            message.contains("line 1: ") && message.contains("is not a known key"),
            "{message}"
        );
    }
    for (section, key) in [
        ("plane", "radius"),
        ("sphere", "size"),
        ("box", "normal"),
        ("wind", "force"),
        ("plane", "scale"),
    ] {
        let message = refusal(&scene_with(section, key, "1").0);
        assert!(message.contains(&format!(".{key}: is not a known key")), "{message}");
    }
}
