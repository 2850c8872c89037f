// Renders an event as JSON text, member by member as its row in schemas/events.ts says. Values become text without objects in between,
// since every event is rendered for every player who reads it. A test checks each kind against its schema.

import { type EventKind, NOBODY, type WorldEvent } from '../../engine/events/kinds.js';
import type { PlanetKey, Position } from '../../engine/map/universe.js';
import { CARGO_RESOURCE_COUNT, RESOURCES } from '../../engine/rules/resources.js';
import type { Rules } from '../../engine/rules/rules.js';
import { SHOCK_EFFECTS } from '../../engine/rules/shock-effects.js';
import { planetId, playerId } from '../../engine/terms/ids.js';
import { MISSIONS } from '../../engine/terms/missions.js';
import { PACT_KINDS } from '../../engine/terms/pacts.js';
import type { PackedStep } from '../../engine/terms/plan-step.js';
import { unpackStep } from '../../engine/terms/plan-step.js';
import type { ReadonlyWorld } from '../../engine/world/state.js';
import { PerRuleSet } from '../checks/world-rules.js';
import { isoText } from '../exchange/iso-time.js';
import type { FormValues, Member, MemberForm } from '../schemas/events.js';
import { EVENT_MEMBERS } from '../schemas/events.js';

/** The names of types in the world's rules, by number. */
interface TypeNames {
  readonly buildings: readonly string[];
  readonly ships: readonly string[];
  readonly research: readonly string[];
}

/** How events name what is in a world. */
class EventNames {
  readonly #world: ReadonlyWorld;
  readonly #types: PerRuleSet<TypeNames>;

  constructor(world: ReadonlyWorld) {
    this.#world = world;
    this.#types = new PerRuleSet(world, typeNames);
  }

  get types(): TypeNames {
    return this.#types.present;
  }

  playerId(number: number): string {
    return playerId(this.#world, number);
  }

  planetId(key: PlanetKey): string {
    return planetId(this.#world.universe, key);
  }

  systemOf(key: PlanetKey): Position {
    return this.#world.universe.positionOf(key);
  }
}

export class EventView {
  readonly #names: EventNames;

  constructor(world: ReadonlyWorld) {
    this.#names = new EventNames(world);
  }

  /** @param seq of the event among those of its receiver */
  text(seq: number, event: WorldEvent): string {
    const names = this.#names;
    const values = event as unknown as Readonly<Record<string, unknown>>;
    let data = '';
    for (const { field, lead, text } of MEMBER_TEXTS.get(event.kind) ?? []) data += lead + text(values[field], names);
    const player = event.playerNumber === NOBODY ? 'null' : `"${names.playerId(event.playerNumber)}"`;
    return `{"seq":${seq},"type":"${event.kind}","at":"${isoText(event.atMs)}","playerId":${player},"data":{${data}}}`;
  }
}

type Texts = { readonly [Form in MemberForm]: (value: FormValues[Form], names: EventNames) => string };

/** The JSON of a value of each form. */
const TEXTS: Texts = {
  number: (value) => `${value}`,
  thousandths: (value) => `${value / 1_000}`,
  flag: (value) => `${value}`,
  text: (value) => JSON.stringify(value),
  word: (value) => `"${value}"`,
  time: (atMs) => (atMs === null ? 'null' : `"${isoText(atMs)}"`),
  planetId: (key, names) => `"${names.planetId(key)}"`,
  planetIds: (keys, names) => `[${keys.map((key) => `"${names.planetId(key)}"`).join(',')}]`,
  system: (key, names) => {
    const { galaxy, system } = names.systemOf(key);
    return `{"galaxyIndex":${galaxy},"index":${system}}`;
  },
  playerId: (number, names) => `"${names.playerId(number)}"`,
  queueId: (number) => `"queue-${number}"`,
  fleetId: (number) => (number === null ? 'null' : `"fleet-${number}"`),
  pactId: (number) => `"pact-${number}"`,
  pactKind: (kind) => `"${PACT_KINDS[kind]}"`,
  shockId: (number) => `"shock-${number}"`,
  shockEffect: (effect) => `"${SHOCK_EFFECTS[effect]}"`,
  resourceName: (resource) => (resource === null ? 'null' : `"${RESOURCES[resource]}"`),
  numberOrNull: (value) => `${value}`,
  playerIdOrNull: (number, names) => (number === null ? 'null' : `"${names.playerId(number)}"`),
  reportId: (number) => `"report-${number}"`,
  messageId: (number) => `"message-${number}"`,
  buildingType: (type, { types }) => `"${types.buildings[type]}"`,
  shipType: (type, { types }) => `"${types.ships[type]}"`,
  researchType: (type, { types }) => `"${types.research[type]}"`,
  mission: (mission) => (mission === null ? 'null' : `"${MISSIONS[mission]}"`),
  step: stepText,
  fleetShips: (counts, { types }) => listText(types.ships, counts, 'type', 'count'),
  shipCounts: (counts, { types }) => listText(types.ships, counts, 'shipType', 'count'),
  buildingLevels: (levels, { types }) => listText(types.buildings, levels, 'type', 'level'),
  lot: ({ resource, units }) => `{"resource":"${RESOURCES[resource]}","units":${units}}`,
  offerId: (number) => `"offer-${number}"`,
  cargo: (amounts) => amountsText(amounts, CARGO_RESOURCE_COUNT),
  resources: (amounts) => amountsText(amounts, RESOURCES.length),
};

interface MemberText {
  /** Field of the engine's event. */
  readonly field: string;
  /** The text before the value: a comma except for the first member, and the name. */
  readonly lead: string;
  readonly text: (value: unknown, names: EventNames) => string;
}

const MEMBER_TEXTS: ReadonlyMap<EventKind, readonly MemberText[]> = new Map(
  [...EVENT_MEMBERS].map(([kind, members]) => [kind, members.map(memberText)]),
);

function memberText([field, { name, form }]: readonly [string, Member], place: number): MemberText {
  return { field, lead: `${place === 0 ? '' : ','}"${name}":`, text: TEXTS[form] as MemberText['text'] };
}

function typeNames({ buildings, ships, research }: Rules): TypeNames {
  const nameOf = ({ type }: { readonly type: string }): string => type;
  return { buildings: buildings.map(nameOf), ships: ships.map(nameOf), research: research.map(nameOf) };
}

function stepText(packed: PackedStep, names: EventNames): string {
  const { types } = names;
  const step = unpackStep(packed);
  if (step.action === 'launch') {
    const { action, targetKey, mission } = step;
    return `{"action":"${action}","targetPlanetId":"${names.planetId(targetKey)}","mission":"${MISSIONS[mission]}"}`;
  }
  const subject =
    step.action === 'build_ships'
      ? `"shipType":"${types.ships[step.shipType]}","count":${step.count}`
      : step.action === 'research'
        ? `"researchType":"${types.research[step.researchType]}"`
        : `"buildingType":"${types.buildings[step.buildingType]}"`;
  return `{"action":"${step.action}",${subject}}`;
}

/** A list of objects with a name and a number, without zeros; null if the receiver cannot see it. */
function listText(
  names: readonly string[],
  numbers: readonly number[] | null,
  nameField: string,
  field: string,
): string {
  if (numbers === null) return 'null';
  let text = '';
  for (let type = 0; type < names.length; type += 1) {
    const number = numbers[type] ?? 0;
    if (number > 0) text += `${text === '' ? '' : ','}{"${nameField}":"${names[type]}","${field}":${number}}`;
  }
  return `[${text}]`;
}

function amountsText(amounts: readonly number[], count: number): string {
  let text = '';
  for (let resource = 0; resource < count; resource += 1) {
    text += `${resource === 0 ? '{' : ','}"${RESOURCES[resource]}":${amounts[resource] ?? 0}`;
  }
  return `${text}}`;
}
