// Ends a process that serves a world when it gets a signal.
import type { WorldServer } from '../http/world-server.js';
import { logStopped, logStopping } from './announcements.js';
import type { Log } from './log-lines.js';

/** What is closed. A world that several processes serve is handed over before, if another process is ready. */
interface StoppedWorld {
  close(): Promise<void>;
  handOver?(): Promise<boolean>;
}

/**
 * The first SIGTERM or SIGINT stops in order: pending replies are sent, then the world is closed. A second one ends the
 * process at once. A server that was started with a channel to its parent also stops once that has ended.
 */
export function stopOnSignal(world: StoppedWorld, server: WorldServer, log: Log): void {
  const stop = async (signal: NodeJS.Signals): Promise<void> => {
    process.removeListener('SIGTERM', stop);
    process.removeListener('SIGINT', stop);
    process.removeListener('disconnect', orphaned);
    logStopping(log, signal);
    // While the server still answers, so that it can send clients to the new leader.
    await world.handOver?.();
    const isDrained = await server.stop();
    await world.close();
    logStopped(log, isDrained);
    // Idle keep-alive connections would keep the event loop running.
    process.exit(0);
  };
  const orphaned = (): void => void stop('SIGTERM');
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  process.on('disconnect', orphaned);
}
