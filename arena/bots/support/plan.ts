// The decisions of one wake: the commands, what each planet can still pay for, and when to wake again. carryOut() sends all commands at
// once.
import type { Catalog, Planet, Player, PlayerPort, Wish } from '../../bot.js';
import {
  type Amounts,
  affordableAt,
  earliest,
  type GameEvent,
  type Operation,
  operation,
} from '../../galaxyd-client.js';
import { amountsOf, covers } from './amounts.js';

/** Shortest sleep with few planets, at speed 1. Acting a little earlier is not worth a wake. */
const NAP_SECONDS = 600;
/** The shortest sleep grows with the number of planets, since more can be done together. */
const PLANETS_PER_NAP = 4;
const NAPS_MAX = 12;

/** Events that a bot cannot foresee and that may allow it to do more. */
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
    readonly port: PlayerPort,
    readonly state: Player,
  ) {}

  /** The types with a special role in the rules. */
  get roles(): Catalog['roles'] {
    return this.port.catalog.roles;
  }

  /** The stock of a planet after the commands so far. */
  stock(planet: Planet): Stock {
    return this.#stocks.get(planet.id) ?? planet;
  }

  canPay(planet: Planet, cost: Partial<Amounts>): boolean {
    return covers(this.stock(planet), cost);
  }

  /** When a planet can pay a cost after the commands so far; null if never. */
  payableAt(planet: Planet, cost: Partial<Amounts>): string | null {
    return affordableAt(this.stock(planet), this.port.now, cost);
  }

  /** Ships of a type on a planet, without those that the commands so far send away. */
  ships(planet: Planet, type: string): number {
    const there = planet.planetShips.find(({ shipType }) => shipType === type)?.count ?? 0;
    return there - this.away(planet, type);
  }

  /** Ships of a type that the commands so far send away. */
  away({ id }: Planet, type: string): number {
    return this.#sent.get(`${id} ${type}`) ?? 0;
  }

  /** Notes that ships leave a planet. */
  sent({ id }: Planet, ships: readonly { readonly type: string; readonly count: number }[]): void {
    for (const { type, count } of ships) {
      this.#sent.set(`${id} ${type}`, (this.#sent.get(`${id} ${type}`) ?? 0) + count);
    }
  }

  /** Ships of a type in production on a planet, including those of the commands so far. */
  ordered({ id, shipyardQueue }: Planet, type: string): number {
    const before = shipyardQueue.filter(({ shipType }) => shipType === type);
    return before.reduce((sum, { count }) => sum + count, this.#ordered.get(id)?.[type] ?? 0);
  }

  /** The type of ship in production on a planet, which refuses other types; null if its shipyard is idle. */
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

  /** Adds an instant at which the bot wants to be woken; null adds none. */
  wakeAt(instant: string | null): void {
    if (instant !== null) this.#instants.push(instant);
  }

  wakeIn(seconds: number): void {
    this.wakeAt(later(this.port.now, seconds));
  }

  /**
   * Sends the commands.
   *
   * @param on types of events that wake the bot
   * @returns when the bot wants to be woken
   */
  async carryOut(on: readonly GameEvent['type'][] = SURPRISES): Promise<Wish> {
    const { port, commands } = this;
    const { budget, now } = port;
    const commandsMax = budget?.commandsLeft ?? commands.length;
    await port.act(commands.slice(0, commandsMax));
    // Commands beyond the budget of the day wait for the next day.
    if (budget !== null && commands.length > commandsMax) return { at: budget.dayEndsAt, on: [] };
    const at = earliest(this.#instants);
    const soonest = later(now, Math.max(this.#napSeconds(), paceSeconds(port)));
    return { at: at !== null && at < soonest ? soonest : at, on };
  }

  #napSeconds(): number {
    const naps = this.state.planets.length / PLANETS_PER_NAP;
    return (NAP_SECONDS * Math.min(NAPS_MAX, Math.max(1, naps))) / this.port.catalog.speed;
  }
}

/** The shortest sleep that makes the remaining wakes last for the day. The first wakes may be twice as frequent as on average. */
function paceSeconds({ budget, now }: PlayerPort): number {
  if (budget === null) return 0;
  return (hoursBetween(now, budget.dayEndsAt) * 3_600) / (budget.wakeupsLeft + 1) / 2;
}

/** The instant some seconds after another one. */
export const later = (instant: string, seconds: number): string =>
  new Date(Date.parse(instant) + Math.ceil(seconds * 1_000)).toISOString();

/** Hours between two instants. */
export const hoursBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / 3_600_000;
