// Readers of events that move between the processes of a shared world: each continues after the last event that it has, at
// any process. Each text that arrives is compared with the events of the entries in the store.
import { OPEN_WORLD_TOPIC, WORLD_TOPIC } from '../../../engine/events/receivers.js';
import type { TrueEvent } from '../../support/event-oracle.js';
import { Connection } from '../reader-connection.js';
import { drawnReceiver, isRetired } from '../readers.js';
import { require } from '../violation.js';
import type { SharedProcess, SharedServing } from './shared-process.js';
import type { SharedSimulation } from './shared-simulation.js';

const READERS_MAX = 5;
/** Connections after which a reader must have everything, although some answers are lost. */
const TRIES_MAX = 500;

interface Reader {
  readonly number: number;
  receiver: number;
  /** Seq of the last event that it has. */
  seq: number;
  process: SharedProcess | undefined;
  connection: Connection | undefined;
}

export class SharedReaders {
  readonly #simulation: SharedSimulation;
  readonly #readers: readonly Reader[];

  constructor(simulation: SharedSimulation) {
    this.#simulation = simulation;
    this.#readers = Array.from({ length: simulation.stage.draws.between(1, READERS_MAX) }, (_, index) => {
      const receiver = index % 2 === 0 ? WORLD_TOPIC : OPEN_WORLD_TOPIC;
      return { number: index + 1, receiver, seq: 0, process: undefined, connection: undefined };
    });
  }

  /** A reader connects to any process, reads what is on its way, or loses its connection. @returns whether it could */
  move(): boolean {
    const { stage, processes } = this.#simulation;
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
  loseConnections(to?: SharedProcess): void {
    for (const reader of this.#readers) if (to === undefined || reader.process === to) this.#disconnect(reader);
  }

  /** Every reader catches up at a process that has applied everything. */
  finish(process: SharedProcess): void {
    const { events } = this.#simulation.truth.history;
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
    for (const receiver of events.receivers) {
      const { lastSeq } = (process.serving as SharedServing).hub.span(receiver);
      const { length } = events.of(receiver);
      require(lastSeq === length, () => `${process.id} has ${lastSeq} events of ${receiver}, and there are ${length}`);
    }
  }

  /** Nobody who listens may wait for an event that the process has released. Call it if the process has nothing to do. */
  checkIdle(process: SharedProcess): void {
    const { hub } = process.serving ?? {};
    for (const { number, receiver, connection, process: to } of this.#readers) {
      if (hub === undefined || to !== process || connection === undefined || connection.isFull) continue;
      const { lastSeq } = hub.span(receiver);
      require(connection.position >= lastSeq, () => {
        return `reader ${number} of ${receiver} stands at ${connection.position} at ${process.id}, which is at ${lastSeq}`;
      });
    }
  }

  #connect(reader: Reader, process: SharedProcess): void {
    const { stage } = this.#simulation;
    process.serving?.desk.receive({
      use: 'state',
      minSeq: 0,
      handle: () => this.#read(reader, process),
      refuse: (why) => stage.count(`readers sent away: ${why}`),
    });
  }

  #read(reader: Reader, process: SharedProcess): void {
    const { stage } = this.#simulation;
    const { engine, hub, replica } = process.serving as SharedServing;
    if (reader.seq === 0 || this.#isRetired(reader.receiver)) this.#chooseReceiver(reader);
    const span = hub.span(reader.receiver);
    const isApplied = reader.seq <= engine.world.eventLog.lastSeq(reader.receiver);
    if (reader.seq > span.lastSeq && (replica.role === 'standby' || isApplied)) {
      // As in the server, it waits for what a standby has not applied yet, or what a leader does not know to be stored yet.
      stage.count(`readers ahead of a ${replica.role}`);
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
    const { stage, truth } = this.#simulation;
    reader.receiver = drawnReceiver(stage.draws, truth.engine.world);
    reader.seq = 0;
  }

  #disconnect(reader: Reader): void {
    reader.connection?.lose();
    reader.connection = undefined;
    reader.process = undefined;
  }

  #receive(reader: Reader, text: string): void {
    const { events } = this.#simulation.truth.history;
    const { number, receiver, process } = reader;
    const next: TrueEvent | undefined = events.of(receiver)[reader.seq];
    require(next !== undefined, () => `reader ${number} of ${receiver} got an event that is not stored: ${text}`);
    const expected = events.text(next);
    require(text === expected, () =>
      `reader ${number} of ${receiver} at ${process?.id} got ${text}, it is ${expected}`);
    reader.seq = next.seq;
    this.#simulation.stage.count('events read');
  }

  /** The events after its position are not kept. */
  #startAfresh(reader: Reader, position: number, process: SharedProcess): void {
    const { stage, truth } = this.#simulation;
    const { hub, engine } = process.serving as SharedServing;
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
    reader.seq = truth.history.events.lastSeqUpTo(receiver, process.serving?.sequencer.durableSeq ?? 0);
  }

  #isRetired(receiver: number): boolean {
    return isRetired(this.#simulation.truth.engine.world, receiver);
  }
}
