// A command in a log may come from a foreign folder whose checksums are right. Each of its fields is held to the limits of a
// request before the engine sees it, and the engine refuses positions that the rules of the world do not have.
import t from 'tap';
import {
  COMMAND_TYPES,
  type Command,
  type CommandRow,
  decodeCommand,
  encodeCommand,
  type WorldCommand,
} from '../../../engine/commands/table.js';
import {
  KEPT_REPLY_BYTES_OF_WORLD_MAX,
  PLAN_LONGER_THAN_SECONDS_MAX,
  PLAN_STEPS_MAX,
  RESOURCE_UNITS_MAX,
  SHIPS_PER_ORDER_MAX,
  SPEED_THOUSANDTHS_MAX,
  SYSTEMS_PER_GALAXY_MAX,
  TYPES_PER_LIST_MAX,
  WORLD_TIME_MS_MAX,
} from '../../../engine/rules/limits.js';
import {
  ANNOUNCEMENT_UNITS_MAX,
  BULK_PLAYERS_MAX,
  MESSAGE_UNITS_MAX,
  NAME_KEY_UNITS_MAX,
  NAME_UNITS_MAX,
  RETIRED_PLAYERS_MAX,
  RULE_SET_BYTES_MAX,
} from '../../../engine/rules/record-limits.js';
import { STANDARD_2_RULES } from '../../../engine/rules/shipped.js';
import { PUBLIC_SCOPE } from '../../../engine/world/kept-replies.js';
import { SOUND_COMMANDS } from '../../support/sound-commands.js';
import { firstPlanet, PLENTY, WorldStory } from '../../support/world-story.js';

/** Just beyond what a field may hold. */
const BEYOND: readonly [type: Command['type'], field: string, value: unknown][] = [
  ['genesis', 'systemsPerGalaxy', SYSTEMS_PER_GALAXY_MAX + 1],
  ['genesis', 'speedThousandths', SPEED_THOUSANDTHS_MAX + 1],
  ['genesis', 'startMs', WORLD_TIME_MS_MAX + 1],
  ['genesis', 'rules', 'x'.repeat(RULE_SET_BYTES_MAX + 1)],
  ['create_player', 'name', 'x'.repeat(NAME_UNITS_MAX + 1)],
  ['create_player', 'nameKey', 'x'.repeat(NAME_KEY_UNITS_MAX + 1)],
  ['create_players', 'namePrefix', 'x'.repeat(NAME_UNITS_MAX + 1)],
  ['create_players', 'namePrefixKey', 'x'.repeat(NAME_KEY_UNITS_MAX + 1)],
  ['create_players', 'count', BULK_PLAYERS_MAX + 1],
  ['create_players', 'count', 2 ** 40],
  ['create_players', 'keyHashes', Array.from({ length: BULK_PLAYERS_MAX + 1 }, () => 'hash')],
  ['construct_building', 'buildingType', TYPES_PER_LIST_MAX],
  ['upgrade_building', 'buildingType', TYPES_PER_LIST_MAX],
  ['start_research', 'researchType', TYPES_PER_LIST_MAX],
  ['build_ships', 'count', SHIPS_PER_ORDER_MAX + 1],
  ['build_ships', 'count', 0],
  ['launch_fleet', 'ships', Array.from({ length: TYPES_PER_LIST_MAX + 1 }, () => 1)],
  ['launch_fleet', 'cargo', [0, 0, 0, RESOURCE_UNITS_MAX + 1]],
  ['launch_fleet', 'cargo', [0, 0, 0]],
  ['grant_resources', 'amounts', [RESOURCE_UNITS_MAX + 1, 0, 0, 0, 0]],
  ['grant_resources', 'amounts', [-1, 0, 0, 0, 0]],
  ['keep_reply', 'reply', 'x'.repeat(KEPT_REPLY_BYTES_OF_WORLD_MAX + 1)],
  ['send_message', 'text', 'x'.repeat(MESSAGE_UNITS_MAX + 1)],
  ['send_message', 'receiverNumber', -1],
  ['keep_reply', 'scope', PUBLIC_SCOPE - 1],
  ['switch_rules', 'rules', 'x'.repeat(RULE_SET_BYTES_MAX + 1)],
  ['retire_players', 'playerNumbers', Array.from({ length: RETIRED_PLAYERS_MAX + 1 }, (_, index) => index)],
  ['resume_clock', 'lagMs', WORLD_TIME_MS_MAX + 1],
  ['set_speed', 'speedThousandths', 0],
  ['set_speed', 'speedThousandths', SPEED_THOUSANDTHS_MAX + 1],
  ['rename_player', 'name', 'x'.repeat(NAME_UNITS_MAX + 1)],
  ['rename_player', 'nameKey', 'x'.repeat(NAME_KEY_UNITS_MAX + 1)],
  ['announce', 'text', 'x'.repeat(ANNOUNCEMENT_UNITS_MAX + 1)],
  ['announce', 'lastsMs', 0],
  ['put_plan', 'steps', Array.from({ length: PLAN_STEPS_MAX + 1 }, () => 0)],
  ['put_plan', 'longerThanMs', PLAN_LONGER_THAN_SECONDS_MAX * 1000 + 1],
  ['put_plan', 'longerThanMs', -1],
];

/** No field of any command may hold one of these. */
const NOWHERE: readonly unknown[] = [1.5, Number.NaN, 2 ** 53, -2, undefined, {}, [[]], [null]];

t.test('every sound command is read as it was written', async (t) => {
  t.same(Object.keys(SOUND_COMMANDS).toSorted(), ['genesis', ...COMMAND_TYPES].toSorted());
  for (const command of Object.values(SOUND_COMMANDS))
    t.same(decodeCommand(encodeCommand(command)), command, command.type);
});

t.test('a field that exceeds a limit of requests is refused', async (t) => {
  for (const [type, field, value] of BEYOND) {
    const row = encodeCommand({ ...SOUND_COMMANDS[type], [field]: value } as Command);
    t.throws(() => decodeCommand(row), { message: /; expected / }, `${type}.${field}`);
  }
});

t.test('a field of another type is refused', async (t) => {
  for (const command of Object.values(SOUND_COMMANDS)) {
    const sound = encodeCommand(command);
    for (let place = 1; place < sound.length; place += 1) {
      for (const value of NOWHERE) {
        const row = sound.with(place, value as CommandRow[number]) as CommandRow;
        t.throws(() => decodeCommand(row), { message: /; expected / }, `${command.type}, field ${place}: ${value}`);
      }
    }
  }
});

t.test('a position that the rules do not have is refused, and changes nothing', async (t) => {
  const story = new WorldStory({ rules: STANDARD_2_RULES.text });
  const home = firstPlanet(story.human());
  story.grant(home, PLENTY);
  const { buildings, ships, drives, research } = story.world.rules;
  const place = { planetKey: home.key, originKey: home.key, targetKey: home.key + 1, playerNumber: home.ownerNumber };
  const fleet = ships.map(() => 0);
  const foreign: readonly [type: Command['type'], field: string, value: unknown][] = [
    ['construct_building', 'buildingType', buildings.length],
    ['upgrade_building', 'buildingType', buildings.length],
    ['build_ships', 'shipType', ships.length],
    ['start_research', 'researchType', research.length],
    ['launch_fleet', 'ships', fleet.slice(1)],
    ['launch_fleet', 'ships', [...fleet, 0]],
    ['launch_fleet', 'drive', drives.length],
    ['put_plan', 'steps', [buildings.length << 2]],
  ];
  const hash = story.engine.stateHash();
  for (const [type, field, value] of foreign) {
    const command = { ...SOUND_COMMANDS[type], ships: fleet, ...place, [field]: value } as WorldCommand;
    t.throws(
      () => story.attempt(command),
      { name: 'Error', message: /^(the rules have|it counts)/ },
      `${type}.${field}`,
    );
    t.equal(story.engine.stateHash(), hash, `${type}.${field} changes nothing`);
  }
});
