// The game of docs/betrayal.md: what its result says of both players. test/documents/generated.test.ts compares the document.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { playBetrayal } from '../../tools/generate/betrayal-document.js';
import { findingsIn } from '../arena/support/tournament-run.js';
import { temporaryFolder } from '../persistence/support/temporary-folder.js';
import { done, galaxyd } from '../support/process/operator.js';

const out = join(await temporaryFolder(t), 'game');
const { games } = await playBetrayal(out);

t.test('a betrayal is in the result of its game', async (t) => {
  const players = new Map(games[0]?.players.map((player) => [player.label, player]));
  t.same(players.get('ada')?.deals, {
    pactsProposed: 0,
    pactsAccepted: 1,
    pactsHonoured: 0,
    pactsBroken: 0,
    attacksAfterBreaking: 0,
    offersMade: 0,
    offersSold: 0,
    offersExpired: 0,
    offersTaken: 1,
    messagesSent: 4,
  });
  t.same(players.get('mallory')?.deals, {
    pactsProposed: 1,
    pactsAccepted: 0,
    pactsHonoured: 0,
    pactsBroken: 1,
    attacksAfterBreaking: 2,
    offersMade: 1,
    offersSold: 1,
    offersExpired: 0,
    offersTaken: 0,
    messagesSent: 3,
  });
  t.ok((players.get('mallory')?.income.lootUnits ?? 0) > 0, 'it paid');
  const [heading = '', ...rows] = (await readFile(join(out, 'results.csv'), 'utf8')).trimEnd().split('\n');
  const columns = heading.split(',');
  const cells = (name: string) => rows.map((row) => row.split(',')[columns.indexOf(name)]);
  const byLabel = (of: (label: string) => unknown) => cells('entrant').map((label) => String(of(label ?? '')));
  t.same(
    cells('pacts_broken'),
    byLabel((label) => players.get(label)?.deals.pactsBroken),
  );
  t.same(
    cells('attacks_after_breaking'),
    byLabel((label) => players.get(label)?.deals.attacksAfterBreaking),
  );
  t.same(
    cells('messages_sent'),
    byLabel((label) => players.get(label)?.deals.messagesSent),
  );
  t.same(await findingsIn(out), []);
});

t.test('a table has what was said and kept, in each format', async (t) => {
  const table = async (format: string): Promise<string[]> => {
    const printed = await galaxyd(t, 'tournament', 'table', out, '--deals', '--format', format);
    return done(t, printed).split('\n');
  };
  const rowOf = (lines: string[], label: string) => lines.find((line) => line.includes(label));
  const text = await table('text');
  t.equal(
    text[0],
    'entrant  games  proposed  accepted  honoured  broken  attacks  offers  sold  expired  taken  messages',
  );
  t.equal(
    rowOf(text, 'ada'),
    'ada          1         0         1         0       0        0       0     0        0      1         4',
  );
  const csv = await table('csv');
  t.equal(
    csv[0],
    'label,games,pactsProposed,pactsAccepted,pactsHonoured,pactsBroken,attacksAfterBreaking,offersMade,offersSold,offersExpired,offersTaken,messagesSent',
  );
  t.equal(rowOf(csv, 'mallory'), 'mallory,1,1,0,0,1,2,1,1,0,0,3');
  t.equal(rowOf(await table('markdown'), 'mallory'), '| mallory | 1 | 1 | 0 | 0 | 1 | 2 | 1 | 1 | 0 | 0 | 3 |');
  t.equal(rowOf(await table('latex'), 'ada'), 'ada & 1 & 0 & 1 & 0 & 0 & 0 & 0 & 0 & 0 & 1 & 4 \\\\');
  for (const lines of [text, await table('markdown'), await table('latex')])
    t.ok(
      lines.some((line) =>
        /Pacts proposed, accepted, honoured and broken.*; messages\. Sums over all games\. /.test(line),
      ),
    );
});
