use pliant::*; use pliant::scene::*; use std::time::Instant;
fn main(){
  let mut scene=Scene::default(); scene.world.floor=Some(0.0);
  let mut b=Body::lattice("cube",[5,5,5],[1.0;3]); b.position=[0.0,1.0,0.0]; b.rotation=[0.3,0.2,0.5];
  b.mass=Mass::PerPoint(0.05); b.material=Springs::Constants{distance:60.0,volume:20.0,damping:2.0};
  if let Ok(m)=std::env::var("MODE") { b.damping_mode=Some(match m.as_str(){"e"=>DampingMode::Explicit,"c"=>DampingMode::Capped,_=>DampingMode::Exact}); }
  if let Ok(m)=std::env::var("INT") { scene.world.integrator=*Integrator::ALL.iter().find(|i|i.name()==m).unwrap(); }
  scene.bodies.push(b);
  let cx=Context::new().unwrap();
  let t=Instant::now();
  let mut w=match World::new(&cx,&scene){Ok(w)=>w,Err(e)=>{println!("{e}");return}};
  println!("setup {:?} stepping {:?} warnings {:?}", t.elapsed(), w.stepping(), w.warnings());
  let t=Instant::now();
  for f in 0..=360 { if f%60==0 {let s=w.read().unwrap(); let ymin=s.positions.iter().map(|p|p.y).fold(9.9,f32::min); let ymax=s.positions.iter().map(|p|p.y).fold(-9.9,f32::max); let rms=(s.velocities.iter().map(|v|v.length_squared()).sum::<f32>()/s.velocities.len() as f32).sqrt();
    println!("t {:.3} ymin {ymin:.5} ymax {ymax:.5} rms v {rms:.3e} wall {:?} w {:?}", s.time, t.elapsed(), w.report().unwrap().stiffness);} w.step_frame().unwrap(); }
  println!("{:?} {:x}", w.passes(), w.state_hash().unwrap());
}
