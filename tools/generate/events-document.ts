// The generated parts of docs/events.md: the types of events, the frames and the limits. The text around them is written by hand.
import type { TSchema } from 'typebox';
import * as worldLimits from '../../engine/rules/limits.js';
import { ANSWERS } from '../../http/documents/asyncapi.js';
import { typeNotation } from '../../http/documents/language-model-text.js';
import * as limits from '../../http/limits.js';
import { EVENT_TYPES, type EventAudience } from '../../http/schemas/events.js';
import { CLIENT_FRAMES, type ClientOp, SERVER_FRAMES } from '../../http/schemas/frames.js';
import { renewSections, type Sections, table } from './marked-sections.js';

const RECEIVERS: Readonly<Record<EventAudience, string>> = {
  player: 'the player',
  public: 'topic `world`',
  both: 'the player and topic `world`',
  open: 'the player and, without keys, topic `world`',
};

const SECTIONS: Sections = {
  public: () =>
    table(
      ['type', ''],
      [...EVENT_TYPES]
        .filter(([, { audience }]) => audience === 'public' || audience === 'both')
        .map(([type, { summary }]) => [`\`${type}\``, summary]),
    ),
  limits: () => table(['limit', ''], LIMITS),
  types: () =>
    table(
      ['type', '', 'for', '`data`'],
      [...EVENT_TYPES].map(([type, { summary, audience, data }]) => [
        `\`${type}\``,
        summary,
        RECEIVERS[audience],
        `\`${typeNotation(data)}\``,
      ]),
    ),
  frames: () =>
    [
      table(
        ['the client sends', '', 'fields', 'answer'],
        Object.entries(CLIENT_FRAMES).map(([op, { summary, schema }]) => [
          `\`${op}\``,
          summary,
          fields(schema),
          `\`${ANSWERS[op as ClientOp]}\``,
        ]),
      ),
      table(
        ['the server sends', '', 'fields'],
        Object.entries(SERVER_FRAMES).map(([op, { summary, schema }]) => [`\`${op}\``, summary, fields(schema)]),
      ),
    ].join('\n\n'),
};

const LIMITS: readonly (readonly [about: string, value: string])[] = [
  ['events kept of a player, at most', count(worldLimits.EVENTS_PER_PLAYER_MAX)],
  ['public events kept, at most', count(worldLimits.EVENTS_PER_TOPIC_MAX)],
  ['last events of a player or of a topic, always kept', count(worldLimits.EVENTS_KEPT_MIN)],
  ['bytes of the events of a world', kib(worldLimits.EVENT_BYTES_MAX)],
  ['bytes of events that each player adds to that', kib(worldLimits.EVENT_BYTES_PER_PLAYER)],
  ['events in a reply to a long poll, at most', count(limits.EVENTS_PER_REPLY_MAX)],
  ['seconds that a long poll may wait', count(limits.EVENT_WAIT_SECONDS_MAX)],
  ['waiting long polls and streams of one player', count(limits.EVENT_READERS_PER_PLAYER_MAX)],
  ['seconds after which a reader that does not read is cut off', count(limits.READER_STALL_MS / 1_000)],
  ['subscriptions of one WebSocket', count(limits.SUBSCRIPTIONS_PER_SOCKET_MAX)],
  ['subscriptions of all WebSockets', count(limits.SUBSCRIPTIONS_MAX)],
  ['seconds between two frames of the map, at least', count(limits.MAP_FRAME_MS / 1_000)],
  ['events that a viewer of the map may have missed', count(limits.MAP_CATCH_UP_EVENTS_MAX)],
  ['keys of one WebSocket', count(limits.KEYS_PER_SOCKET_MAX)],
  ['unanswered calls of one WebSocket', count(limits.CALLS_PER_SOCKET_MAX)],
  ['frames of one WebSocket that are not handled yet, before it is closed', count(limits.SOCKET_BACKLOG_MAX)],
  ['bytes of a frame that a client sends', kib(limits.SOCKET_FRAME_BYTES_MAX)],
  ['seconds until a WebSocket must have a key, with `--auth key`', count(limits.SOCKET_HELLO_MS / 1_000)],
  ['seconds that a WebSocket may be silent, answers to pings included', count(limits.SOCKET_IDLE_SECONDS)],
];

/** The fields of a frame besides `op`, once for each form that it may have. */
function fields(schema: TSchema): string {
  const { anyOf: forms = [schema] } = schema as { readonly anyOf?: readonly TSchema[] };
  return forms.map((form) => `\`${typeNotation(withoutOp(form))}\``).join(' or ');
}

function withoutOp(schema: TSchema): TSchema {
  const { op: _op, ...properties } =
    (schema as { readonly properties?: Readonly<Record<string, TSchema>> }).properties ?? {};
  return { ...schema, properties };
}

function count(value: number): string {
  return value.toLocaleString('en');
}

function kib(bytes: number): string {
  return `${count(bytes / 1_024)} KiB`;
}

/** @param document text of docs/events.md */
export function renewEvents(document: string): string {
  return renewSections(document, SECTIONS);
}
