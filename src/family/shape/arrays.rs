//! What the passes of shape matching read: clusters with what is known of their rest shapes, and who belongs to whom.

use crate::extreme;
use crate::family::eigen::symmetric_eigen;
use glam::{DMat3, DVec3, DVec4, Vec3, Vec4};

use crate::gpu::types::{
    CHUNK, Cluster as GpuCluster, ClusterState, NONE, SHAPE_FLAT, SHAPE_LINEAR, SHAPE_QUADRATIC,
    SHAPE_RIGID, SLICE, WORKGROUP,
};
use crate::model::{Incidence, Model};
use crate::scene::Mode;

/// Variances below this part of the largest are none: the shape is thinner than a thousandth of its length.
const FLAT: f64 = 1e-6;
/// Least variance of a quadratic term, in whitened coordinates, with which it says something.
const SPREAD: f64 = 1e-3;

/// Points of a body that are matched together.
#[derive(Clone, Debug, PartialEq)]
pub struct Cluster {
    /// The body.
    pub body: usize,
    /// Particles, ascending.
    pub members: Vec<u32>,
    /// What the goals follow, as far as the members can tell.
    pub mode: Mode,
}

/// The arrays, long clusters first.
#[derive(Clone, Debug, Default)]
pub struct ShapeArrays {
    /// Per particle: rest position from the body's middle \[m\], and its share of mass in a cluster over the body's mean mass.
    pub rests: Vec<Vec4>,
    /// Four words per chunk, then the members; see shape_sum.wgsl and shape_fit.wgsl in wgsl/family/shape.
    pub members: Vec<u32>,
    /// Two words per particle, then its clusters; see wgsl/family/shape/shape_gather.wgsl.
    pub memberships: Vec<u32>,
    /// The clusters.
    pub clusters: Vec<GpuCluster>,
    /// Columns of the inverse covariances of the quadratic terms, three rows each.
    pub fits: Vec<Vec4>,
    /// Number of clusters of more than [`SLICE`] members.
    pub long: usize,
    /// Number of their chunks.
    pub long_chunks: usize,
    /// For each cluster here its place in the model's.
    pub order: Vec<usize>,
}

impl ShapeArrays {
    /// The arrays of all clusters of a model.
    pub fn new(model: &Model) -> Self {
        let mut arrays = Self {
            rests: rests(model),
            order: (0..model.clusters.len()).collect(),
            ..Self::default()
        };
        let members = |c: &usize| &model.clusters[*c].members;
        arrays.order.sort_by_key(|c| usize::MAX - members(c).len());
        arrays.long = arrays.order.iter().filter(|c| is_long(&model.clusters[**c])).count();
        let mut chunks = Vec::new();
        for c in arrays.order.clone() {
            let cluster = &model.clusters[c];
            let count = chunk_count(cluster.members.len());
            let gpu = arrays.cluster(cluster, chunks.len(), count);
            let part = |e: usize| e * cluster.members.len() / count;
            chunks.extend((0..count).map(|e| &cluster.members[part(e)..part(e + 1)]));
            arrays.clusters.push(gpu);
        }
        arrays.long_chunks = chunks.len() - (arrays.order.len() - arrays.long);
        arrays.members = arrays.members(&chunks);
        arrays.memberships = memberships(model, &arrays.order);
        arrays
    }

    /// Four words per chunk, then the members: those of long clusters in a row, which neighbouring threads read, the others'
    /// interleaved, as a thread reads one after the other.
    fn members(&self, chunks: &[&[u32]]) -> Vec<u32> {
        let (long, short) = chunks.split_at(self.long_chunks);
        let mut entries = long.concat();
        let before = entries.len() as u32;
        let pairs = short.iter().enumerate();
        let pairs: Vec<(u32, u32)> =
            pairs.flat_map(|(i, members)| members.iter().map(move |j| (i as u32, *j))).collect();
        let interleaved = Incidence::new(short.len(), &pairs);
        let start = 4 * chunks.len() as u32;
        let mut words = Vec::new();
        let mut first = start;
        for (k, cluster) in self.clusters.iter().enumerate().take(self.long) {
            for place in cluster.chunk_first..cluster.chunk_first + cluster.chunk_count {
                let count = long[place as usize].len() as u32;
                words.extend([first, count, k as u32, place]);
                first += count;
            }
        }
        for (i, members) in short.iter().enumerate() {
            let first = start + before + interleaved.first[i];
            words.extend([first, members.len() as u32, (self.long + i) as u32, NONE]);
        }
        entries.extend(interleaved.entries);
        words.extend(entries);
        words
    }

    /// Threads of `shape_sum`, `shape_solve` and `shape_fit`.
    pub fn threads(&self) -> [usize; 3] {
        let short = self.clusters.len() - self.long;
        [self.long_chunks * WORKGROUP as usize, self.long * WORKGROUP as usize, short]
    }

    /// What clusters keep at the start.
    pub fn states(&self) -> Vec<ClusterState> {
        vec![Self::state(); self.clusters.len()]
    }

    /// What a cluster keeps at the start.
    pub fn state() -> ClusterState {
        ClusterState { rotation: Vec4::W, ..ClusterState::default() }
    }

    /// One cluster, from the members' rest positions and weights as the device has them.
    fn cluster(&mut self, cluster: &Cluster, chunk_first: usize, chunk_count: usize) -> GpuCluster {
        let rests = cluster.members.iter().map(|i| self.rests[*i as usize]);
        let form = Form::new(rests.map(|rest| rest.as_dvec4()));
        let axes = form.axes();
        let (root, whiten) = (power(&axes, 0.5), power(&axes, -0.5));
        let quadratic = (cluster.mode == Mode::Quadratic)
            .then(|| inverse_covariance(&form.p, &whiten, axes.len()))
            .flatten();
        let mode = match (cluster.mode, &quadratic) {
            (Mode::Rigid, _) => SHAPE_RIGID,
            (Mode::Quadratic, Some(_)) => SHAPE_QUADRATIC,
            _ => SHAPE_LINEAR,
        };
        let fit = self.fits.len() as u32;
        for column in quadratic.iter().flatten() {
            let rows = column.chunks(3).map(|c| DVec3::new(c[0], c[1], c[2]));
            self.fits.extend(rows.map(|row| row.as_vec3().extend(0.0)));
        }
        let [squares, products] = [form.squares(), form.products()];
        GpuCluster {
            origin: form.origin,
            inverse_mass: form.inverse_mass,
            root_diagonal: diagonal(&root),
            flags: mode | if axes.len() < 3 { SHAPE_FLAT } else { 0 },
            root_off: off(&root),
            body: cluster.body as u32,
            whiten_diagonal: diagonal(&whiten),
            fit,
            whiten_off: off(&whiten),
            size: root.determinant().cbrt() as f32,
            anchor: cluster.members[form.anchor],
            chunk_first: chunk_first as u32,
            chunk_count: chunk_count as u32,
            centre: form.centre.as_vec3(),
            square_diagonal: squares.as_vec3(),
            square_off: products.as_vec3(),
            square_diagonal_low: low(squares, squares),
            square_off_low: low(products, products),
        }
    }
}

/// The rest shape of a cluster, as the device rounds it.
struct Form {
    /// The member nearest to the centre.
    anchor: usize,
    /// Its rest position [m].
    origin: Vec3,
    /// Centre of the rest positions, from there [m].
    centre: DVec3,
    /// 1 over the sum of the weights.
    inverse_mass: f32,
    /// Per member its rest position from the centre [m], and its share of the weights.
    p: Vec<(DVec3, f64)>,
}

impl Form {
    /// From rest positions and weights.
    fn new(rests: impl Iterator<Item = DVec4>) -> Self {
        let rests: Vec<_> = rests.map(|rest| (rest.truncate(), rest.w)).collect();
        let mass: f64 = rests.iter().map(|(_, w)| w).sum();
        let mean = |of: &dyn Fn(&DVec3) -> DVec3| {
            rests.iter().map(|(x, w)| of(x) * *w).sum::<DVec3>() / mass
        };
        let middle = mean(&|x| *x);
        let far = |i: &usize| rests[*i].0.distance_squared(middle);
        let anchor = (0..rests.len()).min_by(|a, b| far(a).total_cmp(&far(b)));
        let anchor = anchor.unwrap_or_default();
        let origin = rests.get(anchor).map_or(Vec3::ZERO, |(x, _)| x.as_vec3());
        let q = |x: &DVec3| (x.as_vec3() - origin).as_dvec3();
        let centre = mean(&q);
        let inverse_mass = (1.0 / mass) as f32;
        let from_centre = |(x, w): &(DVec3, f64)| (q(x) - centre, w * f64::from(inverse_mass));
        Self { anchor, origin, centre, inverse_mass, p: rests.iter().map(from_centre).collect() }
    }

    /// Mean of the product of two coordinates [m²].
    fn square(&self, i: usize, j: usize) -> f64 {
        self.p.iter().map(|(p, w)| w * p[i] * p[j]).sum()
    }

    fn squares(&self) -> DVec3 {
        DVec3::new(self.square(0, 0), self.square(1, 1), self.square(2, 2))
    }

    fn products(&self) -> DVec3 {
        DVec3::new(self.square(0, 1), self.square(1, 2), self.square(2, 0))
    }

    /// The directions that the members span, and their variances along each.
    fn axes(&self) -> Vec<(f64, DVec3)> {
        let covariance = std::array::from_fn(|i| std::array::from_fn(|j| self.square(i, j)));
        let axes = symmetric_eigen::<3>(covariance);
        let most = axes.iter().map(|(value, _)| *value).fold(0.0, extreme::greatest);
        let solid = |value: f64| value > FLAT * most && most > 0.0;
        let spanned = axes.into_iter().filter(|(value, _)| solid(*value));
        spanned.map(|(value, axis)| (value, axis.into())).collect()
    }
}

/// A power of the covariance with these axes; none of what they do not span.
fn power(axes: &[(f64, DVec3)], power: f64) -> DMat3 {
    let term = |(value, axis): &(f64, DVec3)| {
        DMat3::from_cols(*axis * axis.x, *axis * axis.y, *axis * axis.z) * value.powf(power)
    };
    axes.iter().map(term).fold(DMat3::ZERO, |a, b| a + b)
}

fn diagonal(m: &DMat3) -> Vec3 {
    DVec3::new(m.x_axis.x, m.y_axis.y, m.z_axis.z).as_vec3()
}

/// The entries yz, zx and xy.
fn off(m: &DMat3) -> Vec3 {
    DVec3::new(m.y_axis.z, m.z_axis.x, m.x_axis.y).as_vec3()
}

/// What is missing in one vector, rounded, of another.
fn low(all: DVec3, high: DVec3) -> Vec3 {
    (all - high.as_vec3().as_dvec3()).as_vec3()
}

/// Rest positions and weights of all particles; 0 where a particle is in no cluster.
fn rests(model: &Model) -> Vec<Vec4> {
    let mut rests = vec![Vec4::ZERO; model.positions.len()];
    let mut count = vec![0.0; rests.len()];
    for i in model.clusters.iter().flat_map(|cluster| &cluster.members) {
        count[*i as usize] += 1.0;
    }
    for body in &model.bodies {
        let n = body.particles.len() as f64;
        let all = body.particles.clone();
        let middle = model.rest_positions[all.clone()].iter().sum::<DVec3>() / n;
        let mass = model.masses[all.clone()].iter().sum::<f64>() / n;
        for i in all.filter(|i| count[*i] > 0.0) {
            let weight = model.masses[i] / (mass * count[i]);
            rests[i] = (model.rest_positions[i] - middle).extend(weight).as_vec4();
        }
    }
    rests
}

/// Per particle the first of its clusters and how many, then the clusters; `order`: of the clusters on the device.
fn memberships(model: &Model, order: &[usize]) -> Vec<u32> {
    let clusters = order.iter().enumerate().map(|(k, c)| (k as u32, &model.clusters[*c]));
    let pairs: Vec<_> =
        clusters.flat_map(|(k, cluster)| cluster.members.iter().map(move |i| (*i, k))).collect();
    let entries = Incidence::new(model.positions.len(), &pairs);
    let start = 2 * model.positions.len() as u32;
    let heads = entries.first.iter().zip(&entries.count);
    let mut words: Vec<u32> = heads.flat_map(|(first, count)| [start + first, *count]).collect();
    words.extend(entries.entries);
    words
}

/// The columns of the pseudo-inverse of the covariance of (s, s² − mean, s s' − mean), s whitened; none where the points
/// do not determine a quadratic map of the directions that they span.
fn inverse_covariance(p: &[(DVec3, f64)], whiten: &DMat3, spanned: usize) -> Option<[[f64; 9]; 9]> {
    let needed = spanned * (spanned + 3) / 2;
    // n points vary in n − 1 ways at the most.
    if spanned == 0 || p.len() <= needed {
        return None;
    }
    let mut mean = [0.0; 9];
    let mut rows: Vec<([f64; 9], f64)> = Vec::with_capacity(p.len());
    for (p, w) in p {
        let s = *whiten * *p;
        let [xx, yy, zz] = (s * s).to_array();
        let row = [s.x, s.y, s.z, xx, yy, zz, s.x * s.y, s.y * s.z, s.z * s.x];
        (0..9).for_each(|k| mean[k] += w * row[k]);
        rows.push((row, *w));
    }
    for (row, _) in &mut rows {
        (0..9).for_each(|k| row[k] -= mean[k]);
    }
    let square = |i: usize, j: usize| rows.iter().map(|(row, w)| w * row[i] * row[j]).sum::<f64>();
    let covariance = std::array::from_fn(|i| std::array::from_fn(|j| square(i, j)));
    let eigen = symmetric_eigen::<9>(covariance);
    let known: Vec<_> = eigen.iter().filter(|(value, _)| *value > SPREAD).collect();
    if known.len() < needed {
        return None;
    }
    let entry = |i: usize, j: usize| known.iter().map(|(value, v)| v[i] * v[j] / value).sum();
    Some(std::array::from_fn(|j| std::array::from_fn(|i| entry(i, j))))
}

/// Of a cluster of so many members. A thread of `shape_sum` takes as many of a chunk as one of `shape_solve` takes chunks, and
/// none too few.
fn chunk_count(members: usize) -> usize {
    members.div_ceil(members.isqrt().max(CHUNK as usize))
}

/// Whether workgroups sum a cluster up.
fn is_long(cluster: &Cluster) -> bool {
    cluster.members.len() > SLICE as usize
}

const _: () = assert!(SLICE <= CHUNK, "clusters that are not long are one chunk");
