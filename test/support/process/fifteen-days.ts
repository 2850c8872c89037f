// A script of fifteen world days for two hundred bots. What comes next depends on the seed and on what reads show, and on
// nothing else; so two runs of it ask for the same, whatever happens to their servers.
import { BotChoices, type PlayerState } from './bot-choices.js';
import { Draws } from './draws.js';
import type { SequentialPlayer } from './sequential-player.js';

export const DAYS = 15;
export const BOT_COUNT = 200;
const HOUR_MS = 3_600_000;
export const HOURS = DAYS * 24;
/** Bots that act in an hour; each of them acts every few days. */
const ACTORS_PER_HOUR = 5;

export interface FifteenDaysOptions {
  readonly seed: number;
  /** Told as each hour begins, from 0. */
  readonly onHour?: (hour: number) => void;
  /** Reads between the commands that the script itself does not need. */
  readonly isCurious?: boolean;
}

export async function playFifteenDays(player: SequentialPlayer, options: FifteenDaysOptions): Promise<void> {
  const { seed, onHour, isCurious = false } = options;
  const draws = new Draws(seed);
  const choices = new BotChoices(draws);
  const { worldTime } = await player.status();
  const bots = await player.createBots(BOT_COUNT, 'bot');
  const homes = bots.map(({ planetId }) => planetId);
  for (const home of homes) {
    const { path, body } = choices.grant(home);
    await player.command(path, body);
  }
  for (let hour = 0; hour < HOURS; hour += 1) {
    onHour?.(hour);
    for (let actor = 0; actor < ACTORS_PER_HOUR; actor += 1) {
      await act(player, draws, choices, draws.pick(bots).id, homes);
      if (isCurious) await player.read('/api/leaderboard');
    }
    await player.advanceTo(Date.parse(worldTime) + (hour + 1) * HOUR_MS);
  }
}

/** One bot looks around and tries one thing of each kind. */
async function act(
  player: SequentialPlayer,
  draws: Draws,
  choices: BotChoices,
  playerId: string,
  homes: readonly string[],
): Promise<void> {
  const state = await player.read<PlayerState>(`/api/game/state/${playerId}`);
  const planet = draws.pick(state.planets);
  const targets = [draws.pick(homes), draws.pick(homes), draws.pick(state.planets).id, choices.neighbourOf(planet)];
  for (const { path, body } of [
    choices.building(planet),
    choices.fleet(state, planet, targets),
    choices.shipyard(planet),
    choices.research(state),
  ]) {
    await player.command(path, body);
  }
}
