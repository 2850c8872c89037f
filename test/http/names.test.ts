// Which characters a name may contain, and that a valid name comes back as it was sent: in every reply that shows it,
// and after a restart.
import t from 'tap';
import { NAME_LENGTH_MAX } from '../../engine/rules/limits.js';
import type { LeaderboardBody } from '../../http/schemas/world.js';
import { storeAt } from '../../persistence/store-url.js';
import { temporaryFolder } from '../persistence/temporary-folder.js';
import type { PlayerBody } from './support/play.js';
import { begin } from './support/serving.js';

const ACCEPTED: Readonly<Record<string, string>> = {
  'one letter': 'a',
  'everything that JSON escapes': '"\\/\u2028\u2029',
  'text that HTML would run': '</script><script>alert(1)</script>',
  'names that objects inherit': '__proto__',
  'another of them': 'constructor',
  'as many letters as fit': 'x'.repeat(NAME_LENGTH_MAX),
  'as many astral characters as fit': '\u{1f680}'.repeat(NAME_LENGTH_MAX),
  'right to left and combining marks': 'שלום é \u0301',
  'text that looks like an id': 'player-1',
  'the replacement character': '\ufffd',
  'a noncharacter': '\uffff',
};

const REFUSED: Readonly<Record<string, string>> = {
  'nothing at all': '',
  'one letter more than fits': 'x'.repeat(NAME_LENGTH_MAX + 1),
  'one astral character more than fits': '\u{1f680}'.repeat(NAME_LENGTH_MAX + 1),
  'one letter and a crowd of combining marks': `e${'\u0301'.repeat(10_000)}`,
  'a family of joined characters': Array(NAME_LENGTH_MAX).fill('\u{1f468}').join('\u200d'),
  'flags, each of two characters': '\u{1f1eb}\u{1f1ee}'.repeat(NAME_LENGTH_MAX),
  'a NUL': 'a\u0000b',
  'a line break': 'a\r\nSet-Cookie: b',
  'a DEL': '\u007f',
  'a C1 control': '\u0085',
  'a high surrogate alone': 'a\ud83d',
  'a low surrogate alone': '\ude80b',
  'surrogates in the wrong order': '\ude80\ud83d',
};

t.test('a name comes back as it was sent, and is there after a restart', async (t) => {
  const dataFolder = await temporaryFolder(t);
  const first = await begin(t, { store: storeAt(dataFolder) });
  const ids = new Map<string, string>();
  for (const [what, name] of Object.entries(ACCEPTED)) {
    const player = await first.play.newcomer(name);
    t.equal(player.name, name, what);
    t.equal(player.planets[0]?.owner?.name, name, what);
    t.same(await first.play.state(player.id), player, what);
    ids.set(player.id, name);
  }
  await first.close();
  const { client, play } = await begin(t, { store: storeAt(dataFolder) });
  for (const [id, name] of ids) {
    t.equal((await play.state(id)).name, name);
    const again = await client.command<PlayerBody>('/api/game/player', { name, isBot: true });
    t.equal(again.id, id, 'and the bot is found by it');
  }
  const { players } = await client.read<LeaderboardBody>('/api/leaderboard');
  t.same(new Set(players.map(({ name }) => name)), new Set(Object.values(ACCEPTED)));
});

t.test('an invalid name is refused', async (t) => {
  const { client, play } = await begin(t);
  const before = await play.hash();
  for (const [what, name] of Object.entries(REFUSED)) {
    const problem = await client.refusal('POST', '/api/game/player', { name, isBot: true });
    t.match(problem, { code: 'invalid_request', errors: [{ path: '/name' }] }, what);
  }
  t.same(await play.hash(), before);
});

t.test('the longest prefix still gives all of its bots valid names', async (t) => {
  const { admin } = await begin(t);
  const namePrefix = 'p'.repeat(48);
  const reply = await admin.command<{ players: { name: string }[] }>(
    '/api/admin/players',
    { count: 100, namePrefix },
    201,
  );
  t.equal(reply.players.at(-1)?.name, `${namePrefix}-100`);
  const problem = await admin.refusal('POST', '/api/admin/players', { count: 1, namePrefix: `${namePrefix}p` });
  t.match(problem, { code: 'invalid_request', errors: [{ path: '/namePrefix' }] });
});
