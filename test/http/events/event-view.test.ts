// Every kind of event is rendered in the shape of its row in the table of event types, with names instead of numbers.
import t from 'tap';
import { type EventKind, NOBODY, type WorldEvent } from '../../../engine/events/kinds.js';
import { packStep } from '../../../engine/terms/plan-step.js';
import { EventView } from '../../../http/events/event-view.js';
import { EVENT_SCHEMAS, EVENT_TYPES, type EventData } from '../../../http/schemas/events.js';
import { MANUAL_START_MS } from '../../../persistence/time/clock.js';
import { parsedEvent } from '../support/event-client.js';
import { begin } from '../support/serving.js';

const { world, play } = await begin(t);
const planetId = (await play.newcomer('ada')).planets[0]?.id ?? '';
const { universe, players } = world.engine.world;
const planetKey = players.get(1)?.planets[0]?.key ?? -1;
const { galaxy, system } = universe.positionOf(planetKey);
const head = { atMs: MANUAL_START_MS, playerNumber: 1 };
const at = new Date(MANUAL_START_MS).toISOString();
const fleetHead = { ...head, fleetNumber: 4, mission: 1, originKey: planetKey, targetKey: planetKey };
const fleet = { fleetId: 'fleet-4', mission: 'transport', originPlanetId: planetId, targetPlanetId: planetId } as const;
const incomingHead = { ...head, fleetNumber: 4, senderNumber: 2, originKey: planetKey, targetKey: planetKey };
const originSystem = { galaxyIndex: galaxy, index: system };
const incoming = { fleetId: 'fleet-4', senderId: 'player-2', originSystem, targetPlanetId: planetId };
const pactHead = { ...head, pactNumber: 9, pactKind: 0, proposerNumber: 1, partnerNumber: 2 };
const pact = { pactId: 'pact-9', kind: 'non_aggression', proposerId: 'player-1', partnerId: 'player-2' } as const;
const amounts = [1, 2, 3, 4, 5] as const;
const resources = { iron: 1, silver: 2, ember: 3, h2: 4, energy: 5 };
const cargo = { iron: 1, silver: 2, ember: 3, h2: 4 };
/** Counts by ship type: three of the first, none of the second, one of the third. */
const ships = [3, 0, 1];
const [first = '', , third = ''] = world.engine.world.rules.ships.map(({ type }) => type);
const fleetShips = [
  { type: first, count: 3 },
  { type: third, count: 1 },
];
const shipCounts = [
  { shipType: first, count: 3 },
  { shipType: third, count: 1 },
];
const offerHead = { ...head, offerNumber: 7, makerNumber: 2, planetKey };
const offer = { offerId: 'offer-7', makerId: 'player-2', planetId };
const [iron, silver] = [
  { resource: 0, units: 6 },
  { resource: 1, units: 4 },
];
const [shownIron, shownSilver] = [
  { resource: 'iron', units: 6 },
  { resource: 'silver', units: 4 },
] as const;
const load = { ships, cargo: [1, 2, 3, 4] };
const shownLoad = { ships: fleetShips, resources: cargo };
const scouts = { action: 'build_ships', shipType: 0, count: 3 } as const;
const firstUpgrade = { action: 'upgrade', buildingType: 0 } as const;
const firstResearch = { action: 'research', researchType: 0 } as const;
const firstBuilding = world.engine.world.rules.buildings[0]?.type ?? '';
const firstResearchType = world.engine.world.rules.research[0]?.type ?? '';
const NAME = 'Ada "the\n𝄞"';

type Rows = {
  readonly [Kind in EventKind]: readonly (readonly [Extract<WorldEvent, { kind: Kind }>, EventData[Kind]])[];
};

/** Events of each kind, and what must be shown of each. */
const ROWS: Rows = {
  player_created: [
    [
      { ...head, kind: 'player_created', name: NAME, isBot: true, planetKey },
      { name: NAME, isBot: true, planetId },
    ],
  ],
  building_started: [
    [
      {
        ...head,
        kind: 'building_started',
        planetKey,
        queueNumber: 7,
        buildingType: 1,
        targetLevel: 2,
        finishAtMs: head.atMs,
      },
      { planetId, queueId: 'queue-7', buildingType: 'iron_mine', targetLevel: 2, finishAt: at },
    ],
  ],
  building_completed: [
    [
      { ...head, kind: 'building_completed', planetKey, queueNumber: 7, buildingType: 1, level: 2 },
      { planetId, queueId: 'queue-7', buildingType: 'iron_mine', level: 2 },
    ],
  ],
  building_cancelled: [
    [
      {
        ...head,
        kind: 'building_cancelled',
        planetKey,
        queueNumber: 7,
        buildingType: 1,
        targetLevel: 2,
        refund: amounts,
      },
      { planetId, queueId: 'queue-7', buildingType: 'iron_mine', targetLevel: 2, refund: resources },
    ],
  ],
  ships_ordered: [
    [
      { ...head, kind: 'ships_ordered', planetKey, shipType: 0, count: 9, finishAtMs: head.atMs },
      { planetId, shipType: first, count: 9, finishAt: at },
    ],
  ],
  ships_completed: [
    [
      { ...head, kind: 'ships_completed', planetKey, shipType: 2, count: 9 },
      { planetId, shipType: third, count: 9 },
    ],
  ],
  ships_cancelled: [
    [
      { ...head, kind: 'ships_cancelled', planetKey, shipType: 2, count: 9 },
      { planetId, shipType: third, count: 9 },
    ],
  ],
  research_started: [
    [
      { ...head, kind: 'research_started', researchType: 0, targetLevel: 1, finishAtMs: head.atMs },
      { researchType: 'drive_ion', targetLevel: 1, finishAt: at },
    ],
  ],
  research_completed: [
    [
      { ...head, kind: 'research_completed', researchType: 0, level: 1 },
      { researchType: 'drive_ion', level: 1 },
    ],
  ],
  fleet_launched: [
    [
      { ...fleetHead, kind: 'fleet_launched', ...load, h2Cost: 5, arrivesAtMs: head.atMs, returnsAtMs: null },
      { ...fleet, ...shownLoad, h2Cost: 5, arrivesAt: at, returnsAt: null },
    ],
  ],
  fleet_arrived: [
    [
      { ...fleetHead, kind: 'fleet_arrived', ...load, returnsAtMs: head.atMs },
      { ...fleet, ...shownLoad, returnsAt: at },
    ],
  ],
  fleet_recalled: [
    [
      { ...fleetHead, kind: 'fleet_recalled', returnsAtMs: head.atMs },
      { ...fleet, returnsAt: at },
    ],
  ],
  fleet_returned: [
    [
      { ...fleetHead, kind: 'fleet_returned', ...load },
      { ...fleet, ...shownLoad },
    ],
  ],
  fleet_stationed: [
    [
      { ...fleetHead, kind: 'fleet_stationed', senderNumber: 1, hostNumber: 2, ships },
      { ...fleet, senderId: 'player-1', hostId: 'player-2', ships: fleetShips },
    ],
  ],
  support_fought: [
    [
      { ...fleetHead, kind: 'support_fought', attackerNumber: 3, hostNumber: 2, reportNumber: 6, lost: ships },
      {
        ...fleet,
        attackerId: 'player-3',
        hostId: 'player-2',
        reportId: 'report-6',
        lost: fleetShips.map(({ type, count }) => ({ shipType: type, count })),
      },
    ],
  ],
  offer_made: [
    [
      { ...offerHead, kind: 'offer_made', give: iron, want: silver, h2Max: 5, untilMs: head.atMs },
      { ...offer, give: shownIron, want: shownSilver, h2Max: 5, until: at },
    ],
  ],
  offer_taken: [
    [
      {
        ...{ ...offerHead, kind: 'offer_taken', takerNumber: 3, takerPlanetKey: planetKey },
        ...{ give: iron, want: silver, h2Cost: 5, arrivesAtMs: head.atMs },
      },
      {
        ...{ ...offer, takerId: 'player-3', takerPlanetId: planetId },
        ...{ give: shownIron, want: shownSilver, h2Cost: 5, arrivesAt: at },
      },
    ],
  ],
  offer_ended: [
    [
      { ...offerHead, kind: 'offer_ended', reason: 'addressee_retired', returned: [1, 2, 3, 4] },
      { ...offer, reason: 'addressee_retired', returned: cargo },
    ],
  ],
  goods_arrived: [
    [
      { ...head, kind: 'goods_arrived', offerNumber: 7, planetKey, partnerNumber: 2, goods: iron },
      { offerId: 'offer-7', planetId, partnerId: 'player-2', goods: shownIron },
    ],
  ],
  trade_agreed: [
    [
      {
        ...{ ...head, kind: 'trade_agreed', offerNumber: 7, planetKey, partnerNumber: 2, partnerPlanetKey: planetKey },
        ...{ give: iron, want: silver },
      },
      {
        ...{ offerId: 'offer-7', planetId, partnerId: 'player-2', partnerPlanetId: planetId },
        ...{ give: shownIron, want: shownSilver },
      },
    ],
  ],
  fleet_destroyed: [[{ ...fleetHead, kind: 'fleet_destroyed' }, fleet]],
  incoming_fleet: [
    [
      { ...incomingHead, kind: 'incoming_fleet', mission: 0, shipCount: 4, ships, arrivesAtMs: head.atMs },
      { ...incoming, mission: 'attack', shipCount: 4, ships: fleetShips, arrivesAt: at },
    ],
    [
      { ...incomingHead, kind: 'incoming_fleet', mission: null, shipCount: null, ships: null, arrivesAtMs: head.atMs },
      { ...incoming, mission: null, shipCount: null, ships: null, arrivesAt: at },
    ],
  ],
  incoming_fleet_gone: [[{ ...incomingHead, kind: 'incoming_fleet_gone' }, incoming]],
  combat_report: [
    [
      {
        ...{
          ...head,
          kind: 'combat_report',
          fleetNumber: 4,
          reportNumber: 6,
          planetKey,
          attackerNumber: 2,
          defenderNumber: 1,
        },
        ...{ outcome: 'draw', attackerLost: ships, defenderLost: [], loot: [1, 2, 3, 4] },
      },
      {
        ...{ reportId: 'report-6', fleetId: 'fleet-4', planetId, attackerId: 'player-2', defenderId: 'player-1' },
        ...{ outcome: 'draw', attackerLost: shipCounts, defenderLost: [], loot: cargo },
      },
    ],
  ],
  espionage_report: [
    [
      {
        ...{ ...head, kind: 'espionage_report', fleetNumber: 4, reportNumber: 6, planetKey, defenderNumber: 2 },
        ...{ stocks: amounts, ships, buildings: [0, 3] },
      },
      {
        ...{ reportId: 'report-6', fleetId: 'fleet-4', planetId, defenderId: 'player-2', stocks: resources },
        ...{ ships: shipCounts, buildings: [{ type: 'iron_mine', level: 3 }] },
      },
    ],
    [
      {
        ...{ ...head, kind: 'espionage_report', fleetNumber: 4, reportNumber: 6, planetKey, defenderNumber: 2 },
        ...{ stocks: amounts, ships: null, buildings: null },
      },
      {
        ...{ reportId: 'report-6', fleetId: 'fleet-4', planetId, defenderId: 'player-2', stocks: resources },
        ...{ ships: null, buildings: null },
      },
    ],
  ],
  espionage_detected: [
    [
      { ...head, kind: 'espionage_detected', fleetNumber: 4, reportNumber: 6, planetKey, attackerNumber: 2, scouts: 3 },
      { reportId: 'report-6', fleetId: 'fleet-4', planetId, attackerId: 'player-2', scouts: 3 },
    ],
  ],
  resources_received: [
    [
      { ...head, kind: 'resources_received', planetKey, fleetNumber: 4, senderNumber: 2, amounts: [1, 2, 3, 4] },
      { planetId, fleetId: 'fleet-4', senderId: 'player-2', resources: cargo },
    ],
  ],
  wrecks_left: [
    [
      { ...head, kind: 'wrecks_left', planetKey, fleetNumber: 4, amounts: [1, 2, 3, 4] },
      { planetId, fleetId: 'fleet-4', attackerId: 'player-1', resources: cargo },
    ],
  ],
  field_harvested: [
    [
      { ...fleetHead, kind: 'field_harvested', amounts: [1, 2, 3, 4], left: [0, 1, 0, 2] },
      { ...fleet, resources: cargo, left: { iron: 0, silver: 1, ember: 0, h2: 2 } },
    ],
  ],
  planet_colonized: [
    [
      { ...head, kind: 'planet_colonized', planetKey, fleetNumber: 4 },
      { planetId, fleetId: 'fleet-4' },
    ],
    [
      { ...head, kind: 'planet_colonized', planetKey, fleetNumber: null },
      { planetId, fleetId: null },
    ],
  ],
  colonization_failed: [
    [
      { ...fleetHead, kind: 'colonization_failed', reason: 'planet_occupied', returnsAtMs: head.atMs },
      { ...fleet, reason: 'planet_occupied', returnsAt: at },
    ],
  ],
  attack_turned_away: [
    [
      {
        ...fleetHead,
        kind: 'attack_turned_away',
        defenderNumber: 2,
        untilMs: head.atMs,
        returnsAtMs: head.atMs,
      },
      { ...fleet, defenderId: 'player-2', until: at, returnsAt: at },
    ],
  ],
  pact_proposed: [
    [
      { ...pactHead, kind: 'pact_proposed', durationSeconds: 60, expiresAtMs: head.atMs },
      { ...pact, durationSeconds: 60, expiresAt: at },
    ],
  ],
  pact_began: [
    [
      { ...pactHead, kind: 'pact_began', endsAtMs: head.atMs },
      { ...pact, endsAt: at },
    ],
  ],
  pact_cancelled: [
    [
      { ...pactHead, kind: 'pact_cancelled', byNumber: 1, endsAtMs: head.atMs },
      { ...pact, cancelledBy: 'player-1', endsAt: at },
    ],
  ],
  pact_ended: [
    [
      { ...pactHead, kind: 'pact_ended', reason: 'declined' },
      { ...pact, reason: 'declined' },
    ],
  ],
  pact: [
    [
      { ...head, kind: 'pact', pactNumber: 9, pactKind: 0, otherNumber: 1, change: 'ended', endsAtMs: head.atMs },
      { pactId: 'pact-9', kind: 'non_aggression', otherId: 'player-1', change: 'ended', endsAt: at },
    ],
  ],
  shock_announced: [
    [
      {
        ...{ ...head, kind: 'shock_announced', playerNumber: NOBODY, shockNumber: 9, galaxy: 3, shockType: 'flare' },
        ...{ effect: 0, resource: 4, percent: 50, idleSeconds: null, bountyNumber: null },
        ...{ startsAtMs: head.atMs, endsAtMs: head.atMs },
      },
      {
        ...{
          shockId: 'shock-9',
          galaxyIndex: 3,
          shockType: 'flare',
          effect: 'output',
          resource: 'energy',
          percent: 50,
        },
        ...{ idleSeconds: null, raiderId: null, startsAt: at, endsAt: at },
      },
    ],
  ],
  shock_began: [
    [
      {
        ...{ ...head, kind: 'shock_began', playerNumber: NOBODY, shockNumber: 9, galaxy: 3, shockType: 'hunt' },
        ...{ effect: 2, resource: null, percent: 300, idleSeconds: 7, bountyNumber: 1 },
        ...{ startsAtMs: head.atMs, endsAtMs: head.atMs },
      },
      {
        ...{ shockId: 'shock-9', galaxyIndex: 3, shockType: 'hunt', effect: 'bounty', resource: null, percent: 300 },
        ...{ idleSeconds: 7, raiderId: 'player-1', startsAt: at, endsAt: at },
      },
    ],
  ],
  pirates_came: [
    [
      { ...head, kind: 'pirates_came', planetKey, shockNumber: 9, resources: [1, 2, 3, 4] },
      { planetId, shockId: 'shock-9', resources: { iron: 1, silver: 2, ember: 3, h2: 4 } },
    ],
  ],
  resources_granted: [
    [
      { ...head, kind: 'resources_granted', planetKey, amounts },
      { planetId, resources },
    ],
  ],
  key_rotated: [
    [
      { ...head, kind: 'key_rotated', expiresAtMs: head.atMs, oldKeyUntilMs: null },
      { expiresAt: at, oldKeyUntil: null },
    ],
  ],
  player_suspended: [[{ ...head, kind: 'player_suspended' }, {}]],
  player_resumed: [[{ ...head, kind: 'player_resumed' }, {}]],
  player_renamed: [
    [
      { ...head, kind: 'player_renamed', name: NAME, formerName: 'Eve' },
      { name: NAME, formerName: 'Eve' },
    ],
  ],
  announcement: [
    [
      { ...head, kind: 'announcement', playerNumber: NOBODY, text: NAME, untilMs: head.atMs },
      { text: NAME, until: at },
    ],
    [
      { ...head, kind: 'announcement', playerNumber: NOBODY, text: NAME, untilMs: null },
      { text: NAME, until: null },
    ],
  ],
  message_sent: [
    [
      { ...head, kind: 'message_sent', messageNumber: 7, receiverNumber: 1, text: NAME },
      { messageId: 'message-7', receiverId: 'player-1', text: NAME },
    ],
  ],
  message_received: [
    [
      { ...head, kind: 'message_received', messageNumber: 7, senderNumber: 1, text: NAME },
      { messageId: 'message-7', senderId: 'player-1', text: NAME },
    ],
  ],
  players_spoke: [[{ ...head, kind: 'players_spoke', receiverNumber: 1 }, { receiverId: 'player-1' }]],
  message_broadcast: [
    [
      { ...head, kind: 'message_broadcast', messageNumber: 7, text: NAME },
      { messageId: 'message-7', text: NAME },
    ],
  ],
  keys_revoked: [[{ ...head, kind: 'keys_revoked' }, {}]],
  player_joined: [
    [
      { ...head, kind: 'player_joined', name: NAME, isBot: false, planetKey },
      { name: NAME, isBot: false, planetId },
    ],
  ],
  battle: [
    [
      {
        ...{ ...head, kind: 'battle', planetKey, fleetNumber: 4, defenderNumber: 2, outcome: 'attacker_won' },
        ...{ rounds: 3, attackerLostCount: 1, defenderLostCount: 8, loot: [5, 0, 2, 0] },
      },
      {
        ...{ planetId, fleetId: 'fleet-4', attackerId: 'player-1', defenderId: 'player-2', outcome: 'attacker_won' },
        ...{ rounds: 3, attackerLostCount: 1, defenderLostCount: 8, loot: { iron: 5, silver: 0, ember: 2, h2: 0 } },
      },
    ],
  ],
  player_retired: [
    [
      { ...head, kind: 'player_retired', name: NAME, planetKeys: [planetKey, planetKey] },
      { name: NAME, planetIds: [planetId, planetId] },
    ],
    [
      { ...head, kind: 'player_retired', name: NAME, planetKeys: [] },
      { name: NAME, planetIds: [] },
    ],
  ],
  plan_step_started: [
    [
      { ...head, kind: 'plan_step_started', planetKey, step: packStep(scouts), stepsLeft: 3 },
      { planetId, step: { action: 'build_ships', shipType: first, count: 3 }, stepsLeft: 3 },
    ],
    [
      { ...head, kind: 'plan_step_started', planetKey, step: packStep(firstUpgrade), stepsLeft: 0 },
      { planetId, step: { action: 'upgrade', buildingType: firstBuilding }, stepsLeft: 0 },
    ],
  ],
  plan_step_skipped: [
    [
      {
        ...{ ...head, kind: 'plan_step_skipped', planetKey, step: packStep(firstUpgrade) },
        ...{ reason: 'limit_reached', stepsLeft: 1 },
      },
      { planetId, step: { action: 'upgrade', buildingType: firstBuilding }, reason: 'limit_reached', stepsLeft: 1 },
    ],
  ],
  plan_step_blocked: [
    [
      { ...head, kind: 'plan_step_blocked', planetKey, step: packStep(firstResearch), reason: 'limit_reached' },
      { planetId, step: { action: 'research', researchType: firstResearchType }, reason: 'limit_reached' },
    ],
  ],
  plan_completed: [[{ ...head, kind: 'plan_completed', planetKey }, { planetId }]],
  clock_paused: [[{ ...head, kind: 'clock_paused', playerNumber: NOBODY }, {}]],
  clock_resumed: [[{ ...head, kind: 'clock_resumed', playerNumber: NOBODY, lagMs: 2 ** 40 }, { lagMs: 2 ** 40 }]],
  speed_changed: [
    [{ ...head, kind: 'speed_changed', playerNumber: NOBODY, speedThousandths: 2_500 }, { speed: 2.5 }],
    [{ ...head, kind: 'speed_changed', playerNumber: NOBODY, speedThousandths: 60_000 }, { speed: 60 }],
  ],
};

const view = new EventView(world.engine.world);

for (const [kind, rows] of Object.entries(ROWS) as [EventKind, Rows[EventKind]][]) {
  t.test(`${kind} is rendered as its schema describes it`, async (t) => {
    for (const [event, data] of rows) {
      const text = view.text(12, event);
      const playerId = event.playerNumber === NOBODY ? null : 'player-1';
      t.same(JSON.parse(text), { seq: 12, type: kind, at, playerId, data });
      t.same(parsedEvent(text).data, data);
      t.notOk(text.includes('\n'), 'it fits into one line of a stream');
    }
  });
}

t.test('the table has each kind once, with a name of its own and an audience', async (t) => {
  t.same([...EVENT_TYPES.keys()].sort(), Object.keys(ROWS).sort());
  t.equal(Object.keys(EVENT_SCHEMAS).length, EVENT_TYPES.size);
  t.ok('BuildingStartedEvent' in EVENT_SCHEMAS);
  const audiences = ['building_started', 'fleet_launched', 'planet_colonized', 'battle'] as const;
  t.same(
    audiences.map((kind) => EVENT_TYPES.get(kind)?.audience),
    ['player', 'open', 'both', 'public'],
  );
});
