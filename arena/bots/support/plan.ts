// What a bot puts together in one wake: the commands, what its planets can still pay, and when to wake again. All is sent at
// once, at the end.
import type { Catalog, Hand, Planet, Player, Wish } from '../../bot.js';
import {
  type Amounts,
  affordableAt,
  earliest,
  type GameEvent,
  type Operation,
  operation,
} from '../../galaxyd-client.js';
import { amountsOf, covers } from './amounts.js';

/** Shortest sleep with few planets, at speed 1: what could be done a little earlier is not worth a wake of its own. */
const NAP_SECONDS = 600;
/** With more planets more happens, and is done together: the nap grows with them. */
const PLANETS_PER_NAP = 4;
const NAPS_MAX = 12;

/** Events that a bot cannot foresee, and after which it may be able to do more. */
export const SURPRISES: readonly GameEvent['type'][] = [
  'planet_colonized',
  'colonization_failed',
  'resources_received',
  'resources_granted',
];

/** What a planet has and makes in an hour. */
export type Stock = Amounts & { readonly production: Amounts };

export class Plan {
  readonly commands: Operation[] = [];
  readonly #stocks = new Map<string, Stock>();
  readonly #sent = new Map<string, number>();
  readonly #ordered = new Map<string, Record<string, number>>();
  readonly #instants: string[] = [];

  constructor(
    readonly hand: Hand,
    readonly state: Player,
  ) {}

  /** The types that have a special part in the rules. */
  get roles(): Catalog['roles'] {
    return this.hand.catalog.roles;
  }

  /** What a planet has after the commands so far. */
  stock(planet: Planet): Stock {
    return this.#stocks.get(planet.id) ?? planet;
  }

  canPay(planet: Planet, cost: Partial<Amounts>): boolean {
    return covers(this.stock(planet), cost);
  }

  /** When a planet can pay a cost, after the commands so far; null if never. */
  payableAt(planet: Planet, cost: Partial<Amounts>): string | null {
    return affordableAt(this.stock(planet), this.hand.now, cost);
  }

  /** Ships of a type that stand on a planet, without those that the commands so far send away. */
  ships(planet: Planet, type: string): number {
    const there = planet.planetShips.find(({ shipType }) => shipType === type)?.count ?? 0;
    return there - this.away(planet, type);
  }

  /** Those that the commands so far send away. */
  away({ id }: Planet, type: string): number {
    return this.#sent.get(`${id} ${type}`) ?? 0;
  }

  /** Ships leave a planet. */
  sent({ id }: Planet, ships: readonly { readonly type: string; readonly count: number }[]): void {
    for (const { type, count } of ships) {
      this.#sent.set(`${id} ${type}`, (this.#sent.get(`${id} ${type}`) ?? 0) + count);
    }
  }

  /** Ships of a type that are in production on a planet, with those of the commands so far. */
  ordered({ id, shipyardQueue }: Planet, type: string): number {
    const before = shipyardQueue.filter(({ shipType }) => shipType === type);
    return before.reduce((sum, { count }) => sum + count, this.#ordered.get(id)?.[type] ?? 0);
  }

  /** The type of ship that a planet produces now; null if its shipyard is idle. Another type would be refused. */
  inProduction({ id, shipyardQueue }: Planet): string | null {
    return shipyardQueue[0]?.shipType ?? Object.keys(this.#ordered.get(id) ?? {})[0] ?? null;
  }

  /** Orders ships, which the planet pays for. */
  order(planet: Planet, type: string, count: number, cost: Partial<Amounts>): void {
    const body = { planetId: planet.id, shipType: type, count };
    this.command(planet, operation.post('/api/shipyard/build', { body }), cost);
    this.#ordered.set(planet.id, { [type]: this.ordered({ ...planet, shipyardQueue: [] }, type) + count });
  }

  /** Adds a command that a planet pays for. */
  command(planet: Planet, operation: Operation, cost: Partial<Amounts> = {}): void {
    const stock = this.stock(planet);
    const left = amountsOf((resource) => stock[resource] - (cost[resource] ?? 0));
    this.#stocks.set(planet.id, { ...left, production: stock.production });
    this.commands.push(operation);
  }

  /** Wants to be woken at an instant; null is none. */
  wakeAt(instant: string | null): void {
    if (instant !== null) this.#instants.push(instant);
  }

  wakeIn(seconds: number): void {
    this.wakeAt(later(this.hand.now, seconds));
  }

  /**
   * Sends the commands.
   *
   * @param on kinds of events that shall wake the bot
   */
  async carryOut(on: readonly GameEvent['type'][] = SURPRISES): Promise<Wish> {
    const { hand, commands } = this;
    const { budget, now } = hand;
    const commandsMax = budget?.commandsLeft ?? commands.length;
    await hand.act(commands.slice(0, commandsMax));
    // What the budget of the day does not hold waits for the next one.
    if (budget !== null && commands.length > commandsMax) return { at: budget.dayEndsAt, on: [] };
    const at = earliest(this.#instants);
    const soonest = later(now, Math.max(this.#napSeconds(), paceSeconds(hand)));
    return { at: at !== null && at < soonest ? soonest : at, on };
  }

  #napSeconds(): number {
    const naps = this.state.planets.length / PLANETS_PER_NAP;
    return (NAP_SECONDS * Math.min(NAPS_MAX, Math.max(1, naps))) / this.hand.catalog.speed;
  }
}

/** The shortest sleep with which the wakes that are left last for the day: at its beginning twice as many as on average. */
function paceSeconds({ budget, now }: Hand): number {
  if (budget === null) return 0;
  return (hoursBetween(now, budget.dayEndsAt) * 3_600) / (budget.wakeupsLeft + 1) / 2;
}

/** An instant some seconds after another. */
export const later = (instant: string, seconds: number): string =>
  new Date(Date.parse(instant) + Math.ceil(seconds * 1_000)).toISOString();

/** Hours between two instants. */
export const hoursBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / 3_600_000;
