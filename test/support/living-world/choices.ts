// What the players of a living world do next: a trade for each player, and choices that depend only on its state, on who lives
// nearby and on drawn numbers. What cannot be paid is refused by the server and tried again in a later round.
import type { PlayerState } from '../process/bot-choices.js';
import type { Draws } from '../process/draws.js';
import { type Atlas, placeOf, type SystemPlace } from './atlas.js';

export interface Operation {
  readonly method: 'POST';
  readonly path: string;
  readonly body?: object;
}

type Trade = 'builder' | 'raider' | 'trader' | 'settler';
type Planet = PlayerState['planets'][number];

/** Assigned by the number of the player, so that neighbours differ. */
const TRADES: readonly Trade[] = ['raider', 'builder', 'settler', 'trader', 'raider', 'settler', 'builder'];

/** A building is raised next if its level is lowest for its weight. */
const WEIGHTS: Readonly<Record<Trade, Readonly<Record<string, number>>>> = {
  builder: {
    iron_mine: 10,
    silver_mine: 9,
    fusion_plant: 7,
    zentrale: 6,
    h2_extractor: 5,
    shipyard: 3,
    planetary_shield: 2,
  },
  raider: {
    iron_mine: 8,
    silver_mine: 8,
    fusion_plant: 6,
    shipyard: 6,
    h2_extractor: 7,
    ember_extractor: 2,
    anti_spy: 2,
  },
  trader: { iron_mine: 9, silver_mine: 9, fusion_plant: 6, h2_extractor: 7, shipyard: 4, zentrale: 4, anti_spy: 2 },
  settler: { iron_mine: 9, silver_mine: 8, fusion_plant: 6, ember_extractor: 6, h2_extractor: 6, shipyard: 5 },
};
const DRIVES = ['drive_ion', 'drive_hyper', 'drive_interdim', 'drive_nexus'];
const LEVEL_MAX = 14;
const FLEETS_MAX = 12;
const COLONIES_MAX = 9;
/** Planets on either side that a fleet may fly to. */
const REACH = 25;
const HANGAR_OF_TRANSPORT = 20;
/** Systems on either side in which a settler looks for a free planet. */
const SETTLING_REACH = 2;

export class Choices {
  constructor(
    private readonly draws: Draws,
    private readonly atlas: Atlas,
  ) {}

  /**
   * Everything that a player does in a round.
   *
   * @param free planets that a colony ship may fly to
   */
  of(state: PlayerState, free: readonly string[]): Operation[] {
    const trade = tradeOf(state.id);
    return [
      ...this.#research(state),
      ...state.planets.flatMap((planet) => [...this.#building(planet, trade), ...this.#ships(planet, trade)]),
      ...this.#recall(state),
      ...(state.fleets.length < FLEETS_MAX ? state.planets.flatMap((planet) => this.#flight(state, planet, free)) : []),
    ];
  }

  /** Whether a player has a colony ship at home. */
  wantsColony({ planets }: PlayerState): boolean {
    return planets.length < COLONIES_MAX && planets.some((planet) => countOf(planet, 'colony_ship') > 0);
  }

  /** A system near one of its planets. */
  systemToSettle({ planets }: PlayerState): SystemPlace {
    const { galaxy, system } = placeOf(this.draws.pick(planets).id);
    return { galaxy, system: Math.max(0, system + this.draws.between(-SETTLING_REACH, SETTLING_REACH)) };
  }

  #research({ id, research }: PlayerState): Operation[] {
    if (research.some(({ isResearching }) => isResearching)) return [];
    const levelOf = (drive: string): number => research.find(({ type }) => type === drive)?.level ?? 0;
    const next = DRIVES.toSorted((one, other) => levelOf(one) - levelOf(other))[0] ?? '';
    return [post('/api/research/start', { playerId: id, researchType: next })];
  }

  #building({ id, buildings }: Planet, trade: Trade): Operation[] {
    if (buildings.some(({ constructionQueue }) => constructionQueue.length > 0)) return [];
    const levelOf = (name: string): number => buildings.find(({ type }) => type === name)?.level ?? 0;
    const open = Object.entries(WEIGHTS[trade]).filter(([name]) => levelOf(name) < LEVEL_MAX);
    const needs = open.map(([name, weight]) => ({ name, need: (levelOf(name) + 1) / weight }));
    const [next] = needs.sort((one, other) => one.need - other.need);
    if (next === undefined) return [];
    const path = levelOf(next.name) === 0 ? '/api/building/construct' : '/api/building/upgrade';
    return [post(path, { planetId: id, buildingType: next.name })];
  }

  #ships(planet: Planet, trade: Trade): Operation[] {
    const { id, buildings, shipyardQueue } = planet;
    const hasShipyard = buildings.some(({ type, level }) => type === 'shipyard' && level > 0);
    if (!hasShipyard || shipyardQueue.length > 0 || this.draws.oneIn(2)) return [];
    const [shipType, count] = this.#order(planet, trade);
    return [post('/api/shipyard/build', { planetId: id, shipType, count })];
  }

  #order(planet: Planet, trade: Trade): readonly [shipType: string, count: number] {
    if (countOf(planet, 'scout') === 0) return ['scout', 2];
    if (countOf(planet, 'transport') * HANGAR_OF_TRANSPORT <= countOf(planet, 'fighter')) return ['transport', 1];
    if (trade === 'settler' && countOf(planet, 'colony_ship') === 0) return ['colony_ship', 1];
    if (trade === 'trader') return ['transport', this.draws.between(1, 3)];
    return ['fighter', this.draws.between(2, 9)];
  }

  #recall({ id, fleets }: PlayerState): Operation[] {
    const outbound = fleets.find(({ state }) => state === 'outbound');
    if (outbound === undefined || !this.draws.oneIn(25)) return [];
    return [post(`/api/fleet/${outbound.id}/recall`, { playerId: id })];
  }

  /** A fleet from a planet, if it has ships for one. */
  #flight(state: PlayerState, planet: Planet, free: readonly string[]): Operation[] {
    const launch = (mission: string, target: string | undefined, ships: Readonly<Record<string, number>>, iron = 0) =>
      target === undefined ? [] : [launchOf(state.id, planet.id, { mission, target, ships, iron })];
    const neighbours = this.atlas.neighbours(state.id, planet.id, REACH);
    const neighbour = neighbours.length > 0 ? this.draws.pick(neighbours).planetId : undefined;
    const transports = countOf(planet, 'transport');
    const fighters = Math.min(countOf(planet, 'fighter'), transports * HANGAR_OF_TRANSPORT);
    if (countOf(planet, 'colony_ship') > 0 && free.length > 0) {
      return launch('colonize', this.draws.pick(free), { colony_ship: 1 });
    }
    const others = state.planets.filter(({ id }) => id !== planet.id);
    const iron = Math.min(Math.floor(planet.iron / 4), 500);
    switch (this.draws.below(6)) {
      case 0:
      case 1:
        if (fighters < 4) break;
        return launch('attack', neighbour, { transport: Math.ceil(fighters / HANGAR_OF_TRANSPORT), fighter: fighters });
      case 2:
        if (transports > 0) return launch('transport', neighbour, { transport: 1 }, iron);
        break;
      case 3:
        if (transports > 0 && others.length > 0)
          return launch('deploy', this.draws.pick(others).id, { transport: 1 }, iron);
        break;
      default:
    }
    return countOf(planet, 'scout') > 0 ? launch('espionage', neighbour, { scout: 1 }) : [];
  }
}

interface Flight {
  readonly mission: string;
  readonly target: string;
  readonly ships: Readonly<Record<string, number>>;
  readonly iron?: number;
}

/** The operation that launches a fleet. */
export function launchOf(playerId: string, origin: string, { mission, target, ships, iron = 0 }: Flight): Operation {
  return post('/api/fleet/launch', {
    playerId,
    mission,
    originPlanetId: origin,
    targetPlanetId: target,
    ships: Object.entries(ships).map(([type, count]) => ({ type, count })),
    ...(iron > 0 ? { resources: { iron } } : {}),
    // The slowest drive is the cheapest; only attacks are worth more.
    ...(mission === 'attack' ? {} : { drive: 'combustion' }),
  });
}

export function post(path: string, body: object): Operation {
  return { method: 'POST', path, body };
}

function tradeOf(playerId: string): Trade {
  return TRADES[Number(playerId.split('-')[1]) % TRADES.length] ?? 'builder';
}

function countOf({ planetShips }: Planet, type: string): number {
  return planetShips.find(({ shipType }) => shipType === type)?.count ?? 0;
}
