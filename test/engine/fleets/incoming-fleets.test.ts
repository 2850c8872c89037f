// Who hears of a fleet on its way, for every mission: if its target has an owner at launch, gets one later, or loses it, and if the fleet
// is recalled or its player is retired. Each row is played twice, the second time in a world that was loaded while the fleet flew.
import t from 'tap';
import type { WorldCommand } from '../../../engine/commands/table.js';
import type { WorldEvent } from '../../../engine/events/kinds.js';
import { MISSIONS, type MissionName } from '../../../engine/terms/missions.js';
import { isRefusal } from '../../../engine/terms/rejections.js';
import type { Fleet } from '../../../engine/world/fleet-table.js';
import { colonize, create, launch, recall } from '../../support/command-words.js';
import { PARTS_RULES, partsPosition, partsShips } from '../../support/parts-rules.js';
import { loadRows, MINUTE_MS, openScene, type Scene, SECOND_MS } from '../../support/world-story.js';

/** Every mission can be launched with these ships. */
const SHIPS = { scout: 1, transport: 1, colony_ship: 1 } as const;
type Target = 'own' | 'foreign' | 'free';

interface Case {
  readonly name: string;
  readonly target: Target;
  /** What happens while the fleet flies. */
  readonly meanwhile: (scene: Scene, fleet: Fleet) => readonly WorldCommand[];
  /** What the others hear from launch to arrival. */
  readonly heard: readonly string[];
}

/** Indexed by player number; retired players keep theirs. */
const NAMES = ['', 'Ada', 'bot-1', 'heir'];

const retire = (...numbers: number[]): WorldCommand => ({ type: 'retire_players', playerNumbers: numbers });

const CASES: readonly Case[] = [
  { name: 'a target of its own', target: 'own', meanwhile: () => [], heard: [] },
  { name: 'a target that has an owner', target: 'foreign', meanwhile: () => [], heard: ['incoming_fleet to bot-1'] },
  {
    name: 'a target that has an owner, and a recall',
    target: 'foreign',
    meanwhile: ({ human }, fleet) => [recall(human, fleet)],
    heard: ['incoming_fleet to bot-1', 'incoming_fleet_gone to bot-1'],
  },
  {
    name: 'a target that has an owner, and the sender is retired',
    target: 'foreign',
    meanwhile: ({ human }) => [retire(human.number)],
    heard: ['incoming_fleet to bot-1', 'incoming_fleet_gone to bot-1'],
  },
  {
    name: 'a target whose owner is retired, and a recall',
    target: 'foreign',
    meanwhile: ({ human, bot }, fleet) => [retire(bot.number), recall(human, fleet)],
    heard: ['incoming_fleet to bot-1'],
  },
  {
    name: 'a target whose owner is retired, and then somebody else takes it',
    target: 'foreign',
    meanwhile: ({ bot, foreign }) => [retire(bot.number), create('heir', true), colonize({ number: 3 }, foreign)],
    heard: ['incoming_fleet to bot-1', 'incoming_fleet to heir'],
  },
  {
    name: 'a target whose owner is retired with the sender',
    target: 'foreign',
    meanwhile: ({ human, bot }) => [retire(human.number, bot.number)],
    heard: ['incoming_fleet to bot-1', 'incoming_fleet_gone to bot-1'],
  },
  { name: 'a target without an owner', target: 'free', meanwhile: () => [], heard: [] },
  {
    name: 'a target that another player takes',
    target: 'free',
    meanwhile: ({ bot, free }) => [colonize(bot, free)],
    heard: ['incoming_fleet to bot-1'],
  },
  {
    name: 'a target that its own player takes',
    target: 'free',
    meanwhile: ({ human, free }) => [colonize(human, free)],
    heard: [],
  },
  {
    name: 'a target that another player takes, and a recall',
    target: 'free',
    meanwhile: ({ human, bot, free }, fleet) => [colonize(bot, free), recall(human, fleet)],
    heard: ['incoming_fleet to bot-1', 'incoming_fleet_gone to bot-1'],
  },
  {
    name: 'a target that another player takes after a recall',
    target: 'free',
    meanwhile: ({ human, bot, free }, fleet) => [recall(human, fleet), colonize(bot, free)],
    heard: [],
  },
  {
    name: 'a target that another player takes, and the sender is retired',
    target: 'free',
    meanwhile: ({ human, bot, free }) => [colonize(bot, free), retire(human.number)],
    heard: ['incoming_fleet to bot-1', 'incoming_fleet_gone to bot-1'],
  },
  {
    name: 'a target that another player takes after the sender is retired',
    target: 'free',
    meanwhile: ({ human, bot, free }) => [retire(human.number), colonize(bot, free)],
    heard: [],
  },
];

/** The targets that each mission admits at launch. */
const ADMITTED: Readonly<Record<MissionName, readonly Target[]>> = {
  attack: ['foreign', 'free'],
  transport: ['own', 'foreign', 'free'],
  deploy: ['own'],
  colonize: ['free'],
  espionage: ['foreign', 'free'],
  // The rules of these worlds have no fields.
  harvest: [],
  // The rules of these worlds have no support.
  support: [],
};

for (const mission of MISSIONS) {
  t.test(`${mission}: who hears of the fleet, and when`, async (t) => {
    for (const { name, target, meanwhile, heard } of CASES) {
      const scene = openScene();
      const { story, human, home } = scene;
      const to = target === 'own' ? story.colony(human, home) : scene[target];
      const before = story.events.length;
      const outcome = story.attempt(launch({ by: human, from: home, to, ships: SHIPS, mission }));
      t.equal(!isRefusal(outcome), ADMITTED[mission].includes(target), `${name} is admitted or refused`);
      if (isRefusal(outcome)) continue;
      story.advance(SECOND_MS);
      const loaded = loadRows(story.engine.snapshotRows());
      const launched = story.events.slice(before);
      const commands = meanwhile(scene, outcome);
      for (const command of commands) story.does(command);
      story.advance(MINUTE_MS * 60);
      t.same(heardIn(story.events.slice(before)), heard, name);
      const events = [...launched];
      const startMs = outcome.launchedAtMs + SECOND_MS;
      for (const command of commands) loaded.apply(startMs, command, events);
      loaded.apply(story.nowMs, { type: 'advance_time' }, events);
      t.same(heardIn(events), heard, `${name}, in a world that was loaded`);
    }
  });
}

function heardIn(events: readonly WorldEvent[]): string[] {
  return events
    .filter(({ kind }) => kind.startsWith('incoming'))
    .map(({ kind, playerNumber }) => `${kind} to ${NAMES[playerNumber]}`);
}

t.test('who takes a planet hears of fleets in the order of launch, also in a loaded world', async (t) => {
  const { story, human, bot, home, foreign, free } = openScene();
  story.equip(foreign, { transport: 1 });
  const ships = { transport: 1 };
  // The player with the higher number is the first, and a world is loaded player by player.
  const fleets = [
    story.launch({ by: bot, from: foreign, to: free, ships, mission: 'transport' }),
    story.launch({ by: human, from: home, to: free, ships, mission: 'transport' }),
    story.launch({ by: human, from: home, to: foreign, ships, mission: 'transport' }),
  ];
  const loaded = loadRows(story.engine.snapshotRows());
  for (const command of [create('heir', true), colonize({ number: 3 }, free)]) {
    story.does(command);
    loaded.apply(story.nowMs, command);
  }
  const warned = story.events.slice(-2).map((event) => (event.kind === 'incoming_fleet' ? event.fleetNumber : null));
  t.same(
    warned,
    fleets.slice(0, 2).map(({ number }) => number),
  );
  t.equal(loaded.stateHash(), story.engine.stateHash());
});

t.test('a colony ship that comes too late is seen by the rules of espionage, as any other fleet', async (t) => {
  const { story, human, bot, home, free } = openScene({ rules: PARTS_RULES.text });
  const words = { by: human, from: home, to: free, ships: SHIPS, mission: 'colonize' } as const;
  const fleet = story.does({ ...launch(words), ships: partsShips(SHIPS) });
  // Each level counts as two of anti_spy; a new colony has none of its own.
  bot.setResearchLevel(partsPosition('research', 'sensors'), 1);
  story.does(colonize(bot, free));
  t.match(story.events.at(-1), {
    kind: 'incoming_fleet',
    playerNumber: bot.number,
    fleetNumber: fleet.number,
    senderNumber: human.number,
    mission: MISSIONS.indexOf('colonize'),
    shipCount: 3,
    ships: null,
    arrivesAtMs: fleet.arrivesAtMs,
  });
});
