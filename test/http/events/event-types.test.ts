// Every type of event is really sent: a server plays a story in which all of them happen, and three readers get the same JSON of each
// receiver, which fits the schemas of the AsyncAPI document that the server serves, and has no field that they do not name.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import t, { type Test } from 'tap';
import { WebSocket } from 'ws';
import { EVENT_TYPES, type EventAudience } from '../../../http/schemas/events.js';
import { closed, VOCABULARY } from '../support/contract/document-check.js';
import { type EventPageBody, StreamReader } from '../support/event-client.js';
import { playEveryEvent } from '../support/every-event.js';
import { ADMIN_KEY, begin, type Serving } from '../support/serving.js';

interface Document {
  readonly components: {
    readonly schemas: object;
    readonly messages: Readonly<Record<string, { readonly payload: object }>>;
  };
}

/** Where the events of a receiver are read. */
interface Source {
  readonly path: string;
  readonly subscription: object;
  readonly key: string;
}

/** The fault of a message of the AsyncAPI document; null if there is none. */
type MessageCheck = (name: string, value: unknown) => string | null;

for (const auth of ['none', 'key'] as const) {
  const isOpen = auth === 'none';
  t.test(`every type is sent with --auth ${auth}, and the three readers agree`, async (t) => {
    const serving = await begin(t, { auth });
    const actors = await playEveryEvent(serving, !isOpen);
    const faultOf = messageCheck(await serving.client.read<Document>('/asyncapi.json'));
    const players = actors.map(({ playerId, key }) => {
      return { path: `/api/event/player/${playerId}`, subscription: { playerId }, key };
    });
    const world = { path: '/api/event/world', subscription: { topic: 'world' }, key: isOpen ? '' : ADMIN_KEY };
    const received = await Promise.all(players.map((player) => typesRead(t, serving, player, faultOf)));
    const topic = await typesRead(t, serving, world, faultOf);
    t.same(new Set(received.flatMap((types) => [...types])), typesFor(['player', 'both', 'open'], !isOpen));
    t.same(topic, typesFor(isOpen ? ['public', 'both', 'open'] : ['public', 'both'], true));
  });
}

t.test('a payload that differs from its schema is found', async (t) => {
  const { client, play } = await begin(t);
  const { id } = await play.newcomer('ada');
  const faultOf = messageCheck(await client.read<Document>('/asyncapi.json'));
  const [event] = (await client.read<EventPageBody>(`/api/event/player/${id}?since=0`)).events;
  t.equal(faultOf('player_created', event), null);
  t.match(faultOf('player_created', { ...event, more: 1 }), /additional/);
  t.match(faultOf('player_created', { ...event, at: 'now' }), /format/);
  t.match(faultOf('building_started', event), /const|required|must/);
});

/** The types that these receive; those of keys only if there are keys. */
function typesFor(audiences: readonly EventAudience[], hasKeys: boolean): Set<string> {
  const types = [...EVENT_TYPES].filter(([, { audience }]) => audiences.includes(audience)).map(([type]) => type);
  return new Set(types.filter((type) => hasKeys || !type.startsWith('key')));
}

/** Reads all events in three ways. @returns their types */
async function typesRead(
  t: Test,
  { client, port }: Serving,
  source: Source,
  faultOf: MessageCheck,
): Promise<Set<string>> {
  const { path, subscription, key } = source;
  const reply = await client.as(key).request('GET', `${path}?since=0`);
  const { events, lastSeq, oldestSeq } = reply.body as EventPageBody;
  t.equal(faultOf('page', reply.body), null);
  t.same([oldestSeq, lastSeq], [1, events.length]);
  const texts = events.map((event) => JSON.stringify(event));
  t.ok(reply.text.startsWith(`{"events":[${texts.join()}]`), 'as the server has written them');
  t.same(await streamed(port, source, lastSeq), texts, 'the stream sends the same');
  t.same(await subscribed(port, source, lastSeq, faultOf), texts, 'and so does the WebSocket');
  for (const [index, event] of events.entries()) {
    t.equal(event.seq, index + 1);
    t.equal(faultOf(event.type, event), null, event.type);
    if ('playerId' in subscription) t.equal(event.playerId, subscription.playerId);
  }
  return new Set(events.map(({ type }) => type));
}

async function streamed(port: number, { path, key }: Source, count: number): Promise<string[]> {
  const reader = await StreamReader.open(port, `${path}/stream?since=0`, bearer(key));
  const texts: string[] = [];
  while (texts.length < count) {
    const block = await reader.block();
    if (block === null) throw new Error('the stream has ended');
    if (block.data !== '') texts.push(block.data);
  }
  reader.close();
  return texts;
}

/** Frames without what makes them frames. */
async function subscribed(
  port: number,
  { subscription, key }: Source,
  count: number,
  faultOf: MessageCheck,
): Promise<string[]> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`, 'galaxyd.v1', { headers: bearer(key) });
  const texts: string[] = [];
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject);
    socket.on('message', (bytes: Buffer) => {
      const text = bytes.toString();
      const { op, topic: _topic, ...event } = JSON.parse(text) as { readonly op: string; readonly topic?: string };
      const fault = faultOf(`${op}-frame`, JSON.parse(text));
      if (fault !== null) reject(new Error(`${text}: ${fault}`));
      if (op === 'welcome') socket.send(JSON.stringify({ op: 'subscribe', ...subscription, since: 0 }));
      if (op === 'event') texts.push(JSON.stringify(event));
      if (op === 'error' || texts.length === count) resolve();
    });
  });
  socket.terminate();
  return texts;
}

function bearer(key: string): Record<string, string> {
  return key === '' ? {} : { authorization: `Bearer ${key}` };
}

/** Compiles the checks that are asked for. */
function messageCheck({ components: { schemas, messages } }: Document): MessageCheck {
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true });
  formats.default(ajv);
  ajv.addVocabulary(VOCABULARY);
  const checks = new Map<string, ValidateFunction>();
  const checkOf = (name: string): ValidateFunction => {
    const { payload } = messages[name] ?? { payload: { not: {} } };
    // Parts of one object do not name each other's fields.
    const shut = 'allOf' in payload ? (schema: unknown) => schema : closed;
    const check = ajv.compile({ ...(shut(payload) as object), components: { schemas: shut(schemas) } });
    checks.set(name, check);
    return check;
  };
  return (name, value) => {
    const check = checks.get(name) ?? checkOf(name);
    return check(value) ? null : JSON.stringify(check.errors);
  };
}
