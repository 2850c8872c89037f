// What planets and fleets hold, kept as accounts from recorded events alone. Every posting moves goods from one account to another, so
// whatever exists came from an account outside of the world, such as grants or production, and whatever ended went to one, such as costs
// or battles. Prices and outputs are those of exact-formulas.ts. Nothing of the state is read except for the cargo that a report of a
// battle says was lost. So the accounts and the world differ if the world changes without an event, or otherwise than its event says.
import type { WorldCommand } from '../../engine/commands/table.js';
import type { EventKind, WorldEvent } from '../../engine/events/kinds.js';
import { richnessOf } from '../../engine/map/richness.js';
import type { Universe } from '../../engine/map/universe.js';
import { stockThousandths } from '../../engine/planets/stocks.js';
import { STOCK_UNITS_MAX } from '../../engine/rules/limits.js';
import { type CompiledRichness, compileRichness } from '../../engine/rules/parts.js';
import { H2, RESOURCES } from '../../engine/rules/resources.js';
import type { RuleSet } from '../../engine/rules/rule-set.js';
import type { Lot } from '../../engine/terms/lots.js';
import { DEPLOY } from '../../engine/terms/missions.js';
import type { ReadonlyFleet, ReadonlyPlanet, ReadonlyWorld } from '../../engine/world/state.js';
import { exactCost, exactOutputPercent, exactPlanetOutput, exactShipCost } from './exact-formulas.js';
import { HOUR_MS } from './world-story.js';

/** Resources are counted in these parts of a thousandth, so that each per cent of production gives a whole number of them each millisecond. */
const PARTS = BigInt(HOUR_MS) * 100n;
const UNIT = 1000n * PARTS;
const FULL = BigInt(STOCK_UNITS_MAX) * UNIT;
/** Position of the first ship type in the goods of an account, behind the resources. */
const SHIPS = RESOURCES.length;

/** The accounts outside of the world: where goods come from and where they go. */
export const OUTSIDE = [
  ...(['starters', 'grants', 'production', 'shipyards'] as const),
  ...(['costs', 'fuel', 'cargo lost', 'ships lost', 'ships used up', 'orders cancelled'] as const),
  ...(['asteroids', 'wrecks', 'unsold', 'pirates'] as const),
  ...(['full stores', 'parts of a thousandth', 'retirement'] as const),
];
export type Outside = (typeof OUTSIDE)[number];

type EventOf<Kind extends EventKind> = Extract<WorldEvent, { readonly kind: Kind }>;
/** What each kind of event moves; null if nothing. */
type Postings = { readonly [Kind in EventKind]: ((event: EventOf<Kind>) => void) | null };

/** Amounts of each resource, then of each ship type. */
type Goods = bigint[];

interface PlanetAccount {
  readonly key: number;
  readonly owner: number;
  readonly goods: Goods;
  /** Ships that are ordered. */
  readonly orders: Goods;
  readonly levels: number[];
  /** Thousandths an hour, by resource. */
  hourly: readonly bigint[];
  /** The instant up to which production is booked. */
  sinceMs: number;
  /** The upgrade under way, and what was paid for it. */
  upgrade: { readonly queueNumber: number; readonly paid: readonly number[] } | null;
}

interface FleetAccount {
  readonly owner: number;
  readonly goods: Goods;
  /** Stays at a planet of another player, without a timer. */
  isStationed: boolean;
}

interface TradedAccount {
  /** Who receives it in the end. */
  readonly owner: number;
  readonly goods: Goods;
}

interface FieldAccount {
  readonly goods: Goods;
  hadAsteroids: boolean;
}

export class Accounts {
  readonly outside = new Map<Outside, Goods>(OUTSIDE.map((name) => [name, []]));
  readonly #planets = new Map<number, PlanetAccount>();
  readonly #pacts = new Set<number>();
  /** Shocks that change outputs, as they were announced. */
  readonly #shocks: EventOf<'shock_announced'>[] = [];
  readonly #fleets = new Map<number, FleetAccount>();
  /** What lies in space, by planet, as far as events have told. */
  readonly #fields = new Map<number, FieldAccount>();
  /** What open offers hold, and the goods of trades, both by offer. */
  readonly #offers = new Map<number, TradedAccount>();
  readonly #goods = new Map<string, TradedAccount>();
  /** Indexed by player. */
  readonly #research = new Map<number, number[]>();
  #richness: CompiledRichness | null;
  /** What events say and the accounts contradict. */
  readonly #contradictions: string[] = [];
  /** The command that causes the events; null for a tick. */
  #cause: WorldCommand['type'] | null = null;

  /**
   * @param universe which says how rich planets are
   * @param cargoLost of a battle, by the report of a player
   */
  constructor(
    private rules: RuleSet,
    private readonly universe: Universe,
    private speedThousandths: number,
    readonly cargoLost: (playerNumber: number, reportNumber: number) => readonly number[],
  ) {
    this.#richness = compileRichness(rules);
  }

  /** Books the events of an entry, in their order. @param cause null for a tick */
  record(events: readonly WorldEvent[], cause: WorldCommand['type'] | null): void {
    this.#cause = cause;
    for (const event of events) {
      // Each kind has its own posting, which the compiler cannot know here.
      const post = this.#postings[event.kind] as ((event: WorldEvent) => void) | null;
      post?.(event);
    }
  }

  /** The world has other rules from now on. */
  switchRules(rules: RuleSet, atMs: number): void {
    for (const planet of this.#planets.values()) this.#produce(planet, atMs);
    this.rules = rules;
    this.#richness = compileRichness(rules);
    for (const planet of this.#planets.values()) this.#renewOutput(planet);
  }

  /** The world has another speed from now on. */
  #setSpeed(speedThousandths: number, atMs: number): void {
    for (const planet of this.#planets.values()) this.#produce(planet, atMs);
    this.speedThousandths = speedThousandths;
    for (const planet of this.#planets.values()) this.#renewOutput(planet);
  }

  /** What a world holds otherwise than its accounts; empty if nothing. */
  faults(world: ReadonlyWorld, nowMs: number): string[] {
    const faults = [...this.#contradictions];
    for (const planet of world.planets.values()) {
      const account = this.#planets.get(planet.key);
      if (account === undefined || account.owner !== planet.ownerNumber) {
        faults.push(`planet ${planet.key} belongs to ${planet.ownerNumber} instead of ${account?.owner ?? 'nobody'}`);
        continue;
      }
      this.#produce(account, nowMs);
      faults.push(...this.#differences(`planet ${planet.key}`, account.goods, this.#heldBy(world, planet, nowMs)));
      faults.push(...this.#differences(`orders of planet ${planet.key}`, account.orders, this.#orderedOn(planet)));
    }
    for (const fleet of world.fleets.values()) {
      const goods = this.#fleets.get(fleet.number)?.goods ?? [];
      faults.push(...this.#differences(`fleet ${fleet.number}`, goods, carriedBy(fleet)));
    }
    for (const [key, units] of world.fields) {
      const { goods, hadAsteroids } = this.#field(key);
      const asteroids = hadAsteroids || !world.universe.hasAsteroids(key) ? [] : (this.rules.fields?.asteroids ?? []);
      const held = units.map((count, resource) => BigInt(count - (asteroids[resource] ?? 0)) * UNIT);
      faults.push(...this.#differences(`the field beside planet ${key}`, goods, held));
    }
    for (const { number } of world.players.values()) {
      for (const { number: offer, give, h2Max } of world.offers.of(number)) {
        const held = unitsOf(give, h2Max);
        faults.push(...this.#differences(`offer ${offer}`, this.#offers.get(offer)?.goods ?? [], held));
      }
      for (const { offerNumber, lot } of world.goods.of(number)) {
        const goods = this.#goods.get(goodsKey(offerNumber, number))?.goods ?? [];
        faults.push(...this.#differences(`goods of offer ${offerNumber}`, goods, unitsOf(lot, 0)));
      }
    }
    const [offers, goods] = [this.#offers.size, this.#goods.size];
    if (world.offers.size !== offers) faults.push(`${world.offers.size} offers instead of ${offers}`);
    if (world.goods.size !== goods) faults.push(`${world.goods.size} goods instead of ${goods}`);
    const [planets, fleets] = [this.#planets.size, this.#fleets.size];
    if (world.planets.size !== planets) faults.push(`${world.planets.size} planets instead of ${planets}`);
    if (world.fleets.size !== fleets) faults.push(`${world.fleets.size} fleets instead of ${fleets}`);
    return faults;
  }

  readonly #postings: Postings = {
    player_created: ({ playerNumber, planetKey, atMs }) => this.#found(planetKey, playerNumber, atMs, true),
    planet_colonized: ({ playerNumber, planetKey, fleetNumber, atMs }) => {
      this.#found(planetKey, playerNumber, atMs, this.#cause === 'create_second_starter');
      if (fleetNumber === null) return;
      const colonyShip = this.rules.ships.findIndex(({ type }) => type === this.rules.roles.colonyShip);
      this.#toOutside('ships used up', this.#fleet(fleetNumber).goods, SHIPS + colonyShip, 1n);
      this.#station(fleetNumber, planetKey, atMs);
    },
    building_started: ({ planetKey, atMs, queueNumber, buildingType, targetLevel }) => {
      const planet = this.#planet(planetKey, atMs);
      const paid = exactCost(buildingType, targetLevel, this.rules);
      this.#spend('costs', planet, paid);
      planet.upgrade = { queueNumber, paid };
    },
    building_completed: ({ planetKey, atMs, queueNumber, buildingType, level }) => {
      const planet = this.#planet(planetKey, atMs);
      this.#require(planet.upgrade?.queueNumber === queueNumber, `upgrade ${queueNumber} was not under way`);
      planet.upgrade = null;
      planet.levels[buildingType] = level;
      this.#renewOutput(planet);
    },
    building_cancelled: ({ planetKey, atMs, queueNumber, refund }) => {
      const planet = this.#planet(planetKey, atMs);
      const { upgrade } = planet;
      this.#require(upgrade?.queueNumber === queueNumber, `upgrade ${queueNumber} was not under way`);
      this.#require(String(refund) === String(upgrade?.paid), `${refund} were refunded of ${upgrade?.paid}`);
      planet.upgrade = null;
      this.#receive(planet, this.#outside('costs'), refund);
    },
    ships_ordered: ({ planetKey, atMs, shipType, count }) => {
      const planet = this.#planet(planetKey, atMs);
      this.#spend('costs', planet, exactShipCost(shipType, count, this.rules));
      move(this.#outside('shipyards'), planet.orders, SHIPS + shipType, BigInt(count));
    },
    ships_completed: ({ planetKey, atMs, shipType, count }) => {
      const { orders, goods } = this.#planet(planetKey, atMs);
      move(orders, goods, SHIPS + shipType, BigInt(count));
    },
    ships_cancelled: ({ planetKey, atMs, shipType, count }) => {
      this.#toOutside('orders cancelled', this.#planet(planetKey, atMs).orders, SHIPS + shipType, BigInt(count));
    },
    research_completed: ({ playerNumber, atMs, researchType, level }) => {
      this.#researchOf(playerNumber)[researchType] = level;
      for (const planet of this.#planets.values()) {
        if (planet.owner !== playerNumber) continue;
        this.#produce(planet, atMs);
        this.#renewOutput(planet);
      }
    },
    fleet_launched: ({ playerNumber, fleetNumber, originKey, atMs, ships, cargo, h2Cost }) => {
      const origin = this.#planet(originKey, atMs);
      const fleet: FleetAccount = { owner: playerNumber, goods: [], isStationed: false };
      this.#fleets.set(fleetNumber, fleet);
      moveUnits(origin.goods, fleet.goods, cargo);
      moveShips(origin.goods, fleet.goods, ships);
      this.#spend('fuel', origin, [0, 0, 0, h2Cost]);
    },
    fleet_arrived: (event) => {
      this.#requireGoods(event);
      const { playerNumber, fleetNumber, mission, targetKey, atMs } = event;
      if (mission !== DEPLOY || this.#planets.get(targetKey)?.owner !== playerNumber) return;
      this.#station(fleetNumber, targetKey, atMs);
    },
    fleet_returned: (event) => {
      this.#requireGoods(event);
      this.#station(event.fleetNumber, event.originKey, event.atMs);
    },
    fleet_destroyed: ({ fleetNumber }) => {
      this.#require(isNothing(this.#fleet(fleetNumber).goods), `fleet ${fleetNumber} ended with goods`);
      this.#fleets.delete(fleetNumber);
    },
    fleet_stationed: ({ fleetNumber }) => {
      this.#fleet(fleetNumber).isStationed = true;
    },
    fleet_recalled: ({ fleetNumber }) => {
      this.#fleet(fleetNumber).isStationed = false;
    },
    // The report of the battle counts all losses as those of the planet.
    support_fought: ({ fleetNumber, targetKey, atMs, lost }) =>
      moveShips(this.#fleet(fleetNumber).goods, this.#planet(targetKey, atMs).goods, lost),
    combat_report: ({ playerNumber, attackerNumber, reportNumber, fleetNumber, planetKey, atMs, ...result }) => {
      // Both sides get the event.
      if (playerNumber !== attackerNumber) return;
      const [{ goods: fleet }, planet] = [this.#fleet(fleetNumber), this.#planet(planetKey, atMs)];
      moveShips(fleet, this.#outside('ships lost'), result.attackerLost);
      moveShips(planet.goods, this.#outside('ships lost'), result.defenderLost);
      moveUnits(fleet, this.#outside('cargo lost'), this.cargoLost(attackerNumber, reportNumber));
      moveUnits(planet.goods, fleet, result.loot);
    },
    resources_received: ({ planetKey, atMs, fleetNumber, amounts }) =>
      this.#receive(this.#planet(planetKey, atMs), this.#fleet(fleetNumber).goods, amounts),
    resources_granted: ({ planetKey, atMs, amounts }) =>
      this.#receive(this.#planet(planetKey, atMs), this.#outside('grants'), amounts),
    offer_made: ({ playerNumber, makerNumber, offerNumber, planetKey, atMs, give, h2Max }) => {
      if (playerNumber !== makerNumber) return;
      const account: TradedAccount = { owner: makerNumber, goods: [] };
      this.#offers.set(offerNumber, account);
      const planet = this.#planet(planetKey, atMs);
      moveLot(planet.goods, account.goods, give);
      moveUnits(planet.goods, account.goods, [0, 0, 0, h2Max]);
    },
    offer_ended: ({ playerNumber, makerNumber, offerNumber, planetKey, atMs, returned }) => {
      if (playerNumber !== makerNumber) return;
      const { goods } = this.#offer(offerNumber);
      this.#receive(this.#planet(planetKey, atMs), goods, returned);
      for (const [resource, units] of returned.entries()) {
        const lost = goods[resource] ?? 0n;
        const offered = (lost + BigInt(units) * UNIT) / UNIT;
        this.#require(BigInt(units) === (offered * this.#unsoldKept) / 100n, `${units} came back of ${offered}`);
        this.#toOutside('unsold', goods, resource, lost);
      }
      this.#offers.delete(offerNumber);
    },
    offer_taken: ({ playerNumber, makerNumber, takerNumber, offerNumber, atMs, give, want, h2Cost, ...planets }) => {
      if (playerNumber === makerNumber) {
        // What is left of the h2 is on the planet again, all but a part.
        const { goods } = this.#offer(offerNumber);
        moveLot(goods, this.#goodsTo(offerNumber, takerNumber), give);
        moveUnits(goods, this.#outside('fuel'), [0, 0, 0, h2Cost]);
        const rest = (goods[H2] ?? 0n) / UNIT;
        const kept = (rest * this.#unsoldKept) / 100n;
        this.#receive(this.#planet(planets.planetKey, atMs), goods, [0, 0, 0, Number(kept)]);
        this.#toOutside('unsold', goods, H2, goods[H2] ?? 0n);
        this.#require(isNothing(goods), `offer ${offerNumber} was taken and holds something`);
        this.#offers.delete(offerNumber);
        return;
      }
      const planet = this.#planet(planets.takerPlanetKey, atMs);
      moveLot(planet.goods, this.#goodsTo(offerNumber, makerNumber), want);
      this.#spend('fuel', planet, [0, 0, 0, h2Cost]);
    },
    goods_arrived: ({ playerNumber, offerNumber, planetKey, atMs, goods: lot }) => {
      const key = goodsKey(offerNumber, playerNumber);
      const goods = this.#goods.get(key)?.goods ?? [];
      this.#receive(this.#planet(planetKey, atMs), goods, cargoOf(lot));
      this.#require(isNothing(goods), `goods of offer ${offerNumber} have not all arrived`);
      this.#goods.delete(key);
    },
    player_retired: ({ playerNumber, planetKeys, atMs }) => {
      for (const accounts of [this.#offers, this.#goods] as Map<unknown, TradedAccount>[]) {
        for (const [key, { owner, goods }] of accounts) {
          if (owner !== playerNumber) continue;
          this.#retire(goods);
          accounts.delete(key);
        }
      }
      const planets = planetKeys.map((key) => this.#planet(key, atMs));
      const fleets = [...this.#fleets].filter(([, { owner }]) => owner === playerNumber);
      for (const { goods, orders } of planets) for (const held of [goods, orders]) this.#retire(held);
      for (const [, { goods }] of fleets) this.#retire(goods);
      for (const { key } of planets) this.#planets.delete(key);
      for (const [number] of fleets) this.#fleets.delete(number);
    },
    wrecks_left: ({ planetKey, amounts }) => {
      const field = this.#field(planetKey);
      // From now on they lie among asteroids, if there are any, which other rules do not change.
      if (this.universe.hasAsteroids(planetKey)) this.#findAsteroids(field);
      moveUnits(this.#outside('wrecks'), field.goods, amounts);
    },
    field_harvested: ({ fleetNumber, targetKey, amounts, left }) => {
      const field = this.#field(targetKey);
      const found = amounts.map((units, resource) => BigInt(units + (left[resource] as number)) * UNIT);
      const isKnown = found.every((amount, resource) => amount === (field.goods[resource] ?? 0n));
      // The seed may have put asteroids there, once.
      if (!isKnown) this.#findAsteroids(field);
      moveUnits(field.goods, this.#fleet(fleetNumber).goods, amounts);
      this.#require(
        left.every((units, resource) => BigInt(units) * UNIT === (field.goods[resource] ?? 0n)),
        `${left} are left beside planet ${targetKey}`,
      );
    },
    ...{ research_started: null, incoming_fleet: null, incoming_fleet_gone: null },
    ...{ espionage_report: null, espionage_detected: null, colonization_failed: null, attack_turned_away: null },
    ...{ key_rotated: null, keys_revoked: null, player_joined: null, battle: null, trade_agreed: null },
    pact_proposed: ({ pactNumber }) => void this.#pacts.add(pactNumber),
    pact_ended: ({ pactNumber }) => void this.#pacts.delete(pactNumber),
    shock_announced: (event) => void this.#shocks.push(event),
    shock_began: null,
    pirates_came: ({ planetKey, atMs, resources }) =>
      moveUnits(this.#planet(planetKey, atMs).goods, this.#outside('pirates'), resources),
    ...{ pact_began: null, pact_cancelled: null, pact: null },
    ...{ plan_step_started: null, plan_step_skipped: null, plan_step_blocked: null, plan_completed: null },
    clock_paused: () => {},
    clock_resumed: () => {},
    speed_changed: ({ speedThousandths, atMs }) => this.#setSpeed(speedThousandths, atMs),
    ...{ player_suspended: null, player_resumed: null, player_renamed: null, announcement: null },
    ...{ message_sent: null, message_received: null, players_spoke: null, message_broadcast: null },
  };

  #found(key: number, owner: number, atMs: number, isStarter: boolean): void {
    this.#require(!this.#planets.has(key), `planet ${key} was taken twice`);
    const { buildings, starter, colony } = this.rules;
    const begun = isStarter ? starter.buildings : colony.buildings;
    const levels = buildings.map(({ type }) => (begun.includes(type) ? 1 : 0));
    const planet = { key, owner, goods: [], orders: [], levels, hourly: [], sinceMs: atMs, upgrade: null };
    this.#planets.set(key, planet);
    this.#renewOutput(planet);
    if (isStarter) this.#receive(planet, this.#outside('starters'), starter.stock);
  }

  /** A planet, with what it has produced until now. */
  #planet(key: number, atMs: number): PlanetAccount {
    const planet = this.#planets.get(key);
    if (planet === undefined) throw new Error(`planet ${key} has no account`);
    this.#produce(planet, atMs);
    return planet;
  }

  /** Pacts and proposals. */
  get pactCount(): number {
    return this.#pacts.size;
  }

  /** Fleets that stay at planets of others. */
  get stationedCount(): number {
    return [...this.#fleets.values()].filter(({ isStationed }) => isStationed).length;
  }

  #fleet(number: number): FleetAccount {
    const fleet = this.#fleets.get(number);
    if (fleet === undefined) throw new Error(`fleet ${number} has no account`);
    return fleet;
  }

  #offer(number: number): TradedAccount {
    const offer = this.#offers.get(number);
    if (offer === undefined) throw new Error(`offer ${number} has no account`);
    return offer;
  }

  /** The account of goods that are sent now. */
  #goodsTo(offerNumber: number, owner: number): Goods {
    const account: TradedAccount = { owner, goods: [] };
    this.#goods.set(goodsKey(offerNumber, owner), account);
    return account.goods;
  }

  #field(key: number): FieldAccount {
    const field = this.#fields.get(key) ?? { goods: [], hadAsteroids: false };
    this.#fields.set(key, field);
    return field;
  }

  #findAsteroids(field: FieldAccount): void {
    if (field.hadAsteroids) return;
    field.hadAsteroids = true;
    moveUnits(this.#outside('asteroids'), field.goods, this.rules.fields?.asteroids.slice(0, 4) ?? []);
  }

  /** What comes back of what was offered and not sold, in per cent. */
  get #unsoldKept(): bigint {
    return BigInt(100 - (this.rules.market?.unsoldPercent ?? 0));
  }

  #outside(name: Outside): Goods {
    return this.outside.get(name) as Goods;
  }

  #researchOf(playerNumber: number): number[] {
    const levels = this.#research.get(playerNumber) ?? [];
    this.#research.set(playerNumber, levels);
    return levels;
  }

  #produce(planet: PlanetAccount, untilMs: number): void {
    if (untilMs < planet.sinceMs) throw new Error(`planet ${planet.key} would lose production`);
    for (const [resource, hourly] of planet.hourly.entries()) {
      const area = this.#areaOf(planet, resource, untilMs);
      move(this.#outside('production'), planet.goods, resource, hourly * BigInt(area));
    }
    planet.sinceMs = untilMs;
    this.#dropExcess(planet);
  }

  /** Per cent times milliseconds in which a planet has produced. */
  #areaOf({ key, sinceMs }: PlanetAccount, resource: number, untilMs: number): number {
    let area = 100 * (untilMs - sinceMs);
    const { galaxy } = this.universe.positionOf(key);
    for (const shock of this.#shocks) {
      if (shock.galaxy !== galaxy || shock.resource !== resource) continue;
      const overlapMs = Math.min(untilMs, shock.endsAtMs) - Math.max(sinceMs, shock.startsAtMs);
      area += Math.max(0, overlapMs) * (shock.percent - 100);
    }
    return area;
  }

  /** Buildings, research or rules have changed. A resource whose output is another one from now on loses its part of a thousandth. */
  #renewOutput(planet: PlanetAccount): void {
    const research = this.#researchOf(planet.owner);
    const percents = this.#richness === null ? [] : richnessOf(this.universe, planet.key, this.#richness);
    const hourly = RESOURCES.map((name, resource) => {
      const units = BigInt(exactPlanetOutput(planet.levels, resource, this.rules) * this.speedThousandths);
      const percent = BigInt(percents[resource] ?? 100) * BigInt(exactOutputPercent(research, name, this.rules));
      return (units * percent) / 10_000n;
    });
    for (const [resource, thousandths] of hourly.entries()) {
      if (thousandths === planet.hourly[resource]) continue;
      this.#toOutside('parts of a thousandth', planet.goods, resource, (planet.goods[resource] ?? 0n) % PARTS);
    }
    planet.hourly = hourly;
  }

  #spend(reason: 'costs' | 'fuel', { goods }: PlanetAccount, units: readonly number[]): void {
    moveUnits(goods, this.#outside(reason), units);
  }

  #receive(planet: PlanetAccount, from: Goods, units: readonly number[]): void {
    moveUnits(from, planet.goods, units);
    this.#dropExcess(planet);
  }

  #dropExcess({ goods }: PlanetAccount): void {
    for (const resource of RESOURCES.keys()) {
      const excess = (goods[resource] ?? 0n) - FULL;
      if (excess > 0n) this.#toOutside('full stores', goods, resource, excess);
    }
  }

  #station(fleetNumber: number, planetKey: number, atMs: number): void {
    const [{ goods }, planet] = [this.#fleet(fleetNumber), this.#planet(planetKey, atMs)];
    for (const [good, amount] of goods.entries()) move(goods, planet.goods, good, amount);
    this.#fleets.delete(fleetNumber);
    this.#dropExcess(planet);
  }

  #retire(goods: Goods): void {
    for (const [good, amount] of goods.entries()) this.#toOutside('retirement', goods, good, amount);
  }

  #toOutside(name: Outside, from: Goods, good: number, amount: bigint): void {
    move(from, this.#outside(name), good, amount);
  }

  #requireGoods({ fleetNumber, ships, cargo }: EventOf<'fleet_arrived' | 'fleet_returned'>): void {
    const { goods } = this.#fleet(fleetNumber);
    this.#contradictions.push(
      ...this.#differences(`fleet ${fleetNumber}, as it says,`, goods, carriedBy({ cargo, ships })),
    );
  }

  #require(isTrue: boolean, fault: string): void {
    if (!isTrue) this.#contradictions.push(fault);
  }

  #heldBy(world: ReadonlyWorld, planet: ReadonlyPlanet, nowMs: number): Goods {
    const stocks = RESOURCES.map((_, resource) => stockThousandths(world, planet, resource, nowMs));
    return [...stocks.map((thousandths) => BigInt(thousandths) * PARTS), ...planet.ships.map(BigInt)];
  }

  #orderedOn({ orders }: ReadonlyPlanet): Goods {
    const goods: Goods = [];
    for (const { shipType, count } of orders) goods[SHIPS + shipType] = (goods[SHIPS + shipType] ?? 0n) + BigInt(count);
    return goods;
  }

  /** Compares whole thousandths of resources, and ships. */
  #differences(holder: string, booked: Goods, held: Goods): string[] {
    const differences: string[] = [];
    for (let good = 0; good < Math.max(booked.length, held.length); good += 1) {
      const isResource = good < SHIPS;
      const [should, is] = [booked[good] ?? 0n, held[good] ?? 0n].map((amount) =>
        isResource ? amount / PARTS : amount,
      );
      if (should === is) continue;
      const name = isResource ? `thousandths of ${RESOURCES[good]}` : this.rules.ships[good - SHIPS]?.type;
      differences.push(`${holder} has ${is} ${name} instead of ${should}`);
    }
    return differences;
  }
}

function carriedBy({ cargo, ships }: Pick<ReadonlyFleet, 'cargo' | 'ships'>): Goods {
  return [...cargo.map((units) => BigInt(units) * UNIT), 0n, ...ships.map(BigInt)];
}

/** What an offer or goods hold. */
function unitsOf(lot: Lot, h2: number): Goods {
  const isH2 = (good: number): boolean => RESOURCES[good] === 'h2';
  return cargoOf(lot).map((units, good) => BigInt(units + (isH2(good) ? h2 : 0)) * UNIT);
}

/** Units by resource. */
function cargoOf({ resource, units }: Lot): number[] {
  return RESOURCES.map((_, good) => (good === resource ? units : 0));
}

function moveLot(from: Goods, to: Goods, lot: Lot): void {
  moveUnits(from, to, cargoOf(lot));
}

function goodsKey(offerNumber: number, owner: number): string {
  return `${offerNumber} to ${owner}`;
}

function isNothing(goods: Goods): boolean {
  return goods.every((amount) => amount === 0n);
}

function move(from: Goods, to: Goods, good: number, amount: bigint): void {
  for (const goods of [from, to]) while (goods.length <= good) goods.push(0n);
  from[good] = (from[good] as bigint) - amount;
  to[good] = (to[good] as bigint) + amount;
}

/** @param units whole units by resource */
function moveUnits(from: Goods, to: Goods, units: readonly number[]): void {
  for (const [resource, count] of units.entries()) move(from, to, resource, BigInt(count) * UNIT);
}

/** @param counts by ship type */
function moveShips(from: Goods, to: Goods, counts: readonly number[]): void {
  for (const [type, count] of counts.entries()) move(from, to, SHIPS + type, BigInt(count));
}
