//! The bench on a small lattice: what it finds against what is known.

use super::*;

const SMALL: Settings = Settings {
    cubes: 2,
    stability_steps: 400,
    reference_steps: 256,
    halvings: 3,
    most_steps: 1024,
};

#[test]
fn what_it_finds_of_a_small_lattice() {
    let context = Context::new().unwrap();
    let bench = measure(&context, &SMALL).unwrap();
    assert_eq!((bench.cube.points, bench.cube.tets), (27, 40));
    assert!(bench.reference_error < 1e-6, "{:e}", bench.reference_error);
    assert_eq!(bench.integrators.len(), Integrator::ALL.len() + 1);
    for row in &bench.integrators {
        let errors: Vec<_> = row.curve.iter().map(|point| point.error).collect();
        println!(
            "{} {}: bound {:?}, largest {:?}, errors {errors:?}",
            row.name, row.damping, row.bound, row.largest
        );
        let share = row.bound.map(|bound| row.largest.step / bound);
        assert!(share.is_none_or(|share| share > 0.9), "{}: {share:?}", row.name);
        // Long implicit steps take all motion away, whatever their length; not much is left of it by then.
        let falls = match row.damping {
            "explicit" | "exact" => errors.windows(2).all(|pair| pair[1] < 0.8 * pair[0]),
            _ => errors.iter().all(|error| *error < 0.1),
        };
        assert!(falls, "{}: {errors:?}", row.name);
    }
    // Without explicit Euler, whose error falls faster at first. Verlet damps by the velocity of half a step before, to
    // order 1.
    let rows = bench.integrators.iter().skip(1);
    for (row, order) in rows.zip([1.0, 1.0, 2.0, 2.0]) {
        let found = row.order.unwrap();
        assert!((found - order).abs() < 0.2, "{}: {found}", row.name);
    }
    let row = |integrator: Integrator| {
        let mut rows = bench.integrators.iter();
        rows.find(|row| row.name == integrator.name()).unwrap()
    };
    let verlet = row(Integrator::Verlet);
    // Its bound is that of the most damped vibration, both rates taken for a tenth larger than the power iteration found,
    // at the start, where the cube is stretched and stiffest.
    let share = verlet.largest.step / verlet.bound.unwrap();
    assert!((1.0..1.25).contains(&share), "Verlet: {share}");
    assert!((verlet.over_verlet - 1.0).abs() < 1e-12);
    assert!(row(Integrator::Rk4).curve[1].error < 0.1 * verlet.curve[1].error);
}
