// The settings that a paper can cite by name and version. A version never changes; what changes is another version. Their instances are held
// out: the seeds follow from the key secret, which nobody knows before the end.
import { createHash, createHmac } from 'node:crypto';
import { type Settings, UnfitTournament } from './result.js';
import { systemsForPlayers } from './world-size.js';

export const SETTING_NAMES = ['solo', 'duel', 'melee', 'diplomacy', 'endurance'] as const;
export type SettingName = (typeof SETTING_NAMES)[number];

/** The version of all settings. Its rules are frozen: rules that change need another version. */
export const SETTINGS_VERSION = '1';

/** Everything but the entrants. */
interface NamedSetting {
  readonly version: string;
  /** Name of a built-in rule set, which is varied for each instance. */
  readonly rules: string;
  readonly days: number;
  readonly instances: number;
  readonly rounds: number;
  readonly playersPerGame: number;
  readonly commandsPerDay: number;
  readonly wakeupsPerDay: number;
  readonly wakeupsByOthersPerDay: number;
  readonly wallSecondsPerTurn: number;
  readonly speed: number;
  readonly systemsPerGalaxy: number;
}

const SHARED = {
  version: SETTINGS_VERSION,
  rules: 'standard-2',
  commandsPerDay: 500,
  wakeupsPerDay: 24,
  wakeupsByOthersPerDay: 4,
  wallSecondsPerTurn: 30,
  speed: 1,
};

/** What all settings have in common, for games of so many players. */
const sharedBy = (playersPerGame: number) => {
  return { ...SHARED, playersPerGame, systemsPerGalaxy: systemsForPlayers(playersPerGame) };
};

/** Real seconds of a turn in which a model reads what others wrote, and answers. */
const TALKING_SECONDS = 120;

/** Each can be played by any number of entrants that a tournament may have, within its number of games. */
export const NAMED_SETTINGS: Readonly<Record<SettingName, NamedSetting>> = {
  solo: { ...sharedBy(1), days: 10, instances: 10, rounds: 1 },
  duel: { ...sharedBy(2), days: 10, instances: 7, rounds: 2 },
  melee: { ...sharedBy(8), days: 20, instances: 15, rounds: 1 },
  diplomacy: { ...sharedBy(4), days: 10, instances: 10, rounds: 1, wallSecondsPerTurn: TALKING_SECONDS },
  endurance: { ...sharedBy(4), days: 60, instances: 5, rounds: 1 },
};

/** Bytes of a seed: a whole number that JSON keeps. */
const SEED_BYTES = 6;

/** What a result says of the setting by whose name it was played. */
export type SettingIdentity = NonNullable<Settings['setting']>;

export function settingIdentity(name: SettingName): SettingIdentity {
  const { version } = NAMED_SETTINGS[name];
  const digest = createHash('sha256')
    .update(JSON.stringify([name, NAMED_SETTINGS[name]]))
    .digest('hex');
  return { name, version, digest };
}

/**
 * What a named setting settles, but for its rules.
 *
 * @param entrants their number
 * @throws UnfitTournament if there are too few
 */
export function settledBy(
  name: SettingName,
  entrants: number,
  keySecret: string,
): Omit<Settings, 'rules' | 'keySecret'> {
  const { version: _, rules: __, instances, playersPerGame, ...others } = NAMED_SETTINGS[name];
  return {
    setting: settingIdentity(name),
    variation: 'each',
    seeds: Array.from({ length: instances }, (___, index) => heldOutSeed(keySecret, index + 1)),
    ...playersPerGameOf(playersPerGame, entrants),
    ...others,
  };
}

/**
 * All entrants play in each game unless a smaller number is given.
 *
 * @throws UnfitTournament if there are too few
 */
export function playersPerGameOf(
  playersPerGame: number | undefined,
  entrants: number,
): Pick<Settings, 'playersPerGame'> {
  if (playersPerGame === undefined || playersPerGame === entrants) return {};
  if (playersPerGame < entrants) return { playersPerGame };
  throw new UnfitTournament(`there are ${entrants} entrants, and not ${playersPerGame} for each game`);
}

function heldOutSeed(keySecret: string, instance: number): number {
  return createHmac('sha256', keySecret).update(`galaxyd instance ${instance}`).digest().readUIntBE(0, SEED_BYTES);
}
