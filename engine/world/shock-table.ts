// The shocks of a world that were announced, and what is counted for the next ones. Worlds without shocks have empty maps here. This file
// holds no rule of the game.

import type { PlanetKey, Universe } from '../map/universe.js';
import { OutputCourse } from '../numbers/output-course.js';
import { SLOTS_PER_SYSTEM } from '../rules/limits.js';
import { RESOURCES } from '../rules/resources.js';
import { OUTPUT_SHOCK } from '../rules/shock-effects.js';
import { NO_TIMER, type TimerHandle } from './timer-queue.js';

/** A shock of a galaxy. It keeps its own numbers: rules may change after it was announced. */
export interface Shock {
  /** Id of its first timer: unique, and never used again. */
  readonly number: number;
  readonly galaxy: number;
  /** Its type in the rules by which it was announced. */
  readonly type: string;
  /** Index into SHOCK_EFFECTS. */
  readonly effect: number;
  /** Whose output changes; 0 if none does. */
  readonly resource: number;
  /** Output in per cent of the usual, what pirates take of idle stocks, or what attackers may take in per cent of the usual. */
  readonly percent: number;
  /** Pirates leave what the player produces in this time. Milliseconds at speed 1; 0 for other effects. */
  readonly idleMs: number;
  /** On whom the bounty lies; 0 for other effects. */
  readonly playerNumber: number;
  readonly announcedAtMs: number;
  readonly startsAtMs: number;
  /** The same instant if all happens at once. */
  readonly endsAtMs: number;
  hasBegun: boolean;
  /** Of its beginning, then of its end; NO_TIMER once it is over. */
  timer: TimerHandle;
}

type ReadonlyShockKey = Pick<Readonly<Shock>, 'number' | 'galaxy' | 'resource'>;

/** What a player has looted in a galaxy. */
export interface Raid {
  readonly galaxy: number;
  readonly units: number;
}

export class ShockTable {
  /** Announced ones that are not over. */
  #pending: readonly Shock[] = [];
  /** Those that are over and have changed the output: stocks are settled later. */
  #past: readonly Shock[] = [];
  /** By galaxy and resource. */
  readonly #courses = new Map<number, OutputCourse>();
  /** What each player has looted since shocks were last announced, in the order of its first raids. */
  readonly #raids = new Map<number, readonly Raid[]>();
  readonly #keysPerGalaxy: number;
  /** The next announcement; NO_TIMER if the rules have no shocks. */
  timer: TimerHandle = NO_TIMER;
  /** World time of the next announcement. */
  nextAtMs = 0;

  constructor({ systemsPerGalaxy }: Pick<Universe, 'systemsPerGalaxy'>) {
    this.#keysPerGalaxy = systemsPerGalaxy * SLOTS_PER_SYSTEM;
  }

  get size(): number {
    return this.#pending.length;
  }

  /** Timers that are pending: those of the shocks, and of the next announcement. Under rules with shocks there always is one. */
  get timerCount(): number {
    return this.#pending.length + (this.timer === NO_TIMER ? 0 : 1);
  }

  /** A shock that is not over. */
  get(number: number): Shock | undefined {
    return this.#pending.find((shock) => shock.number === number);
  }

  /** Announced shocks that are not over, in the order of their numbers. */
  pending(): readonly Shock[] {
    return this.#pending;
  }

  /** Shocks that have changed the output, in the order of their ends. */
  past(): readonly Shock[] {
    return this.#past;
  }

  /** @param shock which begins after those of its galaxy have ended */
  add(shock: Shock): void {
    const { galaxy, effect, resource, percent, startsAtMs, endsAtMs } = shock;
    if (shock.timer === NO_TIMER) this.#past = [...this.#past, shock];
    else this.#pending = [...this.#pending, shock];
    if (effect !== OUTPUT_SHOCK) return;
    const place = galaxy * RESOURCES.length + resource;
    const course = this.#courses.get(place) ?? new OutputCourse();
    course.add(startsAtMs, endsAtMs, percent);
    this.#courses.set(place, course);
  }

  /** A shock is over, or ends early; no timer of it is pending. @param shock which changes no output if it ends early */
  end(shock: Shock): void {
    shock.timer = NO_TIMER;
    this.#pending = this.#pending.filter((other) => other !== shock);
    if (shock.effect === OUTPUT_SHOCK) this.#past = [...this.#past, shock];
  }

  /** @param shock that is over, the first of its galaxy; no stock was settled before its end */
  forget(shock: ReadonlyShockKey): void {
    this.#past = this.#past.filter(({ number }) => number !== shock.number);
    this.#courses.get(shock.galaxy * RESOURCES.length + shock.resource)?.forgetFirst();
  }

  /** How the output of a resource changes around a planet; undefined if it never has. */
  courseOf(key: PlanetKey, resource: number): OutputCourse | undefined {
    if (this.#courses.size === 0) return undefined;
    return this.#courses.get(this.galaxyOf(key) * RESOURCES.length + resource);
  }

  galaxyOf(key: PlanetKey): number {
    return Math.floor(key / this.#keysPerGalaxy) + 1;
  }

  addRaid(playerNumber: number, galaxy: number, units: number): void {
    const raids = this.raidsOf(playerNumber);
    const before = raids.find((raid) => raid.galaxy === galaxy);
    const after = { galaxy, units: units + (before?.units ?? 0) };
    const changed = before === undefined ? [...raids, after] : raids.map((raid) => (raid === before ? after : raid));
    this.#raids.set(playerNumber, changed);
  }

  raidsOf(playerNumber: number): readonly Raid[] {
    return this.#raids.get(playerNumber) ?? [];
  }

  get hasRaids(): boolean {
    return this.#raids.size > 0;
  }

  forgetRaids(): void {
    this.#raids.clear();
  }

  forgetRaidsOf(playerNumber: number): void {
    this.#raids.delete(playerNumber);
  }
}
