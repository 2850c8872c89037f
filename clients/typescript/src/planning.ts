// What a planner computes from one reading of a planet, without asking again: production is even until something
// happens there.

/** Whole units, by resource. */
export type Amounts = Readonly<Record<Resource, number>>;

/** The part of a planet that planning needs. `production` is in units per hour. */
export interface Producing extends Amounts {
  readonly production: Amounts;
}

const RESOURCES = ['iron', 'silver', 'ember', 'h2', 'energy'] as const;

export type Resource = (typeof RESOURCES)[number];

const HOUR_MS = 3_600_000;
/** Last instant of world time: later ones have no text of the form that the server writes. */
const WORLD_TIME_MS_MAX = Date.UTC(9999, 11, 31, 23, 59, 59);

/**
 * The stock of a planet at an instant, in whole units. It is what the server would show, or one unit less, since the
 * reading was rounded down. It holds as long as nothing but time changes the planet: until its `nextTimerAt`, and as
 * long as you spend nothing and no fleet arrives.
 *
 * @param asOf world time of the reading: `asOf` of the reply
 * @param instant world time, not before `asOf`
 */
export function stockAt(planet: Producing, asOf: string, instant: string): Record<Resource, number> {
  const hours = Math.max(0, Date.parse(instant) - Date.parse(asOf)) / HOUR_MS;
  return {
    iron: Math.floor(planet.iron + planet.production.iron * hours),
    silver: Math.floor(planet.silver + planet.production.silver * hours),
    ember: Math.floor(planet.ember + planet.production.ember * hours),
    h2: Math.floor(planet.h2 + planet.production.h2 * hours),
    energy: Math.floor(planet.energy + planet.production.energy * hours),
  };
}

/**
 * When production alone has covered a cost. It is never too early, and at most the time of one unit too late.
 *
 * @param asOf world time of the reading: `asOf` of the reply
 * @returns world time; `asOf` if the stock covers it already; null if production never does, or not before world time ends
 */
export function affordableAt(planet: Producing, asOf: string, cost: Partial<Amounts>): string | null {
  let waitMs = 0;
  for (const resource of RESOURCES) {
    const missing = (cost[resource] ?? 0) - planet[resource];
    if (missing <= 0) continue;
    if (planet.production[resource] <= 0) return null;
    waitMs = Math.max(waitMs, Math.ceil((missing / planet.production[resource]) * HOUR_MS));
  }
  const atMs = Date.parse(asOf) + waitMs;
  return atMs > WORLD_TIME_MS_MAX ? null : new Date(atMs).toISOString();
}

/** The earliest of some instants; null if there is none. */
export function earliest(instants: Iterable<string | null>): string | null {
  let first: string | null = null;
  for (const instant of instants) {
    if (instant !== null && (first === null || Date.parse(instant) < Date.parse(first))) first = instant;
  }
  return first;
}
