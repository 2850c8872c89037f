// Who may look at a replay. Keys of its players are not looked at: they may have been replaced since.
import type { ReplayedWorld } from '../../persistence/history/replayed-world.js';
import type { Exchange } from '../exchange/exchange.js';
import { Access, type AccessParts, type Audience } from '../game/access.js';

export class ReplayAccess extends Access {
  constructor(
    parts: AccessParts,
    private readonly replay: Pick<ReplayedWorld, 'hasKeys'>,
  ) {
    super(parts, true);
  }

  /** A replay that has the operator's key asks for it; one without shows nothing of a world whose players have keys. */
  override get hasKeys(): boolean {
    return this.parts.operator !== null || this.replay.hasKeys;
  }

  override identifies(exchange: Exchange, audience: Audience): boolean {
    if (audience === 'public' || (audience !== 'admin' && !this.hasKeys)) return true;
    if (this.parts.operator?.isKeyOf(exchange) === true) return true;
    this.parts.replies.refuse(exchange, 'unauthenticated');
    return false;
  }

  override socketHolder(exchange: Exchange): number | null {
    return this.isShared(exchange) ? 0 : null;
  }
}
