//! Kernels are plain WGSL files. A line `#import shared/solids` is replaced by that file, once per kernel;
//! `#import consts` by the constants that Rust and WGSL share.

use std::collections::HashSet;
use std::fmt::Write as _;

use super::{Content, types};

/// One WGSL file of this crate.
#[derive(Clone, Copy, Debug)]
pub struct Source {
    /// Its path below `wgsl/`, without the ending.
    pub path: &'static str,
    /// Its text.
    pub text: &'static str,
}

macro_rules! sources {
    ($($path:literal),* $(,)?) => {
        &[$(Source { path: $path, text: include_str!(concat!("../../wgsl/", $path, ".wgsl")) }),*]
    };
}

const SOURCES: &[Source] = sources![
    "shared/types",
    "shared/sim",
    "shared/topology",
    "shared/externals",
    "shared/turn",
    "shared/tie",
    "shared/tie_groups",
    "shared/damping",
    "shared/rate",
    "shared/loads",
    "shared/sweep",
    "shared/sweep_gather",
    "shared/force",
    "shared/law",
    "shared/pull",
    "shared/vertex",
    "shared/press",
    "shared/newton",
    "shared/direction",
    "shared/rotation",
    "shared/eigen",
    "shared/volume",
    "shared/plastic",
    "shared/shape",
    "shared/status",
    "shared/fem_stiffness",
    "shared/solids",
    "shared/pushes",
    "shared/scan",
    "shared/collide",
    "shared/grid",
    "shared/inside",
    "shared/visit",
    "shared/edge_grid",
    "shared/sphere",
    "shared/sphere_list",
    "shared/sphere_surface",
    "shared/sphere_local",
    "shared/sphere_places",
    "shared/sphere_triangle",
    "shared/segment",
    "shared/tested",
    "shared/held",
    "shared/contact",
    "shared/walk",
    "shared/warm",
    "shared/rows",
    "shared/islands",
    "shared/sort_row",
    "shared/overlaps",
    "shared/impulse",
    "shared/impulse_change",
    "shared/matrix",
    "shared/rotation",
    "shared/fem",
    "shared/fem_change",
    "shared/fem_viscosity",
    "shared/fem_plastic",
    "shared/fem_corners",
    "shared/beam",
    "shared/ray",
    "shared/query",
    "shared/touches",
    "shared/touch_lists",
    "integrate/euler",
    "integrate/verlet",
    "integrate/half_back",
    "integrate/half_take",
    "integrate/leapfrog",
    "integrate/leapfrog_end",
    "integrate/midpoint_half",
    "integrate/midpoint",
    "integrate/rk4_stage",
    "integrate/rk4",
    "integrate/step_error",
    "integrate/implicit_start",
    "integrate/implicit_begin",
    "integrate/solid_press",
    "integrate/solid_pushes",
    "integrate/coarse_sum",
    "integrate/coarse_solve",
    "integrate/coarse_move",
    "integrate/vbd_solve",
    "integrate/implicit_momentum",
    "integrate/implicit_shift",
    "integrate/implicit_end",
    "integrate/solid_move",
    "integrate/pin_move",
    "integrate/applied_load",
    "integrate/applied_start",
    "newton/newton_springs",
    "newton/newton_test",
    "newton/newton_residual",
    "newton/newton_tangent",
    "newton/newton_block",
    "newton/newton_tie_block",
    "newton/newton_factor",
    "newton/newton_fem",
    "newton/newton_tie",
    "newton/newton_apply",
    "newton/newton_sum",
    "newton/newton_control",
    "newton/newton_update",
    "newton/newton_move",
    "newton/newton_pushes",
    "body/damping_rate",
    "body/damping_first",
    "body/damping_sweep",
    "body/damping_end",
    "body/probe_start",
    "body/probe_apply",
    "body/probe_sum",
    "body/probe_body",
    "body/shape_fit",
    "body/shape_solve",
    "body/shape_gather",
    "body/fem_force",
    "body/fem_gather",
    "body/fem_damping_first",
    "body/fem_damping",
    "body/fem_probe",
    "body/tie_force",
    "body/tie_gather",
    "body/tie_hold",
    "body/skin_points",
    "body/skin_normals",
    "body/mesh_pack",
    "prim/scan_reduce",
    "prim/scan_blocks",
    "prim/scan_apply",
    "collide/contact_watch",
    "collide/contact_begin",
    "collide/body_boxes",
    "collide/fold_patches",
    "collide/fold_pairs",
    "collide/body_pairs",
    "collide/grid_insert",
    "collide/points_in_tets",
    "collide/self_in_tets",
    "collide/edge_begin",
    "collide/edge_insert",
    "collide/edges_in_tets",
    "collide/edge_contacts",
    "collide/sphere_begin",
    "collide/sphere_insert",
    "collide/sphere_find",
    "collide/sphere_count",
    "collide/sphere_contacts",
    "collide/border_penetration",
    "collide/contact_recall",
    "collide/propagate",
    "collide/contact_triangles",
    "collide/contact_link",
    "collide/contact_gap",
    "collide/project",
    "collide/project_half",
    "collide/internal_force",
    "collide/pressure_shift",
    "collide/source_friction",
    "collide/contact_warm",
    "collide/contact_impulse",
    "collide/contact_apply",
    "collide/contact_again",
    "collide/contact_move",
    "collide/impulse_scale",
    "collide/contact_forget",
    "collide/contact_press",
    "collide/contact_hold",
    "collide/island_start",
    "collide/island_join",
    "collide/island_doubt",
    "collide/touch_slices",
    "collide/touch_bodies",
    "collide/touch_chunks",
    "collide/touch_solids",
    "collide/touch_list",
    "inspect/tug_force",
    "inspect/pick_scan",
    "inspect/nearest_scan",
    "inspect/pick_least",
    "inspect/fem_measure",
    "inspect/field_strain",
    "inspect/field_pressure",
    "inspect/field_depth",
    "inspect/field_skin",
    "inspect/sum_energy",
    "inspect/sum_chunk",
    "inspect/sum_block",
    "inspect/force_lines",
    "inspect/depth_lines",
    "query/query_bound",
    "query/query_ray",
    "query/query_point",
    "query/query_box",
    "render/frame",
    "render/light",
    "render/ground",
    "render/cloud",
    "render/values",
    "render/line",
    "render/draw_surface",
    "render/draw_surface_values",
    "render/draw_facets",
    "render/draw_shadow",
    "render/draw_sky",
    "render/draw_ground",
    "render/draw_far_ground",
    "render/draw_points",
    "render/draw_points_shadow",
    "render/draw_wires",
    "render/draw_segments",
];

#[cfg(feature = "verify")]
/// All WGSL files.
#[must_use]
pub fn sources() -> &'static [Source] {
    SOURCES
}

#[cfg(feature = "verify")]
/// The names of all compute kernels, in the order of the file list.
#[must_use]
pub fn kernel_names() -> Vec<&'static str> {
    SOURCES
        .iter()
        .filter(|source| source.text.contains("@compute"))
        .map(|source| source.name())
        .collect()
}

#[cfg(feature = "verify")]
/// The names of all kernels and drawing shaders: of every file with an entry point.
#[must_use]
pub fn shader_names() -> Vec<&'static str> {
    let enters = |source: &&Source| {
        ["@compute", "@vertex"]
            .iter()
            .any(|stage| source.text.contains(stage))
    };
    SOURCES.iter().filter(enters).map(Source::name).collect()
}

impl Source {
    /// The file's stem, which is also the entry point's name.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.path.rsplit('/').next().unwrap_or(self.path)
    }
}

/// A kernel with its imports in place.
#[derive(Clone, Debug)]
pub struct Composed {
    /// The kernel's name: file stem and entry point.
    pub name: &'static str,
    /// The whole WGSL text.
    pub text: String,
    /// For each line of `text`, the file and line it came from.
    origin: Vec<(&'static str, usize)>,
}

impl Composed {
    /// Where a line of the composed text (from 1) came from, as `file:line`.
    #[must_use]
    pub fn origin(&self, line: usize) -> String {
        match self.origin.get(line.wrapping_sub(1)) {
            Some((path, line)) => format!("wgsl/{path}.wgsl:{line}"),
            None => format!("{}:{line}", self.name),
        }
    }

    fn add(&mut self, source: &Source, content: Content, seen: &mut HashSet<&'static str>) {
        if !seen.insert(source.path) {
            return;
        }
        for (index, line) in source.text.lines().enumerate() {
            match line.strip_prefix("#import ").map(str::trim) {
                Some("consts") if seen.insert("consts") => self.push_text(&consts(), "consts"),
                Some("content") if seen.insert("content") => {
                    self.push_text(&content.text(), "content");
                }
                Some("consts" | "content") => {}
                Some(path) => {
                    let import = SOURCES.iter().find(|source| source.path == path);
                    let import = import.unwrap_or_else(|| {
                        panic!("wgsl/{}.wgsl imports {path}: no such file", source.path)
                    });
                    self.add(import, content, seen);
                }
                None => {
                    self.text.push_str(line);
                    self.text.push('\n');
                    self.origin.push((source.path, index + 1));
                }
            }
        }
    }

    fn push_text(&mut self, text: &str, path: &'static str) {
        self.text.push_str(text);
        self.origin
            .extend((0..text.lines().count()).map(|line| (path, line + 1)));
    }
}

/// The constants of [`types::CONSTANTS`] as WGSL.
fn consts() -> String {
    let mut text = String::new();
    for (name, value) in types::CONSTANTS {
        let value = match value {
            types::Constant::U32(value) => format!("u32 = {value}u"),
            types::Constant::F32(value) => format!("f32 = {value:e}f"),
        };
        writeln!(text, "const {name}: {value};").expect("a String grows");
    }
    text
}

/// The kernel or drawing shader of this name with all its imports, for any world.
///
/// # Panics
/// When there is no such file: names are compiled in.
#[must_use]
pub fn compose(name: &str) -> Composed {
    compose_for(name, Content::ALL)
}

/// The same for worlds that hold no more than this.
///
/// # Panics
/// As [`compose`].
#[must_use]
pub fn compose_for(name: &str, content: Content) -> Composed {
    let source = SOURCES.iter().find(|source| source.name() == name);
    let source = source.unwrap_or_else(|| panic!("no WGSL file is named {name}"));
    let mut composed = Composed {
        name: source.name(),
        text: String::new(),
        origin: Vec::new(),
    };
    composed.add(source, content, &mut HashSet::new());
    composed
}
