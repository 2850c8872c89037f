// Results of tournaments of any size, for tests of what shows them. All figures come from a seed; nobody has played these games.
import { STANDARD_1_RULES } from '../../../engine/rules/shipped.js';
import type { TournamentBody } from '../../../http/schemas/tournament.js';
import { VERSION } from '../../../http/version.js';
import { rulesIdentity } from '../../../persistence/rules/stored-rules.js';
import { MANUAL_START_MS } from '../../../persistence/time/clock.js';
import { Draws } from '../process/draws.js';

export interface MadeResult {
  /** Names of the entrants, the strongest first. */
  readonly labels: readonly string[];
  readonly games: number;
  readonly seed?: number;
  readonly isFinished?: boolean;
}

type Game = TournamentBody['games'][number];
type Rating = TournamentBody['ratings'][number];

const DAYS = 30;
const DAY_MS = 86_400_000;
const SEEDS = 5;
const LIMITS = { commandsPerDay: 200, wakeupsPerDay: 24 } as const;

/** A result in which stronger entrants win more often. */
export function madeResult({ labels, games: count, seed = 1, isFinished = true }: MadeResult): TournamentBody {
  const draws = new Draws(seed);
  const games = Array.from({ length: count }, (_, index) => madeGame(labels, index + 1, draws));
  return {
    format: 1,
    galaxyd: VERSION,
    isFinished,
    settings: {
      rules: rulesIdentity(STANDARD_1_RULES),
      variation: null,
      days: DAYS,
      seeds: Array.from({ length: Math.min(SEEDS, Math.max(count, 1)) }, (_, index) => index + 1),
      rounds: Math.max(1, Math.ceil(count / SEEDS)),
      ...LIMITS,
      wakeupsByOthersPerDay: 4,
      wallSecondsPerTurn: 10,
      speed: 1,
      systemsPerGalaxy: 10,
      keySecret: isFinished ? 'the-secret-of-a-made-tournament' : null,
    },
    entrants: labels.map((label, index) => ({
      label,
      kind: index % 4 === 3 ? 'command' : 'bot',
      source: index % 4 === 3 ? `python3 bots/${label}.py` : label,
      programDigest: index % 4 === 3 ? index.toString(16).padStart(64, '0') : null,
      ...LIMITS,
    })),
    games,
    ratings: ratingsOf(labels, games),
    withheld: [],
    unseparated: [],
  };
}

function madeGame(labels: readonly string[], number: number, draws: Draws): Game {
  const strengths = labels.map((_, index) => (labels.length - index) * 800 + draws.between(0, labels.length * 900));
  const starts = labels.map((_, index) => (index + number) % labels.length);
  const digest = number.toString(16).padStart(2, '0').repeat(32);
  const isRepeatable = number % 7 !== 5;
  return {
    number,
    seed: ((number - 1) % SEEDS) + 1,
    round: Math.ceil(number / SEEDS),
    orderSeed: draws.between(0, 2 ** 31),
    isRepeatable,
    worldTime: new Date(MANUAL_START_MS + DAYS * DAY_MS).toISOString(),
    seq: draws.between(900, 9_000),
    stateHash: digest,
    logDigest: digest,
    courseDigest: digest,
    players: starts.map((entrant, start) => {
      const points = (strengths[entrant] as number) * 12;
      const higher = strengths.filter((other) => other > (strengths[entrant] as number)).length;
      const equal = strengths.filter((other) => other === strengths[entrant]).length;
      const hasOverrun = !isRepeatable && start === 0;
      return {
        label: labels[entrant] as string,
        playerId: `player-${start + 1}`,
        points,
        income: {
          deliveredUnits: draws.between(0, 900),
          lootUnits: draws.between(0, 9_000),
          harvestedUnits: draws.between(0, 90_000),
        },
        deals: {
          pactsProposed: draws.between(0, 9),
          pactsAccepted: draws.between(0, 9),
          pactsHonoured: draws.between(0, 9),
          pactsBroken: draws.between(0, 3),
          attacksAfterBreaking: draws.between(0, 3),
          offersMade: draws.between(0, 99),
          offersSold: draws.between(0, 50),
          offersExpired: draws.between(0, 50),
          offersTaken: draws.between(0, 50),
          messagesSent: draws.between(0, 99),
        },
        rank: higher + (equal + 1) / 2,
        commands: draws.between(20, 900),
        wakeups: draws.between(10, 300),
        wakeupsByOthers: draws.between(0, 10),
        refusals: draws.oneIn(3) ? { insufficient_resources: draws.between(1, 90), upgrade_in_progress: 3 } : {},
        overruns: hasOverrun ? 3 : 0,
        isWithdrawn: hasOverrun,
        earlyEnd: null,
      };
    }),
  };
}

/** Only their form is that of real ratings. */
function ratingsOf(labels: readonly string[], games: readonly Game[]): Rating[] {
  if (games.length === 0) return [];
  return labels
    .map((label): Rating => {
      const ranks = games
        .flatMap(({ players }) => players.filter((player) => player.label === label))
        .map(({ rank }) => rank);
      const meanRank = ranks.reduce((sum, rank) => sum + rank, 0) / ranks.length;
      const spread = 1.96 * Math.sqrt(labels.length / ranks.length) * 0.5;
      const rating = 1_000 + (400 * ((labels.length + 1) / 2 - meanRank)) / Math.max(1, labels.length / 3);
      const margin = 220 / Math.sqrt(ranks.length);
      return {
        label,
        rating,
        low: rating - margin,
        high: rating + margin * 1.2,
        meanRank,
        meanRankLow: Math.max(1, meanRank - spread),
        meanRankHigh: Math.min(labels.length, meanRank + spread),
        games: ranks.length,
        firsts: ranks.filter((rank) => rank < 2).length,
        faults: games.flatMap(({ players }) => players).filter((one) => one.label === label && one.isWithdrawn).length,
      };
    })
    .sort((one, other) => other.rating - one.rating);
}
