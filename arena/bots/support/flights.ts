// Flights: priced with /api/fleet/simulate, launched with the drive that suits, several at once.
import type { Planet } from '../../bot.js';
import { type Amounts, operation, type Shapes } from '../../galaxyd-client.js';
import { total } from './amounts.js';
import type { Plan } from './plan.js';

/** What a fleet carries. */
export type Cargo = Omit<Amounts, 'energy'>;

export interface Flight {
  readonly from: Planet;
  readonly targetId: string;
  readonly mission: Shapes['Mission'];
  readonly ships: readonly { readonly type: string; readonly count: number }[];
  readonly cargo?: Partial<Cargo>;
  /** It takes the drive that needs the least h2 of those that are not much slower than the fastest. */
  readonly isLeisurely?: boolean;
}

/** A flight that is in no hurry may be slower by so much, at speed 1. */
const LEISURE_SECONDS = 1_800;

/** A flight that was launched. */
export interface Launched extends Flight {
  readonly h2Cost: number;
  readonly flightSeconds: number;
}

/**
 * Launches those of some flights that are possible and that would not turn round on arrival, each with its fastest drive of which
 * the origin can pay the h2. All are priced in one request.
 */
export async function launch(plan: Plan, flights: readonly Flight[]): Promise<Launched[]> {
  const { playerId } = plan.hand;
  const bodies = flights.map(({ from, targetId, mission, ships, cargo = {} }) => {
    const fleet = { playerId, mission, originPlanetId: from.id, targetPlanetId: targetId };
    return { ...fleet, ships: ships.filter(({ count }) => count > 0), resources: cargo };
  });
  const simulations = await Promise.all(
    bodies.map((body) => plan.hand.read(operation.post('/api/fleet/simulate', { body }))),
  );
  return flights.flatMap((flight, index) => {
    const cargo = flight.cargo ?? {};
    const body = bodies[index];
    const payable = (simulations[index]?.results ?? []).filter(
      ({ possible, h2Cost, warnings }) =>
        possible && warnings.length === 0 && plan.canPay(flight.from, { ...cargo, h2: h2Cost + (cargo.h2 ?? 0) }),
    );
    const best = driveFor(payable, flight.isLeisurely === true ? LEISURE_SECONDS / plan.hand.catalog.speed : 0);
    if (best === undefined || body === undefined) return [];
    const { drive, h2Cost, flightSeconds } = best;
    const request = operation.post('/api/fleet/launch', { body: { ...body, drive } });
    plan.command(flight.from, request, { ...cargo, h2: h2Cost + (cargo.h2 ?? 0) });
    plan.sent(flight.from, flight.ships);
    return [{ ...flight, h2Cost, flightSeconds }];
  });
}

/** The result with the lowest h2 cost of those that are not slower than the fastest by more than some seconds. */
function driveFor<Result extends Pick<Launched, 'flightSeconds' | 'h2Cost'>>(
  results: readonly Result[],
  leisureSeconds: number,
): Result | undefined {
  const fastest = Math.min(...results.map(({ flightSeconds }) => flightSeconds));
  return results
    .filter(({ flightSeconds }) => flightSeconds <= fastest + leisureSeconds)
    .sort((one, other) => one.h2Cost - other.h2Cost || one.flightSeconds - other.flightSeconds)[0];
}

/** What fits into some cargo space, of each resource in proportion to what there is. */
export function cargoFrom(stock: Partial<Amounts>, space: number): Cargo {
  const share = Math.min(1, space / Math.max(1, total({ ...stock, energy: 0 })));
  const part = (units = 0): number => Math.floor(Math.max(0, units) * share);
  return { iron: part(stock.iron), silver: part(stock.silver), ember: part(stock.ember), h2: part(stock.h2) };
}
