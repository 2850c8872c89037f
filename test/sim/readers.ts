// Readers of events: each follows a player or a topic through the server's own hub, over connections that break and fill up, and resumes
// after the last event that it has. Whatever arrives is compared with the oracle: no gap, no repeat, nothing that a crash can undo.

import type { Engine } from '../../engine/engine.js';
import { OPEN_WORLD_TOPIC, WORLD_TOPIC } from '../../engine/events/receivers.js';
import type { ReadonlyWorld } from '../../engine/state.js';
import type { EventHub } from '../../http/events/event-hub.js';
import { grant } from '../support/command-words.js';
import type { EventOracle, TrueEvent } from '../support/event-oracle.js';
import type { Draws } from '../support/process/draws.js';
import type { Serving } from './life.js';
import type { Parts } from './parts.js';
import { Connection } from './reader-connection.js';
import type { Simulation } from './simulation.js';
import { require } from './violation.js';

const READERS_MAX = 6;
/** Events that a reader asks for at a time when it reads everything. */
const PAGE = 7;
/** Connections after which a reader must have everything, although some answers are lost. */
const TRIES_MAX = 500;

interface Reader {
  readonly number: number;
  receiver: number;
  /** Seq of the last event that it has. */
  seq: number;
  /** What it has received, by seq. */
  readonly texts: Map<number, string>;
  connection: Connection | undefined;
}

export class Readers {
  readonly #simulation: Simulation;
  readonly #readers: readonly Reader[];

  constructor(simulation: Simulation) {
    this.#simulation = simulation;
    const count = simulation.stage.draws.between(1, READERS_MAX);
    this.#readers = Array.from({ length: count }, (_, index) => {
      const receiver = index % 2 === 0 ? WORLD_TOPIC : OPEN_WORLD_TOPIC;
      return { number: index + 1, receiver, seq: 0, texts: new Map(), connection: undefined };
    });
  }

  /** A reader connects, reads what is on its way, or loses its connection. @returns whether there is a server */
  move(): boolean {
    const { serving, stage } = this.#simulation;
    if (serving === undefined) return false;
    const reader = stage.draws.pick(this.#readers);
    if (reader.connection === undefined) this.#connect(reader, serving);
    else if (stage.draws.oneIn(3)) this.#disconnect(reader);
    else reader.connection.drain();
    return true;
  }

  /** The process or the network has ended. */
  loseConnections(): void {
    for (const reader of this.#readers) this.#disconnect(reader);
  }

  /** What readers have must be what happened in the world that recovery found. */
  checkRecovered(): void {
    for (const reader of this.#readers) this.#compare(reader);
  }

  /** Nobody who listens may wait for an event that was released. Call it if the process has nothing to do. */
  checkIdle({ hub, sequencer, engine }: Serving): void {
    const { events } = this.#simulation.history;
    const { durableSeq } = sequencer;
    for (const { number, receiver, connection } of this.#readers) {
      if (connection === undefined || connection.isFull) continue;
      const lastSeq = events.lastSeqUpTo(receiver, durableSeq);
      require(connection.position >= lastSeq || isRetired(engine.world, receiver), () => {
        return `reader ${number} of ${receiver} stands at ${connection.position}, while event ${lastSeq} is durable`;
      });
    }
    for (const receiver of events.receivers) this.#checkSpan(receiver, hub, durableSeq);
  }

  /** Every reader catches up; and new readers read everything that is kept. What has just fallen due may not be durable yet. */
  finish(serving: Serving): void {
    const { events } = this.#simulation.history;
    const { durableSeq } = serving.sequencer;
    const lastSeqOf = ({ receiver }: Reader): number => events.lastSeqUpTo(receiver, durableSeq);
    for (const reader of this.#readers) {
      this.#disconnect(reader);
      for (let tries = 0; tries < TRIES_MAX && reader.seq < lastSeqOf(reader); tries += 1) {
        if (reader.connection === undefined) this.#connect(reader, serving);
        reader.connection?.drain();
      }
      const lastSeq = lastSeqOf(reader);
      require(reader.seq >= lastSeq, () => `reader ${reader.number} has ${reader.seq} events of ${lastSeq}`);
      this.#compare(reader);
    }
    for (const receiver of events.receivers) checkAll(serving.hub, events, receiver, durableSeq);
  }

  /**
   * A world as it was at an earlier seq has the same events up to there, and counts on from there. A reader that has later ones is refused.
   *
   * @param engine of the restored world; it plays on
   */
  checkRestored(engine: Engine, hubOf: Parts['hub']): void {
    const { stage, history } = this.#simulation;
    const { world, seq } = engine;
    const sequencer = { durableSeq: seq, watchEvents: () => () => {} };
    const hub = hubOf({ world, sequencer });
    for (const receiver of history.events.receivers) checkAll(hub, history.events, receiver, seq);
    for (const { number, receiver, seq: position } of this.#readers) {
      const { lastSeq } = hub.span(receiver);
      if (position <= lastSeq) continue;
      stage.count('readers ahead of a restored world');
      require(hub.read(receiver, position, PAGE) === null, () => {
        return `reader ${number} has event ${position} of ${receiver}, and a world with ${lastSeq} does not refuse it`;
      });
    }
    const [planet] = world.planets.values();
    if (planet === undefined || engine.nextDeadlineMs() <= engine.nowMs) return;
    const receiver = planet.owner.number;
    const { lastSeq } = hub.span(receiver);
    engine.apply(engine.nowMs, grant(planet, { iron: stage.draws.between(1, 1_000) }));
    sequencer.durableSeq = engine.seq;
    const [text = 'nothing'] = hub.read(receiver, lastSeq, PAGE) ?? [];
    require(text.startsWith(`{"seq":${lastSeq + 1},"type":"resources_granted"`), () => {
      return `the restored world continues after event ${lastSeq} of ${receiver} with ${text}`;
    });
  }

  #connect(reader: Reader, serving: Serving): void {
    const { hub, engine } = serving;
    const { stage } = this.#simulation;
    if (reader.seq === 0 || isRetired(engine.world, reader.receiver)) this.#chooseReceiver(reader, engine.world);
    const kind = stage.draws.pick(['poll', 'stream', 'stream'] as const);
    stage.tell(`reader ${reader.number} connects to ${reader.receiver} after ${reader.seq}: ${kind}`);
    stage.count(`readers: ${kind}`);
    const connection = new Connection({
      kind,
      hub,
      receiver: reader.receiver,
      since: reader.seq,
      draws: () => stage.draws,
      arrived: (text) => this.#receive(reader, text),
      expired: (position) => this.#startAfresh(reader, position, serving),
      ended: () => {
        reader.connection = undefined;
      },
    });
    if (!connection.isOver) reader.connection = connection;
  }

  #chooseReceiver(reader: Reader, world: ReadonlyWorld): void {
    reader.receiver = drawnReceiver(this.#simulation.stage.draws, world);
    reader.seq = 0;
    reader.texts.clear();
  }

  #disconnect(reader: Reader): void {
    reader.connection?.lose();
    reader.connection = undefined;
  }

  #receive(reader: Reader, text: string): void {
    const { history, disk, stage } = this.#simulation;
    const { number, receiver } = reader;
    const next = history.events.of(receiver)[reader.seq];
    require(next !== undefined, () => `reader ${number} of ${receiver} got an event after the last one: ${text}`);
    requireSame(history.events, receiver, next, text);
    require(next.entrySeq <= disk.flushedSeq, () => {
      return `reader ${number} got event ${next.seq} of entry ${next.entrySeq}, while the disk was at ${disk.flushedSeq}`;
    });
    history.promise(next.entrySeq);
    reader.seq = next.seq;
    reader.texts.set(next.seq, text);
    stage.count('events read');
  }

  /** The events after its position are not kept. It reads the state, which says where to continue. */
  #startAfresh(reader: Reader, position: number, { engine: { world }, sequencer }: Serving): void {
    const { history, stage } = this.#simulation;
    const { number, receiver } = reader;
    if (isRetired(world, receiver)) return;
    const oldestSeq = world.eventLog.oldestSeq(receiver);
    require(position < oldestSeq - 1, () => {
      return `reader ${number} of ${receiver} is refused after ${position}, and events from ${oldestSeq} on are kept`;
    });
    stage.count('events expired for a reader');
    reader.seq = history.events.lastSeqUpTo(receiver, sequencer.durableSeq);
  }

  #compare({ number, receiver, texts, seq }: Reader): void {
    const { events } = this.#simulation.history;
    const sequence = events.of(receiver);
    require(seq <= sequence.length, () => `reader ${number} has event ${seq} of ${receiver}, which is lost`);
    for (const [at, text] of texts) requireSame(events, receiver, sequence[at - 1] as TrueEvent, text);
  }

  #checkSpan(receiver: number, hub: EventHub, durableSeq: number): void {
    const span = hub.span(receiver);
    // So many events may be on their way to the disk that the last durable one is no longer kept.
    const lastSeq = Math.max(this.#simulation.history.events.lastSeqUpTo(receiver, durableSeq), span.oldestSeq - 1);
    require(span.lastSeq === lastSeq, () => `the last event of ${receiver} is ${span.lastSeq} instead of ${lastSeq}`);
  }
}

/** Everything that is kept must be the end of the true sequence, and nothing else may be read. */
function checkAll(hub: EventHub, events: EventOracle, receiver: number, entrySeq: number): void {
  const lastSeq = events.lastSeqUpTo(receiver, entrySeq);
  const span = hub.span(receiver);
  require(span.lastSeq === lastSeq, () => `${receiver} has ${span.lastSeq} events instead of ${lastSeq}`);
  let position = span.oldestSeq - 1;
  for (
    let texts = hub.read(receiver, position, PAGE);
    texts?.length !== 0;
    texts = hub.read(receiver, position, PAGE)
  ) {
    require(texts !== null, () => `the events of ${receiver} after ${position} are not kept`);
    for (const text of texts) {
      requireSame(events, receiver, events.of(receiver)[position] as TrueEvent, text);
      position += 1;
    }
  }
  require(position === lastSeq, () => `the events of ${receiver} end at ${position} instead of ${lastSeq}`);
  for (const outside of [span.oldestSeq - 2, lastSeq + 1]) {
    if (outside < 0) continue;
    require(hub.read(receiver, outside, PAGE) === null, () => `${receiver} can be read after ${outside}`);
  }
}

/** @param receiver only for the sentence */
function requireSame(events: EventOracle, receiver: number, event: TrueEvent, text: string): void {
  const expected = events.text(event);
  require(text === expected, () => `a reader of ${receiver} got ${text} as event ${event.seq}, it is ${expected}`);
}

/** A topic, or a player that is there: players twice as often. */
export function drawnReceiver(draws: Draws, { players }: ReadonlyWorld): number {
  const numbers = players.flatMap((player) => (player === undefined ? [] : [player.number]));
  return draws.pick([WORLD_TOPIC, OPEN_WORLD_TOPIC, ...numbers, ...numbers]);
}

export function isRetired({ players }: ReadonlyWorld, receiver: number): boolean {
  return receiver > 0 && players[receiver] === undefined;
}
