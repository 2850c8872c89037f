// The JSON of a player's state: rendered afresh, after a change of one planet, and with nothing changed but time.
import type { ReadonlyPlayer } from '../../engine/world/state.js';
import { PlanetView } from '../../http/views/planet-view.js';
import { StateView } from '../../http/views/state-view.js';
import { SystemView } from '../../http/views/system-view.js';
import { TextWriter } from '../../http/views/text-writer.js';
import type { SteadyCase, UnitGroup } from './unit-case.js';
import { EngineWorld } from './worlds/engine-world.js';
import { growPlayer } from './worlds/grown-player.js';

/** Players whose states are read in turn. */
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

  const writer = new TextWriter();
  const tagOf = (version: string) => `W/"${version}"`;
  const lastEventSeq = (playerNumber: number) => world.eventLog.lastSeq(playerNumber);
  const planets = new PlanetView(world, writer);
  yield replyCase('state of 3 grown planets, afresh', () => {
    const view = new StateView(world, planets, writer, tagOf, lastEventSeq);
    return view.bytes(nextPlayer(), bench.nowMs);
  });
  const kept = new StateView(world, planets, writer, tagOf, lastEventSeq);
  yield replyCase('state of 3 grown planets, one of them changed (with its grant_resources)', () => {
    const player = nextPlayer();
    bench.passTo(bench.nowMs);
    bench.does({ type: 'grant_resources', planetKey: player.planets[turn % 3]?.key ?? -1, amounts: GRANT });
    return kept.bytes(player, bench.nowMs);
  });
  yield replyCase('state of 3 grown planets, nothing changed but time', () => kept.bytes(nextPlayer(), bench.nowMs));
  yield replyCase('planet, as after a command', () => {
    const planet = nextPlayer().planets[0];
    if (planet === undefined) throw new Error('a grown player has no planet');
    return planets.text(planet, bench.nowMs);
  });
  const nextSystem = () => world.universe.positionOf(nextPlayer().planets[0]?.key ?? -1);
  yield replyCase('star system, afresh', () => {
    const { galaxy, system } = nextSystem();
    return new SystemView(world, planets, writer, tagOf).text(galaxy, system).bytes;
  });
  const systems = new SystemView(world, planets, writer, tagOf);
  yield replyCase('star system, no planet of it found an owner', () => {
    const { galaxy, system } = nextSystem();
    return systems.text(galaxy, system).bytes;
  });
};

function replyCase(name: string, run: () => unknown): SteadyCase {
  return { kind: 'steady', name, unit: 'reply', countPerRun: 1, prepare: () => run };
}
