// A small world of standard-2 that contains what only rules with parts have: plans in every state, a battle with defences and research, an
// attack that turns round, supporters, messages, trades, pacts, more colony ships than planets allowed, and points in shares. The golden files of standard-2 are made from it,
// so a change here changes them.
import type { CommandNamed } from '../../engine/commands/table.js';
import { STANDARD_2_RULES } from '../../engine/rules/shipped.js';
import { STANDARD_2 } from '../../engine/rules/standard-2.js';
import { MISSIONS, type MissionName } from '../../engine/terms/missions.js';
import { NON_AGGRESSION, SHARED_SIGHT } from '../../engine/terms/pacts.js';
import { EVERYBODY } from '../../engine/world/message-table.js';
import type { Pact } from '../../engine/world/pact-table.js';
import type { Planet } from '../../engine/world/planet-table.js';
import type { Player } from '../../engine/world/player-table.js';
import { type Keyed, offer, type ShipName, take, upgrade, withdraw } from './command-words.js';
import { constructStep, putPlan, researchStep, shipsStep, upgradeStep } from './planned-rules.js';
import { DAY_MS, firstPlanet, HOUR_MS, MINUTE_MS, PLENTY, WorldStory } from './world-story.js';

/** A player, and its planet in the system in which everything happens. */
interface Side {
  readonly player: Player;
  readonly planet: Planet;
}

interface Sending {
  readonly by: Side;
  readonly to: Keyed;
  readonly ships: Partial<Record<ShipName, number>>;
  readonly mission: MissionName;
  readonly cargo?: readonly number[];
}

export function standard2Scene(): WorldStory {
  const story = new WorldStory({ rules: STANDARD_2_RULES.text });
  const player = story.human();
  const attacker = { player, planet: firstPlanet(player) };
  const defender = neighbour(story, 'defender', attacker);
  const supporter = neighbour(story, 'supporter', attacker);
  armByPlans(story, attacker, defender, supporter);
  // Then the protection of all is over.
  story.advance(4 * DAY_MS);
  const newcomer = neighbour(story, 'newcomer', attacker);
  for (const to of [defender, attacker])
    send(story, { by: supporter, to: to.planet, mission: 'support', ships: { fighter: 3, transport: 1 } });
  story.advance(HOUR_MS);
  expand(story, attacker);
  const force = { by: attacker, mission: 'attack', ships: { cruiser: 3, bomber: 2, transport: 1 } } as const;
  send(story, { ...force, to: newcomer.planet });
  send(story, { ...force, to: defender.planet });
  send(story, { by: attacker, to: newcomer.planet, mission: 'espionage', ships: { scout: 2 } });
  trade(story, attacker, supporter);
  story.advance(HOUR_MS);
  planColony(story, attacker);
  talk(story, attacker, defender, newcomer);
  story.advance(5 * HOUR_MS);
  leavePlans(story, attacker, newcomer);
  send(story, { ...force, to: defender.planet, ships: { cruiser: 1 } });
  makePacts(story, defender, supporter, newcomer);
  story.advance(5 * MINUTE_MS);
  trade(story, supporter, attacker);
  return story;
}

/** A pact that has ended, one whose end is near, one in force, and a proposal. */
function makePacts(story: WorldStory, defender: Side, supporter: Side, newcomer: Side): void {
  const propose = (by: Side, to: Side, kind: number) =>
    story.does({
      type: 'propose_pact',
      playerNumber: by.player.number,
      partnerNumber: to.player.number,
      kind,
      durationMs: DAY_MS,
    });
  const answer = (type: 'accept_pact' | 'decline_pact' | 'cancel_pact', by: Side, { number: pactNumber }: Pact) =>
    story.does({ type, playerNumber: by.player.number, pactNumber });
  answer('decline_pact', supporter, propose(newcomer, supporter, NON_AGGRESSION));
  const ending = answer('accept_pact', supporter, propose(defender, supporter, NON_AGGRESSION));
  answer('cancel_pact', supporter, ending);
  answer('accept_pact', supporter, propose(defender, supporter, SHARED_SIGHT));
  propose(newcomer, defender, NON_AGGRESSION);
}

function neighbour(story: WorldStory, name: string, { planet }: Side): Side {
  const player = story.bot(name);
  return { player, planet: story.colony(player, planet) };
}

/** They get ships and research by plans, the defender also a battery. The plans are completed; one skips a blocked step. */
function armByPlans(story: WorldStory, attacker: Side, defender: Side, supporter: Side): void {
  for (const { planet } of [attacker, defender, supporter]) story.grant(planet, PLENTY);
  story.does(
    putPlan(attacker.planet, [
      constructStep('shipyard'),
      upgradeStep('shipyard'),
      shipsStep('cruiser', 8),
      shipsStep('bomber', 4),
      shipsStep('transport', 2),
      shipsStep('scout', 2),
      shipsStep('colony_ship', 2),
      researchStep('weapons'),
      researchStep('logistics'),
      researchStep('mining'),
    ]),
  );
  const steps = [
    upgradeStep('laser_battery'),
    constructStep('laser_battery'),
    upgradeStep('laser_battery'),
    constructStep('shipyard'),
    shipsStep('fighter', 6),
    researchStep('hulls'),
    researchStep('sensors'),
  ];
  story.does(putPlan(defender.planet, steps, true));
  story.does(
    putPlan(supporter.planet, [constructStep('shipyard'), shipsStep('transport', 2), shipsStep('fighter', 6)]),
  );
}

/** A second planet, and two colony ships: one takes the third planet, whose buildings count in part, and one turns round. */
function expand(story: WorldStory, attacker: Side): void {
  story.colony(attacker.player, attacker.planet);
  const { universe, planets } = story.world;
  const { galaxy, system } = universe.positionOf(attacker.planet.key);
  const free = universe.planetKeys(universe.systemKey(galaxy, system)).filter((key) => !planets.has(key));
  for (const key of free.slice(0, 2)) {
    send(story, { by: attacker, to: { key }, ships: { colony_ship: 1 }, mission: 'colonize', cargo: [300, 150, 0, 0] });
  }
}

/** The attacker asks for peace and is refused to be heard; the newcomer speaks to everybody. */
function talk(story: WorldStory, attacker: Side, defender: Side, newcomer: Side): void {
  const write = (by: Side, receiverNumber: number, text: string): void => {
    story.does({ type: 'send_message', playerNumber: by.player.number, receiverNumber, text });
  };
  write(attacker, defender.player.number, 'Peace for three days?');
  write(defender, attacker.player.number, 'No.');
  write(newcomer, EVERYBODY, 'Who has ember to spare? \u{1f98a}');
  const [playerNumber, blockedNumber] = [defender.player.number, attacker.player.number];
  story.does({ type: 'block_player', playerNumber, blockedNumber, isBlocked: true });
}

/** One offer is taken, one to the other side stays open and one is withdrawn. */
function trade(story: WorldStory, maker: Side, taker: Side): void {
  const terms = { by: maker.player, from: maker.planet, give: { iron: 1_900 }, want: { silver: 1_000 }, h2Max: 900 };
  story.does(take(taker.player, story.does(offer(terms)), taker.planet));
  story.does(offer({ ...terms, to: taker.player }));
  story.does(withdraw(maker.player, story.does(offer(terms))));
}

/** The third planet waits for its stock again and again. */
function planColony(story: WorldStory, { player }: Side): void {
  const third = player.planets[2] as Planet;
  const mines = [constructStep('iron_mine'), constructStep('silver_mine'), upgradeStep('iron_mine')];
  story.does(putPlan(third, [...mines, upgradeStep('silver_mine'), upgradeStep('zentrale'), shipsStep('scout', 3)]));
}

/** Leaves a plan in progress, one that is blocked and one that is taken back. */
function leavePlans(story: WorldStory, { player, planet }: Side, newcomer: Side): void {
  const administration = researchStep('administration');
  const steps = [upgradeStep('iron_mine'), upgradeStep('shipyard'), shipsStep('cruiser', 9), shipsStep('scout', 1)];
  story.does(putPlan(planet, [...steps, administration, administration, administration], true, DAY_MS));
  story.does(putPlan(newcomer.planet, [constructStep('zentrale'), upgradeStep('zentrale')]));
  const second = player.planets[1] as Planet;
  story.does(putPlan(second, [upgradeStep('zentrale'), upgradeStep('zentrale')]));
  story.does(putPlan(second, []));
  story.does(upgrade(firstPlanet(newcomer.player), 'iron_mine'));
}

function send(story: WorldStory, { by, to, ships, mission, cargo = [0, 0, 0, 0] }: Sending): void {
  const command: CommandNamed<'launch_fleet'> = {
    type: 'launch_fleet',
    playerNumber: by.player.number,
    originKey: by.planet.key,
    targetKey: to.key,
    ships: STANDARD_2.ships.map(({ type }) => ships[type] ?? 0),
    mission: MISSIONS.indexOf(mission),
    cargo,
    drive: null,
  };
  story.does(command);
}
