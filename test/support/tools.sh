# For scripts that run tools of others: `try` says of a command whether it holds, `venv` installs Python's, `start_run` starts the API.
set -uo pipefail
root=$PWD document=$PWD/dist/functions/auth/openapi.json
work=$(mktemp -d) run=
trap '[ -z "$run" ] || kill -INT "$run"; rm -rf "$work"' EXIT
failed=0

try() { # <sentence> <command…>
  if "${@:2}" >"$work/log" 2>&1; then echo "ok     $1"; else failed=1 && echo "BROKEN $1" && tail -n 60 "$work/log"; fi
}

venv() { # <folder> <package…>: answers the folder of the programs
  [ -x "$1/bin/pip" ] || python3 -m venv "$1"
  "$1/bin/pip" install --quiet --disable-pip-version-check "${@:2}" >&2 && echo "$1/bin"
}

start_run() {
  : >"$work/run"
  env -u LOCAL_DIRECTORY PORT=0 node_modules/.bin/node dist/infra/local/main.mjs >"$work/run" 2>&1 &
  run=$!
  until grep -q '^Ready' "$work/run"; do kill -0 "$run" && sleep 1 || { cat "$work/run" && exit 1; }; done
  demo=$(sed -n 's/^Demo data *//p' "$work/run")
  of_demo() { node -p "JSON.parse(fs.readFileSync('$demo')).$1"; }
  BASE_URL=$(of_demo baseUrl) CLIENT_ID=$(of_demo upstream.clientId) CLIENT_SECRET=$(of_demo upstream.clientSecret)
  export BASE_URL CLIENT_ID CLIENT_SECRET
}
