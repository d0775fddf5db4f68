//! What keeps a cluster from starting is said, with what to do about it; and what needs not keep it from starting
//! does not.

use std::fs::{self, DirBuilder, Permissions};
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, PermissionsExt as _};

use crate::probe::{ask, place, refusal, start};
use embedded_postgres::{PROGRAMS_SETTING, Settings, default_data_folder, install_line};
use nix::unistd::geteuid;

#[test]
fn without_programs_the_line_that_installs_them_is_printed() {
    let place = place();
    let settings = Settings { programs: Some(place.path().join("nowhere")), ..Settings::default() };
    let said = refusal(&place.path().join("data"), &settings);
    for part in [install_line().as_str(), PROGRAMS_SETTING, "DATABASE_URL", "nowhere"] {
        assert!(said.contains(part), "{part} in: {said}");
    }
    assert!(install_line().contains("postgresql"));
}

#[test]
fn data_of_another_release_is_refused_and_left_alone() {
    let place = place();
    let made_by = start(place.path()).release().to_string();
    let record = place.path().join("release");
    assert_eq!(fs::read_to_string(&record).unwrap().trim_end(), made_by);
    for other in ["PostgreSQL 99", "SomeFork 15"] {
        fs::write(&record, format!("{other}\n")).unwrap();
        let said = refusal(place.path(), &Settings::default());
        assert!(said.contains(&format!("made by {other}, but only {made_by}")), "{said}");
    }
    fs::write(&record, made_by).unwrap();
    start(place.path());
}

#[test]
fn a_cluster_without_a_record_is_refused() {
    let place = place();
    start(place.path()).stop();
    fs::remove_file(place.path().join("release")).unwrap();
    let said = refusal(place.path(), &Settings::default());
    assert!(said.contains("does not tell which PostgreSQL made the cluster"), "{said}");
}

#[test]
fn a_long_path_gets_its_socket_in_a_short_folder() {
    let place = place();
    let long = place.path().join("長い".repeat(10)).join("フォルダー, \"quoted\"".repeat(3));
    let cluster = start(&long);
    let socket = cluster.socket_folder().to_owned();
    assert!(!socket.starts_with(&long), "{}", socket.display());
    assert_eq!(fs::metadata(&socket).unwrap().mode() & 0o777, 0o700);
    assert_eq!(ask(&cluster.database_url(), "SELECT 'reached'").unwrap(), "reached");
    cluster.stop();
    let again = start(&long);
    assert_eq!(again.socket_folder(), socket, "the same folder is found again");
    again.stop();
    fs::remove_dir_all(socket).unwrap();
}

#[test]
fn a_path_with_spaces_commas_and_quotes_works() {
    let place = place();
    let cluster = start(&place.path().join("a, \"b\" 'c' %20&卓"));
    assert!(cluster.socket_folder().starts_with(place.path()));
    assert_eq!(ask(&cluster.database_url(), "SELECT 'reached'").unwrap(), "reached");
}

#[test]
fn a_failed_start_quotes_the_log() {
    let place = place();
    let nonsense = vec![("no_such_parameter".to_owned(), "1".to_owned())];
    let said = refusal(place.path(), &Settings { parameters: nonsense, ..Settings::default() });
    assert!(said.contains("postgresql.log"), "{said}");
    assert!(said.contains("unrecognized configuration parameter \"no_such_parameter\""), "{said}");
    start(place.path());
}

#[test]
fn a_folder_that_roots_postgresql_cannot_reach_is_named() {
    if !geteuid().is_root() {
        return;
    }
    let place = place();
    let closed = place.path().join("closed");
    DirBuilder::new().mode(0o700).create(&closed).unwrap();
    let said = refusal(&closed.join("data"), &Settings::default());
    assert!(said.contains(&format!("may not enter {}, so that", closed.display())), "{said}");
    assert!(said.contains(&default_data_folder().display().to_string()), "{said}");
    fs::set_permissions(&closed, Permissions::from_mode(0o711)).unwrap();
    start(&closed.join("data"));
}

#[test]
fn an_ordinary_user_is_told_whose_the_cluster_is() {
    if geteuid().is_root() {
        return;
    }
    let place = place();
    let said = refusal_of_a_link_to_roots_folder(place.path());
    assert!(said.contains("belongs to user root"), "{said}");
}

/// A folder of root's in the place of the cluster: any that everybody may see will do.
fn refusal_of_a_link_to_roots_folder(place: &std::path::Path) -> String {
    std::os::unix::fs::symlink("/", place.join("cluster")).unwrap();
    fs::write(place.join("release"), "PostgreSQL 15\n").unwrap();
    refusal(place, &Settings::default())
}

#[test]
fn the_default_folder_is_absolute_and_never_in_roots_home() {
    let folder = default_data_folder();
    assert!(folder.is_absolute());
    if geteuid().is_root() {
        assert_eq!(folder, std::path::Path::new("/var/lib/takujo"));
    }
}
