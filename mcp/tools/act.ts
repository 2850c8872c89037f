// The tool act: a few actions in one batch. However often the batch is sent, it takes effect once.
import { z } from 'zod';
import { type Operation, operation, type Result, type Shapes } from '../galaxyd-client.js';
import {
  ACTIONS_MAX,
  KEY_OF_CALL_LENGTH_MAX,
  MESSAGE_TEXT_LENGTH_MAX,
  OFFER_UNITS_MAX,
  PACT_SECONDS_MAX,
  SHIPS_PER_ORDER_MAX,
} from '../limits.js';
import { amounts, answerOf, lootTexts, problemText, warningText } from '../texts.js';
import { cargo, given, identifier, mission, planetId, type Session, ships, type Tool, typeName } from '../tool.js';

const lot = z.strictObject({
  resource: z.enum(['iron', 'silver', 'ember', 'h2']),
  units: z.int().min(1).max(OFFER_UNITS_MAX),
});
const offerId = identifier('Offer id, such as offer-1');

const action = z.discriminatedUnion('action', [
  z.strictObject({ action: z.literal('upgrade'), planetId, buildingType: typeName('Building type') }),
  z.strictObject({ action: z.literal('construct'), planetId, buildingType: typeName('Building type') }),
  z.strictObject({
    action: z.literal('build_ships'),
    planetId,
    shipType: typeName('Ship type'),
    count: z.int().min(1).max(SHIPS_PER_ORDER_MAX),
  }),
  z.strictObject({ action: z.literal('research'), researchType: typeName('Research type') }),
  z.strictObject({
    action: z.literal('launch'),
    originPlanetId: planetId,
    targetPlanetId: planetId,
    ships,
    mission,
    resources: cargo.optional().describe('Cargo'),
    drive: typeName('Drive').optional(),
  }),
  z.strictObject({
    action: z.enum(['recall', 'dismiss']),
    fleetId: identifier('Fleet id, such as fleet-1'),
  }),
  z.strictObject({
    action: z.literal('propose_pact'),
    partnerId: identifier('The other player'),
    kind: z.enum(['non_aggression', 'shared_sight']),
    durationSeconds: z.int().min(1).max(PACT_SECONDS_MAX),
  }),
  z.strictObject({
    action: z.enum(['accept_pact', 'decline_pact', 'cancel_pact']),
    pactId: identifier('Pact id, such as pact-1'),
  }),
  z.strictObject({ action: z.literal('cancel_upgrade'), planetId, queueId: identifier('Queue id, such as queue-1') }),
  z.strictObject({ action: z.literal('cancel_ships'), planetId, shipType: typeName('Ship type') }),
  z.strictObject({
    action: z.literal('offer'),
    planetId,
    give: lot,
    want: lot,
    h2Max: z.int().min(0).max(OFFER_UNITS_MAX).describe('H2 for the way'),
    toPlayerId: identifier('Player id').optional().describe('Only this player can take it'),
  }),
  z.strictObject({ action: z.literal('take_offer'), offerId, planetId }),
  z.strictObject({ action: z.literal('withdraw_offer'), offerId }),
  z.strictObject({
    action: z.literal('message'),
    to: identifier('Player id, or all'),
    text: z
      .string()
      .min(1)
      .max(2 * MESSAGE_TEXT_LENGTH_MAX),
  }),
  z.strictObject({ action: z.enum(['block', 'unblock']), playerId: identifier('Player id') }),
  z.strictObject({ action: z.literal('second_starter') }).describe('Take the second starter planet, once'),
]);
type Action = z.infer<typeof action>;

const input = z.strictObject({
  actions: z.array(action).min(1).max(ACTIONS_MAX),
  key: z
    .string()
    .regex(/^[!-~]+$/)
    .max(KEY_OF_CALL_LENGTH_MAX)
    .optional()
    .describe('Only to repeat a call that was not answered: the key that the error named'),
});

export const act: Tool<z.infer<typeof input>> = {
  name: 'act',
  title: 'Act',
  description:
    `Does up to ${ACTIONS_MAX} actions in order: upgrade, construct, build_ships, research, launch, recall, dismiss (a supporter), cancel_upgrade, ` +
    'cancel_ships, offer (a resource for another), take_offer, withdraw_offer, message (one line), block (messages of a player), unblock, ' +
    'propose_pact, accept_pact, decline_pact, cancel_pact, second_starter. ' +
    'Each succeeds or is refused on its own; a refusal says what is missing and when to try again. ' +
    'A planet upgrades one building at a time and builds one type of ship at a time; you research one thing at a time.',
  input,
  isRead: false,
  async run(session, { actions, key }, signal) {
    const requests = actions.map((wanted) => requestOf(session, wanted));
    const { body: results, worldTime } = await session.galaxyd.batch(
      requests.map(({ operation }) => operation),
      { signal, idempotencyKey: key },
    );
    if (results.some(({ ok }) => ok)) session.knownTurn ??= 'present';
    const lines = results.map((result, index) => {
      return `${index + 1}. ${actions[index]?.action}: ${resultText(result, requests[index])}`;
    });
    const isRefusal = results.every(({ ok }) => !ok);
    return { text: answerOf([`At ${worldTime}:`, ...lines], 'look with brief'), isRefusal };
  },
};

/** The request that carries out an action, and how its reply is described. */
interface ActionRequest {
  readonly operation: Operation;
  describe(body: unknown): string;
}

function request<Body>(operation: Operation<Body>, describe: (body: Body) => string): ActionRequest {
  // The client does not check the body. The server's document promises its shape.
  return { operation, describe: (body) => describe(body as Body) };
}

function requestOf({ playerId }: Session, wanted: Action): ActionRequest {
  switch (wanted.action) {
    case 'upgrade':
    case 'construct': {
      const { planetId, buildingType } = wanted;
      const body = { planetId, buildingType };
      const started = (planet: Shapes['Planet']): string => upgradeText(planet, buildingType);
      return wanted.action === 'upgrade'
        ? request(operation.post('/api/building/upgrade', { body }), started)
        : request(operation.post('/api/building/construct', { body }), started);
    }
    case 'build_ships': {
      const { planetId, shipType, count } = wanted;
      const body = { planetId, shipType, count };
      return request(operation.post('/api/shipyard/build', { body }), orderText);
    }
    case 'research': {
      const body = { playerId, researchType: wanted.researchType };
      return request(operation.post('/api/research/start', { body }), researchText);
    }
    case 'launch': {
      const { originPlanetId, targetPlanetId, ships, mission, resources, drive } = wanted;
      const optional = { ...(resources === undefined ? {} : { resources: given(resources) }), ...given({ drive }) };
      const body = { playerId, originPlanetId, targetPlanetId, ships, mission, ...optional };
      return request(operation.post('/api/fleet/launch', { body }), launchText);
    }
    case 'recall': {
      const params = { path: { fleetId: wanted.fleetId } };
      return request(operation.post('/api/fleet/{fleetId}/recall', { params, body: { playerId } }), fleetText);
    }
    case 'dismiss': {
      const params = { path: { fleetId: wanted.fleetId } };
      const sent = ({ finishAt }: Shapes['FleetRecalled']): string => `home at ${finishAt}`;
      return request(operation.post('/api/fleet/{fleetId}/dismiss', { params, body: { playerId } }), sent);
    }
    case 'propose_pact': {
      const { partnerId, kind, durationSeconds } = wanted;
      return request(operation.post('/api/pact', { body: { playerId, partnerId, kind, durationSeconds } }), pactText);
    }
    case 'accept_pact':
    case 'decline_pact':
    case 'cancel_pact': {
      const sent = { params: { path: { pactId: wanted.pactId } }, body: { playerId } };
      return request(operation.post(PACT_PATHS[wanted.action], sent), pactText);
    }
    case 'cancel_upgrade': {
      const { planetId, queueId } = wanted;
      return request(operation.post('/api/building/cancel', { body: { planetId, queueId } }), stocksText);
    }
    case 'cancel_ships': {
      const { planetId, shipType } = wanted;
      return request(operation.post('/api/shipyard/cancel', { body: { planetId, shipType } }), () => 'without refund');
    }
    case 'offer': {
      const { action: _action, toPlayerId, ...terms } = wanted;
      const body = { playerId, ...terms, ...given({ toPlayerId }) };
      const made = ({ id, until }: Shapes['Offer']): string => `${id} is open until ${until}`;
      return request(operation.post('/api/market/offer', { body }), made);
    }
    case 'take_offer': {
      const params = { path: { offerId: wanted.offerId } };
      const body = { playerId, planetId: wanted.planetId };
      return request(operation.post('/api/market/offer/{offerId}/take', { params, body }), tradeText);
    }
    case 'withdraw_offer': {
      const params = { path: { offerId: wanted.offerId } };
      const back = ({ returned }: Shapes['WithdrawnOffer']): string => `${amounts({ ...returned })} are back`;
      return request(operation.post('/api/market/offer/{offerId}/withdraw', { params, body: { playerId } }), back);
    }
    case 'message': {
      const { to, text } = wanted;
      const sent = ({ id }: Shapes['Message']): string => `${id} sent`;
      return request(operation.post('/api/message', { body: { playerId, to, text } }), sent);
    }
    case 'block':
    case 'unblock': {
      const body = { playerId, blockedPlayerId: wanted.playerId, blocked: wanted.action === 'block' };
      return request(operation.post('/api/message/block', { body }), blockedText);
    }
    case 'second_starter': {
      const params = { path: { playerId } };
      return request(
        operation.post('/api/game/planet/starter/{playerId}', { params, body: {} }),
        ({ id }) => `you own ${id}`,
      );
    }
  }
}

const PACT_PATHS = {
  accept_pact: '/api/pact/{pactId}/accept',
  decline_pact: '/api/pact/{pactId}/decline',
  cancel_pact: '/api/pact/{pactId}/cancel',
} as const;

function pactText({ id, kind, state, endsAt, cancelledBy }: Shapes['Pact']): string {
  if (state === 'ended') return `${id} is gone`;
  const until =
    state === 'proposed' ? 'to be answered until' : cancelledBy === null ? 'in force until' : 'cancelled, ends';
  return `${id} ${kind}: ${until} ${endsAt}`;
}

function resultText(result: Result<unknown>, request: ActionRequest | undefined): string {
  if (!result.ok) return `refused, ${result.problem === null ? result.code : problemText(result.problem)}`;
  // Only a repeated batch can have a reply without bodies.
  return result.body === null ? 'done' : `done, ${request?.describe(result.body)}`;
}

function upgradeText(planet: Shapes['Planet'], buildingType: string): string {
  const [entry] = planet.buildings.find(({ type }) => type === buildingType)?.constructionQueue ?? [];
  const level = entry === undefined ? 'under way' : `level ${entry.targetLevel} complete at ${entry.upgradeFinishAt}`;
  return `${buildingType} ${level}; ${stocksText(planet)}`;
}

function stocksText({ id, iron, silver, ember, h2, energy }: Shapes['Planet']): string {
  return `${id} has ${amounts({ iron, silver, ember, h2, energy })}`;
}

function orderText({ shipType, count, buildFinishAt }: Shapes['ShipyardEntry']): string {
  return `${count} ${shipType} delivered at ${buildFinishAt}`;
}

function researchText({ type, level, researchFinishAt }: Shapes['ResearchEntry']): string {
  return `${type} level ${level + 1} complete at ${researchFinishAt}`;
}

function launchText({ fleet, drive, h2Cost, lootUnitsMax, warnings }: Shapes['Launch']): string {
  const flight = `${fleetText(fleet)}; drive ${drive}, ${h2Cost} h2`;
  return [flight, ...lootTexts(lootUnitsMax), ...warnings.map(warningText)].join(' | ');
}

function tradeText({ goods: { goods, planetId, arrivesAt }, h2Cost }: Shapes['AgreedTrade']): string {
  return `${goods.units} ${goods.resource} arrive at ${planetId} at ${arrivesAt}; ${h2Cost} h2 paid`;
}

function blockedText({ blockedPlayerIds }: Shapes['BlockedPlayers']): string {
  return `you block ${blockedPlayerIds.join(', ') || 'nobody'}`;
}

function fleetText({ id, arrivesAt, returnsAt, state }: Shapes['Fleet']): string {
  return state === 'outbound' ? `${id} arrives at ${arrivesAt}` : `${id} is back at ${returnsAt ?? 'no time'}`;
}
