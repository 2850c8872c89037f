// The game of docs/betrayal.md: what its result says of both players. test/documents/generated.test.ts compares the document.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { playBetrayal } from '../../tools/generate/betrayal-document.js';
import { findingsIn } from '../arena/support/tournament-run.js';
import { temporaryFolder } from '../persistence/support/temporary-folder.js';

t.test('a betrayal is in the result of its game', async (t) => {
  const out = join(await temporaryFolder(t), 'game');
  const { games } = await playBetrayal(out);
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
