// What is kept of operators and addresses beside the world: the trail of actions, and the addresses that are blocked for a time.
import { isIP } from 'node:net';
import type { OperatorRecords } from '../../persistence/stores/operator-records.js';
import type { AddressBlock, AddressBlocks } from '../admission/address-blocks.js';
import { isLoopback, networkOf, plainAddress } from '../admission/addresses.js';
import type { Admission } from '../admission/admission.js';
import { recordsOf } from '../admission/audit.js';
import { contentVersion } from '../exchange/entity-tags.js';
import type { Exchange } from '../exchange/exchange.js';
import { isoText } from '../exchange/iso-time.js';
import { sendProblem } from '../exchange/problems.js';
import type { GamePorts } from '../game/game-ports.js';
import { ADDRESS_BLOCKS_MAX, AUDIT_RECORDS_PER_REPLY_MAX } from '../limits.js';
import { type HandledRoute, readRoute, writeRoute } from '../pipeline/route.js';
import { BlockAddressRequest, UnblockAddressRequest } from '../schemas/requests.js';
import { AuditPage, type AuditPageBody, BlockedAddress, BlockedAddresses, UnblockedAddress } from '../schemas/world.js';
import { cursorForm, operator } from './route-parts.js';

interface RecordPorts extends GamePorts {
  readonly records: OperatorRecords;
  readonly blocks: AddressBlocks;
  readonly admission: Pick<Admission, 'clientAddress'>;
}

const blockAddress = writeRoute({
  operationId: 'blockAddress',
  path: '/api/admin/address/block',
  tag: 'administration',
  summary: 'Blocks an address for a time.',
  description:
    'Its requests get 403 address_blocked, and its streams and WebSockets end. Of an IPv6 address the whole network of 64 bits is blocked, as ' +
    'limits count it. The time is real time, and survives restarts. A second block of an address replaces the first. Addresses of this machine ' +
    'cannot be blocked; that of the request itself only with `isOwn`.',
  access: 'admin',
  worldUse: 'none',
  actor: operator,
  isCommand: false,
  body: { schema: BlockAddressRequest },
  replies: [{ status: 200, description: 'What is blocked.', schema: BlockedAddress }],
  errors: ['forbidden', 'limit_reached', 'storage_unavailable'],
  handle(ports: RecordPorts, exchange, { address, seconds, isOwn = false }) {
    const { admission, blocks, replies } = ports;
    const network = networkNamed(exchange, address);
    if (network === null) return;
    if (!isOwn && network === networkOf(admission.clientAddress(exchange))) {
      replies.refuse(exchange, 'forbidden', OWN_ADDRESS);
      return;
    }
    answerAfter(ports, exchange, blocks.block(network, seconds * 1000), (block) => {
      if (block !== null) return blockBody(block);
      const limit = { name: 'ADDRESS_BLOCKS_MAX', maximum: ADDRESS_BLOCKS_MAX };
      replies.refuse(exchange, 'limit_reached', { detail: 'As many addresses are blocked as may be.', limit });
      return null;
    });
  },
});

const unblockAddress = writeRoute({
  operationId: 'unblockAddress',
  path: '/api/admin/address/unblock',
  tag: 'administration',
  summary: 'Ends the block of an address.',
  description: 'It may not be blocked.',
  access: 'admin',
  worldUse: 'none',
  actor: operator,
  isCommand: false,
  body: { schema: UnblockAddressRequest },
  replies: [{ status: 200, description: 'Whether it was blocked.', schema: UnblockedAddress }],
  errors: ['storage_unavailable'],
  handle(ports: RecordPorts, exchange, { address }) {
    const network = networkNamed(exchange, address);
    if (network === null) return;
    answerAfter(ports, exchange, ports.blocks.unblock(network), (wasBlocked) => ({ network, wasBlocked }));
  },
});

const listBlockedAddresses = readRoute({
  operationId: 'listBlockedAddresses',
  path: '/api/admin/addresses',
  tag: 'administration',
  worldUse: 'none',
  summary: 'Lists the addresses that are blocked.',
  description: 'The next one to be free comes first.',
  access: 'admin',
  replies: [{ status: 200, description: 'The addresses.', schema: BlockedAddresses }],
  handle({ blocks, replies }: RecordPorts, exchange) {
    answerTagged(replies, exchange, { blocks: blocks.list().map(blockBody) });
  },
});

const getAudit = readRoute({
  operationId: 'getAudit',
  path: '/api/admin/audit',
  tag: 'administration',
  worldUse: 'none',
  summary: 'Returns what operators have done, the newest first.',
  description:
    'Each action with the admin key, except for reads, and requests that tried one without it, as far as they were not too many. The trail is ' +
    'bounded; it outlives the log of the world, in which `seq` is the entry that an action caused.',
  access: 'admin',
  cost: 10,
  query: [
    {
      name: 'limit',
      description: `How many records are returned at most; ${AUDIT_RECORDS_PER_REPLY_MAX} by default.`,
      example: 10,
      minimum: 1,
      maximum: AUDIT_RECORDS_PER_REPLY_MAX,
    },
    {
      name: 'cursor',
      description: 'The `nextCursor` of the reply before.',
      example: 'Zm9vYmE-001',
      form: cursorForm(/^[\w.-]{1,64}$/),
    },
  ],
  replies: [{ status: 200, description: 'The records.', schema: AuditPage }],
  errors: ['storage_unavailable'],
  isHeavy: true,
  handle(ports: RecordPorts, exchange) {
    const [limit = null, cursor = null] = exchange.queryValues;
    answerAfter(ports, exchange, recordsOf(ports.records), (all): AuditPageBody => {
      const from = cursor === null ? 0 : all.findIndex(({ requestId }) => requestId === cursor) + 1;
      // What the cursor names may have been dropped meanwhile, and everything older with it.
      const rest = cursor !== null && from === 0 ? [] : all.slice(from);
      const records = rest.slice(0, Number(limit ?? AUDIT_RECORDS_PER_REPLY_MAX));
      const isLast = records.length === rest.length;
      return { records, nextCursor: isLast ? null : (records.at(-1)?.requestId ?? null) };
    });
  },
});

export const OPERATOR_RECORD_ROUTES: readonly HandledRoute<RecordPorts>[] = [
  blockAddress,
  unblockAddress,
  listBlockedAddresses,
  getAudit,
];

const OWN_ADDRESS = {
  detail: 'This is the address that the request comes from.',
  remedy: 'If you mean to lock yourself out, add "isOwn": true.',
};

/** The network of an address in a body; null if it is none that can be blocked: the exchange is answered then. */
function networkNamed(exchange: Exchange, text: string): string | null {
  // The list shows an IPv6 network so.
  const address = plainAddress(text.replace(/\/64$/, ''));
  const message =
    isIP(address) === 0
      ? 'must be an IPv4 or IPv6 address'
      : isLoopback(address)
        ? 'is an address of this machine, which cannot be blocked'
        : null;
  if (message === null) return networkOf(address);
  sendProblem(exchange, 'invalid_request', { errors: [{ path: '/address', message }] });
  return null;
}

/** Answers with a body once something has settled, or that the store does not take it. @param bodyOf null if it has answered */
function answerAfter<Result>(
  { replies }: GamePorts,
  exchange: Exchange,
  settled: Promise<Result>,
  bodyOf: (result: Result) => object | null,
): void {
  settled.then(
    (result) => {
      const body = bodyOf(result);
      if (body !== null) answerTagged(replies, exchange, body);
    },
    () => sendProblem(exchange, 'storage_unavailable'),
  );
}

/** No entry of the log counts these changes: the tag of a read is that of its content. */
function answerTagged(replies: GamePorts['replies'], exchange: Exchange, body: object): void {
  const text = JSON.stringify(body);
  const tag = exchange.body === null ? replies.tagOf(contentVersion(text)) : '';
  if (!replies.answersWithoutBody(exchange, 0, tag)) replies.answer(exchange, 0, text);
}

function blockBody({ network, untilMs }: AddressBlock) {
  return { network, until: isoText(untilMs) };
}
