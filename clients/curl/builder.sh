#!/usr/bin/env bash
# A bot that builds what it can afford, the cheapest first. It sleeps until an event says that something has changed, which a long
# poll waits for, or until it can afford the next building. Needs curl and jq.
#
#   builder.sh http://127.0.0.1:3000 Ada [UNTIL]
#
# KEY is the API key of the player; with --auth key it is printed once, when the player is created. With ADMIN_KEY the bot
# moves the manual clock of the world instead of sleeping. UNTIL is the world time at which it stops.
set -euo pipefail

url=$1 name=$2 until=${3:-9999-12-31T23:59:59.999Z}
key=${KEY:-} admin_key=${ADMIN_KEY:-}
headers=$(mktemp)
trap 'rm -f "$headers"' EXIT

# send METHOD PATH [BODY]: prints the reply; $headers has its head. A retry is the same request with the same key.
send() {
  local bearer=${as:-$key}
  curl --silent --show-error --fail-with-body --retry 8 --retry-connrefused --max-time 45 --dump-header "$headers" \
    --request "$1" "$url$2" ${bearer:+--header "authorization: Bearer $bearer"} \
    ${3:+--header "content-type: application/json" --header "idempotency-key: $(new_key)" --data "$3"}
}

new_key() { uuidgen 2>/dev/null || cat /proc/sys/kernel/random/uuid; }

# World time of the last reply. All instants have the same form, so that their order is that of their text.
now() { awk 'tolower($1) == "x-world-time:" { at = $2 } END { sub("\r", "", at); print at }' "$headers"; }

# What to do with the options of a planet: a line with path and body of the cheapest building that can be paid; if there is
# none, a line for each instant at which another one can be.
CHOICE='
  [.options[] | select(.action == "upgrade" or .action == "construct") | select(.reason == null and .affordableAt != null)]
  | . as $open
  | map(select(.affordableAt <= $now)) | sort_by([.cost[]] | add) | .[0].request
  | if . then "\(.path) \(.body | tojson)" else $open[].affordableAt end'

# build PLANET: starts what can be paid, until there is nothing; prints when more can be.
build() {
  local reply choice path body
  while true; do
    reply=$(send GET "/api/game/options/$1")
    choice=$(jq --raw-output --arg now "$(now)" "$CHOICE" <<<"$reply")
    [[ $choice == /* ]] || break
    read -r path body <<<"$choice"
    send POST "$path" "$body" >/dev/null
    echo "$path $body" >&2
  done
  echo "$choice"
}

# sleep_until INSTANT NOW: waits for events, but not longer than until an instant of world time; with ADMIN_KEY it moves the clock to
# the next thing that happens. Sets world_time.
sleep_until() {
  local to=$1 seconds page
  if [[ -n $admin_key ]]; then
    to=$(printf '%s\n' "$to" "$(send GET /api/status | jq -r '.nextTimerAt // empty')" | sed '/^$/d' | sort | head -n 1)
    as=$admin_key send POST /api/admin/clock/advance "{\"to\": \"$to\"}" >/dev/null
    seconds=0
  else
    seconds=$(jq --null-input --arg from "$2" --arg to "$to" \
      'def seconds: (.[:19] + "Z" | fromdate) + (.[20:23] | tonumber) / 1000;
       [30, ([0, ($to | seconds) - ($from | seconds)] | max | ceil)] | min')
  fi
  page=$(send GET "/api/event/player/$id?since=$seq&wait=$seconds")
  world_time=$(now)
  seq=$(jq '.events[-1].seq // .lastSeq' <<<"$page")
}

player=$(send POST /api/game/player "$(jq --null-input --arg name "$name" '{name: $name, isBot: true}')")
id=$(jq -r .id <<<"$player")
if [[ $(jq -r '.apiKey // empty' <<<"$player") != '' ]]; then
  key=$(jq -r .apiKey <<<"$player")
  echo "the key of $name: $key" >&2
fi

state=$(send GET "/api/game/state/$id")
world_time=$(now)
seq=$(jq .lastEventSeq <<<"$state")
while [[ $world_time < $until ]]; do
  wakes=$(for planet in $(jq -r '.planets[].id' <<<"$state"); do build "$planet"; done)
  sleep_until "$(printf '%s\n' "$wakes" "$until" | sed '/^$/d' | sort | head -n 1)" "$world_time"
done
echo "$name has $(send GET /api/leaderboard | jq --arg id "$id" '.players[] | select(.id == $id) | .points') points"
