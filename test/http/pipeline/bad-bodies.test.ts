// Malformed bodies, sent to every path that takes a body: each gets its documented answer, and after all of them the
// world is unchanged to the bit.
import { gzipSync } from 'node:zlib';
import t from 'tap';
import { STANDARD_1 } from '../../../engine/rules/standard-1.js';
import { isWrite, type Method } from '../../../http/exchange/exchange.js';
import { BODY_BYTES_MAX } from '../../../http/limits.js';
import { ROUTES } from '../../../http/routes/table.js';
import type { ProblemBody, RequestOptions } from '../support/game-client.js';
import { begin } from '../support/serving.js';

const { client, admin, play } = await begin(t);
const { playerId, planetId } = await play.fleetOwner('victim of bad input', { transport: 2, scout: 2 });
const target = await play.neighbour(planetId);
const before = await play.hash();

/** A body for each path that takes one. It is right except for what it names. */
const RIGHT_BODIES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  sendMessage: { playerId: 'player-999', to: 'player-998', text: 'hello' },
  blockPlayer: { playerId: 'player-999', blockedPlayerId: 'player-998', blocked: true },
  proposePact: { playerId: 'player-999', partnerId: 'player-998', kind: 'non_aggression', durationSeconds: 60 },
  createPlayer: { name: 'victim of bad input', isBot: true },
  createSecondStarter: {},
  colonizePlanet: { playerId },
  launchFleet: {
    playerId,
    originPlanetId: planetId,
    targetPlanetId: target,
    ships: [{ type: 'transport', count: 1 }],
    mission: 'attack',
    resources: {},
  },
  recallFleet: { playerId },
  // The rules have no market.
  makeOffer: {
    playerId,
    planetId,
    give: { resource: 'iron', units: 6 },
    want: { resource: 'silver', units: 4 },
    h2Max: 5,
    toPlayerId: playerId,
    seconds: 60,
  },
  takeOffer: { playerId, planetId },
  withdrawOffer: { playerId },
  simulateLaunch: { originPlanetId: planetId, targetPlanetId: target, ships: [{ type: 'scout', count: 1 }] },
  constructBuilding: { planetId, buildingType: 'iron_mine' },
  upgradeBuilding: { planetId, buildingType: 'anti_spy' },
  cancelBuilding: { planetId, queueId: 'queue-9' },
  buildShips: { planetId, shipType: 'colony_ship', count: 9_999 },
  cancelShips: { planetId, shipType: 'scout' },
  putPlan: { steps: [], onBlocked: 'wait' },
  startResearch: { playerId: 'player-999', researchType: 'drive_ion' },
  blockAddress: { address: 'nowhere', seconds: 60 },
  unblockAddress: { address: 'nowhere' },
  advanceClock: { seconds: 0 },
  setSpeed: { speed: 0 },
  createPlayers: { count: 1, namePrefix: '' },
  grantResources: { iron: -1 },
  // The server has no turns.
  beginTurns: {
    entrants: [{ playerId }],
    until: '2001-01-01T00:00:00Z',
    orderSeed: 1,
    commandsPerDay: 10,
    wakeupsPerDay: 4,
    wallSecondsPerTurn: 5,
  },
  // The world has these rules already.
  switchRules: { ...STANDARD_1 },
};

const writes = ROUTES.filter(({ method }) => isWrite(method)).map((route) => ({
  ...route,
  right: RIGHT_BODIES[route.operationId] ?? {},
  place: route.path
    .replace(':planetId', route.operationId === 'colonizePlanet' ? planetId : 'planet-1-0-99')
    .replace(':playerId', 'player-999')
    .replace(':fleetId', 'fleet-999'),
}));

async function refused(path: string, options: RequestOptions, method: Method = 'POST'): Promise<ProblemBody> {
  const reply = await admin.request(method, path, options);
  if (reply.status < 400) throw new Error(`${path} took ${String(options.body).slice(0, 200)}: ${reply.text}`);
  return reply.body as ProblemBody;
}

async function codeOf(path: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<string> {
  return (await refused(path, { body, headers })).code;
}

/** Wrong for every field, except for one that takes text or a number of this kind. */
const WRONG_VALUES: readonly string[] = [
  'null',
  '[]',
  '{}',
  '[[]]',
  '{"a":1}',
  'true',
  '""',
  '" "',
  '"NaN"',
  '"Infinity"',
  '"-1"',
  '"1e3"',
  '"0x10"',
  '-1',
  '1.5',
  '1e-7',
  '1e300',
  '-1e300',
  '1e400',
  '9007199254740994',
  '-9007199254740993',
  '0.1',
  '123456789012345678901234567890',
  '"\\u0000"',
  '"\\ud800"',
  `"${'x'.repeat(300)}"`,
  '{"__proto__":1}',
  '["1"]',
];

const IS_FRACTION = /^[01]\.[0-9]$/;
/** These texts are well-formed identifiers, but name nothing. */
const IS_IDENTIFIER = /^".{1,64}"$/;
/** These texts are right for a name; the others contain an invalid character. */
const IS_SOUND_TEXT = /^"[^\\"]{1,63}"$/;
const NAMES = ['name', 'namePrefix'];
/** The one field that takes longer texts. */
const LONG_TEXT = 'text';
const IS_SOUND_LONG_TEXT = /^"[^\\"]+"$/;
/** Fields with the id of a player or a planet. */
const IS_ID = /Id$|^to$/;
/** The one field that takes a number with a fraction. */
const FRACTION = 'speed';

t.test('a field of the wrong type or far out of its bounds is refused, in every path and field', async (t) => {
  const faults: string[] = [];
  let count = 0;
  for (const { operationId, method, place, right } of writes) {
    for (const field of Object.keys(right)) {
      for (const value of WRONG_VALUES) {
        if (NAMES.includes(field) && IS_SOUND_TEXT.test(value)) continue;
        if (field === LONG_TEXT && IS_SOUND_LONG_TEXT.test(value)) continue;
        if (value === JSON.stringify(right[field])) continue;
        if (field === FRACTION && IS_FRACTION.test(value)) continue;
        count += 1;
        const problem = await refused(place, { body: bodyWith(right, field, value) }, method);
        if (IS_ID.test(field) && IS_IDENTIFIER.test(value) && problem.status === 404) continue;
        const isNamed = problem.errors?.some(({ path }) => path === '' || path.startsWith(`/${field}`));
        if (problem.code === 'invalid_request' && isNamed === true) continue;
        faults.push(`${operationId}.${field} = ${value.slice(0, 60)}: ${JSON.stringify(problem)}`);
      }
    }
  }
  t.same(faults, []);
  t.ok(count > 700, `${count} requests`);
});

/** A body with one field replaced by JSON text. */
function bodyWith(right: Readonly<Record<string, unknown>>, field: string, value: string): string {
  const others = Object.entries(right).filter(([name]) => name !== field);
  const rest = others.map(([name, other]) => `,${JSON.stringify(name)}:${JSON.stringify(other)}`).join('');
  return `{"${field}":${value}${rest}}`;
}

t.test('a missing field is named, and so is an unknown one', async (t) => {
  for (const { operationId, method, place, right, body } of writes) {
    const required = (body?.schema as { required?: string[] } | undefined)?.required ?? [];
    for (const field of required) {
      const problem = await refused(place, { body: { ...right, [field]: undefined } }, method);
      t.match(
        problem,
        { code: 'invalid_request', errors: [{ path: `/${field}`, message: 'is required' }] },
        operationId,
      );
    }
    for (const key of ['unknown', 'constructor', '__proto__', 'toString', 'hasOwnProperty', '', 'a/b~c']) {
      const text = JSON.stringify({ ...right, unknown: 1 }).replace('"unknown"', JSON.stringify(key));
      const problem = await refused(place, { body: text }, method);
      t.equal(problem.code, 'invalid_request', `${operationId} with ${key}`);
    }
  }
});

t.test('every path refuses a body that is not an object or not JSON', async (t) => {
  const wrong: readonly (readonly [code: string, ...bodies: (string | Uint8Array)[]])[] = [
    ['invalid_request', 'null', '[]', '7', '"{}"', 'true', '[{}]', ' 1e5 '],
    [
      'malformed_json',
      '{',
      '}',
      '{]',
      '{"a"}',
      "{'a':1}",
      '{"a":NaN}',
      '{"a":Infinity}',
      '{"a":-}',
      '{"a":01}',
      '{"a":.5}',
      '{"a":1,}',
    ],
    ['malformed_json', '{} {}', '{}x', '\u0000', '// no\n{}', '\ufeff{}', 'undefined', 'name=ada', '<a/>', ' '],
    ['malformed_json', bytes(0xff), bytes(0x7b, 0x22, 0xc0, 0x80, 0x22, 0x3a, 0x31, 0x7d)],
    [
      'malformed_json',
      bytes(0x22, 0xed, 0xa0, 0x80, 0x22),
      bytes(0x22, 0xe2, 0x82, 0x22),
      bytes(0xfe, 0xff, 0x00, 0x7b, 0x00, 0x7d),
    ],
    ['malformed_json', bytes(0x22, 0xf4, 0x90, 0x80, 0x80, 0x22), Buffer.from('{}', 'utf16le')],
  ];
  for (const { method, place } of writes) {
    for (const [code, ...bodies] of wrong) {
      for (const body of bodies) {
        const problem = await refused(place, { body }, method);
        t.equal(problem.code, code, `${place} ${JSON.stringify(String(body))}`);
      }
    }
  }
});

/** The results of operations that need no body: no player exists, there are no turns, and a world in memory has no snapshots. */
const CODES_WITHOUT_BODY: Readonly<Record<string, string>> = {
  createSecondStarter: 'player_not_found',
  takeSnapshot: 'forbidden',
  pauseClock: 'forbidden',
  resumeClock: 'forbidden',
  endTurn: 'forbidden',
  rotateKey: 'forbidden',
  revokeKeys: 'forbidden',
  rotateKeyOfPlayer: 'forbidden',
  retirePlayer: 'player_not_found',
  suspendPlayer: 'player_not_found',
  resumePlayer: 'player_not_found',
  revokeKeysOfPlayer: 'forbidden',
  grantResources: 'planet_not_found',
};

t.test('the refusal of a request without a body names the missing fields', async (t) => {
  for (const { place, operationId, method } of writes) {
    const { code, errors = [] } = await refused(place, {}, method);
    const otherCode = CODES_WITHOUT_BODY[operationId];
    t.equal(code, otherCode ?? 'invalid_request', place);
    if (otherCode === undefined) t.ok(errors.length > 0, place);
  }
});

t.test('a body that ends too soon is refused, wherever it ends', async (t) => {
  const whole = JSON.stringify(RIGHT_BODIES['launchFleet']);
  for (let length = 1; length < whole.length; length += 1) {
    t.equal(await codeOf('/api/fleet/launch', whole.slice(0, length)), 'malformed_json', `after ${length} characters`);
  }
});

t.test('JSON that is 20,000 levels deep is refused like any other', async (t) => {
  const deep = (open: string, close: string, levels = 20_000) => open.repeat(levels) + close.repeat(levels);
  t.equal(await codeOf('/api/game/player', deep('[', ']')), 'invalid_request');
  t.equal(await codeOf('/api/game/player', `{"name":${deep('[', ']')}}`), 'invalid_request');
  t.equal(
    await codeOf('/api/game/player', `${deep('{"a":', '}', 9_000).replace('{"a":}', '{"a":1}')}`),
    'invalid_request',
  );
  t.equal(await codeOf('/api/game/player', '['.repeat(60_000)), 'malformed_json');
  t.equal(await codeOf('/api/fleet/simulate', `{"ships":${deep('[{"type":', '}]', 5_000)}`), 'malformed_json');
});

t.test('a body of another type than JSON is refused', async (t) => {
  const types = [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonx',
    'application/json; charset=latin1',
    'application/json, text/plain',
    'text/json',
    'application/problem+json',
    '',
  ];
  for (const type of types) {
    t.equal(await codeOf('/api/building/upgrade', '{}', { 'content-type': type }), 'unsupported_media_type', type);
  }
  for (const type of [
    'application/json',
    'Application/JSON',
    'application/json;charset=utf-8',
    'application/json; charset="UTF-8"',
  ]) {
    t.equal(await codeOf('/api/building/upgrade', '{}', { 'content-type': type }), 'invalid_request', type);
  }
});

t.test('a refused type or content coding is answered with what is taken (RFC 9110, section 15.5.16)', async (t) => {
  const send = (headers: Readonly<Record<string, string>>, body: string | Buffer = '{}') =>
    client.send('POST', '/api/building/upgrade', { headers: { 'content-type': 'application/json', ...headers }, body });
  t.match(await send({ 'content-type': 'text/plain' }), { status: 415, headers: { accept: 'application/json' } });
  const coded = { status: 415, headers: { 'accept-encoding': 'identity' } };
  t.match(await send({ 'content-encoding': 'gzip' }, gzipSync('{}')), coded);
  t.match(await send({ 'content-encoding': 'br' }), coded, 'a body that is plain in spite of its header');
  t.match(await send({ 'content-encoding': 'identity, gzip' }), coded);
  t.match(await send({ 'content-encoding': 'Identity' }), { status: 400 }, 'there is no planet in it');
});

t.test('if a key occurs twice in a body, the last one counts', async (t) => {
  const body = (first: string, second: string) =>
    `{"planetId":"${first}","planetId":"${second}","buildingType":"anti_spy"}`;
  t.equal(await codeOf('/api/building/upgrade', body('planet-1-0-99', planetId)), 'building_not_found');
  t.equal(await codeOf('/api/building/upgrade', body(planetId, 'planet-1-0-99')), 'planet_not_found');
});

t.test('the longest allowed body is read, and one byte more is refused', async (t) => {
  const padded = (length: number) => '{"name":7}'.padEnd(length, ' ');
  t.equal(await codeOf('/api/game/player', padded(BODY_BYTES_MAX)), 'invalid_request');
  t.equal(await codeOf('/api/game/player', padded(BODY_BYTES_MAX + 1)), 'body_too_large');
});

t.test('after all of this nothing has changed', async (t) => {
  t.same(await play.hash(), before);
  t.match(await client.read('/readyz'), { status: 'ready' });
});

function bytes(...values: number[]): Uint8Array {
  return Uint8Array.from(values);
}
