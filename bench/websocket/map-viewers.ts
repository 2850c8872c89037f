// Viewers of the map over WebSocket, in a process of their own: many connections that subscribe to it and count what comes.
import { setTimeout as sleep } from 'node:timers/promises';
import { BenchFailed } from '../bench-failed.js';
import { FAILURE_LENGTH_MAX, READERS_DEADLINE_MS, READERS_OPENING_MAX } from '../limits.js';
import { TEXT, textFrame } from './frames.js';
import { sharedNowMs } from './shared-clock.js';
import { WebSocketConnection } from './websocket-connection.js';

export interface ViewersTask {
  readonly url: string;
  readonly viewers: number;
}

export interface ViewersResult {
  /** From the first frame of any viewer to the end. */
  readonly seconds: number;
  /** Frames that the viewers got, of all of them. */
  readonly frames: number;
  /** Payload of these frames. */
  readonly bytes: number;
  /** Frames of the viewer that got the fewest, and the most. */
  readonly fewest: number;
  readonly most: number;
  /** Connections that the server closed, and subscriptions that it ended. */
  readonly cutOff: number;
  readonly firstFailure?: string;
}

const SUBSCRIBE = textFrame('{"op":"subscribe","id":1,"topic":"map"}');
/** An answer and the start of a map frame differ here: `{"op":"f`. */
const OP_LETTER_AT = 7;
const LETTER_F = 'f'.charCodeAt(0);
const LETTER_S = 's'.charCodeAt(0);
const LETTER_W = 'w'.charCodeAt(0);

/** @param report called once all have subscribed */
export async function measure(
  { url, viewers }: ViewersTask,
  report: (text: string) => void,
  finish: AbortSignal,
): Promise<ViewersResult> {
  const counts = new Array<number>(viewers).fill(0);
  let [bytes, cutOff, subscribed, firstFrameMs] = [0, 0, 0, 0];
  let firstFailure: string | undefined;
  const failed = (reason: string): void => {
    cutOff += 1;
    firstFailure ??= reason.slice(0, FAILURE_LENGTH_MAX);
  };
  const connections: WebSocketConnection[] = [];
  const open = async (viewer: number): Promise<void> => {
    const connection = new WebSocketConnection(url, {
      takesFragments: true,
      onFrame: (opcode, piece, start, end) => {
        const letter = opcode === TEXT ? piece[start + OP_LETTER_AT] : LETTER_F;
        if (letter === LETTER_F) bytes += end - start;
        if (opcode === TEXT && letter === LETTER_F) {
          counts[viewer] = (counts[viewer] ?? 0) + 1;
          if (firstFrameMs === 0) firstFrameMs = sharedNowMs();
        } else if (letter === LETTER_S) subscribed += 1;
        else if (letter !== LETTER_F && letter !== LETTER_W) failed(piece.toString('utf8', start, end));
      },
      onClose: failed,
    });
    connections.push(connection);
    await connection.ready;
    connection.write(SUBSCRIBE);
  };
  const waiting = counts.map((_, viewer) => viewer);
  const opener = async (): Promise<void> => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) await open(next);
  };
  await Promise.all(Array.from({ length: READERS_OPENING_MAX }, opener));
  const deadlineMs = sharedNowMs() + READERS_DEADLINE_MS;
  while (subscribed < viewers) {
    if (sharedNowMs() > deadlineMs)
      throw new BenchFailed(`only ${subscribed} viewers have subscribed; ${firstFailure ?? ''}`);
    await sleep(1);
  }
  report('ready');
  await new Promise((resolve) => finish.addEventListener('abort', resolve, { once: true }));
  const seconds = firstFrameMs === 0 ? 0 : (sharedNowMs() - firstFrameMs) / 1_000;
  for (const connection of connections) connection.close();
  const frames = counts.reduce((sum, count) => sum + count, 0);
  const range = { fewest: Math.min(...counts), most: Math.max(...counts) };
  return { seconds, frames, bytes, ...range, cutOff, ...(firstFailure === undefined ? {} : { firstFailure }) };
}
