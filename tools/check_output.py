#!/usr/bin/env python3
"""Reads the frames that `pliant run --format vtu,obj,ply,usda,usdc --out DIR` wrote with the readers that users have.

    pip install meshio trimesh usd-core
    tools/check_output.py DIR

Every file must load, hold finite numbers and agree with the others of its frame. Formats that were not written are
passed over. Exits with 1 at the first disagreement.
"""
import sys
import xml.etree.ElementTree as xml
from pathlib import Path

import meshio
import numpy as np
import trimesh


def same(what, a, b):
    if a.shape != b.shape or not np.array_equal(a, b):
        sys.exit(f"{what}: {a.shape} and {b.shape} numbers differ")


def near(what, a, b):
    """What is placed by a transform is rounded once more."""
    if a.shape != b.shape or np.abs(a - b).max(initial=0.0) > 1e-5 * np.abs(a).max(initial=1.0):
        sys.exit(f"{what}: {a.shape} and {b.shape} numbers differ")


def finite(path, arrays):
    for name, array in arrays.items():
        if not np.isfinite(array).all():
            sys.exit(f"{path}: {name} is not finite")


def check_vtu(path):
    mesh = meshio.read(path)
    cells = {name: np.concatenate(parts) for name, parts in mesh.cell_data.items()}
    finite(path, {"Points": mesh.points, **mesh.point_data, **cells, **mesh.field_data})
    contact, penetration = mesh.point_data["contact"], mesh.point_data["penetration"]
    if contact.max(initial=0) > 2 or penetration[contact != 1].any():
        sys.exit(f"{path}: points that touch nothing penetrate")
    return mesh.field_data["TimeValue"][0]


def check_collection(folder, times):
    listed = {e.get("file"): float(e.get("timestep")) for e in xml.parse(folder / "scene.pvd").iter("DataSet")}
    if listed != times:
        sys.exit(f"{folder / 'scene.pvd'}: lists other frames or times than the files have")


def drawn(path):
    """Positions and faces of an OBJ or PLY file."""
    mesh = trimesh.load(path, process=False, maintain_order=True, force=None if has_no_faces(path) else "mesh")
    finite(path, {"positions": mesh.vertices})
    return mesh.vertices.astype(np.float32), getattr(mesh, "faces", [])


def has_no_faces(path):
    """Whether all bodies are clouds of points."""
    return b"element face 0\n" in path.read_bytes()[:1000] if path.suffix == ".ply" else "\nf " not in path.read_text()


def obj_positions(path):
    """A loader splits vertices on texture seams, so the lines are read here."""
    lines = [line.split()[1:] for line in path.read_text().splitlines() if line.startswith("v ")]
    return np.array(lines, dtype=np.float32).reshape(-1, 3)


def usd_samples(path):
    """Positions of all bodies and solids by frame."""
    from pxr import Usd, UsdGeom, UsdValidation

    stage = Usd.Stage.Open(str(path))
    validators = UsdValidation.ValidationRegistry().GetOrLoadAllValidators()
    for error in UsdValidation.ValidationContext(validators).Validate(stage):
        sys.exit(f"{path}: {error.GetMessage()}")
    if not all(stage.GetPrimAtPath(f"/World/{name}") for name in ("Camera", "Sun", "Sky")):
        sys.exit(f"{path}: has no camera or no lights")
    bodies = [UsdGeom.PointBased(prim) for prim in stage.Traverse() if prim.IsA(UsdGeom.PointBased)]
    codes = range(int(stage.GetStartTimeCode()), int(stage.GetEndTimeCode()) + 1)
    for body in bodies:
        if body.GetOrderedXformOps():
            for op in body.GetOrderedXformOps():
                # What stays where it is has none.
                if op.GetTimeSamples() not in (list(codes), []):
                    sys.exit(f"{path}: {op.GetOpName()} of {body.GetPath()} lacks frames")
            continue
        normals = [body.GetNormalsAttr()] if body.GetPrim().IsA(UsdGeom.Mesh) else []
        for attribute in body.GetPointsAttr(), body.GetExtentAttr(), *normals:
            if attribute.GetTimeSamples() != list(codes):
                sys.exit(f"{path}: {attribute.GetPath()} lacks frames")

    def positions(body, k):
        points = np.array(body.GetPointsAttr().Get(k)).reshape(-1, 3)
        if not body.GetOrderedXformOps():
            return points
        # Row vectors.
        placed = np.array(body.ComputeLocalToWorldTransform(k))
        return np.float32(np.append(points, np.ones((len(points), 1)), 1) @ placed)[:, :3]

    return {k: np.concatenate([positions(b, k) for b in bodies]) for k in codes}


def main(folder):
    vtus, objs, plys = (sorted(folder.glob(f"frame_*.{kind}")) for kind in ("vtu", "obj", "ply"))
    times = {path.name: check_vtu(path) for path in vtus}
    if vtus:
        check_collection(folder, times)
    stages = [path for path in (folder / "scene.usda", folder / "scene.usdc") if path.exists()]
    samples = {stage: usd_samples(stage) for stage in stages}
    for path in objs:
        positions, faces = obj_positions(path), drawn(path)[1]
        ply = path.with_suffix(".ply")
        if ply in plys:
            same(f"{path} and {ply}: positions", positions, drawn(ply)[0])
            same(f"{path} and {ply}: face counts", np.array(len(faces)), np.array(len(drawn(ply)[1])))
    for path in plys:
        k = int(path.stem.removeprefix("frame_"))
        for stage, frames in samples.items():
            if k in frames:
                near(f"{path} and {stage}: positions", drawn(path)[0], frames[k])
    count = sum(len(frames) for frames in samples.values())
    print(f"{len(vtus)} vtu, {len(objs)} obj, {len(plys)} ply and {count} usd frames are good")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(Path(sys.argv[1]))
