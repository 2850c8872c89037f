// Stands where HTTP stands: turns requests into commands, one request in a turn of the event loop, and holds each reply until
// what it rests on is durable. It keeps to what http/idempotency.ts and http/game.ts do, and has no rules of its own.
import { encodeCommand, type WorldCommand } from '../../engine/commands/table.js';
import type { Engine } from '../../engine/engine.js';
import { type KeptReply, REPLY_FORMS, WORLD_SCOPE } from '../../engine/kept-replies.js';
import { existingPlayer } from '../../engine/queries/lookup.js';
import { isRefusal } from '../../engine/rejections.js';
import type { Held, Sequencer } from '../../persistence/sequencer.js';
import type { PlayerRequest } from './player-bot.js';

/** A reply as its client sees it. */
export interface Answer {
  /** `found`: there was nothing to change; `shown`: the reply to a read. */
  readonly kind: 'accepted' | 'replayed' | 'refused' | 'found' | 'shown' | 'turned away';
  /** Seqs of the commands that were accepted. */
  readonly seqs: readonly number[];
}

/** Sends an answer that rests on everything up to a seq. */
export type Send = (answer: Answer, seq: number) => void;

export interface FrontDeskOptions {
  readonly engine: Engine;
  readonly sequencer: Sequencer;
}

const TURNED_AWAY: Answer = { kind: 'turned away', seqs: [] };

export class FrontDesk {
  readonly engine: Engine;
  readonly sequencer: Sequencer;

  constructor({ engine, sequencer }: FrontDeskOptions) {
    this.engine = engine;
    this.sequencer = sequencer;
  }

  /** A request with its idempotency key. A refusal changes nothing and leaves the key free. */
  post(request: PlayerRequest, key: string, send: Send): void {
    const { sequencer } = this;
    sequencer.readNow();
    const scope = scopeOf(request);
    const requestDigest = digestOf(request);
    const kept = this.keptReply(scope, key);
    if (kept !== undefined) {
      if (kept.requestDigest !== requestDigest) throw new Error(`the key ${key} was found with another request`);
      if (kept.seq > sequencer.durableSeq) send(TURNED_AWAY, 0);
      else this.answer({ kind: 'replayed', seqs: JSON.parse(kept.reply) }, kept.seq, send);
      return;
    }
    sequencer.together(() => {
      const seqBefore = sequencer.lastSeq;
      const answer = this.#execute(request);
      if (answer.kind === 'turned away') send(answer, 0);
      else this.answer(answer, sequencer.lastSeq, send);
      if (sequencer.lastSeq === seqBefore) return;
      const reply = JSON.stringify(answer.seqs);
      const form = REPLY_FORMS.whole;
      sequencer.submit({ type: 'keep_reply', scope, keyDigest: key, requestDigest, status: 201, form, reply });
    });
  }

  /** A look at a planet, whose reply waits only for the planet's last change. */
  read(planetKey: number, send: Send): void {
    this.sequencer.readNow();
    const planet = this.engine.world.planets.get(planetKey);
    this.answer({ kind: 'shown', seqs: [] }, planet?.changedSeq ?? this.sequencer.lastSeq, send);
  }

  protected keptReply(scope: number, key: string): KeptReply | undefined {
    return this.engine.world.keptReplies.find(scope, key);
  }

  protected answer(answer: Answer, seq: number, send: Send): void {
    const held: Held = { durable: () => send(answer, seq) };
    if (!this.sequencer.holdUntilDurable(seq, held)) send(TURNED_AWAY, 0);
  }

  #execute({ commands, advanceMs }: PlayerRequest): Answer {
    const { sequencer } = this;
    const seqs: number[] = [];
    const kinds = new Set<Answer['kind']>();
    if (advanceMs > 0 && sequencer.admission() === 'open') {
      sequencer.advanceTo(sequencer.nowMs + advanceMs);
      kinds.add('accepted');
    }
    for (const command of commands) {
      const kind = this.#executeOne(command);
      kinds.add(kind);
      if (kind === 'accepted') seqs.push(sequencer.lastSeq);
    }
    const told = (['accepted', 'refused', 'found', 'turned away'] as const).find((kind) => kinds.has(kind));
    return { kind: told ?? 'turned away', seqs };
  }

  #executeOne(command: WorldCommand): Answer['kind'] {
    // A player that exists is read, not created.
    if (command.type === 'create_player' && existingPlayer(this.engine.world, command.name, command.isBot)) {
      return 'found';
    }
    if (this.sequencer.admission() !== 'open') return 'turned away';
    return isRefusal(this.sequencer.submit(command)) ? 'refused' : 'accepted';
  }
}

/** Whose key it is: the player's whom the only command names, else the world's. */
function scopeOf({ commands }: PlayerRequest): number {
  const [command] = commands;
  return command !== undefined && commands.length === 1 && 'playerNumber' in command
    ? command.playerNumber
    : WORLD_SCOPE;
}

function digestOf({ commands, advanceMs }: PlayerRequest): string {
  return JSON.stringify([advanceMs, commands.map(encodeCommand)]);
}
