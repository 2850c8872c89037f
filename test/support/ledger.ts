// Follows a world from its beginning and says what is wrong with it: what exists is not what the accounts say, exactly; or timers, points,
// the leaderboard or plans are not what follows from what exists.
import type { WorldCommand } from '../../engine/commands/table.js';
import type { RuleSet } from '../../engine/rules/rule-set.js';
import { isRefusal } from '../../engine/terms/rejections.js';
import type { ReadonlyPlanet } from '../../engine/world/state.js';
import { Accounts } from './accounts.js';
import { exactPlayerPoints } from './exact-formulas.js';
import { planFaults } from './plan-oracle.js';
import type { WorldStory } from './world-story.js';

export class Ledger {
  readonly accounts: Accounts;
  /** Number of the story's events that are booked. */
  #booked = 0;

  /** @param story of a world in which nobody has been yet */
  constructor(readonly story: WorldStory) {
    if (story.world.lastPlayerNumber > 0) throw new Error('a ledger begins with its world');
    this.accounts = new Accounts(
      this.#rules,
      story.world.universe,
      story.world.settings.speedThousandths,
      (playerNumber, reportNumber) => {
        const report = story.world.players.get(playerNumber)?.reports.find(({ number }) => number === reportNumber);
        if (report?.type !== 'combat') throw new Error(`player ${playerNumber} has no report ${reportNumber}`);
        return report.cargoLost;
      },
    );
  }

  /** Lets time pass one deadline at a time. */
  advanceTo(atMs: number, afterEach: () => void = () => {}): void {
    const { story } = this;
    while (story.engine.nextDeadlineMs() <= atMs) {
      story.advanceTo(story.engine.nextDeadlineMs());
      this.#book(null);
      afterEach();
    }
    story.advanceTo(atMs);
    this.#book(null);
  }

  /** Applies a command now, after what is due. @returns whether it was accepted */
  attempt(command: WorldCommand): boolean {
    const { story } = this;
    this.advanceTo(story.nowMs);
    if (isRefusal(story.attempt(command))) return false;
    if (command.type === 'switch_rules') this.accounts.switchRules(this.#rules, story.nowMs);
    this.#book(command.type);
    return true;
  }

  /** What is wrong with the world; empty if nothing. */
  faults(): string[] {
    const { engine, world, nowMs } = this.story;
    return [
      ...this.accounts.faults(world, nowMs),
      ...this.#wrongTimers(),
      ...this.#negatives(),
      ...this.#wrongPoints(),
      ...planFaults(engine),
    ];
  }

  /** @param cause null for a tick */
  #book(cause: WorldCommand['type'] | null): void {
    const { events } = this.story;
    this.accounts.record(events.slice(this.#booked), cause);
    this.#booked = events.length;
  }

  get #rules(): RuleSet {
    return this.story.world.rules.set;
  }

  #wrongTimers(): string[] {
    const { timers, fleets, players, plans, offers, goods, shocks } = this.story.world;
    const planets = this.#planets();
    const lanes = planets.flatMap(({ row }) => plans.get(row)?.deadlinesMs ?? []);
    const expected =
      planets.filter(({ upgrade }) => upgrade).length +
      planets.filter(({ orders }) => orders.length).length +
      [...players.values()].filter(({ research }) => research !== null).length +
      lanes.filter((deadlineMs) => deadlineMs > 0).length +
      fleets.size -
      this.accounts.stationedCount +
      offers.size +
      goods.size +
      this.accounts.pactCount +
      shocks.timerCount;
    return timers.size === expected ? [] : [`${timers.size} timers are pending instead of ${expected}`];
  }

  #negatives(): string[] {
    const quantities = [
      ...this.#planets().flatMap((planet) => [...planet.ships, ...planet.levels, ...this.story.stocks(planet)]),
      ...[...this.story.world.fleets.values()].flatMap(({ ships, cargo, h2Cost }) => [...ships, ...cargo, h2Cost]),
    ];
    return quantities
      .filter((quantity) => !(quantity >= 0 && Number.isInteger(quantity)))
      .map((quantity) => `${quantity} of something`);
  }

  #wrongPoints(): string[] {
    const { world } = this.story;
    const players = [...world.players.values()];
    const faults = players.flatMap((player) => {
      const exact = exactPlayerPoints(player, this.#rules);
      return player.points === exact ? [] : [`player ${player.number} has ${player.points} points instead of ${exact}`];
    });
    const ranking = players.sort((a, b) => b.points - a.points || a.number - b.number).map(({ number }) => number);
    if (String(world.leaderboard.first(players.length)) !== String(ranking))
      faults.push('the leaderboard is out of order');
    return faults;
  }

  #planets(): ReadonlyPlanet[] {
    return [...this.story.world.planets.values()];
  }
}
