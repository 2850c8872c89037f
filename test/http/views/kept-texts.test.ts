// The server keeps the texts of planets and players and rewrites only the numbers that change with time. Its replies
// must always equal a plain, slow rendering of the state.
import t from 'tap';
import { RESOURCES } from '../../../engine/rules/resources.js';
import { STANDARD_1 } from '../../../engine/rules/standard-1.js';
import { MISSIONS } from '../../../engine/terms/missions.js';
import type { PlanetBody } from '../../../http/schemas/planet.js';
import { Draws, drawSeed } from '../../support/process/draws.js';
import { plainBuildings, plainPlanet, plainPlayer } from '../support/plain-rendering.js';
import { begin, type Serving } from '../support/serving.js';

/** The test goes on after these steps until enough commands were accepted. */
const STEPS_MIN = 400;
const ACCEPTED_MIN = 130;
const BOTS = 4;

t.test('after any commands and any time a read equals the plain rendering', async (t) => {
  const draws = new Draws(drawSeed(t));
  const serving = await begin(t);
  const scene = new Scene(serving, draws);
  await scene.prepare();
  const seen = { accepted: 0, refused: 0, digits: new Set<number>() };
  for (let step = 0; step < STEPS_MIN || seen.accepted < ACCEPTED_MIN; step += 1) {
    const move = draws.pick(MOVES);
    const status = await move(scene, draws);
    if (status < 300) seen.accepted += 1;
    else seen.refused += 1;
    for (const fault of await scene.faults(seen.digits)) {
      t.fail(`step ${step}, ${move.name}: ${fault}`);
      return;
    }
  }
  t.comment(
    `${seen.accepted} commands were accepted and ${seen.refused} refused; numbers of ${[...seen.digits].sort()} digits`,
  );
  t.ok(seen.digits.size > 4, 'numbers of many lengths were shown');
});

type Move = (scene: Scene, draws: Draws) => Promise<number>;

/** What agents, the operator and time do, often against the rules. */
const MOVES: readonly Move[] = [
  function passTime(scene, draws) {
    return scene.operate('/api/admin/clock/advance', { seconds: draws.between(1, 10 ** draws.between(0, 5)) });
  },
  function passABlink(scene) {
    return scene.operate('/api/admin/clock/advance', { seconds: 1 });
  },
  function passToNextTimer(scene) {
    return scene.operate('/api/admin/clock/advance', { nextTimer: true });
  },
  function grant(scene, draws) {
    const amounts = RESOURCES.map((resource) => [resource, draws.below(10 ** draws.between(1, 7))]);
    return scene.operate(`/api/admin/planet/${scene.planet()}/grant`, Object.fromEntries(amounts));
  },
  function upgrade(scene, draws) {
    return scene.play('/api/building/upgrade', {
      planetId: scene.planet(),
      buildingType: draws.pick(STANDARD_1.buildings).type,
    });
  },
  function construct(scene, draws) {
    return scene.play('/api/building/construct', {
      planetId: scene.planet(),
      buildingType: draws.pick(STANDARD_1.buildings).type,
    });
  },
  function cancelUpgrade(scene) {
    return scene.play('/api/building/cancel', { planetId: scene.planet(), queueId: scene.queueId() });
  },
  function build(scene, draws) {
    const order = {
      planetId: scene.planet(),
      shipType: draws.pick(STANDARD_1.ships).type,
      count: draws.between(1, 12),
    };
    return scene.play('/api/shipyard/build', order);
  },
  function cancelShips(scene, draws) {
    return scene.play('/api/shipyard/cancel', {
      planetId: scene.planet(),
      shipType: draws.pick(STANDARD_1.ships).type,
    });
  },
  function research(scene, draws) {
    return scene.play('/api/research/start', {
      playerId: scene.player(),
      researchType: draws.pick(STANDARD_1.research).type,
    });
  },
  launch,
  launch,
  launch,
  function recall(scene, draws) {
    return scene.play(`/api/fleet/fleet-${draws.between(1, scene.fleetCount())}/recall`, { playerId: scene.player() });
  },
  function secondStarter(scene) {
    return scene.play(`/api/game/planet/starter/${scene.player()}`, {});
  },
];

function launch(scene: Scene, draws: Draws): Promise<number> {
  const ships = draws.pick([
    [{ type: 'scout', count: 1 }],
    [{ type: 'transport', count: 1 }],
    [
      { type: 'transport', count: 1 },
      { type: 'fighter', count: draws.between(1, 9) },
    ],
    [{ type: 'colony_ship', count: 1 }],
  ]);
  const originPlanetId = scene.planet();
  return scene.play('/api/fleet/launch', {
    playerId: scene.ownerOf(originPlanetId),
    originPlanetId,
    targetPlanetId: draws.oneIn(3) ? `planet-1-${draws.below(300)}-${draws.between(1, 30)}` : scene.planet(),
    ships,
    mission: draws.pick(MISSIONS),
    resources: { iron: draws.below(100) },
  });
}

/** A few bots, and what the moves need to know of them. */
class Scene {
  constructor(
    private readonly serving: Serving,
    private readonly draws: Draws,
  ) {}

  async prepare(): Promise<void> {
    for (let bot = 1; bot <= BOTS; bot += 1) {
      const name = `"bot" é ${bot} \u{1f680}`;
      await this.serving.play.fleetOwner(name, { transport: 3, scout: 4, fighter: 9, colony_ship: 1 });
    }
  }

  async play(path: string, body: object): Promise<number> {
    return (await this.serving.client.request('POST', path, { body })).status;
  }

  async operate(path: string, body: object): Promise<number> {
    return (await this.serving.admin.request('POST', path, { body })).status;
  }

  player(): string {
    return `player-${this.draws.between(1, BOTS)}`;
  }

  planet(): string {
    const { planets } = this.#world.players.get(this.draws.between(1, BOTS)) ?? { planets: [] };
    const { galaxy, system, slot } = this.#world.universe.positionOf(this.draws.pick(planets).key);
    return `planet-${galaxy}-${system}-${slot}`;
  }

  ownerOf(planetId: string): string {
    const [, galaxy, system, slot] = planetId.split('-').map(Number) as [number, number, number, number];
    const owner = this.#world.planets.get(this.#world.universe.keyAt(galaxy, system, slot))?.owner.number;
    return `player-${owner}`;
  }

  queueId(): string {
    const numbers = [...this.#world.planets.values()].flatMap(({ upgrade }) => upgrade?.queueNumber ?? []);
    return `queue-${numbers.length === 0 ? 1 : this.draws.pick(numbers)}`;
  }

  fleetCount(): number {
    return Math.max(1, this.#world.lastFleetNumber);
  }

  /** The reads of all bots in which the server differs; sometimes only some are made, so that texts age. */
  async faults(digits: Set<number>): Promise<string[]> {
    const faults: string[] = [];
    const { client, world } = this.serving;
    const nowMs = world.sequencer.readNow();
    const compare = async (path: string, expected: unknown): Promise<void> => {
      if (this.draws.oneIn(3)) return;
      const { body } = await client.request('GET', path);
      if (JSON.stringify(body) !== JSON.stringify(expected)) {
        faults.push(`${path} returns ${JSON.stringify(body)}\ninstead of ${JSON.stringify(expected)}`);
      }
    };
    for (const player of this.#world.players.values()) {
      const expected = plainPlayer(this.#world, player, nowMs);
      await compare(`/api/game/state/player-${player.number}`, expected);
      await compare(`/api/game/planets/player-${player.number}`, expected['planets']);
      await compare(`/api/fleet/player/player-${player.number}`, expected['fleets']);
      await compare(`/api/research/player/player-${player.number}`, expected['research']);
      for (const planet of player.planets) {
        const plain = plainPlanet(this.#world, planet, nowMs) as unknown as PlanetBody;
        for (const name of RESOURCES) digits.add(String(plain[name]).length);
        await compare(`/api/game/planet/${plain.id}`, plain);
        await compare(`/api/building/planet/${plain.id}`, plainBuildings(this.#world, planet));
        await compare(`/api/shipyard/planet/${plain.id}`, { queue: plain.shipyardQueue, stock: plain.planetShips });
      }
    }
    return faults;
  }

  get #world() {
    return this.serving.world.engine.world;
  }
}
