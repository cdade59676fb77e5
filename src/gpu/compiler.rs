//! Kernels that a device has compiled. Their pipelines are compiled beside each other: a driver takes milliseconds for each,
//! and a world has dozens.

use std::collections::HashMap;
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError, Weak};
use std::thread::{self, JoinHandle};

use super::{Content, Kernel};

/// A kernel's name, what worlds hold that it is for, and whether it makes every check.
pub(super) type Key = (String, Content, bool);

type Compiled = LazyLock<wgpu::ComputePipeline, Box<dyn FnOnce() -> wgpu::ComputePipeline + Send>>;

/// A pipeline, compiled by whoever comes first: a thread of the compiler's, or a recorder that needs it. Clones share it.
#[derive(Clone, Debug)]
pub(crate) struct Pipeline(Arc<Compiled>);

impl Pipeline {
    /// The pipeline, once it is compiled.
    ///
    /// # Panics
    /// When it does not compile.
    pub fn get(&self) -> &wgpu::ComputePipeline {
        &self.0
    }
}

/// The kernels of a device: worlds of one context share them, and a changed world costs no compiling.
#[derive(Debug)]
pub(super) struct Compiler {
    kernels: Mutex<HashMap<Key, Kernel>>,
    /// Pipelines to compile, in the order in which worlds will need them; those that nobody waits for any more are left out.
    queue: Option<Sender<Weak<Compiled>>>,
    threads: Vec<JoinHandle<()>>,
}

impl Compiler {
    /// One with a thread on each core but the caller's.
    pub fn new() -> Self {
        let (queue, receiver) = mpsc::channel::<Weak<Compiled>>();
        let receiver = Arc::new(Mutex::new(receiver));
        let work = |_| {
            let receiver = receiver.clone();
            let next = move || unpoisoned(&receiver).recv().ok();
            let compile = |pipeline: Weak<Compiled>| {
                if let Some(pipeline) = pipeline.upgrade() {
                    LazyLock::force(&pipeline);
                }
            };
            let thread = thread::Builder::new().name("pliant compiler".into());
            // Without a thread, recorders compile.
            thread.spawn(move || std::iter::from_fn(next).for_each(compile)).ok()
        };
        let cores = thread::available_parallelism().map_or(1, usize::from);
        let threads = (1..cores).filter_map(work).collect();
        Self { kernels: Mutex::default(), queue: Some(queue), threads }
    }

    /// The kernel of this key, made where there is none yet.
    pub fn kernel(&self, key: Key, make: impl FnOnce() -> Kernel) -> Kernel {
        let known = unpoisoned(&self.kernels).get(&key).cloned();
        known.unwrap_or_else(|| {
            let kernel = make();
            unpoisoned(&self.kernels).insert(key, kernel.clone());
            kernel
        })
    }

    /// Compiles what is left, beside the threads.
    pub fn finish(&self) {
        let kernels: Vec<_> = unpoisoned(&self.kernels).values().cloned().collect();
        kernels.iter().filter_map(Kernel::pipeline).for_each(|pipeline| _ = pipeline.get());
    }

    /// What `make` compiles, behind what was asked for before.
    pub fn pipeline(
        &self,
        make: impl FnOnce() -> wgpu::ComputePipeline + Send + 'static,
    ) -> Pipeline {
        let pipeline = Arc::new(LazyLock::new(Box::new(make) as _));
        if let Some(queue) = &self.queue {
            // Without threads nobody listens.
            let _ = queue.send(Arc::downgrade(&pipeline));
        }
        Pipeline(pipeline)
    }
}

impl Drop for Compiler {
    /// Leaves what nobody needs any more, and ends the threads.
    fn drop(&mut self) {
        unpoisoned(&self.kernels).clear();
        self.queue = None;
        for thread in self.threads.drain(..) {
            // Its panic was that of a pipeline, and whoever needed that has had it.
            let _ = thread.join();
        }
    }
}

/// A thread that panicked left nothing half done.
fn unpoisoned<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::{Arc, LazyLock};

    use crate::World;
    use crate::gpu::Context;
    use crate::scene::{Body, Scene};

    /// Threads inside a driver at the end of a program are not left by a world.
    #[test]
    fn a_world_that_is_there_has_nothing_left_to_compile() {
        let context = Context::of_device();
        let mut scene = Scene::default();
        for (name, height) in [("low", 0.1), ("high", 0.5)] {
            let body = Body::lattice(name, [1; 3], [0.2; 3]);
            scene.bodies.push(Body { position: [0.0, height, 0.0], ..body });
        }
        let _world = World::new(&context, &scene).unwrap();
        let kernels = super::unpoisoned(&context.executor.device().compiler.kernels);
        let left = kernels.values().filter(|kernel| {
            kernel.pipeline().is_some_and(|pipeline| LazyLock::get(&pipeline.0).is_none())
        });
        assert_eq!((left.count(), kernels.len() > 30), (0, true), "{} kernels", kernels.len());
    }

    /// Pipelines that nobody compiles in time are compiled by whoever needs them, once; what fails, fails there.
    #[test]
    fn each_pipeline_is_compiled_once_and_fails_where_it_is_needed() {
        let context = Context::of_device();
        let text = "@compute @workgroup_size(1) fn main() {}";
        let count = Arc::new(AtomicUsize::new(0));
        let make = |entry: &'static str| {
            let (device, count) = (context.executor.device().device.clone(), count.clone());
            context.executor.device().compiler.pipeline(move || {
                count.fetch_add(1, Ordering::Relaxed);
                let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
                    label: None,
                    source: wgpu::ShaderSource::Wgsl(text.into()),
                });
                device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
                    label: None,
                    layout: None,
                    module: &module,
                    entry_point: Some(entry),
                    compilation_options: wgpu::PipelineCompilationOptions::default(),
                    cache: None,
                })
            })
        };
        let good: Vec<_> = (0..20).map(|_| make("main")).collect();
        good.iter().rev().for_each(|pipeline| _ = pipeline.get());
        assert_eq!(count.load(Ordering::Relaxed), 20);
        let bad = make("none");
        assert!(catch_unwind(AssertUnwindSafe(|| _ = bad.get())).is_err());
        // What comes behind it is compiled all the same.
        _ = make("main").get();
        assert_eq!(count.load(Ordering::Relaxed), 22);
    }
}
