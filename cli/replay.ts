// `galaxyd replay`: opens the past of a world, serves it, and shuts it down in order on a signal.
import { VERSION } from '../http/version.js';
import { CannotListen, WorldServer } from '../http/world-server.js';
import { killOnUncaughtException } from '../persistence/fatal.js';
import { IndexWorker } from '../persistence/history/index-worker.js';
import { Past } from '../persistence/history/past.js';
import { OutsideHistory, ReplayedWorld } from '../persistence/history/replayed-world.js';
import { storeAt } from '../persistence/store-url.js';
import type { WorldStore } from '../persistence/stores/world-store.js';
import { logFailedRequest } from './announcements.js';
import type { ReplayOptions } from './commands/replay.js';
import { EXIT_CODES, failureOf } from './exit-codes.js';
import { FileOutput, STANDARD_ERROR } from './line-output.js';
import { type CountingLog, openLog } from './log-lines.js';
import { stopOnSignal } from './stop-on-signal.js';

/** Serves until SIGTERM or SIGINT. If it cannot start, it prints a sentence and sets the exit code. */
export async function replay(options: ReplayOptions): Promise<void> {
  killOnUncaughtException();
  const log = openLog(options.logFormat);
  const { data: dataFolder } = options;
  const facts = { version: VERSION, node: process.version, processId: process.pid, dataFolder };
  log.tell('starting', `galaxyd ${VERSION} replays the world in ${dataFolder}`, facts);
  const worker = await IndexWorker.make((reason) =>
    log.tell('timeline_failed', `galaxyd cannot complete the timeline: ${reason}`, { reason }),
  );
  try {
    await begin(storeAt(dataFolder), worker, log, options);
  } catch (error) {
    await worker.stop();
    const isRefusal = error instanceof CannotListen || error instanceof OutsideHistory || error instanceof KeyNeeded;
    const failure = isRefusal ? { code: EXIT_CODES.failed.code, sentence: error.message } : failureOf(error);
    if (failure === null) throw error;
    new FileOutput(STANDARD_ERROR).write(`galaxyd cannot replay: ${failure.sentence}\n`);
    process.exitCode = failure.code;
  }
}

async function begin(store: WorldStore, worker: IndexWorker, log: CountingLog, options: ReplayOptions): Promise<void> {
  const past = await Past.open(store, worker.made);
  const { at, adminKey = null, host, port, transport, speed } = options;
  if (adminKey === null && (await past.hasKeys())) throw new KeyNeeded();
  const world = await ReplayedWorld.open({
    past,
    timeline: worker,
    origin: await store.origin(),
    ...(at === undefined ? {} : { at }),
    onFailure: (error) => log.tell('replay_failed', 'galaxyd cannot play on, and stands still', { err: error }),
  });
  const server = await WorldServer.start({
    world,
    host,
    port,
    adminKey,
    registration: 'closed',
    development: 'off',
    transport,
    onBug: (error, requestId) => logFailedRequest(log, error, requestId),
    log,
  });
  if (store.url !== null) worker.start(store.url);
  if (speed !== undefined) world.play(speed);
  stopOnSignal(world, server, log);
  const { first, last } = past;
  const sentence = `galaxyd serves ${server.url} (the past from seq ${first.seq} to ${last.seq}, at seq ${world.engine.seq})`;
  log.tell('serving', sentence, { url: server.url, firstSeq: first.seq, lastSeq: last.seq, seq: world.engine.seq });
}

class KeyNeeded extends Error {
  constructor() {
    super('the players of the world have API keys, and a replay shows everything: name a key with --admin-key');
  }
}
