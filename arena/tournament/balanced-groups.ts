// Divides entrants into games of fewer players, so that all play equally many games, meet each other about equally often, and start about
// equally often in each place. It is a heuristic search, not a design of combinatorics: there are none for most numbers of entrants.
import { PLACE_SWAPS_PER_START, PLAYER_SWAPS_PER_ROUND } from '../limits.js';
import { Random } from '../random.js';

/** Games in which all entrants play equally often: as few as possible. */
export function gamesPerRound(entrants: number, playersPerGame: number): number {
  return entrants / greatestCommonDivisor(entrants, playersPerGame);
}

/**
 * The players of each game, in the order of their starts. Each round has gamesPerRound() of them.
 *
 * @param size players of a game, from 1 to the number of labels
 * @param seed the same seed gives the same games
 */
export function balancedGroups(labels: readonly string[], size: number, rounds: number, seed: string): string[][] {
  const random = new Random(seed);
  const meetings = new Meetings(labels.length);
  const games = gamesPerRound(labels.length, size);
  const drawn = Array.from({ length: rounds }, () => drawnGroups(games, size, meetings, random));
  for (let swap = 0; swap < rounds * PLAYER_SWAPS_PER_ROUND; swap += 1)
    trySwap(drawn[random.below(rounds)] as number[][], meetings, random);
  const groups = drawn.flat().map((group) => random.shuffled(group));
  evenPlaces(groups, labels.length, size, random);
  return groups.map((group) => group.map((entrant) => labels[entrant] as string));
}

/** How often each pair of entrants has met. */
class Meetings {
  readonly #counts: Uint16Array;
  readonly count: number;

  constructor(count: number) {
    this.count = count;
    this.#counts = new Uint16Array(count * count);
  }

  with(one: number, others: readonly number[]): number {
    let sum = 0;
    for (const other of others) sum += this.#counts[one * this.count + other] as number;
    return sum;
  }

  /**
   * Adds a meeting of an entrant with each other one of a group, or takes it away.
   *
   * @returns by how much the sum of the squares of all counts grows
   */
  change(one: number, group: readonly number[], by: 1 | -1): number {
    let growth = 0;
    for (const other of group) {
      if (other === one) continue;
      const cell = one * this.count + other;
      growth += 2 * by * (this.#counts[cell] as number) + 1;
      this.#counts[cell] = this.#counts[other * this.count + one] = (this.#counts[cell] as number) + by;
    }
    return growth;
  }
}

/** Fills one game after the other with those who have played least in this round, and of them with those who have met least. */
function drawnGroups(games: number, size: number, meetings: Meetings, random: Random): number[][] {
  const entrants = Array.from({ length: meetings.count }, (_, entrant) => entrant);
  const played = new Uint16Array(meetings.count);
  return Array.from({ length: games }, () => {
    const group: number[] = [];
    const order = random.shuffled(entrants);
    while (group.length < size) {
      const free = order.filter((entrant) => !group.includes(entrant));
      const least = Math.min(...free.map((entrant) => played[entrant] as number));
      const eager = free.filter((entrant) => played[entrant] === least);
      const met = eager.map((entrant) => meetings.with(entrant, group));
      const chosen = eager[met.indexOf(Math.min(...met))] as number;
      meetings.change(chosen, group, 1);
      group.push(chosen);
      played[chosen] = least + 1;
    }
    return group;
  });
}

/** Swaps two players of two games, unless meetings are less even then. */
function trySwap(groups: readonly number[][], meetings: Meetings, random: Random): void {
  const [one, other] = [groups[random.below(groups.length)], groups[random.below(groups.length)]];
  if (one === undefined || other === undefined) return;
  const [place, otherPlace] = [random.below(one.length), random.below(other.length)];
  const [leaving, coming] = [one[place] as number, other[otherPlace] as number];
  // Also if both are the same game.
  if (one.includes(coming) || other.includes(leaving)) return;
  const exchange = (out: number, back: number): number => {
    const growth = meetings.change(out, one, -1) + meetings.change(back, other, -1);
    [one[place], other[otherPlace]] = [back, out];
    return growth + meetings.change(back, one, 1) + meetings.change(out, other, 1);
  };
  if (exchange(leaving, coming) > 0) exchange(coming, leaving);
}

/** Orders the players of each game, so that each entrant starts about equally often in each place. */
function evenPlaces(groups: readonly number[][], entrants: number, size: number, random: Random): void {
  const counts = new Uint16Array(entrants * size);
  const add = (entrant: number, place: number, by: 1 | -1): number => {
    const cell = entrant * size + place;
    const growth = 2 * by * (counts[cell] as number) + 1;
    counts[cell] = (counts[cell] as number) + by;
    return growth;
  };
  for (const group of groups) for (const [place, entrant] of group.entries()) add(entrant, place, 1);
  for (let swaps = groups.length * size * PLACE_SWAPS_PER_START; swaps > 0; swaps -= 1) {
    const group = groups[random.below(groups.length)] as number[];
    const [place, otherPlace] = [random.below(size), random.below(size)];
    if (place === otherPlace) continue;
    const exchange = (): number => {
      const [one, other] = [group[place] as number, group[otherPlace] as number];
      [group[place], group[otherPlace]] = [other, one];
      return add(one, place, -1) + add(other, otherPlace, -1) + add(one, otherPlace, 1) + add(other, place, 1);
    };
    if (exchange() > 0) exchange();
  }
}

function greatestCommonDivisor(one: number, other: number): number {
  return other === 0 ? one : greatestCommonDivisor(other, one % other);
}
