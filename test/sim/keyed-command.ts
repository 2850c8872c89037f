// A player's request with its idempotency key as the keyed execution sees it: it does with commands and seqs what HTTP
// does with headers and bodies. The owner of a key is determined as the routes do it.
import { encodeCommand, type WorldCommand } from '../../engine/commands/table.js';
import { existingPlayer } from '../../engine/players/players.js';
import { isRefusal } from '../../engine/terms/rejections.js';
import { type KeptReply, PUBLIC_SCOPE, REPLY_FORMS, WORLD_SCOPE } from '../../engine/world/kept-replies.js';
import type { ReadonlyWorld } from '../../engine/world/state.js';
import { digestOf } from '../../http/pipeline/idempotency.js';
import { type KeptForm, type KeyedRequest, MISTAKE } from '../../http/pipeline/keyed-execution.js';
import { nameScope, ownerScope } from '../../http/routes/route-parts.js';
import type { PlayerRequest } from './player-bot.js';
import type { Answer, RequestHandler, Send } from './request-handler.js';

const TURNED_AWAY: Answer = { kind: 'turned away', seqs: [] };
const REUSED: Answer = { kind: 'key reused', seqs: [] };

export class KeyedCommand implements KeyedRequest {
  readonly requestDigest: string;
  #answer = TURNED_AWAY;

  constructor(
    private readonly handler: RequestHandler,
    private readonly request: PlayerRequest,
    private readonly send: Send,
  ) {
    this.requestDigest = digestOf(
      JSON.stringify([request.number, request.advanceMs, request.commands.map(encodeCommand)]),
    );
  }

  scope(): number {
    const { commands, advanceMs } = this.request;
    const [command] = commands;
    if (command === undefined) return WORLD_SCOPE;
    return commands.length > 1 || advanceMs > 0 ? PUBLIC_SCOPE : scopeOf(this.handler.world, command);
  }

  recall(scope: number): KeptReply | undefined {
    return this.handler.world.keptReplies.find(scope, this.keyDigestIn());
  }

  keyDigestIn(): string {
    return this.request.key;
  }

  carryOut(): void {
    this.#answer = this.#execute();
    if (this.#answer.kind === 'turned away') this.send(this.#answer, 0);
    else this.handler.answer(this.#answer, this.handler.sequencer.lastSeq, this.send);
  }

  keptForm(): KeptForm | null {
    const { kind, seqs } = this.#answer;
    return kind === 'accepted' ? { status: 201, form: REPLY_FORMS.whole, reply: JSON.stringify(seqs) } : null;
  }

  replay({ seq, status, reply }: KeptReply): void {
    if (status === MISTAKE.status) throw new Error(`request ${this.request.number} was kept as an internal error`);
    this.handler.answer({ kind: 'replayed', seqs: JSON.parse(reply) }, seq, this.send);
  }

  refuseInFlight(): void {
    this.send(TURNED_AWAY, 0);
  }

  refuseReused(): void {
    this.handler.answer(REUSED, this.handler.sequencer.lastSeq, this.send);
  }

  #execute(): Answer {
    const { commands, advanceMs } = this.request;
    const { sequencer } = this.handler;
    const seqs: number[] = [];
    const kinds = new Set<Answer['kind']>();
    if (advanceMs > 0 && sequencer.availability() === 'open') {
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
    const { sequencer, world } = this.handler;
    // A player that exists is read, not created.
    if (command.type === 'create_player' && existingPlayer(world, command)) return 'found';
    if (sequencer.availability() !== 'open') return 'turned away';
    return isRefusal(sequencer.submit(command)) ? 'refused' : 'accepted';
  }
}

/** The scope that the route table names, in the open mode. */
function scopeOf(world: ReadonlyWorld, command: WorldCommand): number {
  if (command.type === 'create_player') return nameScope(world, command.name, command.isBot);
  if (command.type === 'grant_resources') return WORLD_SCOPE;
  if (command.type === 'launch_fleet') return ownerScope(world, command.originKey);
  if ('playerNumber' in command) return command.playerNumber;
  return 'planetKey' in command ? ownerScope(world, command.planetKey) : WORLD_SCOPE;
}
