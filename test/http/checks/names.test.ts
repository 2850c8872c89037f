// Which characters a name may contain, and that a valid name comes back as it was sent: in every reply that shows it,
// and after a restart.
import t from 'tap';
import { NAME_LENGTH_MAX } from '../../../engine/rules/limits.js';
import { NAME_KEY_UNITS_MAX } from '../../../engine/rules/record-limits.js';
import { nameFault, nameKey } from '../../../http/checks/player-names.js';
import { MARKS_IN_A_ROW_MAX } from '../../../http/limits.js';
import type { LeaderboardBody } from '../../../http/schemas/world.js';
import { Draws, drawSeed } from '../../support/process/draws.js';
import type { PlayerBody } from '../support/play.js';
import { begin, storeOnDisk } from '../support/serving.js';

const ACCEPTED: Readonly<Record<string, string>> = {
  'one letter': 'a',
  'what JSON escapes': '"\\/',
  'an astronaut, of joined characters': '\u{1f469}\u200d\u{1f680}',
  'a family': '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}\u200d\u{1f466} of four',
  'a heart with its selector': '\u2764\ufe0f',
  'a flag and a skin tone': '\u{1f1eb}\u{1f1ee} \u{1f44d}\u{1f3fd}',
  'the flag of England': '\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
  'the flag of Scotland, which has other tags': '\u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}',
  'text that HTML would run': '</script><script>alert(1)</script>',
  'names that objects inherit': '__proto__',
  'another of them': 'constructor',
  'as many letters as fit': 'x'.repeat(NAME_LENGTH_MAX),
  'as many astral characters as fit': '\u{1f680}'.repeat(NAME_LENGTH_MAX),
  'right to left and combining marks': 'שלום é \u0301',
  'text that looks like an id': 'player-1',
  'a reserved word and more': 'all for one',
  'as many marks on a letter as fit': `e${'\u0301'.repeat(MARKS_IN_A_ROW_MAX)}`,
  'marks of Hebrew, of Thai and of Tibetan':
    '\u05e9\u05c1\u05b8\u0591 \u0e01\u0e33\u0e49 \u0f66\u0f92\u0fb2\u0f74\u0f56',
  'the replacement character': '\ufffd',
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

t.test('of a name that is too long the characters are not looked at', async (t) => {
  const { client } = await begin(t);
  // A body may hold a million of them, and each is looked for among all emoji.
  const name = '\u200d'.repeat(2 * NAME_LENGTH_MAX + 1);
  const { status, body } = await client.request('POST', '/api/game/player', { body: { name, isBot: true } });
  t.equal(status, 400);
  t.same((body as { errors: unknown }).errors, [
    { path: '/name', message: `must not have more than ${NAME_LENGTH_MAX} characters` },
  ]);
});

t.test('a name comes back as it was sent, and is there after a restart', async (t) => {
  const store = await storeOnDisk(t);
  const first = await begin(t, { store });
  const ids = new Map<string, string>();
  for (const [what, name] of Object.entries(ACCEPTED)) {
    const player = await first.play.newcomer(name);
    t.equal(player.name, name, what);
    t.equal(player.planets[0]?.owner?.name, name, what);
    t.same(await first.play.state(player.id), player, what);
    ids.set(player.id, name);
  }
  await first.close();
  const { client, play } = await begin(t, { store });
  for (const [id, name] of ids) {
    t.equal((await play.state(id)).name, name);
    const again = await client.command<PlayerBody>('/api/game/player', { name, isBot: true });
    t.equal(again.id, id, 'and the bot is found by it');
  }
  const { players } = await client.read<LeaderboardBody>('/api/leaderboard');
  t.same(new Set(players.map(({ name }) => name)), new Set(Object.values(ACCEPTED)));
});

t.test('a name of ASCII characters has the key that it has as part of another name', (t) => {
  // A name with a character that is not ASCII is compared character by character, as Unicode says.
  const draws = new Draws(drawSeed(t));
  const others = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));
  for (let name = 0; name < 1_000; name += 1)
    others.push(Array.from({ length: draws.between(0, 64) }, () => others[draws.below(128)]).join(''));
  for (const name of others) t.equal(nameKey(`${name}漢`), `${nameKey(name)}漢`, JSON.stringify(name));
  t.end();
});

/** Sentences about characters that are invisible, or stand where they cannot. */
const SENTENCES: Readonly<Record<string, readonly [name: string, sentence: RegExp]>> = {
  'a filler alone': ['\u3164', /U\+3164 is not/],
  'a blank of Braille': ['a\u2800', /U\+2800 is not/],
  'a joiner between letters': ['a\u200db', /U\+200D is not/],
  'a joiner after an emoji': ['\u{1f680}\u200d', /U\+200D is not/],
  'a selector after a letter': ['a\ufe0f', /U\+FE0F is not/],
  'a selector of ideographs': ['a\u{e0100}', /U\+E0100 is not/],
  'tags after a flag that has none': ['\u{1f3f4}\u{e0041}\u{e007f}', /U\+E0041 is not/],
  'a direction': ['a\u202eb', /U\+202E is not/],
  'a line separator': ['a\u2028b', /U\+2028 is not/],
  'a line break': ['a\nb', /U\+000A is not/],
  'a noncharacter': ['\uffff', /U\+FFFF is not/],
  'private use': ['\ue000', /U\+E000 is not/],
  'only spaces': ['  ', /must not begin with a space/],
  'an ideographic space at its end': ['a\u3000', /must not end with a space/],
  'a mark without a character': ['\u0301a', /must not begin with a mark/],
  'a mark more than fits': [`e${'\u0301'.repeat(MARKS_IN_A_ROW_MAX + 1)}`, /must not have more than 4 marks/],
  'a mark more, one of which is part of a letter': [
    `\u00e9${'\u0301'.repeat(MARKS_IN_A_ROW_MAX)}`,
    /must not have more than 4 marks/,
  ],
  'the address of everybody': ['all', /must not look like all, which is reserved/],
  'the same in capitals': ['ALL', /must not look like all/],
  'what looks like it': ['\u0430II', /must not look like all/],
  'another reserved word': ['Operator', /must not look like operator/],
};

t.test('an invalid name is refused', async (t) => {
  const { client, admin, play } = await begin(t);
  const before = await play.hash();
  for (const [what, name] of Object.entries(REFUSED)) {
    const problem = await client.refusal('POST', '/api/game/player', { name, isBot: true });
    t.match(problem, { code: 'invalid_request', errors: [{ path: '/name' }] }, what);
  }
  for (const [what, [name, sentence]] of Object.entries(SENTENCES)) {
    const problem = await client.refusal('POST', '/api/game/player', { name, isBot: true });
    t.match(problem, { code: 'invalid_request', errors: [{ path: '/name', message: sentence }] }, what);
    const named = await admin.refusal('POST', '/api/admin/players', { names: ['fine', name] });
    t.match(named, { code: 'invalid_request', errors: [{ path: '/names/1', message: sentence }] }, what);
  }
  const prefixed = await admin.refusal('POST', '/api/admin/players', { count: 1, namePrefix: 'a\u3164' });
  t.match(prefixed, { code: 'invalid_request', errors: [{ path: '/namePrefix', message: /U\+3164 is not/ }] });
  t.same(await play.hash(), before);
});

/** A name, and others that look like it, indexed by what unites them. */
const ALIKE: Readonly<Record<string, readonly [name: string, ...others: string[]]>> = {
  'letters of other scripts': ['Grace', 'Gr\u0430ce', '\u0262race'.replace('\u0262', '\u13c0'), 'Gra\u03f2e'],
  'composed and decomposed letters': ['Jos\u00e9', 'Jose\u0301', 'J\u043es\u00e9', 'J\u043es\u0435\u0301'],
  'full-width and mathematical letters': ['Turing', '\uff34uring', '\u{1d413}uring'],
  'letters that look like two': ['modem', 'modern'],
  'capital i, small l and a bar': ['Bill', 'BiIl', 'Bi|l', 'Bi\u0406l'],
  'emoji with and without a selector': ['I\u2764\ufe0fU', 'I\u2764U', 'l\u2764U'],
  'more spaces': ['a b', 'a  b', 'a\u00a0b', 'a\u3000b'],
  ligatures: ['\ufb01n', 'fin'],
};

t.test('a name that looks like another one is refused, and never means its player', async (t) => {
  const { client, admin, play } = await begin(t);
  for (const [what, [name, ...others]] of Object.entries(ALIKE)) {
    const { id } = await play.newcomer(name);
    const before = await play.hash();
    for (const other of others) {
      const owner = { id, name, isBot: true };
      const expected = { code: 'name_taken', status: 409, detail: /^The name looks like that of player-/, owner };
      t.match(await client.refusal('POST', '/api/game/player', { name: other, isBot: true }), expected, what);
      t.match(await client.refusal('POST', '/api/game/player', { name: other }), expected, `${what}: the human`);
      const named = await admin.refusal('POST', '/api/admin/players', { names: ['new one', other] });
      t.match(named, expected, `${what}: among names`);
      const twice = await admin.refusal('POST', '/api/admin/players', { names: [`2 ${name}`, `2 ${other}`] });
      t.match(twice, { code: 'invalid_request', errors: [{ path: '/names/1', message: /looks like one/ }] }, what);
    }
    t.same(await play.hash(), before, `${what}: nothing has changed`);
    t.equal((await client.command<PlayerBody>('/api/game/player', { name, isBot: true })).id, id, 'the name itself');
  }
});

t.test('a prefix that looks like another one is refused, if one of its names is taken', async (t) => {
  const { admin, play } = await begin(t);
  await play.bots(3, 'bot');
  const before = await play.hash();
  const problem = await admin.refusal('POST', '/api/admin/players', { count: 5, namePrefix: 'b\u043et' });
  t.match(problem, { code: 'name_taken', owner: { name: 'bot-1' } });
  t.same(await play.hash(), before);
  const more = await play.bots(5, 'bot');
  t.equal(more.players.length, 5, 'the same prefix finds the bots, and adds others');
});

t.test('the human and a bot cannot have one name', async (t) => {
  const { client, play } = await begin(t);
  const { id } = await client.command<PlayerBody>('/api/game/player', { name: 'Ada' }, 201);
  for (const name of ['Ada', '\u0410da']) {
    const problem = await client.refusal('POST', '/api/game/player', { name, isBot: true });
    t.match(problem, { code: 'name_taken', owner: { id, isBot: false } });
  }
  t.equal((await client.command<PlayerBody>('/api/game/player', { name: 'whatever' })).id, id);
  t.equal((await play.newcomer('ada')).name, 'ada', 'case makes another name');
});

t.test('names that differ in case or digits are different names', async (t) => {
  const { client } = await begin(t);
  for (const name of ['bot-1', 'bot-l', 'bot-0', 'bot-O', 'bot-o', 'BOT-1', 'b\u00f6t-1'])
    await client.command('/api/game/player', { name, isBot: true }, 201);
});

t.test('keys of names are bounded, and a number after a name changes nothing before it', async (t) => {
  const unitsMax = NAME_KEY_UNITS_MAX / NAME_LENGTH_MAX;
  const faults: string[] = [];
  for (let point = 0; point < 0x20000; point += 1) {
    const character = String.fromCodePoint(point);
    if (nameFault(character) !== undefined) continue;
    const key = nameKey(character);
    if (key.length > unitsMax) faults.push(`${point.toString(16)}: ${key.length} units`);
    if (nameKey(key) !== key) faults.push(`${point.toString(16)}: its key has another key`);
    if (nameKey(`${character}-10`) !== `${key}-10`) faults.push(`${point.toString(16)}: with a number`);
  }
  t.same(faults, []);
});

t.test('a letter or a number in another form looks like itself', (t) => {
  const faults: string[] = [];
  for (let point = 0; point < 0x20000; point += 1) {
    const character = String.fromCodePoint(point);
    const plain = character.normalize('NFKD');
    if (!/^\(?[A-Za-z0-9]+\)?$/.test(plain) || character === LONG_S) continue;
    if (nameKey(character) !== nameKey(plain)) faults.push(`${point.toString(16)} is not ${plain}`);
  }
  t.same(faults, []);
  t.equal(nameKey('\u18f5\u{a76f}'), nameKey('s9'), 'and so does what looks like that form');
  t.end();
});

/** It is an s, and looks like an f. */
const LONG_S = '\u017f';

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

t.test('names that look like another name, or like none, are refused', async (t) => {
  const { client, admin, play } = await begin(t);
  await play.newcomer('ada lovelace');
  const refused: Readonly<Record<string, string>> = {
    'a space': ' ',
    'spaces of several kinds': '\u2003\u00a0\u3000',
    'line separators': '\u2028\u2029',
    'a space in front': ' ada',
    'right-to-left override': 'ada\u202e',
    'an isolate': '\u2066ada',
    'a joiner without width': 'a\u200dda',
    'a space without width': 'ada\u200b',
    'a byte order mark': '\ufeffada',
    'a soft hyphen': 'a\u00adda',
    tags: `ada\u{e0061}`,
  };
  for (const [what, name] of Object.entries(refused)) {
    const problem = await client.refusal('POST', '/api/game/player', { name, isBot: true });
    t.match(problem, { code: 'invalid_request', errors: [{ path: '/name' }] }, what);
    const bulk = await admin.refusal('POST', '/api/admin/players', { namePrefix: name, count: 1 });
    t.match(bulk, { code: 'invalid_request', errors: [{ path: '/namePrefix' }] }, what);
  }
  for (const name of ['ada ', 'eve\u3000']) {
    t.match(await client.refusal('POST', '/api/game/player', { name, isBot: true }), { code: 'invalid_request' });
    await admin.command('/api/admin/players', { namePrefix: name, count: 1 }, 201);
  }
});
