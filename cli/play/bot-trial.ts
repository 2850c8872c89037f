// `galaxyd bot try`: plays a tournament of one game, and says what the bot did in it, and why it lost or won.
import { statSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import type { Static } from 'typebox';
import { labelOf } from '../../arena/tournament/entrants.js';
import { faultyEntrants } from '../../arena/tournament/faults.js';
import { entrantLog, entrantTrace, gameFolder } from '../../arena/tournament/game.js';
import type { Tournament, TournamentPlayer } from '../../arena/tournament/result.js';
import type { TraceLine } from '../../http/schemas/tournament.js';
import { DAY_MS } from '../../http/turns/turn-game.js';
import type { BotTryFlags } from '../commands/bot.js';
import { printResult } from '../commands/command.js';
import { EXIT_CODES, WrongUsage } from '../commands/exit-codes.js';
import { type TournamentFlags, tournamentOptions } from '../commands/tournament.js';
import { counted, grouped } from '../output/summaries.js';
import { gameFacts, PARTS_OF_GAME, type PlayerFacts } from './game-facts.js';
import { reasonsFor } from './game-reasons.js';
import { playTournament } from './tournament-run.js';

/** The same for each trial, so that the same bots play the same game. */
const KEY_SECRET = 'of-each-trial-of-a-bot';
/** Lines that are shown of what a bot with faults has printed last. */
const OUTPUT_LINES = 8;
const LEFT = 'it was interrupted';

/** A refused command: how often, and the first one. */
interface TrialRefusal {
  readonly code: string;
  readonly count: number;
  /** Null if the trace has no more room for it. */
  readonly first: { readonly worldTime: string; readonly request: string; readonly detail: string } | null;
}

interface TrialPlayer extends PlayerFacts, Pick<TournamentPlayer, 'rank'> {}

interface TrialBot extends TrialPlayer, Pick<TournamentPlayer, 'wakeups' | 'wakeupsByOthers' | 'overruns'> {
  /** Also those that were refused. */
  readonly commandsSent: number;
  readonly refusals: readonly TrialRefusal[];
  /** In words; empty if there are none. */
  readonly faults: readonly string[];
  /** The end of its output, if it has faults. */
  readonly output: readonly string[];
}

/** What a trial has found. */
interface Trial {
  readonly seed: number;
  readonly days: number;
  readonly bot: TrialBot;
  /** By rank. */
  readonly rivals: readonly TrialPlayer[];
  /** Why the bot has fewer points than the best rival, or more. */
  readonly reasons: readonly string[];
}

/** @throws WrongUsage, UnfitTournament, ServerFailed */
export async function tryBot(given: string, flags: BotTryFlags): Promise<void> {
  const { keep } = flags;
  if (statSync(given, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new WrongUsage(`${given} is not a folder; galaxyd bot new ${given} writes one`);
  const own = keep === undefined ? await mkdtemp(join(tmpdir(), 'galaxyd-trial-')) : null;
  try {
    const out = own ?? resolve(keep ?? '');
    const label = labelOf(basename(resolve(given)));
    // The author of a bot knows what it may do.
    const words = { left: LEFT, warns: false };
    const result = await playTournament(tournamentFlagsOf(given, label, flags, out), words);
    const trial = await trialOf(result, label, out);
    printResult(flags, trial, () => [
      ...trialLines(trial),
      ...(keep === undefined ? [] : [`The game is in ${keep}: galaxyd replay ${keep} shows it.`]),
    ]);
    if (trial.bot.faults.length > 0) process.exitCode = EXIT_CODES.failed.code;
  } finally {
    if (own !== null) await rm(own, { recursive: true, force: true });
  }
}

/** The flags of a tournament of one game. */
function tournamentFlagsOf(given: string, label: string, flags: BotTryFlags, out: string): TournamentFlags {
  const defaults = Object.fromEntries(
    tournamentOptions().flatMap((option) =>
      option.defaultValue === undefined ? [] : [[option.attributeName(), option.defaultValue]],
    ),
  );
  const { against, days, seed, rules, sameRules } = flags;
  return {
    ...(defaults as Omit<TournamentFlags, 'entrants' | 'days' | 'seeds' | 'out'>),
    entrants: `${label}="${resolve(given).replace(/["\\$`]/g, '\\$&')}",${against}`,
    days,
    seeds: [seed],
    rules,
    ...(sameRules === undefined ? {} : { sameRules }),
    keySecret: KEY_SECRET,
    out,
  };
}

async function trialOf(result: Tournament, label: string, out: string): Promise<Trial> {
  const [game] = result.games;
  if (game === undefined) throw new Error('a trial has no game');
  const { seed, number } = game;
  const { days } = result.settings;
  const facts = await gameFacts(join(out, gameFolder(number), 'world'), days * DAY_MS);
  const players = game.players
    .map((player) => ({ player, facts: facts.find(({ name }) => name === player.label) as PlayerFacts }))
    .toSorted((one, other) => one.player.rank - other.player.rank);
  const own = players.find(({ player }) => player.label === label);
  const rivals = players.filter((each) => each !== own);
  const [best] = rivals;
  if (own === undefined || best === undefined) throw new Error('a trial has a bot and a rival');
  const { rank, commands: commandsSent, wakeups, wakeupsByOthers, overruns, refusals } = own.player;
  const faults = faultyEntrants(result, []).filter((each) => each.label === label);
  const [ahead, behind] = own.player.points >= best.player.points ? [own, best] : [best, own];
  return {
    seed,
    days,
    bot: {
      ...own.facts,
      rank,
      commandsSent,
      wakeups,
      wakeupsByOthers,
      overruns,
      refusals: await refusalsOf(refusals, join(out, entrantTrace(number, label))),
      faults: faults.map(({ words }) => words),
      output: faults.length === 0 ? [] : await outputEnd(join(out, entrantLog(number, label))),
    },
    rivals: rivals.map((each) => ({ ...each.facts, rank: each.player.rank })),
    reasons: ahead.player.points === behind.player.points ? [] : reasonsFor(ahead.facts, behind.facts, days * DAY_MS),
  };
}

/** A line of a trace, if it is not the mark of a cut. */
type ReadLine = Partial<Static<typeof TraceLine>>;

/** Adds the first request of each refusal, from a trace. The commonest comes first. */
async function refusalsOf(counts: Readonly<Record<string, number>>, trace: string): Promise<TrialRefusal[]> {
  // A bot that has asked nothing has no trace.
  const text = Object.keys(counts).length === 0 ? '' : await readFile(trace, 'utf8');
  const lines = text.split('\n').filter((line) => line !== '');
  const requests = lines.map((line) => JSON.parse(line) as ReadLine);
  return Object.entries(counts)
    .toSorted(([, one], [, other]) => other - one)
    .map(([code, count]) => {
      const first = requests.find((request) => request.code === code && request.method !== 'GET');
      if (first === undefined) return { code, count, first: null };
      const { worldTime = '', method, path, answer } = first;
      return {
        code,
        count,
        first: {
          worldTime,
          request: `${method} ${path}`,
          detail: (answer as { readonly detail?: string } | undefined)?.detail ?? '',
        },
      };
    });
}

/** Without the last line of the file, which says how the process ended. */
async function outputEnd(file: string): Promise<string[]> {
  const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => line.trim() !== '');
  return lines.slice(0, -1).slice(-OUTPUT_LINES);
}

function trialLines(trial: Trial): string[] {
  const { bot, rivals, reasons } = trial;
  const [best] = rivals;
  const isFirst = bot.rank < (best?.rank ?? 0);
  return [
    `${bot.name} has rank ${bot.rank} of ${rivals.length + 1} after ${counted(trial.days, 'day', 'days')} (seed ${trial.seed}).`,
    ...pointsLines(
      [...rivals, bot].toSorted((one, other) => one.rank - other.rank),
      trial.days,
    ),
    ...commandLines(bot),
    ...bot.faults.map((words) => `Faults: it ${words}.${bot.output.length === 0 ? '' : ' Its output ends with:'}`),
    ...bot.output.map((line) => `  ${line}`),
    ...(reasons.length === 0
      ? []
      : [`Why ${isFirst ? bot.name : best?.name} is ahead of ${isFirst ? best?.name : bot.name}:`]),
    ...reasons.map((reason) => `- ${reason}`),
  ];
}

/** A table of points: a line for each player, a column for each part of the game. */
function pointsLines(players: readonly TrialPlayer[], days: number): string[] {
  const width = Math.max('points after'.length, ...players.map(({ name }) => name.length));
  const row = (name: string, cells: readonly string[]): string =>
    [name.padEnd(width), ...cells.map((cell) => cell.padStart(12))].join('').trimEnd();
  const hours = Array.from({ length: PARTS_OF_GAME }, (_, part) => (24 * days * (part + 1)) / PARTS_OF_GAME);
  return [
    row(
      'points after',
      hours.map((hour) => `${Number(hour.toFixed(2))} h`),
    ),
    ...players.map(({ name, points }) => row(name, points.map(grouped))),
  ];
}

function commandLines({ commands, commandsSent, wakeups, refusals }: TrialBot): string[] {
  const kinds = Object.entries(commands)
    .toSorted(([, one], [, other]) => other - one)
    .map(([type, count]) => `${type} ${grouped(count)}`);
  const turns = counted(wakeups, 'turn', 'turns');
  return [
    `In ${turns} it sent ${counted(commandsSent, 'command', 'commands')}; accepted: ${kinds.join(', ') || 'none'}.`,
    ...refusals.map(({ code, count, first }) => {
      const words = first === null ? '' : `; first at ${first.worldTime}, ${first.request}: ${first.detail}`;
      return `Refused: ${code}, ${counted(count, 'time', 'times')}${words}`;
    }),
  ];
}
