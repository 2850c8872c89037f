// The table of all commands: their rows on disk and their execution. A command's number is never reused.

import { advancePlans } from '../plans/plans.js';
import type { Refusal } from '../terms/rejections.js';
import type { World } from '../world/state.js';
import { cancelBuilding, constructBuilding, upgradeBuilding } from './buildings.js';
import type { CommandDefinition, CommandLayout, CommandRow } from './command.js';
import { CommandCodec } from './command-codec.js';
import { launchFleet, recallFleet } from './fleets.js';
import { GENESIS, type Genesis } from './genesis.js';
import { revokeKeys, rotateKey } from './keys.js';
import { colonizePlanet, createSecondStarter, grantResources } from './planets.js';
import { putPlan } from './plans.js';
import { createPlayer, createPlayers, retirePlayers } from './players.js';
import { keepReply } from './replies.js';
import { startResearch } from './research.js';
import { switchRules } from './rules.js';
import { buildShips, cancelShips } from './ships.js';
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
  grant_resources: grantResources,
  keep_reply: keepReply,
  switch_rules: switchRules,
  rotate_key: rotateKey,
  revoke_keys: revokeKeys,
  retire_players: retirePlayers,
  put_plan: putPlan,
} as const;

export type { CommandRow };

type CommandTable = typeof COMMANDS;

/** The type of every command that is executed on a world. */
export const COMMAND_TYPES = Object.keys(COMMANDS) as readonly (keyof CommandTable)[];

type CommandOf<D> = D extends CommandDefinition<infer C, infer _R> ? C : never;
type ResultOf<D> = D extends CommandDefinition<infer _C, infer R> ? R : never;

export type WorldCommand = CommandOf<CommandTable[keyof CommandTable]>;
export type Command = Genesis | WorldCommand;
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

const LAYOUTS = [GENESIS, ...Object.values(COMMANDS)] as unknown as readonly CommandLayout<Command>[];
const CODEC_BY_CODE: (CommandCodec<Command> | undefined)[] = [];
const CODEC_BY_TYPE: Partial<Record<Command['type'], CommandCodec<Command>>> = {};
for (const layout of LAYOUTS) {
  const codec = new CommandCodec<Command>(layout);
  if (CODEC_BY_CODE[layout.code] !== undefined) throw new Error(`two commands have the number ${layout.code}`);
  CODEC_BY_CODE[layout.code] = codec;
  CODEC_BY_TYPE[layout.type] = codec;
}
