// Takes the place of HTTP: it handles one request per turn of the event loop, and holds each reply until what it
// depends on is durable. http/pipeline/keyed-execution.ts decides what a key means, as in the server.
import type { Engine } from '../../engine/engine.js';
import type { ReadonlyWorld } from '../../engine/state.js';
import { KeyedExecution, type KeyedWorld, WorldReplies } from '../../http/pipeline/keyed-execution.js';
import type { DurabilityWaiter, ServedSequencer } from '../../persistence/writer/sequencer.js';
import { KeyedCommand } from './keyed-command.js';
import type { PlayerRequest } from './player-bot.js';

/** A reply as its client sees it. */
export interface Answer {
  /** `found`: there was nothing to change; `shown`: the reply to a read. */
  readonly kind: 'accepted' | 'replayed' | 'refused' | 'key reused' | 'found' | 'shown' | 'turned away';
  /** Seqs of the commands that were accepted; of a planet that is shown, that of its last change. */
  readonly seqs: readonly number[];
  /** As in `x-world-seq`; undefined in a world of one process, and if it does not depend on the world. */
  readonly worldSeq?: number;
}

/** Sends an answer that depends on everything up to a seq. */
export type Send = (answer: Answer, seq: number) => void;

export interface FrontDeskOptions {
  readonly engine: Engine;
  readonly sequencer: ServedSequencer;
}

export class FrontDesk implements KeyedWorld {
  readonly world: ReadonlyWorld;
  readonly sequencer: ServedSequencer;
  readonly keptReplies: WorldReplies;

  constructor({ engine, sequencer }: FrontDeskOptions) {
    this.world = engine.world;
    this.sequencer = sequencer;
    this.keptReplies = new WorldReplies(this.world, sequencer);
  }

  /** A request with its idempotency key. */
  post(request: PlayerRequest, send: Send): void {
    this.sequencer.run(() => new KeyedExecution(this, new KeyedCommand(this, request, send)).run());
  }

  /** A read of a planet; its reply waits only for the planet's last change. */
  read(planetKey: number, send: Send): void {
    this.sequencer.run(() => {
      const planet = this.world.planets.get(planetKey);
      const seqs = planet === undefined ? [] : [planet.changedSeq];
      this.answer({ kind: 'shown', seqs }, planet?.changedSeq ?? this.sequencer.lastSeq, send);
    });
  }

  /** The simulated process always waits for its disk. */
  mayShow(seq: number): boolean {
    return seq <= this.sequencer.durableSeq;
  }

  answer(answer: Answer, seq: number, send: Send): void {
    const held: DurabilityWaiter = { durable: () => send(answer, seq) };
    if (!this.sequencer.holdUntilDurable(seq, held)) send({ kind: 'turned away', seqs: [] }, 0);
  }
}
