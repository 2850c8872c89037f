// Readers of events: each follows a player or a topic through the hub of any process, over connections that break and fill up, and
// continues after the last event that it has. Whatever arrives is compared with the oracle: no gap, no repeat, nothing that a crash can
// undo.

import type { Engine } from '../../engine/engine.js';
import { OPEN_WORLD_TOPIC, WORLD_TOPIC } from '../../engine/events/kinds.js';
import type { ReadonlyWorld } from '../../engine/world/state.js';
import type { EventHub } from '../../http/events/event-hub.js';
import { grant } from '../support/command-words.js';
import type { EventOracle, TrueEvent } from '../support/event-oracle.js';
import type { Draws } from '../support/process/draws.js';
import type { Parts } from './parts.js';
import type { Serving, SimulatedProcess } from './process.js';
import { Connection } from './reader-connection.js';
import { require } from './violation.js';
import type { SimulatedWorld } from './world.js';

const READERS_MAX = 6;
/** Events that a reader asks for at a time when it reads everything. */
const PAGE = 7;
/** Connections after which a reader must have everything, although some answers are lost. */
const TRIES_MAX = 500;

interface ReadWorld extends SimulatedWorld {
  /** Those that live. */
  readonly processes: readonly SimulatedProcess[];
}

interface Reader {
  readonly number: number;
  receiver: number;
  /** Seq of the last event that it has. */
  seq: number;
  process: SimulatedProcess | undefined;
  connection: Connection | undefined;
}

export class Readers {
  readonly #world: ReadWorld;
  readonly #readers: readonly Reader[];

  constructor(world: ReadWorld) {
    this.#world = world;
    this.#readers = Array.from({ length: world.stage.draws.between(1, READERS_MAX) }, (_, index) => {
      const receiver = index % 2 === 0 ? WORLD_TOPIC : OPEN_WORLD_TOPIC;
      return { number: index + 1, receiver, seq: 0, process: undefined, connection: undefined };
    });
  }

  /** A reader connects to any process, reads what is on its way, or loses its connection. @returns whether it could */
  move(): boolean {
    const { stage, processes } = this.#world;
    const running = processes.filter(({ serving, loop }) => serving !== undefined && !loop.isStopped);
    const reader = stage.draws.pick(this.#readers);
    if (reader.connection !== undefined) {
      if (stage.draws.oneIn(3)) this.#disconnect(reader);
      else reader.connection.drain();
    } else if (running.length > 0) this.#connect(reader, stage.draws.pick(running));
    else return false;
    return true;
  }

  /** A process or the network has ended. @param to undefined: all of them */
  loseConnections(to?: SimulatedProcess): true {
    for (const reader of this.#readers) if (to === undefined || reader.process === to) this.#disconnect(reader);
    return true;
  }

  /** Every reader catches up at a process that has applied everything; and new readers read everything that is kept. */
  finish(process: SimulatedProcess): void {
    const { events, lastSeq } = this.#world.truth;
    for (const reader of this.#readers) {
      this.#disconnect(reader);
      for (let tries = 0; tries < TRIES_MAX && reader.seq < events.of(reader.receiver).length; tries += 1) {
        if (reader.connection === undefined) this.#connect(reader, process);
        reader.connection?.drain();
      }
      const { length } = events.of(reader.receiver);
      require(reader.seq === length, () => `reader ${reader.number} has ${reader.seq} events of ${length}`);
      this.#disconnect(reader);
    }
    const { hub } = process.serving as Serving;
    for (const receiver of events.receivers) checkAll(hub, events, receiver, lastSeq);
  }

  /** Nobody who listens may wait for an event that is durable. Call it if the process has nothing to do. */
  checkIdle(process: SimulatedProcess): void {
    const { hub, sequencer, engine } = process.serving ?? {};
    if (hub === undefined || sequencer === undefined || engine === undefined) return;
    const { events } = this.#world.truth;
    const { durableSeq } = sequencer;
    for (const { number, receiver, connection, process: to } of this.#readers) {
      if (to !== process || connection === undefined || connection.isFull) continue;
      const lastSeq = events.lastSeqUpTo(receiver, durableSeq);
      require(connection.position >= lastSeq || isRetired(engine.world, receiver), () => {
        return `reader ${number} of ${receiver} stands at ${connection.position} at ${process.id}, which is at ${lastSeq}`;
      });
    }
    for (const receiver of events.receivers) {
      const span = hub.span(receiver);
      // So many events may be on their way to the store that the last durable one is no longer kept.
      const lastSeq = Math.max(events.lastSeqUpTo(receiver, durableSeq), span.oldestSeq - 1);
      require(span.lastSeq === lastSeq || isRetired(engine.world, receiver), () => {
        return `the last event of ${receiver} at ${process.id} is ${span.lastSeq} instead of ${lastSeq}`;
      });
    }
  }

  /**
   * A world as it was at an earlier seq has the same events up to there, and counts on from there. A reader that has later ones is refused.
   *
   * @param engine of the restored world; it plays on
   */
  checkRestored(engine: Engine, hubOf: Parts['hub']): void {
    const { stage, truth } = this.#world;
    const { events } = truth;
    const { world, seq } = engine;
    const sequencer = { durableSeq: seq, watchEvents: () => () => {} };
    const hub = hubOf({ world, sequencer });
    for (const receiver of events.receivers) checkAll(hub, events, receiver, seq);
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

  #connect(reader: Reader, process: SimulatedProcess): void {
    const { stage } = this.#world;
    process.serving?.handler.receive({
      use: 'state',
      minSeq: 0,
      handle: () => this.#read(reader, process),
      refuse: (why) => stage.count(`readers sent away: ${why}`),
    });
  }

  #read(reader: Reader, process: SimulatedProcess): void {
    const { stage } = this.#world;
    const { engine, hub } = process.serving as Serving;
    if (reader.seq === 0 || this.#isRetired(reader.receiver)) this.#chooseReceiver(reader);
    const span = hub.span(reader.receiver);
    const isApplied = reader.seq <= engine.world.eventLog.lastSeq(reader.receiver);
    if (reader.seq > span.lastSeq && (process.role === 'standby' || isApplied)) {
      // As in the server, it waits for what a standby has not applied yet, or what a leader does not know to be stored yet.
      stage.count(`readers ahead of a ${process.role}`);
      return;
    }
    const kind = stage.draws.pick(['poll', 'stream', 'stream'] as const);
    stage.count(`readers: ${kind}`);
    reader.process = process;
    const connection = new Connection({
      kind,
      hub,
      receiver: reader.receiver,
      since: reader.seq,
      draws: () => stage.draws,
      arrived: (text) => this.#receive(reader, text),
      expired: (position) => this.#startAfresh(reader, position, process),
      ended: () => {
        reader.connection = undefined;
      },
    });
    if (!connection.isOver) reader.connection = connection;
  }

  #chooseReceiver(reader: Reader): void {
    const { stage, truth } = this.#world;
    reader.receiver = drawnReceiver(stage.draws, truth.engine.world);
    reader.seq = 0;
  }

  #disconnect(reader: Reader): void {
    reader.connection?.lose();
    reader.connection = undefined;
    reader.process = undefined;
  }

  #receive(reader: Reader, text: string): void {
    const { events } = this.#world.truth;
    const { number, receiver, process } = reader;
    const next: TrueEvent | undefined = events.of(receiver)[reader.seq];
    require(next !== undefined, () => `reader ${number} of ${receiver} got an event that is not durable: ${text}`);
    requireSame(events, `reader ${number} of ${receiver} at ${process?.id}`, next, text);
    reader.seq = next.seq;
    this.#world.stage.count('events read');
  }

  /** The events after its position are not kept. */
  #startAfresh(reader: Reader, position: number, process: SimulatedProcess): void {
    const { stage, truth } = this.#world;
    const { hub, engine } = process.serving as Serving;
    const { receiver, number } = reader;
    if (isRetired(engine.world, receiver) || this.#isRetired(receiver)) {
      reader.seq = 0;
      return;
    }
    const { oldestSeq } = hub.span(receiver);
    require(position < oldestSeq - 1, () => {
      return `reader ${number} of ${receiver} is refused after ${position} at ${process.id}, which keeps those from ${oldestSeq}`;
    });
    stage.count('events expired for a reader');
    reader.seq = truth.events.lastSeqUpTo(receiver, process.serving?.sequencer.durableSeq ?? 0);
  }

  #isRetired(receiver: number): boolean {
    return isRetired(this.#world.truth.engine.world, receiver);
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
      requireSame(events, `a reader of ${receiver}`, events.of(receiver)[position] as TrueEvent, text);
      position += 1;
    }
  }
  require(position === lastSeq, () => `the events of ${receiver} end at ${position} instead of ${lastSeq}`);
  for (const outside of [span.oldestSeq - 2, lastSeq + 1]) {
    if (outside < 0) continue;
    require(hub.read(receiver, outside, PAGE) === null, () => `${receiver} can be read after ${outside}`);
  }
}

function requireSame(events: EventOracle, who: string, event: TrueEvent, text: string): void {
  const expected = events.text(event);
  require(text === expected, () => `${who} got ${text} as event ${event.seq}, it is ${expected}`);
}

/** A topic, or a player that is there: players twice as often. */
function drawnReceiver(draws: Draws, { players }: ReadonlyWorld): number {
  const numbers = [...players.values()].map(({ number }) => number);
  return draws.pick([WORLD_TOPIC, OPEN_WORLD_TOPIC, ...numbers, ...numbers]);
}

function isRetired({ players }: ReadonlyWorld, receiver: number): boolean {
  return receiver > 0 && !players.has(receiver);
}
