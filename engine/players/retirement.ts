// Retires players: everything that a player has ends, and its planets belong to nobody again. No other code takes an owner from a planet.

import { endPactsOf } from '../diplomacy/pacts.js';
import { recordIncomingFleetGone } from '../fleets/incoming-fleets.js';
import { endSupportOf } from '../fleets/support.js';
import { isStarterPlace } from '../map/starters.js';
import type { PlanetKey } from '../map/universe.js';
import { endTradesOf } from '../market/trades.js';
import { endPlan } from '../plans/plans.js';
import { endBountiesOn } from '../shocks/shocks.js';
import type { Planet } from '../world/planet-table.js';
import type { Player } from '../world/player-table.js';
import { markLaunchesTo, type ReadonlyPlayer, touchPlanet, type World } from '../world/state.js';
import { NO_TIMER } from '../world/timer-queue.js';
import { revokeKeys } from './api-keys.js';

/** What the reply to a retirement shows of a player. */
export interface RetiredPlayer {
  readonly number: number;
  readonly name: string;
  readonly isBot: boolean;
  readonly lastActiveMs: number;
  /** Planets that became free, and fleets that ended. */
  readonly planetCount: number;
  readonly fleetCount: number;
}

/** Returns what retiring a player ends. */
export function endedWith(player: ReadonlyPlayer): RetiredPlayer {
  const { number, name, isBot, lastActiveMs, planetCount, fleetCount } = player;
  return { number, name, isBot, lastActiveMs, planetCount, fleetCount };
}

/** Removes a player from the world. Its number is not used again. */
export function retire(world: World, player: Player): void {
  const { number, name, nameKey, formerNames, isBot, planets, research, starterCount } = player;
  const planetKeys = planets.map(({ key }) => key);
  endFleets(world, player);
  endTradesOf(world, number);
  for (const planet of planets) endSupportOf(world, planet);
  endPactsOf(world, player);
  endBountiesOn(world, number);
  if (research !== null) world.timers.cancel(research.timer);
  world.reports.removeAll(player);
  world.messages.remove(number);
  for (const planet of planets) free(world, planet);
  // The player frees as many starter planets as it took: those that newcomers get anyway, then those that it had first.
  const isForNewcomers = (key: PlanetKey): boolean => isStarterPlace(world.universe, key);
  const freed = [...planetKeys.filter(isForNewcomers), ...planetKeys.filter((key) => !isForNewcomers(key))];
  for (const key of freed.slice(0, starterCount)) world.starters.freed.add(key);
  revokeKeys(world, player);
  world.keptReplies.drop(number);
  world.events.forget(number);
  world.leaderboard.remove(number);
  world.namedNumbers.remove(nameKey, number);
  for (const former of formerNames) world.namedNumbers.remove(former.nameKey, number);
  if (!isBot) world.humanNumber = 0;
  world.players.remove(player);
  world.retiredCount += 1;
  // The search has passed systems that had no room, and have some now.
  world.starters.searchAgain();
  world.events.push({
    kind: 'player_retired',
    atMs: world.nowMs,
    playerNumber: number,
    name,
    planetKeys,
  });
}

/** Ends all fleets of a player where they are: their ships and cargo are lost. */
function endFleets(world: World, player: Player): void {
  for (const fleet of player.fleets) {
    if (fleet.timer !== NO_TIMER) world.timers.cancel(fleet.timer);
    world.fleets.remove(fleet);
    if (fleet.isReturning) continue;
    recordIncomingFleetGone(world, fleet);
    const host = fleet.isStationed ? world.planets.get(fleet.targetKey) : undefined;
    if (host !== undefined) touchPlanet(world, host);
  }
}

/** Takes the owner from a planet: it is as if nobody had ever owned it. */
function free(world: World, planet: Planet): void {
  const { upgrade, orderTimer } = planet;
  if (upgrade !== null) world.timers.cancel(upgrade.timer);
  if (orderTimer !== NO_TIMER) world.timers.cancel(orderTimer);
  planet.dropOrders();
  endPlan(world, planet.row);
  const { key } = planet;
  world.planets.remove(planet, world.seq + 1);
  markLaunchesTo(world, key);
}
