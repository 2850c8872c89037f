// How a world begins, and that a world is never opened as another one than it is.
import type { Genesis } from '../engine/commands/genesis.js';
import { encodeCommand } from '../engine/commands/table.js';
import { isRefusal } from '../engine/rejections.js';
import { RULES_VERSION } from '../engine/rules/catalogue.js';
import { SYSTEMS_PER_GALAXY_DEFAULT } from '../engine/rules/limits.js';
import type { WorldSettings } from '../engine/state.js';
import { Batch } from './batch.js';
import { NO_PREVIOUS_HASH, recordHash } from './batch-record.js';
import type { LogTail } from './group-commit.js';
import type { CommandLog } from './log.js';
import type { ReplayableEngine } from './replayable-engine.js';

/** What can be chosen when a world is created, and never changed afterwards. What is not given is the world's own. */
export interface ChosenSettings {
  /** Safe non-negative integer. */
  readonly seed?: number;
  /** 1 is the speed at which the contract's formulas hold; thousandths are kept. */
  readonly speed?: number;
  readonly systemsPerGalaxy?: number;
}

const DEFAULTS: Required<ChosenSettings> = { seed: 1, speed: 1, systemsPerGalaxy: SYSTEMS_PER_GALAXY_DEFAULT };

/** A world was started with another setting than it was created with. */
export class SettingsMismatch extends Error {
  override readonly name = 'SettingsMismatch';

  constructor(
    readonly setting: keyof ChosenSettings,
    readonly stored: number,
    readonly given: number,
  ) {
    super(
      `the world was created with ${SETTING_NAMES[setting]} ${stored} and cannot be started with ${given}; ` +
        'leave the setting out, or choose another data folder for a new world',
    );
  }
}

const SETTING_NAMES: Record<keyof ChosenSettings, string> = {
  seed: 'seed',
  speed: 'speed',
  systemsPerGalaxy: 'systems per galaxy',
};

/**
 * Makes the world and writes its first record, which holds the genesis entry alone.
 *
 * @param startMs world time at which it begins
 * @returns where the log now ends
 */
export async function beginWorld(
  engine: ReplayableEngine,
  log: CommandLog,
  chosen: ChosenSettings,
  startMs: number,
): Promise<LogTail> {
  const genesis = genesisOf(chosen, startMs);
  const outcome = engine.apply(startMs, genesis);
  if (isRefusal(outcome)) throw new Error(`the world cannot begin: ${outcome.code}`);
  const batch = new Batch(1);
  batch.tryAdd(startMs, encodeCommand(genesis));
  const bytes = batch.encode(genesis.rulesVersion, NO_PREVIOUS_HASH);
  await log.append(1, bytes);
  return { lastSeq: 1, hash: recordHash(bytes) };
}

/** @throws SettingsMismatch naming the first setting that was given and is not the world's own */
export function checkSettings(stored: WorldSettings, chosen: ChosenSettings): void {
  const own: Required<ChosenSettings> = {
    seed: stored.seed,
    speed: stored.speedThousandths / 1_000,
    systemsPerGalaxy: stored.systemsPerGalaxy,
  };
  for (const setting of ['seed', 'speed', 'systemsPerGalaxy'] as const) {
    const given = chosen[setting];
    if (given !== undefined && given !== own[setting]) throw new SettingsMismatch(setting, own[setting], given);
  }
}

function genesisOf(chosen: ChosenSettings, startMs: number): Genesis {
  return {
    type: 'genesis',
    seed: chosen.seed ?? DEFAULTS.seed,
    systemsPerGalaxy: chosen.systemsPerGalaxy ?? DEFAULTS.systemsPerGalaxy,
    speedThousandths: Math.round((chosen.speed ?? DEFAULTS.speed) * 1_000),
    rulesVersion: RULES_VERSION,
    startMs,
  };
}
