// The result of a tournament: every run with the same settings has the same one. The file `result.json` of a tournament's folder
// holds it, and a replay of that folder returns it.
import type { Static } from 'typebox';
import { NAME_LENGTH_MAX } from '../../engine/rules/limits.js';
import { Type } from '../../persistence/typebox.js';
import {
  ID_LENGTH_MAX,
  KEY_SECRET_LENGTH_MAX,
  KEY_SECRET_LENGTH_MIN,
  OWN_WAKEUPS_PER_WAKEUP_BY_OTHERS,
  TOURNAMENT_ENTRANTS_MAX,
  TOURNAMENT_GAMES_MAX,
  TOURNAMENT_REFUSAL_CODES_MAX,
  TOURNAMENT_SOURCE_LENGTH_MAX,
  TRACE_LINES_PER_REPLY_MAX,
} from '../limits.js';
import { boundedInteger, count, flag, oneOf, orNull, timestamp } from './primitives.js';
import { WokenBy } from './turns.js';
import { RulesIdentity } from './world.js';

/** The version of the file's format that this one describes. */
export const TOURNAMENT_FORMAT = 1;

const label = Type.String({
  minLength: 1,
  maxLength: NAME_LENGTH_MAX,
  description: 'Name of the entrant in this tournament; also the name of its player.',
});
const gameNumber = boundedInteger(1, TOURNAMENT_GAMES_MAX, 'Number of the game, from 1.');
const digest = (description: string) => Type.String({ maxLength: 128, description });
const commandsPerDay = count('Commands that an entrant may send per world day.');
const wakeupsPerDay = count('Turns that an entrant may have per world day, without those that others cause.');

export const TournamentSettings = Type.Object({
  setting: Type.Optional(
    Type.Object(
      {
        name: Type.String({ maxLength: ID_LENGTH_MAX }),
        version: Type.String({ maxLength: ID_LENGTH_MAX }),
        digest: digest('SHA-256 over everything that it settles.'),
      },
      {
        description:
          'The named setting, such as melee 1, that settles all others and whose seeds follow from the key secret.',
      },
    ),
  ),
  rules: RulesIdentity,
  variation: Type.Union([count('Seed.'), Type.Literal('each'), Type.Null()], {
    description:
      'Seed by which the rules were varied; `each` if each seed has an instance of its own, drawn from settings and entrants; null if they were not varied.',
  }),
  days: Type.Number({ exclusiveMinimum: 0, description: 'Length of a game in world days.' }),
  seeds: Type.Array(count('Seed of a world.'), {
    minItems: 1,
    maxItems: TOURNAMENT_GAMES_MAX,
    description: 'Each is an instance, with a world and possibly rules of its own, and is played in every round.',
  }),
  rounds: boundedInteger(1, TOURNAMENT_GAMES_MAX, 'How often each seed is played, with other starts each time.'),
  playersPerGame: Type.Optional(
    boundedInteger(
      1,
      TOURNAMENT_ENTRANTS_MAX,
      'Players of each game, if not all entrants play in each: a round then has several games, in which all play equally often. With 1, each plays alone, and those on the same instance are compared.',
    ),
  ),
  commandsPerDay,
  wakeupsPerDay,
  wakeupsByOthersPerDay: count(
    `Further turns of an entrant per world day that events of other players may cause; at most one for each ${OWN_WAKEUPS_PER_WAKEUP_BY_OTHERS} of its own.`,
  ),
  wallSecondsPerTurn: Type.Number({ exclusiveMinimum: 0, description: 'Time by the clock that a turn may take.' }),
  speed: Type.Number({ exclusiveMinimum: 0, description: 'Speed of the worlds.' }),
  systemsPerGalaxy: count('Systems in each galaxy.'),
  keySecret: orNull(
    Type.String({
      minLength: KEY_SECRET_LENGTH_MIN,
      maxLength: KEY_SECRET_LENGTH_MAX,
    }),
    'What the API keys of the players are derived from; null as long as the tournament runs.',
  ),
});

export const TournamentEntrant = Type.Object({
  label,
  kind: oneOf(['bot', 'command'], '`bot`: a bot of galaxyd; `command`: a program of its own.'),
  source: Type.String({
    maxLength: TOURNAMENT_SOURCE_LENGTH_MAX,
    description: 'Name of the bot, or the command line.',
  }),
  programDigest: orNull(
    digest('SHA-256 over its command line and the files that this and its `entrant.json` name.'),
    'Null for a bot of galaxyd.',
  ),
  commandsPerDay,
  wakeupsPerDay,
});

export const TournamentPlayer = Type.Object({
  label,
  playerId: Type.String({ maxLength: ID_LENGTH_MAX, description: 'Its player in the world of the game.' }),
  points: count('Points at the end.'),
  income: Type.Object(
    {
      deliveredUnits: count('What transports of other players have unloaded on its planets.'),
      lootUnits: count('What its attacks have taken.'),
      harvestedUnits: count('What its fleets have loaded from space.'),
    },
    { description: 'What it got besides the output of its planets, in units of all resources together.' },
  ),
  deals: Type.Object(
    {
      pactsProposed: count('Pacts that it has proposed.'),
      pactsAccepted: count('Proposals of others that it has accepted.'),
      pactsHonoured: count(
        'Of the pacts that it was a party to, those that were in force until their end or that of the game, and nobody cancelled.',
      ),
      pactsBroken: count('Pacts that it has cancelled.'),
      attacksAfterBreaking: count(
        'Attacks that it has launched at a player with whom it had cancelled a pact, up to a day after the end of that pact.',
      ),
      offersMade: count('Offers that it has made in the market.'),
      offersSold: count('Of its offers, those that somebody took.'),
      offersExpired: count('Of its offers, those whose time was up.'),
      offersTaken: count('Offers of others that it took.'),
      messagesSent: count('Messages that it has written, to one player or to everybody.'),
    },
    { description: 'What it agreed on with others, and what became of it.' },
  ),
  rank: Type.Number({ minimum: 1, description: 'Place by points. Equal points share the mean of their places.' }),
  commands: count('Commands it has sent, those that were refused included.'),
  wakeups: count('Turns it has had.'),
  wakeupsByOthers: count('Of its turns, those that other players have caused.'),
  refusals: Type.Record(Type.String({ maxLength: ID_LENGTH_MAX }), count('How often.'), {
    maxProperties: TOURNAMENT_REFUSAL_CODES_MAX,
    description: 'Refused commands by error code.',
  }),
  overruns: count('Turns that were ended because they took too long by the clock.'),
  isWithdrawn: flag('True if it got no further turn: it ended before its game, or overran too often.'),
  earlyEnd: orNull(
    Type.Object({
      kind: oneOf(
        ['refused_start', 'crash'],
        '`refused_start`: it could not be started; `crash`: it ended, with any exit code.',
      ),
      exitCode: orNull(Type.Integer(), 'Null if it has none.'),
      signal: orNull(Type.String({ maxLength: ID_LENGTH_MAX }), 'Signal that ended it; null if none did.'),
    }),
    'How it ended before its game was over; null if it did not, or if its turns were over by then.',
  ),
});

export const TournamentGame = Type.Object({
  number: gameNumber,
  seed: count('Seed of the world.'),
  rules: Type.Optional(RulesIdentity),
  round: boundedInteger(1, TOURNAMENT_GAMES_MAX, 'Round, from 1.'),
  orderSeed: count('Seed of the order in which entrants act.'),
  isRepeatable: flag('False if an entrant ran out of time by the clock, so that another run may differ.'),
  worldTime: timestamp('World time at the end.'),
  seq: count('Seq of the last entry of its log.'),
  stateHash: digest('Hash of the state at the end.'),
  logDigest: digest('SHA-256 over the entries of its log.'),
  courseDigest: digest(
    'SHA-256 over the points of each entrant after each world day. Of games with the same one, only the first counts for ratings.',
  ),
  players: Type.Array(TournamentPlayer, {
    minItems: 1,
    maxItems: TOURNAMENT_ENTRANTS_MAX,
    description: 'In the order of their starts.',
  }),
});

const games = count('Games it has played.');
const faults = count(
  'Games that it ended before they were over or could not be started in, and turns that it overran.',
);

export const TournamentRating = Type.Object({
  label,
  rating: Type.Number({ description: 'Estimated strength.' }),
  low: Type.Number({ description: 'Lower end of its 95 % confidence interval.' }),
  high: Type.Number({ description: 'Upper end of it.' }),
  meanRank: Type.Number({ minimum: 1, description: 'Mean of its ranks; 1 is the best.' }),
  meanRankLow: Type.Number({ description: 'Lower end of its 95 % confidence interval.' }),
  meanRankHigh: Type.Number({ description: 'Upper end of it.' }),
  games,
  firsts: count('Games in which nobody was better.'),
  faults,
});

export const TournamentWithheld = Type.Object({
  label,
  games,
  finished: count('Games in which it could play to the end.'),
  faults,
});

export const TournamentPair = Type.Object({
  one: label,
  other: label,
  gamesNeeded: orNull(
    count('About how many games of such a tournament would separate them.'),
    'Null if that cannot be said: there is one instance only, or they are too close to each other.',
  ),
});

export const Tournament = Type.Object({
  format: Type.Enum([TOURNAMENT_FORMAT], { type: 'integer', description: 'Version of this format.' }),
  galaxyd: Type.String({ maxLength: 64, description: 'Version and commit of galaxyd that ran it.' }),
  isFinished: flag('False as long as games are missing.'),
  settings: TournamentSettings,
  entrants: Type.Array(TournamentEntrant, { minItems: 1, maxItems: TOURNAMENT_ENTRANTS_MAX }),
  games: Type.Array(TournamentGame, { maxItems: TOURNAMENT_GAMES_MAX, description: 'Games that are over, by number.' }),
  ratings: Type.Array(TournamentRating, { maxItems: TOURNAMENT_ENTRANTS_MAX, description: 'The best first.' }),
  withheld: Type.Array(TournamentWithheld, {
    maxItems: TOURNAMENT_ENTRANTS_MAX,
    description: 'Entrants without a rating, since they finished less than half of their games.',
  }),
  unseparated: Type.Array(TournamentPair, {
    maxItems: (TOURNAMENT_ENTRANTS_MAX * (TOURNAMENT_ENTRANTS_MAX - 1)) / 2,
    description:
      'Pairs of rated entrants of which the games do not say who is better: the 95 % confidence interval of the difference of their ratings contains 0.',
  }),
});

/** Any JSON value. */
const anything = (description: string) => Type.Optional(Type.Unknown({ description }));

export const TraceLine = Type.Object({
  turn: orNull(count('Number of the turn of the entrant.'), 'Null outside of its turns.'),
  wokenBy: Type.Optional(WokenBy),
  worldTime: timestamp('World time of the answer.'),
  requestId: Type.String({ maxLength: ID_LENGTH_MAX, description: 'Request id.' }),
  method: Type.String({ maxLength: 16, description: 'Method.' }),
  path: Type.String({ description: 'Path and query.' }),
  body: anything('What was sent, if anything was.'),
  status: orNull(Type.Integer({ description: 'Status of the answer.' }), 'Null if the connection ended before it.'),
  code: Type.Optional(Type.String({ maxLength: ID_LENGTH_MAX, description: 'Code of the refusal.' })),
  answer: anything('The answer, if it is short and not that of a read.'),
  answerLength: Type.Optional(count('Length of any other answer.')),
  ms: Type.Number({ description: 'Milliseconds from the request to its answer.' }),
});

export const TournamentTrace = Type.Object({
  game: gameNumber,
  label,
  lines: Type.Array(TraceLine, {
    maxItems: TRACE_LINES_PER_REPLY_MAX,
    description: 'The requests of the entrant with their answers, in the order of the answers.',
  }),
  lineCount: count('Lines of the whole trace, or of what `only` leaves.'),
  isCut: flag('True if the entrant went on after the trace was full.'),
  output: orNull(
    Type.String({ description: 'The end of what it has printed.' }),
    'Null for a bot of galaxyd, which prints nothing.',
  ),
});

export type TournamentTraceBody = Static<typeof TournamentTrace>;
export type TournamentBody = Static<typeof Tournament>;
