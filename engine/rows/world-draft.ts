// A world that is being loaded. It tracks what the rows of a player share: their owner, points and timers. It rebuilds
// derived values and detects faults that no single row shows.

import { PointSum } from '../planets/points.js';
import { FORMER_NAMES_PER_PLAYER_MAX } from '../rules/record-limits.js';
import type { Rules } from '../rules/rules.js';
import type { Fleet } from '../world/fleet-table.js';
import type { FormerName, Player, PlayerIdentity } from '../world/player-table.js';
import { World, type WorldSettings } from '../world/state.js';
import type { TimerHandle, TimerKind } from '../world/timer-queue.js';
import type { EventBytes } from './events-row.js';

export class WorldDraft {
  readonly world: World;
  /** Has the bytes of the events, if they are not in the rows. */
  eventBytes: EventBytes | undefined;
  /** The last number that a player has had, if some are retired; null if none is. */
  lastPlayerNumber: number | null = null;
  /** Number of the message to one player that was read last. */
  lastMessageNumber = 0;
  /** Number of the pact that was read last; 0 before the first. */
  lastPactNumber = 0;
  /** When the last shock of each galaxy ends, of those that were read. */
  readonly #shockEndsMs = new Map<number, number>();
  readonly #shockNumbers = new Set<number>();
  #owner: Player | null = null;
  /** Points of what the owner has. */
  points = new PointSum();
  readonly #timerIds: number[] = [];
  /** The highest player number that a row refers to. */
  #referencedNumber = 0;

  /** Fleets at planets whose rows may follow later. */
  readonly #stationed: Fleet[] = [];

  /** Players who alone can take an offer. */
  readonly #addressees: number[] = [];

  readonly #rulesVersion: number;
  #hasEvents = false;

  constructor(settings: WorldSettings, rules: Rules) {
    this.#rulesVersion = settings.rulesVersion;
    this.world = new World(settings, rules);
  }

  /** The player that the current rows belong to. */
  get owner(): Player {
    if (this.#owner === null) throw new Error('no player precedes it');
    return this.#owner;
  }

  /** Number of the last player that was read. */
  get lastReadNumber(): number {
    return this.world.lastPlayerNumber;
  }

  /**
   * Adds a player, whose number is above those before it; the rows that follow belong to it.
   *
   * @throws Error if another bot has its name
   */
  beginPlayer(number: number, identity: PlayerIdentity): Player {
    this.#completePlayer();
    this.#skipRetired(number - 1);
    const player = this.world.players.add(identity);
    this.#registerName(player);
    this.#owner = player;
    this.points = new PointSum();
    return player;
  }

  /** Schedules a timer with an existing id. @throws Error if it should have fired before the world began */
  schedule(id: number, deadlineMs: number, kind: TimerKind, target: number): TimerHandle {
    // An event of that instant could not be recorded.
    if (deadlineMs < this.world.settings.startMs) throw new Error(`its timer ${id} ends before the world began`);
    this.#timerIds.push(id);
    return this.world.timers.schedule(id, deadlineMs, kind, target);
  }

  /** Checks a reference to a player whose row has been read. @returns its number @throws Error if there is no such player */
  presentPlayer(playerNumber: number): number {
    if (!this.world.players.has(playerNumber)) throw new Error(`player ${playerNumber} does not exist`);
    return playerNumber;
  }

  /** Records a reference to a player whose row may follow later. @returns the number of the player */
  referencePlayer(playerNumber: number): number {
    this.#referencedNumber = Math.max(this.#referencedNumber, playerNumber);
    return playerNumber;
  }

  /** Records whom an offer is for. @param playerNumber 0 for everybody */
  addressOffer(playerNumber: number): number {
    if (playerNumber > 0) this.#addressees.push(playerNumber);
    return playerNumber;
  }

  /** World time at which the last shock of a galaxy ends, of those that were read. */
  shockEndsMs(galaxy: number): number {
    return this.#shockEndsMs.get(galaxy) ?? 0;
  }

  /** @throws Error if another shock has its number */
  noteShock(number: number, galaxy: number, endsAtMs: number): void {
    if (this.#shockNumbers.has(number)) throw new Error(`there are two shocks ${number}`);
    this.#shockNumbers.add(number);
    this.#shockEndsMs.set(galaxy, endsAtMs);
  }

  /** Lets a fleet stay at its target. */
  station(fleet: Fleet): void {
    fleet.station();
    this.#stationed.push(fleet);
  }

  /** Begins the rows of the events. @throws Error if they have begun before */
  beginEvents(): void {
    if (this.#hasEvents) throw new Error('there are two such rows');
    this.#hasEvents = true;
    this.endPlayers();
  }

  /** Ends the rows of the players: the numbers after the last one belong to retired players. */
  endPlayers(): void {
    this.#skipRetired(this.lastPlayerNumber ?? 0);
  }

  /** @throws Error if the rows contradict each other */
  complete(): World {
    this.#completePlayer();
    const { world } = this;
    if (world.rules.version !== this.#rulesVersion)
      throw new Error(`its rules need version ${world.rules.version}, not ${this.#rulesVersion}`);
    if (!this.#hasEvents) throw new Error('there is no row of the event log');
    if (this.lastPlayerNumber !== null && world.retiredCount === 0) throw new Error('nobody is retired');
    const number = Math.max(this.#referencedNumber, world.humanNumber);
    if (number > world.lastPlayerNumber)
      throw new Error(`player ${number} does not exist: there are ${world.playerCount}`);
    if (world.humanNumber > 0 && !world.players.has(world.humanNumber))
      throw new Error(`the human, player ${world.humanNumber}, is retired`);
    world.starters.searchAgain();
    world.nowMs = Math.min(world.lastEntryMs, world.timers.nextDeadlineMs);
    if ((world.lineages.list.at(-1)?.playersBefore ?? 0) > world.lastPlayerNumber)
      throw new Error('a lineage counts players that were never created');
    const duplicate = firstDuplicate(this.#timerIds);
    if (duplicate !== undefined) throw new Error(`two timers have the id ${duplicate}`);
    for (const { number, ownerNumber, targetKey } of this.#stationed) {
      const host = world.planets.get(targetKey)?.ownerNumber;
      if (host === undefined || host === ownerNumber) throw new Error(`fleet ${number} supports no other player`);
    }
    for (const addressee of this.#addressees) {
      if (!world.players.has(addressee)) throw new Error(`an offer is for player ${addressee}, who does not exist`);
    }
    if (this.eventBytes === undefined) world.eventLog.requireComplete();
    return world;
  }

  /** Counts the numbers up to this one as those of retired players. */
  #skipRetired(lastNumber: number): void {
    const { world } = this;
    while (world.lastPlayerNumber < lastNumber) {
      world.players.skip();
      world.retiredCount += 1;
    }
  }

  /** Adds a name that the owner had before. @throws Error if another player has it, or there are too many */
  addFormerName(former: FormerName): void {
    const { owner } = this;
    const { namedNumbers } = this.world;
    const { formerNames, number, name } = owner;
    const isTwice = former.name === name || formerNames.some((other) => other.name === former.name);
    if (isTwice || formerNames.length === FORMER_NAMES_PER_PLAYER_MAX)
      throw new Error('the player has it twice, or too many');
    const holder = namedNumbers.numberOf(former.nameKey);
    if (holder !== 0 && holder !== number)
      throw new Error(`another player has the name "${former.name}", or one like it`);
    owner.formerNames = [...formerNames, former];
    if (holder === 0) namedNumbers.add(former.nameKey, number);
  }

  #registerName({ name, nameKey, number }: Player): void {
    const { namedNumbers } = this.world;
    if (namedNumbers.numberOf(nameKey) !== 0) throw new Error(`another player has the name "${name}", or one like it`);
    namedNumbers.add(nameKey, number);
  }

  #completePlayer(): void {
    const player = this.#owner;
    if (player === null) return;
    const { number, planetCount, starterCount } = player;
    if (planetCount < starterCount)
      throw new Error(`player ${number} has ${planetCount} planets, but its starter count is ${starterCount}`);
    this.world.leaderboard.add(number, this.points.whole);
    player.pointHundredths = this.points.hundredths;
  }
}

/** The lowest number that occurs twice in a list. */
function firstDuplicate(numbers: readonly number[]): number | undefined {
  const sorted = Float64Array.from(numbers).sort();
  return sorted.find((number, index) => index > 0 && number === sorted[index - 1]);
}
