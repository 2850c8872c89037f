// The seeded choices of bots: the same for the same seed, others for another seed, and evenly distributed.
import t from 'tap';
import { Random } from '../../arena/random.js';

const drawn = (random: Random): number[] => Array.from({ length: 8 }, () => random.below(1_000));

t.test('the same seed and name give the same choices, for ever', async (t) => {
  t.same(drawn(Random.of(7, 'Ada')), drawn(Random.of(7, 'Ada')));
  // Recorded numbers: recorded games depend on them.
  t.same(drawn(Random.of(7, 'Ada')), [265, 901, 276, 922, 945, 657, 849, 878]);
  t.notSame(drawn(Random.of(7, 'Ada')), drawn(Random.of(7, 'Bea')));
  t.notSame(drawn(Random.of(7, 'Ada')), drawn(Random.of(8, 'Ada')));
});

t.test('choices are evenly spread', async (t) => {
  const random = Random.of(1, 'Ada');
  const counts = new Array<number>(10).fill(0);
  for (let draw = 0; draw < 10_000; draw += 1) {
    const face = random.below(10);
    counts[face] = (counts[face] ?? 0) + 1;
  }
  t.ok(
    counts.every((count) => count > 850 && count < 1_150),
    counts.join(' '),
  );
  const hits = Array.from({ length: 1_000 }, () => random.chance(0.25)).filter(Boolean).length;
  t.ok(hits > 200 && hits < 300, `${hits} of 1000`);
});

t.test('picks and orders have each thing once', async (t) => {
  const random = Random.of(1, 'Ada');
  t.equal(random.pick([]), undefined);
  t.equal(random.pick(['one']), 'one');
  const shuffled = random.shuffled([1, 2, 3, 4, 5, 6, 7, 8]);
  t.notSame(shuffled, [1, 2, 3, 4, 5, 6, 7, 8]);
  t.same([...shuffled].sort(), [1, 2, 3, 4, 5, 6, 7, 8]);
});
