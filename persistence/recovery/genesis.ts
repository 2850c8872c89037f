// Creates a world, and checks the settings that an existing world is opened with.
import type { Genesis } from '../../engine/commands/genesis.js';
import { encodeCommand } from '../../engine/commands/table.js';
import {
  SPEED_THOUSANDTHS_MAX,
  SPEED_THOUSANDTHS_MIN,
  SYSTEMS_PER_GALAXY_DEFAULT,
  SYSTEMS_PER_GALAXY_MAX,
} from '../../engine/rules/limits.js';
import type { Rules } from '../../engine/rules/rules.js';
import { DEFAULT_RULES } from '../../engine/rules/shipped.js';
import { isRefusal } from '../../engine/terms/rejections.js';
import type { ReadonlyWorld } from '../../engine/world/state.js';
import { appendForCertain, StallWatch } from '../log/append.js';
import { Batch, NO_PREVIOUS_HASH, recordHash } from '../log/batch-record.js';
import type { CommandLog, LogTail } from '../log/log.js';
import { rulesLabel } from '../rules/stored-rules.js';
import { NODE_SCHEDULER, type Scheduler } from '../time/scheduler.js';
import type { ReplayableEngine } from './replay.js';

/**
 * Settings that are chosen when a world is created and never changed afterwards. An omitted one means that of the
 * world.
 */
export interface ChosenSettings {
  /** Safe non-negative integer. */
  readonly seed?: number;
  /** 1 is the speed at which the formulas hold (specification, section 5); thousandths are kept. */
  readonly speed?: number;
  readonly systemsPerGalaxy?: number;
  /**
   * The rules of the world; DEFAULT_RULES by default. They can be switched later; see engine/commands/rules.ts.
   */
  readonly rules?: Rules;
}

const DEFAULTS: Required<ChosenSettings> = {
  seed: 1,
  speed: 1,
  systemsPerGalaxy: SYSTEMS_PER_GALAXY_DEFAULT,
  rules: DEFAULT_RULES,
};

/** A world was started with a setting that differs from the one it was created with. */
export class SettingsMismatch extends Error {
  override readonly name = 'SettingsMismatch';

  constructor(
    readonly setting: keyof ChosenSettings,
    readonly stored: number | string,
    readonly given: number | string,
  ) {
    super(
      `the world has ${SETTING_NAMES[setting]} ${stored} and cannot be started with ${given}; ` +
        'leave the setting out, or choose another data folder for a new world',
    );
  }
}

const SETTING_NAMES: Record<keyof ChosenSettings, string> = {
  seed: 'seed',
  speed: 'speed',
  systemsPerGalaxy: 'systems per galaxy',
  rules: 'rules',
};

/**
 * Creates the world and writes its first record, which holds only the genesis entry.
 *
 * @param epoch what acquire() of the log returned
 * @param startMs world time at which it begins
 * @param flushStallMs longest time the write may take; FLUSH_STALL_MS by default
 * @param scheduler measures that time
 * @returns where the log now ends
 * @throws RangeError if the settings are invalid: nothing was written
 * @throws LogWriteFailed, Fenced, LogConflict, UnknownOutcome
 * @throws LogStalled; the log must then be left alone
 */
export async function beginWorld(
  engine: ReplayableEngine,
  log: CommandLog,
  epoch: number,
  chosen: ChosenSettings,
  startMs: number,
  flushStallMs?: number,
  scheduler: Scheduler = NODE_SCHEDULER,
): Promise<LogTail> {
  const genesis = genesisOf(chosen, startMs);
  const outcome = engine.apply(startMs, genesis);
  if (isRefusal(outcome)) throw new Error(`the world cannot begin: ${outcome.code}`);
  const batch = new Batch(1);
  batch.tryAdd(startMs, encodeCommand(genesis));
  const bytes = batch.encode(genesis.rulesVersion, NO_PREVIOUS_HASH);
  await appendInTime(log, epoch, bytes, flushStallMs, scheduler);
  return { lastSeq: 1, hash: recordHash(bytes) };
}

function appendInTime(
  log: CommandLog,
  epoch: number,
  bytes: Uint8Array,
  flushStallMs: number | undefined,
  scheduler: Scheduler,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let isOver = false;
    const giveUp = (error: Error): void => {
      isOver = true;
      reject(error);
    };
    const stallWatch = new StallWatch(giveUp, flushStallMs, scheduler);
    const append = { epoch, expectedSeq: 0, lastSeq: 1, bytes };
    stallWatch.begin(1);
    appendForCertain(log, append, scheduler, () => isOver)
      .then(resolve, reject)
      .finally(() => stallWatch.end());
  });
}

/** @throws SettingsMismatch for the first given setting that differs from the world's */
export function checkSettings({ settings, rules }: ReadonlyWorld, chosen: ChosenSettings): void {
  const own = {
    seed: settings.seed,
    speed: settings.speedThousandths / 1_000,
    systemsPerGalaxy: settings.systemsPerGalaxy,
  };
  for (const setting of ['seed', 'speed', 'systemsPerGalaxy'] as const) {
    const given = chosen[setting];
    if (given === undefined) continue;
    const kept = setting === 'speed' ? thousandthsOf(given) / 1_000 : given;
    if (kept !== own[setting]) throw new SettingsMismatch(setting, own[setting], given);
  }
  if (chosen.rules !== undefined && chosen.rules.text !== rules.text) {
    throw new SettingsMismatch('rules', rulesLabel(rules), rulesLabel(chosen.rules));
  }
}

function genesisOf(chosen: ChosenSettings, startMs: number): Genesis {
  const seed = chosen.seed ?? DEFAULTS.seed;
  const systemsPerGalaxy = chosen.systemsPerGalaxy ?? DEFAULTS.systemsPerGalaxy;
  const speedThousandths = thousandthsOf(chosen.speed ?? DEFAULTS.speed);
  requireInteger('seed', seed, 0, Number.MAX_SAFE_INTEGER);
  requireInteger('systems per galaxy', systemsPerGalaxy, 1, SYSTEMS_PER_GALAXY_MAX);
  requireInteger('speed in thousandths', speedThousandths, SPEED_THOUSANDTHS_MIN, SPEED_THOUSANDTHS_MAX);
  const rules = chosen.rules ?? DEFAULTS.rules;
  return {
    type: 'genesis',
    seed,
    systemsPerGalaxy,
    speedThousandths,
    rulesVersion: rules.version,
    startMs,
    rules: rules.text,
  };
}

/** The speed as it is stored. */
function thousandthsOf(speed: number): number {
  return Math.round(speed * 1_000);
}

function requireInteger(name: string, value: number, lowest: number, highest: number): void {
  if (Number.isInteger(value) && value >= lowest && value <= highest) return;
  throw new RangeError(`a world cannot have ${name} ${value}; it is a whole number from ${lowest} to ${highest}`);
}
