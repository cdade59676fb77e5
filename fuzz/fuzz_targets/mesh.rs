//! Mesh files from anywhere: no input may panic, hang, or allocate without bound. The first byte chooses the format,
//! the rest is the file; what is read must also be fit to be embedded, measured and written.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pliant::mesh::{Format, Mesh, embed, read_bytes, write_bytes};
use std::path::Path;

fuzz_target!(|data: &[u8]| {
    let Some((&first, bytes)) = data.split_first() else {
        return;
    };
    let format = Format::ALL[first as usize % Format::ALL.len()];
    let name = Path::new("fuzz/none.mesh");
    match read_bytes(format, bytes, name) {
        Ok(mesh) => {
            if let Mesh::Surface(surface) = &mesh {
                if let Ok((lattice, embedding)) = embed(surface, 4) {
                    assert!(!lattice.tets.is_empty());
                    assert_eq!(embedding.weights.len(), embedding.skin.points.len());
                    assert!(
                        embedding
                            .weights
                            .as_flattened()
                            .iter()
                            .all(|w| w.is_finite() && *w > -1e-4)
                    );
                }
            }
            if let Mesh::Points(cloud) = &mesh {
                assert!(cloud.spacing().is_none_or(|spacing| spacing >= 0.0));
            }
            if let Mesh::Tets(tets) = &mesh {
                let fields = tets.cell_data.values();
                assert!(fields.clone().all(|field| field.len() == tets.tets.len()));
                assert!(fields.flatten().all(|x| x.is_finite()));
            }
            write_bytes(Format::Obj, &mesh, name).expect("any mesh has points");
            // VTU keeps every number.
            let vtu = write_bytes(Format::Vtu, &mesh, name).expect("VTU holds any mesh");
            if !matches!(mesh, Mesh::Surface(_)) {
                let back = read_bytes(Format::Vtu, &vtu, name).expect("what was written");
                let points = |mesh| write_bytes(Format::Xyz, mesh, name).expect("points");
                assert_eq!(points(&back), points(&mesh));
            }
        }
        Err(error) => assert!(error.to_string().starts_with("fuzz/none.mesh: "), "{error}"),
    }
});
