// Commands in the specification's words: names instead of positions in the catalogue, planets and players instead of
// keys and numbers. It only translates; whether a command is allowed is the engine's affair.

import type { CommandNamed } from '../../engine/commands/table.js';
import { CARGO_RESOURCE_COUNT, RESOURCES, type ResourceName } from '../../engine/rules/resources.js';
import {
  type BuildingTypeName,
  type DriveTypeName,
  type ResearchTypeName,
  type ShipTypeName,
  STANDARD_1,
} from '../../engine/rules/standard-1.js';
import { STANDARD_2 } from '../../engine/rules/standard-2.js';
import { MISSIONS, type MissionName } from '../../engine/terms/missions.js';

/** Whatever has a planet's key: a planet that has an owner, or `{ key }` for one that has none. */
export interface Keyed {
  readonly key: number;
}

/** Whatever has a number: a player or a fleet. */
export interface Numbered {
  readonly number: number;
}

/** Types of standard-2. Those of standard-1 are among them, at the same positions. */
export type BuildingName = (typeof STANDARD_2.buildings)[number]['type'];
export type ShipName = (typeof STANDARD_2.ships)[number]['type'];
export type ResearchName = (typeof STANDARD_2.research)[number]['type'];

export type ShipCounts = Partial<Record<ShipTypeName, number>>;
export type Units = Partial<Record<ResourceName, number>>;

/** A launch as an agent would write it. */
export interface LaunchWords {
  readonly by: Numbered;
  readonly from: Keyed;
  readonly to: Keyed;
  readonly ships: ShipCounts;
  readonly mission: MissionName;
  readonly cargo?: Units;
  readonly drive?: DriveTypeName;
}

export const create = (name: string, isBot: boolean): CommandNamed<'create_player'> => ({
  type: 'create_player',
  name,
  isBot,
  keyHash: null,
  nameKey: name,
});

export const secondStarter = (player: Numbered): CommandNamed<'create_second_starter'> => ({
  type: 'create_second_starter',
  playerNumber: player.number,
});

export const colonize = (player: Numbered, planet: Keyed): CommandNamed<'colonize_planet'> => ({
  type: 'colonize_planet',
  playerNumber: player.number,
  planetKey: planet.key,
});

export const grant = (planet: Keyed, units: Units): CommandNamed<'grant_resources'> => ({
  type: 'grant_resources',
  planetKey: planet.key,
  amounts: unitList(units),
});

export const construct = (planet: Keyed, building: BuildingTypeName): CommandNamed<'construct_building'> => ({
  type: 'construct_building',
  planetKey: planet.key,
  buildingType: buildingIndex(building),
});

export const upgrade = (planet: Keyed, building: BuildingTypeName): CommandNamed<'upgrade_building'> => ({
  type: 'upgrade_building',
  planetKey: planet.key,
  buildingType: buildingIndex(building),
});

export const cancelUpgrade = (planet: Keyed, queueNumber: number): CommandNamed<'cancel_building'> => ({
  type: 'cancel_building',
  planetKey: planet.key,
  queueNumber,
});

export const build = (planet: Keyed, ship: ShipTypeName, count: number): CommandNamed<'build_ships'> => ({
  type: 'build_ships',
  planetKey: planet.key,
  shipType: shipIndex(ship),
  count,
});

export const cancelShips = (planet: Keyed, ship: ShipTypeName): CommandNamed<'cancel_ships'> => ({
  type: 'cancel_ships',
  planetKey: planet.key,
  shipType: shipIndex(ship),
});

export const research = (player: Numbered, type: ResearchTypeName): CommandNamed<'start_research'> => ({
  type: 'start_research',
  playerNumber: player.number,
  researchType: researchIndex(type),
});

export const launch = ({
  by,
  from,
  to,
  ships,
  mission,
  cargo = {},
  drive,
}: LaunchWords): CommandNamed<'launch_fleet'> => ({
  type: 'launch_fleet',
  playerNumber: by.number,
  originKey: from.key,
  targetKey: to.key,
  ships: shipList(ships),
  mission: MISSIONS.indexOf(mission),
  cargo: cargoList(cargo),
  drive: drive === undefined ? null : driveIndex(drive),
});

export const recall = (player: Numbered, fleet: Numbered): CommandNamed<'recall_fleet'> => ({
  type: 'recall_fleet',
  playerNumber: player.number,
  fleetNumber: fleet.number,
});

/** An offer as an agent would write it: units of one resource on each side. */
export interface OfferWords {
  readonly by: Numbered;
  readonly from: Keyed;
  readonly give: Units;
  readonly want: Units;
  readonly h2Max?: number;
  readonly to?: Numbered;
  readonly lastsMs?: number;
}

export const offer = ({ by, from, give, want, h2Max = 1_000, to, lastsMs }: OfferWords): CommandNamed<'make_offer'> => {
  const [given, wanted] = [lotOf(give), lotOf(want)];
  return {
    type: 'make_offer',
    playerNumber: by.number,
    planetKey: from.key,
    giveResource: given.resource,
    giveUnits: given.units,
    wantResource: wanted.resource,
    wantUnits: wanted.units,
    h2Max,
    toNumber: to?.number ?? null,
    lastsMs: lastsMs ?? null,
  };
};

export const take = (player: Numbered, { number }: Numbered, planet: Keyed): CommandNamed<'take_offer'> => ({
  type: 'take_offer',
  playerNumber: player.number,
  offerNumber: number,
  planetKey: planet.key,
});

export const withdraw = (player: Numbered, { number }: Numbered): CommandNamed<'withdraw_offer'> => ({
  type: 'withdraw_offer',
  playerNumber: player.number,
  offerNumber: number,
});

function lotOf(units: Units): { readonly resource: number; readonly units: number } {
  const resource = RESOURCES.findIndex((name) => units[name] !== undefined);
  return { resource, units: unitList(units)[resource] ?? 0 };
}

/** The reply to a request whose digest is the key's with `-request`. */
export const keep = (player: Numbered, keyDigest: string, reply: string): CommandNamed<'keep_reply'> => ({
  type: 'keep_reply',
  scope: player.number,
  keyDigest,
  requestDigest: `${keyDigest}-request`,
  status: 200,
  form: 0,
  reply,
});

export const buildingIndex = (name: BuildingName): number =>
  STANDARD_2.buildings.findIndex(({ type }) => type === name);
export const shipIndex = (name: ShipName): number => STANDARD_2.ships.findIndex(({ type }) => type === name);
export const researchIndex = (name: ResearchName): number => STANDARD_2.research.findIndex(({ type }) => type === name);
export const driveIndex = (name: DriveTypeName): number => STANDARD_1.drives.findIndex(({ type }) => type === name);

/** Counts by ship type. */
export const shipList = (counts: ShipCounts): number[] => STANDARD_1.ships.map(({ type }) => counts[type] ?? 0);
/** Units by resource. */
export const unitList = (units: Units): number[] => RESOURCES.map((name) => units[name] ?? 0);
/** Units by resource, of those that can be shipped. */
export const cargoList = (units: Units): number[] => unitList(units).slice(0, CARGO_RESOURCE_COUNT);
