// The two players of docs/betrayal.md. Each follows a script: it does some things at an hour of the game, and answers some events.
// Everything is a command of the API; what is refused is tried again an hour later.
import {
  type Bot,
  type BotKind,
  type Planet,
  type PlanetPlan,
  type PlanStep,
  type PlayerPort,
  planOperation,
  type Wish,
} from '../../arena/bot.js';
import { type GameEvent, type Operation, operation } from '../../arena/galaxyd-client.js';

const HOUR_MS = 3_600_000;
const DAY_SECONDS = 86_400;

/** Something that a player does once. @returns what it sends */
type Deed = (port: PlayerPort) => Operation | Promise<Operation>;

interface Script {
  /** By the hour of the game from which they are due, the earliest first. */
  readonly deeds: readonly (readonly [hour: number, deed: Deed])[];
  /** Types of events that wake the player. */
  readonly wakeOn: Wish['on'];
  /** What it does about an event. */
  readonly answers: (event: GameEvent) => readonly Deed[];
}

class ScriptedBot implements Bot {
  readonly #script: Script;
  #beganMs = Number.NaN;
  #done = 0;
  /** Those that were refused. */
  #left: Deed[] = [];

  constructor(script: Script) {
    this.#script = script;
  }

  async wake(port: PlayerPort): Promise<Wish> {
    const { deeds, wakeOn, answers } = this.#script;
    const nowMs = Date.parse(port.now);
    if (Number.isNaN(this.#beganMs)) this.#beganMs = nowMs;
    const due = deeds.slice(this.#done).filter(([hour]) => this.#beganMs + hour * HOUR_MS <= nowMs);
    this.#done += due.length;
    const now = [...this.#left, ...due.map(([, deed]) => deed), ...port.events.flatMap(answers)];
    this.#left = [];
    for (const deed of now) {
      const [result] = await port.act([await deed(port)]);
      if (result?.ok !== true) this.#left.push(deed);
    }
    const [nextHour] = deeds[this.#done] ?? [Number.POSITIVE_INFINITY];
    const next = Math.min(this.#beganMs + nextHour * HOUR_MS, this.#left.length > 0 ? nowMs + HOUR_MS : Infinity);
    return { at: next === Infinity ? null : new Date(next).toISOString(), on: wakeOn };
  }
}

const say =
  (to: string, text: string): Deed =>
  ({ playerId }) =>
    operation.post('/api/message', { body: { playerId, to, text } });

async function homeOf(port: PlayerPort): Promise<Planet> {
  const [home] = (await port.state()).planets;
  if (home === undefined) throw new Error(`${port.playerId} has no planet`);
  return home;
}

const plan =
  (steps: readonly PlanStep[]): Deed =>
  async (port): Promise<Operation<PlanetPlan>> =>
    planOperation((await homeOf(port)).id, steps);

async function idOf(port: PlayerPort, name: string): Promise<string> {
  const { players } = await port.read(operation.get('/api/player', { params: { query: { name } } }));
  const [found] = players;
  if (found === undefined) throw new Error(`there is no player ${name}`);
  return found.id;
}

/** The same steps, some times. */
const repeated = (count: number, steps: readonly PlanStep[]): PlanStep[] =>
  Array.from({ length: count }, () => steps).flat();
const upgrade = (buildingType: string): PlanStep => ({ action: 'upgrade', buildingType });
const construct = (buildingType: string): PlanStep => ({ action: 'construct', buildingType });
const MINES = repeated(5, ['iron_mine', 'silver_mine', 'fusion_plant'].map(upgrade));

/** Builds mines, trusts, and stores what it earns. */
function makeVictim(): Bot {
  let other = '';
  const answers = (event: GameEvent): readonly Deed[] => {
    switch (event.type) {
      case 'pact_proposed': {
        const { pactId, proposerId } = event.data;
        other = proposerId;
        const accept: Deed = ({ playerId }) =>
          operation.post('/api/pact/{pactId}/accept', { params: { path: { pactId } }, body: { playerId } });
        return [accept, say(other, 'Agreed. I build no ships, so I count on your word.')];
      }
      case 'offer_made': {
        const { offerId } = event.data;
        const take: Deed = async (port) =>
          operation.post('/api/market/offer/{offerId}/take', {
            params: { path: { offerId } },
            body: { playerId: port.playerId, planetId: (await homeOf(port)).id },
          });
        return [take, say(other, 'A fair price. My carriers are on their way.')];
      }
      case 'pact_cancelled':
        return [say(other, 'You gave me your word for four days.')];
      case 'combat_report':
        return [
          say(
            'all',
            'mallory cancelled our pact, and its fleet came when the notice was over. Ask for more than its word.',
          ),
        ];
      default:
        return [];
    }
  };
  const deeds = [[0, plan([construct('h2_extractor'), ...MINES])]] as const;
  return new ScriptedBot({
    deeds,
    answers,
    wakeOn: ['pact_proposed', 'offer_made', 'pact_cancelled', 'combat_report'],
  });
}

/** Offers peace and trade while it builds a fleet. */
function makeBetrayer(): Bot {
  let pact = '';
  let target = '';
  const toVictim =
    (text: string): Deed =>
    async (port) =>
      say(await idOf(port, 'ada'), text)(port);
  const propose: Deed = async (port) => {
    const { playerId } = port;
    const terms = { kind: 'non_aggression', durationSeconds: 4 * DAY_SECONDS } as const;
    return operation.post('/api/pact', { body: { playerId, partnerId: await idOf(port, 'ada'), ...terms } });
  };
  const offer: Deed = async (port) => {
    const lots = {
      give: { resource: 'iron', units: 600 },
      want: { resource: 'silver', units: 300 },
      h2Max: 50,
    } as const;
    const { playerId } = port;
    const sides = { playerId, planetId: (await homeOf(port)).id, toPlayerId: await idOf(port, 'ada') };
    return operation.post('/api/market/offer', { body: { ...sides, ...lots } });
  };
  const cancel: Deed = ({ playerId }) =>
    operation.post('/api/pact/{pactId}/cancel', { params: { path: { pactId: pact } }, body: { playerId } });
  const attack: Deed = async (port) => {
    const home = await homeOf(port);
    const ships = home.planetShips.map(({ shipType, count }) => ({ shipType, count }));
    const { playerId } = port;
    return operation.post('/api/fleet/launch', {
      body: { playerId, mission: 'attack', originPlanetId: home.id, targetPlanetId: target, ships, resources: {} },
    });
  };
  const answers = (event: GameEvent): readonly Deed[] => {
    switch (event.type) {
      case 'pact_began':
        pact = event.data.pactId;
        return [];
      case 'offer_taken':
        // The trade shows where its partner lives.
        target = event.data.takerPlanetId;
        return [];
      case 'pact_ended':
        return [attack];
      case 'combat_report':
        return [say('all', 'ada had full stores and no ships. Who wants to buy silver?')];
      default:
        return [];
    }
  };
  const fleet: PlanStep[] = [
    { action: 'build_ships', shipType: 'fighter', count: 12 },
    { action: 'build_ships', shipType: 'transport', count: 2 },
  ];
  const deeds = [
    [0, plan([construct('h2_extractor'), construct('shipyard'), ...MINES, ...fleet])],
    // At the beginning the other one may not have looked around yet.
    [1, toVictim('We are neighbours. Let us not fight for four days, and trade.')],
    [1, propose],
    [18, offer],
    [48, cancel],
    [48, toVictim('Plans change. Nothing personal.')],
    // Until the notice is over, the world turns it round.
    [49, attack],
  ] as const;
  return new ScriptedBot({ deeds, answers, wakeOn: ['pact_began', 'offer_taken', 'pact_ended', 'combat_report'] });
}

export const BETRAYAL_PLAYERS: readonly BotKind[] = [
  { name: 'ada', summary: 'Keeps its word, and trusts that of others.', make: makeVictim },
  { name: 'mallory', summary: 'Gives its word, and takes it back.', make: makeBetrayer },
];
