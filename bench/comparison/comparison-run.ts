// Measures two revisions in turn, A B B A, in the same run: what the machine does meanwhile touches both.
import { join } from 'node:path';
import type { Run } from '../end-to-end/closed-loop.js';
import { type ClosedLoad, type Measurement, portionOf } from '../end-to-end/load.js';
import { loadOf, MIXES, type MixName } from '../end-to-end/mixes.js';
import { measureInTurn } from '../end-to-end/side-by-side.js';
import { inTemporaryFolder } from '../processes/clean-up.js';
import { type GalaxydWorld, sizeOfWorld, startGalaxydWorld } from '../servers/galaxyd-world.js';
import { TESTED } from '../servers/game-client.js';
import { measureUnits } from '../units/groups.js';
import type { UnitTask } from '../units/unit-case.js';
import { type Checkout, checkOut } from './checkout.js';
import { type ComparedReading, ReadingRounds, type RoundReading, type Side } from './readings.js';

export interface ComparisonPlan {
  /** What git knows the revisions by; a full stop is this checkout. */
  readonly before: string;
  readonly after: string;
  readonly units: readonly UnitTask[];
  readonly mixes: readonly MixName[];
  readonly players: number;
  readonly connections?: number;
  readonly seconds: number;
  readonly rounds: number;
  readonly durability: 'durable' | 'relaxed';
  readonly seed: number;
}

export interface Comparison {
  readonly revisions: readonly [Checkout['revision'], Checkout['revision']];
  readonly readings: readonly ComparedReading[];
  /** What could not be compared, and why. */
  readonly notes: readonly string[];
  /** Rounds in which requests failed. */
  readonly failures: readonly string[];
}

const SIDES: readonly Side[] = ['before', 'after'];

/** How many times runComparison() reports a step. */
export function comparisonSteps({ units, mixes, rounds }: ComparisonPlan): number {
  return rounds * (units.length + mixes.length);
}

/** Keeps the comparison of what was measured, once: at the end, or before it fails. */
export function runComparison(run: Run<ComparisonPlan, Comparison>): Promise<void> {
  const { plan, progress } = run;
  return inTemporaryFolder(async (folder) => {
    progress.say(`building ${plan.before} and ${plan.after}`);
    const before = await checkOut(plan.before, join(folder, 'before'));
    const after = await checkOut(plan.after, join(folder, 'after'));
    const contest = new Contest(run, { before, after });
    try {
      await contest.measureUnits();
      for (const name of plan.mixes) await inTemporaryFolder((worlds) => contest.measureMix(name, worlds));
    } finally {
      run.keep({ revisions: [before.revision, after.revision], ...contest.outcome() });
      before.remove();
      after.remove();
    }
  });
}

class Contest {
  readonly #rounds = new ReadingRounds();
  readonly #notes: string[] = [];
  readonly #failures: string[] = [];

  constructor(
    private readonly run: Run<ComparisonPlan, Comparison>,
    private readonly checkouts: Readonly<Record<Side, Checkout>>,
  ) {}

  async measureUnits(): Promise<void> {
    const { units, rounds } = this.run.plan;
    const unfit = this.#namesOf(SIDES.filter((side) => this.checkouts[side].units === undefined));
    if (unfit !== '' && units.length > 0) {
      this.#notes.push(`Units are left out: this suite does not compile against ${unfit}.`);
      this.run.progress.step('units left out', units.length * rounds);
      return;
    }
    for (const task of units) {
      await this.#inTurn(task.group, (side) => {
        const say = (text: string) => this.run.progress.say(`${side}: ${text}`);
        return measureUnits(task, say, this.checkouts[side].units);
      });
    }
  }

  /** Both servers are up at the same time; one at a time is loaded. */
  async measureMix(name: MixName, folder: string): Promise<void> {
    const { players, durability } = this.run.plan;
    const options = { size: sizeOfWorld(players), pace: MIXES[name].pace, durability };
    const worlds = new Map<Side, GalaxydWorld>();
    try {
      for (const side of SIDES) {
        this.run.progress.say(`setting up a world of ${players} bots, ${side}`);
        const { server: program } = this.checkouts[side];
        worlds.set(side, await startGalaxydWorld({ ...options, folder: join(folder, side), program }));
      }
      await this.#measureWorlds(name, worlds);
    } finally {
      for (const { server } of worlds.values()) await server.stop();
    }
  }

  outcome(): Omit<Comparison, 'revisions'> {
    const lonely = this.#rounds.lonely();
    const note = lonely.length === 0 ? [] : [`Only one revision has: ${lonely.join('; ')}.`];
    return { readings: this.#rounds.compared(), notes: [...this.#notes, ...note], failures: this.#failures };
  }

  async #measureWorlds(name: MixName, worlds: ReadonlyMap<Side, GalaxydWorld>): Promise<void> {
    const { rounds, seconds, seed, connections } = this.run.plan;
    const loads = new Map<Side, ClosedLoad>();
    for (const [side, world] of worlds) {
      const load = loadOf(name, world, seed, connections);
      const [first] = load.requests;
      if (first !== undefined && (await world.client.offers(first))) loads.set(side, { ...load, seconds });
    }
    const unfit = this.#namesOf(SIDES.filter((side) => !loads.has(side)));
    if (unfit !== '') {
      this.#notes.push(`The mix ${name} is left out: not offered by ${unfit}.`);
      this.run.progress.step(`${name} left out`, rounds);
      return;
    }
    await this.#inTurn(name, async (side, round) => {
      const load = { ...(loads.get(side) as ClosedLoad), server: `${TESTED} ${side}` };
      const measured = await this.run.loop.measure({ ...load, requests: portionOf(load, round, rounds) });
      const { failures, firstFailure } = measured;
      if (failures > 0) {
        this.#failures.push(
          `${name}, ${side}, round ${round + 1}: ${failures} failures, the first one: ${firstFailure}`,
        );
      }
      return this.#readings(name, load, measured);
    });
  }

  async #inTurn(name: string, measure: (side: Side, round: number) => Promise<readonly RoundReading[]>): Promise<void> {
    const { rounds } = this.run.plan;
    const onRound = (round: number) => this.run.progress.step(`${name}: round ${round} of ${rounds}`);
    const conclude = (measured: readonly (readonly (readonly RoundReading[])[])[]) => {
      for (const [index, side] of SIDES.entries()) {
        for (const readings of measured[index] ?? []) this.#rounds.add(side, readings);
      }
    };
    await measureInTurn(SIDES, { rounds, measure, onRound, conclude });
  }

  #readings(name: MixName, { connections }: ClosedLoad, measured: Measurement): RoundReading[] {
    const { requestsPerSecond, p99Ms } = measured;
    const id = (what: string) => `${name}: ${what}, ${this.run.plan.players} players, ${connections} connections`;
    return [
      { id: id('throughput'), unit: 'requests/s', isLowerBetter: false, median: requestsPerSecond },
      { id: id('p99'), unit: 'ms', isLowerBetter: true, median: p99Ms },
    ];
  }

  #namesOf(sides: readonly Side[]): string {
    return sides.map((side) => this.checkouts[side].revision.name).join(' and ');
  }
}
