// Runs one open loop over real connections. A measurement runs it in a process of its own, since it takes a whole core.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { OPEN_LOOP_GRACE_MS } from '../limits.js';
import { measureInChild } from '../processes/child-measurement.js';
import type { LoadRequest } from '../servers/game-client.js';
import { type LoadPlan, requestSource } from './load.js';
import { LoadConnection, renderRequest } from './load-connection.js';
import { OpenLoop, type OpenLoopResult } from './open-loop.js';

const NAP_MS = 0.2;
const NEVER_WOKEN = new Int32Array(new SharedArrayBuffer(4));

export interface OpenLoad extends LoadPlan {
  readonly ratePerSecond: number;
  readonly seconds: number;
  /** Length of the windows in the result; that of the whole run for a single one. */
  readonly windowSeconds: number;
}

export interface OpenRunResult extends OpenLoopResult {
  readonly ratePerSecond: number;
  /** Longest time in which the loader itself did not get to send: above a millisecond, it is part of what it measured. */
  readonly loaderPauseMaxMs: number;
}

export async function measure(load: OpenLoad): Promise<OpenRunResult> {
  const { ratePerSecond } = load;
  const host = new URL(load.url).host;
  const rendered = new Map<LoadRequest, Buffer>(
    load.requests.map((request) => [request, renderRequest(request, host)]),
  );
  const connections = Array.from({ length: load.connections }, () => new LoadConnection(load.url, rendered));
  await Promise.all(connections.map((connection) => connection.ready()));
  const pace = {
    ratePerSecond,
    count: Math.max(1, Math.round(ratePerSecond * load.seconds)),
    windowCount: Math.max(1, Math.round(ratePerSecond * load.windowSeconds)),
  };
  const loop = new OpenLoop(pace, connections, requestSource(load), () => performance.now() * 1_000);
  const loaderPauseMaxMs = await spin(loop);
  const result = loop.result();
  for (const connection of connections) connection.close();
  return { ratePerSecond, loaderPauseMaxMs, ...result };
}

/** Runs an open loop in a child process. */
export function measureOpenLoop(load: OpenLoad): Promise<OpenRunResult> {
  return measureInChild(new URL(import.meta.url), load);
}

/**
 * Gives the loop its turn all the time: a timer would send whole milliseconds of requests at once. After a turn with
 * little to do it sleeps for a moment, since a process that never does is made to wait for milliseconds by the system
 * when anyone else needs the core, and takes it from the server meanwhile.
 *
 * @returns the longest time in which the loop did not get its turn, in milliseconds
 */
export async function spin(loop: Pick<OpenLoop, 'step' | 'isOver' | 'isAllDue'>): Promise<number> {
  let lastMs = performance.now();
  let graceEndMs = Number.POSITIVE_INFINITY;
  let pauseMaxMs = 0;
  while (!loop.isOver && lastMs < graceEndMs) {
    loop.step();
    await nextTurn();
    const nowMs = performance.now();
    pauseMaxMs = Math.max(pauseMaxMs, nowMs - lastMs);
    if (nowMs - lastMs < NAP_MS) Atomics.wait(NEVER_WOKEN, 0, 0, NAP_MS);
    lastMs = nowMs;
    if (graceEndMs === Number.POSITIVE_INFINITY && loop.isAllDue) graceEndMs = nowMs + OPEN_LOOP_GRACE_MS;
  }
  return pauseMaxMs;
}
