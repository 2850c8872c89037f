// A world while its rows come in, and what the rows of a player have in common: whom they belong to, what they are worth,
// which timers they have. It rebuilds what is derived, and finds out what no single row can tell.
import type { Rules } from '../rules/rules.js';
import { type Player, type TimerTargets, World, type WorldSettings } from '../state.js';
import type { TimerHandle } from '../timer-queue.js';

export class WorldDraft {
  readonly world: World;
  #owner: Player | null = null;
  /** What the owner's planets and fleets are worth. */
  #points = 0;
  readonly #timerIds: number[] = [];
  /** The highest number of a player that a row has named. */
  #namedNumber = 0;

  constructor(settings: WorldSettings, rules: Rules) {
    this.world = new World(settings, rules);
  }

  /** The player that the rows belong to that are coming in. */
  get owner(): Player {
    if (this.#owner === null) throw new Error('there is no player before it');
    return this.#owner;
  }

  /**
   * Adds the next player; the rows that follow belong to it.
   *
   * @throws Error where another bot has its name
   */
  beginPlayer(player: Player): void {
    this.#completePlayer();
    this.world.players.push(player);
    if (player.isBot) this.#nameBot(player);
    this.#owner = player;
    this.#points = 0;
  }

  /** Tells what something of the owner is worth: units of resources, as in state.ts addPoints. */
  addPoints(points: number): void {
    this.#points += points;
  }

  /** Schedules a timer under the id that it has. */
  schedule<Kind extends keyof TimerTargets>(
    id: number,
    deadlineMs: number,
    kind: Kind,
    target: TimerTargets[Kind],
  ): TimerHandle {
    this.#timerIds.push(id);
    return this.world.timers.schedule(id, deadlineMs, kind, target);
  }

  /** Names a player whose row may be yet to come. */
  namePlayer(playerNumber: number): number {
    this.#namedNumber = Math.max(this.#namedNumber, playerNumber);
    return playerNumber;
  }

  /** @throws Error where something that rows name has not come */
  complete(): World {
    this.#completePlayer();
    const { world } = this;
    const named = Math.max(this.#namedNumber, world.humanNumber);
    if (named > world.playerCount) throw new Error(`player ${named} is named, but there are ${world.playerCount}`);
    const { pass, galaxy, turn, step } = world.starters;
    Object.assign(world.starterScout, { pass, galaxy, turn, step });
    world.nowMs = Math.min(world.lastEntryMs, world.timers.nextDeadlineMs);
    const twice = firstTwice(this.#timerIds);
    if (twice !== undefined) throw new Error(`two timers have the id ${twice}`);
    return world;
  }

  #nameBot({ name, number }: Player): void {
    const { botNumbers } = this.world;
    const countBefore = botNumbers.size;
    botNumbers.set(name, number);
    // To ask before would be a second look into a Map that is in no cache.
    if (botNumbers.size === countBefore) throw new Error(`another bot has the name "${name}"`);
  }

  #completePlayer(): void {
    const player = this.#owner;
    if (player === null) return;
    if (player.planets.length < player.starterCount) {
      throw new Error(
        `player ${player.number} has ${player.planets.length} planets, ${player.starterCount} to begin with`,
      );
    }
    this.world.leaderboard.add(player.number, this.#points);
  }
}

/** A number that stands twice in a list. */
function firstTwice(numbers: readonly number[]): number | undefined {
  const sorted = Float64Array.from(numbers).sort();
  return sorted.find((number, index) => index > 0 && number === sorted[index - 1]);
}
