// Commands at a fixed rate, while nobody reads events, while every player is read at the leader, and at one or two standbys. In
// turn, so that each round has its own ratio.
import type { Latencies } from '../../../bench/end-to-end/load.js';
import { type Failures, failuresOf, medianLatencies } from '../../../bench/end-to-end/side-by-side.js';
import type { ChildServer } from '../../../bench/processes/child-server.js';
import { median, pairedRatio } from '../../../bench/reports/statistics.js';
import { type EventLatencies, eventLatencies } from '../../../bench/websocket/event-latencies.js';
import { measureOfferedCalls, type OfferedCallResult } from '../../../bench/websocket/offered-calls.js';
import type { ReadingsOfStay, ReadWorld } from '../../../bench/websocket/read-world.js';
import { READER_FORMS } from '../../../bench/websocket/reader-forms.js';
import { READER_CONNECTIONS } from './limits.js';

export const PLACES = ['nowhere', 'at the leader', 'at one standby', 'at two standbys'] as const;
export type Place = (typeof PLACES)[number];

export interface FanOutReading extends Failures {
  readonly readers: Place;
  /** Of commands at the leader, from when each was due. */
  readonly commands: Latencies;
  /** Median of the rounds' own ratios of p99 to p99 without readers. */
  readonly p99Ratio: number;
  readonly answeredPerSecond: number;
  /** Null without readers. What is begun at the end of a round is undone, so there are more events than offered commands. */
  readonly events: (EventLatencies & { readonly received: number }) | null;
  /** Cores that the leader used. */
  readonly leaderCores: number;
  /** Accepted commands without an event at a reader, over all rounds. */
  readonly missing: number;
}

interface Round {
  readonly offered: OfferedCallResult;
  readonly read: readonly ReadingsOfStay[];
  readonly leaderCores: number;
}

interface FanOutOptions {
  readonly world: ReadWorld;
  readonly standbys: readonly ChildServer[];
  readonly rounds: number;
  readonly seconds: number;
  readonly ratePerSecond: number;
  readonly onRound: () => void;
}

export async function fanOut(options: FanOutOptions): Promise<FanOutReading[]> {
  const all = PLACES.map((): Round[] => []);
  for (let round = 0; round < options.rounds; round += 1) {
    for (const [index, place] of PLACES.entries()) all[index]?.push(await measureRound(options, place));
    options.onRound();
  }
  const p99s = (index: number): number[] => (all[index] ?? []).map(({ offered }) => offered.p99Ms);
  return PLACES.map((readers, index): FanOutReading => {
    const own = all[index] ?? [];
    const accepted = own.reduce((sum, { offered }) => sum + offered.accepted, 0);
    const eventCount = own.flatMap(({ read }) => read).reduce((sum, one) => sum + one.eventCount, 0);
    return {
      readers,
      commands: medianLatencies(own.map(({ offered }) => offered)),
      p99Ratio: pairedRatio(p99s(index), p99s(0)),
      answeredPerSecond: median(own.map(({ offered }) => offered.answeredPerSecond)),
      events: readers === 'nowhere' ? null : eventsOf(own),
      leaderCores: median(own.map((round) => round.leaderCores)),
      missing: readers === 'nowhere' ? 0 : accepted - eventCount,
      ...failuresOf(own.map(({ offered }) => offered)),
    };
  });
}

async function measureRound({ world, standbys, seconds, ratePerSecond }: FanOutOptions, place: Place): Promise<Round> {
  const servers = { nowhere: [], 'at the leader': [world.server], 'at one standby': standbys.slice(0, 1) };
  const places = place === 'at two standbys' ? standbys.slice(0, 2) : servers[place];
  const connections = READER_FORMS.shared.connections(world.players(), READER_CONNECTIONS);
  const readers = await Promise.all(
    places.map(({ url }, at) => {
      const share = connections.filter((_, index) => index % places.length === at);
      return world.read(share, 1, url);
    }),
  );
  const before = world.server.processorSeconds() ?? Number.NaN;
  const offered = await measureOfferedCalls({ ...world.calls, ratePerSecond, seconds, keptOneIn: 1 });
  const leaderCores = ((world.server.processorSeconds() ?? Number.NaN) - before) / seconds;
  const read: ReadingsOfStay[] = [];
  for (const reader of readers) read.push(await world.leave(reader));
  // Those who read nothing still have to know where the next ones begin.
  if (places.length === 0) await world.skip();
  return { offered, read, leaderCores };
}

function eventsOf(rounds: readonly Round[]): FanOutReading['events'] {
  const latencies = rounds.map(({ offered, read }) =>
    eventLatencies(
      offered,
      read.flatMap(({ arrivals }) => arrivals),
    ),
  );
  const of = (pick: (one: EventLatencies) => number): number => median(latencies.map(pick));
  return {
    received: median(rounds.map(({ read }) => read.reduce((sum, one) => sum + one.eventCount, 0))),
    dueP50Ms: of(({ dueP50Ms }) => dueP50Ms),
    dueP99Ms: of(({ dueP99Ms }) => dueP99Ms),
    replyP50Ms: of(({ replyP50Ms }) => replyP50Ms),
    replyP99Ms: of(({ replyP99Ms }) => replyP99Ms),
  };
}
