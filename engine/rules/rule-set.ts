// The shape of a rule set: all numbers of the game that the specification does not fix, and the names of its types. It is
// data; rules.ts compiles it to tables. As text it is in the log, in snapshots and in digests: JSON is used here and nowhere else in the
// engine.
import type { Amounts, ResourceName } from './resources.js';

export interface RuleSet {
  /** Letters, digits and hyphens, such as `standard-1`. */
  readonly name: string;
  /** Version of the rule set of this name; raised with every change. */
  readonly version: number;
  // Positions in these lists are written to disk: a later version only appends to them.
  readonly buildings: readonly BuildingRule[];
  readonly ships: readonly ShipRule[];
  readonly drives: readonly DriveRule[];
  readonly research: readonly ResearchRule[];
  readonly roles: Roles;
  /** What a starter planet starts with, and how many starter planets a player may have. */
  readonly starter: { readonly stock: Amounts; readonly buildings: readonly string[]; readonly perPlayerMax: number };
  /** What a colonized planet starts with. */
  readonly colony: { readonly buildings: readonly string[] };
  /** Level L of a building costs its base cost x this^(L-1), rounded down. */
  readonly costGrowth: Fraction;
  /** Level L of a building produces its base output x L x this^L an hour, rounded down. */
  readonly outputGrowth: Fraction;
  /** Levels below this one cost no energy. */
  readonly energyCostFromLevel: number;
  readonly shieldHitPointsPerLevel: number;
  /** Each level of a drive's research above the first lowers its h2 use by this many per cent. */
  readonly h2SavingPercentPerLevel: number;
  /** Lower bound of the h2 use, in per cent. */
  readonly h2UsePercentMin: number;
  /** At rate 1 and factor 1, a flight of one distance unit there and back costs 1 / this units of h2. */
  readonly h2DistanceDivisor: number;
  readonly combatRoundsMax: number;
  /** A winning attacker takes up to stock / this of every resource except energy. */
  readonly lootDivisor: number;
  // A rule set without one of the parts below plays as before it existed (decision 4). Its text has no such key.
  readonly plans?: PlanRules;
  readonly colonies?: ColonyRules;
  readonly war?: WarRules;
  readonly points?: PointsRules;
  readonly deliveries?: DeliveryRules;
  readonly richness?: RichnessRules;
  readonly sight?: SightRules;
  readonly fields?: FieldRules;
  readonly support?: SupportRules;
  readonly messages?: MessageRules;
  readonly market?: MarketRules;
  readonly pacts?: PactRules;
  readonly shocks?: ShockRules;
}

/** Players can hand plans to their planets. */
export interface PlanRules {
  /** Steps of all lanes of one plan together. */
  readonly stepsMax: number;
}

/** The fleets of a player colonize up to planetsAtFirst planets, and one more for each levelsPerPlanet levels of a research. */
export interface ColonyRules {
  readonly research: string;
  readonly planetsAtFirst: number;
  readonly levelsPerPlanet: number;
}

/** Battles are won by armed ships only, types are strong against each other, and new players are protected. */
export interface WarRules {
  /** World seconds at speed 1, from the creation of a player on, in which attacks on its planets turn round, unless it attacks first. */
  readonly protectionSeconds: number;
  /** World seconds at speed 1 in which all attackers together take no more than the loot share of a planet; 0 if each battle counts alone. */
  readonly lootPeriodSeconds: number;
  /**
   * Most that a player takes from one other player in such a period, which its first loot begins, in per cent of the units that its own
   * planets produce in one; 0 if there is no limit.
   */
  readonly lootPairPercent: number;
  /** Attack against a type that the own type is strong against, in per cent. */
  readonly strongAgainstPercent: number;
}

/** Other players together bring a planet at most a share of its output. */
export interface DeliveryRules {
  /** World seconds at speed 1, from the first delivery on. */
  readonly periodSeconds: number;
  /** Share of the units that the planet produces in a period, all shippable resources together, in per cent. */
  readonly outputPercent: number;
}

/** Planets differ in what they produce of each shippable resource. */
export interface RichnessRules {
  /** Output of the poorest planets, in per cent of that of their buildings; at most 100. */
  readonly percentMin: number;
  /** Output of the richest planets; at least 100. */
  readonly percentMax: number;
  /**
   * What the planets that newcomers get produce of each shippable resource, in per cent: one of these lists for all of a system. Lists that are worth
   * the same are fair, and those that differ give neighbours something to trade.
   */
  readonly starters: readonly (readonly number[])[];
}

/** The planets of a player see the flights of others to and from planets that are near enough. */
export interface SightRules {
  readonly research: string;
  /** Distance, in the units of flights, that each level of the research adds. */
  readonly distancePerLevel: number;
}

/** Stocks lie in space, and fleets harvest them. */
export interface FieldRules {
  /** Units beside one planet of each system when the world begins; no energy. */
  readonly asteroids: Amounts;
  /**
   * What destroyed ships leave, in per cent of their cost, in each battle of each side at most of as many units as the other side lost; at most
   * 50, or two accounts of one player would gain by a battle between them.
   */
  readonly wreckPercent: number;
}

/** Fleets can be stationed at planets of other players, and defend them. */
export interface SupportRules {
  /** Fleets of others that a planet takes. */
  readonly fleetsPerPlanetMax: number;
}

/** Players can write to each other, and to everybody. */
export interface MessageRules {
  /** Unicode code points of a message. */
  readonly charactersMax: number;
  /** World seconds at speed 1, from the first message of a player on, in which the limits on its messages count. */
  readonly periodSeconds: number;
  /** Messages of a player to single players in a period. */
  readonly sentMax: number;
  /** Messages of a player to one other player in a period; less than keptMax, so that nobody alone fills what another one keeps. */
  readonly sentToOneMax: number;
  /** Messages to a player that are kept, and as many of those that it sent. The oldest are dropped. */
  readonly keptMax: number;
  /** Messages of a player to everybody in a period; less than broadcastsKeptMax. */
  readonly broadcastsMax: number;
  /** Messages to everybody that are kept. */
  readonly broadcastsKeptMax: number;
  /** Players whose messages a player refuses. */
  readonly blockedMax: number;
}

/** Players trade: one offers units of a resource for units of another one, and whoever takes the offer pays them. */
export interface MarketRules {
  /** Ship type that goods travel with: its speed, its cargo and its h2. */
  readonly carrier: string;
  /** Offers of one player that are open at the same time. */
  readonly offersPerPlayer: number;
  /** World seconds at speed 1 after which an offer ends at the latest. */
  readonly offerSecondsMax: number;
  /** What a planet loses of what it has offered and not sold, in per cent. */
  readonly unsoldPercent: number;
  /** What a unit is worth. What a side receives beyond the value of what it gives counts as a delivery; see DeliveryRules. No energy. */
  readonly values: Amounts;
}

/** Players make pacts, which the engine keeps. */
export interface PactRules {
  /** World seconds at speed 1 after which a proposal that nobody has answered expires. */
  readonly proposalSeconds: number;
  /** World seconds at speed 1 for which a pact is in force at most. */
  readonly durationSecondsMax: number;
  /** World seconds at speed 1 from the cancellation of a pact to its end. */
  readonly noticeSeconds: number;
  /** Pacts in force and own proposals of a player. */
  readonly openMax: number;
}

/** At regular times a shock is drawn for each galaxy, and announced some time before it begins. */
export interface ShockRules {
  /** World seconds at speed 1 from one announcement to the next. */
  readonly intervalSeconds: number;
  /** World seconds at speed 1 from the announcement of a shock to its beginning; drawn between both. */
  readonly noticeSecondsMin: number;
  readonly noticeSecondsMax: number;
  /** Each is as likely as any other. */
  readonly types: readonly ShockRule[];
}

export interface ShockRule {
  readonly type: string;
  /** World seconds at speed 1; at most intervalSeconds. Pirates come at once. */
  readonly durationSeconds: number;
  readonly effect: ShockEffect;
}

export type ShockEffect =
  /** All planets of the galaxy produce this share of what they usually produce of a resource. */
  | { readonly kind: 'output'; readonly resource: ResourceName; readonly percent: number }
  /** Pirates take this share of what a planet holds beyond what all planets of its owner usually produce in idleSeconds (at speed 1). */
  | { readonly kind: 'pirates'; readonly idleSeconds: number; readonly percent: number }
  /** Each attacker may take this share of what it usually may (war.lootPairPercent) from the player who has looted most in the galaxy. */
  | { readonly kind: 'bounty'; readonly percent: number };

/** What counts as points, in per cent of the units spent. Buildings count whole, on every planet. */
export interface PointsRules {
  /** Ships. */
  readonly shipPercent: number;
  /**
   * Ships of others that the player destroyed, in each battle at most as many units as it lost there itself; no more than shipPercent. So
   * nobody gains by destroying ships of its own second account. Defences are whole again after a battle, and do not count.
   */
  readonly destroyedPercent: number;
}

export interface Fraction {
  readonly numerator: number;
  readonly denominator: number;
}

/** The types that have a special role in the engine. */
export interface Roles {
  /** Builds ships. */
  readonly shipyard: string;
  /** Limits what scouts report. */
  readonly antiSpy: string;
  /** Adds hit points to the defence of its planet. */
  readonly planetaryShield: string;
  /** Ship that espionage needs. */
  readonly scout: string;
  /** Ship that colonization uses up. */
  readonly colonyShip: string;
}

/** A type of the rules. */
export interface NamedType {
  /** Its name in the API. */
  readonly type: string;
  /** Its name for people, if it has one; see vary.ts. */
  readonly displayName?: string;
}

export interface BuildingRule extends NamedType {
  readonly description: string;
  /** Units for level 1; see costGrowth. */
  readonly baseCost: Amounts;
  /** Units an hour; see outputGrowth. */
  readonly baseOutput: Amounts;
  /** Takes part in battles on its planet, and is whole again after each. */
  readonly defence?: DefenceRule;
}

/** The first level of a building that fights. Each further level adds costGrowth times what the one before added, as its cost does. */
export interface DefenceRule {
  /** Damage in a round. */
  readonly attack: number;
  readonly hitPoints: number;
  /** Ship types. */
  readonly strongAgainst: readonly string[];
}

export interface ShipRule extends NamedType {
  readonly cost: Amounts;
  /** Seconds a ship takes in a level 1 shipyard. */
  readonly baseSeconds: number;
  readonly attack: number;
  /** Hit points of the ship. */
  readonly defence: number;
  /** Tenths of a distance unit a second. */
  readonly speedTenths: number;
  /** Units of cargo it can hold. */
  readonly cargo: number;
  /** Tenths of the h2 rate. */
  readonly h2RateTenths: number;
  /** Room it needs in a hangar; 0 if it flies by itself. */
  readonly hangarSize: number;
  /** Room it offers to carried ships. */
  readonly hangarCapacity: number;
  /** Types of ships, and of buildings with a defence or the planetary shield, that it does more damage to. */
  readonly strongAgainst?: readonly string[];
}

export interface DriveRule extends NamedType {
  /** Type of the research that unlocks it; null if every player has it. */
  readonly research: string | null;
  /** Tenths of the speed multiplier by flight type; 0 if it cannot fly that type. */
  readonly multiplierTenths: readonly [intraSystem: number, interSystem: number, interGalaxy: number];
  /** Tenths of the h2 factor. */
  readonly h2FactorTenths: number;
}

export interface ResearchRule extends NamedType {
  readonly unlocks: string;
  /** What each level adds, for all planets and ships of its player. */
  readonly effect?: ResearchEffect;
}

/** Percentages of levels add up: level 5 of 4 per cent is 20 per cent. */
export type ResearchEffect =
  /** Output of these resources; all buildings of all planets. */
  | { readonly kind: 'output'; readonly resources: readonly string[]; readonly percentPerLevel: number }
  /** Attack, hit points or cargo of ships and defences. */
  | { readonly kind: 'attack' | 'hit_points' | 'cargo'; readonly percentPerLevel: number }
  /** Scouts see, and anti_spy hides, as if there were this many levels or scouts more. */
  | { readonly kind: 'sight'; readonly scoutsPerLevel: number };

/**
 * Returns the position of a type in its list. The engine knows types only by their positions.
 *
 * @throws RangeError if the list has no such type
 */
export function positionOf(rules: readonly { readonly type: string }[], type: string): number {
  const position = rules.findIndex((rule) => rule.type === type);
  if (position < 0) throw new RangeError(`the rule set has no ${type}`);
  return position;
}

/**
 * Returns JSON without spaces, with keys in the order of their UTF-16 code units (as in RFC 8785). Two rule sets are
 * equal if their texts are.
 */
export function ruleSetText(set: RuleSet): string {
  // biome-ignore lint/style/noRestrictedGlobals: a rule set holds whole numbers, strings and null: JSON preserves them.
  return JSON.stringify(set, (_key, value: unknown) => (isObject(value) ? sorted(value) : value));
}

/** @throws SyntaxError if the text is not JSON */
export function ruleSetOfText(text: string): RuleSet {
  // biome-ignore lint/style/noRestrictedGlobals: the reverse of ruleSetText().
  return JSON.parse(text) as RuleSet;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function sorted(value: object): object {
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}
