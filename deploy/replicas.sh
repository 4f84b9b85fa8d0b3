#!/usr/bin/env bash
# Start COUNT (2 or 4, say) processes of the app on loopback behind nginx: deploy/replicas.sh [COUNT] [PORT] [FOLDER]
# Replicas listen on PORT+1, PORT+2, …; pids and logs lie in FOLDER; Ctrl-C ends them all.
set -euo pipefail
cd "$(dirname "$0")/.."

count=${1:-2}
port=${2:-8600}
run=${3:-$(mktemp -d)}
mkdir -p "$run"
command -v nginx >/dev/null || { echo "nginx is missing: apt-get install nginx-light" >&2; exit 1; }

pids=()
end() { kill "${pids[@]}" 2>/dev/null || true; wait 2>/dev/null || true; }
trap end EXIT
trap 'exit 0' INT TERM

servers="" names="" choices="" upstreams=""
for number in $(seq "$count"); do
  own=$((port + number))
  next=$((port + number % count + 1))
  python3 -m streamlit run streamlit_app.py --server.port "$own" --server.address 127.0.0.1 >"$run/replica-$number.log" 2>&1 &
  pids+=($!)
  echo $! >"$run/replica-$number.pid"
  servers+="server 127.0.0.1:$own max_fails=1 fail_timeout=10s; "
  names+="\"~127.0.0.1:$own\$\" $number; "
  choices+="$number replica_$number; "
  upstreams+="upstream replica_$number { server 127.0.0.1:$own max_fails=1 fail_timeout=10s; "
  upstreams+="$([ "$count" -gt 1 ] && echo "server 127.0.0.1:$next backup; ")} "
done
sed -e "s|@{run}|$run|g" -e "s|@{port}|$port|g" -e "s|@{servers}|$servers|" -e "s|@{names}|$names|" \
  -e "s|@{choices}|$choices|" -e "s|@{upstreams}|$upstreams|" deploy/nginx.conf >"$run/nginx.conf"
for number in $(seq "$count"); do
  until curl -sf "http://127.0.0.1:$((port + number))/_stcore/health" >/dev/null; do
    kill -0 "${pids[$((number - 1))]}" || { cat "$run/replica-$number.log" >&2; exit 1; }
    sleep 0.25
  done
done
nginx -e "$run/error.log" -p "$run" -c "$run/nginx.conf" -g "daemon off;" &
pids+=($!)
until curl -sf "http://127.0.0.1:$port/_stcore/health" >/dev/null; do
  kill -0 "${pids[-1]}" || { cat "$run/error.log" >&2; exit 1; }
  sleep 0.1
done
echo "$count replicas behind http://127.0.0.1:$port; pids and logs in $run"
wait
