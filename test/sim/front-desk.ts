// Stands where HTTP stands: turns requests into commands, one in a turn of the event loop, and holds each reply until what it
// rests on is durable. It keeps to what http/idempotency.ts and http/game.ts do, and has no rules of its own.

import { type Command, encodeCommand, type WorldCommand } from '../../engine/commands/table.js';
import type { Engine } from '../../engine/engine.js';
import { type KeptReply, REPLY_FORMS, WORLD_SCOPE } from '../../engine/kept-replies.js';
import { existingPlayer } from '../../engine/queries/lookup.js';
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

  /** A command with its idempotency key. A refusal changes nothing and leaves the key free. */
  command(command: WorldCommand, key: string, send: Send): void {
    const { sequencer } = this;
    sequencer.readNow();
    const scope = scopeOf(command);
    const requestDigest = digestOf(command);
    const kept = this.keptReply(scope, key);
    if (kept !== undefined) {
      if (kept.requestDigest !== requestDigest) throw new Error(`the key ${key} was found with another request`);
      if (kept.seq > sequencer.durableSeq) send('turned away', 0);
      else this.answer('replayed', kept.seq, send);
      return;
    }
    sequencer.together(() => {
      if (!this.#execute(command, send)) return;
      const form = REPLY_FORMS.whole;
      sequencer.submit({ type: 'keep_reply', scope, keyDigest: key, requestDigest, status: 201, form, reply: '{}' });
    });
  }

  /** A look at a planet, whose reply waits only for the planet's last change. */
  read(planetKey: number, send: Send): void {
    this.sequencer.readNow();
    const planet = this.engine.world.planets.get(planetKey);
    this.answer('accepted', planet?.changedSeq ?? this.sequencer.lastSeq, send);
  }

  protected keptReply(scope: number, key: string): KeptReply | undefined {
    return this.engine.world.keptReplies.find(scope, key);
  }

  protected answer(answer: Answer, seq: number, send: Send): void {
    const held: Held = { durable: () => send(answer, seq) };
    if (!this.sequencer.holdUntilDurable(seq, held)) send('turned away', 0);
  }

  /** @returns whether it changed the world */
  #execute(command: WorldCommand, send: Send): boolean {
    const { sequencer } = this;
    // A player that exists is read, not created.
    if (command.type === 'create_player' && existingPlayer(this.engine.world, command.name, command.isBot)) {
      this.answer('replayed', sequencer.lastSeq, send);
      return false;
    }
    if (sequencer.admission() !== 'open') {
      send('turned away', 0);
      return false;
    }
    const outcome = sequencer.submit(command);
    this.answer(isRefusal(outcome) ? 'refused' : 'accepted', sequencer.lastSeq, send);
    return !isRefusal(outcome);
  }
}

/** Whose key it is: the player's whom the command names, else the world's. */
function scopeOf(command: WorldCommand): number {
  return 'playerNumber' in command ? command.playerNumber : WORLD_SCOPE;
}

function digestOf(command: Command): string {
  return JSON.stringify(encodeCommand(command));
}
