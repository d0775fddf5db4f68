#!/usr/bin/env bash
# Installs what the machine lacks: a C compiler (for two dependencies), PostgreSQL's programs, Python;
# with `tests` also the proxy that the tests put in front of several servers, and curl.
set -euo pipefail

have_postgres() {
    [ -n "${DATABASE_URL:-}" ] || [ -n "${TAKUJO_PG_BIN:-}" ] || command -v initdb >/dev/null ||
        compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null ||
        { command -v pg_config >/dev/null && [ -x "$(pg_config --bindir)/initdb" ]; }
}

missing=()
command -v cc >/dev/null || missing+=(compiler)
have_postgres || missing+=(postgres)
# Debian has Python without what makes virtual environments.
python3 -c 'import ensurepip' 2>/dev/null || missing+=(python)
if [ "${1:-}" = tests ]; then
    command -v haproxy >/dev/null || missing+=(proxy)
    command -v curl >/dev/null || missing+=(curl)
fi
if ! command -v cargo >/dev/null; then
    echo "Rust is missing: install it from your system's packages or with rustup, then try again." >&2
    exit 1
fi
[ ${#missing[@]} -eq 0 ] && exit 0

# The names of the packages differ; what is not listed here has to be installed by hand.
declare -A apt=([compiler]=build-essential [postgres]=postgresql [python]='python3 python3-venv' [proxy]=haproxy [curl]=curl)
declare -A dnf=([compiler]=gcc [postgres]=postgresql-server [python]=python3 [proxy]=haproxy [curl]=curl)
declare -A pacman=([compiler]=base-devel [postgres]=postgresql [python]=python [proxy]=haproxy [curl]=curl)
declare -A apk=([compiler]=build-base [postgres]=postgresql [python]=python3 [proxy]=haproxy [curl]=curl)
declare -A brew=([compiler]=gcc [postgres]=postgresql@16 [python]=python3 [proxy]=haproxy [curl]=curl)

for manager in apt dnf pacman apk brew; do
    command -v "${manager/#apt/apt-get}" >/dev/null || continue
    declare -n names=$manager
    packages=()
    for what in "${missing[@]}"; do
        read -ra some <<<"${names[$what]}"
        packages+=("${some[@]}")
    done
    case $manager in
        apt) install=(apt-get install -y --no-install-recommends) ;;
        dnf) install=(dnf install -y) ;;
        pacman) install=(pacman -S --noconfirm) ;;
        apk) install=(apk add) ;;
        brew) install=(brew install) ;;
    esac
    if [ "$manager" != brew ] && [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null && sudo -n true 2>/dev/null || {
            echo "Missing: ${missing[*]}. Install them with: sudo ${install[*]} ${packages[*]}" >&2
            exit 1
        }
        install=(sudo "${install[@]}")
    fi
    [ "$manager" = apt ] && "${install[@]:0:${#install[@]}-4}" apt-get update -q >/dev/null 2>&1 || true
    echo "Installing ${packages[*]}" >&2
    exec "${install[@]}" "${packages[@]}"
done
echo "Missing: ${missing[*]}. Install them with your system's package manager." >&2
exit 1
