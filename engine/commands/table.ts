// The one table of commands: their numbers on disk, their codecs and their rules. A number, once given, is never reused.
import type { Refusal } from '../rejections.js';
import type { World } from '../state.js';
import { advanceTime } from './advance-time.js';
import { buildShips } from './build-ships.js';
import { cancelBuilding } from './cancel-building.js';
import { cancelShips } from './cancel-ships.js';
import { colonizePlanet } from './colonize-planet.js';
import type { CommandArguments, CommandDefinition, Primitive } from './command.js';
import { constructBuilding } from './construct-building.js';
import { createPlayer } from './create-player.js';
import { createPlayers } from './create-players.js';
import { createSecondStarter } from './create-second-starter.js';
import { GENESIS_CODE, type Genesis } from './genesis.js';
import { grantResources } from './grant-resources.js';
import { keepReply } from './keep-reply.js';
import { launchFleet } from './launch-fleet.js';
import { recallFleet } from './recall-fleet.js';
import { startResearch } from './start-research.js';
import { switchRules } from './switch-rules.js';
import { upgradeBuilding } from './upgrade-building.js';

/** Every command that is executed on a world; genesis makes the world itself. */
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
} as const;

type CommandTable = typeof COMMANDS;

/** The type of every command that is executed on a world. */
export const COMMAND_TYPES = Object.keys(COMMANDS) as readonly (keyof CommandTable)[];

type CommandOf<D> = D extends CommandDefinition<infer C, infer _R> ? C : never;
type ResultOf<D> = D extends CommandDefinition<infer _C, infer R> ? R : never;

export type WorldCommand = CommandOf<CommandTable[keyof CommandTable]>;
export type Command = Genesis | WorldCommand;
/** What an accepted command gives back. */
export type CommandResult<C extends WorldCommand = WorldCommand> = ResultOf<CommandTable[C['type']]>;

/** A command on disk: its number, then its fields in fixed order. */
export type CommandRow = readonly (Primitive | readonly Primitive[])[];

/** Runs a command's checks and changes on a world; `atMs` is its world time. */
export function executeCommand<C extends WorldCommand>(
  world: World,
  command: C,
  atMs: number,
): CommandResult<C> | Refusal {
  // The table maps each command's type to its own definition, which TypeScript cannot follow through the union.
  const definition = COMMANDS[command.type] as unknown as CommandDefinition<C, CommandResult<C>>;
  return definition.execute(world, command, atMs);
}

export function encodeCommand(command: Command): CommandRow {
  if (command.type === 'genesis') {
    const { seed, systemsPerGalaxy, speedThousandths, rulesVersion, startMs, rules } = command;
    const settings = [GENESIS_CODE, seed, systemsPerGalaxy, speedThousandths, rulesVersion, startMs];
    return rules === undefined ? settings : [...settings, rules];
  }
  const definition = COMMANDS[command.type] as unknown as CommandDefinition<WorldCommand, unknown>;
  return [definition.code, ...definition.encode(command)];
}

/** @throws Error on a command number that this program does not know */
export function decodeCommand(row: CommandRow): Command {
  const [code, ...fields] = row;
  if (code === GENESIS_CODE) {
    const [seed, systemsPerGalaxy, speedThousandths, rulesVersion, startMs, rules] = fields;
    const settings = { type: 'genesis', seed, systemsPerGalaxy, speedThousandths, rulesVersion, startMs };
    return (rules === undefined ? settings : { ...settings, rules }) as Genesis;
  }
  const definition = DEFINITION_BY_CODE.get(code);
  if (definition === undefined) throw new Error(`command number ${String(code)} is not known to this program`);
  return definition.decode(fields as CommandArguments);
}

const DEFINITION_BY_CODE: ReadonlyMap<unknown, CommandDefinition<WorldCommand, unknown>> = new Map(
  Object.values(COMMANDS).map((definition) => [
    definition.code,
    definition as unknown as CommandDefinition<WorldCommand, unknown>,
  ]),
);
