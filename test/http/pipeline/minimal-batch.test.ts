// A batch with Prefer: return=minimal has only the short replies of commands that have one. What it drops it must not render
// either: a thousand large reads would make other clients wait for nothing.
import t from 'tap';
import { Exchange, ShapeErrorBudget } from '../../../http/exchange/exchange.js';
import { BatchPart } from '../../../http/pipeline/batch.js';
import { isBatchable } from '../../../http/pipeline/route.js';
import { PLANNED_RULES } from '../../support/planned-rules.js';
import { servedSockets } from '../support/served-sockets.js';
import { FAIR } from '../support/traders.js';

/** Literals such as {"success":true} cost nothing. */
const LITERAL_LENGTH_MAX = 20;

/** Ids, an instant and five stocks. */
const SHORT_LENGTH_MAX = 160;

/** All others are accepted, so that their replies would be rendered. */
const REFUSED: readonly string[] = [
  'acceptPact: pact_not_found',
  'blockPlayer: player_not_found',
  'cancelBuilding: queue_entry_not_found',
  'cancelPact: pact_not_found',
  'declinePact: pact_not_found',
  'dismissFleet: fleet_not_found',
  'endTurn: forbidden',
  'getMarket: market_not_in_rules',
  'getMessages: messages_not_in_rules',
  'getPlayerMarket: market_not_in_rules',
  'getSeenFleets: sight_not_in_rules',
  'getShocks: shocks_not_in_rules',
  'getTurn: forbidden',
  'makeOffer: market_not_in_rules',
  'proposePact: pacts_not_in_rules',
  'revokeKeys: forbidden',
  'rotateKey: forbidden',
  'sendMessage: messages_not_in_rules',
  'takeOffer: market_not_in_rules',
  'upgradeBuilding: insufficient_resources',
  'withdrawOffer: market_not_in_rules',
];

class Batch extends Exchange {
  override readonly requestId = 'of-the-batch';
  override readonly peerAddress = '127.0.0.1';
  override stream(): never {
    throw new Error('nothing is streamed here');
  }
  override send(): void {}
  override sendWhenDurable(): void {}
}

t.test('bodies that are dropped are not rendered', async (t) => {
  const { endpoints, play } = await servedSockets(t, undefined, { settings: { rules: PLANNED_RULES } });
  const { playerId, planetId } = await play.fleetOwner('reader', { transport: 2 });
  const neighbourId = await play.neighbour(planetId);
  const ships = [{ type: 'transport', count: 1 }];
  const flight = { playerId, originPlanetId: planetId, targetPlanetId: neighbourId, ships };
  const bodies: Readonly<Record<string, unknown>> = {
    createPlayer: { name: 'another', isBot: true },
    createSecondStarter: {},
    colonizePlanet: { playerId },
    launchFleet: { ...flight, mission: 'transport' },
    recallFleet: { playerId },
    dismissFleet: { playerId },
    makeOffer: { playerId, planetId, ...FAIR },
    takeOffer: { playerId, planetId },
    withdrawOffer: { playerId },
    proposePact: { playerId, partnerId: playerId, kind: 'non_aggression', durationSeconds: 1 },
    acceptPact: { playerId },
    declinePact: { playerId },
    cancelPact: { playerId },
    simulateLaunch: { originPlanetId: planetId, targetPlanetId: neighbourId, ships },
    constructBuilding: { planetId, buildingType: 'planetary_shield' },
    upgradeBuilding: { planetId: neighbourId, buildingType: 'zentrale' },
    cancelBuilding: { planetId, queueId: 'queue-0' },
    buildShips: { planetId, shipType: 'scout', count: 1 },
    cancelShips: { planetId, shipType: 'scout' },
    startResearch: { playerId, researchType: 'drive_ion' },
    putPlan: { steps: [{ action: 'upgrade', buildingType: 'iron_mine' }] },
    sendMessage: { playerId, to: 'all', text: 'hello' },
    blockPlayer: { playerId, blockedPlayerId: 'player-0', blocked: true },
    rotateKey: {},
    revokeKeys: {},
  };
  const batchable = endpoints.filter(({ route }) => isBatchable(route));
  const refused: string[] = [];
  for (const operation of batchable) {
    const { route } = operation;
    const part = new BatchPart(new Batch(), 0, new ShapeErrorBudget(1));
    part.isMinimal = true;
    part.wantsBody = false;
    const [galaxy = '', system = ''] = planetId.split('-').slice(1);
    part.parameters = route.parameters.map(({ name }) => {
      const shownPlanetId = route.operationId === 'colonizePlanet' ? neighbourId : planetId;
      const ids = { fleetId: 'fleet-1', offerId: 'offer-1', pactId: 'pact-1' };
      return { ...ids, playerId, planetId: shownPlanetId, galaxy, system }[name] ?? '';
    });
    operation.runChecked(part, operation.check(part, bodies[route.operationId]));
    t.ok(part.isDone, route.operationId);
    const isShort = route.minimal !== null && part.status < 300;
    const lengthMax = isShort ? SHORT_LENGTH_MAX : LITERAL_LENGTH_MAX;
    t.ok(part.reply.length <= lengthMax, `${route.operationId}: ${part.reply.length} bytes`);
    t.equal(part.reply.length > LITERAL_LENGTH_MAX, isShort, route.operationId);
    if (part.status >= 300) refused.push(`${route.operationId}: ${part.problemCode}`);
  }
  t.same(refused.sort(), REFUSED);
});
