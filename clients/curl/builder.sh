#!/usr/bin/env bash
# A bot that builds what it can afford, the cheapest first. It sleeps until an event says that something has changed, which a long
# poll waits for, or until it can afford the next building. player.sh says which variables it reads.
#
#   builder.sh http://127.0.0.1:3000 Ada [UNTIL]
source "$(dirname "$0")/player.sh"

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
    advance "$(earliest "$to" "$(send GET /api/status | jq -r '.nextTimerAt // empty')")"
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

state=$(send GET "/api/game/state/$id")
world_time=$(now)
seq=$(jq .lastEventSeq <<<"$state")
while [[ $world_time < $until ]]; do
  wakes=$(for planet in $(jq -r '.planets[].id' <<<"$state"); do build "$planet"; done)
  sleep_until "$(earliest $wakes "$until")" "$world_time"
done
score
