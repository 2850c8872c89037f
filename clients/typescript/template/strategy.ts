// What the bot does. This is the file to change: `galaxyd bot try .` says what a change is worth.
import { type GalaxydClient, GalaxydProblem, type Shapes } from './galaxyd-client.js';

/** Events that end the sleep in a game of turns. They are printed. */
export const WAKE_ON = ['planet_colonized', 'espionage_report', 'incoming_fleet', 'combat_report'] as const;
/** At speed 1. Plans work in between. Each look is a turn, and a game allows some a day. */
const WAKE_EVERY_MS = 2 * 3_600_000;
const BUILDINGS_PLANNED = 5;
const WANTED = ['mining', 'plasma_physics', 'administration'];
const [SHIPYARD, SCOUT] = ['shipyard', 'scout'];
const BUILD_SCOUT = { action: 'build_ships', shipType: SCOUT, count: 1 } as const;

export class Strategy {
  readonly #galaxyd: GalaxydClient;
  readonly #playerId: string;
  readonly #spiedOn = new Set<string>();
  #lastEventSeq = 0;

  constructor(galaxyd: GalaxydClient, playerId: string) {
    this.#galaxyd = galaxyd;
    this.#playerId = playerId;
  }

  /** Does what can be done now. @param speed of the world @returns when to look again */
  async act(speed: number): Promise<string> {
    await this.#readEvents();
    const path = { playerId: this.#playerId };
    const { body: state, worldTime } = await this.#galaxyd.get('/api/game/state/{playerId}', { params: { path } });
    const home = state.planets[0] as Shapes['Planet'];
    const hasScout = home.planetShips.some(({ shipType, count }) => shipType === SCOUT && count > 0);
    if (hasScout) await this.#spy(home.id);
    for (const { id } of state.planets) await this.#plan(id, id === home.id && !hasScout && this.#spiedOn.size === 0);
    return new Date(Date.parse(worldTime) + WAKE_EVERY_MS / speed).toISOString();
  }

  /** Prints what has happened since the last look. */
  async #readEvents(): Promise<void> {
    const params = { path: { playerId: this.#playerId }, query: { since: this.#lastEventSeq } };
    const { body: page } = await this.#galaxyd.get('/api/event/player/{playerId}', { params });
    this.#lastEventSeq = page.lastSeq;
    for (const { type, at, data } of page.events) if (WAKE_ON.some((one) => one === type)) console.log(at, type, data);
  }

  /** Gives a planet steps. It starts each by itself as soon as it can pay for it. */
  async #plan(planetId: string, needsScout: boolean): Promise<void> {
    const params = { path: { planetId } };
    const { options } = (await this.#galaxyd.get('/api/game/options/{planetId}', { params })).body;
    if (options.some(({ action }) => action === 'second_starter')) {
      const gift = { params: { path: { playerId: this.#playerId } } };
      const planet = await this.#command(() => this.#galaxyd.post('/api/game/planet/starter/{playerId}', gift));
      if (planet !== null) await this.#plan(planet.body.id, false);
    }
    const buildings = options
      .filter((each) => each.action === 'upgrade' || each.action === 'construct')
      .filter(({ startsAt }) => typeof startsAt === 'string')
      .sort((one, other) => hoursToPayBack(one) - hoursToPayBack(other));
    const steps: Shapes['PlanStep'][] = [];
    // A step that is blocked is skipped, as the first of these is if there is a shipyard.
    if (needsScout) steps.push({ action: 'construct', buildingType: SHIPYARD }, BUILD_SCOUT);
    for (const { action, buildingType } of buildings.slice(0, BUILDINGS_PLANNED)) steps.push({ action, buildingType });
    const open = options.map((each) => (each.action === 'research' ? each.researchType : ''));
    for (const researchType of WANTED)
      if (open.includes(researchType)) steps.push({ action: 'research', researchType });
    const plan = { params, body: { steps, onBlocked: 'skip' } } as const;
    await this.#command(() => this.#galaxyd.put('/api/plan/planet/{planetId}', plan));
  }

  /** Sends a scout to the best player whom none has visited, and whom it can reach. */
  async #spy(originPlanetId: string): Promise<void> {
    const { body: leaderboard } = await this.#galaxyd.get('/api/leaderboard');
    for (const { id, home } of leaderboard.players) {
      if (id === this.#playerId || this.#spiedOn.has(id) || home === null) continue;
      const trip = { originPlanetId, targetPlanetId: home.planetId, ships: [{ shipType: SCOUT, count: 1 }] };
      const { body: price } = await this.#galaxyd.post('/api/fleet/simulate', { body: trip });
      if (!price.results.some(({ possible }) => possible)) continue;
      this.#spiedOn.add(id);
      const body = { ...trip, playerId: this.#playerId, mission: 'espionage' } as const;
      await this.#command(() => this.#galaxyd.post('/api/fleet/launch', { body }));
      return;
    }
  }

  /** Sends a command. Prints a refusal and returns null. */
  async #command<Reply>(send: () => Promise<Reply>): Promise<Reply | null> {
    return await send().catch((error: unknown) => {
      if (!(error instanceof GalaxydProblem)) throw error;
      console.log(error.message);
      return null;
    });
  }
}

/** Until a building has produced what it costs. Those that produce nothing come last, the cheapest first. */
function hoursToPayBack({ cost, gain }: Pick<Shapes['UpgradeOption'], 'cost' | 'gain'>): number {
  const output = gain.production === undefined ? 0 : total(gain.production);
  return output > 0 ? total(cost) / output : 1e6 + total(cost);
}

const total = (amounts: object): number => Object.values(amounts).reduce((sum, units: number) => sum + units, 0);
