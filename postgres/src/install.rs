//! The one line that installs PostgreSQL.

use std::fs;

/// A system: the ids it has in `os-release`, its name, and its command (for root).
struct System {
    ids: &'static [&'static str],
    name: &'static str,
    command: &'static str,
    needs_root: bool,
}

const SYSTEMS: [System; 5] = [
    System {
        ids: &["debian", "ubuntu"],
        name: "Debian, Ubuntu",
        command: "apt-get install -y postgresql",
        needs_root: true,
    },
    System {
        ids: &["fedora", "rhel", "centos"],
        name: "Fedora, RHEL",
        command: "dnf install -y postgresql-server",
        needs_root: true,
    },
    System { ids: &["arch"], name: "Arch", command: "pacman -S --noconfirm postgresql", needs_root: true },
    System { ids: &["alpine"], name: "Alpine", command: "apk add postgresql", needs_root: true },
    System { ids: &["macos"], name: "macOS", command: "brew install postgresql", needs_root: false },
];

/// The command that installs PostgreSQL on this system. Where the system is not known: one line for each that is.
pub fn install_line() -> String {
    let ids = if cfg!(target_os = "macos") {
        vec!["macos".to_owned()]
    } else {
        system_ids(&fs::read_to_string("/etc/os-release").unwrap_or_default())
    };
    line_for(&ids, nix::unistd::geteuid().is_root())
}

/// The system's id and those of the systems it is like, nearest first.
fn system_ids(os_release: &str) -> Vec<String> {
    ["ID=", "ID_LIKE="]
        .iter()
        .filter_map(|key| os_release.lines().find_map(|line| line.strip_prefix(key)))
        .flat_map(|value| value.trim_matches(['"', '\'']).split_whitespace())
        .map(str::to_owned)
        .collect()
}

fn line_for(ids: &[String], root: bool) -> String {
    let command = |system: &System| {
        let sudo = if system.needs_root && !root { "sudo " } else { "" };
        format!("{sudo}{}", system.command)
    };
    let known = ids.iter().find_map(|id| SYSTEMS.iter().find(|system| system.ids.contains(&id.as_str())));
    match known {
        Some(system) => format!("    {}", command(system)),
        None => SYSTEMS
            .iter()
            .map(|system| format!("    {:<16}{}", format!("{}:", system.name), command(system)))
            .collect::<Vec<_>>()
            .join("\n"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_derived_system_gets_the_line_of_the_one_it_is_like() {
        let mint = system_ids("NAME=\"Linux Mint\"\nID=linuxmint\nID_LIKE=\"ubuntu debian\"\n");
        assert_eq!(line_for(&mint, false), "    sudo apt-get install -y postgresql");
        assert_eq!(line_for(&system_ids("ID=alpine"), true), "    apk add postgresql");
        assert_eq!(line_for(&["macos".to_owned()], false), "    brew install postgresql");
    }

    #[test]
    fn an_unknown_system_gets_a_line_for_each_known_one() {
        let lines = line_for(&system_ids("ID=plan9"), false);
        for command in ["apt-get", "dnf", "pacman", "apk", "brew"] {
            assert!(lines.contains(command), "{command} in {lines}");
        }
    }
}
