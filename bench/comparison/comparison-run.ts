// Measures two revisions in turn, A B B A, in the same run: what the machine does meanwhile touches both.
import { join } from 'node:path';
import type { ClosedLoop } from '../end-to-end/closed-loop.js';
import { type ClosedLoad, type Measurement, portionOf } from '../end-to-end/load.js';
import { MIXES, type Mix, type MixName } from '../end-to-end/mixes.js';
import { inTemporaryFolder, TEMPORARY_PLACE } from '../processes/temporary-folder.js';
import type { Progress } from '../reports/progress.js';
import { type GalaxydWorld, sizeOfWorld, startGalaxydWorld } from '../servers/galaxyd-world.js';
import type { UnitTask } from '../units/unit-case.js';
import { measureUnits } from '../units/unit-run.js';
import { type Checkout, checkOut } from './checkout.js';
import { ReadingRounds, type RoundReading, type Side } from './reading-rounds.js';
import type { ComparedReading } from './verdict.js';

export interface ComparisonPlan {
  /** What git knows the revisions by; a full stop is this checkout. */
  readonly before: string;
  readonly after: string;
  readonly units: readonly UnitTask[];
  readonly mixes: readonly MixName[];
  readonly players: number;
  readonly connections: number | undefined;
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
}

const SIDES: readonly Side[] = ['before', 'after'];

/** How many times runComparison() reports a step. */
export function comparisonSteps({ units, mixes, rounds }: ComparisonPlan): number {
  return rounds * (units.length + mixes.length);
}

export function runComparison(plan: ComparisonPlan, loop: ClosedLoop, progress: Progress): Promise<Comparison> {
  return inTemporaryFolder(TEMPORARY_PLACE, async (folder) => {
    progress.say(`building ${plan.before} and ${plan.after}`);
    const before = await checkOut(plan.before, join(folder, 'before'));
    const after = await checkOut(plan.after, join(folder, 'after'));
    try {
      const contest = new Contest(plan, { before, after }, loop, progress);
      await contest.measureUnits();
      for (const name of plan.mixes) {
        await inTemporaryFolder(TEMPORARY_PLACE, (worlds) => contest.measureMix(name, worlds));
      }
      return { revisions: [before.revision, after.revision], ...contest.outcome() };
    } finally {
      before.remove();
      after.remove();
    }
  });
}

class Contest {
  readonly #plan: ComparisonPlan;
  readonly #checkouts: Readonly<Record<Side, Checkout>>;
  readonly #loop: ClosedLoop;
  readonly #progress: Progress;
  readonly #rounds = new ReadingRounds();
  readonly #notes: string[] = [];

  constructor(plan: ComparisonPlan, checkouts: Readonly<Record<Side, Checkout>>, loop: ClosedLoop, progress: Progress) {
    this.#plan = plan;
    this.#checkouts = checkouts;
    this.#loop = loop;
    this.#progress = progress;
  }

  async measureUnits(): Promise<void> {
    const unfit = SIDES.map((side) => this.#checkouts[side]).filter(({ units }) => units === undefined);
    if (unfit.length > 0 && this.#plan.units.length > 0) {
      const names = unfit.map(({ revision }) => revision.name).join(' and ');
      this.#notes.push(`Units are left out: this suite does not compile against ${names}.`);
      for (let step = 0; step < this.#plan.units.length * this.#plan.rounds; step += 1)
        this.#progress.step('units left out');
      return;
    }
    for (let round = 0; round < this.#plan.rounds; round += 1) {
      for (const task of this.#plan.units) {
        for (const side of sidesOf(round)) {
          const program = this.#checkouts[side].units;
          const tell = (text: string) => this.#progress.say(`${side}: ${text}`);
          this.#rounds.add(side, await measureUnits(task, tell, program));
        }
        this.#progress.step(`${task.group}: round ${round + 1} of ${this.#plan.rounds}`);
      }
    }
  }

  /** Both servers are up at the same time; one at a time is loaded. */
  async measureMix(name: MixName, folder: string): Promise<void> {
    const { size, pace, durability } = {
      size: sizeOfWorld(this.#plan.players),
      pace: MIXES[name].pace,
      durability: this.#plan.durability,
    };
    const worlds: Partial<Record<Side, GalaxydWorld>> = {};
    try {
      for (const side of SIDES) {
        this.#progress.say(`setting up a world of ${size.players} bots, ${side}`);
        const program = this.#checkouts[side].server;
        worlds[side] = await startGalaxydWorld({ size, pace, durability, folder: join(folder, side), program });
      }
      const loads = { before: await this.#load(name, worlds.before), after: await this.#load(name, worlds.after) };
      await this.#measureLoads(name, loads);
    } finally {
      for (const side of SIDES) await worlds[side]?.server.stop();
    }
  }

  outcome(): Pick<Comparison, 'readings' | 'notes'> {
    const lonely = this.#rounds.lonely();
    const note = lonely.length === 0 ? [] : [`Only one revision has: ${lonely.join('; ')}.`];
    return { readings: this.#rounds.compared(), notes: [...this.#notes, ...note] };
  }

  async #load(name: MixName, world: GalaxydWorld | undefined): Promise<ClosedLoad | undefined> {
    const mix: Mix = MIXES[name];
    const requests = world === undefined ? [] : mix.requests(world.names, this.#plan.seed);
    const first = requests[0];
    if (world === undefined || first === undefined || !(await world.client.offers(first))) return undefined;
    const { cancelsWhatItBegins } = mix;
    const { seconds, connections = mix.connections } = this.#plan;
    return { url: world.server.url, connections, seconds, requests, cancelsWhatItBegins };
  }

  async #measureLoads(name: MixName, loads: Readonly<Record<Side, ClosedLoad | undefined>>): Promise<void> {
    const { rounds } = this.#plan;
    const missing = SIDES.filter((side) => loads[side] === undefined);
    if (missing.length > 0) {
      const names = missing.map((side) => this.#checkouts[side].revision.name).join(' and ');
      this.#notes.push(`The mix ${name} is left out: not offered by ${names}.`);
    }
    for (let round = 0; round < rounds; round += 1) {
      for (const side of missing.length > 0 ? [] : sidesOf(round)) {
        const load = loads[side];
        if (load === undefined) continue;
        const measured = await this.#loop.measure({ ...load, requests: portionOf(load, round, rounds) });
        this.#rounds.add(side, this.#readings(name, load, measured));
        if (measured.failures > 0)
          this.#notes.push(`${name}, ${side}, round ${round + 1}: ${measured.failures} failures.`);
      }
      this.#progress.step(`${name}: round ${round + 1} of ${rounds}`);
    }
  }

  #readings(name: MixName, { connections }: ClosedLoad, measured: Measurement): RoundReading[] {
    const { requestsPerSecond, p99Ms } = measured;
    const id = (what: string) => `${name}: ${what}, ${this.#plan.players} players, ${connections} connections`;
    return [
      { id: id('throughput'), unit: 'requests/s', isLowerBetter: false, median: requestsPerSecond },
      { id: id('p99'), unit: 'ms', isLowerBetter: true, median: p99Ms },
    ];
  }
}

/** Each revision begins as often as the other. */
function sidesOf(round: number): readonly Side[] {
  return round % 2 === 0 ? SIDES : SIDES.toReversed();
}
