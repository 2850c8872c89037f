// How `--entrants` is parsed: bots, commands, labels, limits and refusals.
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { type Entrant, entrantsOf } from '../../../arena/tournament/entrants.js';
import { nameFault } from '../../../http/checks/player-names.js';
import { temporaryFolder } from '../../persistence/support/temporary-folder.js';

const folder = await temporaryFolder(t);
const path = join(folder, 'programs');
await writeFile(join(folder, 'my_bot.py'), '');
await writeFile(join(folder, 'my bot.py'), '');
await writeFile(join(folder, 'player'), '');
await writeFile(join(folder, 'nobody'), '');
for (const program of ['player', 'nobody']) await chmod(join(folder, program), 0o755);

const read = (text: string): Entrant[] => entrantsOf(text, { folder, path: `${path}:${folder}`, nameFault });

t.test('an entrant is a bot or a command, with a label and a limit of its own', async (t) => {
  t.same(read('idler,idler,once=idler@1,idler@2'), [
    { label: 'idler', kind: 'bot', source: 'idler', wakeupsPerDay: null, words: [], files: [] },
    { label: 'idler-2', kind: 'bot', source: 'idler', wakeupsPerDay: null, words: [], files: [] },
    { label: 'once', kind: 'bot', source: 'idler', wakeupsPerDay: 1, words: [], files: [] },
    { label: 'idler@2', kind: 'bot', source: 'idler', wakeupsPerDay: 2, words: [], files: [] },
  ]);
  const program = join(folder, 'player');
  const script = join(folder, 'my_bot.py');
  t.same(read('idler,player my_bot.py --depth 3')[1], {
    label: 'my_bot',
    kind: 'command',
    source: 'player my_bot.py --depth 3',
    wakeupsPerDay: null,
    words: [program, script, '--depth', '3'],
    files: [{ name: 'my_bot.py', path: script }],
  });
  t.same(read('idler,deep=./player@7')[1], {
    label: 'deep',
    kind: 'command',
    source: './player',
    wakeupsPerDay: 7,
    words: [program],
    files: [{ name: './player', path: program }],
  });
});

t.test('commas and spaces in quotes belong to a command', async (t) => {
  const words = (text: string): readonly string[] => read(`idler,${text}`)[1]?.words.slice(1) ?? [];
  t.same(words(`player 'my bot.py' "a,b" c\\,d`), [join(folder, 'my bot.py'), 'a,b', 'c,d']);
  t.same(words(`player "say \\"hi\\"" it\\'s ''`), ['say "hi"', "it's", '']);
  t.equal(read(`idler,'my bot.py'`.replace("'my", "player 'my"))[1]?.label, 'my-bot');
});

t.test('a command line may be in quotes as a whole', async (t) => {
  const [, quoted] = read(`idler,"player 'my bot.py' a,b"@3`);
  t.same(quoted?.words, [join(folder, 'player'), join(folder, 'my bot.py'), 'a,b']);
  t.match(quoted, { label: 'my-bot@3', source: `"player 'my bot.py' a,b"`, wakeupsPerDay: 3 });
  t.same(read("idler,deep='player x'")[1]?.words, [join(folder, 'player'), 'x']);
  await writeFile(join(folder, 'my player'), '');
  t.same(read("idler,'./my player'")[1]?.words, [join(folder, 'my player')], 'the path of a program');
});

t.test('a folder is an entrant if its manifest has a command', async (t) => {
  const bot = join(folder, 'my bot');
  await mkdir(bot);
  await writeFile(join(bot, 'bot.py'), '');
  const manifest = join(bot, 'entrant.json');
  const script = join(bot, 'bot.py');
  const files = [
    { name: 'bot.py', path: script },
    { name: 'entrant.json', path: manifest },
  ];
  await writeFile(manifest, '{"command": ["player", "bot.py", "a b"], "files": ["bot.py"]}');
  t.same(read("idler,'./my bot'@3")[1], {
    label: 'my-bot@3',
    kind: 'command',
    source: "'./my bot'",
    wakeupsPerDay: 3,
    words: [join(folder, 'player'), script, 'a b'],
    files,
  });
  t.match(read("idler,deep='my bot'")[1], { label: 'deep', words: [join(folder, 'player'), script, 'a b'] });
  for (const [content, sentence] of [
    ['{"files": ["bot.py"]}', /'my bot': the folder has no entrant\.json with a command/],
    ['{"command": ["pyton", "bot.py"], "files": []}', /'my bot': its entrant\.json starts pyton, and there is no such/],
    ['{"command": [], "files": []}', /entrant\.json must be like/],
    ['{"command": "player", "files": []}', /entrant\.json must be like/],
    ['{"command": ["player"]}', /entrant\.json must be like/],
  ] as const) {
    await writeFile(manifest, content);
    t.throws(() => read("idler,'my bot'"), { name: 'UnfitTournament', message: sentence }, content);
  }
});

t.test('what cannot be read is refused with a sentence', async (t) => {
  for (const [text, sentence] of [
    ['idler', /needs two entrants or more/],
    ['', /needs two entrants or more/],
    ['idler,,idler', /an entrant is empty/],
    ['idler,idler,', /an entrant is empty/],
    ['idler,gredy', /gredy: there is no bot and no program named gredy; the bots are idler/],
    ['idler,./nothing.py', /there is no bot and no program named \.\/nothing\.py/],
    ['idler,my_bot.py', /no program named my_bot\.py/],
    ['idler,.', /\.: the folder has no entrant\.json with a command/],
    ['idler,a=', /there is no bot and no program named ;/],
    ['a=idler,A=idler', /two entrants have the label A/],
    [
      'All=idler,idler',
      /^All=idler: the label All must not look like all, which is reserved; LABEL= gives another one$/,
    ],
    ['idler,OPERATOR=idler', /the label OPERATOR must not look like operator/],
    ['idler,./nobody', /^\.\/nobody: the label nobody must not look like nobody/],
    ['-a=idler,idler', /-a=idler: a label has 1 to 40 letters/],
    ['a:b=idler,idler', /a:b=idler: a label has/],
    ['=idler,idler', /no program named =idler/],
    [`${'a'.repeat(41)}=idler,idler`, /a label has 1 to 40 letters/],
    ['idler@0,idler', /idler@0: an entrant has 1 to 100000 wake-ups/],
    ['idler@100001,idler', /an entrant has 1 to 100000 wake-ups/],
    ["idler,player 'x", /a quotation mark is not closed/],
    [`idler,player ${'x'.repeat(1_000)}`, /at most 1000 characters/],
    [Array.from({ length: 65 }, () => 'idler').join(','), /at most 64 entrants/],
  ] as const) {
    t.throws(() => read(text), { name: 'UnfitTournament', message: sentence }, text.slice(0, 40));
  }
});
