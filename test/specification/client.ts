// A client that was written from the interface specification alone. It imports nothing of ours but the specification's own tables
// of fields, knows no path, field or type name that the specification does not name, and guesses only what that leaves open.
import { deepStrictEqual, ok } from 'node:assert/strict';
import {
  BUILDING,
  CONSTRUCTION_ENTRY,
  type FieldTable,
  FLEET,
  FLEET_SHIP,
  faultsOf,
  GALAXY,
  LAUNCH,
  PLANET,
  PLANET_SYSTEM,
  PLAYER,
  RESEARCH,
  SHIPYARD,
  SHIPYARD_ENTRY,
  SIMULATION,
  SIMULATION_ENTRY,
  STOCK_ENTRY,
  SYSTEM,
  SYSTEM_VIEW,
  unknownFields,
} from './fields.js';

export interface Player {
  readonly id: string;
  readonly name: string;
  readonly planets: readonly Planet[];
  readonly fleets: readonly Fleet[];
  readonly research: readonly Research[];
}

export interface Planet {
  readonly id: string;
  readonly iron: number;
  readonly silver: number;
  readonly system: { readonly galaxyIndex: number; readonly index: number };
  readonly buildings: readonly Building[];
  readonly planetShips: readonly unknown[];
  readonly owner: { readonly id?: string } | null;
}

export interface Building {
  readonly type: string;
  readonly level: number;
  readonly constructionQueue: readonly {
    readonly targetLevel: number;
    readonly upgradeFinishAt: string;
    /** The specification does not say where the queueId comes from; one of these is a fair guess. */
    readonly id?: string;
    readonly queueId?: string;
  }[];
}

export interface Fleet {
  readonly id: string;
  readonly mission: string;
  readonly launchedAt: string;
  readonly arrivesAt: string;
  readonly returnsAt: string;
  readonly ships: readonly Ship[];
}

export interface Ship {
  readonly type: string;
  readonly count: number;
}

export interface Launch {
  readonly fleet: Fleet;
  readonly distance: number;
  readonly drive: string;
  readonly flightSeconds: number;
  readonly h2Cost: number;
}

export interface Simulation {
  readonly results: readonly (Omit<Launch, 'fleet'> & { readonly flightType: string; readonly possible: boolean })[];
  readonly distance: number;
  readonly flightType: string;
}

export interface Shipyard {
  readonly queue: readonly {
    readonly shipType: string;
    readonly count: number;
    readonly isBuilding: boolean;
    readonly buildFinishAt: string;
  }[];
  readonly stock: readonly { readonly shipType: string; readonly count: number }[];
}

export interface Research {
  readonly id: string;
  readonly type: string;
  readonly level: number;
  readonly isResearching: boolean;
  readonly researchFinishAt: string | null;
}

export interface SystemView {
  readonly galaxy: { readonly index: number };
  readonly system: { readonly index: number; readonly star: object };
  readonly planets: readonly Planet[];
}

/** What the server answered; a body that is not JSON is a failure. */
export interface Answer<Body> {
  readonly status: number;
  readonly body: Body;
}

/** How the client knows what time it is in the world, and lets it pass. */
export interface Clock {
  nowMs(): Promise<number>;
  waitUntil(atMs: number): Promise<void>;
}

/** The specification does not say what anything costs or produces: a client that cannot afford something asks again later. */
const ASK_AGAIN_MS = 3_600_000;
const ASKS_MAX = 1000;

export class SpecificationClient {
  /** @param baseUrl base URL of the server (specification, section 2) */
  constructor(
    private readonly baseUrl: string,
    readonly clock: Clock,
  ) {}

  async send<Body>(method: 'GET' | 'POST', path: string, body?: object): Promise<Answer<Body>> {
    deepStrictEqual(unknownFields(path, body ?? {}), [], `${path} has only fields that the specification shows`);
    const headers = body === undefined ? {} : { 'content-type': 'application/json' };
    const text = body === undefined ? null : JSON.stringify(body);
    const response = await fetch(`${this.baseUrl}${path}`, { method, headers, body: text });
    return { status: response.status, body: (await response.json()) as Body };
  }

  /** A request that must succeed. */
  async does<Body>(method: 'GET' | 'POST', path: string, body?: object, status?: number): Promise<Body> {
    const answer = await this.send<Body>(method, path, body);
    const isExpected = status === undefined ? answer.status < 300 : answer.status === status;
    ok(isExpected, `${method} ${path} ${JSON.stringify(body)}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  /** A request that a rule of the specification rejects. */
  async isRejected(method: 'GET' | 'POST', path: string, body?: object): Promise<void> {
    const { status } = await this.send(method, path, body);
    ok(status >= 400 && status < 500, `${method} ${path} ${JSON.stringify(body)} must be rejected: ${status}`);
  }

  /** A request that may have to wait for resources. */
  async doesOnceAffordable<Body>(path: string, body: object): Promise<Body> {
    let answer = await this.send<Body>('POST', path, body);
    for (let ask = 1; answer.status >= 400 && answer.status < 500 && ask < ASKS_MAX; ask += 1) {
      await this.clock.waitUntil((await this.clock.nowMs()) + ASK_AGAIN_MS);
      answer = await this.send<Body>('POST', path, body);
    }
    ok(answer.status < 300, `POST ${path} ${JSON.stringify(body)}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  async state(playerId: string): Promise<Player> {
    const player = await this.does<Player>('GET', `/api/game/state/${playerId}`);
    fits(player, PLAYER);
    for (const planet of player.planets) fitsPlanet(planet);
    for (const fleet of player.fleets) fitsFleet(fleet);
    for (const research of player.research) fits(research, RESEARCH);
    return player;
  }

  async planet(planetId: string): Promise<Planet> {
    const planet = await this.does<Planet>('GET', `/api/game/planet/${planetId}`);
    fitsPlanet(planet);
    return planet;
  }

  async shipyard(planetId: string): Promise<Shipyard> {
    const shipyard = await this.does<Shipyard>('GET', `/api/shipyard/planet/${planetId}`);
    fits(shipyard, SHIPYARD);
    for (const entry of shipyard.queue) fits(entry, SHIPYARD_ENTRY);
    for (const entry of shipyard.stock) fits(entry, STOCK_ENTRY);
    return shipyard;
  }

  async launch(body: object): Promise<Launch> {
    const launch = await this.doesOnceAffordable<Launch>('/api/fleet/launch', body);
    fits(launch, LAUNCH);
    fitsFleet(launch.fleet);
    return launch;
  }

  async simulate(body: object): Promise<Simulation> {
    const simulation = await this.does<Simulation>('POST', '/api/fleet/simulate', body);
    fits(simulation, SIMULATION);
    for (const entry of simulation.results) fits(entry, SIMULATION_ENTRY);
    return simulation;
  }

  async systemOf(planet: Planet): Promise<SystemView> {
    const { galaxyIndex, index } = planet.system;
    const view = await this.does<SystemView>('GET', `/api/game/galaxy/${galaxyIndex}/system/${index}`);
    fits(view, SYSTEM_VIEW);
    fits(view.galaxy, GALAXY);
    fits(view.system, SYSTEM);
    deepStrictEqual([view.galaxy.index, view.system.index], [galaxyIndex, index]);
    return view;
  }
}

export function building(planet: Planet, type: string): Building {
  const found = planet.buildings.find((candidate) => candidate.type === type);
  ok(found !== undefined, `${planet.id} has no ${type}`);
  return found;
}

export function fits(value: unknown, table: FieldTable): void {
  deepStrictEqual(faultsOf(value, table), [], JSON.stringify(value));
}

export function fitsPlanet(planet: Planet): void {
  fits(planet, PLANET);
  fits(planet.system, PLANET_SYSTEM);
  for (const building of planet.buildings) {
    fits(building, BUILDING);
    for (const entry of building.constructionQueue) fits(entry, CONSTRUCTION_ENTRY);
  }
}

function fitsFleet(fleet: Fleet): void {
  fits(fleet, FLEET);
  for (const ship of fleet.ships) fits(ship, FLEET_SHIP);
}
