// A tournament day of a language model, which a script replaces: with clients/typescript/examples/llm-entrant.ts through a real
// `galaxyd mcp` and a chat API, and through plain HTTP. docs/llm.md shows it; RENEW=1 writes that part.
import { readFileSync, writeFileSync } from 'node:fs';
import { chmod, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t, { type Test } from 'tap';
import { run } from '../clients/programs.js';
import { GameClient, type Reply } from '../http/support/game-client.js';
import { beginGame, gameOver, type Seat, seats } from '../http/support/turn-play.js';
import { temporaryFolder } from '../persistence/support/temporary-folder.js';
import { GalaxydProcess } from '../support/process/galaxyd-process.js';
import { root } from '../tidy/repository.js';
import { ChatStandIn, type ScriptedReply } from './chat-stand-in.js';

const DOCUMENT = join(root, 'docs/llm.md');
const EXAMPLE = 'clients/typescript/examples/llm-entrant.ts';
const EXAMPLE_LINES_MAX = 60;
const PROGRAM = fileURLToPath(new URL('../../cli/main.js', import.meta.url));
const ADMIN_KEY = 'the-operator-of-this-test';
const PLANET = 'planet-1-0-26';
/** An estimate: each model has its own tokenizer, and an estimate needs none. */
const CHARACTERS_PER_TOKEN = 4;
/** A few thousand. */
const NEW_TOKENS_A_DAY_MAX = 6_000;

const upgrade = (buildingType: string) => ({ action: 'upgrade', planetId: PLANET, buildingType });

/** When the model wants its next turn, at the end of each turn. */
const WAKES = [
  '2000-01-01T04:00:00.000Z',
  '2000-01-01T10:00:00.000Z',
  '2000-01-01T17:00:00.000Z',
  '2000-01-02T00:00:00.000Z',
] as const;

/** What the model does in each of its turns. */
const SCRIPT: readonly ScriptedReply[] = [
  {
    note: 'Mines first, then a shipyard for scouts. Ion drive is under way.',
    calls: [
      ['act', { actions: [upgrade('iron_mine'), { action: 'research', researchType: 'drive_ion' }] }],
      ['wait', { until: WAKES[0] }],
    ],
  },
  {
    note: 'Shipyard is under way. Next: silver, then scouts.',
    calls: [
      ['act', { actions: [{ action: 'construct', planetId: PLANET, buildingType: 'shipyard' }] }],
      ['wait', { until: WAKES[1] }],
    ],
  },
  {
    note: 'Three scouts and silver are under way. Next: zentrale.',
    calls: [
      [
        'act',
        {
          actions: [
            { action: 'build_ships', planetId: PLANET, shipType: 'scout', count: 3 },
            upgrade('silver_mine'),
            upgrade('zentrale'),
          ],
        },
      ],
      ['wait', { until: WAKES[2] }],
    ],
  },
  {
    note: 'Zentrale is under way. Next: h2 for flights.',
    calls: [
      ['act', { actions: [upgrade('zentrale')] }],
      ['wait', { until: WAKES[3] }],
    ],
  },
];

/** The same commands as operations of the API. */
const OPERATIONS: readonly (readonly object[])[] = [
  [
    { method: 'POST', path: '/api/building/upgrade', body: { planetId: PLANET, buildingType: 'iron_mine' } },
    { method: 'POST', path: '/api/research/start', body: { playerId: 'player-1', researchType: 'drive_ion' } },
  ],
  [{ method: 'POST', path: '/api/building/construct', body: { planetId: PLANET, buildingType: 'shipyard' } }],
  [
    { method: 'POST', path: '/api/shipyard/build', body: { planetId: PLANET, shipType: 'scout', count: 3 } },
    { method: 'POST', path: '/api/building/upgrade', body: { planetId: PLANET, buildingType: 'silver_mine' } },
    { method: 'POST', path: '/api/building/upgrade', body: { planetId: PLANET, buildingType: 'zentrale' } },
  ],
  [{ method: 'POST', path: '/api/building/upgrade', body: { planetId: PLANET, buildingType: 'zentrale' } }],
];

interface Day {
  readonly url: string;
  readonly admin: GameClient;
  readonly seat: Seat;
}

/** Starts a server of turns, and a game of one day. */
async function begun(t: Test): Promise<Day> {
  const flags = '--clock turns --auth key --port 0 --min-free-mib 0 --admin-key'.split(' ');
  const { url } = await GalaxydProcess.start(t, {
    args: ['serve', ...flags, ADMIN_KEY],
    cwd: await temporaryFolder(t),
  });
  const client = new GameClient(Number(new URL(url).port));
  t.teardown(() => client.close());
  const admin = client.as(ADMIN_KEY);
  const [seat, other] = (await seats({ client, admin }, 'Ada', 'Bob')) as [Seat, Seat];
  t.equal(seat.planetId, PLANET);
  await beginGame({ admin }, [seat], { wakeupsPerDay: 4, commandsPerDay: 20, wallSecondsPerTurn: 120 });
  t.ok(other.id);
  return { url, admin, seat };
}

const hashOf = ({ admin }: Day): Promise<unknown> => admin.read('/api/admin/state-hash');

let chatHash: unknown;
const parts: Record<string, string> = {};

t.test('the example of an entrant plays a day with a chat API and galaxyd mcp', async (t) => {
  const day = await begun(t);
  const chat = await ChatStandIn.start(t, SCRIPT);
  const folder = await temporaryFolder(t);
  await writeFile(join(folder, 'galaxyd'), `#!/bin/sh\nexec '${process.execPath}' '${PROGRAM}' "$@"\n`);
  await chmod(join(folder, 'galaxyd'), 0o755);
  await writeFile(join(folder, 'key'), 'the-key-of-the-chat-api\n');
  const { GALAXYD_PLAYER, GALAXYD_API_KEY, GALAXYD_SERVER } = {
    GALAXYD_PLAYER: day.seat.id,
    GALAXYD_API_KEY: day.seat.key,
    GALAXYD_SERVER: day.url,
  };
  const environment = {
    GALAXYD_PLAYER,
    GALAXYD_API_KEY,
    GALAXYD_SERVER,
    PATH: `${folder}${delimiter}${process.env['PATH']}`,
  };
  const program = join(root, 'clients/typescript/dist/examples/llm-entrant.js');
  const output = await run(process.execPath, [program, chat.url, 'scripted', join(folder, 'key')], { environment });
  const game = await gameOver(day);
  t.match(game, {
    state: 'over',
    entrants: [{ wakeups: 4, commands: 7, refusals: { upgrade_in_progress: 1 }, overruns: 0 }],
  });
  t.equal(chat.asked.length, SCRIPT.length, 'one request for each turn');
  for (const { authorization, body } of chat.asked) {
    t.equal(authorization, 'Bearer the-key-of-the-chat-api');
    t.same(
      body.tools.map(({ type, function: { name } }) => [type, name]),
      [
        ['function', 'act'],
        ['function', 'wait'],
      ],
    );
    t.same(
      body.messages.map(({ role }) => role),
      ['system', 'user'],
    );
  }
  chatHash = await hashOf(day);
  const total = chat.asked.reduce((sum, { length }) => sum + length, 0);
  const { tools, messages } = chat.asked[0]?.body ?? { tools: [], messages: [] };
  const repeated = JSON.stringify(tools).length + (messages[0]?.content.length ?? 0);
  const once = total - (chat.asked.length - 1) * repeated;
  t.comment(`${total} characters as they are sent, ${once} with tools and instructions once`);
  t.ok(once / CHARACTERS_PER_TOKEN < NEW_TOKENS_A_DAY_MAX);
  const rows: readonly (readonly [string, number])[] = [
    ['the tools `act` and `wait`, sent with each request', JSON.stringify(tools).length],
    ['the instructions, sent with each request', messages[0]?.content.length ?? 0],
    ['`wait`, `brief` and `options` of the first turn', messages[1]?.content.length ?? 0],
    ['**the whole day**, 4 requests and 4 replies, with the tools and the instructions counted once', once],
    ['the same as it is sent, with them in each request', total],
  ];
  parts['count'] = table(rows);
  parts['mcp'] = chat.asked
    .map(({ body }, index) => {
      const user = index === 0 ? block('text', body.messages[1]?.content ?? '') : '';
      const reply = SCRIPT[index] as ScriptedReply;
      const calls = reply.calls.map(([tool, input]) => `${tool} ${JSON.stringify(input)}`);
      return `Turn ${index + 1}${user === '' ? ', the model answers:' : '. The model gets:'}\n\n${user}${
        user === '' ? '' : '\n\nand answers:\n\n'
      }${block('text', [`note: ${reply.note}`, ...calls].join('\n'))}`;
    })
    .join('\n\n');
  const printed = output.split('\n').filter((line) => !line.startsWith('galaxyd mcp'));
  parts['results'] = block('text', printed.join('\n').trimEnd());
});

t.test('the same day through plain HTTP leaves the same world', async (t) => {
  const day = await begun(t);
  const { client, id } = day.seat;
  const said: string[] = [];
  let length = 0;
  const tell = (line: string, { text, status }: Reply): void => {
    const shown = text.replace(/"wallMsLeft":\d+/, '"wallMsLeft":119204');
    length += line.length + shown.length;
    said.push(`${block('text', line)}\n\n${block('text', `${status}\n${shown.trimEnd()}`)}`);
  };
  for (const [index, operations] of OPERATIONS.entries()) {
    tell('GET /api/turn?wait=30', await client.request('GET', '/api/turn?wait=30'));
    tell(`GET /api/brief/player/${id}`, await client.request('GET', `/api/brief/player/${id}`));
    const end = { method: 'POST', path: '/api/turn/end', body: { wakeAt: WAKES[index], wakeOn: FROM_OTHERS } };
    const body = { operations: [...operations, end] };
    const headers = { prefer: 'return=minimal' };
    tell(
      `POST /api/batch\nPrefer: return=minimal\n\n${JSON.stringify(body)}`,
      await client.request('POST', '/api/batch', { body, headers }),
    );
  }
  tell('GET /api/turn?wait=30', await client.request('GET', '/api/turn?wait=30'));
  t.same(await hashOf(day), chatHash);
  t.comment(`${length} characters`);
  t.ok(length / CHARACTERS_PER_TOKEN < NEW_TOKENS_A_DAY_MAX / 2);
  parts['http'] = said.slice(0, 3).join('\n\n');
  parts['http-count'] = table([['**the whole day**, 13 requests and their answers', length]]);
});

const FROM_OTHERS = ['incoming_fleet', 'combat_report', 'espionage_detected', 'resources_received'];

t.test('the document shows what was said here, and the whole example', (t) => {
  const example = readFileSync(join(root, EXAMPLE), 'utf8');
  t.ok(example.split('\n').length - 1 < EXAMPLE_LINES_MAX, 'it is short');
  parts['example'] = block('ts', example.trimEnd());
  const document = readFileSync(DOCUMENT, 'utf8');
  const renewed = Object.entries(parts).reduce(withPart, document);
  if (process.env['RENEW'] === '1') writeFileSync(DOCUMENT, renewed);
  else t.equal(renewed, document, 'RENEW=1 npm test -- test/mcp/llm.test.ts writes it');
  t.end();
});

function block(language: string, text: string): string {
  return `\`\`\`${language}\n${text}\n\`\`\``;
}

function table(rows: readonly (readonly [string, number])[]): string {
  const lines = rows.map(([what, length]) => {
    return `| ${what} | ${length} | ${Math.round(length / CHARACTERS_PER_TOKEN)} |`;
  });
  return ['| | characters | tokens, estimated |', '|---|---|---|', ...lines].join('\n');
}

function withPart(document: string, [name, content]: [string, string]): string {
  const [begin, end] = [`<!-- begin ${name} -->\n`, `<!-- end ${name} -->`];
  const [start, stop] = [document.indexOf(begin), document.indexOf(end)];
  if (start < 0 || stop < start) throw new Error(`docs/llm.md has no part ${name}`);
  return `${document.slice(0, start)}${begin}${content}\n${document.slice(stop)}`;
}
