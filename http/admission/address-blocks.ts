// Addresses that the operator has blocked for a time, by real time. They are kept beside the world: an address is no part of it. Processes
// that share a store look for the blocks of the others at intervals.
import type { Static } from 'typebox';
import { asError } from '../../persistence/fatal.js';
import type { OperatorRecords } from '../../persistence/stores/operator-records.js';
import { Compile, Type } from '../../persistence/typebox.js';
import { ADDRESS_BLOCKS_MAX, ADDRESS_BLOCKS_POLL_MS } from '../limits.js';
import { networkOf } from './addresses.js';

const FORMAT_VERSION = 1;
const DocumentSchema = Type.Object({
  formatVersion: Type.Literal(FORMAT_VERSION),
  blocks: Type.Array(Type.Object({ network: Type.String(), untilMs: Type.Integer() }), {
    maxItems: ADDRESS_BLOCKS_MAX,
  }),
});
const checkedDocument = Compile(DocumentSchema);

export type AddressBlock = Static<typeof DocumentSchema>['blocks'][number];

/** What is kept cannot be read. */
export class BlocksUnreadable extends Error {
  override readonly name = 'BlocksUnreadable';
}

export class AddressBlocks {
  /** Ends of the blocks, by network. */
  readonly #ends = new Map<string, number>();
  readonly #watchers = new Set<() => void>();
  #poll: NodeJS.Timeout | null = null;
  /** Changes are made one after the other. */
  #changing: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly records: OperatorRecords,
    private readonly nowMs: () => number = Date.now,
  ) {}

  /**
   * Reads what was blocked before. Where others change it, too, it is read again from now on.
   *
   * @throws BlocksUnreadable, after which nothing is blocked; or the error of the store
   */
  async load(): Promise<void> {
    if (this.records.isShared && this.#poll === null) {
      this.#poll = setInterval(() => void this.#read().catch(() => {}), ADDRESS_BLOCKS_POLL_MS);
      this.#poll.unref();
    }
    await this.#read();
  }

  /** Ends the reading of what others change. */
  close(): void {
    if (this.#poll !== null) clearInterval(this.#poll);
    this.#poll = null;
  }

  get isEmpty(): boolean {
    return this.#ends.size === 0;
  }

  /** Until when an address is blocked, in real time; null if it is not. */
  untilMsOf(address: string): number | null {
    if (this.isEmpty) return null;
    const network = networkOf(address);
    const untilMs = this.#ends.get(network);
    if (untilMs === undefined) return null;
    if (untilMs > this.nowMs()) return untilMs;
    this.#ends.delete(network);
    return null;
  }

  /** The networks that are blocked now, the next one to be free first. */
  list(): AddressBlock[] {
    const nowMs = this.nowMs();
    const blocks = [...this.#ends].map(([network, untilMs]) => ({ network, untilMs }));
    return blocks.filter(({ untilMs }) => untilMs > nowMs).sort((one, other) => one.untilMs - other.untilMs);
  }

  /** @returns null if there are as many blocks as there may be; durable when it settles @throws the error of the store */
  block(network: string, forMs: number): Promise<AddressBlock | null> {
    return this.#change((blocks) => {
      const others = blocks.filter((block) => block.network !== network);
      if (others.length >= ADDRESS_BLOCKS_MAX) return { blocks, result: null };
      const block = { network, untilMs: this.nowMs() + forMs };
      return { blocks: [...others, block], result: block };
    });
  }

  /** @returns whether it was blocked; durable when it settles @throws the error of the store */
  unblock(network: string): Promise<boolean> {
    return this.#change((blocks) => {
      const others = blocks.filter((block) => block.network !== network);
      return { blocks: others, result: others.length < blocks.length };
    });
  }

  /** @param cut is called when more may be blocked than before: it ends what such clients have open */
  watch(cut: () => void): void {
    this.#watchers.add(cut);
  }

  #change<Result>(
    change: (blocks: AddressBlock[]) => { readonly blocks: AddressBlock[]; readonly result: Result },
  ): Promise<Result> {
    const changed = this.#changing.then(async () => {
      if (this.records.isShared) await this.#read();
      const { blocks, result } = change(this.list());
      await this.records.putDocument(`${JSON.stringify({ formatVersion: FORMAT_VERSION, blocks })}\n`);
      this.#take(blocks);
      return result;
    });
    this.#changing = changed.catch(() => {});
    return changed;
  }

  async #read(): Promise<void> {
    const text = await this.records.document();
    this.#take(text === null ? [] : blocksOf(text));
  }

  #take(blocks: readonly AddressBlock[]): void {
    this.#ends.clear();
    for (const { network, untilMs } of blocks) this.#ends.set(network, untilMs);
    if (!this.isEmpty) for (const cut of this.#watchers) cut();
  }
}

/** @throws BlocksUnreadable */
function blocksOf(text: string): readonly AddressBlock[] {
  try {
    const document: unknown = JSON.parse(text);
    if (checkedDocument.Check(document)) return document.blocks;
  } catch (error) {
    throw new BlocksUnreadable(`the blocked addresses cannot be read: ${asError(error).message}`);
  }
  throw new BlocksUnreadable('the blocked addresses cannot be read: they have another form');
}
