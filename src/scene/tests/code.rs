//! Scenes made in code.

use super::*;

/// Each change of a copy must be refused by an error that begins so.
macro_rules! refused {
    ($base:expr, $scene:ident => $($at:expr => $change:expr;)*) => {
        $({
            let mut $scene = $base.clone();
            $change;
            let message = $scene.check().unwrap_err().to_string();
            assert!(message.starts_with($at), "{message}\nwanted {}", $at);
        })*
    };
}

/// Each change of a kind must be refused by an error about that constant of a body.
macro_rules! refused_kinds {
    ($base:expr, $body:literal, $made:expr, $kind:ident => $($at:literal => $change:expr;)*) => {
        $({
            let mut $kind = $made;
            $change;
            let name = $base.bodies[$body].name.clone();
            refused! { $base, s => &format!("body \"{name}\".{}", $at)[..] => s.bodies[$body].kind = $kind.clone().into(); }
        })*
    };
}

#[test]
fn scenes_from_code_are_checked_alike() {
    let base = parse(&scene_with("wind", "velocity", "[3, 0, 0]").0).unwrap();
    refused! { base, s =>
        "world.gravity is [0.0, NaN, 0.0]" => s.world.gravity[1] = f64::NAN;
        "world.step is NaN" => s.world.step = Step::Fixed(f64::NAN);
        "world.step_error is NaN" => s.world.step = Step::Adaptive(Some(f64::NAN));
        "world.fps is inf" => s.world.fps = f64::INFINITY;
        "body 2.name is \"top\"" => s.bodies[1].name = "top".into();
        "body \"top\".point_mass is NaN" => s.bodies[0].mass = Mass::Point(f64::NAN);
        "body \"soft\".young is -1" =>
            s.bodies[1].kind = Kind::Springs(Springs::Moduli { young: Some(-1.0), relaxation: Some(0.0) });
        "body \"top\".skin is" => s.bodies[0].skin = Some("".into());
        "body \"top\".scale is [1.0, NaN, 1.0]" => s.bodies[0].scale[1] = f64::NAN;
        "body \"top\".pin[0].box" => s.bodies[0].pin = vec![Aabb { min: [f64::NAN; 3], max: [1.0; 3] }];
        "solid 2.radius is NaN" => s.solids[1] = Solid::sphere([0.0; 3], f64::NAN);
        "solid 1.normal" => s.solids[0] = Solid::plane([0.0; 3], [0.0; 3]);
        "event 2.to is NaN" => s.events[1] = Event::Wind { velocity: [0.0; 3], from: 0.0, to: f64::NAN };
    }
}

/// With a third body of finite elements and a fourth of clusters.
fn kinds() -> Scene {
    let mut base = parse(&scene_with("fem", "young", "1e4").0).unwrap();
    let shape = parse(&scene_with("shape", "frequency", "3").0).unwrap();
    base.bodies.push(shape.bodies[2].clone());
    base.check().unwrap();
    base
}

#[test]
fn kinds_from_code_are_checked_alike() {
    let base = kinds();
    refused_kinds! { base, 2, Fem::undamped(1e4, 0.3), f =>
        "young is NaN" => f.young = Some(f64::NAN);
        "young is 0" => f.young = Some(0.0);
        "poisson is 0.5" => f.poisson = 0.5;
        "poisson is NaN" => f.poisson = f64::NAN;
        "relaxation is inf" => f.relaxation = Some(f64::INFINITY);
        "yield is NaN" => f.plasticity.yield_strain = f64::NAN;
        "yield is -inf" => f.plasticity.yield_strain = f64::NEG_INFINITY;
        "creep is NaN" => f.plasticity.creep = f64::NAN;
        "plastic_max is NaN" => f.plasticity.most = f64::NAN;
    }
    let whole = ShapeMatching::default();
    refused_kinds! { base, 3, whole.clone(), s =>
        "alpha is NaN" => s.pull = Pull::Alpha(f64::NAN);
        "alpha is 1.5" => s.pull = Pull::Alpha(1.5);
        "frequency is inf" => s.pull = Pull::Frequency(f64::INFINITY);
        "beta is NaN" => s.beta = f64::NAN;
        "relaxation is NaN" => s.relaxation = f64::NAN;
        "creep is -1" => s.plasticity.creep = -1.0;
        "clusters is an empty array" => s.clusters = Clusters::Given(Vec::new());
        "clusters[1] is an empty list" => s.clusters = Clusters::Given(vec![vec![0], Vec::new()]);
        "clusters is [0, 1, 1]" => s.clusters = Clusters::Grid { count: [0, 1, 1], overlap: 1.0 };
        "clusters is [4294967295, 4294967295, 4294967295]" =>
            s.clusters = Clusters::Grid { count: [u32::MAX; 3], overlap: 1.0 };
        "overlap is NaN" => s.clusters = Clusters::Grid { count: [1; 3], overlap: f64::NAN };
    }
}

#[test]
fn boxes_and_arrays_from_code_are_checked_alike() {
    let base = kinds();
    let nowhere = Aabb { min: [f64::NAN; 3], max: [1.0; 3] };
    refused! { base, s =>
        "body \"shape\".clusters[0].box" =>
            s.bodies[3].kind = ShapeMatching { clusters: Clusters::Boxes(vec![nowhere]), ..ShapeMatching::default() }.into();
    }
    let everywhere = Aabb { min: [-1.0; 3], max: [1.0; 3] };
    let region = |within, constants: &[_]| Region { within, constants: constants.to_vec() };
    refused! { base, s =>
        "body \"fem\".region[0].box" => s.bodies[2].regions = vec![region(nowhere, &[])];
        "body \"fem\".region[0] is a region without a constant" => s.bodies[2].regions = vec![region(everywhere, &[])];
        "body \"fem\".cell_data is \"young\" twice" =>
            s.bodies[2].cell_data = vec![Constant::Young, Constant::Poisson, Constant::Young];
        "body \"fem\".region[0].poisson is NaN" =>
            s.bodies[2].regions = vec![region(everywhere, &[(Constant::Poisson, f64::NAN)])];
        "body \"fem\".region[0] is \"volume\", wanted a constant of this material" =>
            s.bodies[2].regions = vec![region(everywhere, &[(Constant::Volume, 1.0)])];
        "body \"shape\".cell_data is \"young\", wanted a constant of this material: density" =>
            s.bodies[3].cell_data = vec![Constant::Young];
        "body \"fem\".area is 1 with kind \"fem\"" => s.bodies[2].area = 1.0;
        "body \"top\".area is NaN" => s.bodies[0].area = f64::NAN;
        "body \"top\".radius is NaN" => s.bodies[0].radius = Some(f64::NAN);
        "body \"top\".stretch is [1.0, NaN, 1.0]" => s.bodies[0].stretch[1] = f64::NAN;
        "body \"top\".scatter is NaN" => s.bodies[0].scatter = f64::NAN;
        "world.integrator is euler" => s.world.integrator = Integrator::Euler;
    }
}
