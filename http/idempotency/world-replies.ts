// Kept replies as a part of the world: in the log, in the record of their command, and in snapshots. They survive what the world
// survives.
import type { KeptReply } from '../../engine/world/kept-replies.js';
import type { ReadonlyWorld } from '../../engine/world/state.js';
import type { ServedSequencer } from '../../persistence/writer/sequencer.js';
import type { ReplyStore } from './keyed-execution.js';

export class WorldReplies implements ReplyStore {
  constructor(
    private readonly world: Pick<ReadonlyWorld, 'keptReplies'>,
    private readonly sequencer: Pick<ServedSequencer, 'lastSeq' | 'submit'>,
  ) {}

  get changeCount(): number {
    return this.sequencer.lastSeq;
  }

  find(scope: number, keyDigest: string): KeptReply | undefined {
    return this.world.keptReplies.find(scope, keyDigest);
  }

  keep(kept: Omit<KeptReply, 'seq'>): void {
    this.sequencer.submit({ type: 'keep_reply', ...kept });
  }
}
