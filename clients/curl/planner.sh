#!/usr/bin/env bash
# A bot that thinks once a day: it hands each of its planets a plan, and the server starts each step as soon as the planet can pay for
# it. Needs rules with plans, curl and jq.
#
#   planner.sh http://127.0.0.1:3000 Ada [UNTIL]
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

# A plan from the options of a planet: every building once, the cheapest first, and then again, as far as a plan goes. An option has the
# names of a step. What cannot start is skipped.
PLAN='
  [.options[] | select(.action == "upgrade" or .action == "construct")] | sort_by([.cost[]] | add)
  | map({action, buildingType}) as $once | ($once | map(.action = "upgrade")) as $again
  | {onBlocked: "skip", steps: ([$once[], (range(50) as $_ | $again[])][:$max])}'

player=$(send POST /api/game/player "$(jq --null-input --arg name "$name" '{name: $name, isBot: true}')")
id=$(jq -r .id <<<"$player")
if [[ $(jq -r '.apiKey // empty' <<<"$player") != '' ]]; then
  key=$(jq -r .apiKey <<<"$player")
  echo "the key of $name: $key" >&2
fi
steps_max=$(send GET /api/catalog | jq '.plans.stepsMax // empty')
[[ -n $steps_max ]] || { echo 'the rules of this world have no plans' >&2; exit 1; }

world_time=''
while [[ $world_time < $until ]]; do
  for planet in $(send GET "/api/game/state/$id" | jq -r '.planets[].id'); do
    plan=$(send GET "/api/game/options/$planet" | jq --compact-output --argjson max "$steps_max" "$PLAN")
    send PUT "/api/plan/planet/$planet" "$plan" | jq --raw-output '"\(.planetId): \(.steps | length) steps"'
  done
  day_later=$(jq --null-input --raw-output --arg at "$(now)" '$at[:19] + "Z" | fromdate + 86400 | todate | sub("Z$"; ".000Z")')
  wake=$(printf '%s\n' "$day_later" "$until" | sort | head -n 1)
  if [[ -n $admin_key ]]; then
    as=$admin_key send POST /api/admin/clock/advance "{\"to\": \"$wake\"}" >/dev/null
  else
    sleep "$(jq --null-input --arg from "$(now)" --arg to "$wake" \
      '[$to, $from | .[:19] + "Z" | fromdate] | [0, .[0] - .[1] + 1] | max')"
  fi
  world_time=$(send GET /api/status | jq -r .worldTime)
done
echo "$name has $(send GET /api/leaderboard | jq --arg id "$id" '.players[] | select(.id == $id) | .points') points"
