//! The nearest rotation of the kernels (wgsl/shared/rotation) against the oracle: matrices of every rank and orientation, of any
//! size, started from near, far and opposite rotations.

use glam::{DMat3, DQuat, DVec3, Vec4};
use pliant::Context;
use pliant::internals::extreme;
use pliant::internals::family::fem::rotation::{davenport, nearest_rotation, symmetric_eigen};
use pliant::internals::gpu::{Buffer, sources};
use pliant::internals::verify::Random;

use crate::common::new_device;

const KERNEL: &str = "
@group(0) @binding(0) var<storage, read> given: array<vec4f>;
@group(0) @binding(1) var<storage, read_write> found: array<vec4f>;
@compute @workgroup_size(64)
fn turn(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    if i < arrayLength(&found) {
        let a = mat3x3f(given[4u * i].xyz, given[4u * i + 1u].xyz, given[4u * i + 2u].xyz);
        found[i] = nearest_rotation(a, given[4u * i + 3u]);
    }
}";

/// A matrix and the rotation that the search starts from.
type Case = (DMat3, DQuat);

/// The quaternions that the kernels' function finds.
fn run(context: &Context, cases: &[Case]) -> Vec<DQuat> {
    let text = |path| {
        let source = sources().iter().find(|s| s.path == path);
        source.unwrap().text.replace("#import", "//")
    };
    let [eigen, turn, rotation] = ["shared/eigen", "shared/turn", "shared/rotation"].map(text);
    let text = format!("{eigen}{turn}{rotation}{KERNEL}");
    let given: Vec<Vec4> = cases
        .iter()
        .flat_map(|(a, q)| {
            let column = |k: usize| a.col(k).extend(0.0).as_vec4();
            [column(0), column(1), column(2), q.as_quat().into()]
        })
        .collect();
    let given = Buffer::new(context, "given", &given).unwrap();
    let found = Buffer::<Vec4>::zeroed(context, "found", cases.len()).unwrap();
    let (device, queue) = context.graphics().unwrap();
    let arrays = [given.on(context), found.on(context)].map(Result::unwrap);
    let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: None,
        source: wgpu::ShaderSource::Wgsl(text.into()),
    });
    let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label: None,
        layout: None,
        module: &module,
        entry_point: Some("turn"),
        compilation_options: Default::default(),
        cache: None,
    });
    let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: None,
        layout: &pipeline.get_bind_group_layout(0),
        entries: &[0, 1].map(|binding| wgpu::BindGroupEntry {
            binding,
            resource: arrays[binding as usize].as_entire_binding(),
        }),
    });
    let mut encoder = device.create_command_encoder(&Default::default());
    {
        let mut pass = encoder.begin_compute_pass(&Default::default());
        pass.set_pipeline(&pipeline);
        pass.set_bind_group(0, &group, &[]);
        pass.dispatch_workgroups(cases.len().div_ceil(64) as u32, 1, 1);
    }
    queue.submit([encoder.finish()]);
    let found = found.read(context).unwrap();
    found.iter().map(|q| DQuat::from_vec4(q.as_dvec4())).collect()
}

fn rotation(random: &mut Random) -> DQuat {
    loop {
        let v = random.vector(1.0).extend(random.between(-1.0, 1.0));
        if v.length() > 0.1 && v.length() < 1.0 {
            return DQuat::from_vec4(v.normalize());
        }
    }
}

fn frobenius(a: &DMat3) -> f64 {
    (0..3).map(|k| a.col(k).length_squared()).sum::<f64>().sqrt()
}

/// tr(Rᵀ A)
fn product(r: &DMat3, a: &DMat3) -> f64 {
    (0..3).map(|k| r.col(k).dot(a.col(k))).sum()
}

/// As f32 rounds it.
fn rounded(a: DMat3) -> DMat3 {
    a.as_mat3().as_dmat3()
}

const STRETCHES: [[f64; 3]; 24] = [
    [1.0, 1.0, 1.0],
    [1.0, 2.0, 3.0],
    [1.0, 1e-3, 1e-6],
    [1.0, 1e-5, 1e-5],
    [1.0, 1e-2, 0.0],
    [1.0, 1e-4, 0.0],
    [1.0, 1.0, 0.0],
    [1.0, 0.0, 0.0],
    [-1.0, 0.0, 0.0],
    [-1.0, 1.0, 0.0],
    [-1.0, -1.0, 0.0],
    [1.0, 1.0, -1.0],
    [1.0, 1.0, -0.999],
    [1.0, 1.0, -0.9999],
    [1.0, 1.0, -0.99999],
    [1.0, 0.5, -0.5],
    [1.0, 0.5, -0.499],
    [1.0, 0.5, -1e-3],
    [-1.0, -1.0, -1.0],
    [-1.0, -2.0, -3.0],
    [-1.0, 2.0, -3.0],
    [-1.0, -1.0, 1.0],
    [-1.0, 2.0, 3.0],
    [0.0, 0.0, 0.0],
];

/// Matrices with these stretches, turned at random, with starts from next to them to opposite.
fn cases(random: &mut Random) -> Vec<Case> {
    let mut cases = Vec::new();
    for stretch in STRETCHES {
        for turned in [false, true] {
            for size in [1.0, 1e-12, 1e12, 1e-20, 1e20] {
                for way in [0.0, 1e-4, 0.01, 0.1, 1.0, 2.0, 3.0, std::f64::consts::PI] {
                    let (r, u) = if turned {
                        (rotation(random), DMat3::from_quat(rotation(random)))
                    } else {
                        (DQuat::IDENTITY, DMat3::IDENTITY)
                    };
                    let s = u * DMat3::from_diagonal(DVec3::from(stretch)) * u.transpose();
                    let a = rounded(DMat3::from_quat(r) * s * size);
                    let axis = if turned { random.vector(1.0).normalize() } else { DVec3::Z };
                    let q = r * DQuat::from_axis_angle(axis, way);
                    cases.push((a, DQuat::from_vec4(q.as_quat().as_dquat().into())));
                }
            }
        }
    }
    for _ in 0..2500 {
        let a = DMat3::from_cols(random.vector(1.0), random.vector(1.0), random.vector(1.0));
        cases.push((rounded(a), rotation(random)));
    }
    cases
}

/// R loses nothing against the nearest, and Rᵀ A is symmetric (what keeps angular momentum), relative to |A|, but for rounding.
/// Eigenvalues of the form that lie within 1e-4 are left together. Any unit vector of their eigenvectors' span loses at most
/// what they are apart, and the form's gradient there is at most half of that (Kantorovich): |M − Mᵀ| is √2 of it.
#[test]
fn no_rotation_is_nearer() {
    let context = new_device();
    let mut worst = [0.0_f64; 3];
    for seed in 1..=8 {
        let cases = cases(&mut Random::new(seed));
        for ((a, start), q) in cases.iter().zip(run(&context, &cases)) {
            assert!((q.length() - 1.0).abs() < 4e-7, "{a} from {start}: {q}");
            let size = frobenius(a).max(1e-300);
            let r = DMat3::from_quat(q.normalize());
            let (nearest, most) = nearest_rotation(a);
            let m = r.transpose() * *a;
            let (values, _) = symmetric_eigen(davenport(a));
            let below = values.map(|value| (values[3] - value) / size);
            let together = below.into_iter().filter(|below| *below < 1e-4);
            let spread = together.fold(0.0, extreme::greatest);
            let apart = (0..3).map(|k| (r.col(k) - nearest.col(k)).length());
            let apart = apart.fold(0.0, extreme::greatest);
            let errors = [
                (most - product(&r, a)) / size - spread,
                frobenius(&(m - m.transpose())) / size - spread / std::f64::consts::SQRT_2,
                // Which of several is no question of rounding.
                if spread == 0.0 { below[2] * apart } else { 0.0 },
            ];
            worst = std::array::from_fn(|k| extreme::greatest(worst[k], errors[k]));
        }
    }
    println!("{worst:?}");
    assert!(worst[0] < 1e-6 && worst[1] < 2e-6 && worst[2] < 4e-6, "{worst:?}");
}

/// Where many rotations are equally near, the one nearest to the last is taken: a line turns the shortest way, and nothing
/// turns where A is 0.
#[test]
fn equally_near_rotations_stay() {
    let context = new_device();
    let mut random = Random::new(2);
    let mut cases = Vec::new();
    let mut want = Vec::new();
    for _ in 0..1000 {
        let start = rotation(&mut random).as_quat().as_dquat();
        cases.push((DMat3::ZERO, start));
        want.push(start);
        // A = y xᵀ: R turns x to y, from R0 about (R0 x) × y.
        let (x, y) = (random.vector(1.0).normalize(), random.vector(1.0).normalize());
        let a = DMat3::from_cols(y * x.x, y * x.y, y * x.z);
        cases.push((rounded(a), start));
        want.push(DQuat::from_rotation_arc(start * x, y) * start);
    }
    let mut worst: f64 = 0.0;
    for (q, want) in run(&context, &cases).iter().zip(&want) {
        let way = 1.0 - q.dot(*want).abs();
        worst = extreme::greatest(worst, way);
    }
    // 1 − cos of half the angle: 0.1 rad.
    assert!(worst < 1e-3, "{worst:e}");
}
