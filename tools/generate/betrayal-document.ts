// docs/betrayal.md: two scripted players play a game in turns on a real server, and its story is told from the events of its log.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gameFolder } from '../../arena/tournament/game.js';
import type { Settings, Tournament } from '../../arena/tournament/result.js';
import { runTournament } from '../../arena/tournament/tournament.js';
import { systemsForPlayers } from '../../arena/tournament/world-size.js';
import { tournamentPorts } from '../../cli/play/tournament-ports.js';
import { STANDARD_2_RULES } from '../../engine/rules/shipped.js';
import { rulesIdentity } from '../../persistence/rules/stored-rules.js';
import { gameStory } from '../league/game-story.js';
import { BETRAYAL_PLAYERS } from './betrayal-players.js';

const RULES = STANDARD_2_RULES;

/** A known secret, so that the game is always the same. */
const SETTINGS: Settings = {
  rules: rulesIdentity(RULES),
  variation: null,
  days: 4,
  seeds: [1],
  rounds: 1,
  commandsPerDay: 500,
  wakeupsPerDay: 48,
  wakeupsByOthersPerDay: 8,
  wallSecondsPerTurn: 60,
  speed: 1,
  systemsPerGalaxy: systemsForPlayers(BETRAYAL_PLAYERS.length),
  keySecret: 'of-a-betrayal-that-is-told',
};

const INTRODUCTION = `# A betrayal

Two neighbours agree not to attack each other, and trade. One of them gives notice, and attacks. A pact is what the world enforces: until the notice is over, attacks
turn round. Everything else is a promise.

\`npm run documents\` plays this game with two scripted players (\`tools/generate/betrayal-players.ts\`), which use nothing but the API, and writes this page from the events of
its log. The same words tell a game of any tournament: \`npm run league -- --from ./cup --story 1\`. [arena.md](arena.md#what-was-said-and-kept) explains the counts.`;

/** Plays the game. @param out folder of its result, which must be empty or missing */
export async function playBetrayal(out: string): Promise<Tournament> {
  const entrants = BETRAYAL_PLAYERS.map(({ name }) => {
    return { label: name, kind: 'bot' as const, source: name, wakeupsPerDay: null, words: [], files: [] };
  });
  const options = {
    settings: SETTINGS,
    entrants,
    rulesSource: RULES.set.name,
    out,
    jobs: 1,
    transport: null,
    sandbox: null,
  };
  const botNamed = (source: string) => BETRAYAL_PLAYERS.find(({ name }) => name === source);
  return await runTournament(options, { ...tournamentPorts(), botNamed });
}

/** @throws Error if a player has failed */
export async function betrayalDocument(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'galaxyd-betrayal-'));
  try {
    const { games } = await playBetrayal(join(folder, 'game'));
    const failed = games[0]?.players.find(({ earlyEnd }) => earlyEnd !== null);
    if (failed !== undefined) throw new Error(`${failed.label} has failed in the game of docs/betrayal.md`);
    return `${await gameStory(join(folder, 'game', gameFolder(1), 'world'), INTRODUCTION)}\n`;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
