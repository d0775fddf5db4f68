//! The description that is checked in is the one that the routes make.

use takujo::{openapi, startup};

#[test]
fn the_checked_in_description_is_fresh() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../openapi/openapi.json");
    let checked_in = std::fs::read_to_string(path).unwrap_or_default();
    assert!(
        checked_in == openapi::to_text(&startup::description()),
        "openapi/openapi.json is stale: write it again with `make openapi`"
    );
}
