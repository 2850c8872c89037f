#!/usr/bin/env bash
# A bot that thinks once a day: it hands each of its planets a plan, and the server starts each step as soon as the planet can pay for
# it. Needs rules with plans. player.sh says which variables it reads.
#
#   planner.sh http://127.0.0.1:3000 Ada [UNTIL]
source "$(dirname "$0")/player.sh"

# A plan from the options of a planet: every building once, the cheapest first, and then again, as far as a plan goes. An option has the
# names of a step. What cannot start is skipped.
PLAN='
  [.options[] | select(.action == "upgrade" or .action == "construct")] | sort_by([.cost[]] | add)
  | map({action, buildingType}) as $once | ($once | map(.action = "upgrade")) as $again
  | {onBlocked: "skip", steps: ([$once[], (range(50) as $_ | $again[])][:$max])}'

steps_max=$(send GET /api/catalog | jq '.plans.stepsMax // empty')
[[ -n $steps_max ]] || { echo 'the rules of this world have no plans' >&2; exit 1; }

world_time=''
while [[ $world_time < $until ]]; do
  for planet in $(send GET "/api/game/state/$id" | jq -r '.planets[].id'); do
    plan=$(send GET "/api/game/options/$planet" | jq --compact-output --argjson max "$steps_max" "$PLAN")
    send PUT "/api/plan/planet/$planet" "$plan" | jq --raw-output '"\(.planetId): \(.steps | length) steps"'
  done
  day_later=$(jq --null-input --raw-output --arg at "$(now)" '$at[:19] + "Z" | fromdate + 86400 | todate | sub("Z$"; ".000Z")')
  wake=$(earliest "$day_later" "$until")
  if [[ -n $admin_key ]]; then
    advance "$wake"
  else
    sleep "$(jq --null-input --arg from "$(now)" --arg to "$wake" \
      '[$to, $from | .[:19] + "Z" | fromdate] | [0, .[0] - .[1] + 1] | max')"
  fi
  world_time=$(send GET /api/status | jq -r .worldTime)
done
score
