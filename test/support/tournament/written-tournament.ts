// A folder of a tournament with small worlds, for tests of what reads it: real logs, and a result with what they hold.
import { createHash } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Test } from 'tap';
import type { Player } from '../../../engine/world/player-table.js';
import { keyHash } from '../../../http/admission/identity.js';
import type { TournamentBody } from '../../../http/schemas/tournament.js';
import { storeAt } from '../../../persistence/store-url.js';
import { temporaryFolder } from '../../persistence/support/temporary-folder.js';
import { upgrade } from '../command-words.js';
import { DAY_MS, firstPlanet, PLENTY, WorldStory } from '../world-story.js';
import { HistoryWriter } from '../written-history.js';
import { madeResult } from './made-result.js';

/** The first one builds, the others do nothing. */
export const LABELS: readonly string[] = ['builder', 'idler'];

export interface WrittenTournament {
  readonly folder: string;
  readonly result: TournamentBody;
}

/** Plays the games, and writes their worlds and the result. */
export async function writtenTournament(
  t: Pick<Test, 'teardown'>,
  { games = 2, labels = LABELS }: { readonly games?: number; readonly labels?: readonly string[] } = {},
): Promise<WrittenTournament> {
  const folder = await temporaryFolder(t);
  const result = madeResult({ labels, games });
  const played: TournamentBody['games'] = [];
  for (const game of result.games) played.push(await playedGame(folder, game, labels[0] as string));
  const whole = { ...result, games: played };
  await writeResult(folder, whole);
  return { folder, result: whole };
}

/** Replaces the result as a tournament does: a reader finds the old one or the new one. */
export async function writeResult(folder: string, result: unknown): Promise<void> {
  const path = join(folder, 'result.json');
  await writeFile(`${path}.new`, typeof result === 'string' ? result : `${JSON.stringify(result, null, 2)}\n`);
  await rename(`${path}.new`, path);
}

/** A world in which one player alone does anything: the later the game, the more. */
async function playedGame(
  folder: string,
  game: TournamentBody['games'][number],
  builderLabel: string,
): Promise<typeof game> {
  const { number, seed } = game;
  const story = new WorldStory({ seed });
  const players = game.players.map(
    ({ label: name }): Player =>
      story.does({ type: 'create_player', name, isBot: true, keyHash: keyHash(`the key of ${name}`), nameKey: name }),
  );
  const builder = players[game.players.findIndex(({ label }) => label === builderLabel)] as Player;
  const home = firstPlanet(builder);
  story.grant(home, PLENTY);
  for (let level = 0; level < number + 2; level += 1) {
    story.does(upgrade(home, 'iron_mine'));
    story.advanceUntilIdle();
  }
  story.advance(DAY_MS);
  const world = join(folder, 'games', String(number).padStart(4, '0'), 'world');
  await mkdir(world, { recursive: true });
  const writer = await HistoryWriter.open({ store: storeAt(world, { diskFloorBytes: 1 }) });
  await writer.write(story.entries);
  await writer.close();
  const { engine } = story;
  return {
    ...game,
    worldTime: new Date(engine.nowMs).toISOString(),
    seq: engine.seq,
    stateHash: engine.stateHash(),
    logDigest: createHash('sha256').update(JSON.stringify(story.entries)).digest('hex'),
    players: game.players.map((player, index) => {
      const { number: playerNumber, points } = players[index] as Player;
      return { ...player, playerId: `player-${playerNumber}`, points, rank: player.label === builderLabel ? 1 : 2 };
    }),
  };
}
