//! Scenes made in code.

use super::*;

#[test]
fn scenes_from_code_are_checked_alike() {
    let base = parse(&scene_with("wind", "velocity", "[3, 0, 0]").0).unwrap();
    let refused = |at: &str, change: fn(&mut Scene)| {
        let mut scene = base.clone();
        change(&mut scene);
        let message = scene.check().unwrap_err().to_string();
        assert!(message.starts_with(at), "{message}");
    };
    refused("world.gravity is [0.0, NaN, 0.0]", |s| {
        s.world.gravity[1] = f64::NAN
    });
    refused("world.step is NaN", |s| {
        s.world.step = Step::Fixed(f64::NAN)
    });
    refused("world.step_error is NaN", |s| {
        s.world.step = Step::Adaptive(Some(f64::NAN))
    });
    refused("world.fps is inf", |s| s.world.fps = f64::INFINITY);
    refused("body 2.name is \"top\"", |s| {
        s.bodies[1].name = "top".into()
    });
    refused("body \"top\".point_mass is NaN", |s| {
        s.bodies[0].mass = Mass::Point(f64::NAN)
    });
    refused("body \"soft\".young is -1", |s| {
        s.bodies[1].kind = Kind::Springs(Springs::Moduli {
            young: Some(-1.0),
            relaxation: Some(0.0),
        })
    });
    refused("body \"top\".skin is", |s| {
        s.bodies[0].skin = Some("".into())
    });
    refused("body \"top\".scale is [1.0, NaN, 1.0]", |s| {
        s.bodies[0].scale[1] = f64::NAN
    });
    refused("body \"top\".pin[0].box", |s| {
        s.bodies[0].pin = vec![Aabb {
            min: [f64::NAN; 3],
            max: [1.0; 3],
        }]
    });
    refused("solid 2.radius is NaN", |s| {
        s.solids[1] = Solid::Sphere {
            position: [0.0; 3],
            radius: f64::NAN,
        }
    });
    refused("solid 1.normal", |s| {
        s.solids[0] = Solid::Plane {
            position: [0.0; 3],
            normal: [0.0; 3],
        }
    });
    refused("event 2.to is NaN", |s| {
        s.events[1] = Event::Wind {
            velocity: [0.0; 3],
            from: 0.0,
            to: f64::NAN,
        }
    });
}

#[test]
fn kinds_from_code_are_checked_alike() {
    let mut base = parse(&scene_with("fem", "young", "1e4").0).unwrap();
    let shape = parse(&scene_with("shape", "frequency", "3").0).unwrap();
    base.bodies.push(shape.bodies[2].clone());
    base.check().unwrap();
    let refused = |at: &str, change: &dyn Fn(&mut Scene)| {
        let mut scene = base.clone();
        change(&mut scene);
        let message = scene.check().unwrap_err().to_string();
        assert!(message.starts_with(at), "{message}\nwanted {at}");
    };
    let fem = |at: &str, change: fn(&mut Fem)| {
        refused(&format!("body \"fem\".{at}"), &|s| {
            let mut fem = Fem::undamped(1e4, 0.3);
            change(&mut fem);
            s.bodies[2].kind = fem.into();
        });
    };
    fem("young is NaN", |f| f.young = Some(f64::NAN));
    fem("young is 0", |f| f.young = Some(0.0));
    fem("poisson is 0.5", |f| f.poisson = 0.5);
    fem("poisson is NaN", |f| f.poisson = f64::NAN);
    fem("relaxation is inf", |f| f.relaxation = Some(f64::INFINITY));
    fem("yield is NaN", |f| f.plasticity.yield_strain = f64::NAN);
    fem("yield is -inf", |f| {
        f.plasticity.yield_strain = f64::NEG_INFINITY
    });
    fem("creep is NaN", |f| f.plasticity.creep = f64::NAN);
    fem("plastic_max is NaN", |f| f.plasticity.most = f64::NAN);
    let shape = |at: &str, change: fn(&mut Shape)| {
        refused(&format!("body \"shape\".{at}"), &|s| {
            let mut shape = Shape::default();
            change(&mut shape);
            s.bodies[3].kind = shape.into();
        });
    };
    shape("alpha is NaN", |s| s.pull = Pull::Alpha(f64::NAN));
    shape("alpha is 1.5", |s| s.pull = Pull::Alpha(1.5));
    shape("frequency is inf", |s| {
        s.pull = Pull::Frequency(f64::INFINITY)
    });
    shape("beta is NaN", |s| s.beta = f64::NAN);
    shape("relaxation is NaN", |s| s.relaxation = f64::NAN);
    shape("creep is -1", |s| s.plasticity.creep = -1.0);
    shape("clusters is an empty array", |s| {
        s.clusters = Clusters::Given(Vec::new())
    });
    shape("clusters[1] is an empty list", |s| {
        s.clusters = Clusters::Given(vec![vec![0], Vec::new()]);
    });
    shape("clusters is [0, 1, 1]", |s| {
        s.clusters = Clusters::Grid {
            count: [0, 1, 1],
            overlap: 1.0,
        }
    });
    shape("clusters is [4294967295, 4294967295, 4294967295]", |s| {
        s.clusters = Clusters::Grid {
            count: [u32::MAX; 3],
            overlap: 1.0,
        }
    });
    shape("overlap is NaN", |s| {
        s.clusters = Clusters::Grid {
            count: [1; 3],
            overlap: f64::NAN,
        }
    });
    let nowhere = Aabb {
        min: [f64::NAN; 3],
        max: [1.0; 3],
    };
    refused("body \"shape\".clusters[0].box", &|s| {
        let clusters = Clusters::Boxes(vec![nowhere]);
        s.bodies[3].kind = Kind::Shape(Shape {
            clusters,
            ..Shape::default()
        });
    });
    let everywhere = Aabb {
        min: [-1.0; 3],
        max: [1.0; 3],
    };
    let region = |within, constants: &[_]| Region {
        within,
        constants: constants.to_vec(),
    };
    refused("body \"fem\".region[0].box", &|s| {
        s.bodies[2].regions = vec![region(nowhere, &[])];
    });
    refused("body \"fem\".region[0] is a box without a constant", &|s| {
        s.bodies[2].regions = vec![region(everywhere, &[])];
    });
    refused("body \"fem\".cell_data is \"young\" twice", &|s| {
        s.bodies[2].cell_data = vec![Constant::Young, Constant::Poisson, Constant::Young];
    });
    refused("body \"fem\".region[0].poisson is NaN", &|s| {
        s.bodies[2].regions = vec![region(everywhere, &[(Constant::Poisson, f64::NAN)])];
    });
    refused(
        "body \"fem\".region[0] is \"volume\", wanted a constant of this material",
        &|s| {
            s.bodies[2].regions = vec![region(everywhere, &[(Constant::Volume, 1.0)])];
        },
    );
    refused(
        "body \"shape\".cell_data is \"young\", wanted a constant of this material: density",
        &|s| {
            s.bodies[3].cell_data = vec![Constant::Young];
        },
    );
    refused("body \"fem\".area is 1 with kind \"fem\"", &|s| {
        s.bodies[2].area = 1.0
    });
    refused("body \"top\".area is NaN", &|s| s.bodies[0].area = f64::NAN);
    refused("body \"top\".radius is NaN", &|s| {
        s.bodies[0].radius = Some(f64::NAN)
    });
    refused("body \"top\".stretch is [1.0, NaN, 1.0]", &|s| {
        s.bodies[0].stretch[1] = f64::NAN
    });
    refused("body \"top\".scatter is NaN", &|s| {
        s.bodies[0].scatter = f64::NAN
    });
    refused("world.integrator is euler", &|s| {
        s.world.integrator = Integrator::Euler
    });
}
