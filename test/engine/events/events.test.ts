// What commands, timers and missions cause: every kind of event, its recipients and its order, and that events cover
// everything that happens to buildings, ships, research, fleets and planets.

import t from 'tap';
import {
  EVENT_KINDS,
  type EventKind,
  type EventOf,
  NOBODY,
  OPEN_WORLD_TOPIC,
  WORLD_TOPIC,
  type WorldEvent,
} from '../../../engine/events/kinds.js';
import { shippableUnits } from '../../../engine/planets/stocks.js';
import {
  EVENTS_PER_PLAYER_MAX,
  MESSAGE_LENGTH_MAX,
  PLANETS_PER_PLAYER_MAX,
  SLOTS_PER_SYSTEM,
} from '../../../engine/rules/limits.js';
import { ANNOUNCEMENT_UNITS_MAX } from '../../../engine/rules/record-limits.js';
import { CARGO_RESOURCE_COUNT, ENERGY } from '../../../engine/rules/resources.js';
import { ruleSetText } from '../../../engine/rules/rule-set.js';
import { OUTPUT_SHOCK } from '../../../engine/rules/shock-effects.js';
import { MISSIONS, type MissionName } from '../../../engine/terms/missions.js';
import { NON_AGGRESSION } from '../../../engine/terms/pacts.js';
import { packStep, type WholeStep } from '../../../engine/terms/plan-step.js';
import type { Report } from '../../../engine/terms/reports.js';
import type { Fleet } from '../../../engine/world/fleet-table.js';
import { EVERYBODY, type Message } from '../../../engine/world/message-table.js';
import type { Pact } from '../../../engine/world/pact-table.js';
import type { Player } from '../../../engine/world/player-table.js';
import {
  build,
  buildingIndex,
  cancelShips,
  cancelUpgrade,
  cargoList,
  colonize,
  create,
  grant,
  launch,
  offer,
  recall,
  research,
  researchIndex,
  secondStarter,
  shipIndex,
  shipList,
  take,
  unitList,
  upgrade,
  withdraw,
} from '../../support/command-words.js';
import { exactCost } from '../../support/exact-formulas.js';
import { TRADING } from '../../support/market-rules.js';
import { WITH_PACTS } from '../../support/pact-rules.js';
import { PARTS_RULES, partsShips } from '../../support/parts-rules.js';
import { constructStep, PLANNED_RULES, putPlan, shipsStep, upgradeStep } from '../../support/planned-rules.js';
import { drawSeed } from '../../support/process/draws.js';
import fc from '../../support/properties.js';
import { chooseCommand, chooseWaitMs, listedChoice, settleBots } from '../../support/random-play.js';
import { FLARE, PIRATES, shockText } from '../../support/shock-rules.js';
import { SPOKEN } from '../../support/spoken-rules.js';
import { SUPPORTED } from '../../support/supported-rules.js';
import {
  DAY_MS,
  firstPlanet,
  HOUR_MS,
  loadRows,
  openScene,
  PLENTY,
  type Scene,
  SECOND_MS,
  WorldStory,
} from '../../support/world-story.js';

const CARGO = { iron: 300, silver: 200, ember: 100, h2: 50 } as const;

/** Each function plays until its kind of event is caused, and returns what must have been recorded. */
const CAUSES: { readonly [Kind in EventKind]: (scene: Scene) => EventOf<Kind> } = {
  player_created({ story }) {
    const { number: playerNumber, planets } = story.does(create('newcomer', true));
    const planetKey = planets[0]?.key ?? -1;
    return { kind: 'player_created', atMs: story.nowMs, playerNumber, name: 'newcomer', isBot: true, planetKey };
  },

  key_rotated({ story, human: { number: playerNumber } }) {
    const [first, second] = [HOUR_MS, null].map((validMs, index) => {
      return story.does({ type: 'rotate_key', playerNumber, keyHash: `key ${index}`, validMs, oldKeyValidMs: DAY_MS });
    });
    if (first === undefined || first.number !== second?.number) throw new Error('another player');
    const { nowMs: atMs } = story;
    return { kind: 'key_rotated', atMs, playerNumber, expiresAtMs: null, oldKeyUntilMs: atMs + HOUR_MS };
  },

  keys_revoked({ story, human: { number: playerNumber } }) {
    story.does({ type: 'revoke_keys', playerNumber });
    return { kind: 'keys_revoked', atMs: story.nowMs, playerNumber };
  },

  player_suspended({ story, human: { number: playerNumber } }) {
    story.does({ type: 'suspend_player', playerNumber });
    return { kind: 'player_suspended', atMs: story.nowMs, playerNumber };
  },

  player_resumed({ story, human: { number: playerNumber } }) {
    story.does({ type: 'suspend_player', playerNumber });
    story.does({ type: 'resume_player', playerNumber });
    return { kind: 'player_resumed', atMs: story.nowMs, playerNumber };
  },

  player_renamed({ story, human: { number: playerNumber, name: formerName } }) {
    story.does({ type: 'rename_player', playerNumber, name: 'Eve', nameKey: 'Eve' });
    return { kind: 'player_renamed', atMs: story.nowMs, playerNumber, name: 'Eve', formerName };
  },

  announcement({ story }) {
    // The longest, of characters that take most bytes.
    const text = '\uffff'.repeat(ANNOUNCEMENT_UNITS_MAX);
    story.does({ type: 'announce', text, lastsMs: HOUR_MS });
    return { kind: 'announcement', atMs: story.nowMs, playerNumber: NOBODY, text, untilMs: story.nowMs + HOUR_MS };
  },

  message_sent(scene) {
    const { atMs, senderNumber, text } = speak(scene, scene.bot.number);
    const [messageNumber, receiverNumber] = [1, scene.bot.number];
    return { kind: 'message_sent', atMs, playerNumber: senderNumber, messageNumber, receiverNumber, text };
  },

  message_received(scene) {
    const { atMs, senderNumber, text } = speak(scene, scene.bot.number);
    return { kind: 'message_received', atMs, playerNumber: scene.bot.number, messageNumber: 1, senderNumber, text };
  },

  players_spoke(scene) {
    const { atMs, senderNumber } = speak(scene, scene.bot.number);
    return { kind: 'players_spoke', atMs, playerNumber: senderNumber, receiverNumber: scene.bot.number };
  },

  message_broadcast(scene) {
    const { atMs, senderNumber, text } = speak(scene, EVERYBODY);
    return { kind: 'message_broadcast', atMs, playerNumber: senderNumber, messageNumber: 1, text };
  },

  player_retired({ story, bot, foreign }) {
    const { number: playerNumber, name } = bot;
    const planetKeys = bot.planets.map(({ key }) => key);
    if (!planetKeys.includes(foreign.key)) throw new Error('the planet is not theirs');
    story.does({ type: 'retire_players', playerNumbers: [playerNumber] });
    return { kind: 'player_retired', atMs: story.nowMs, playerNumber, name, planetKeys };
  },

  clock_paused({ story }) {
    story.does({ type: 'pause_clock' });
    return { kind: 'clock_paused', atMs: story.nowMs, playerNumber: NOBODY };
  },

  clock_resumed({ story }) {
    story.does({ type: 'pause_clock' });
    story.does({ type: 'resume_clock', lagMs: HOUR_MS });
    return { kind: 'clock_resumed', atMs: story.nowMs, playerNumber: NOBODY, lagMs: HOUR_MS };
  },

  speed_changed({ story }) {
    story.does({ type: 'set_speed', speedThousandths: 2_500 });
    return { kind: 'speed_changed', atMs: story.nowMs, playerNumber: NOBODY, speedThousandths: 2_500 };
  },

  building_started({ story, human, home }) {
    const { upgrade: started } = story.does(upgrade(home, 'iron_mine'));
    return {
      ...atHome(story, human, home),
      kind: 'building_started',
      queueNumber: story.world.lastQueueNumber,
      buildingType: buildingIndex('iron_mine'),
      targetLevel: 2,
      finishAtMs: started?.finishAtMs ?? -1,
    };
  },

  building_completed({ story, human, home }) {
    const { upgrade: started } = story.does(upgrade(home, 'iron_mine'));
    const finishAtMs = started?.finishAtMs ?? -1;
    story.advanceTo(finishAtMs + SECOND_MS);
    return {
      ...atHome(story, human, home),
      kind: 'building_completed',
      atMs: finishAtMs,
      queueNumber: story.world.lastQueueNumber,
      buildingType: buildingIndex('iron_mine'),
      level: 2,
    };
  },

  building_cancelled({ story, human, home }) {
    story.does(upgrade(home, 'iron_mine'));
    story.advance(SECOND_MS);
    const queueNumber = story.world.lastQueueNumber;
    story.does(cancelUpgrade(home, queueNumber));
    const buildingType = buildingIndex('iron_mine');
    const [iron = -1, silver = -1, ember = -1, h2 = -1, energy = -1] = exactCost(buildingType, 2);
    return {
      ...atHome(story, human, home),
      kind: 'building_cancelled',
      queueNumber,
      buildingType,
      targetLevel: 2,
      refund: [iron, silver, ember, h2, energy],
    };
  },

  ships_ordered({ story, human, home }) {
    const { order } = story.does(build(home, 'fighter', 3));
    return {
      ...atHome(story, human, home),
      kind: 'ships_ordered',
      shipType: shipIndex('fighter'),
      count: 3,
      finishAtMs: order.finishAtMs,
    };
  },

  ships_completed({ story, human, home }) {
    const { order } = story.does(build(home, 'fighter', 3));
    story.advanceTo(order.finishAtMs + SECOND_MS);
    return {
      ...atHome(story, human, home),
      kind: 'ships_completed',
      atMs: order.finishAtMs,
      shipType: shipIndex('fighter'),
      count: 3,
    };
  },

  ships_cancelled({ story, human, home }) {
    story.does(build(home, 'fighter', 3));
    story.does(build(home, 'fighter', 4));
    story.does(cancelShips(home, 'fighter'));
    return { ...atHome(story, human, home), kind: 'ships_cancelled', shipType: shipIndex('fighter'), count: 7 };
  },

  research_started({ story, human }) {
    const finishAtMs = story.does(research(human, 'drive_ion')).research?.finishAtMs ?? -1;
    return {
      kind: 'research_started',
      atMs: story.nowMs,
      playerNumber: human.number,
      researchType: researchIndex('drive_ion'),
      targetLevel: 1,
      finishAtMs,
    };
  },

  research_completed({ story, human }) {
    const atMs = story.does(research(human, 'drive_ion')).research?.finishAtMs ?? -1;
    story.advanceTo(atMs + SECOND_MS);
    const researchType = researchIndex('drive_ion');
    return { kind: 'research_completed', atMs, playerNumber: human.number, researchType, level: 1 };
  },

  fleet_launched(scene) {
    const fleet = send(scene, 'transport');
    return {
      ...aboutFleet(fleet, scene.story.nowMs),
      kind: 'fleet_launched',
      ships: shipList({ transport: 2, scout: 1 }),
      cargo: cargoList(CARGO),
      h2Cost: fleet.h2Cost,
      arrivesAtMs: fleet.arrivesAtMs,
      returnsAtMs: fleet.arrivesAtMs + fleet.flightMs,
    };
  },

  fleet_arrived(scene) {
    const fleet = send(scene, 'transport');
    scene.story.advanceTo(fleet.arrivesAtMs + SECOND_MS);
    return {
      ...aboutFleet(fleet, fleet.arrivesAtMs),
      kind: 'fleet_arrived',
      ships: shipList({ transport: 2, scout: 1 }),
      cargo: cargoList(CARGO),
      returnsAtMs: fleet.arrivesAtMs + fleet.flightMs,
    };
  },

  fleet_recalled(scene) {
    const { story, human } = scene;
    const fleet = send(scene, 'transport');
    story.advance(SECOND_MS);
    story.does(recall(human, fleet));
    return { ...aboutFleet(fleet, story.nowMs), kind: 'fleet_recalled', returnsAtMs: story.nowMs + SECOND_MS };
  },

  fleet_returned(scene) {
    const fleet = send(scene, 'transport');
    const atMs = fleet.arrivesAtMs + fleet.flightMs;
    scene.story.advanceTo(atMs + SECOND_MS);
    return {
      ...aboutFleet(fleet, atMs),
      kind: 'fleet_returned',
      ships: shipList({ transport: 2, scout: 1 }),
      cargo: cargoList({}),
    };
  },

  fleet_destroyed(scene) {
    const fleet = loseAttack(scene);
    return { ...aboutFleet(fleet, fleet.arrivesAtMs), kind: 'fleet_destroyed' };
  },

  fleet_stationed(scene) {
    const fleet = supports(scene);
    const [senderNumber, hostNumber] = [scene.human.number, scene.bot.number];
    const about = { ...aboutFleet(fleet, fleet.arrivesAtMs), senderNumber, hostNumber, playerNumber: hostNumber };
    return { ...about, kind: 'fleet_stationed', ships: shipList({ fighter: 3, transport: 1 }) };
  },

  support_fought(scene) {
    const { story, bot, home, foreign } = scene;
    const fleet = supports(scene);
    const third = story.bot('third');
    const origin = story.colony(third, home);
    story.equip(origin, { scout: 1 });
    const attacker = story.launch({ by: third, from: origin, to: foreign, ships: { scout: 1 }, mission: 'attack' });
    story.advanceTo(attacker.arrivesAtMs + SECOND_MS);
    // The rules have changed, and with them the rows of the players.
    const { number: reportNumber } = lastReport(story.world.players.get(bot.number) as Player, 'combat');
    const about = { ...aboutFleet(fleet, attacker.arrivesAtMs), attackerNumber: third.number, hostNumber: bot.number };
    return { ...about, kind: 'support_fought', reportNumber, lost: shipList({}) };
  },

  offer_made(scene) {
    const { made, about } = offered(scene);
    return { ...about, kind: 'offer_made', give: made.give, want: made.want, h2Max: 900, untilMs: made.untilMs };
  },

  offer_taken(scene) {
    const { made, about } = offered(scene);
    const { h2Cost, received } = scene.story.does(take(scene.bot, made, scene.foreign));
    return {
      ...about,
      kind: 'offer_taken',
      takerNumber: scene.bot.number,
      takerPlanetKey: scene.foreign.key,
      give: made.give,
      want: made.want,
      h2Cost,
      arrivesAtMs: received.arrivesAtMs,
    };
  },

  offer_ended(scene) {
    const { made, about } = offered(scene);
    scene.story.does(withdraw(scene.human, made));
    return { ...about, kind: 'offer_ended', reason: 'withdrawn', returned: [570, 0, 0, 855] };
  },

  goods_arrived(scene) {
    const { story, human, bot, home, foreign } = scene;
    const { made } = offered(scene);
    // Both goods arrive at the same instant: those of the maker come last.
    const { received } = story.does(take(bot, made, foreign));
    story.advanceTo(received.arrivesAtMs);
    return {
      kind: 'goods_arrived',
      atMs: received.arrivesAtMs,
      playerNumber: human.number,
      offerNumber: made.number,
      planetKey: home.key,
      partnerNumber: bot.number,
      goods: made.want,
    };
  },

  trade_agreed(scene) {
    const { story, human, bot, home, foreign } = scene;
    const { made } = offered(scene);
    story.does(take(bot, made, foreign));
    return {
      kind: 'trade_agreed',
      atMs: story.nowMs,
      playerNumber: bot.number,
      offerNumber: made.number,
      planetKey: foreign.key,
      partnerNumber: human.number,
      partnerPlanetKey: home.key,
      give: made.give,
      want: made.want,
    };
  },

  incoming_fleet(scene) {
    const fleet = send(scene, 'espionage');
    return {
      ...aboutIncoming(scene, fleet),
      kind: 'incoming_fleet',
      mission: null,
      shipCount: null,
      ships: null,
      arrivesAtMs: fleet.arrivesAtMs,
    };
  },

  incoming_fleet_gone(scene) {
    const { story, human } = scene;
    const fleet = send(scene, 'espionage');
    story.advance(SECOND_MS);
    story.does(recall(human, fleet));
    return { ...aboutIncoming(scene, fleet), kind: 'incoming_fleet_gone' };
  },

  combat_report(scene) {
    const { number: fleetNumber, arrivesAtMs: atMs } = loseAttack(scene);
    const { number: playerNumber } = scene.bot;
    const {
      number: reportNumber,
      planetKey,
      attackerNumber,
      defenderNumber,
      ...report
    } = lastReport(scene.bot, 'combat');
    return {
      kind: 'combat_report',
      ...{ atMs, playerNumber, fleetNumber, reportNumber, planetKey, attackerNumber, defenderNumber },
      outcome: 'defender_won',
      attackerLost: report.attacker.lost,
      defenderLost: report.defender.lost,
      loot: [0, 0, 0, 0],
    };
  },

  espionage_report(scene) {
    const { number: fleetNumber, arrivesAtMs: atMs } = send(scene, 'espionage');
    scene.story.advanceTo(atMs + SECOND_MS);
    const { number: playerNumber } = scene.human;
    const { number: reportNumber, stocks, ships, buildings } = lastReport(scene.human, 'espionage');
    return {
      kind: 'espionage_report',
      ...{ atMs, playerNumber, fleetNumber, reportNumber, planetKey: scene.foreign.key },
      defenderNumber: scene.bot.number,
      ...{ stocks, ships, buildings },
    };
  },

  espionage_detected(scene) {
    const { number: fleetNumber, arrivesAtMs: atMs } = send(scene, 'espionage');
    scene.story.advanceTo(atMs + SECOND_MS);
    const { number: reportNumber } = lastReport(scene.bot, 'espionage_detected');
    return {
      kind: 'espionage_detected',
      ...{ atMs, playerNumber: scene.bot.number, fleetNumber, reportNumber, planetKey: scene.foreign.key },
      attackerNumber: scene.human.number,
      scouts: 1,
    };
  },

  player_joined({ story }) {
    const { number: playerNumber, planets } = story.does(create('newcomer', true));
    const planetKey = planets[0]?.key ?? -1;
    return { kind: 'player_joined', atMs: story.nowMs, playerNumber, name: 'newcomer', isBot: true, planetKey };
  },

  battle(scene) {
    const { number: fleetNumber, arrivesAtMs: atMs } = loseAttack(scene);
    return {
      kind: 'battle',
      ...{ atMs, playerNumber: scene.human.number, fleetNumber, planetKey: scene.foreign.key },
      ...{ defenderNumber: scene.bot.number, outcome: 'defender_won', rounds: 1 },
      ...{ attackerLostCount: 1, defenderLostCount: 0, loot: [0, 0, 0, 0] },
    };
  },

  resources_received(scene) {
    const { story, human, bot, foreign } = scene;
    const fleet = send(scene, 'transport');
    story.advanceTo(fleet.arrivesAtMs + SECOND_MS);
    return {
      kind: 'resources_received',
      atMs: fleet.arrivesAtMs,
      playerNumber: bot.number,
      planetKey: foreign.key,
      fleetNumber: fleet.number,
      senderNumber: human.number,
      amounts: cargoList(CARGO),
    };
  },

  wrecks_left({ story, human, home, foreign }) {
    story.equip(foreign, { fighter: 10 });
    story.does({ type: 'switch_rules', rules: PARTS_RULES.text });
    const words = { by: human, from: home, to: foreign, ships: {}, mission: 'attack' } as const;
    const fleet = story.does({ ...launch(words), ships: partsShips({ fighter: 20, transport: 5 }) });
    story.advanceTo(fleet.arrivesAtMs + SECOND_MS);
    return {
      kind: 'wrecks_left',
      ...{ atMs: fleet.arrivesAtMs, playerNumber: human.number, fleetNumber: fleet.number, planetKey: foreign.key },
      amounts: story.world.fields.get(foreign.key) ?? [],
    };
  },

  field_harvested({ story, human, home }) {
    story.does({ type: 'switch_rules', rules: PARTS_RULES.text });
    const { universe } = story.world;
    const asteroids = { key: universe.asteroidsKey(Math.floor(home.key / SLOTS_PER_SYSTEM)) };
    const words = { by: human, from: home, to: asteroids, ships: {}, mission: 'harvest' } as const;
    const fleet = story.does({ ...launch(words), ships: partsShips({ transport: 1 }) });
    story.advanceTo(fleet.arrivesAtMs + SECOND_MS);
    return {
      ...aboutFleet(fleet, fleet.arrivesAtMs),
      kind: 'field_harvested',
      amounts: fleet.cargo,
      left: story.world.fields.get(asteroids.key) ?? [],
    };
  },

  planet_colonized({ story, human, home, free }) {
    const fleet = story.launch({ by: human, from: home, to: free, ships: { colony_ship: 1 }, mission: 'colonize' });
    story.advanceTo(fleet.arrivesAtMs + SECOND_MS);
    return {
      kind: 'planet_colonized',
      atMs: fleet.arrivesAtMs,
      playerNumber: human.number,
      planetKey: free.key,
      fleetNumber: fleet.number,
    };
  },

  colonization_failed({ story, human, home, free }) {
    const fleet = story.launch({ by: human, from: home, to: free, ships: { colony_ship: 1 }, mission: 'colonize' });
    const other = story.does(create('faster', true));
    story.does(colonize(other, free));
    story.advanceTo(fleet.arrivesAtMs + SECOND_MS);
    return {
      ...aboutFleet(fleet, fleet.arrivesAtMs),
      kind: 'colonization_failed',
      reason: 'planet_occupied',
      returnsAtMs: fleet.arrivesAtMs + fleet.flightMs,
    };
  },

  attack_turned_away: attackNewcomer,

  pact_proposed(scene) {
    const pact = proposed(scene);
    const { sinceMs: atMs, endsAtMs: expiresAtMs } = pact;
    return { ...aboutPact(pact, atMs), kind: 'pact_proposed', durationSeconds: 86_400, expiresAtMs };
  },

  pact_began(scene) {
    const pact = accepted(scene);
    return { ...aboutPact(pact, pact.sinceMs), kind: 'pact_began', endsAtMs: pact.endsAtMs };
  },

  pact_cancelled(scene) {
    const pact = accepted(scene);
    const { story, bot } = scene;
    story.does({ type: 'cancel_pact', playerNumber: bot.number, pactNumber: pact.number });
    return { ...aboutPact(pact, story.nowMs), kind: 'pact_cancelled', byNumber: bot.number, endsAtMs: pact.endsAtMs };
  },

  pact_ended(scene) {
    const pact = accepted(scene);
    scene.story.advanceTo(pact.endsAtMs);
    return { ...aboutPact(pact, pact.endsAtMs), kind: 'pact_ended', reason: 'over' };
  },

  pact(scene) {
    const { number: pactNumber, sinceMs: atMs, endsAtMs } = accepted(scene);
    const { number: otherNumber } = scene.human;
    const about = { atMs, playerNumber: scene.bot.number, pactNumber, pactKind: NON_AGGRESSION };
    return { ...about, kind: 'pact', otherNumber, change: 'began', endsAtMs };
  },

  shock_announced: ({ story }) => ({ ...aboutShock(story), kind: 'shock_announced' }),

  shock_began({ story }) {
    const shock = aboutShock(story);
    story.advanceTo(shock.startsAtMs);
    return { ...shock, kind: 'shock_began', atMs: shock.startsAtMs };
  },

  pirates_came({ story, human, home }) {
    story.does({ type: 'switch_rules', rules: shockText({ ...PIRATES, idleSeconds: 864_000 }) });
    const { galaxy } = story.world.universe.positionOf(home.key);
    // The switch makes views of planets anew.
    const robbed = story.world.planets.get(home.key);
    if (robbed === undefined) throw new Error('the human has no planet');
    story.advanceTo(story.world.shocks.nextAtMs);
    const shock = [...story.world.shocks.pending()].find((one) => one.galaxy === galaxy);
    if (shock === undefined) throw new Error('no shock was announced');
    const resources = shippableUnits(story.world, robbed, shock.startsAtMs);
    story.advanceTo(shock.startsAtMs);
    for (const [resource, units] of story.stocks(robbed).slice(0, CARGO_RESOURCE_COUNT).entries())
      resources[resource] = (resources[resource] ?? 0) - units;
    return { ...atHome(story, human, home), kind: 'pirates_came', shockNumber: shock.number, resources };
  },

  resources_granted({ story, human, home }) {
    story.does(grant(home, { iron: 5, energy: 7 }));
    return { ...atHome(story, human, home), kind: 'resources_granted', amounts: unitList({ iron: 5, energy: 7 }) };
  },

  plan_step_started(scene) {
    const [first, second] = [shipsStep('fighter', 3), upgradeStep('iron_mine')];
    planAtHome(scene, [first, shipsStep('scout', 1), second]);
    const { story, human, home } = scene;
    const [building, ships] = story.events.filter(({ kind }) => kind === 'plan_step_started');
    t.match([building, ships], [{ step: packStep(second) }, { step: packStep(first) }], 'buildings come first');
    return { ...atHome(story, human, home), kind: 'plan_step_started', step: packStep(first), stepsLeft: 1 };
  },

  plan_step_skipped(scene) {
    const { story, human, home } = scene;
    const steps = [constructStep('shipyard'), upgradeStep('anti_spy'), upgradeStep('iron_mine')] as const;
    planAtHome(scene, steps, true);
    return {
      ...atHome(story, human, home),
      kind: 'plan_step_skipped',
      step: packStep(steps[1]),
      reason: 'building_not_found',
      stepsLeft: 1,
    };
  },

  plan_step_blocked(scene) {
    const { story, human, home } = scene;
    const step = constructStep('shipyard');
    planAtHome(scene, [step]);
    return {
      ...atHome(story, human, home),
      kind: 'plan_step_blocked',
      step: packStep(step),
      reason: 'building_exists',
    };
  },

  plan_completed(scene) {
    const { story, human, home } = scene;
    planAtHome(scene, [upgradeStep('iron_mine'), upgradeStep('iron_mine')]);
    story.advance(HOUR_MS);
    const started = story.events.findLast(({ kind }) => kind === 'plan_step_started');
    return { kind: 'plan_completed', atMs: started?.atMs ?? -1, playerNumber: human.number, planetKey: home.key };
  },
};

/** The human proposes a pact to the bot, under rules that have pacts. */
function proposed({ story, human, bot }: Scene): Pact {
  story.does({ type: 'switch_rules', rules: ruleSetText(WITH_PACTS) });
  const parties = { playerNumber: human.number, partnerNumber: bot.number };
  return story.does({ type: 'propose_pact', ...parties, kind: NON_AGGRESSION, durationMs: DAY_MS });
}

/** The bot accepts it. */
function accepted(scene: Scene): Pact {
  const { number: pactNumber } = proposed(scene);
  return scene.story.does({ type: 'accept_pact', playerNumber: scene.bot.number, pactNumber });
}

/** The event of the partner, which follows that of the proposer. */
function aboutPact({ number, kind, proposerNumber, partnerNumber }: Pact, atMs: number) {
  return { atMs, playerNumber: partnerNumber, pactNumber: number, pactKind: kind, proposerNumber, partnerNumber };
}

/** The human's attack meets a player that is protected, under rules with `war`. */
function attackNewcomer({ story, human, home }: Scene): EventOf<'attack_turned_away'> {
  story.does({ type: 'switch_rules', rules: PARTS_RULES.text });
  const newcomer = story.does(create('newcomer', true));
  const untilMs = story.nowMs + DAY_MS;
  const words = { by: human, from: home, to: firstPlanet(newcomer), ships: {}, mission: 'attack' } as const;
  const fleet = story.does({ ...launch(words), ships: partsShips({ transport: 1, fighter: 1 }) });
  story.advanceTo(fleet.arrivesAtMs + SECOND_MS);
  return {
    ...aboutFleet(fleet, fleet.arrivesAtMs),
    kind: 'attack_turned_away',
    defenderNumber: newcomer.number,
    untilMs,
    returnsAtMs: fleet.arrivesAtMs + fleet.flightMs,
  };
}

/** The human hands its home a plan, under rules that have plans. */
function planAtHome({ story, home }: Scene, steps: readonly WholeStep[], isSkipping = false): void {
  story.does({ type: 'switch_rules', rules: PLANNED_RULES.text });
  story.does(putPlan(home, steps, isSkipping));
}

/** The last shock that is announced, as its events tell it. */
function aboutShock(story: WorldStory) {
  story.does({ type: 'switch_rules', rules: shockText(FLARE) });
  story.advanceTo(story.world.shocks.nextAtMs);
  const shock = [...story.world.shocks.pending()].at(-1);
  if (shock === undefined) throw new Error('no shock was announced');
  const { number: shockNumber, galaxy, startsAtMs, endsAtMs } = shock;
  const what = { shockType: 'output_0', effect: OUTPUT_SHOCK, resource: ENERGY, percent: 50 };
  const others = { idleSeconds: null, bountyNumber: null, startsAtMs, endsAtMs };
  return { atMs: story.nowMs, playerNumber: NOBODY, shockNumber, galaxy, ...what, ...others };
}

function atHome({ nowMs }: WorldStory, { number }: Player, { key }: Scene['home']) {
  return { atMs: nowMs, playerNumber: number, planetKey: key };
}

function aboutFleet({ number, owner, mission, originKey, targetKey }: Fleet, atMs: number) {
  return { atMs, playerNumber: owner.number, fleetNumber: number, mission, originKey, targetKey };
}

function aboutIncoming({ story, human, bot }: Scene, { number, originKey, targetKey }: Fleet) {
  return {
    ...{ atMs: story.nowMs, playerNumber: bot.number, fleetNumber: number, originKey, targetKey },
    senderNumber: human.number,
  };
}

/** Sends a fleet of the human to the bot's planet. */
function send({ story, human, home, foreign }: Scene, mission: MissionName): Fleet {
  return story.launch({ by: human, from: home, to: foreign, ships: { transport: 2, scout: 1 }, mission, cargo: CARGO });
}

/** The human writes the longest text there is, of characters that take most bytes. */
function speak({ story, human: { number: playerNumber } }: Scene, receiverNumber: number): Message {
  const rules = { ...SPOKEN, messages: { ...SPOKEN.messages, charactersMax: MESSAGE_LENGTH_MAX } };
  story.does({ type: 'switch_rules', rules: ruleSetText(rules) });
  const text = '\u{10ffff}'.repeat(MESSAGE_LENGTH_MAX);
  return story.does({ type: 'send_message', playerNumber, receiverNumber, text });
}

/** The human offers the bot iron for silver. @returns the offer, and what its events say to the bot */
function offered({ story, human, bot, home, foreign }: Scene) {
  story.does({ type: 'switch_rules', rules: ruleSetText(TRADING) });
  story.grant(foreign, PLENTY);
  const made = story.does(
    offer({ by: human, from: home, give: { iron: 600 }, want: { silver: 400 }, h2Max: 900, to: bot }),
  );
  const about = {
    atMs: story.nowMs,
    playerNumber: bot.number,
    offerNumber: made.number,
    makerNumber: human.number,
    planetKey: home.key,
  };
  return { made, about };
}

/** The human stations a fleet at the planet of the bot. */
function supports({ story, human, home, foreign }: Scene): Fleet {
  story.does({ type: 'switch_rules', rules: ruleSetText(SUPPORTED) });
  const ships = { fighter: 3, transport: 1 };
  const fleet = story.launch({ by: human, from: home, to: foreign, ships, mission: 'support' });
  story.advanceTo(fleet.arrivesAtMs);
  return fleet;
}

/** Has a fleet of the human shot down at the bot's planet. */
function loseAttack({ story, human, home, foreign }: Scene): Fleet {
  story.equip(foreign, { fighter: 5 });
  const fleet = story.launch({ by: human, from: home, to: foreign, ships: { scout: 1 }, mission: 'attack' });
  story.advanceTo(fleet.arrivesAtMs + SECOND_MS);
  return fleet;
}

function lastReport<Type extends Report['type']>(
  { reports }: Player,
  type: Type,
): Extract<Report, { readonly type: Type }> {
  const isOfType = (report: Report): report is Extract<Report, { readonly type: Type }> => report.type === type;
  const report = reports.findLast(isOfType);
  if (report === undefined) throw new Error(`there is no ${type} report`);
  return report;
}

for (const [kind, cause] of Object.entries(CAUSES)) {
  t.test(`${kind} is recorded with its fields`, async (t) => {
    const scene = openScene();
    const expected = cause(scene);
    const recorded = scene.story.events.filter((event) => event.kind === kind);
    t.strictSame(recorded.at(-1), expected);
    const { player, world, openWorld } = EVENT_KINDS[expected.kind].audience;
    for (const [receiver, isReceiver] of [
      ...(expected.playerNumber === NOBODY ? [] : [[expected.playerNumber, player] as const]),
      [WORLD_TOPIC, world],
      [OPEN_WORLD_TOPIC, openWorld],
    ] as const) {
      const kept = keptEvents(scene.story, receiver).filter((event) => event.kind === kind);
      t.strictSame(kept.at(-1), isReceiver ? expected : undefined, `receiver ${receiver}`);
    }
  });
}

/** All events that are kept for a receiver. */
function keptEvents({ world }: WorldStory, receiver: number): WorldEvent[] {
  const { eventLog, seq } = world;
  const afterSeq = eventLog.oldestSeq(receiver) - 1;
  return eventLog.read(receiver, afterSeq, EVENTS_PER_PLAYER_MAX, seq).map(({ event }) => event);
}

/** Plays on from an open scene. @returns the events that it causes, each as its kind and its recipient */
function told(play: (scene: Scene) => void): string[] {
  const scene = openScene();
  const before = scene.story.events.length;
  play(scene);
  const nameOf = (number: number): string => scene.story.world.players.get(number)?.name ?? 'nobody';
  return scene.story.events.slice(before).map(({ kind, playerNumber }) => `${kind} to ${nameOf(playerNumber)}`);
}

t.test('both sides get a battle report, after the arrival and before the end or return of the fleet', async (t) => {
  const lost = told((scene) => {
    scene.story.equip(scene.foreign, { fighter: 5 });
    const fleet = send(scene, 'attack');
    scene.story.advanceTo(fleet.arrivesAtMs);
  });
  t.same(lost.slice(-7), [
    'fleet_launched to Ada',
    'incoming_fleet to bot-1',
    'fleet_arrived to Ada',
    'combat_report to Ada',
    'combat_report to bot-1',
    'battle to Ada',
    'fleet_destroyed to Ada',
  ]);
  const won = told((scene) => scene.story.advanceTo((send(scene, 'attack').returnsAtMs ?? 0) + SECOND_MS));
  t.same(won.slice(-4), ['combat_report to Ada', 'combat_report to bot-1', 'battle to Ada', 'fleet_returned to Ada']);
});

t.test('there is no warning of a fleet to a planet of its own player or without an owner', async (t) => {
  const warnings = told((scene) => {
    const { story, human, home } = scene;
    const own = story.colony(human, home);
    story.launch({ by: human, from: home, to: own, ships: { scout: 1 }, mission: 'deploy' });
    story.does(
      recall(human, story.launch({ by: human, from: home, to: own, ships: { transport: 1 }, mission: 'transport' })),
    );
  });
  t.same(
    warnings.filter((warning) => warning.startsWith('incoming')),
    [],
  );
});

t.test('an empty transport causes no event at the receiver', async (t) => {
  const events = told(({ story, human, home, foreign }) => {
    const fleet = story.launch({ by: human, from: home, to: foreign, ships: { transport: 1 }, mission: 'transport' });
    story.advanceTo(fleet.arrivesAtMs);
  });
  t.same(events, ['fleet_launched to Ada', 'incoming_fleet to bot-1', 'fleet_arrived to Ada']);
});

t.test('planets taken without a fleet cause events, and so does a colonization that fails at the limit', async (t) => {
  const { story, human, home, free } = openScene();
  const fleet = story.launch({ by: human, from: home, to: free, ships: { colony_ship: 1 }, mission: 'colonize' });
  const second = story.does(secondStarter(human));
  t.match(story.events.at(-1), { kind: 'planet_colonized', planetKey: second.key, fleetNumber: null });
  const { universe, planets } = story.world;
  for (let system = 100; human.planets.length < PLANETS_PER_PLAYER_MAX; system += 1) {
    for (const key of universe.planetKeys(system)) {
      if (human.planets.length === PLANETS_PER_PLAYER_MAX || planets.has(key)) continue;
      story.does(colonize(human, { key }));
      t.match(story.events.at(-1), { kind: 'planet_colonized', planetKey: key, fleetNumber: null });
    }
  }
  story.advanceTo(fleet.arrivesAtMs);
  t.match(story.events.at(-1), { kind: 'colonization_failed', reason: 'planet_limit' });
});

/** A move is a list of choices; leaving one out does not change what the others mean. */
const moves = fc.array(fc.array(fc.nat(1_000_000), { minLength: 12, maxLength: 12 }), { maxLength: 200, size: 'max' });

t.test('events add up to the world, in order of time, and a refusal records none', async (t) => {
  const kinds = new Set<EventKind>();
  fc.assert(
    fc.property(fc.nat(1000), moves, (seed, moves) => {
      const story = new WorldStory({ seed, systemsPerGalaxy: 2 });
      settleBots(story, 8);
      for (const numbers of moves) {
        const choose = listedChoice(numbers);
        story.advance(chooseWaitMs(story, choose));
        const before = [story.engine.seq, story.events.length] as const;
        story.attempt(chooseCommand(story.world, choose));
        if (story.engine.seq === before[0] && story.events.length !== before[1])
          throw new Error('a refusal recorded an event');
      }
      for (const { kind } of story.events) kinds.add(kind);
      requireOrder(story.events);
      const [summed, held] = [sumOf(story.events), holdingsOf(story)];
      if (JSON.stringify(summed) !== JSON.stringify(held)) {
        throw new Error(`events add up to ${JSON.stringify(summed)}, but there is ${JSON.stringify(held)}`);
      }
    }),
    { numRuns: 60, seed: drawSeed(t) },
  );
  t.comment(`${kinds.size} kinds of events were recorded`);
});

function requireOrder(events: readonly WorldEvent[]): void {
  let atMs = 0;
  for (const event of events) {
    if (event.atMs < atMs) throw new Error(`${event.kind} at ${event.atMs} was recorded after ${atMs}`);
    atMs = event.atMs;
  }
}

/** What players have and what is under way, by name, in order. */
type Holdings = readonly (readonly [string, number])[];

function inOrder(holdings: ReadonlyMap<string, number>): Holdings {
  return [...holdings].filter(([, count]) => count !== 0).sort(([a], [b]) => (a < b ? -1 : 1));
}

/** The state that the events alone add up to. */
function sumOf(events: readonly WorldEvent[]): Holdings {
  const holdings = new Map<string, number>();
  const set = (name: string, count: number): void => void holdings.set(name, count);
  const add = (name: string, count: number): void => set(name, (holdings.get(name) ?? 0) + count);
  /** The owner of each fleet and upgrade. */
  const owners = new Map<number, number>();
  const places = new Map<number, number>();
  const leave = ({ playerNumber, planetKeys }: EventOf<'player_retired'>): void => {
    for (const [fleetNumber, owner] of owners) if (owner === playerNumber) set(`fleet ${fleetNumber}`, 0);
    for (const [queueNumber, key] of places) {
      if (planetKeys.includes(key))
        set(`upgrade ${queueNumber} until ${holdings.get(`end of upgrade ${queueNumber}`)}`, 0);
    }
    const of = [`research of ${playerNumber} `, `researched ${playerNumber} `];
    const on = planetKeys.flatMap((key) => [`planet ${key} `, `level ${key} `, `ordered ${key} `]);
    for (const name of holdings.keys()) if ([...of, ...on].some((start) => name.startsWith(start))) set(name, 0);
  };
  for (const event of events) {
    switch (event.kind) {
      case 'player_created':
        set(`planet ${event.planetKey} of ${event.playerNumber}`, 1);
        break;
      case 'planet_colonized':
        set(`planet ${event.planetKey} of ${event.playerNumber}`, 1);
        if (event.fleetNumber !== null) set(`fleet ${event.fleetNumber}`, 0);
        break;
      case 'building_started':
        set(`upgrade ${event.queueNumber} until ${event.finishAtMs}`, event.targetLevel);
        set(`end of upgrade ${event.queueNumber}`, event.finishAtMs);
        places.set(event.queueNumber, event.planetKey);
        break;
      case 'building_completed':
      case 'building_cancelled':
        set(`upgrade ${event.queueNumber} until ${holdings.get(`end of upgrade ${event.queueNumber}`)}`, 0);
        set(`end of upgrade ${event.queueNumber}`, 0);
        // The buildings that a planet begins with are at level 1, and there are no events for them.
        if (event.kind === 'building_completed' && event.level > 1)
          set(`level ${event.planetKey} ${event.buildingType}`, event.level);
        break;
      case 'ships_ordered':
        add(`ordered ${event.planetKey} ${event.shipType}`, event.count);
        break;
      case 'ships_completed':
      case 'ships_cancelled':
        add(`ordered ${event.planetKey} ${event.shipType}`, -event.count);
        break;
      case 'research_started':
        set(`research of ${event.playerNumber} until`, event.finishAtMs);
        break;
      case 'research_completed':
        set(`research of ${event.playerNumber} until`, 0);
        set(`researched ${event.playerNumber} ${event.researchType}`, event.level);
        break;
      case 'fleet_launched':
        set(`fleet ${event.fleetNumber}`, event.returnsAtMs ?? event.arrivesAtMs);
        owners.set(event.fleetNumber, event.playerNumber);
        break;
      case 'fleet_arrived':
        if (MISSIONS[event.mission] === 'deploy') set(`fleet ${event.fleetNumber}`, 0);
        break;
      case 'fleet_stationed':
        set(`fleet ${event.fleetNumber}`, 0);
        break;
      case 'fleet_recalled':
      case 'colonization_failed':
      case 'attack_turned_away':
        set(`fleet ${event.fleetNumber}`, event.returnsAtMs);
        break;
      case 'fleet_returned':
      case 'fleet_destroyed':
        set(`fleet ${event.fleetNumber}`, 0);
        break;
      case 'player_retired':
        leave(event);
        break;
      default:
    }
  }
  for (const name of holdings.keys()) if (name.startsWith('end of')) holdings.delete(name);
  return inOrder(holdings);
}

/** The actual state. */
function holdingsOf({ world }: WorldStory): Holdings {
  const holdings = new Map<string, number>();
  for (const { key, ownerNumber, levels, upgrade, orders } of world.planets.values()) {
    holdings.set(`planet ${key} of ${ownerNumber}`, 1);
    for (const [type, level] of levels.entries()) if (level > 1) holdings.set(`level ${key} ${type}`, level);
    if (upgrade !== null)
      holdings.set(`upgrade ${upgrade.queueNumber} until ${upgrade.finishAtMs}`, upgrade.targetLevel);
    for (const { shipType, count } of orders) {
      const name = `ordered ${key} ${shipType}`;
      holdings.set(name, (holdings.get(name) ?? 0) + count);
    }
  }
  for (const fleet of world.fleets.values())
    holdings.set(`fleet ${fleet.number}`, fleet.returnsAtMs ?? fleet.arrivesAtMs);
  for (const player of world.players.values()) {
    if (player.research !== null) holdings.set(`research of ${player.number} until`, player.research.finishAtMs);
    for (const [type, level] of player.researchLevels.entries()) {
      holdings.set(`researched ${player.number} ${type}`, level);
    }
  }
  return inOrder(holdings);
}

t.test('an entry records events only if they are asked for, whatever the entry before it did', async (t) => {
  const { story, human } = openScene();
  story.does(research(human, 'drive_ion'));
  const before = story.events.length;
  story.engine.apply(story.nowMs, grant(firstPlanet(human), { iron: 1 }));
  t.equal(story.events.length, before);
});

t.test('what a defender sees of a fleet depends on its anti_spy and on the scouts in the fleet', async (t) => {
  const seen = (antiSpyLevel: number, scouts: number): Partial<WorldEvent> | undefined => {
    const { story, human, bot, home, foreign } = openScene();
    const ships = { transport: 2, ...(scouts === 0 ? {} : { scout: scouts }) };
    foreign.setLevel(story.world.rules.antiSpy, antiSpyLevel);
    story.launch({ by: human, from: home, to: foreign, ships, mission: 'transport' });
    return keptEvents(story, bot.number).findLast(({ kind }) => kind === 'incoming_fleet');
  };
  const transport = MISSIONS.indexOf('transport');
  const nothing = { mission: null, shipCount: null, ships: null };
  t.match(seen(0, 0), nothing, 'without anti_spy nothing but whose it is, from where, and when it arrives');
  t.match(seen(1, 0), { mission: transport, shipCount: 2, ships: shipList({ transport: 2 }) });
  t.match(seen(1, 1), nothing, 'as many scouts as levels hide it');
  t.match(seen(2, 1), { mission: transport, shipCount: 3, ships: null }, 'twice the scouts hide the types');
  t.match(seen(3, 1), { mission: transport, shipCount: 3, ships: shipList({ transport: 2, scout: 1 }) });
});

t.test(
  'who gets a planet is warned of the fleets that are on their way to it, also in a world that was loaded',
  async (t) => {
    const { story, human, bot, home, free } = openScene();
    const words = { by: human, from: home, to: free, ships: { scout: 1 } } as const;
    const [coming, recalled] = [
      story.launch({ ...words, mission: 'attack' }),
      story.launch({ ...words, mission: 'attack' }),
    ];
    const settler = story.launch({ ...words, ships: { colony_ship: 1 }, mission: 'colonize' });
    story.advance(SECOND_MS);
    story.does(recall(human, recalled));
    const loaded = loadRows(story.engine.snapshotRows());
    story.does(colonize(bot, free));
    loaded.apply(story.nowMs, colonize(bot, free));
    for (const { world } of [story, loaded]) {
      const { eventLog } = world;
      const last = eventLog.read(bot.number, eventLog.lastSeq(bot.number) - 3, 3, world.seq);
      t.match(
        last.map(({ event }) => event),
        [
          { kind: 'planet_colonized' },
          { kind: 'incoming_fleet', fleetNumber: coming.number, senderNumber: human.number },
          { kind: 'incoming_fleet', fleetNumber: settler.number, senderNumber: human.number },
        ],
      );
    }
    story.does(recall(human, coming));
    t.match(keptEvents(story, bot.number).at(-1), { kind: 'incoming_fleet_gone', fleetNumber: coming.number });
  },
);

t.test('events of entries after a seq are not read, and the events of a retired player are dropped', async (t) => {
  const { story, human, home } = openScene();
  const before = [story.engine.seq, story.world.eventLog.lastSeq(human.number)] as const;
  story.does(upgrade(home, 'iron_mine'));
  const { eventLog } = story.world;
  t.equal(eventLog.lastSeq(human.number), before[1] + 1);
  t.equal(eventLog.lastSeqUpTo(human.number, before[0]), before[1]);
  t.same(eventLog.read(human.number, before[1], 9, before[0]), []);
  t.match(eventLog.read(human.number, before[1], 9, before[0] + 1), [
    { seq: before[1] + 1, entrySeq: story.engine.seq },
  ]);
  t.throws(() => eventLog.read(human.number, before[1] + 2, 9, story.engine.seq), RangeError);
  story.does({ type: 'retire_players', playerNumbers: [human.number] });
  t.equal(eventLog.lastSeq(human.number), 0);
  t.ok(story.engine.eventReceivers.includes(human.number), 'its readers learn of it');
});
