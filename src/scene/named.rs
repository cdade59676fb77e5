//! Enums whose variants scene files name.

/// Declares an enum with the name that scene files have for each of its variants.
macro_rules! named {
    ($(#[$about:meta])* pub enum $kind:ident { $($(#[$of:meta])* $variant:ident = $name:literal,)* }) => {
        $(#[$about])*
        pub enum $kind {
            $($(#[$of])* $variant,)*
        }

        impl $kind {
            /// Every one, in the order of the format's documentation.
            pub const ALL: [Self; [$($name),*].len()] = [$(Self::$variant),*];

            /// The name used in scene files.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }
        }

        impl<'a> $crate::scene::fields::Value<'a> for $kind {
            fn read(fields: &$crate::scene::fields::Fields<'a>, key: &str) -> $crate::Result<Option<Self>> {
                fields.choice(key, &[$(($name, Self::$variant)),*], &[])
            }
        }
    };
}
pub(in crate::scene) use named;
