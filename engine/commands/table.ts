// The table of all commands: their rows on disk and their execution. A command's number is never reused.

import { advancePlans } from '../plans/plans.js';
import { RowReader } from '../rows/row.js';
import type { Refusal } from '../terms/rejections.js';
import type { World } from '../world/state.js';
import { announce } from './announcement.js';
import { cancelBuilding, constructBuilding, upgradeBuilding } from './buildings.js';
import { pauseClock, resumeClock } from './clock.js';
import type { CommandDefinition, CommandLayout, CommandOf, CommandRow, FieldReader } from './command.js';
import { dismissFleet, launchFleet, recallFleet } from './fleets.js';
import { GENESIS, type Genesis } from './genesis.js';
import { revokeKeys, rotateKey } from './keys.js';
import { makeOffer, takeOffer, withdrawOffer } from './market.js';
import { blockPlayer, sendMessage } from './messages.js';
import { accept, cancel, decline, propose } from './pacts.js';
import { colonizePlanet, createSecondStarter, grantResources } from './planets.js';
import { putPlan } from './plans.js';
import { createPlayer, createPlayers, renamePlayer, resumePlayer, retirePlayers, suspendPlayer } from './players.js';
import { keepReply } from './replies.js';
import { startResearch } from './research.js';
import { switchRules } from './rules.js';
import { buildShips, cancelShips } from './ships.js';
import { setSpeed } from './speed.js';
import { advanceTime } from './time.js';

/** Every command that is executed on a world; genesis creates the world itself. */
const COMMANDS = {
  advance_time: advanceTime,
  create_player: createPlayer,
  create_players: createPlayers,
  create_second_starter: createSecondStarter,
  colonize_planet: colonizePlanet,
  construct_building: constructBuilding,
  upgrade_building: upgradeBuilding,
  cancel_building: cancelBuilding,
  build_ships: buildShips,
  cancel_ships: cancelShips,
  start_research: startResearch,
  launch_fleet: launchFleet,
  recall_fleet: recallFleet,
  dismiss_fleet: dismissFleet,
  make_offer: makeOffer,
  take_offer: takeOffer,
  withdraw_offer: withdrawOffer,
  propose_pact: propose,
  accept_pact: accept,
  decline_pact: decline,
  cancel_pact: cancel,
  grant_resources: grantResources,
  keep_reply: keepReply,
  switch_rules: switchRules,
  rotate_key: rotateKey,
  revoke_keys: revokeKeys,
  retire_players: retirePlayers,
  put_plan: putPlan,
  set_speed: setSpeed,
  pause_clock: pauseClock,
  resume_clock: resumeClock,
  suspend_player: suspendPlayer,
  resume_player: resumePlayer,
  rename_player: renamePlayer,
  announce,
  send_message: sendMessage,
  block_player: blockPlayer,
} as const;

export type { CommandRow };

type CommandTable = typeof COMMANDS;

/** The type of every command that is executed on a world. */
export const COMMAND_TYPES = Object.keys(COMMANDS) as readonly (keyof CommandTable)[];

type ResultOf<D> = D extends CommandDefinition<infer _C, infer R> ? R : never;

export type WorldCommand = CommandOf<CommandTable[keyof CommandTable]>;
export type Command = Genesis | WorldCommand;
/** A command by its type. */
export type CommandNamed<T extends Command['type']> = Extract<Command, { readonly type: T }>;
/** What an accepted command returns. */
export type CommandResult<C extends WorldCommand = WorldCommand> = ResultOf<CommandTable[C['type']]>;

/** Runs the checks and changes of a command on a world. @param atMs world time of the command */
export function executeCommand<C extends WorldCommand>(
  world: World,
  command: C,
  atMs: number,
): CommandResult<C> | Refusal {
  // The table maps each command type to its own definition; TypeScript cannot infer that through the union.
  const definition = COMMANDS[command.type] as unknown as CommandDefinition<C, CommandResult<C>>;
  const outcome = definition.execute(world, command, atMs);
  // A refused command has changed nothing.
  if (world.plans.hasMarked) advancePlans(world);
  return outcome;
}

export function encodeCommand(command: Command): CommandRow {
  return (CODEC_BY_TYPE[command.type] as CommandCodec<Command>).encode(command);
}

/** @throws Error if this program does not know the command number */
export function decodeCommand(row: CommandRow): Command {
  const codec = CODEC_BY_CODE[row[0] as number];
  if (codec === undefined) throw new Error(`command number ${String(row[0])} is not known to this program`);
  return codec.decode(row);
}

/** Converts a command to rows and back. The command declares how its row is read; how it is written follows from that. */
class CommandCodec<C extends { readonly type: string }> {
  readonly #layout: CommandLayout<C>;
  /** In the order of the row. */
  readonly #names: readonly (keyof C & string)[];

  /** @throws Error if the places of the fields have a gap */
  constructor(layout: CommandLayout<C>) {
    this.#layout = layout;
    // A reader that returns places instead of values shows the order in which a command reads its fields. Each command has a literal of
    // its own, since one loop over lists of names is slower.
    const { type, ...fields } = layout.decode(new PlaceReader());
    const named = Object.entries<unknown>(fields).sort(([, a], [, b]) => Number(a) - Number(b));
    if (named.some(([, place], index) => place !== index + 1)) throw new Error(`the fields of ${type} have a gap`);
    this.#names = named.map(([name]) => name as keyof C & string);
  }

  /** @throws Error if a field is absent before one that is there */
  encode(command: C): CommandRow {
    return this.#shortRow(command) ?? this.#longRow(command);
  }

  /**
   * Returns the row of a command with two or three fields, as most have. It is a literal, since a row that grows takes several times its size.
   *
   * @returns null if there are more or fewer, or one is absent
   */
  #shortRow(command: C): CommandRow | null {
    const { code } = this.#layout;
    const [first, second, third] = this.#names;
    if (this.#names.length > 3 || first === undefined || second === undefined) return null;
    const one: unknown = command[first];
    const two: unknown = command[second];
    if (one === undefined || two === undefined) return null;
    if (third === undefined) return [code, one, two] as CommandRow;
    const three: unknown = command[third];
    return three === undefined ? null : ([code, one, two, three] as CommandRow);
  }

  #longRow(command: C): CommandRow {
    const row: unknown[] = [this.#layout.code];
    for (const name of this.#names) {
      const value = command[name];
      if (value === undefined) {
        this.#requireEnd(command, row.length);
        break;
      }
      row.push(value);
    }
    return row as unknown as CommandRow;
  }

  /**
   * @param row of this command, from a log
   * @throws Error if a field is not of its type, exceeds its limits or is not known to this program
   */
  decode(row: CommandRow): C {
    if (row.length > this.#names.length + 1) {
      throw new Error(`a command with number ${this.#layout.code} has unknown fields`);
    }
    return this.#layout.decode(new RowReader(row, 1));
  }

  /** Only fields at the end can be absent: a row has no gap. */
  #requireEnd(command: C, place: number): void {
    for (const name of this.#names.slice(place)) {
      if (command[name] !== undefined) throw new Error(`${command.type} has ${name}, but not the field before it`);
    }
  }
}

/** Reads the place of each field instead of its value: 1, 2, 3. */
class PlaceReader implements FieldReader {
  #place = 0;

  readonly integer = (): number => this.#next();
  readonly integerOrNull = (): number => this.#next();
  readonly flag = (): boolean => this.#next() as unknown as boolean;
  readonly text = (): string => this.#next() as unknown as string;
  readonly textOrNull = (): string => this.#next() as unknown as string;
  readonly integers = (): number[] => this.#next() as unknown as number[];
  readonly fewIntegers = (): number[] => this.#next() as unknown as number[];
  readonly fewTexts = (): string[] => this.#next() as unknown as string[];

  #next(): number {
    this.#place += 1;
    return this.#place;
  }
}

const LAYOUTS = [GENESIS, ...Object.values(COMMANDS)] as unknown as readonly CommandLayout<Command>[];
const CODEC_BY_CODE: (CommandCodec<Command> | undefined)[] = [];
const CODEC_BY_TYPE: Partial<Record<Command['type'], CommandCodec<Command>>> = {};
for (const layout of LAYOUTS) {
  const codec = new CommandCodec<Command>(layout);
  if (CODEC_BY_CODE[layout.code] !== undefined) throw new Error(`two commands have the number ${layout.code}`);
  CODEC_BY_CODE[layout.code] = codec;
  CODEC_BY_TYPE[layout.type] = codec;
}
