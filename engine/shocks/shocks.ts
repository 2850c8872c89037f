// Shocks, under rules with `shocks`: at regular times one is drawn from the seed for each galaxy that has planets with owners, and announced
// to everybody some hours before it begins.

import { NOBODY } from '../events/kinds.js';
import { drawBelow, SALTS } from '../numbers/random.js';
import { settleOutput } from '../planets/output.js';
import {
  GALAXY_COUNT,
  PAST_SHOCKS_PER_GALAXY_MAX,
  SHOCK_INTERVAL_MS_MIN,
  SHOCKS_PER_GALAXY_MAX,
} from '../rules/limits.js';
import type { CompiledShock } from '../rules/parts.js';
import { RESOURCES } from '../rules/resources.js';
import { BOUNTY, OUTPUT_SHOCK, PIRATES } from '../rules/shock-effects.js';
import type { Planet } from '../world/planet-table.js';
import type { Shock } from '../world/shock-table.js';
import { type ReadonlyShock, type ReadonlyWorld, scheduleTimer, touchPlanet, type World } from '../world/state.js';
import { durationMs, NO_TIMER, TIMER_KINDS } from '../world/timer-queue.js';
import { sendPirates } from './pirates.js';

/** Schedules the first announcement, if the rules have shocks and none is pending. */
export function beginShocks(world: World): void {
  const { shocks, rules } = world;
  if (rules.shocks === null || shocks.timer !== NO_TIMER) return;
  shocks.nextAtMs = world.nowMs + Math.max(SHOCK_INTERVAL_MS_MIN, durationMs(world, rules.shocks.intervalMs));
  shocks.timer = scheduleTimer(world, shocks.nextAtMs, TIMER_KINDS.shocks_announce, 0);
}

/** The timer of the announcement fires: draws a shock for each galaxy. */
export function announceShocks(world: World): void {
  world.shocks.timer = NO_TIMER;
  const raiders = firstRaiders(world);
  const galaxies = settledGalaxies(world);
  for (const galaxy of galaxies) forgetOldest(world, galaxy);
  const open = galaxies.filter((galaxy) => pendingIn(world, galaxy).length < SHOCKS_PER_GALAXY_MAX);
  const changed = open.filter((galaxy) => announce(world, galaxy, raiders[galaxy] ?? 0)?.effect === OUTPUT_SHOCK);
  touchGalaxies(world, changed);
  world.shocks.forgetRaids();
  beginShocks(world);
}

/** The timer of a shock fires: it begins, or is over. */
export function turnShock(world: World, number: number): void {
  const { shocks, nowMs } = world;
  const shock = shocks.get(number);
  if (shock === undefined) throw new Error(`there is no shock ${number}`);
  if (!shock.hasBegun) begin(world, shock);
  if (nowMs === shock.endsAtMs) shocks.end(shock);
  else shock.timer = scheduleTimer(world, shock.endsAtMs, TIMER_KINDS.shock_turn, number);
  if (shock.effect === OUTPUT_SHOCK) touchGalaxies(world, [shock.galaxy]);
}

/** Ends the bounties on a player who is retired, and forgets its raids. */
export function endBountiesOn(world: World, playerNumber: number): void {
  const { shocks, timers } = world;
  shocks.forgetRaidsOf(playerNumber);
  for (const shock of shocks.pending()) {
    if (shock.effect !== BOUNTY || shock.playerNumber !== playerNumber) continue;
    timers.cancel(shock.timer);
    shocks.end(shock);
  }
}

/** @param raider who has looted most in the galaxy; 0 if nobody has looted @returns null if no type is possible */
function announce(world: World, galaxy: number, raider: number): Shock | null {
  const { rules, shocks, nowMs } = world;
  if (rules.shocks === null) throw new Error('the rules have no shocks');
  const { noticeSecondsMin, noticeSecondsMax, types } = rules.shocks;
  const { seed, startMs } = world.settings;
  // Only time and place count, so all worlds that go on from a state have the same shocks.
  const choice = (nowMs - startMs) * (GALAXY_COUNT + 1) + galaxy;
  const drawn = drawBelow(types.length, seed, choice, SALTS.shockType);
  // Without a raider the next type takes the place of a bounty.
  const type = [...types.slice(drawn), ...types.slice(0, drawn)].find(({ effect }) => effect !== BOUNTY || raider > 0);
  if (type === undefined) return null;
  const longerSeconds = drawBelow(noticeSecondsMax - noticeSecondsMin + 1, seed, choice, SALTS.shockNotice);
  const noticeMs = durationMs(world, (noticeSecondsMin + longerSeconds) * 1000);
  // Shocks of a galaxy do not overlap.
  const startsAtMs = Math.max(nowMs + noticeMs, ...pendingIn(world, galaxy).map(({ endsAtMs }) => endsAtMs));
  const number = world.lastTimerId + 1;
  const shock: Shock = {
    ...effectOf(type),
    number,
    galaxy,
    playerNumber: type.effect === BOUNTY ? raider : 0,
    announcedAtMs: nowMs,
    startsAtMs,
    endsAtMs: type.effect === PIRATES ? startsAtMs : startsAtMs + durationMs(world, type.durationMs),
    hasBegun: false,
    timer: scheduleTimer(world, startsAtMs, TIMER_KINDS.shock_turn, number),
  };
  shocks.add(shock);
  world.events.push({ kind: 'shock_announced', ...told(world, shock) });
  return shock;
}

function begin(world: World, shock: Shock): void {
  shock.hasBegun = true;
  world.events.push({ kind: 'shock_began', ...told(world, shock) });
  if (shock.effect === PIRATES) sendPirates(world, shock);
}

function effectOf({ type, effect, resource, percent, idleMs }: CompiledShock) {
  return { type, effect, resource, percent, idleMs };
}

/** Who has looted most in each galaxy, the first of several. */
function firstRaiders({ players, shocks }: World): readonly (number | undefined)[] {
  const first: number[] = [];
  const most: number[] = [];
  if (!shocks.hasRaids) return first;
  for (const { number } of players.values()) {
    for (const { galaxy, units } of shocks.raidsOf(number)) {
      if (units <= (most[galaxy] ?? 0)) continue;
      first[galaxy] = number;
      most[galaxy] = units;
    }
  }
  return first;
}

function pendingIn({ shocks }: ReadonlyWorld, galaxy: number): readonly ReadonlyShock[] {
  return shocks.pending().filter((shock) => shock.galaxy === galaxy);
}

/** Once there are too many past shocks of a galaxy, settles what the older half has changed, and forgets it. */
function forgetOldest(world: World, galaxy: number): void {
  const past = world.shocks.past().filter((shock) => shock.galaxy === galaxy);
  if (past.length <= PAST_SHOCKS_PER_GALAXY_MAX) return;
  const old = past.slice(0, Math.ceil(past.length / 2));
  const endsAtMs = old.at(-1)?.endsAtMs ?? 0;
  const resources = new Set(old.map(({ resource }) => resource));
  for (const planet of planetsIn(world, [galaxy])) {
    for (let resource = 0; resource < RESOURCES.length; resource += 1) {
      if (resources.has(resource) && planet.stockSinceMs(resource) < endsAtMs) settleOutput(world, planet, resource);
    }
  }
  for (const shock of old) world.shocks.forget(shock);
}

/** All planets of some galaxies. By player: a restored world has them in other rows. */
function* planetsIn({ players, shocks }: World, galaxies: readonly number[]): Generator<Planet> {
  for (const { planets } of players.values()) {
    for (const planet of planets) if (galaxies.includes(shocks.galaxyOf(planet.key))) yield planet;
  }
}

/** Galaxies with planets that have owners, in order. */
function settledGalaxies({ planets, shocks }: World): readonly number[] {
  const isSettled = new Array<boolean>(GALAXY_COUNT + 1).fill(false);
  for (const { key } of planets.values()) isSettled[shocks.galaxyOf(key)] = true;
  return isSettled.flatMap((settled, galaxy) => (settled ? [galaxy] : []));
}

/** Marks all planets of some galaxies as changed, and their plans: what production covers, and when, is another time now. */
function touchGalaxies(world: World, galaxies: readonly number[]): void {
  if (galaxies.length === 0) return;
  for (const planet of planetsIn(world, galaxies)) touchPlanet(world, planet);
}

function told({ nowMs }: World, shock: Shock) {
  const { number, galaxy, type, effect, resource, percent, idleMs, playerNumber, startsAtMs, endsAtMs } = shock;
  return {
    atMs: nowMs,
    playerNumber: NOBODY,
    shockNumber: number,
    galaxy,
    shockType: type,
    effect,
    resource: effect === OUTPUT_SHOCK ? resource : null,
    percent,
    idleSeconds: effect === PIRATES ? Math.floor(idleMs / 1000) : null,
    bountyNumber: effect === BOUNTY ? playerNumber : null,
    startsAtMs,
    endsAtMs,
  };
}
