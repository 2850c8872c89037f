// Stands where HTTP stands: turns requests into commands, one in a turn of the event loop, and holds each reply until what it
// rests on is durable. It has no rules of its own beyond those of the way of a command.
import { existingPlayer } from '../../engine/queries/lookup.js';
import type { WorldCommand } from '../../engine/commands/table.js';
import type { Engine } from '../../engine/engine.js';
import { isRefusal } from '../../engine/rejections.js';
import type { Held, Sequencer } from '../../persistence/sequencer.js';

/** How a request ended, as its client sees it. */
export type Answer = 'accepted' | 'replayed' | 'refused' | 'turned away';

/** Sends an answer that rests on everything up to a seq. */
export type Send = (answer: Answer, seq: number) => void;

export interface FrontDeskOptions {
  readonly engine: Engine;
  readonly sequencer: Sequencer;
}

export class FrontDesk {
  readonly engine: Engine;
  readonly sequencer: Sequencer;

  constructor({ engine, sequencer }: FrontDeskOptions) {
    this.engine = engine;
    this.sequencer = sequencer;
  }

  /** A command with its idempotency key. */
  command(command: WorldCommand, _key: string, send: Send): void {
    const { sequencer } = this;
    sequencer.readNow();
    // HTTP answers a player that exists as a read.
    if (command.type === 'create_player' && existingPlayer(this.engine.world, command.name, command.isBot)) {
      this.answer('replayed', sequencer.lastSeq, send);
      return;
    }
    if (sequencer.admission() !== 'open') {
      send('turned away', 0);
      return;
    }
    const outcome = sequencer.submit(command);
    this.answer(isRefusal(outcome) ? 'refused' : 'accepted', sequencer.lastSeq, send);
  }

  /** A look at a planet, whose reply waits only for the planet's last change. */
  read(planetKey: number, send: Send): void {
    this.sequencer.readNow();
    const planet = this.engine.world.planets.get(planetKey);
    this.answer('accepted', planet?.changedSeq ?? this.sequencer.lastSeq, send);
  }

  protected answer(answer: Answer, seq: number, send: Send): void {
    const held: Held = { durable: () => send(answer, seq) };
    if (!this.sequencer.holdUntilDurable(seq, held)) send('turned away', 0);
  }
}
