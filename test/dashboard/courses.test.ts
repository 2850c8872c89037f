// Courses end at the instant of the numbers beside them, whichever of both was read later.
import t from 'tap';
import { coursesUntil } from '../../dashboard/world/courses.js';

const AT = ['2000-01-01T00:00:00.000Z', '2000-01-01T01:00:00.000Z', '2000-01-01T02:00:00.000Z'] as const;
const [, second, third] = AT.map((at) => Date.parse(at)) as [number, number, number];
const courses = {
  samples: [...AT],
  players: [
    { id: 'player-1', name: 'ada', isBot: false, points: [1, 2, 3] },
    { id: 'player-2', name: 'bob', isBot: false, points: [null, 5, 6] },
  ],
};

t.test('later samples are left out, and the points of the instant are the last ones', async (t) => {
  const players = [
    { id: 'player-2', name: 'bob', points: 50 },
    { id: 'player-3', name: 'new', points: 7 },
  ];
  t.same(coursesUntil(courses, players, second), {
    times: [Date.parse(AT[0]), second],
    players: [
      { id: 'player-2', name: 'bob', points: [null, 50] },
      { id: 'player-3', name: 'new', points: [null, 7] },
    ],
  });
  t.same(
    coursesUntil(courses, [{ id: 'player-1', name: 'ada', points: 9 }], third + 1).players[0]?.points,
    [1, 2, 3, 9],
  );
});

t.test('before the course is read there is only the instant', async (t) => {
  t.same(coursesUntil(null, [{ id: 'player-1', name: 'ada', points: 9 }], third), {
    times: [third],
    players: [{ id: 'player-1', name: 'ada', points: [9] }],
  });
});
