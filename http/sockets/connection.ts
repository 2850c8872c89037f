// One WebSocket connection: handles the frames of its client in order, and writes the answers. While the client lags, its further
// frames wait, so that unread replies do not accumulate.
import { parsePlayerId, playerId } from '../../engine/terms/ids.js';
import type { ClientTraffic } from '../admission/client-traffic.js';
import { bearerKey, keyHash } from '../admission/identity.js';
import type { Owner } from '../admission/owners.js';
import { QUEUE_IS_FULL, type Work } from '../admission/work-queue.js';
import type { LateReader } from '../events/late-readers.js';
import type { CutReason } from '../events/reader-counts.js';
import { type ProblemCode, type ProblemFacts, prepareProblem, sendProblem } from '../exchange/problems.js';
import {
  CALLS_PER_SOCKET_MAX,
  CLIENT_SILENCE_MS,
  KEYS_PER_SOCKET_MAX,
  SOCKET_HELLO_MS,
  SOCKET_REFUSALS_MAX,
  SOCKET_WRITE_LENGTH_MAX,
  SUBSCRIPTIONS_PER_SOCKET_MAX,
} from '../limits.js';
import { UNSENT_REPLIES } from '../server/body-budget.js';
import { ABORTED } from '../server/request-counts.js';
import {
  CLOSE_CODES,
  type CloseCode,
  type FrameListener,
  type FrameSocket,
  type SocketOpening,
} from '../server/web-socket.js';
import { type Excess, runCall } from './calls.js';
import { type ClientFrame, type FrameFault, idText, isFault } from './client-frame.js';
import { ClientLag, ControlFrames, KeyRing, WaitingFrames } from './connection-state.js';
import { type CallExchange, type FrameConnection, FrameExchange, idField } from './frame-exchange.js';
import type { Writer } from './outbox.js';
import type { CallFrame } from './plain-calls.js';
import type { Sockets } from './sockets.js';
import { Subscriptions } from './subscriptions.js';

export class Connection implements FrameListener, FrameConnection, Writer, LateReader, Work {
  readonly keys = new KeyRing();
  readonly #subscriptions: Subscriptions;
  readonly address: string;
  readonly forwardedFor: string;
  network = '';
  /** Frames that wait before they are handled. */
  readonly #held = new Set<FrameExchange>();
  /** Calls that are not answered yet. */
  callsInFlight = 0;
  readonly #waiting: WaitingFrames;
  /** True if the waiting frames are handled at the end of this turn of the event loop, or in turns of the work queue. */
  #isScheduled = false;
  /** Frames refused in a row. */
  #refusals = 0;
  /** Frames to be written. */
  #frames: string[] = [];
  #framesLength = 0;
  /** True if it is in the outbox for its frames, or for events. */
  #isMarked = false;
  #isWoken = false;
  readonly #lag: ClientLag;
  readonly #controlFrames = new ControlFrames();
  /** The client among whose connections it counts: once it has brought the key of a player, that player. */
  #owner: Owner;
  #isClosed = false;
  #isDraining = false;
  /** Set once the connection is to be closed after what is to be written. */
  #ending: { readonly code: CloseCode; readonly reason: string } | null = null;
  #helloDeadline: NodeJS.Timeout | null = null;

  constructor(
    private readonly socket: FrameSocket,
    { authorization, forwardedFor, address, owner }: SocketOpening,
    private readonly sockets: Sockets,
  ) {
    this.#subscriptions = new Subscriptions(this, sockets);
    this.#waiting = new WaitingFrames(this, sockets.backlog, (length) => sockets.takesBacklog(this, length));
    this.#lag = new ClientLag(this, (bytes) => sockets.takesUnsent(this, bytes));
    this.#owner = owner;
    sockets.places.takeAnyway(owner);
    this.address = address;
    this.forwardedFor = forwardedFor;
    this.network = sockets.admission.networkOf(this.exchange(''));
    this.#clients.opened(this.network, 1);
    if (typeof owner === 'number') this.#clients.opened(owner, 1);
    sockets.traffic.sockets.add(this);
    sockets.connections.add(this);
    sockets.readers.socketsOpen += 1;
    if (sockets.access.hasKeys) {
      this.#helloDeadline = setTimeout(
        () => this.cut('unauthenticated', CLOSE_CODES.policyViolation, 'unauthenticated'),
        SOCKET_HELLO_MS,
      );
      this.#helloDeadline.unref();
      const key = bearerKey(authorization);
      if (key !== '') this.#inCallback(() => this.#greet(new FrameExchange(this, '', keyHash(key), performance.now())));
    } else this.#inCallback(() => this.#welcome('', 0));
  }

  get #clients(): ClientTraffic {
    return this.sockets.admission.traffic;
  }

  /** The client whose shares it uses. */
  get owner(): Owner {
    return this.#owner;
  }

  // The transport calls these.

  /** Frames are handled at the end of the turn of the event loop, and not here, within a callback of the library. */
  received(text: string | null): string | null {
    if (this.#ending !== null) return null;
    if (text === null) {
      this.#inCallback(() =>
        this.cut('misbehaved', CLOSE_CODES.unsupportedData, 'invalid_request', { detail: BINARY }),
      );
    } else if (!this.#waiting.add(text)) {
      // It does not wait for answers: even to read each further frame would cost others too much.
      this.#waiting.clear();
      return this.#cutAtOnce(TOO_MANY_FRAMES);
    } else if (!(this.#isScheduled || this.#lag.isLagging)) {
      this.#isScheduled = true;
      this.sockets.arrived(this);
    }
    return null;
  }

  controlled(kind: 'ping' | 'pong'): string | null {
    const nowMs = performance.now();
    if (this.#controlFrames.admits(nowMs) && (kind === 'pong' || this.#paysPing(nowMs))) return null;
    return this.#cutAtOnce(TOO_MANY_PINGS);
  }

  /** @returns the frame that says why */
  #cutAtOnce(detail: string): string {
    this.#endForRefusals();
    const exchange = this.exchange('');
    prepareProblem(exchange, 'rate_limited', { detail });
    return exchange.answer;
  }

  /** A ping costs what a frame costs. */
  #paysPing(nowMs: number): boolean {
    const exchange = new FrameExchange(this, '', this.keys.latest, nowMs);
    let isPaid = true;
    this.#inCallback(() => {
      isPaid = this.sockets.admission.admits(exchange, 1);
    });
    return isPaid;
  }

  lagged(): void {
    if (this.#ending === null) this.#inCallback(() => this.#lagged());
  }

  late(): void {
    this.#inCallback(() => this.cut('misbehaved', CLOSE_CODES.policyViolation, 'invalid_request', { detail: LATE }));
  }

  drained(): void {
    if (!this.#lag.isLagging) return;
    this.#lag.end();
    this.sockets.lagging.delete(this);
    this.#inCallback(() => {
      this.#mark();
      this.#subscriptions.resume();
      if (this.#subscriptions.hasReady) this.wake();
      this.#resume();
    });
  }

  closed(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#ending ??= GONE;
    const { connections, readers, traffic, lagging } = this.sockets;
    traffic.sockets.delete(this);
    connections.delete(this);
    this.sockets.places.give(this.#owner);
    this.#clients.opened(this.network, -1);
    if (typeof this.#owner === 'number') this.#clients.opened(this.#owner, -1);
    lagging.delete(this);
    readers.socketsOpen -= 1;
    this.#subscriptions.endAll();
    this.#endHelloDeadline();
    this.#lag.end();
    this.#waiting.clear();
    this.#frames = [];
    for (const exchange of this.#held) exchange.abandon();
  }

  /** The server stops: replies to the frames that have come are sent, then the connection is closed. */
  drain(): void {
    this.#isDraining = true;
    for (const exchange of this.#held) exchange.hurry();
    if (this.#isIdle) this.flush();
  }

  /** The process may no longer lead. Replies that are held back cannot come. */
  giveUp(): void {
    this.cut('no_leader', CLOSE_CODES.tryAgainLater, 'no_leader');
  }

  // Frames that wait for their turn.

  /** Characters of the frames that wait. */
  get waitingLength(): number {
    return this.#waiting.length;
  }

  /** Closes the connection in favour of another one of its client: it has the most characters that wait. Called in callbacks. */
  giveWay(): void {
    this.#waiting.clear();
    this.#inCallback(() => this.cut('stalled', CLOSE_CODES.tryAgainLater, 'overloaded', QUEUE_IS_FULL));
  }

  /** False if nothing waits, or the client must read first. */
  get #mayHandle(): boolean {
    return this.#waiting.count > 0 && !this.#lag.isLagging && this.#framesLength <= SOCKET_WRITE_LENGTH_MAX;
  }

  /** Handles the frames that wait, until an instant by performance.now(); the rest takes turns with other work. */
  handleWaiting(endMs: number): void {
    for (let count = 0; this.#mayHandle; count += 1) {
      if (count % FRAMES_PER_CLOCK_LOOK === 0 && performance.now() > endMs) break;
      this.#take(this.#waiting.take());
    }
    this.#isScheduled = false;
    this.#resume();
  }

  /** Has the frames that still wait handled in turns of the work queue. A client that lags must read first. */
  #resume(): void {
    if (this.#waiting.count === 0 || this.#isScheduled || this.#lag.isLagging) return;
    const probe = this.exchange('');
    this.#isScheduled = this.sockets.work.add(this.sockets.admission.ownerOf(probe), this);
    if (!this.#isScheduled) while (this.#waiting.count > 0) this.#take(this.#waiting.take(), true);
  }

  /** True once the connection is closed or about to be: its frames need no handling. */
  get isDone(): boolean {
    return this.#ending !== null;
  }

  /** Handles the next frame, as work of the queue. What was written before goes out first. */
  step(): boolean {
    if (this.#framesLength > SOCKET_WRITE_LENGTH_MAX) this.#writeFrames();
    this.sockets.arrivedAtMs = performance.now();
    if (this.#mayHandle) this.#take(this.#waiting.take());
    this.#isScheduled = this.#waiting.count > 0 && !this.#lag.isLagging;
    return !this.#isScheduled;
  }

  failed(error: unknown): void {
    this.#isScheduled = false;
    this.sockets.onBug(error, '');
    this.#resume();
  }

  // Frames.

  /** @param isTooMuch true if too much waits already: the frame is refused */
  #take(text: string, isTooMuch = false): void {
    let id = '';
    try {
      const frame = this.sockets.frames.read(text);
      if (!isFault(frame) && frame.op !== 'call') {
        this.#takeFrame(frame, isTooMuch);
        return;
      }
      ({ id } = frame);
      if (isFault(frame)) this.#refuseFault(frame);
      else this.#call(frame, text.length, isTooMuch);
    } catch (error) {
      this.answerBug(this.exchange(id), error);
    }
  }

  #refuseFault({ code, errors, id }: FrameFault): void {
    if (!this.#countRefusal()) return;
    const exchange = this.exchange(id);
    if (this.sockets.admission.admits(exchange, 1)) sendProblem(exchange, code, errors.length > 0 ? { errors } : {});
  }

  #call(frame: CallFrame, length: number, isTooMuch: boolean): void {
    let excess: Excess | null = isTooMuch ? 'work' : null;
    if (this.callsInFlight >= CALLS_PER_SOCKET_MAX) excess = 'calls';
    if (excess !== null && !this.#countRefusal()) return;
    if (excess === null) this.#refusals = 0;
    runCall(this, this.sockets, frame, length, excess);
  }

  #takeFrame(frame: Exclude<ClientFrame, CallFrame>, isTooMuch: boolean): void {
    const exchange = this.exchange(idText(frame.id));
    // Each player pays for its own subscription: one connection may follow thousands of them.
    const { world } = this.sockets;
    if ('playerId' in frame) exchange.keyHash = this.keys.of(parsePlayerId(world, frame.playerId)) ?? this.keys.latest;
    try {
      if (isTooMuch) {
        if (this.#countRefusal()) sendProblem(exchange, 'overloaded', QUEUE_IS_FULL);
      } else if (frame.op === 'hello') this.#hello(exchange, frame);
      else if (this.sockets.admission.admits(exchange, 1)) {
        this.#refusals = 0;
        if (frame.op === 'ping')
          this.write(`{"op":"pong"${idField(exchange.id)},"worldTime":"${this.sockets.traffic.worldTime()}"}`);
        else if (!this.isKnown) this.sockets.replies.refuse(exchange, 'unauthenticated');
        else if (frame.op === 'subscribe') this.#subscriptions.subscribe(exchange, frame);
        else this.#subscriptions.unsubscribe(exchange, frame);
      }
    } catch (error) {
      this.answerBug(exchange, error);
    }
  }

  /** Answers an exception; it must not reach a transport. */
  answerBug(exchange: FrameExchange, error: unknown): void {
    this.sockets.onBug(error, exchange.requestId);
    sendProblem(exchange, 'internal_error');
  }

  /** The exchange of a frame that is not a call. */
  exchange(id: string): FrameExchange {
    return new FrameExchange(this, id, this.keys.latest, performance.now());
  }

  nextRequestId(): string {
    return this.sockets.traffic.nextRequestId();
  }

  hold(exchange: FrameExchange): boolean {
    if (this.#ending !== null || this.#isDraining) return false;
    this.#held.add(exchange);
    return true;
  }

  release(exchange: FrameExchange): void {
    this.#held.delete(exchange);
  }

  // Keys.

  get hasKeys(): boolean {
    return this.sockets.access.hasKeys;
  }

  /** Whether a client that may read anything may read everything. */
  get isOpen(): boolean {
    return this.sockets.access.isOpen;
  }

  /** False if players have keys and the client has not brought one yet. */
  get isKnown(): boolean {
    return !this.hasKeys || this.keys.latest !== '';
  }

  #hello(exchange: FrameExchange, { key, minSeq }: Extract<ClientFrame, { op: 'hello' }>): void {
    const { access, admission, gate } = this.sockets;
    if (!access.hasKeys) {
      if (admission.admits(exchange, 1)) this.#welcome(exchange.id, 0);
    } else {
      // A guess at a key costs the address what any other request costs.
      exchange.keyHash = key === undefined ? '' : keyHash(key);
      if (!admission.admits(exchange, 1)) return;
      // Another process may have created the player a moment ago.
      if (minSeq === undefined) this.#greet(exchange);
      else gate.passAfter(exchange, minSeq, () => this.#greet(exchange));
    }
  }

  /** @param exchange with the hash of the key that is brought */
  #greet(exchange: FrameExchange): void {
    const { access, replies } = this.sockets;
    replies.run(exchange, () => {
      const holder = access.socketHolder(exchange);
      if (holder === null) {
        if (this.#countRefusal()) replies.refuse(exchange, 'unauthenticated');
      } else if (!this.keys.add(holder, exchange.keyHash ?? '')) {
        const limit = { name: 'keys_per_socket', maximum: KEYS_PER_SOCKET_MAX };
        sendProblem(exchange, 'rate_limited', { limit, detail: 'The connection has too many keys.' });
      } else if (!this.#belongsTo(holder)) {
        this.sockets.refusePlace(exchange);
        this.#endForRefusals();
      } else {
        this.#endHelloDeadline();
        this.#refusals = 0;
        this.#welcome(exchange.id, holder);
      }
    });
  }

  /**
   * Counts it among the connections of a player, with the first key of one.
   *
   * @returns false if the player has too many
   */
  #belongsTo(playerNumber: number): boolean {
    const { places } = this.sockets;
    if (playerNumber === 0 || typeof this.#owner === 'number') return true;
    if (!places.hasRoom(playerNumber)) return false;
    places.give(this.#owner);
    places.take(playerNumber);
    this.sockets.backlog.move(this.#owner, playerNumber, this.#waiting.length);
    UNSENT_REPLIES.move(this.#owner, playerNumber, this.#lag.countedBytes);
    this.#owner = playerNumber;
    this.#clients.opened(playerNumber, 1);
    return true;
  }

  #welcome(id: string, playerNumber: number): void {
    const { traffic, world } = this.sockets;
    const player = playerNumber > 0 ? `,"playerId":"${playerId(world, playerNumber)}"` : '';
    this.write(
      `{"op":"welcome"${idField(id)},"worldTime":"${traffic.worldTime()}","callsMax":${CALLS_PER_SOCKET_MAX},` +
        `"subscriptionsMax":${SUBSCRIPTIONS_PER_SOCKET_MAX}${player}}`,
    );
  }

  #endHelloDeadline(): void {
    if (this.#helloDeadline !== null) clearTimeout(this.#helloDeadline);
    this.#helloDeadline = null;
  }

  // Writing.

  answered(exchange: FrameExchange): void {
    const { answer } = exchange;
    this.sockets.admission.answered(exchange, 0, answer.length);
    this.write(answer);
    if (exchange.closesConnection) this.#endForRefusals();
  }

  replied(call: CallExchange): void {
    const { admission, outbox, traffic } = this.sockets;
    this.callsInFlight -= 1;
    if (this.#isClosed) call.counts.unanswered(ABORTED);
    else {
      call.counts.answered(call.status, outbox.nowMs - call.arrivedAtMs);
      const { answer } = call;
      admission.answered(call, call.length, answer.length);
      this.write(answer);
      if (call.closesConnection) this.#endForRefusals();
    }
    traffic.ended();
  }

  /** Has the events of subscriptions written soon; a client that lags gets them once it has read what was written. */
  wake(): void {
    if (this.#isWoken || this.#ending !== null || this.#lag.isLagging) return;
    this.#isWoken = true;
    const { hub, outbox } = this.sockets;
    if (this.#subscriptions.isCatchingUp) hub.lateReaders.add(this.#owner, this);
    else outbox.addEvents(this);
  }

  /** Has a frame written soon. */
  write(frame: string): void {
    if (this.#ending !== null) return;
    this.#frames.push(frame);
    this.#framesLength += frame.length;
    this.#mark();
  }

  flush(): void {
    this.#isMarked = false;
    if (this.#isClosed) return;
    try {
      this.#writeFrames();
      if (this.#isDraining && this.#isIdle) this.#ending ??= STOPPING;
      if (this.#ending !== null) this.socket.close(this.#ending.code, this.#ending.reason);
    } catch (error) {
      this.#failed(error);
    }
  }

  catchUp(): void {
    this.flushEvents();
  }

  flushEvents(): void {
    const mayWrite = this.#ending === null && !this.#lag.isLagging;
    try {
      if (mayWrite) this.#addEvents();
    } catch (error) {
      this.#failed(error);
      return;
    } finally {
      // Only now it is known whether it still catches up.
      this.#isWoken = false;
    }
    if (!mayWrite) return;
    if (this.#subscriptions.hasReady) this.wake();
    this.flush();
  }

  #addEvents(): void {
    const before = this.#frames.length;
    this.#subscriptions.addEvents(this.#frames);
    let length = 0;
    for (let index = before; index < this.#frames.length; index += 1) length += (this.#frames[index] as string).length;
    if (length > 0)
      this.#clients.sent(
        this.network,
        typeof this.#owner === 'number' ? this.#owner : 0,
        length,
        this.sockets.outbox.nowMs,
      );
  }

  /** An exception while something is written: what the client has got is not known. */
  #failed(error: unknown): void {
    this.sockets.onBug(error, '');
    this.socket.destroy();
  }

  #writeFrames(): void {
    if (this.#frames.length === 0) return;
    const frames = this.#frames;
    this.#frames = [];
    this.#framesLength = 0;
    const isTaken = this.socket.send(frames);
    if (!isTaken && !this.#isClosed) this.#lagged();
  }

  #mark(): void {
    if (this.#isMarked) return;
    this.#isMarked = true;
    this.sockets.outbox.add(this);
  }

  /** The client has not read all of what was just written. */
  #lagged(): void {
    if (!this.#lag.isLagging) this.sockets.watch(this);
    if (!this.#lag.grow(this.socket.unsentBytes)) this.#cutStalled();
  }

  /** Bytes that the client has not read, as they count against the budget. */
  get unreadBytes(): number {
    return this.#lag.countedBytes;
  }

  /** Closes the connection at once in favour of another one of its client: it has the most to be read. */
  leaveUnread(): void {
    if (this.#ending === null) this.sockets.readers.cutOff.stalled += 1;
    this.#ending ??= { code: CLOSE_CODES.tryAgainLater, reason: 'overloaded' };
    this.sockets.lagging.delete(this);
    this.#lag.end();
    this.socket.destroy();
  }

  /** Called regularly while the client lags. */
  checkStall(): void {
    if (this.#lag.isStalled) this.#cutStalled();
  }

  #cutStalled(): void {
    this.cut('stalled', CLOSE_CODES.tryAgainLater, 'overloaded', { detail: UNREAD });
  }

  // The end.

  /** Closes the connection, and says why. */
  cut(reason: CutReason, closeCode: CloseCode, code: ProblemCode, facts: ProblemFacts = {}): void {
    if (this.#ending !== null) return;
    this.sockets.readers.cutOff[reason] += 1;
    const exchange = this.exchange('');
    prepareProblem(exchange, code, facts);
    this.write(exchange.answer);
    this.#ending = { code: closeCode, reason: code };
  }

  /** Closes the connection after what is to be written: its client sends more than it may. */
  #endForRefusals(): void {
    if (this.#ending !== null) return;
    this.sockets.readers.cutOff.misbehaved += 1;
    this.#ending = { code: CLOSE_CODES.policyViolation, reason: 'rate_limited' };
  }

  /** @returns false if the client is cut off: it goes on although everything is refused */
  #countRefusal(): boolean {
    this.#refusals += 1;
    if (this.#refusals < SOCKET_REFUSALS_MAX) return true;
    this.cut('misbehaved', CLOSE_CODES.policyViolation, 'rate_limited', {
      detail: 'Too many frames in a row were refused.',
    });
    return false;
  }

  get #isIdle(): boolean {
    return this.callsInFlight === 0 && this.#waiting.count === 0;
  }

  #inCallback(work: () => void): void {
    const { outbox } = this.sockets;
    outbox.isInCallback = true;
    try {
      work();
    } catch (error) {
      this.answerBug(this.exchange(''), error);
    } finally {
      outbox.isInCallback = false;
    }
  }
}

/** How many frames are handled before the clock is looked at again. */
const FRAMES_PER_CLOCK_LOOK = 16;

const BINARY = 'Frames are text.';
const TOO_MANY_FRAMES = 'Too many frames of the connection are not handled yet.';
const TOO_MANY_PINGS = 'Too many pings or pongs.';
const LATE = `A frame is not complete after ${CLIENT_SILENCE_MS / 1_000} seconds.`;
const UNREAD = 'The client does not read what is sent to it.';
const STOPPING = { code: CLOSE_CODES.goingAway, reason: 'the server stops' } as const;
/** The client has closed the connection: nothing is sent. */
const GONE = STOPPING;
