// The JSON of a player's state: rendered afresh, after a change of one planet, and with nothing changed but time.
import { viewSystem } from '../../engine/queries/galaxy.js';
import type { ReadonlyPlayer } from '../../engine/state.js';
import { PlanetView } from '../../http/views/planet-view.js';
import { StateView } from '../../http/views/state-view.js';
import { systemText } from '../../http/views/system-view.js';
import { EngineWorld } from '../worlds/engine-world.js';
import { growPlayer } from '../worlds/grown-player.js';
import type { SteadyCase, UnitGroup } from './unit-case.js';

/** Players whose states are kept by turns. */
const READ_PLAYERS = 64;
const GRANT = [1, 1, 1, 1, 1];

export const viewUnits: UnitGroup = function* ({ seed }) {
  const bench = new EngineWorld(seed);
  const players = bench.addBots(READ_PLAYERS);
  for (const player of players) growPlayer(bench, player);
  const { world } = bench;
  let turn = 0;
  const nextPlayer = (): ReadonlyPlayer => {
    turn += 1;
    // Each reader comes a second after the one before: the numbers have moved.
    bench.nowMs += 1_000;
    return players[turn % players.length] as ReadonlyPlayer;
  };

  yield replyCase('state of 3 grown planets, afresh', () => {
    const view = new StateView(world, new PlanetView(world));
    return view.bytes(nextPlayer(), bench.nowMs);
  });
  const kept = new StateView(world, new PlanetView(world));
  yield replyCase('state of 3 grown planets, one of them changed (with its grant_resources)', () => {
    const player = nextPlayer();
    bench.passTo(bench.nowMs);
    bench.does({ type: 'grant_resources', planetKey: player.planets[turn % 3]?.key ?? -1, amounts: GRANT });
    return kept.bytes(player, bench.nowMs);
  });
  yield replyCase('state of 3 grown planets, nothing changed but time', () => kept.bytes(nextPlayer(), bench.nowMs));
  const planets = new PlanetView(world);
  yield replyCase('planet, as after a command', () => {
    const planet = nextPlayer().planets[0];
    if (planet === undefined) throw new Error('a grown player has no planet');
    return planets.text(planet, bench.nowMs);
  });
  yield replyCase('star system', () => {
    const { galaxy, system } = world.universe.positionOf(nextPlayer().planets[0]?.key ?? -1);
    const facts = viewSystem(world, galaxy, system);
    if (facts === undefined) throw new Error('a grown player has no system');
    return systemText(facts, planets);
  });
};

function replyCase(name: string, run: () => unknown): SteadyCase {
  return { kind: 'steady', name, unit: 'reply', countPerRun: 1, prepare: () => run };
}
