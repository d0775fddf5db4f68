//! A read replica: PostgreSQL's own streaming carries everything there, and reading there costs the
//! server nothing.

use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::json;
use sqlx::error::DatabaseError;
use sqlx::{Connection, PgConnection, Row};

use crate::fleet::Fleet;
use crate::play::humans;

/// A PostgreSQL that follows another.
struct Replica {
    child: Child,
    folder: PathBuf,
}

impl Replica {
    /// Copies a fleet's cluster and follows it, as the user who owns it.
    fn start(fleet: &Fleet) -> Self {
        let cluster = fleet.cluster.as_ref().unwrap();
        let owner = std::fs::metadata(fleet.folder.path().join("cluster/cluster")).unwrap();
        // Beside the data folder, where that user gets through.
        let folder = tempfile::Builder::new().prefix("takujo-replica-").tempdir().unwrap().keep();
        std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(0o700)).unwrap();
        chown(&folder, Some(owner.uid()), Some(owner.gid())).unwrap();
        let run = |program: &str| {
            let mut command = Command::new(programs().join(program));
            command.uid(owner.uid()).gid(owner.gid()).current_dir(&folder).stdout(Stdio::null()).stderr(Stdio::null());
            command
        };
        let copied = run("pg_basebackup")
            .args(["--wal-method=stream", "--write-recovery-conf", "--checkpoint=fast", "--no-password", "-U"])
            .arg(cluster.connection().user())
            .arg("-h")
            .arg(cluster.socket_folder())
            .arg("-D")
            .arg(folder.join("data"))
            .status()
            .unwrap();
        assert!(copied.success(), "{copied}");
        let child = run("postgres")
            .arg("-D")
            .arg(folder.join("data"))
            .args(["-c", "listen_addresses=", "-c", "hot_standby=on", "-c"])
            .arg(format!("unix_socket_directories={}", folder.display()))
            .spawn()
            .unwrap();
        Self { child, folder }
    }

    async fn connect(&self) -> PgConnection {
        let url = format!("postgres:///takujo?host={}&user=takujo&sslmode=disable", self.folder.display());
        for _ in 0..300 {
            if let Ok(connection) = PgConnection::connect(&url).await {
                return connection;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        panic!("the replica takes no connections");
    }
}

impl Drop for Replica {
    fn drop(&mut self) {
        let _ended = self.child.kill();
        let _status = self.child.wait();
        let _gone = std::fs::remove_dir_all(&self.folder);
    }
}

/// Where PostgreSQL's own programs are.
fn programs() -> PathBuf {
    let mut releases: Vec<_> = std::fs::read_dir("/usr/lib/postgresql")
        .map(|entries| entries.filter_map(|entry| Some(entry.ok()?.path().join("bin"))).collect())
        .unwrap_or_default();
    releases.sort();
    let found = releases.pop().filter(|folder| folder.join("pg_basebackup").exists());
    found.unwrap_or_else(|| Path::new("/usr/bin").to_owned())
}

#[actix_web::test]
async fn a_replica_has_everything_and_takes_no_writes() {
    let fleet = Fleet::start(1, &[]).await;
    let server = &fleet.programs[0].server;
    let before = server.create(&humans("twenty_one", 2)).await;
    before.act(0, json!({"type": "resign"})).await.expect(200);
    let replica = Replica::start(&fleet);
    let mut there = replica.connect().await;
    let after = server.create(&humans("hachiku", 2)).await;
    after.act(1, json!({"type": "resign"})).await.expect(200);

    let finished = "SELECT count(*) FROM matches WHERE status = 'finished'";
    let mut arrived = 0_i64;
    for _ in 0..100 {
        arrived = sqlx::query(finished).fetch_one(&mut there).await.unwrap().get(0);
        if arrived == 2 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    assert_eq!(arrived, 2);
    let mut copies = Vec::new();
    for sql in [&mut fleet.sql().await, &mut there] {
        copies.push(sqlx::query("SELECT count(*) FROM steps").fetch_one(sql).await.unwrap().get::<i64, _>(0));
    }
    assert_eq!(copies[0], copies[1]);
    let refused = sqlx::query("DELETE FROM matches").execute(&mut there).await.unwrap_err();
    assert_eq!(refused.as_database_error().and_then(DatabaseError::code).as_deref(), Some("25006"));
}
