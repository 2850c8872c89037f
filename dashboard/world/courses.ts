// Courses of points that end at the instant of another document, so that a chart never contradicts the numbers beside it. Pure.
import type { Shapes } from './api.js';

type Courses = Pick<Shapes['LeaderboardCourses'], 'samples' | 'players'>;

/** A player with its points at the instant at which its course ends. */
interface Present {
  readonly id: string;
  readonly name: string;
  readonly points: number;
}

export interface Course {
  readonly id: string;
  readonly name: string;
  /** One for each time; null if it was not kept. */
  readonly points: readonly (number | null)[];
}

/**
 * Ends courses at an instant: later samples are left out, and its points are the last ones.
 *
 * @param courses null before they are read
 * @param players whose courses are returned, in this order
 * @param atMs world time at which they have their points, in ms since 1970
 */
export function coursesUntil(courses: Courses | null, players: readonly Present[], atMs: number) {
  const known = (courses?.samples ?? []).map((sample) => Date.parse(sample));
  const count = known.filter((sampleMs) => sampleMs < atMs).length;
  const pointsOf = new Map(courses?.players.map(({ id, points }) => [id, points]));
  return {
    times: [...known.slice(0, count), atMs],
    players: players.map(({ id, name, points }): Course => {
      const past = Array.from({ length: count }, (_, index) => pointsOf.get(id)?.[index] ?? null);
      return { id, name, points: [...past, points] };
    }),
  };
}
