// Players that move at random: what they do depends only on the world and on a stream of choices, so that a run can be
// repeated and, where fast-check makes the choices, shrunk. Most moves are sensible, some are refused.
import type { CommandNamed, WorldCommand } from '../../engine/commands/table.js';
import { stockUnits } from '../../engine/planets/stocks.js';
import { fieldsNear } from '../../engine/queries/fields-near.js';
import { OFFER_UNITS_MAX, SHIPS_PER_ORDER_MAX, STOCK_UNITS_MAX } from '../../engine/rules/limits.js';
import { CARGO_RESOURCE_COUNT, RESOURCES } from '../../engine/rules/resources.js';
import {
  COLONIZE,
  DEPLOY,
  HARVEST,
  hasMission,
  MISSIONS,
  type MissionName,
  SUPPORT,
} from '../../engine/terms/missions.js';
import { PACT_KINDS } from '../../engine/terms/pacts.js';
import { packOrders, packStep, type WholeStep } from '../../engine/terms/plan-step.js';
import { EVERYBODY } from '../../engine/world/message-table.js';
import type { ReadonlyFleet, ReadonlyPlanet, ReadonlyPlayer, ReadonlyWorld } from '../../engine/world/state.js';
import { shipIndex } from './command-words.js';
import { total } from './exact-formulas.js';
import { PLAYED_RULES } from './played-rules.js';
import { HOUR_MS, MINUTE_MS, PLENTY, SECOND_MS, type WorldStory } from './world-story.js';

/** Chooses an integer from 0 to bound - 1. */
export type Choose = (bound: number) => number;

/** Newcomers appear in smaller worlds only. */
const PLAYERS_UNTIL = 200;
/** Nobody is retired in a world with fewer players than this. */
const PLAYERS_KEPT = 3;

/** Choices drawn from a seed: a linear congruential generator (Knuth, MMIX), its upper bits. */
export function seededChoice(seed: number): Choose {
  let state = BigInt(seed);
  return (bound) => {
    state = BigInt.asUintN(64, state * 6364136223846793005n + 1442695040888963407n);
    return Number(((state >> 32n) * BigInt(bound)) >> 32n);
  };
}

/** Choices from a list of numbers, repeated without end. */
export function listedChoice(numbers: readonly number[]): Choose {
  let next = 0;
  return (bound) => {
    const number = numbers[next % numbers.length] ?? 0;
    next += 1;
    return number % bound;
  };
}

/** Creates bots that all have plenty, a shipyard and ships of every type. */
export function settleBots(story: WorldStory, count: number): void {
  const { players } = story.does({
    type: 'create_players',
    count,
    namePrefix: 'bot',
    keyHashes: [],
    namePrefixKey: 'bot',
  });
  const homes = players.flatMap(({ planets }) => planets);
  for (const home of homes) {
    for (let time = 0; time < 3; time += 1) story.grant(home, PLENTY);
    story.does({
      type: 'construct_building',
      planetKey: home.key,
      buildingType: story.world.rules.shipyard,
    });
  }
  story.advanceUntilIdle();
  for (const [type, count] of [
    ['scout', 5],
    ['fighter', 30],
    ['transport', 4],
    ['colony_ship', 2],
  ] as const) {
    for (const home of homes)
      story.does({ type: 'build_ships', planetKey: home.key, shipType: shipIndex(type), count });
    story.advanceUntilIdle();
  }
}

/** How long somebody waits before the next move: often not at all, sometimes just until something happens. */
export function chooseWaitMs({ engine, nowMs }: Pick<WorldStory, 'engine' | 'nowMs'>, choose: Choose): number {
  const untilNextMs = engine.nextDeadlineMs() - nowMs;
  const waits = [
    0,
    0,
    choose(5 * SECOND_MS),
    choose(10 * MINUTE_MS),
    choose(3 * HOUR_MS),
    untilNextMs - 1,
    untilNextMs,
  ];
  const waitMs = waits[choose(waits.length)] ?? 0;
  return waitMs >= 0 && waitMs < Number.POSITIVE_INFINITY ? waitMs : 0;
}

/** A move of somebody in the world. Under rules with plans, many moves are plans, and under those with a market many are trades. */
export function chooseCommand(world: ReadonlyWorld, choose: Choose): WorldCommand {
  const player = chooseSomebody(world, choose);
  const planet = player.planets[choose(player.planets.length)] as ReadonlyPlanet;
  if (world.rules.set.plans !== undefined && choose(4) === 0) return choosePlan(world, planet, choose);
  if (world.rules.market !== null && choose(4) === 0) return chooseTrade(world, player, planet, choose);
  const moves: readonly (() => WorldCommand)[] = [
    () => chooseBuilding(world, planet, choose),
    () => chooseBuilding(world, planet, choose),
    () => ({
      type: 'build_ships',
      planetKey: planet.key,
      shipType: chooseShipType(world, planet, choose),
      count: 1 + choose(12),
    }),
    () => ({ type: 'start_research', playerNumber: player.number, researchType: choose(world.rules.research.length) }),
    () => chooseLaunch(world, player, planet, choose),
    () => chooseLaunch(world, player, planet, choose),
    () => chooseLaunch(world, player, planet, choose),
    () => chooseSecondThought(world, choose),
    () => chooseUncommon(world, player, planet, choose),
    ...(world.rules.messages === null ? [] : [() => chooseWords(world, player, choose)]),
    ...(world.rules.pacts === null ? [] : [() => choosePact(world, player.number, choose)]),
  ];
  return (moves[choose(moves.length)] as () => WorldCommand)();
}

/** A message to somebody or to everybody, or the end of an acquaintance for a while. */
function chooseWords(world: ReadonlyWorld, { number }: ReadonlyPlayer, choose: Choose): WorldCommand {
  const others = [...world.players.values()].filter((other) => other.number !== number);
  // A world of one player still has moves.
  const other = others[choose(others.length || 1)]?.number ?? EVERYBODY;
  if (choose(4) === 0 && other !== EVERYBODY)
    return { type: 'block_player', playerNumber: number, blockedNumber: other, isBlocked: choose(3) === 0 };
  const receiverNumber = choose(5) === 0 ? EVERYBODY : other;
  return { type: 'send_message', playerNumber: number, receiverNumber, text: '\u{1f98a}'.repeat(1 + choose(45)) };
}

/** What the operator does to a player, or says. Nobody stays suspended for long: many moves would be refused. */
function chooseModeration(world: ReadonlyWorld, choose: Choose): WorldCommand {
  const { number: playerNumber } = chooseSomebody(world, choose);
  const suspended = [...world.players.values()].filter(({ suspendedAtMs }) => suspendedAtMs !== null);
  const name = choose(3) === 0 ? `bot-${1 + choose(9)}` : `renamed-${choose(12)}`;
  const moves: readonly (() => WorldCommand)[] = [
    () => ({ type: 'suspend_player', playerNumber }),
    () => ({ type: 'resume_player', playerNumber: suspended[choose(suspended.length || 1)]?.number ?? playerNumber }),
    () => ({ type: 'resume_player', playerNumber: suspended[0]?.number ?? playerNumber }),
    () => ({ type: 'rename_player', playerNumber, name, nameKey: name }),
    () => ({ type: 'announce', text: choose(4) === 0 ? null : name, lastsMs: choose(2) === 0 ? null : HOUR_MS }),
  ];
  return (moves[choose(moves.length)] as () => WorldCommand)();
}

/** A move of the operator: a pause, a suspension, another name, another speed, other rules, many of which the world cannot switch to, or more than a planet can hold. */
export function chooseOperatorMove(world: ReadonlyWorld, choose: Choose): WorldCommand {
  const { planets } = world;
  if (choose(4) === 0) return chooseModeration(world, choose);
  if (choose(6) === 0)
    return choose(2) === 0 ? { type: 'pause_clock' } : { type: 'resume_clock', lagMs: choose(1_000) };
  if (choose(3) === 0) return { type: 'set_speed', speedThousandths: [1, 370, 1_000, 60_000][choose(4)] as number };
  if (choose(2) === 0) return { type: 'switch_rules', rules: PLAYED_RULES[choose(PLAYED_RULES.length)] as string };
  // In the order of their keys, as in chooseSecondThought().
  const keys = [...planets.values()].map(({ key }) => key).sort((one, other) => one - other);
  const amounts = RESOURCES.map(() => choose(2) * STOCK_UNITS_MAX);
  return { type: 'grant_resources', planetKey: keys[choose(keys.length)] ?? 0, amounts };
}

/** Any steps in any order: many are impossible, some never affordable. Some plans are too long, and some have no step. */
export function choosePlan(world: ReadonlyWorld, planet: ReadonlyPlanet, choose: Choose): CommandNamed<'put_plan'> {
  const stepsMax = world.rules.set.plans?.stepsMax ?? 0;
  const length = choose(20) === 0 ? stepsMax + choose(2) : choose(9);
  const manner = choose(4);
  const steps = Array.from({ length }, () => chooseStep(world, planet, choose));
  return {
    type: 'put_plan',
    planetKey: choose(20) === 0 ? chooseNearbyKey(world, planet, choose) : planet.key,
    isSkipping: manner % 2 === 0,
    longerThanMs: manner === 0 ? HOUR_MS : null,
    steps: steps.map(packStep),
    launches: steps.flatMap((step) => (step.action === 'launch' ? packOrders(step.ships.length, [step]) : [])),
  };
}

function chooseStep(world: ReadonlyWorld, planet: ReadonlyPlanet, choose: Choose): WholeStep {
  const { rules } = world;
  const { levels, owner } = planet;
  const lane = choose(5);
  if (lane === 4) {
    const { targetKey, mission, ships, cargo, drive } = chooseLaunch(world, owner, planet, choose);
    return { action: 'launch', targetKey, mission, ships, cargo, drive };
  }
  if (lane === 0) {
    const count = choose(10) === 0 ? SHIPS_PER_ORDER_MAX : 1 + choose(20);
    return { action: 'build_ships', shipType: choose(rules.ships.length), count };
  }
  if (lane === 1) return { action: 'research', researchType: choose(rules.research.length) };
  const buildingType = choose(rules.buildings.length);
  const isSensible = choose(6) > 0;
  return { action: (levels[buildingType] === 0) === isSensible ? 'construct' : 'upgrade', buildingType };
}

function chooseSomebody({ players }: ReadonlyWorld, choose: Choose): ReadonlyPlayer {
  const present = [...players.values()];
  return present[choose(present.length)] as ReadonlyPlayer;
}

function chooseBuilding({ rules }: ReadonlyWorld, planet: ReadonlyPlanet, choose: Choose): WorldCommand {
  const buildingType = choose(rules.buildings.length);
  const isAbsent = planet.levels[buildingType] === 0;
  return { type: isAbsent ? 'construct_building' : 'upgrade_building', planetKey: planet.key, buildingType };
}

/** Chooses mostly the type in production, since another one would be refused. */
function chooseShipType({ rules }: ReadonlyWorld, planet: ReadonlyPlanet, choose: Choose): number {
  const chosen = choose(rules.ships.length);
  return choose(4) === 0 ? chosen : (planet.orders[0]?.shipType ?? chosen);
}

/** Takes back something that was begun, if there is anything. */
function chooseSecondThought({ fleets, planets }: ReadonlyWorld, choose: Choose): WorldCommand {
  // A loaded world has them in another order.
  const inOrder = [...fleets.values()].sort((one, other) => one.number - other.number);
  const fleet = inOrder[choose(fleets.size || 1)];
  // In the order of their keys: the order of the table tells the history of a world, which a fork of it does not have.
  const busy = [...planets.values()]
    .filter(({ upgrade, orders }) => upgrade !== null || orders.length > 0)
    .sort((one, other) => one.key - other.key);
  const { key = -1, upgrade = null, orders = [] } = busy[choose(busy.length || 1)] ?? {};
  const stationed = inOrder.filter(({ isStationed }) => isStationed);
  if (stationed.length > 0 && choose(3) === 0) {
    const { number, targetKey } = stationed[choose(stationed.length)] as ReadonlyFleet;
    return { type: 'dismiss_fleet', playerNumber: planets.get(targetKey)?.ownerNumber ?? 1, fleetNumber: number };
  }
  if (choose(2) === 0) {
    return { type: 'recall_fleet', playerNumber: fleet?.owner.number ?? 1, fleetNumber: fleet?.number ?? 0 };
  }
  return upgrade !== null && choose(3) > 0
    ? { type: 'cancel_building', planetKey: key, queueNumber: upgrade.queueNumber }
    : { type: 'cancel_ships', planetKey: key, shipType: orders[0]?.shipType ?? 0 };
}

/** Offers something, takes an offer of somebody, or takes an own offer back. */
function chooseTrade(
  world: ReadonlyWorld,
  player: ReadonlyPlayer,
  planet: ReadonlyPlanet,
  choose: Choose,
): WorldCommand {
  const open = [...world.players.values()]
    .flatMap(({ number }) => world.offers.of(number))
    .sort((one, other) => one.number - other.number);
  const some = open[choose(open.length || 1)];
  if (some === undefined || choose(3) === 0) return chooseOffer(world, player, planet, choose);
  if (choose(5) === 0)
    return {
      type: 'withdraw_offer',
      playerNumber: choose(4) === 0 ? player.number : some.ownerNumber,
      offerNumber: some.number,
    };
  const taker = world.players.get(some.toNumber) ?? player;
  const payer = taker.planets[choose(taker.planets.length)] ?? planet;
  return { type: 'take_offer', playerNumber: taker.number, offerNumber: some.number, planetKey: payer.key };
}

/** Mostly at a price near the values of the rules, sometimes a gift. */
function chooseOffer(
  world: ReadonlyWorld,
  { number: playerNumber }: ReadonlyPlayer,
  planet: ReadonlyPlanet,
  choose: Choose,
): CommandNamed<'make_offer'> {
  const { values = [] } = world.rules.market ?? {};
  const [giveResource, wantResource] = [choose(CARGO_RESOURCE_COUNT), choose(CARGO_RESOURCE_COUNT)];
  // Sometimes all that there is, as if to hide it.
  const stock = Math.max(1, stockUnits(world, planet, giveResource, world.nowMs));
  const giveUnits = choose(2) === 0 ? Math.min(stock, OFFER_UNITS_MAX) : 1 + choose(5_000);
  const fair = Math.floor((giveUnits * (values[giveResource] ?? 1)) / (values[wantResource] ?? 1));
  const wantUnits = Math.max(1, choose(3) === 0 ? choose(2 * fair + 1) : fair + choose(3));
  return {
    type: 'make_offer',
    playerNumber,
    planetKey: planet.key,
    giveResource,
    giveUnits,
    wantResource,
    wantUnits,
    h2Max: choose(8) === 0 ? 0 : choose(2_000),
    toNumber: choose(3) === 0 ? chooseSomebody(world, choose).number : null,
    lastsMs: choose(2) === 0 ? null : 1 + choose(2 * HOUR_MS),
  };
}

function chooseUncommon(
  world: ReadonlyWorld,
  { number }: ReadonlyPlayer,
  planet: ReadonlyPlanet,
  choose: Choose,
): WorldCommand {
  const { playerCount, lastPlayerNumber } = world;
  const amounts = [1000, 500, 50, 5000, 100].map((units) => choose(units));
  const moves: readonly (() => WorldCommand)[] = [
    () => ({ type: 'grant_resources', planetKey: planet.key, amounts }),
    () => ({ type: 'colonize_planet', playerNumber: number, planetKey: chooseNearbyKey(world, planet, choose) }),
    () => ({ type: 'create_second_starter', playerNumber: number }),
    () => ({
      type: 'create_player',
      name: `newcomer-${lastPlayerNumber}`,
      isBot: true,
      keyHash: null,
      nameKey: `newcomer-${lastPlayerNumber}`,
    }),
    () => ({
      type: 'create_players',
      count: 1 + choose(playerCount),
      namePrefix: 'bot',
      keyHashes: [],
      namePrefixKey: 'bot',
    }),
    () => ({
      type: 'rotate_key',
      playerNumber: number,
      keyHash: `key-${world.seq}`,
      validMs: choose(2) === 0 ? null : 1 + choose(HOUR_MS),
      oldKeyValidMs: choose(2) * HOUR_MS,
    }),
    () => ({ type: 'revoke_keys', playerNumber: number }),
    () =>
      playerCount <= PLAYERS_KEPT
        ? { type: 'grant_resources', planetKey: planet.key, amounts }
        : { type: 'retire_players', playerNumbers: [number] },
    () => chooseModeration(world, choose),
    () => chooseModeration(world, choose),
  ];
  // A world that is large enough stays as large as it is.
  const kinds = playerCount < PLAYERS_UNTIL ? moves.length : 2;
  return (moves[choose(kinds)] as () => WorldCommand)();
}

/** Proposes a pact, or answers or cancels one that there is. */
function choosePact(world: ReadonlyWorld, playerNumber: number, choose: Choose): WorldCommand {
  const pacts = [...world.pacts.values()];
  const pact = pacts[choose(pacts.length || 1)];
  if (pact === undefined || choose(3) === 0) {
    const partnerNumber = 1 + choose(world.lastPlayerNumber);
    const durationMs = (1 + choose(48)) * HOUR_MS;
    return { type: 'propose_pact', playerNumber, partnerNumber, kind: choose(PACT_KINDS.length), durationMs };
  }
  const { number: pactNumber, proposerNumber, partnerNumber, isInForce } = pact;
  const answers = ['accept_pact', 'accept_pact', 'decline_pact', 'cancel_pact'] as const;
  const type = isInForce ? 'cancel_pact' : (answers[choose(4)] ?? 'accept_pact');
  return { type, playerNumber: type === 'cancel_pact' ? proposerNumber : partnerNumber, pactNumber };
}

function chooseLaunch(
  world: ReadonlyWorld,
  player: ReadonlyPlayer,
  origin: ReadonlyPlanet,
  choose: Choose,
): CommandNamed<'launch_fleet'> {
  const missions = MISSIONS.filter((name) => hasMission(world.rules.set, name));
  const mission = MISSIONS.indexOf(missions[choose(missions.length)] as MissionName);
  const ships = origin.ships.map((held) => choose(held + 1));
  const [scouts = 0, fighters = 0, transports = 0, colonyShips = 0, ...others] = ships;
  const { hangarCapacity = 0, cargo: hold = 0 } = world.rules.set.ships[shipIndex('transport')] ?? {};
  // Nearly always as many fighters as the transports can carry, and what the mission needs.
  const carried = choose(10) === 0 ? fighters : Math.min(fighters, hangarCapacity * transports);
  const settlers =
    mission === COLONIZE ? Math.min(1, origin.ships[world.rules.colonyShip] ?? 0) : choose(8) === 0 ? colonyShips : 0;
  const fleet: number[] = [scouts, carried, transports, settlers, ...others];
  if (total(fleet) === 0) fleet[0] = 1;
  const room = hold * transports;
  const shareMax = mission === SUPPORT ? 0 : Math.floor(room / 4);
  const cargo = Array.from({ length: CARGO_RESOURCE_COUNT }, () => choose(shareMax + 1));
  const targetKey = chooseTargetKey(world, player, origin, mission, choose);
  return {
    type: 'launch_fleet',
    playerNumber: player.number,
    originKey: origin.key,
    targetKey,
    ships: fleet,
    mission,
    cargo,
    drive: choose(6) === 0 ? choose(world.rules.drives.length) : null,
  };
}

function chooseTargetKey(
  world: ReadonlyWorld,
  player: ReadonlyPlayer,
  origin: ReadonlyPlanet,
  mission: number,
  choose: Choose,
): number {
  if (mission === COLONIZE || choose(8) === 0) return chooseNearbyKey(world, origin, choose);
  if (mission === HARVEST) return fieldsNear(world, origin.key, 1)[0]?.key ?? origin.key;
  const owner = mission === DEPLOY ? player : chooseSomebody(world, choose);
  return owner.planets[choose(owner.planets.length)]?.key ?? origin.key;
}

/** Any planet of the same system. */
function chooseNearbyKey({ universe }: ReadonlyWorld, { key }: ReadonlyPlanet, choose: Choose): number {
  const { galaxy, system } = universe.positionOf(key);
  const keys = universe.planetKeys(universe.systemKey(galaxy, system));
  return keys[choose(keys.length)] ?? key;
}
