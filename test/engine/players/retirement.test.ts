// Retiring players: what ends with them, what becomes free, and that nothing of it depends on whether the world was loaded or
// replayed. When players were last active is kept beside the state.
import t from 'tap';
import type { WorldCommand } from '../../../engine/commands/table.js';
import type { Engine } from '../../../engine/engine.js';
import { inactivePlayers } from '../../../engine/queries/players.js';
import { isState, ROW_KINDS, type Row } from '../../../engine/rows/world-rows.js';
import { ruleSetText } from '../../../engine/rules/rule-set.js';
import { NON_AGGRESSION } from '../../../engine/terms/pacts.js';
import type { Player } from '../../../engine/world/player-table.js';
import type { ReadonlyPlayer } from '../../../engine/world/state.js';
import {
  build,
  cancelShips,
  cancelUpgrade,
  colonize,
  construct,
  create,
  grant,
  keep,
  type Numbered,
  offer,
  recall,
  research,
  secondStarter,
  take,
  upgrade,
  withdraw,
} from '../../support/command-words.js';
import { fullScene } from '../../support/full-scene.js';
import { TRADING } from '../../support/market-rules.js';
import { WITH_PACTS } from '../../support/pact-rules.js';
import { PLANNED_RULES, putPlan, researchStep } from '../../support/planned-rules.js';
import { settleBots } from '../../support/random-play.js';
import { SPOKEN_RULES } from '../../support/spoken-rules.js';
import { SUPPORTED } from '../../support/supported-rules.js';
import {
  DAY_MS,
  HOUR_MS,
  loadRows,
  MINUTE_MS,
  openScene,
  PLENTY,
  replay,
  SECOND_MS,
  WorldStory,
  written,
} from '../../support/world-story.js';

const retire = (...players: readonly Numbered[]) =>
  ({ type: 'retire_players', playerNumbers: players.map(({ number }) => number) }) as const;

/** The engine that a snapshot of another one leads to. */
function fromSnapshot(engine: Engine): Engine {
  return loadRows(written([...engine.snapshotRows()]));
}

t.test('everything of a player ends with it', async (t) => {
  const { story, human, bot, home, foreign } = openScene();
  const { world } = story;
  const colony = story.colony(human, home);
  story.does(upgrade(home, 'iron_mine'));
  story.does(build(home, 'scout', 2));
  story.does(build(home, 'scout', 3));
  story.does(research(human, 'drive_ion'));
  story.does(keep(human, 'digest', 'reply'));
  story.does(keep(bot, 'digest', 'of another'));
  story.does({ type: 'rotate_key', playerNumber: human.number, keyHash: 'hash', validMs: null, oldKeyValidMs: 0 });
  story.launch({ by: human, from: home, to: foreign, ships: { scout: 1 }, mission: 'espionage' });
  const returning = story.launch({ by: human, from: home, to: colony, ships: { transport: 1 }, mission: 'transport' });
  story.advance(SECOND_MS);
  story.does(recall(human, returning));
  const { ownersVersion } = world.planets;
  const keys = human.planets.map(({ key }) => key);
  const { name } = human;
  const [retired] = story.does(retire(human));
  t.match(retired, { number: human.number, name, isBot: false, planetCount: keys.length, fleetCount: 2 });
  t.same(
    [world.players.get(human.number), world.humanNumber, world.fleets.size, world.timers.size],
    [undefined, 0, 0, 0],
  );
  for (const key of keys) t.notOk(world.planets.has(key));
  t.equal(world.planets.size, bot.planets.length);
  t.equal(world.planets.ownersVersion, ownersVersion + keys.length);
  t.equal(world.planets.removedSeq, story.engine.seq);
  t.equal(world.keyHolders.numberOf(world.players, 'hash'), 0);
  t.equal(world.keptReplies.find(human.number, 'digest'), undefined);
  t.equal(world.keptReplies.find(bot.number, 'digest')?.reply, 'of another');
  t.equal(world.keptReplies.count, 1);
  t.same(world.leaderboard.first(9), [bot.number]);
  t.equal(world.playerCount, 1);
  t.same(
    story.events.slice(-2).map(({ kind, playerNumber }) => [kind, playerNumber]),
    [
      ['incoming_fleet_gone', bot.number],
      ['player_retired', human.number],
    ],
  );
  for (const command of [research(human, 'drive_ion'), secondStarter(human), retire(human), retire(human, bot)]) {
    t.equal(story.refusal(command).code, 'player_not_found', command.type);
  }
  const [key = -1] = keys;
  t.equal(story.refusal(construct({ key }, 'anti_spy')).code, 'not_owner');
});

t.test('a name and the place of the human are free again, and a number is not', async (t) => {
  const story = new WorldStory();
  const [ada, bob] = [story.human('Ada'), story.bot('Bob')];
  story.does(retire(ada, bob));
  t.equal(story.world.playerCount, 0);
  const loaded = fromSnapshot(story.engine);
  t.equal(loaded.stateHash(), story.engine.stateHash());
  t.equal(loaded.world.lastPlayerNumber, 2, 'the counter survives the last player');
  const outcomes = [create('Bob', true), create('Eve', false)].map((command) => {
    const player = story.does(command);
    loaded.apply(story.nowMs, command);
    return [player.number, player.name, player.isBot];
  });
  t.same(outcomes, [
    [3, 'Bob', true],
    [4, 'Eve', false],
  ]);
  t.equal(loaded.stateHash(), story.engine.stateHash());
});

t.test('a planet that is free again begins anew for its next owner, and its row is used again', async (t) => {
  const { story, human, bot, foreign } = openScene();
  const { key, row } = foreign;
  story.equip(foreign, { fighter: 5 });
  story.does(construct(foreign, 'anti_spy'));
  story.does(retire(bot));
  const again = story.does(colonize(human, { key }));
  t.equal(again.ownerNumber, human.number);
  t.same([again.upgrade, again.orders], [null, []]);
  t.ok(again.ships.every((count) => count === 0));
  t.equal(story.stock(again, 'iron'), 0);
  t.ok(again.row <= row);
  t.equal(replay(story.entries).stateHash(), story.engine.stateHash());
});

t.test('fleets of others find nobody there, and a colony ship takes the planet', async (t) => {
  const { story, human, bot, home, foreign } = openScene();
  const { key } = foreign;
  const send = (mission: 'attack' | 'transport' | 'espionage') =>
    story.launch({
      by: human,
      from: home,
      to: foreign,
      ships: { scout: 1, transport: 1 },
      mission,
      cargo: { iron: 5 },
    });
  const fleets = [send('attack'), send('transport'), send('espionage')];
  story.does(retire(bot));
  const settler = story.launch({ by: human, from: home, to: { key }, ships: { colony_ship: 1 }, mission: 'colonize' });
  story.advanceTo(Math.max(...fleets.map(({ returnsAtMs }) => returnsAtMs ?? 0), settler.arrivesAtMs));
  t.equal(human.reports.length, 0);
  t.equal(story.world.fleets.size, 0);
  t.equal(story.world.planets.get(key)?.ownerNumber, human.number);
});

t.test('reports of others about a retired player stay, and are loaded', async (t) => {
  const { story, human, bot } = fullScene();
  const before = bot.reports.length;
  t.ok(before > 0);
  story.does(retire(human));
  t.equal(bot.reports.length, before);
  const loaded = fromSnapshot(story.engine);
  t.equal(loaded.stateHash(), story.engine.stateHash());
  t.equal(loaded.world.players.get(bot.number)?.reports.length, before);
});

t.test(
  'newcomers start where retired players started, the last one first, and a full universe has room again',
  async (t) => {
    const story = new WorldStory({ systemsPerGalaxy: 1 });
    story.does({ type: 'create_players', count: 10_000, namePrefix: 'bot', keyHashes: [], namePrefixKey: 'bot' });
    const another = (name: string) => story.does(create(name, true)).planets[0]?.key;
    t.equal(story.refusal(create('late', true)).code, 'universe_full');
    const leavers = [5, 70, 300].map((number) => story.world.players.get(number) as ReadonlyPlayer);
    const freed = leavers.map(({ planets }) => planets[0]?.key);
    story.does(retire(...leavers));
    const loaded = fromSnapshot(story.engine);
    t.same([another('a'), another('b')], [freed[2], freed[1]]);
    // A colonist takes the last free one.
    const [somebody] = [...story.world.players.values()];
    story.does(colonize(somebody as Numbered, { key: freed[0] as number }));
    t.equal(story.refusal(create('late', true)).code, 'universe_full');
    for (const command of [
      create('a', true),
      create('b', true),
      colonize(somebody as Numbered, { key: freed[0] as number }),
    ]) {
      loaded.apply(story.nowMs, command);
    }
    t.equal(loaded.stateHash(), story.engine.stateHash());
    t.equal(replay(story.entries).stateHash(), story.engine.stateHash(), 'the refusals in between made no difference');
  },
);

t.test('places of colonies do not become places of starters', async (t) => {
  const story = new WorldStory();
  const player = story.bot('settler');
  const [home] = player.planets;
  if (home === undefined) throw new Error('no home');
  const homeKey = home.key;
  story.colony(player, home);
  story.does(retire(player));
  t.equal(story.bot('next').planets[0]?.key, homeKey);
  const elsewhere = new WorldStory();
  elsewhere.bot('settler');
  t.equal(
    story.bot('third').planets[0]?.key,
    elsewhere.bot('second').planets[0]?.key,
    'the search goes on where it was',
  );
});

/** Worth the same. */
const FAIR = { give: { iron: 600 }, want: { silver: 400 } } as const;

const propose = (one: Player, other: Player) =>
  ({
    type: 'propose_pact',
    playerNumber: one.number,
    partnerNumber: other.number,
    kind: NON_AGGRESSION,
    durationMs: DAY_MS,
  }) as const;

/** Switches to rules with pacts first. */
function withPacts<C extends WorldCommand>(story: WorldStory, command: C): C {
  story.does({ type: 'switch_rules', rules: ruleSetText(WITH_PACTS) });
  return command;
}

/** The human answers a proposal of the bot. */
function answered(type: 'accept_pact' | 'decline_pact', story: WorldStory, human: Player, bot: Player) {
  const { number: pactNumber } = story.does(withPacts(story, propose(bot, human)));
  return { type, playerNumber: human.number, pactNumber };
}

/** For each command what a player does and whether it then counts as active. A new command does not compile without a row. */
type Deed = (scene: ReturnType<typeof openScene>) => WorldCommand;
const ACTIVE: Readonly<Record<WorldCommand['type'], readonly [deed: Deed, isActive: boolean] | null>> = {
  create_second_starter: [({ human }) => secondStarter(human), true],
  colonize_planet: [({ human, free }) => colonize(human, free), true],
  construct_building: [({ home }) => construct(home, 'planetary_shield'), true],
  upgrade_building: [({ home }) => upgrade(home, 'iron_mine'), true],
  cancel_building: [
    ({ story, home }) => {
      story.does(upgrade(home, 'iron_mine'));
      story.advance(SECOND_MS);
      return cancelUpgrade(home, story.world.lastQueueNumber);
    },
    true,
  ],
  build_ships: [({ home }) => build(home, 'scout', 1), true],
  cancel_ships: [
    ({ story, home }) => {
      story.does(build(home, 'scout', 1));
      story.advance(SECOND_MS);
      return cancelShips(home, 'scout');
    },
    true,
  ],
  start_research: [({ human }) => research(human, 'drive_ion'), true],
  launch_fleet: [
    ({ story, human, home, foreign }) => {
      const words = { by: human, from: home, to: foreign, ships: { scout: 1 }, mission: 'espionage' } as const;
      const { number: playerNumber, fleets } = human;
      story.launch(words);
      const { originKey, targetKey, ships, mission, cargo } = fleets.at(-1) ?? story.launch(words);
      story.advance(SECOND_MS);
      return {
        type: 'launch_fleet',
        playerNumber,
        originKey,
        targetKey,
        ships: [...ships],
        mission,
        cargo: [...cargo],
        drive: null,
      };
    },
    true,
  ],
  put_plan: [
    ({ story, home }) => {
      story.does({ type: 'switch_rules', rules: PLANNED_RULES.text });
      return putPlan(home, [researchStep('drive_ion')]);
    },
    true,
  ],
  dismiss_fleet: [
    ({ story, human, bot, home, foreign }) => {
      story.equip(foreign, { scout: 1 });
      story.does({ type: 'switch_rules', rules: ruleSetText(SUPPORTED) });
      const fleet = story.launch({ by: bot, from: foreign, to: home, ships: { scout: 1 }, mission: 'support' });
      story.advanceTo(fleet.arrivesAtMs);
      return { type: 'dismiss_fleet', playerNumber: human.number, fleetNumber: fleet.number };
    },
    true,
  ],
  send_message: [
    ({ story, human, bot }) => {
      story.does({ type: 'switch_rules', rules: SPOKEN_RULES.text });
      return { type: 'send_message', playerNumber: human.number, receiverNumber: bot.number, text: 'hello' };
    },
    true,
  ],
  block_player: [
    ({ story, human, bot }) => {
      story.does({ type: 'switch_rules', rules: SPOKEN_RULES.text });
      return { type: 'block_player', playerNumber: human.number, blockedNumber: bot.number, isBlocked: true };
    },
    true,
  ],
  make_offer: [
    ({ story, human, home }) => {
      story.does({ type: 'switch_rules', rules: ruleSetText(TRADING) });
      return offer({ by: human, from: home, ...FAIR });
    },
    true,
  ],
  take_offer: [
    ({ story, human, bot, home, foreign }) => {
      story.does({ type: 'switch_rules', rules: ruleSetText(TRADING) });
      story.grant(foreign, PLENTY);
      return take(human, story.does(offer({ by: bot, from: foreign, ...FAIR })), home);
    },
    true,
  ],
  withdraw_offer: [
    ({ story, human, home }) => {
      story.does({ type: 'switch_rules', rules: ruleSetText(TRADING) });
      const made = story.does(offer({ by: human, from: home, ...FAIR }));
      story.advance(SECOND_MS);
      return withdraw(human, made);
    },
    true,
  ],
  propose_pact: [({ story, human, bot }) => withPacts(story, propose(human, bot)), true],
  accept_pact: [({ story, human, bot }) => answered('accept_pact', story, human, bot), true],
  decline_pact: [({ story, human, bot }) => answered('decline_pact', story, human, bot), true],
  cancel_pact: [
    ({ story, human, bot }) => {
      const { number } = story.does(withPacts(story, propose(human, bot)));
      story.advance(SECOND_MS);
      return { type: 'cancel_pact', playerNumber: human.number, pactNumber: number };
    },
    true,
  ],
  recall_fleet: [
    ({ story, human, home, foreign }) => {
      const fleet = story.launch({ by: human, from: home, to: foreign, ships: { scout: 1 }, mission: 'espionage' });
      story.advance(SECOND_MS);
      return recall(human, fleet);
    },
    true,
  ],
  rotate_key: [
    ({ human }) => ({ type: 'rotate_key', playerNumber: human.number, keyHash: 'h', validMs: null, oldKeyValidMs: 0 }),
    true,
  ],
  revoke_keys: [({ human }) => ({ type: 'revoke_keys', playerNumber: human.number }), false],
  grant_resources: [({ home }) => grant(home, PLENTY), false],
  keep_reply: [({ human }) => keep(human, 'digest', 'reply'), false],
  retire_players: [({ bot }) => retire(bot), false],
  advance_time: [() => ({ type: 'advance_time' }), false],
  create_players: [
    () => ({ type: 'create_players', count: 1, namePrefix: 'bot', keyHashes: [], namePrefixKey: 'bot' }),
    false,
  ],
  create_player: [() => create('another', true), false],
  // It comes once in the life of a world, from the program itself.
  // It needs other rules, and is the operator's like a grant.
  switch_rules: null,
  pause_clock: [() => ({ type: 'pause_clock' }), false],
  resume_clock: [() => ({ type: 'resume_clock', lagMs: 5 }), false],
  suspend_player: [({ human }) => ({ type: 'suspend_player', playerNumber: human.number }), false],
  resume_player: [({ human }) => ({ type: 'resume_player', playerNumber: human.number }), false],
  rename_player: [
    ({ human }) => ({ type: 'rename_player', playerNumber: human.number, name: 'Eve', nameKey: 'Eve' }),
    false,
  ],
  announce: [() => ({ type: 'announce', text: 'hello', lastsMs: null }), false],
  set_speed: [() => ({ type: 'set_speed', speedThousandths: 2_000 }), false],
};

for (const [type, row] of Object.entries(ACTIVE)) {
  if (row === null) continue;
  const [deed, isActive] = row;
  t.test(`${type} ${isActive ? 'counts' : 'does not count'} as activity`, async (t) => {
    const scene = openScene();
    const { story, human } = scene;
    story.advance(HOUR_MS);
    const command = deed(scene);
    const lastActiveMs = () => story.world.players.get(human.number)?.lastActiveMs;
    const before = lastActiveMs();
    t.not(before, story.nowMs);
    story.does(command);
    t.equal(lastActiveMs(), isActive ? story.nowMs : before);
  });
}

t.test('timers, refusals and reads do not count as activity, and a creation does', async (t) => {
  const story = new WorldStory();
  story.advance(MINUTE_MS);
  const player = story.bot('ada');
  const createdMs = story.nowMs;
  t.equal(player.lastActiveMs, createdMs);
  story.does(research(player, 'drive_ion'));
  story.advance(HOUR_MS);
  t.equal(story.refusal(research({ number: 99 }, 'drive_ion')).code, 'player_not_found');
  t.equal(player.lastActiveMs, createdMs);
  const inactiveNumbers = (sinceMs: number) => inactivePlayers(story.world, sinceMs).map(({ number }) => number);
  t.same(inactiveNumbers(createdMs), [player.number]);
  t.same(inactiveNumbers(createdMs - 1), []);
});

t.test('activity survives a replay and a snapshot, and is not in the hash', async (t) => {
  const story = new WorldStory();
  settleBots(story, 2_500);
  story.advance(HOUR_MS);
  for (const number of [1, 7, 1_000, 1_001, 2_500]) {
    story.does(research({ number }, 'drive_ion'));
    story.advance(SECOND_MS);
  }
  story.does(retire({ number: 2_000 }));
  const { engine } = story;
  const lastActive = ({ world }: Engine) => [...world.players.values()].map((player) => player.lastActiveMs);
  const loaded = fromSnapshot(engine);
  t.same(lastActive(loaded), lastActive(engine));
  t.same(lastActive(replay(story.entries)), lastActive(engine));
  const rows = [...engine.snapshotRows()];
  t.equal(rows.filter(([kind]) => kind === ROW_KINDS.activity).length, 3);
  t.same(rows.filter(isState), [...engine.rows()]);
  t.equal(loaded.stateHash(), engine.stateHash());
});

t.test('a snapshot from before activity was kept counts everybody as active at its instant', async (t) => {
  const { story, human } = openScene();
  story.advance(HOUR_MS);
  story.does(grant(story.world.planets.get(human.planets[0]?.key ?? -1) as never, PLENTY));
  const loaded = loadRows([...story.engine.rows()]);
  const lastActiveMs = ({ world }: Engine) => world.players.get(human.number)?.lastActiveMs;
  t.equal(lastActiveMs(loaded), story.nowMs);
  t.same([...loaded.snapshotRows()], [...story.engine.rows()], 'a snapshot of it has no further rows');
  const laterMs = story.nowMs + HOUR_MS;
  loaded.apply(laterMs, { type: 'advance_time' });
  const again = fromSnapshot(loaded);
  t.equal(lastActiveMs(again), story.nowMs, 'and does not become active by being loaded again');
});

t.test('rows about retired players that contradict the world are refused', async (t) => {
  const { story, human, bot } = fullScene();
  story.advance(SECOND_MS);
  story.does(create('third', true));
  story.does(retire(human));
  const rows = written([...story.engine.snapshotRows()]);
  const place = (kind: number) => rows.findIndex((row) => row[0] === kind);
  const [retired, freed, activity] = [ROW_KINDS.retired, ROW_KINDS.freed_starter, ROW_KINDS.activity].map(place) as [
    number,
    number,
    number,
  ];
  t.ok(retired === 2 && freed > retired && activity === rows.length - 1);
  const lies: readonly (readonly [what: string, rows: readonly Row[], sentence: RegExp])[] = [
    ['no last number', rows.toSpliced(retired, 1), /nobody is retired/],
    ['two last numbers', rows.toSpliced(retired, 0, rows[retired] as Row), /two such rows/],
    ['a last number that is too low', rows.with(retired, [ROW_KINDS.retired, 2]), /number is 3/],
    [
      'a free planet of somebody',
      rows.with(freed, [ROW_KINDS.freed_starter, bot.planets[0]?.key ?? 0]),
      /listed as free/,
    ],
    ['a free planet twice', rows.toSpliced(freed, 0, rows[freed] as Row), /listed twice/],
    ['a free planet nowhere', rows.with(freed, [ROW_KINDS.freed_starter, 999_999_999]), /no planet/],
    ['activity of nobody', rows.with(activity, [ROW_KINDS.activity, 4, [1]]), /first player number is 4/],
    ['activity in the future', rows.with(activity, [ROW_KINDS.activity, 1, [0, 9e15]]), /after the world time/],
    ['a human that is retired', rows.with(0, (rows[0] as Row).with(8, 1)), /the human, player 1, is retired/],
  ];
  t.doesNotThrow(() => loadRows(rows));
  for (const [what, lie, sentence] of lies) t.throws(() => loadRows(lie), sentence, what);
});
