// Refusals of the engine in words: what is wrong, and what a client can do about it.
import { REFUSALS, type Refusal, type RefusalCode } from '../../engine/terms/rejections.js';

/** What to do about each refusal of the engine. */
export const REMEDIES: Readonly<Record<RefusalCode, string>> = {
  player_not_found: 'POST /api/game/player creates one; an id is valid until the player is retired.',
  planet_not_found: 'The system view (GET /api/game/galaxy/:galaxy/system/:system) lists the planets that there are.',
  fleet_not_found: 'GET /api/fleet/player/:playerId lists the fleets that are in flight.',
  building_not_found:
    'Build it with POST /api/building/construct; a building whose first construction was cancelled is gone.',
  queue_entry_not_found: 'The constructionQueue of the building that is being upgraded has the present queueId.',
  not_owner: "Name the player's own planets and fleets, as GET /api/game/state/:playerId lists them.",
  name_taken: 'Choose a name that looks like no other; owner has the one that it looks like.',
  building_exists: 'POST /api/building/upgrade raises its level.',
  upgrade_in_progress: 'Wait until finishAt of inProgress, or cancel its queueId with POST /api/building/cancel.',
  other_ship_in_production: 'Wait until finishAt of inProgress, or cancel its shipType with POST /api/shipyard/cancel.',
  research_in_progress: 'Wait until finishAt of inProgress.',
  planet_occupied: 'Planets that are free have the owner null in the system view.',
  starter_limit_reached: 'Take further planets with the mission colonize.',
  fleet_not_in_transit: 'It is back at returnsAt.',
  universe_full: 'Planets become free only when players are retired.',
  limit_reached: 'limit has its name and value.',
  plans_not_in_rules: 'Send each step as a command of its own.',
  rules_not_compatible: 'A world can only switch to rules that extend those that it has.',
  insufficient_ships: 'missing says how many: send fewer, or build them with POST /api/shipyard/build.',
  no_drive_available: 'POST /api/fleet/simulate says for each drive what it needs.',
  hangar_capacity_exceeded: 'missing says how much room: carry fewer ships, or more that have hangars.',
  insufficient_h2: 'missing says how much: send fewer ships, name a drive that needs less, or wait for production.',
  cargo_capacity_exceeded: 'missing says how much: carry less, or send more ships with cargo space.',
  shipyard_required: 'Build one with POST /api/building/construct, and wait until it is complete.',
  nothing_in_production: 'GET /api/shipyard/planet/:planetId shows what is in production.',
  insufficient_resources: 'missing says how much, affordableAt when production covers it; null is never.',
  mission_not_possible: 'Choose another target, other ships or another mission.',
};

/** What is wrong, and what to do. */
export function refusalText({ code, facts: { reason } }: Refusal): string {
  return `${reason ?? REFUSALS[code].title} ${REMEDIES[code]}`;
}
