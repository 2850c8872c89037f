#!/usr/bin/env bash
# What the bots of this folder share. They source it with their arguments, URL NAME [UNTIL]; it creates their player, or finds it.
# Needs curl and jq.
#
# KEY is the API key of the player; with --auth key it is printed once, when the player is created. With ADMIN_KEY a bot
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

# earliest INSTANT...: prints the first of them. An empty one is none.
earliest() {
  local first='' instant
  for instant in "$@"; do
    if [[ -n $instant && (-z $first || $instant < $first) ]]; then first=$instant; fi
  done
  echo "$first"
}

# advance INSTANT: moves the clock of the world.
advance() { as=$admin_key send POST /api/admin/clock/advance "{\"to\": \"$1\"}" >/dev/null; }

# Prints the points of the player.
score() {
  local found
  # The player with exactly this name comes first.
  found=$(send GET "/api/player?limit=1&name=$(jq --null-input --raw-output --arg name "$name" '$name | @uri')")
  echo "$name has $(jq '.players[0].points' <<<"$found") points"
}

player=$(send POST /api/game/player "$(jq --null-input --arg name "$name" '{name: $name, isBot: true}')")
id=$(jq -r .id <<<"$player")
if [[ $(jq -r '.apiKey // empty' <<<"$player") != '' ]]; then
  key=$(jq -r .apiKey <<<"$player")
  echo "the key of $name: $key" >&2
fi
