// A script of some world days for two hundred bots, fifteen in its long form. The next request depends only on the seed
// and on what reads show, so two runs send the same requests, whatever happens to their servers.
import type { RuleSet } from '../../../engine/rules/rule-set.js';
import { BotChoices, type PlayerState } from './bot-choices.js';
import { Draws } from './draws.js';
import { shortOrLong } from './lengths.js';
import type { SequentialPlayer } from './sequential-player.js';

export const DAYS = shortOrLong(5, 15);
export const BOT_COUNT = 200;
export const HOURS = DAYS * 24;
const HOUR_MS = 3_600_000;
/** The time in the hour at which some of the bots that acted cancel something. */
const SECOND_THOUGHTS_MS = 120_000;
/** Bots that act in an hour; each bot acts every few days. */
const ACTORS_PER_HOUR = 3;
/** The minimum number of writes in an hour, before it ends. */
export const WRITES_PER_HOUR = ACTORS_PER_HOUR * 4 + 1;

export interface FifteenDaysOptions {
  readonly seed: number;
  /** Called at the beginning of each hour, from 0. */
  readonly onHour?: (hour: number) => void;
  /** Reads between the commands, which the script itself does not need. */
  readonly isCurious?: boolean;
  /** HOURS by default. */
  readonly hours?: number;
  /** BOT_COUNT by default. */
  readonly bots?: number;
  /** The rules of the world; `standard-1` by default. */
  readonly rules?: RuleSet;
}

export async function playFifteenDays(player: SequentialPlayer, options: FifteenDaysOptions): Promise<void> {
  const { seed, onHour, isCurious = false, hours = HOURS, bots: botCount = BOT_COUNT, rules } = options;
  const draws = new Draws(seed);
  const choices = new BotChoices(draws, rules);
  const beginMs = Date.parse((await player.status()).worldTime);
  const bots = await player.createBots(botCount, 'bot');
  const homes = bots.map(({ planetId }) => planetId);
  for (const home of homes) await player.command(choices.grant(home));
  for (let hour = 0; hour < hours; hour += 1) {
    onHour?.(hour);
    const actors = Array.from({ length: ACTORS_PER_HOUR }, () => draws.pick(bots).id);
    for (const actor of actors) {
      const state = await player.read<PlayerState>(`/api/game/state/${actor}`);
      const planet = draws.pick(state.planets);
      await player.command(draws.oneIn(6) ? choices.settle(state, planet) : choices.building(planet));
      await player.command(choices.fleet(state, planet, homes));
      await player.command(choices.shipyard(planet));
      await player.command(choices.research(state));
    }
    if (isCurious) await lookAround(player, new Draws(hour), bots);
    await player.advanceTo(beginMs + hour * HOUR_MS + SECOND_THOUGHTS_MS);
    for (const actor of actors) {
      if (draws.below(3) > 0) continue;
      const change = choices.changeOfMind(await player.read<PlayerState>(`/api/game/state/${actor}`));
      if (change !== null) await player.command(change);
    }
    await player.advanceTo(beginMs + (hour + 1) * HOUR_MS);
  }
}

/** Makes reads of every kind; it has draws of its own, so that the script's draws do not change. */
async function lookAround(
  player: SequentialPlayer,
  draws: Draws,
  bots: readonly { readonly id: string }[],
): Promise<void> {
  const { id } = draws.pick(bots);
  const galaxy = `/api/game/galaxy/1/system/${draws.below(100)}`;
  for (const path of ['game/planets', 'research/player', 'fleet/player', 'report/player']) {
    await player.read(`/api/${path}/${id}`);
  }
  for (const path of [galaxy, '/api/leaderboard', '/api/status', '/api/admin/state-hash']) await player.read(path);
}
