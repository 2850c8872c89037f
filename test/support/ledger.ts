// Double-entry books over a world: what should be there after all that was produced, granted, paid, refunded, burned
// and lost, computed without the engine's own tables. The world must agree with them after every entry.
import type { WorldCommand } from '../../engine/commands/table.js';
import { isRefusal } from '../../engine/rejections.js';
import { H2, RESOURCES } from '../../engine/resources.js';
import type { RuleSet } from '../../engine/rules/rule-set.js';
import type { ReadonlyFleet, ReadonlyPlanet } from '../../engine/state.js';
import { stockThousandths } from '../../engine/stocks.js';
import { unitList } from './command-words.js';
import {
  exactCost,
  exactOutputPercent,
  exactPlanetOutput,
  exactPlayerPoints,
  exactShipCost,
  total,
} from './exact-formulas.js';
import { planFaults } from './plan-oracle.js';
import { HOUR_MS, type WorldStory } from './world-story.js';

/** Stocks are booked in thousandths of a unit x milliseconds of an hour, in which production is a whole number. */
const UNIT = 1000n * BigInt(HOUR_MS);
const STARTER = unitList({ iron: 500, silver: 250, h2: 100, energy: 100 });

export class Ledger {
  /** Resources that planets and fleets should hold together. */
  readonly #resources: bigint[];
  /** Ships that planets, orders and fleets should hold together, by type. */
  readonly #ships: number[];
  /** What upgrades cost when they started, by queue number. */
  readonly #paid = new Map<number, readonly number[]>();
  /** How many fractions of a thousandth may have been dropped: one at each completed building and at each read. */
  #roundings: number;
  #lastReportNumber: number;
  #bookedMs: number;

  constructor(readonly story: WorldStory) {
    this.#resources = RESOURCES.map((_, resource) => this.#heldThousandths(resource) * BigInt(HOUR_MS));
    this.#ships = this.#heldShips();
    this.#roundings = this.#planets().length;
    this.#lastReportNumber = story.world.lastReportNumber;
    this.#bookedMs = story.nowMs;
  }

  /** Lets time pass one deadline at a time, so that the output between any two of them is known. */
  advanceTo(atMs: number, afterEach: () => void): void {
    const { story } = this;
    while (story.engine.nextDeadlineMs() <= atMs) {
      const planetsBefore = this.#planets().length;
      const eventsBefore = story.events.length;
      this.#bookProduction(story.engine.nextDeadlineMs());
      story.advanceTo(story.engine.nextDeadlineMs());
      this.#bookPlans(eventsBefore);
      this.#bookShips(story.world.rules.colonyShip, planetsBefore - this.#planets().length);
      this.#bookReports();
      afterEach();
    }
    this.#bookProduction(atMs);
    story.advanceTo(atMs);
  }

  /** Applies a command and books what it should have moved. @returns whether it was accepted */
  attempt(command: WorldCommand): boolean {
    const { story } = this;
    const planet = 'planetKey' in command ? story.world.planets.get(command.planetKey) : undefined;
    const startersBefore = this.#starters();
    const cancelled = planet?.orders.map(({ shipType, count }) => ({ shipType, count })) ?? [];
    const leaver = command.type === 'retire_players' ? this.#heldBy(command.playerNumbers) : null;
    const eventsBefore = story.events.length;
    const outcome = story.attempt(command);
    if (isRefusal(outcome)) return false;
    this.#bookPlans(eventsBefore);
    if (leaver !== null) {
      this.#bookLeaver(leaver);
      return true;
    }
    this.#book(STARTER, this.#starters() - startersBefore);
    if (command.type === 'grant_resources') this.#book(command.amounts, 1);
    if (planet !== undefined && (command.type === 'construct_building' || command.type === 'upgrade_building')) {
      this.#book(exactCost(command.buildingType, (planet.levels[command.buildingType] ?? 0) + 1, this.#set), -1);
    }
    if (command.type === 'cancel_building') this.#book(this.#paid.get(command.queueNumber) ?? [], 1);
    if (command.type === 'switch_rules') this.#roundings += this.#planets().length;
    if (command.type === 'build_ships') {
      this.#book(exactShipCost(command.shipType, command.count, this.#set), -1);
      this.#bookShips(command.shipType, command.count);
    }
    if (command.type === 'cancel_ships') for (const { shipType, count } of cancelled) this.#bookShips(shipType, -count);
    if ('h2Cost' in outcome && command.type === 'launch_fleet') this.#book(unitList({ h2: outcome.h2Cost }), -1);
    return true;
  }

  /** What the world and the books disagree about; empty if they agree. */
  faults(): string[] {
    const { world } = this.story;
    const faults: string[] = [];
    for (const [resource, name] of RESOURCES.entries()) {
      const missing = (this.#resources[resource] ?? 0n) - this.#heldThousandths(resource) * BigInt(HOUR_MS);
      const rounding = BigInt(this.#roundings + this.#planets().length) * BigInt(HOUR_MS);
      if (missing <= -rounding || missing >= rounding)
        faults.push(`${Number((missing * 1000n) / UNIT) / 1000} ${name} are missing`);
    }
    const held = this.#heldShips();
    for (const [type, { type: name }] of this.#set.ships.entries()) {
      const booked = this.#ships[type] ?? 0;
      if (held[type] !== booked) faults.push(`${held[type]} ${name} instead of ${booked}`);
    }
    const timers =
      this.#planets().filter(({ upgrade }) => upgrade).length +
      this.#planets().filter(({ orders }) => orders.length).length;
    const researching = world.players.filter((player) => player?.research != null).length;
    if (world.timers.size !== timers + researching + world.fleets.size + this.#planTimers())
      faults.push(`${world.timers.size} timers are pending`);
    return [...faults, ...this.#negatives(), ...this.#wrongPoints(), ...planFaults(this.story.engine)];
  }

  get #set(): RuleSet {
    return this.story.world.rules.set;
  }

  #planTimers(): number {
    const plans = this.#planets().map(({ row }) => this.story.world.plans.get(row));
    return plans.flatMap((plan) => plan?.deadlinesMs ?? []).filter((deadlineMs) => deadlineMs > 0).length;
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
    const players = world.players.filter((player) => player !== undefined);
    const faults = players.flatMap((player) => {
      const exact = exactPlayerPoints(player, this.#set);
      return player.points === exact ? [] : [`player ${player.number} has ${player.points} points instead of ${exact}`];
    });
    const ranking = players.sort((a, b) => b.points - a.points || a.number - b.number).map(({ number }) => number);
    if (String(world.leaderboard.first(players.length)) !== String(ranking))
      faults.push('the leaderboard is out of order');
    return faults;
  }

  #bookProduction(untilMs: number): void {
    const { settings } = this.story.world;
    for (const planet of this.#planets()) {
      for (const [resource, name] of RESOURCES.entries()) {
        const base = BigInt(exactPlanetOutput(planet.levels, resource, this.#set) * settings.speedThousandths);
        const hourly = (base * BigInt(exactOutputPercent(planet.owner.researchLevels, name, this.#set))) / 100n;
        this.#resources[resource] = (this.#resources[resource] ?? 0n) + hourly * BigInt(untilMs - this.#bookedMs);
      }
    }
    this.#bookedMs = untilMs;
  }

  /** Books what plans have started, which precedes the events of their steps, and notes what was paid and how often stocks were settled. */
  #bookPlans(firstEvent: number): void {
    const events = this.story.events.slice(firstEvent);
    for (const [index, event] of events.entries()) {
      const { kind, playerNumber } = event;
      if (event.kind === 'building_started')
        this.#paid.set(event.queueNumber, exactCost(event.buildingType, event.targetLevel, this.#set));
      if (kind === 'building_completed') this.#roundings += 1;
      // Research can change the output of all planets.
      if (kind === 'research_completed') this.#roundings += this.story.world.players[playerNumber]?.planets.length ?? 0;
      const started = kind === 'plan_step_started' ? events[index - 1] : undefined;
      if (started?.kind === 'building_started')
        this.#book(exactCost(started.buildingType, started.targetLevel, this.#set), -1);
      if (started?.kind !== 'ships_ordered') continue;
      this.#book(exactShipCost(started.shipType, started.count, this.#set), -1);
      this.#bookShips(started.shipType, started.count);
    }
  }

  #bookReports(): void {
    const seen = new Set<number>();
    for (const report of this.story.world.players.flatMap((player) => player?.reports ?? [])) {
      if (report.type !== 'combat' || report.number <= this.#lastReportNumber || seen.has(report.number)) continue;
      seen.add(report.number);
      this.#book(report.cargoLost, -1);
      for (const [type] of this.#set.ships.entries()) {
        this.#bookShips(type, -(report.attacker.lost[type] ?? 0) - (report.defender.lost[type] ?? 0));
      }
    }
    this.#lastReportNumber = this.story.world.lastReportNumber;
  }

  #book(units: readonly number[], times: number): void {
    for (const [resource, amount] of units.entries()) {
      this.#resources[resource] = (this.#resources[resource] ?? 0n) + BigInt(amount * times) * UNIT;
    }
  }

  #bookShips(type: number, count: number): void {
    this.#ships[type] = (this.#ships[type] ?? 0) + count;
  }

  /** What goes with players who are retired. */
  #heldBy(playerNumbers: readonly number[]): Held {
    const { world } = this.story;
    const players = playerNumbers.map((number) => world.players[number]).filter((player) => player !== undefined);
    const planets = players.flatMap((player) => player.planets);
    const fleets = players.flatMap((player) => player.fleets);
    return {
      planetCount: planets.length,
      thousandths: RESOURCES.map((_, resource) => this.#thousandthsOf(resource, planets, fleets)),
      ships: this.#set.ships.map((_, type) => shipsOf(type, planets, fleets)),
    };
  }

  #bookLeaver({ planetCount, thousandths, ships }: Held): void {
    for (const [resource, held] of thousandths.entries()) {
      this.#resources[resource] = (this.#resources[resource] ?? 0n) - held * BigInt(HOUR_MS);
    }
    for (const [type, count] of ships.entries()) this.#bookShips(type, -count);
    // What each planet had of the next thousandth is gone too.
    this.#roundings += planetCount;
  }

  #heldThousandths(resource: number): bigint {
    return this.#thousandthsOf(resource, this.#planets(), [...this.story.world.fleets.values()]);
  }

  #thousandthsOf(resource: number, planets: readonly ReadonlyPlanet[], fleets: readonly ReadonlyFleet[]): bigint {
    const { world, nowMs } = this.story;
    const stocks = total(planets.map((planet) => stockThousandths(world, planet, resource, nowMs)));
    const cargo = resource > H2 ? 0 : total(fleets.map((fleet) => fleet.cargo[resource] ?? 0));
    return BigInt(stocks + cargo * 1000);
  }

  #heldShips(): number[] {
    const fleets = [...this.story.world.fleets.values()];
    return this.#set.ships.map((_, type) => shipsOf(type, this.#planets(), fleets));
  }

  #planets(): ReadonlyPlanet[] {
    return [...this.story.world.planets.values()];
  }

  #starters(): number {
    return total(this.story.world.players.map((player) => player?.starterCount ?? 0));
  }
}

/** What a player has: thousandths by resource and ships by type. */
interface Held {
  readonly planetCount: number;
  readonly thousandths: readonly bigint[];
  readonly ships: readonly number[];
}

/** Ships of a type, stationed, ordered and in flight. */
function shipsOf(type: number, planets: readonly ReadonlyPlanet[], fleets: readonly ReadonlyFleet[]): number {
  const ordered = planets.flatMap(({ orders }) => orders.filter(({ shipType }) => shipType === type));
  return total([...planets, ...fleets].map(({ ships }) => ships[type] ?? 0)) + total(ordered.map(({ count }) => count));
}
