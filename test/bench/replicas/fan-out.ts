// Commands at a fixed rate, while nobody reads events, while every player is read at the leader, and at one or two standbys. In
// turn, so that each round has its own ratio.
import type { ChildServer } from '../../../bench/processes/child-server.js';
import { failuresIn, latencyCells, type Run, type Samples } from '../../../bench/runner/run.js';
import { measureOfferedCalls, type OfferedCallResult } from '../../../bench/sockets/call-loops.js';
import type { ReadersResult } from '../../../bench/sockets/event-readers.js';
import {
  type EventLatencies,
  eventLatencies,
  READER_FORMS,
  type ReadWorld,
} from '../../../bench/sockets/read-world.js';
import { READER_CONNECTIONS } from './limits.js';

const PLACES = ['nowhere', 'at the leader', 'at one standby', 'at two standbys'] as const;
type Place = (typeof PLACES)[number];

/** What is begun at the end of a round is undone, so there are more events than offered commands. */
interface Sample extends OfferedCallResult, EventLatencies {
  /** Events; NaN without readers. */
  readonly received: number;
  /** Accepted commands without an event at a reader. */
  readonly missing: number;
  /** Cores that the leader used. */
  readonly leaderCores: number;
}

interface FanOutOptions {
  readonly world: ReadWorld;
  readonly standbys: readonly ChildServer[];
  readonly rounds: number;
  readonly seconds: number;
  readonly ratePerSecond: number;
}

export function fanOut(run: Run, options: FanOutOptions): Promise<void> {
  const conclude = (measured: readonly Samples<Sample>[]) => {
    const table = run.table('events');
    for (const [index, samples] of measured.entries()) {
      const readers = PLACES[index] ?? '';
      const missing = samples.sum('missing');
      const cells = {
        'events are read': readers,
        ...latencyCells(samples.rounds, ['p50Ms', 'p99Ms'], 'command '),
        'ratio of p99': samples.ratio('p99Ms', measured[0]),
        ...{ 'answered/s': samples.median('answeredPerSecond'), events: samples.median('received') },
        ...{ 'event p50 ms': samples.median('dueP50Ms'), 'event p99 ms': samples.median('dueP99Ms') },
        ...{ 'cores of leader': samples.median('leaderCores'), 'lost events': missing },
      };
      table.add(cells, `commands while events are read ${readers}`, failuresIn(samples));
      if (missing !== 0) table.faults.push(`readers ${readers}: ${missing} events are missing`);
    }
  };
  const measure = (place: Place) => measureRound(options, place);
  return run.contest('events', PLACES, { rounds: options.rounds, measure, conclude });
}

async function measureRound({ world, standbys, seconds, ratePerSecond }: FanOutOptions, place: Place): Promise<Sample> {
  const servers = { nowhere: [], 'at the leader': [world.server], 'at one standby': standbys.slice(0, 1) };
  const places = place === 'at two standbys' ? standbys.slice(0, 2) : servers[place];
  const connections = READER_FORMS.shared.connections(world.players(), READER_CONNECTIONS);
  const readers = await Promise.all(
    places.map(({ url }, at) => {
      const share = connections.filter((_, index) => index % places.length === at);
      return world.read(share, 1, url);
    }),
  );
  const before = world.server.processorSeconds();
  const offered = await measureOfferedCalls({ ...world.calls, ratePerSecond, seconds, keptOneIn: 1 });
  const leaderCores = (world.server.processorSeconds() - before) / seconds;
  const read: ReadersResult[] = [];
  for (const reader of readers) read.push(await world.leave(reader));
  const latencies = eventLatencies(
    offered,
    read.flatMap(({ arrivals }) => arrivals),
  );
  const received = read.reduce((sum, one) => sum + one.eventCount, 0);
  if (places.length > 0)
    return { ...offered, ...latencies, received, missing: offered.accepted - received, leaderCores };
  // Those who read nothing still have to know where the next ones begin.
  await world.skip();
  return { ...offered, ...latencies, received: Number.NaN, missing: 0, leaderCores };
}
