// Commands of a log in the words of the API: ids, names of types and of resources instead of numbers of the engine.
import { createWorld } from '../../engine/commands/genesis.js';
import type { Command, CommandNamed } from '../../engine/commands/table.js';
import { RESOURCES } from '../../engine/rules/resources.js';
import type { Rules } from '../../engine/rules/rules.js';
import { rulesFromText } from '../../engine/rules/shipped.js';
import { fleetId, offerId, pactId, planetId, playerId, queueId } from '../../engine/terms/ids.js';
import { MISSIONS } from '../../engine/terms/missions.js';
import { PACT_KINDS } from '../../engine/terms/pacts.js';
import { unpackOrders, type WholeStep, wholeSteps } from '../../engine/terms/plan-step.js';
import { EVERYBODY } from '../../engine/world/message-table.js';
import type { ReadonlyWorld } from '../../engine/world/state.js';
import { stepBody } from '../../http/views/plan-view.js';
import { readSnapshot } from '../../persistence/snapshots/snapshot-reader.js';
import type { WorldStore } from '../../persistence/stores/world-store.js';

/** What names depend on. */
type NamingWorld = Pick<ReadonlyWorld, 'rules' | 'universe' | 'lineages'>;

/** Puts the commands of one log into words, in their order. */
export class LogWords {
  private constructor(private world: NamingWorld | null) {}

  /**
   * @param fromSeq seq of the first command that is put into words. The names are those of the newest snapshot before it; without one, those of
   *   the genesis
   */
  static async open(store: WorldStore, fromSeq: number): Promise<LogWords> {
    const seqs = await store.snapshots.list();
    const seq = Math.max(0, ...seqs.filter((each) => each < fromSeq));
    // The log of a damaged world is printed, too, with the numbers that are in it.
    const snapshot = seq === 0 ? null : await readSnapshot(store.snapshots, seq).catch(() => null);
    return new LogWords(snapshot?.engine.world ?? null);
  }

  /** @returns the fields of a command for people; as they are in the log if the world is not known, or has no such types */
  of(command: Command): object {
    try {
      return this.#of(command);
    } catch {
      // A log may come from a foreign folder.
      return command;
    }
  }

  #of(command: Command): object {
    if (command.type === 'genesis') this.world = createWorld(command);
    else if (command.type === 'switch_rules' && this.world !== null)
      this.world = { ...namesOf(this.world), rules: rulesFromText(command.rules) };
    const { world } = this;
    if (world === null) return command;
    // A launch among the steps has its order beside them.
    const shown = command.type === 'put_plan' ? withWholeSteps(world, command) : command;
    const fields = Object.entries(shown).map(([name, value]) => worded(world, name, value));
    return Object.fromEntries(fields.flatMap((members) => Object.entries(members)));
  }
}

function withWholeSteps({ rules }: NamingWorld, { launches, ...command }: CommandNamed<'put_plan'>): object {
  const { steps } = command;
  return { ...command, steps: wholeSteps(steps, unpackOrders(rules, launches, steps)) };
}

const namesOf = ({ universe, lineages, rules }: NamingWorld): NamingWorld => ({ universe, lineages, rules });

type Wording = (world: NamingWorld, value: never) => object;

/** A row for each field whose value is a number of the engine. */
const WORDINGS: Readonly<Record<string, Wording>> = {
  playerNumber: (world, number: number) => ({ playerId: playerId(world, number) }),
  receiverNumber: (world, number: number) => ({ to: number === EVERYBODY ? 'all' : playerId(world, number) }),
  blockedNumber: (world, number: number) => ({ blockedPlayerId: playerId(world, number) }),
  partnerNumber: (world, number: number) => ({ partnerId: playerId(world, number) }),
  pactNumber: (_, number: number) => ({ pactId: pactId(number) }),
  kind: (_, kind: number) => ({ kind: PACT_KINDS[kind] }),
  durationMs: (_, ms: number) => ({ durationSeconds: ms / 1000 }),
  toNumber: (world, number: number | null) => (number === null ? {} : { toPlayerId: playerId(world, number) }),
  offerNumber: (_, number: number) => ({ offerId: offerId(number) }),
  giveResource: (_, resource: number) => ({ giveResource: RESOURCES[resource] }),
  wantResource: (_, resource: number) => ({ wantResource: RESOURCES[resource] }),
  isBlocked: (_, blocked: boolean) => ({ blocked }),
  playerNumbers: (world, numbers: readonly number[]) => ({ playerIds: numbers.map((each) => playerId(world, each)) }),
  planetKey: ({ universe }, key: number) => ({ planetId: planetId(universe, key) }),
  originKey: ({ universe }, key: number) => ({ originPlanetId: planetId(universe, key) }),
  targetKey: ({ universe }, key: number) => ({ targetPlanetId: planetId(universe, key) }),
  fleetNumber: (_, number: number) => ({ fleetId: fleetId(number) }),
  queueNumber: (_, number: number) => ({ queueId: queueId(number) }),
  buildingType: ({ rules }, type: number) => ({ buildingType: typeIn(rules.buildings, type) }),
  shipType: ({ rules }, type: number) => ({ shipType: typeIn(rules.ships, type) }),
  researchType: ({ rules }, type: number) => ({ researchType: typeIn(rules.research, type) }),
  mission: (_, mission: number) => ({ mission: MISSIONS[mission] }),
  drive: ({ rules }, drive: number | null) => ({ drive: drive === null ? null : typeIn(rules.drives, drive) }),
  ships: ({ rules }, counts: readonly number[]) => ({ ships: shipsOf(rules, counts) }),
  cargo: (_, amounts: readonly number[]) => ({ resources: amountsOf(amounts) }),
  amounts: (_, amounts: readonly number[]) => ({ resources: amountsOf(amounts) }),
  isSkipping: (_, isSkipping: boolean) => ({ onBlocked: isSkipping ? 'skip' : 'wait' }),
  longerThanMs: (_, ms: number | null) => (ms === null ? {} : { longerThanSeconds: ms / 1000 }),
  steps: (world, steps: readonly WholeStep[]) => ({ steps: steps.map((step) => stepBody(world, step)) }),
};

function worded(world: NamingWorld, name: string, value: unknown): object {
  const wording = Object.hasOwn(WORDINGS, name) ? WORDINGS[name] : undefined;
  return wording === undefined ? { [name]: value } : wording(world, value as never);
}

/** The name of a type; its position if the rules of the log's beginning do not have it. */
const typeIn = (types: readonly { readonly type: string }[], position: number): string | number =>
  types[position]?.type ?? position;

function shipsOf({ ships }: Rules, counts: readonly number[]): object[] {
  return counts.flatMap((count, type) => (count === 0 ? [] : [{ shipType: typeIn(ships, type), count }]));
}

function amountsOf(amounts: readonly number[]): object {
  return Object.fromEntries(amounts.map((amount, index) => [RESOURCES[index], amount]));
}
