// Draws the states that a power cut may leave of a recorded play, opens each and judges it: it opens without help, it has everything that
// was acknowledged before, and all states with the same last entry are the same world.
import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../persistence/support/temporary-folder.js';
import { Client } from '../../support/process/client.js';
import type { Draws } from '../../support/process/draws.js';
import { GalaxydProcess, type Owner } from '../../support/process/galaxyd-process.js';
import type { RecordedCall } from '../calls/watched-calls.js';
import type { FolderOpener, Opening } from '../folder-opener.js';
import { type CrashState, DiskModel, writeState } from './disk-model.js';
import { acknowledgedIn, type Recording } from './recording.js';

/** A state, and what it must have. */
export interface DrawnState {
  /** The call during which the power fails, from 0. */
  readonly callIndex: number;
  readonly state: CrashState;
  /** Names of the players that were acknowledged. */
  readonly acknowledged: readonly string[];
}

export type StateOutcome = 'opened' | 'not begun' | 'refused' | 'broken';

/** How much more often states are drawn while names may be lost: there are few such calls, and they are the delicate ones. */
const NAMES_WEIGHT = 8;

/** Draws about as many states as asked for, without those that are the same. */
export function* drawStates({ folder, calls }: Recording, count: number, draws: Draws): Generator<DrawnState> {
  const weights = weightsOf(folder, calls);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const known = new Set<string>();
  const acknowledged: string[] = [];
  const model = new DiskModel(folder);
  let due = 0;
  for (const [callIndex, call] of calls.entries()) {
    const end = model.begin(call);
    due += (count * (weights[callIndex] ?? 0)) / total;
    for (; due >= 1; due -= 1) {
      const state = model.drawState(draws);
      const digest = digestOf(state, acknowledged.length);
      if (known.has(digest)) continue;
      known.add(digest);
      yield { callIndex, state, acknowledged: [...acknowledged] };
    }
    end();
    acknowledged.push(...acknowledgedIn(call));
  }
}

function weightsOf(folder: string, calls: readonly RecordedCall[]): number[] {
  const model = new DiskModel(folder);
  return calls.map((call) => {
    const end = model.begin(call);
    const { unnamedCount } = model;
    end();
    return call.call === 'send' ? 0 : unnamedCount > 0 ? NAMES_WEIGHT : 1;
  });
}

function digestOf(state: CrashState, acknowledgedCount: number): string {
  const hash = createHash('sha256').update(String(acknowledgedCount));
  for (const [path, content] of state) hash.update(`\0${path}\0${content?.length ?? 'folder'}\0`).update(content ?? '');
  return hash.digest('base64');
}

export class CrashRun {
  readonly #opener: FolderOpener;
  readonly #place: string;
  /** State hashes by the seq of the last entry. */
  readonly #hashes: Map<number, string>;
  #count = 0;

  private constructor(opener: FolderOpener, place: string, hashes: Map<number, string>) {
    this.#opener = opener;
    this.#place = place;
    this.#hashes = hashes;
  }

  /** @param hashes of the states of one recording; runs of the same recording share it */
  static async begin(owner: Owner, opener: FolderOpener, hashes: Map<number, string>): Promise<CrashRun> {
    return new CrashRun(opener, await temporaryFolder(owner), hashes);
  }

  /** Opens a state. @returns the outcome, and a sentence for each promise that is not kept */
  async judge(drawn: DrawnState): Promise<{ outcome: StateOutcome; faults: string[] }> {
    const folder = this.#written(drawn.state);
    const opening = await this.#opener.open(join(folder, 'world'));
    rmSync(folder, { recursive: true, force: true });
    return { outcome: outcomeOf(opening), faults: this.#faultsOf(opening, drawn) };
  }

  /** Serves a state with the real program. @returns a sentence for each promise that is not kept */
  async serve(owner: Owner, { state, acknowledged }: DrawnState): Promise<string[]> {
    const folder = this.#written(state);
    const args = ['serve', '--port', '0', '--data', join(folder, 'world'), '--clock', 'manual', '--min-free-mib', '0'];
    const server = await GalaxydProcess.startOrEnd(owner, { args });
    if (!(server instanceof GalaxydProcess)) return [`serve refuses it: ${server.stderr}`];
    const client = new Client(server.url);
    const faults: string[] = [];
    const name = acknowledged.at(-1);
    // A player that exists is found, not created.
    if (name !== undefined) {
      const { status } = await client.post('/api/game/player', { name, isBot: true });
      if (status !== 200) faults.push(`served, it has lost ${name}`);
    }
    client.close();
    const { code, stderr } = await server.stop();
    if (code !== 0) faults.push(`served, it ends with ${code}: ${stderr}`);
    rmSync(folder, { recursive: true, force: true });
    return faults;
  }

  #written(state: CrashState): string {
    this.#count += 1;
    const folder = join(this.#place, String(this.#count));
    writeState(state, folder);
    return folder;
  }

  #faultsOf({ verified, opened }: Opening, { acknowledged }: DrawnState): string[] {
    if (opened.kind === 'broken') return [`it breaks the program: ${opened.how}`];
    if (opened.kind === 'refused') return [`it needs a human: ${opened.sentence}`];
    const names = new Set(opened.names);
    const faults = acknowledged.filter((name) => !names.has(name)).map((name) => `${name} is lost`);
    if (opened.isNew) return faults;
    if (verified !== null) faults.push(`verify refuses it: ${verified.sentence}`);
    const hash = this.#hashes.get(opened.seq) ?? opened.stateHash;
    this.#hashes.set(opened.seq, hash);
    if (hash !== opened.stateHash) faults.push(`at seq ${opened.seq} it is another world than other states`);
    return faults;
  }
}

function outcomeOf({ opened }: Opening): StateOutcome {
  if (opened.kind !== 'opened') return opened.kind;
  return opened.isNew ? 'not begun' : 'opened';
}
