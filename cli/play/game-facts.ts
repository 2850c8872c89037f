// What each player of a finished game did and had, from a replay of its log: facts to compare a bot with its rivals by. Nothing on disk
// changes.
import type { Command } from '../../engine/commands/table.js';
import type { Engine } from '../../engine/engine.js';
import type { WorldEvent } from '../../engine/events/kinds.js';
import { sum } from '../../engine/numbers/arithmetic.js';
import { battlePoints, pointsOfShip } from '../../engine/planets/points.js';
import { hourlyThousandths, stockUnits } from '../../engine/planets/stocks.js';
import { RESOURCES } from '../../engine/rules/resources.js';
import { MISSIONS } from '../../engine/terms/missions.js';
import type { ReadonlyPlayer, ReadonlyWorld } from '../../engine/world/state.js';
import { storeAt } from '../../persistence/store-url.js';
import { senderOf, type Watcher, watchedReplay } from './finished-world.js';
import { lookAt } from './planet-look.js';

/** Parts of a game after which points are noted. */
export const PARTS_OF_GAME = 4;

/** Instants at which planets are looked at, at equal distances. */
const LOOKS = 96;

/** Numbers by the name of a type. Those that are 0 are left out. */
export type ByType = Readonly<Record<string, number>>;

/** A player's game. Instants are milliseconds of world time since the game began. */
export interface PlayerFacts {
  readonly name: string;
  /** Points after each of PARTS_OF_GAME equal parts of the game. */
  readonly points: readonly number[];
  /** Points at the end, by what they are for. */
  readonly pointsFor: { readonly buildings: number; readonly ships: number; readonly battles: number };
  /** Accepted commands by type. What a plan starts is no command. */
  readonly commands: ByType;
  readonly planets: number;
  /** Null if it never had a second planet. */
  readonly secondPlanetMs: number | null;
  /** Whether the second planet was the free one. */
  readonly isSecondPlanetFree: boolean;
  /** Units an hour of all planets at the end, by resource. */
  readonly production: ByType;
  /** Units on all planets at the end, by resource. */
  readonly stocks: ByType;
  /** Levels of all planets at the end. */
  readonly buildings: ByType;
  readonly research: ByType;
  /** Ships that were ordered. */
  readonly ships: ByType;
  /** Launches by mission. */
  readonly launches: ByType;
  /** Share of the time, over all its planets, in which no building was in progress: from 0 to 1. */
  readonly idleShare: number;
  /** The part of it in which they could have paid for a building, at LOOKS instants of the game. */
  readonly unusedShare: number;
}

/**
 * @param folder data folder of a world with its whole log
 * @param durationMs world time of the game
 * @returns the players in the order of their numbers
 * @throws RecoveryRefused, LogUnreadable, NoWorld
 */
export async function gameFacts(folder: string, durationMs: number): Promise<readonly PlayerFacts[]> {
  const watcher = new FactsWatcher(durationMs);
  const { engine } = await watchedReplay(storeAt(folder), watcher);
  return watcher.facts(engine);
}

/** The counts of a player. */
class Tally {
  readonly points: number[] = [];
  readonly commands: Record<string, number> = {};
  readonly ships: Record<string, number> = {};
  readonly launches: Record<string, number> = {};
  secondPlanetMs: number | null = null;
  isSecondPlanetFree = false;
  /** Time of all planets together, and of those that built nothing. */
  planetMs = 0;
  idleMs = 0;
  /** Looks at planets, and those that found a planet unused. */
  looks = 0;
  unused = 0;
}

class FactsWatcher implements Watcher {
  readonly #durationMs: number;
  /** Indexed by player number. */
  readonly #tallies = new Map<number, Tally>();
  /** Up to where time has been counted. */
  #countedMs = 0;
  #looks = 0;

  constructor(durationMs: number) {
    this.#durationMs = durationMs;
  }

  /** Between two entries only stocks grow. */
  before(engine: Engine, atMs: number, command: Command): void {
    if (engine.seq === 0) return;
    const { world } = engine;
    this.#countUntil(world, atMs - world.settings.startMs);
    const sender = senderOf(world, command);
    if (sender !== null) add(this.#tallyOf(sender).commands, command.type, 1);
  }

  /** Counts events and not commands, since plans order ships without commands. */
  after({ world }: Engine, atMs: number, _command: Command, events: readonly WorldEvent[]): void {
    for (const event of events) {
      if (event.kind === 'ships_ordered')
        add(this.#tallyOf(event.playerNumber).ships, world.rules.ships[event.shipType]?.type, event.count);
      if (event.kind === 'fleet_launched') add(this.#tallyOf(event.playerNumber).launches, MISSIONS[event.mission], 1);
      if (event.kind === 'planet_colonized') {
        const tally = this.#tallyOf(event.playerNumber);
        if (tally.secondPlanetMs === null) tally.isSecondPlanetFree = event.fleetNumber === null;
        tally.secondPlanetMs ??= atMs - world.settings.startMs;
      }
    }
  }

  /** @param engine after the last entry */
  facts({ world }: Engine): PlayerFacts[] {
    this.#countUntil(world, this.#durationMs);
    return [...world.players.values()].map((player) => {
      const tally = this.#tallyOf(player.number);
      tally.points.push(player.points);
      return factsOf(world, player, tally);
    });
  }

  /** Counts the time up to an instant, and notes points at the end of each part of the game. */
  #countUntil(world: ReadonlyWorld, untilMs: number): void {
    const until = Math.min(untilMs, this.#durationMs);
    for (const player of world.players.values()) {
      const tally = this.#tallyOf(player.number);
      const passedMs = until - this.#countedMs;
      for (const { upgrade } of player.planets) {
        tally.planetMs += passedMs;
        if (upgrade === null) tally.idleMs += passedMs;
      }
      // What happens at the end of a part belongs to it.
      while ((tally.points.length + 1) * this.#durationMs < until * PARTS_OF_GAME) tally.points.push(player.points);
    }
    this.#countedMs = until;
    for (; this.#lookMs(this.#looks) < until; this.#looks += 1) this.#look(world);
  }

  /** Looks come in the middle of equal parts, where nothing usually happens. */
  #lookMs(look: number): number {
    return ((look + 0.5) * this.#durationMs) / LOOKS;
  }

  #look(world: ReadonlyWorld): void {
    const atMs = world.settings.startMs + this.#lookMs(this.#looks);
    for (const player of world.players.values()) {
      const tally = this.#tallyOf(player.number);
      tally.looks += player.planets.length;
      tally.unused += player.planets.filter((planet) => lookAt(world, planet, atMs) === 'unused').length;
    }
  }

  #tallyOf(number: number): Tally {
    const tally = this.#tallies.get(number) ?? new Tally();
    this.#tallies.set(number, tally);
    return tally;
  }
}

function factsOf(world: ReadonlyWorld, player: ReadonlyPlayer, tally: Tally): PlayerFacts {
  const { rules, lastEntryMs } = world;
  const { name, planets, fleets, points, researchLevels } = player;
  const shipPoints = sum(
    rules.ships.map((_, type) => {
      const there = planets.map((planet) => planet.shipCount(type));
      const inFlight = fleets.map(({ ships }) => ships[type] ?? 0);
      return sum([...there, ...inFlight]) * pointsOfShip(rules, type);
    }),
  );
  const battles = battlePoints(rules, player);
  const perHour = (resource: number): number =>
    Math.floor(sum(planets.map((planet) => hourlyThousandths(world, planet, resource))) / 1000);
  return {
    name,
    points: tally.points,
    pointsFor: { buildings: points - shipPoints - battles, ships: shipPoints, battles },
    commands: tally.commands,
    planets: planets.length,
    secondPlanetMs: tally.secondPlanetMs,
    isSecondPlanetFree: tally.isSecondPlanetFree,
    production: byName(RESOURCES, perHour),
    stocks: byName(RESOURCES, (resource) =>
      sum(planets.map((planet) => stockUnits(world, planet, resource, lastEntryMs))),
    ),
    buildings: byName(namesOf(rules.buildings), (type) => sum(planets.map((planet) => planet.levelOf(type)))),
    research: byName(namesOf(rules.research), (type) => researchLevels[type] ?? 0),
    ships: tally.ships,
    launches: tally.launches,
    idleShare: tally.planetMs === 0 ? 0 : tally.idleMs / tally.planetMs,
    unusedShare: tally.looks === 0 ? 0 : tally.unused / tally.looks,
  };
}

const namesOf = (types: readonly { readonly type: string }[]): string[] => types.map(({ type }) => type);

function byName(names: readonly string[], numberOf: (position: number) => number): ByType {
  const rows = names.map((name, position) => [name, numberOf(position)] as const);
  return Object.fromEntries(rows.filter(([, number]) => number !== 0));
}

function add(counts: Record<string, number>, name: string | undefined, count: number): void {
  if (name !== undefined) counts[name] = (counts[name] ?? 0) + count;
}
