//! Passes by the stages of Kratochvíl (2007, table 7.4).

use pliant::internals::gpu::PassTime;
use serde::Serialize;

/// What a step and a picture are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Internal forces and integration: damping, stiffness, the integrator's passes.
    Forces,
    /// Which points are in which bodies.
    Detect,
    /// Lists of what was found.
    Gather,
    /// Depths, directions, triangles.
    Penetration,
    /// What keeps the bodies apart.
    Resolve,
    /// Deformation of the drawn surfaces.
    FineMesh,
    /// The picture.
    Draw,
}

impl Stage {
    pub const ALL: [Self; 7] = [
        Self::Forces,
        Self::Detect,
        Self::Gather,
        Self::Penetration,
        Self::Resolve,
        Self::FineMesh,
        Self::Draw,
    ];

    /// The stage of a step that a kernel belongs to.
    pub fn of(kernel: &str) -> Self {
        match kernel {
            "contact_watch" | "contact_begin" | "body_boxes" | "fold_patches" | "fold_pairs"
            | "body_pairs" | "cell_count" | "cell_fill" | "cell_pairs" | "cell_overlaps"
            | "grid_insert" | "points_in_tets" | "way_end" | "self_in_tets" | "edge_insert"
            | "edges_in_tets" | "sphere_begin" | "sphere_insert" | "sphere_find"
            | "sphere_count" | "pose_search" | "collider_boxes" | "collider_fill"
            | "pair_count" | "sweep_spread" | "sweep_axis" | "sweep_keys" | "sort_count"
            | "sort_scatter" | "sweep_sorted" | "sweep_count" => Self::Detect,
            "scan_reduce" | "scan_blocks" | "scan_apply" | "contact_setup" | "contact_fill"
            | "contact_sort" | "contact_rank" | "pair_fill" | "sweep_fill" | "pair_begin"
            | "manifold_keep" | "manifold_fill" => Self::Gather,
            "contact_match"
            | "border_penetration"
            | "propagate"
            | "contact_triangles"
            | "edge_contacts"
            | "sphere_contacts"
            | "narrow_gjk"
            | "narrow_sat"
            | "narrow_triangles"
            | "narrow_sphere_triangles"
            | "pose_planes"
            | "manifold_seams"
            | "manifold_contacts" => Self::Penetration,
            "contact_prepare" | "project" | "project_half" | "internal_force"
            | "pressure_shift" | "source_friction" | "contact_apply" | "contact_slices"
            | "contact_solve" | "contact_iterate" | "contact_end" | "contact_move"
            | "contact_move_mean" | "pose_begin" | "pose_apply" | "pose_mean"
            | "manifold_prepare" | "manifold_solve" | "manifold_push" | "pose_push"
            | "manifold_relax" | "manifold_rebound" | "manifold_total" | "manifold_scale"
            | "island_disturb" | "manifold_join" | "island_jump" | "island_unrest"
            | "pose_sleep" | "augment" | "contact_hold" | "newton_contacts" | "newton_coupling"
            | "pose_hold" | "island_start" | "island_join" | "island_converged"
            | "impulse_scale" | "contact_forget" | "touch_slices" | "touch_bodies"
            | "touch_chunks" | "touch_solids" | "touch_list" => Self::Resolve,
            _ => Self::Forces,
        }
    }

    /// Those of a step, and of these what bodies have not that cannot touch.
    const STEP: [Self; 5] =
        [Self::Forces, Self::Detect, Self::Gather, Self::Penetration, Self::Resolve];
    const CONTACT: &[Self] = Self::STEP.split_at(1).1;

    fn name(self) -> &'static str {
        match self {
            Self::Forces => "internal forces, integrate",
            Self::Detect => "detect",
            Self::Gather => "gather triangles",
            Self::Penetration => "penetration",
            Self::Resolve => "resolve",
            Self::FineMesh => "fine mesh",
            Self::Draw => "draw",
        }
    }
}

/// How long a stage takes, in a step or for a picture.
#[derive(Clone, Debug, Serialize)]
pub struct StageBench {
    /// The published name.
    pub name: &'static str,
    /// Mean [ms].
    pub mean_ms: f64,
    /// The longest [ms].
    pub worst_ms: f64,
    /// The longest that was published [ms], in whole ticks of a clock of 64 Hz.
    pub thesis_worst_ms: Option<f64>,
}

/// Times of the stages, collected.
#[derive(Debug, Default)]
pub struct Stages {
    /// By stage: number, sum and largest [s].
    times: [(u64, f64, f64); Stage::ALL.len()],
}

impl Stages {
    /// Adds what a stage took in a step or for a picture [s].
    pub fn add(&mut self, stage: Stage, time: f64) {
        let (count, sum, worst) = &mut self.times[stage as usize];
        *count += 1;
        *sum += time;
        *worst = worst.max(time);
    }

    /// Adds the passes of a step: name, calls, time.
    pub fn add_step(&mut self, passes: &[(&str, u64, Option<PassTime>)]) {
        for stage in Stage::STEP {
            let of_stage = passes.iter().filter(|pass| Stage::of(pass.0) == stage);
            let micros: f64 = of_stage.filter_map(|pass| Some(pass.2?.total)).sum();
            self.add(stage, 1e-6 * micros);
        }
    }

    /// Mean time of contact per step [s].
    pub fn contact(&self) -> f64 {
        Stage::CONTACT.iter().map(|stage| self.mean(*stage)).sum()
    }

    /// The table, without the stages that were not measured.
    pub fn bench(&self, published: impl Fn(Stage) -> Option<f64>) -> Vec<StageBench> {
        let measured = |stage: &Stage| self.times[*stage as usize].0 > 0;
        let row = |stage: Stage| StageBench {
            name: stage.name(),
            mean_ms: 1e3 * self.mean(stage),
            worst_ms: 1e3 * self.times[stage as usize].2,
            thesis_worst_ms: published(stage),
        };
        Stage::ALL.into_iter().filter(measured).map(row).collect()
    }

    fn mean(&self, stage: Stage) -> f64 {
        let (count, sum, _) = self.times[stage as usize];
        sum / count.max(1) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::Stage;
    use pliant::internals::gpu;

    #[test]
    fn every_pass_of_contact_has_a_stage() {
        for source in gpu::sources() {
            let contact = source.path.starts_with("collide/") || source.path.starts_with("prim/");
            let kernel = source.text.contains("@compute");
            if kernel {
                let stage = Stage::of(source.name());
                assert_eq!(Stage::CONTACT.contains(&stage), contact, "{}: {stage:?}", source.path);
            }
        }
    }
}
