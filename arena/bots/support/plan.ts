// What a bot puts together in one wake: the commands, what its planets can still pay, and when to wake again. All is sent at
// once, at the end.
import type { Hand, Planet, Player, Wish } from '../../bot.js';
import { type Amounts, affordableAt, earliest, type GameEvent, type Operation } from '../../galaxyd-client.js';
import { amountsOf, covers } from './amounts.js';

/** Shortest sleep with few planets, at speed 1: what could be done a little earlier is not worth a wake of its own. */
const NAP_SECONDS = 600;
/** With more planets more happens, and is done together: the nap grows with them. */
const PLANETS_PER_NAP = 4;
const NAPS_MAX = 6;

/** What nobody can foresee: it may let a bot do more, or ask it to. */
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
  readonly #instants: string[] = [];

  constructor(
    readonly hand: Hand,
    readonly state: Player,
  ) {}

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
    await this.hand.act(this.commands);
    const at = earliest(this.#instants);
    const planets = this.state.planets.length / PLANETS_PER_NAP;
    const naps = Math.min(NAPS_MAX, Math.max(1, planets)) / this.hand.catalog.speed;
    const soonest = later(this.hand.now, Math.round(NAP_SECONDS * naps));
    return { at: at !== null && at < soonest ? soonest : at, on };
  }
}

/** An instant some seconds after another. */
export const later = (instant: string, seconds: number): string =>
  new Date(Date.parse(instant) + Math.ceil(seconds * 1_000)).toISOString();

/** Hours between two instants. */
export const hoursBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / 3_600_000;
