// Many connections at once that break no rule of HTTP, or hardly: idle ones, ones that come and go, clients that read
// or write slowly. Their replies are judged as always; the innocent client checks that others are answered meanwhile.
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { renderRequest } from '../../bench/loads/load-connection.js';
import { frameBytes, jsonFrame, OPCODES, repeated, UPGRADE } from '../../bench/sockets/frames.js';
import { Draws } from '../support/process/draws.js';
import { type Address, cutOff } from './delivery.js';
import type { InnocentClient } from './innocent-client.js';
import { Judge } from './judge.js';
import { NotHttp, ReplySplitter } from './reply-splitter.js';
import { RequestDraws, type TortureRequest } from './requests.js';
import type { ServerUnderTest } from './server-under-test.js';
import type { Transport } from './transports.js';

export interface StormSizes {
  readonly idleConnections: number;
  readonly resetRounds: number;
  readonly slowReaders: number;
  readonly slowWriters: number;
  /** WebSockets of each flood. */
  readonly floodingSockets: number;
}

export interface StormFigures {
  /** Connections that were open at once; the others were refused or closed. */
  readonly idleOpened: number;
  readonly resets: number;
  readonly readersAnswered: number;
  readonly writersAnswered: number;
  /** Connections that flooded with frames, and were ended by the server. */
  readonly floodsEnded: number;
}

/** Answers to the innocent client for which idle connections are held. */
const IDLE_HELD_ANSWERS = 30;
const RESETS_PER_ROUND = 50;
/** A reply of about this many times 100 KB, which takes several reads. */
const LARGE_READS = 4;
const SLOW_READ_EVERY_MS = 50;
const SLOW_WRITES = 20;
const SLOW_WRITE_EVERY_MS = 100;
/** Time limit of a slow client; only a hang reaches it. */
const STORM_DEADLINE_MS = 60_000;

export class Storms {
  readonly faults: string[] = [];
  readonly #address: Address;
  readonly #transport: Transport;
  readonly #innocent: InnocentClient;
  readonly #draws: Draws;
  readonly #source: RequestDraws;

  constructor(seed: number, { address, world }: ServerUnderTest, transport: Transport, innocent: InnocentClient) {
    this.#address = address;
    this.#transport = transport;
    this.#innocent = innocent;
    this.#draws = new Draws(seed);
    this.#source = new RequestDraws(this.#draws, world);
  }

  /** @param tell called before each storm */
  async run(sizes: StormSizes, tell: (storm: string) => void): Promise<StormFigures> {
    tell(`${sizes.idleConnections} idle connections`);
    const idleOpened = await this.#idle(sizes.idleConnections);
    tell(`${sizes.resetRounds} rounds of resets`);
    const resets = await this.#resets(sizes.resetRounds);
    tell(`${sizes.slowReaders} slow readers`);
    const readersAnswered = await this.#together(sizes.slowReaders, () => this.#slowReader());
    tell(`${sizes.slowWriters} slow writers`);
    const writersAnswered = await this.#together(sizes.slowWriters, () => this.#slowWriter());
    let floodsEnded = 0;
    for (const flood of FLOODS) {
      tell(`${sizes.floodingSockets} WebSockets with ${flood.title}`);
      floodsEnded += await this.#flood(flood, sizes.floodingSockets);
    }
    return { idleOpened, resets, readersAnswered, writersAnswered, floodsEnded };
  }

  async #idle(count: number): Promise<number> {
    const sockets: Socket[] = [];
    while (sockets.length < count) {
      const batch = Array.from({ length: Math.min(RESETS_PER_ROUND, count - sockets.length) }, () => this.#connect());
      sockets.push(...batch);
      await Promise.all(batch.map(settled));
    }
    const opened = sockets.filter(({ readyState }) => readyState === 'open').length;
    await this.#innocent.answeredAgain(IDLE_HELD_ANSWERS);
    for (const socket of sockets) cutOff(socket);
    return opened;
  }

  /** WebSockets that send frames without end. @returns how many of them the server has ended */
  async #flood({ title, frames, isRead, mustEnd }: Flood, count: number): Promise<number> {
    const { host, port } = this.#address;
    const upgrade = renderRequest(UPGRADE, `${host}:${port}`);
    const sockets = Array.from({ length: count }, () => this.#connect());
    for (const socket of sockets) {
      socket.write(upgrade);
      if (isRead) socket.resume();
    }
    for (let round = 0; round < FLOOD_WRITES; round += 1) {
      for (const socket of sockets) if (!socket.destroyed) socket.write(frames);
      await delay(FLOOD_WRITE_EVERY_MS);
    }
    await this.#innocent.answeredAgain(FLOOD_ANSWERS);
    const ended = sockets.filter(({ readyState }) => readyState !== 'open').length;
    if (mustEnd && ended < count) this.faults.push(`of ${count} WebSockets with ${title}, ${ended} were ended`);
    for (const socket of sockets) cutOff(socket);
    return ended;
  }

  /** Connections that are reset before, while or after they send something. */
  async #resets(rounds: number): Promise<number> {
    for (let round = 0; round < rounds; round += 1) {
      const sockets = Array.from({ length: RESETS_PER_ROUND }, () => this.#connect());
      await Promise.all(
        sockets.map(async (socket) => {
          if (this.#draws.oneIn(4)) return;
          const { bytes } = this.#source.sound();
          socket.write(bytes.subarray(0, this.#draws.between(1, bytes.length)));
          await settled(socket);
        }),
      );
      for (const socket of sockets) cutOff(socket);
    }
    return rounds * RESETS_PER_ROUND;
  }

  /** Requests a large reply and reads a piece of it at intervals. @returns whether it was answered whole */
  async #slowReader(): Promise<boolean> {
    const request = this.#source.largeRead(LARGE_READS);
    const socket = this.#connect();
    socket.on('data', () => {
      socket.pause();
      setTimeout(() => socket.resume(), SLOW_READ_EVERY_MS).unref();
    });
    const answered = this.#answered(socket, request);
    socket.write(request.bytes);
    return await answered;
  }

  /** Sends a request in pieces, so that it takes some seconds. */
  async #slowWriter(): Promise<boolean> {
    const request = this.#source.largeRead(this.#draws.between(1, LARGE_READS));
    const socket = this.#connect();
    const answered = this.#answered(socket, request);
    const pieceBytes = Math.ceil(request.bytes.length / SLOW_WRITES);
    for (let at = 0; at < request.bytes.length && !socket.destroyed; at += pieceBytes) {
      socket.write(request.bytes.subarray(at, at + pieceBytes));
      await delay(SLOW_WRITE_EVERY_MS);
    }
    return await answered;
  }

  /** Reads until the request is answered, or the connection has ended. */
  async #answered(socket: Socket, request: TortureRequest): Promise<boolean> {
    const judge = new Judge([request], this.#transport);
    const splitter = new ReplySplitter(judge.presenceOf);
    const isOver = new Promise<void>((resolve) => {
      socket.on('data', (bytes) => {
        try {
          for (const reply of splitter.take(bytes)) judge.take(reply);
        } catch (error) {
          if (!(error instanceof NotHttp)) throw error;
          this.faults.push(error.message);
          resolve();
        }
        if (judge.isSatisfied) resolve();
      });
      socket.once('close', resolve);
    });
    const deadline = new AbortController();
    const late = delay(STORM_DEADLINE_MS, true, { signal: deadline.signal }).catch(() => false);
    if (await Promise.race([isOver, late])) this.faults.push('a slow client is neither answered nor cut off');
    deadline.abort();
    cutOff(socket);
    this.faults.push(...judge.faults);
    return judge.isSatisfied;
  }

  /** @returns how many of the clients were answered */
  async #together(count: number, client: () => Promise<boolean>): Promise<number> {
    const outcomes = await Promise.all(Array.from({ length: count }, client));
    return outcomes.filter((isAnswered) => isAnswered).length;
  }

  #connect(): Socket {
    const socket = connect(this.#address.port, this.#address.host);
    socket.setNoDelay(true);
    // Refused or cut off: the figures show it, and the innocent client would notice a failure.
    socket.on('error', () => {});
    return socket;
  }
}

/** What a flooding client of the WebSocket sends, again and again. */
interface Flood {
  readonly title: string;
  readonly frames: Buffer;
  /** False if it reads nothing; it then does not notice that it was ended. */
  readonly isRead: boolean;
  /** Whether the server must end each such connection. */
  readonly mustEnd: boolean;
}

const FLOOD_WRITES = 20;
const FLOOD_WRITE_EVERY_MS = 25;
const FLOOD_FRAMES = 1_000;
const FLOOD_ANSWERS = 3;

const FLOODS: readonly Flood[] = [
  flood('pings', frameBytes(OPCODES.ping, 'x'), { mustEnd: true }),
  flood('pings whose pongs are not read', frameBytes(OPCODES.ping, 'x'.repeat(100)), { isRead: false }),
  flood('pongs', frameBytes(OPCODES.pong, ''), { mustEnd: true }),
  flood('empty fragments', frameBytes(OPCODES.continuation, '', false)),
  flood('garbage', frameBytes(OPCODES.text, '{')),
  flood('calls', jsonFrame({ op: 'call', id: 1, method: 'GET', path: '/api/catalog' })),
  flood('calls whose replies are not read', jsonFrame({ op: 'call', id: 1, method: 'GET', path: '/api/catalog' }), {
    isRead: false,
  }),
  flood('catch-ups', jsonFrame({ op: 'subscribe', topic: 'map', since: 1 })),
];

function flood(title: string, frame: Buffer, { isRead = true, mustEnd = false } = {}): Flood {
  return { title, frames: repeated(frame, FLOOD_FRAMES), isRead, mustEnd };
}

/** Settles when the socket is connected or has failed. */
function settled(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    socket.once('connect', resolve);
    socket.once('close', () => resolve());
  });
}
