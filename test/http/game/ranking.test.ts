// The order of all players, against a plain sort: any number of players, equal values, retired players, and changes between steps.
import t from 'tap';
import { Ranking } from '../../../http/game/ranking.js';
import { PLAYERS_PER_STEP } from '../../../http/limits.js';
import { Draws, drawSeed } from '../../support/process/draws.js';
import { begin } from '../support/serving.js';

t.test('players are ordered as a plain sort orders them', async (t) => {
  const draws = new Draws(drawSeed(t));
  const serving = await begin(t);
  const { world } = serving.world.engine;
  const values = new Map<number, number>();
  const ranking = new Ranking({ world, nowMs: () => 0, rankedBy: ({ number }) => values.get(number) ?? 0 });
  let players = 0;
  for (const added of [0, 1, 1, 1, 4, 120, PLAYERS_PER_STEP, 5_000]) {
    if (added > 0) await serving.play.bots(added, `swarm${players}`);
    players += added;
    for (let number = 1; number <= players; number += 1) values.set(number, draws.below(1 + players / 3));
    if (players > 3) await serving.admin.command(`/api/admin/player/player-${players - 1}/retire`);
    const expected = [...world.players.values()]
      .map(({ number }) => number)
      .sort((a, b) => (values.get(b) ?? 0) - (values.get(a) ?? 0) || a - b);
    const ranked = ranking.now();
    if (ranked === null) throw new Error('a small world is ranked at once');
    t.equal(ranked.count, expected.length);
    t.same(
      expected.map((_, position) => ranked.numberAt(position)),
      expected,
    );
    t.ok(expected.every((number, position) => ranked.rankOf(number) === position + 1));
    t.ok(
      expected.every((number, position) => ranked.positionAfter(values.get(number) ?? 0, number) === position + 1),
      'a position is found again by value and number',
    );
    t.equal(ranking.now(), ranked, 'nothing has changed, so it is not made again');
  }
});

t.test('a large world is ranked in short steps, and not again at once', async (t) => {
  const serving = await begin(t);
  await serving.play.bots(10_000, 'bot');
  const { world } = serving.world.engine;
  const rankedBy = ({ number }: { readonly number: number }): number => number;
  const ranking = new Ranking({ world, nowMs: () => 7, rankedBy, rankedAtOnceMax: 100 });
  t.equal(ranking.now(), null, 'who cannot wait gets none');
  let steps = 1;
  let ranked = ranking.step();
  for (; ranked === null; steps += 1) ranked = ranking.step();
  t.ok(steps > (10_000 * Math.log2(10_000)) / PLAYERS_PER_STEP, 'each step does a bounded part of it');
  t.equal(ranked.asOfMs, 7);
  t.equal(ranked.rankOf(10_000), 1);
  await serving.play.newcomer('late');
  t.equal(ranking.step(), ranked);
  t.equal(ranking.now(), ranked);
  t.equal(ranked.rankOf(10_001), null);
});
