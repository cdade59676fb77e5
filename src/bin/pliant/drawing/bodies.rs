//! The bodies of a world as a painter takes them.

use pliant::inspect::{FieldBuffers, Inspector};
use pliant::internals::Inside as _;
use pliant::render::{ColorScale, Drawn, DrawnSegments, Values, Wires};
use pliant::{Result, World};

use super::style::{Coloring, Style};

/// Of bodies that have no field to be coloured by.
const NO_FIELD: [u8; 3] = [0x90, 0x90, 0x90];

/// A world, and what is known of it beside its bodies' surfaces.
#[derive(Clone, Copy)]
pub struct Subject<'a> {
    pub world: &'a World,
    pub inspector: &'a Inspector,
    pub wires: &'a Wires,
    pub style: Style,
    pub scale: ColorScale,
}

impl<'a> Subject<'a> {
    /// Has the device compute what [`Self::bodies`] shows of a state; surfaces are for [`World::update_skin`].
    ///
    /// # Errors
    /// A lost device.
    pub fn inspect(world: &World, inspector: &mut Inspector, style: &Style) -> Result<()> {
        if style.wireframe {
            inspector.colliders(world)?;
        }
        if let Some(field) = style.coloring.field() {
            inspector.field(world, field)?;
        }
        Ok(())
    }

    /// The bodies that are `visible`; `active` is the one that stands out.
    pub fn bodies(self, visible: impl Fn(usize) -> bool, active: Option<usize>) -> Vec<Drawn<'a>> {
        let all = self.world.drawn().into_iter().enumerate();
        let shown =
            all.filter(|(body, _)| visible(*body) && !self.world.model().bodies[*body].absent);
        shown.map(|(body, drawn)| self.body(body, drawn, active == Some(body))).collect()
    }

    fn body(self, body: usize, drawn: Drawn<'a>, active: bool) -> Drawn<'a> {
        let style = self.style;
        // What is held is part of the surroundings, as solids are.
        let plain = style.coloring == Coloring::Body || self.world.model().is_held(body);
        let field = self.colored(body).filter(|_| !plain);
        let bare = !plain && field.is_none();
        let values = |values| Values { values, scale: self.scale };
        match drawn {
            Drawn::Surface(surface) if let Some(outline) = self.outline(body) => {
                let color = if plain { surface.color } else { NO_FIELD };
                Drawn::Segments(DrawnSegments { color, ..outline })
            }
            Drawn::Surface(surface) if style.wireframe && !self.wires.ranges[body].is_empty() => {
                let mut wires = self.wires.drawn(body, self.world.particles(), surface.color);
                wires.values = field.map(|field| values(field.particle_values));
                Drawn::Wires(wires)
            }
            Drawn::Surface(mut surface) => {
                surface.style = style.surface;
                surface.values = field.map(|field| values(field.skin_values));
                // Of colours that mean something none is changed.
                surface.active = active && plain;
                if bare {
                    surface.color = NO_FIELD;
                }
                Drawn::Surface(surface)
            }
            Drawn::Points(mut points) => {
                points.values = field.map(|field| values(field.particle_values));
                if bare {
                    points.color = NO_FIELD;
                }
                Drawn::Points(points)
            }
            other @ (Drawn::Wires(_) | Drawn::Segments(_)) => other,
        }
    }

    /// The field that a body is coloured by, if it has it.
    fn colored(self, body: usize) -> Option<FieldBuffers<'a>> {
        let field = self.style.coloring.field()?;
        let available = !self.inspector.unavailable(self.world, field, body);
        let (_, buffers) = self.inspector.present_field()?;
        available.then_some(buffers)
    }

    /// Where wires are asked for, the outlines of a body's colliders, if it touches by any.
    fn outline(self, body: usize) -> Option<DrawnSegments<'a>> {
        let colliders = self.inspector.present_colliders().filter(|_| self.style.wireframe)?;
        let range = colliders.ranges[body].clone();
        (range.start < range.end).then_some(DrawnSegments {
            segments: colliders.segments,
            range,
            color: NO_FIELD,
            width: 1.5,
            arrow: false,
        })
    }
}
