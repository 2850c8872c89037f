// Where new players start: on the starter planet of a retired player, else in the lowest-numbered galaxy with room under the
// crowding limit, spread over its systems. The cursor only moves forward, so the universe bounds the total number of steps: the
// places of starters that become free behind it are in a list of their own.
import { drawBelow, SALTS } from './random.js';
import { GALAXY_COUNT, SLOTS_PER_SYSTEM } from './rules/limits.js';
import type { StarterCursor, World } from './state.js';
import type { PlanetKey, Universe } from './universe.js';

/** In each pass another quarter of the planets of a system may become starters; the crowding limit is one pass. */
export const CROWDING_PASSES = 4;

/**
 * Returns the key of the next starter planet without taking it; -1 if the universe is full. The scout remembers how far
 * the search has come, so that a full universe refuses new players at no cost. It is not part of the state: it is ahead
 * of the cursor only by places without room.
 */
export function nextStarterKey(world: World): PlanetKey {
  return world.freedStarters.next ?? seek(world, world.starterScout);
}

/** Takes the next starter planet, and moves the cursor past it if the cursor has found it. Call it only after nextStarterKey() has found one. */
export function takeStarterKey(world: World): PlanetKey {
  const { starters, starterScout, freedStarters } = world;
  // It leaves the list when it gets its owner.
  if (freedStarters.next !== undefined) return freedStarters.next;
  const key = seek(world, starterScout);
  advance(world.universe, starterScout);
  starters.pass = starterScout.pass;
  starters.galaxy = starterScout.galaxy;
  starters.turn = starterScout.turn;
  starters.step = starterScout.step;
  return key;
}

/** Moves a cursor to the first place that has room. @returns the key of its planet; -1 if there is none */
function seek(world: World, cursor: StarterCursor): PlanetKey {
  const { universe } = world;
  while (cursor.pass < CROWDING_PASSES) {
    const systemKey = universe.systemKey(
      cursor.galaxy,
      (cursor.step * universe.spreadStride) % universe.systemsPerGalaxy,
    );
    if (isInPass(cursor, universe.planetCount(systemKey))) {
      const key = freePlanetKey(world, systemKey);
      if (key >= 0) return key;
    }
    advance(universe, cursor);
  }
  return -1;
}

function isInPass(cursor: StarterCursor, planetCount: number): boolean {
  const before = Math.floor((planetCount * cursor.pass) / CROWDING_PASSES);
  const after = Math.floor((planetCount * (cursor.pass + 1)) / CROWDING_PASSES);
  return cursor.turn > before && cursor.turn <= after;
}

function advance(universe: Universe, cursor: StarterCursor): void {
  cursor.step += 1;
  if (cursor.step < universe.systemsPerGalaxy) return;
  cursor.step = 0;
  cursor.turn += 1;
  const turnMax = Math.floor((SLOTS_PER_SYSTEM * (cursor.pass + 1)) / CROWDING_PASSES);
  if (cursor.turn <= turnMax) return;
  cursor.turn = 1;
  cursor.galaxy += 1;
  if (cursor.galaxy <= GALAXY_COUNT) return;
  cursor.galaxy = 1;
  cursor.pass += 1;
}

function freePlanetKey(world: World, systemKey: number): PlanetKey {
  const { universe } = world;
  const first = drawBelow(SLOTS_PER_SYSTEM, universe.seed, systemKey, SALTS.starterSlot);
  for (let offset = 0; offset < SLOTS_PER_SYSTEM; offset += 1) {
    const slot = ((first + offset) % SLOTS_PER_SYSTEM) + 1;
    const key = systemKey * SLOTS_PER_SYSTEM + slot - 1;
    if (universe.hasPlanet(systemKey, slot) && !world.planets.has(key)) return key;
  }
  return -1;
}
