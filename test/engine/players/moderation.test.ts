// What the operator does to a single player: a suspension refuses its commands and makes its plans wait, while everything else goes on; a new
// name leaves the old one reserved. Nothing of it depends on whether the world was loaded or replayed.
import t, { type Test } from 'tap';
import type { WorldCommand } from '../../../engine/commands/table.js';
import { optionsOf } from '../../../engine/queries/options.js';
import { planOf } from '../../../engine/queries/plan.js';
import { FORMER_NAMES_PER_PLAYER_MAX } from '../../../engine/rules/record-limits.js';
import {
  build,
  cancelShips,
  cancelUpgrade,
  colonize,
  construct,
  create,
  grant,
  keep,
  launch,
  type Numbered,
  recall,
  research,
  secondStarter,
  upgrade,
} from '../../support/command-words.js';
import { PLANNED_RULES, putPlan, researchStep, upgradeStep } from '../../support/planned-rules.js';
import {
  firstPlanet,
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

const suspend = ({ number }: Numbered) => ({ type: 'suspend_player', playerNumber: number }) as const;
const resume = ({ number }: Numbered) => ({ type: 'resume_player', playerNumber: number }) as const;
const rename = ({ number }: Numbered, name: string, nameKey = name) =>
  ({ type: 'rename_player', playerNumber: number, name, nameKey }) as const;

/** The same world from its snapshot, and from its log. */
function requireSame(t: Test, story: WorldStory): void {
  const hash = story.engine.stateHash();
  t.equal(loadRows(written([...story.engine.snapshotRows()])).stateHash(), hash, 'loaded');
  t.equal(replay(story.entries).stateHash(), hash, 'replayed');
}

t.test('each command of a suspended player is refused, those of the operator are not', async (t) => {
  const { story, human, bot, home, foreign, free } = openScene({ rules: PLANNED_RULES.text });
  story.does(upgrade(home, 'iron_mine'));
  story.does(build(home, 'scout', 2));
  const fleet = story.launch({ by: human, from: home, to: foreign, ships: { scout: 1 }, mission: 'espionage' });
  story.does(suspend(human));
  t.equal(human.suspendedAtMs, story.nowMs);
  const send = launch({ by: human, from: home, to: foreign, ships: { scout: 1 }, mission: 'espionage' });
  const refused: readonly WorldCommand[] = [
    construct(home, 'anti_spy'),
    upgrade(home, 'silver_mine'),
    cancelUpgrade(home, home.upgrade?.queueNumber ?? 0),
    build(home, 'scout', 1),
    cancelShips(home, 'scout'),
    research(human, 'drive_ion'),
    send,
    recall(human, fleet),
    secondStarter(human),
    colonize(human, free),
    putPlan(home, [upgradeStep('silver_mine')]),
  ];
  const before = story.engine.stateHash();
  for (const command of refused) t.equal(story.refusal(command).code, 'player_suspended', command.type);
  t.equal(story.engine.stateHash(), before);
  // What does not exist, and what is not owned, comes before.
  t.equal(story.refusal(recall(human, { number: 99 })).code, 'fleet_not_found');
  t.equal(story.refusal({ ...send, originKey: foreign.key }).code, 'not_owner');
  t.equal(story.refusal(construct({ key: free.key }, 'anti_spy')).code, 'not_owner');
  story.does(grant(home, PLENTY));
  story.does(keep(human, 'digest', 'reply'));
  story.does({ type: 'rotate_key', playerNumber: human.number, keyHash: 'h', validMs: null, oldKeyValidMs: 0 });
  t.ok(optionsOf(story.world, home).every(({ refusal }) => refusal?.code === 'player_suspended'));
  // Others go on, and can attack it.
  story.does(research(bot, 'drive_ion'));
  story.does(resume(human));
  t.equal(human.suspendedAtMs, null);
  for (const command of [cancelShips(home, 'scout'), recall(human, fleet), research(human, 'drive_ion')])
    story.does(command);
  requireSame(t, story);
});

t.test('what a suspended player has begun goes on, and it produces', async (t) => {
  const { story, human, home, foreign } = openScene();
  story.does(upgrade(home, 'iron_mine'));
  story.does(research(human, 'drive_ion'));
  const fleet = story.launch({ by: human, from: home, to: foreign, ships: { scout: 1 }, mission: 'espionage' });
  const other = openScene();
  other.story.does(upgrade(other.home, 'iron_mine'));
  other.story.does(research(other.human, 'drive_ion'));
  other.story.launch({
    by: other.human,
    from: other.home,
    to: other.foreign,
    ships: { scout: 1 },
    mission: 'espionage',
  });
  story.does(suspend(human));
  for (const { story: played } of [{ story }, other]) played.advance(24 * HOUR_MS);
  t.notOk(story.world.fleets.has(fleet.number));
  t.same(home.levels, other.home.levels);
  t.same(human.researchLevels, other.human.researchLevels);
  story.does(resume(human));
  for (const { story: played, home: planet } of [{ story, home }, other]) played.does(grant(planet, { iron: 1 }));
  t.same(home.stock, other.home.stock);
  requireSame(t, story);
});

t.test('the plans of a suspended player wait, and go on once it is resumed', async (t) => {
  const { story, human, home } = openScene({ rules: PLANNED_RULES.text });
  story.does(
    putPlan(home, [
      upgradeStep('iron_mine'),
      upgradeStep('silver_mine'),
      researchStep('drive_ion'),
      researchStep('drive_ion'),
    ]),
  );
  story.does(suspend(human));
  const lanes = () => planOf(story.world, home, story.nowMs).lanes.map(({ state, refusal }) => [state, refusal?.code]);
  t.same(lanes(), [
    ['blocked', 'player_suspended'],
    ['empty', undefined],
    ['blocked', 'player_suspended'],
    ['empty', undefined],
  ]);
  const started = () => story.events.filter(({ kind }) => kind === 'plan_step_started').length;
  t.equal(started(), 2);
  story.advance(48 * HOUR_MS);
  t.equal(started(), 2, 'no further step has started');
  t.equal(story.world.timers.size, 0, 'nothing is pending');
  t.notOk(story.events.some(({ kind }) => kind === 'plan_step_blocked' || kind === 'plan_step_skipped'));
  story.does(resume(human));
  t.equal(started(), 4);
  t.equal(home.upgrade?.startedAtMs, story.nowMs);
  requireSame(t, story);
});

t.test(
  'a step that production would have covered starts at the resumption, and no timer of a lane is left before',
  async (t) => {
    const story = new WorldStory({ rules: PLANNED_RULES.text });
    const player = story.bot('Ada');
    const home = firstPlanet(player);
    story.does(
      putPlan(
        home,
        Array.from({ length: 30 }, () => upgradeStep('iron_mine')),
      ),
    );
    let waitsMs = 0;
    while (waitsMs === 0 && story.world.timers.size > 0) {
      waitsMs = story.world.plans.get(home.row)?.deadlinesMs[0] ?? 0;
      if (waitsMs === 0) story.advanceTo(story.engine.nextDeadlineMs());
    }
    t.ok(waitsMs > story.nowMs, 'a lane waits for production');
    story.does(suspend(player));
    t.equal(story.world.timers.size, 0);
    story.advance(240 * HOUR_MS);
    story.does(resume(player));
    t.equal(home.upgrade?.startedAtMs, story.nowMs);
    requireSame(t, story);
  },
);

t.test('a second suspension, and a second resumption, change nothing; a retired player has neither', async (t) => {
  const story = new WorldStory();
  const [ada, bob] = [story.bot('Ada'), story.bot('Bob')];
  story.does(resume(ada));
  story.does(suspend(ada));
  const sinceMs = story.nowMs;
  const count = story.events.length;
  story.advance(MINUTE_MS);
  story.does(suspend(ada));
  t.equal(ada.suspendedAtMs, sinceMs);
  t.equal(story.events.length, count);
  story.does({ type: 'retire_players', playerNumbers: [ada.number, bob.number] });
  for (const command of [suspend(ada), resume(ada), rename(bob, 'Eve')])
    t.equal(story.refusal(command).code, 'player_not_found');
  const eve = story.bot('Eve');
  t.equal(eve.suspendedAtMs, null);
  requireSame(t, story);
});

t.test('a name before is reserved for its player, and finds it', async (t) => {
  const story = new WorldStory();
  const [ada, bob] = [story.bot('Ada'), story.bot('Bob')];
  const { ownersVersion } = story.world.planets;
  const { version } = story.world.leaderboard;
  story.does(rename(ada, 'Eve'));
  t.same([ada.name, ada.nameKey, ada.formerNames], ['Eve', 'Eve', [{ name: 'Ada', nameKey: 'Ada' }]]);
  t.equal(firstPlanet(ada).changedSeq, story.engine.seq, 'its planets show its name');
  t.not(story.world.planets.ownersVersion, ownersVersion);
  t.not(story.world.leaderboard.version, version);
  for (const name of ['Ada', 'Eve']) {
    const { code, facts } = story.refusal(rename(bob, name));
    t.equal(code, 'name_taken');
    t.match(facts, { owner: { id: 'player-1', name: 'Eve' } });
    t.equal(story.world.namedNumbers.numberOf(name), ada.number);
  }
  // A look-alike of the name before, which another program asks for.
  const { facts } = story.refusal({ ...create('Ad\u0430', true), nameKey: 'Ada' });
  t.match(facts, { reason: 'The name looks like that of player-1.' });
  t.throws(() => story.does(create('Ada', true)), /already exists/, 'whoever creates the name gets its player');
  t.equal(
    story.does({ type: 'create_players', count: 1, namePrefix: 'x', keyHashes: [], namePrefixKey: 'x' }).players.length,
    1,
  );
  story.does(rename(ada, 'Ada'));
  t.same([ada.name, ada.formerNames.map(({ name }) => name)], ['Ada', ['Eve']], 'it may have it again');
  story.does(rename(ada, 'AdaX', 'Ada'));
  t.same(
    ada.formerNames.map(({ name }) => name),
    ['Eve', 'Ada'],
    'also one that looks like its own',
  );
  requireSame(t, story);
  const loaded = loadRows(written([...story.engine.snapshotRows()]));
  for (const name of ['Ada', 'Eve']) t.equal(loaded.world.namedNumbers.numberOf(name), ada.number);
  story.does({ type: 'retire_players', playerNumbers: [ada.number] });
  for (const name of ['Ada', 'Eve'])
    t.equal(story.world.namedNumbers.numberOf(name), 0, 'the names of a retired player are free');
  for (const name of ['Ada', 'Eve']) story.bot(name);
  requireSame(t, story);
});

t.test('a player has a limited number of names', async (t) => {
  const story = new WorldStory();
  const ada = story.bot('Ada');
  for (let index = 1; index <= FORMER_NAMES_PER_PLAYER_MAX; index += 1) story.does(rename(ada, `name-${index}`));
  const { code, facts } = story.refusal(rename(ada, 'one more'));
  t.equal(code, 'limit_reached');
  t.match(facts, { limit: { name: 'FORMER_NAMES_PER_PLAYER_MAX', maximum: FORMER_NAMES_PER_PLAYER_MAX } });
  story.does(rename(ada, 'Ada'));
  t.equal(ada.formerNames.length, FORMER_NAMES_PER_PLAYER_MAX, 'it may have one of them again');
  requireSame(t, story);
});

t.test('an announcement replaces the one before, until it is withdrawn', async (t) => {
  const story = new WorldStory();
  story.does({ type: 'announce', text: 'one', lastsMs: null });
  story.advance(SECOND_MS);
  story.does({ type: 'announce', text: 'two', lastsMs: MINUTE_MS });
  t.same(story.world.announcement, { text: 'two', atMs: story.nowMs, untilMs: story.nowMs + MINUTE_MS });
  requireSame(t, story);
  story.does({ type: 'announce', text: null, lastsMs: null });
  t.equal(story.world.announcement, null);
  requireSame(t, story);
});
