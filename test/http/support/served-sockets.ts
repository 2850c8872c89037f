// The WebSockets of a game without a server: a test hands frames to them, and takes what they write.

import type { Test } from 'tap';
import { WorkQueue } from '../../../http/admission/work-queue.js';
import { ServedGame } from '../../../http/served-game.js';
import { ServerCounts } from '../../../http/server/request-counts.js';
import { Traffic } from '../../../http/server/traffic.js';
import { deskOf } from '../../../http/world-server.js';
import { MemoryOperatorRecords } from '../../../persistence/stores/operator-records.js';
import { NO_SCRUBS } from '../../../persistence/upkeep/scrubber.js';
import { begin } from './serving.js';

const notHere = () => {
  throw new Error('no test of frames needs it');
};

/** A game in memory, how to play it, and its WebSockets. */
export async function servedSockets(
  t: Test,
  onBug: (error: unknown) => void = notHere,
  begun: Parameters<typeof begin>[1] = {},
) {
  const { play, world } = await begin(t, begun);
  const { endpoints, sockets } = new ServedGame(
    {
      world,
      turns: null,
      auth: 'none',
      registration: 'open',
      development: 'on',
      operator: null,
      spectatorKey: null,
      transport: 'native',
      admission: { registrationsPerMinute: 0, rateLimits: null, trustedProxies: [] },
      connectionLimits: { connectionsMax: 100, connectionsPerAddressMax: 100 },
      tournament: null,
      keepsMetricHistory: false,
      metricsMaxAgeMs: 0,
      mapFrameMs: 0,
      onBug,
      log: { droppedLines: 0 },
      scrubs: { report: NO_SCRUBS },
      desk: deskOf(new MemoryOperatorRecords()),
    },
    { traffic: new Traffic(() => world.sequencer.readNow()), work: new WorkQueue(), counts: new ServerCounts() },
  );
  return { endpoints, play, sockets, world };
}
