// No byte that somebody else wrote reaches a terminal as a command of the terminal, or as a line of its own, whichever subcommand
// prints it: texts in folders, logs, origins, rule files, results, replies of servers and arguments.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { encodeCommand } from '../../../engine/commands/table.js';
import { STANDARD_1_RULES } from '../../../engine/rules/shipped.js';
import { encodeRecord, NO_PREVIOUS_HASH } from '../../../persistence/log/batch-record.js';
import { LmdbLog } from '../../../persistence/log/lmdb/lmdb-log.js';
import { storeAt } from '../../../persistence/store-url.js';
import { encodeOrigin } from '../../../persistence/stores/origin.js';
import { temporaryFolder } from '../../persistence/support/temporary-folder.js';
import { appendRecords } from '../../support/log-writing.js';
import { runInTurn } from '../../support/process/galaxyd-process.js';
import { hostileServer, REPLY_HEADERS } from '../../support/process/hostile-server.js';
import { writeResult } from '../../support/tournament/written-tournament.js';

const FORGED = 'galaxyd says what nobody said';
/** A title by OSC, a clearing by CSI and by C1, a line of its own, a direction, tags, selectors, a filler and a separator. */
const HOSTILE = `\u001b]0;pwned\u0007\u001b[2J\u009b31m\u0085\b\r\n${FORGED}\u202e\u{e0041}\ufe0f\u{e0101}\u200b\u3164\u2800\u2028\u2029\u007fx`;

/** Everything that is written: visible characters, spaces, and ends of lines. */
const UNSEEN = /[^\n\P{C}]|[\u2028\u2029\u2800\u3164]|[\ufe00-\ufe0f]|[\u{e0000}-\u{e0fff}]/u;

interface Sources {
  /** Folder of a world whose names, rules and origin are hostile. */
  readonly world: string;
  /** A path in a hostile folder that does not exist. */
  readonly missing: string;
  readonly rules: string;
  /** Names what is in the rule set that it is not about. */
  readonly unsoundRules: string;
  /** A configuration whose keys and values are hostile, and a file of admin keys with such a line. */
  readonly config: string;
  readonly adminKeys: string;
  readonly keyFile: string;
  readonly tournament: string;
  /** Folder of a bot that prints such a text and fails. */
  readonly bot: string;
  readonly server: string;
  readonly to: string;
}

/** The command lines of each subcommand that print something of a source. */
const LINES: Readonly<Record<string, (sources: Sources) => readonly (readonly string[])[]>> = {
  serve: ({ missing, unsoundRules }) => [
    ['serve', '--port', '0', '--data', `${missing}/data`, '--rules', unsoundRules],
  ],
  config: ({ config, rules, missing }) => [
    ['config', 'check', config],
    ['config', 'check', config, '--json'],
    ['config', 'check', rules],
    ['config', 'check', missing],
  ],
  'admin-key': ({ adminKeys, missing }) => [
    ['admin-key', 'new', HOSTILE, '--admin-keys', adminKeys],
    ['admin-key', 'new', 'ada', '--admin-keys', missing],
    ['admin-key', 'list', '--admin-keys', adminKeys],
    ['admin-key', 'list', '--admin-keys', missing, '--json'],
  ],
  audit: ({ world, missing }) => [
    ['audit', '--data', world],
    ['audit', '--data', world, '--json'],
    ['audit', '--data', missing],
  ],
  admin: ({ server, keyFile, missing }) => [
    ['admin', HOSTILE],
    ['admin', 'listPlayers', '--key-file', missing],
    ['admin', 'listPlayers', '--server', server, '--key-file', keyFile],
    ['admin', 'listPlayers', '--server', server, '--key-file', keyFile, '--json'],
    ['admin', 'listPlayers', '--server', server, '--key-file', keyFile, '--set', HOSTILE],
  ],
  replay: ({ missing }) => [['replay', missing]],
  snapshot: ({ missing }) => [['snapshot', '--data', missing]],
  snapshots: ({ missing }) => [['snapshots', '--data', missing]],
  restore: ({ world, to, missing }) => [
    ['restore', '--data', world, '--to', `${to}-restored-${HOSTILE}`],
    ['restore', '--data', missing, '--to', to, '--json'],
  ],
  fork: ({ world, to }) => [
    ['fork', '--data', world, '--to', `${to}-forked-${HOSTILE}`],
    ['fork', '--data', world, '--to', `${to}-forked-2-${HOSTILE}`, '--json'],
  ],
  copy: ({ world, to }) => [
    ['copy', '--from', world, '--to', `${to}-copied-${HOSTILE}`],
    ['copy', '--from', world, '--to', `${to}-copied-2-${HOSTILE}`, '--json'],
  ],
  verify: ({ world, missing }) => [
    ['verify', '--data', world],
    ['verify', '--data', missing],
    ['verify', '--data', missing, '--json'],
  ],
  status: ({ world, server, missing }) => [
    ['status', '--data', world],
    ['status', '--data', world, '--json'],
    ['status', '--data', missing],
    ['status', '--server', server],
    ['status', '--server', server, '--json'],
  ],
  promote: ({ missing }) => [['promote', '--data', missing]],
  log: ({ world, missing }) => [
    ['log', '--data', world],
    ['log', '--data', missing],
  ],
  rules: ({ rules, unsoundRules, missing }) => [
    ['rules', 'check', rules],
    ['rules', 'check', unsoundRules],
    ['rules', 'check', unsoundRules, '--json'],
    ['rules', 'check', missing],
    ['rules', 'show', rules],
    ['rules', 'diff', 'standard-1', rules],
    ['rules', 'diff', 'standard-1', rules, '--json'],
  ],
  tournament: ({ tournament, to, unsoundRules }) => [
    ['tournament', 'verify', tournament],
    ['tournament', 'verify', tournament, '--json'],
    ['tournament', 'table', tournament],
    ['tournament', '--entrants', HOSTILE, '--out', to],
    ['tournament', '--entrants', 'idler,greedy', '--rules', unsoundRules, '--out', to],
  ],
  bot: ({ missing, bot }) => [
    ['bot', 'new', missing],
    ['bot', 'try', missing],
    ['bot', 'try', bot, '--against', 'idler', '--days', '0.1'],
  ],
  mcp: ({ missing }) => [['mcp', '--player', HOSTILE, '--key-file', missing]],
  worlds: () => [['worlds', '--admin-key', HOSTILE]],
  swarm: ({ server, missing }) => [
    ['swarm', '--server', server, '--seconds', '1', '--bots', '1', '--admin-key', 'operator-of-a-test'],
    ['swarm', '--server', server, '--seconds', '1', '--bots', '1', '--keys', missing],
  ],
  help: () => [['help', HOSTILE], [HOSTILE], [`--${HOSTILE}`]],
};

t.test('each subcommand makes everything printable that it prints', async (t) => {
  const sources = await hostileSources(t);
  const lines = Object.values(LINES).flatMap((linesOf) => linesOf(sources));
  const endings = await runInTurn(t, lines);
  for (const [index, { stdout, stderr, code }] of endings.entries()) {
    const words = lines[index]?.filter((word) => /^[\w.-]+$/.test(word)) ?? [];
    const what = `line ${index}, ${words.join(' ')} (${code})`;
    t.not(`${stdout}${stderr}`, '', `${what} prints something`);
    for (const text of [stdout, stderr]) {
      t.equal(UNSEEN.exec(text)?.[0], undefined, `${what} prints nothing that is not seen`);
      t.notMatch(text, new RegExp(`^${FORGED}`, 'm'), `${what} prints no forged line`);
    }
  }
});

t.test('a subcommand that is new has its lines above', async (t) => {
  const { stdout } = (await runInTurn(t, [['--help']]))[0];
  const commands = [...stdout.slice(stdout.indexOf('Commands:')).matchAll(/^ {2}([a-z-]+) /gm)].map(([, name]) => name);
  t.ok(commands.length >= 20, 'they are found');
  t.same(new Set(commands), new Set(Object.keys(LINES)));
});

async function hostileSources(t: Test): Promise<Sources> {
  const place = await temporaryFolder(t);
  const at = (name: string): string => join(place, name);
  const set = { ...STANDARD_1_RULES.set, name: 'mine', research: described(STANDARD_1_RULES.set.research) };
  await writeFile(at('rules.json'), JSON.stringify(set));
  const unsound = { ...set, [HOSTILE]: 1, research: [{ type: HOSTILE }], ships: HOSTILE, name: HOSTILE };
  await writeFile(at('unsound.json'), JSON.stringify(unsound));
  const settings = [
    ['data', at(`${HOSTILE}/data`)],
    [HOSTILE, HOSTILE],
    ['rules', HOSTILE],
  ];
  const lines = settings.map((words) => words.map(tomlString).join(' = '));
  await writeFile(at('galaxyd.toml'), `${lines.join('\n')}\n`, { mode: 0o600 });
  await writeFile(at('admin-keys'), `${HOSTILE} full ${HOSTILE}\n`, { mode: 0o600 });
  await writeFile(at('key'), 'operator-of-a-test\n', { mode: 0o600 });
  await mkdir(at('tournament'));
  await writeResult(at('tournament'), { format: HOSTILE, [HOSTILE]: HOSTILE });
  await mkdir(at('bot'));
  await writeFile(
    at('bot/entrant.json'),
    JSON.stringify({ command: ['/bin/sh', 'bot.sh'], files: ['bot.sh', 'words'] }),
  );
  await writeFile(at('bot/bot.sh'), `cat ${at('bot/words')} >&2\nexit 3\n`);
  await writeFile(at('bot/words'), `${HOSTILE}\n`);
  return {
    world: await hostileWorld(at('world'), JSON.stringify(set)),
    missing: at(`${HOSTILE}/missing`),
    rules: at('rules.json'),
    unsoundRules: at('unsound.json'),
    config: at('galaxyd.toml'),
    adminKeys: at('admin-keys'),
    keyFile: at('key'),
    tournament: at('tournament'),
    bot: at('bot'),
    server: await hostileServer(t, (response) => {
      const body = { [HOSTILE]: HOSTILE, title: HOSTILE, auth: HOSTILE, list: [HOSTILE] };
      response.writeHead(200, REPLY_HEADERS).end(JSON.stringify(body));
    }),
    to: at('new'),
  };
}

/** A string of TOML, which allows no control characters as they are. */
const tomlString = (text: string): string =>
  `"${Array.from(text, (character) => `\\U${(character.codePointAt(0) ?? 0).toString(16).padStart(8, '0')}`).join('')}"`;

const described = (research: typeof STANDARD_1_RULES.set.research) =>
  research.map((rule) => ({ ...rule, unlocks: HOSTILE.slice(0, 60) }));

async function hostileWorld(folder: string, rules: string): Promise<string> {
  await mkdir(folder);
  const log = await LmdbLog.open(join(folder, 'log'));
  const settings = { seed: 1, systemsPerGalaxy: 10, speedThousandths: 1000, rulesVersion: 1, startMs: 0 };
  const genesis = encodeCommand({ type: 'genesis', ...settings, rules });
  const newcomer = encodeCommand({
    type: 'create_player',
    name: HOSTILE,
    isBot: true,
    keyHash: null,
    nameKey: HOSTILE,
  });
  const entries = [0, genesis, 0, newcomer];
  const record = { rulesVersion: 1, firstSeq: 1, count: 2, previousHash: NO_PREVIOUS_HASH, entries };
  await appendRecords(log, [{ firstSeq: 1, bytes: encodeRecord(record) }]);
  await log.close();
  const instant = '2000-01-01T00:00:00.000Z';
  const origin = {
    kind: 'fork',
    from: HOSTILE,
    seq: 0,
    base: 0,
    worldTime: HOSTILE,
    stateHash: HOSTILE,
    madeAt: instant,
  } as const;
  await writeFile(join(folder, 'origin.json'), encodeOrigin(origin));
  const action = {
    at: HOSTILE,
    key: HOSTILE,
    address: HOSTILE,
    method: HOSTILE,
    path: HOSTILE,
    body: HOSTILE,
    status: 200,
    code: HOSTILE,
  };
  await storeAt(folder)
    .operatorRecords()
    .append('actions', JSON.stringify({ ...action, seq: 2 }));
  return folder;
}
