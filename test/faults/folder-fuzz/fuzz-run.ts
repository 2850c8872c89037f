// Makes an unsound folder from a seed, opens it and judges the outcome: it opens and can be played on, or it is refused with a sentence.
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { EXIT_CODES } from '../../../cli/commands/exit-codes.js';
import { temporaryFolder } from '../../persistence/support/temporary-folder.js';
import { Draws } from '../../support/process/draws.js';
import type { Owner } from '../../support/process/galaxyd-process.js';
import type { FolderOpener, Opening, Refused } from '../folder-opener.js';
import { MUTATIONS, type Mutation } from './mutations.js';
import type { SoundFolder } from './sound-folders.js';

export interface FuzzedFolder {
  /** What was changed, and how. */
  readonly what: string;
  readonly how: string;
  readonly outcome: 'opened' | 'refused' | 'broken';
  readonly openingMs: number;
  /** A sentence for each promise that is not kept. */
  readonly faults: readonly string[];
}

/** A sentence that is the message of a fault of the program. */
const STACK =
  /\n\s+at |TypeError|RangeError|ReferenceError|is not a function|is not iterable|Cannot read prop|Invalid array length/;

/** The most that a folder may take. */
export const OPENING_MS_MAX = 10_000;

export class FuzzRun {
  readonly #opener: FolderOpener;
  readonly #place: string;
  readonly #sound: readonly SoundFolder[];

  private constructor(opener: FolderOpener, place: string, sound: readonly SoundFolder[]) {
    this.#opener = opener;
    this.#place = place;
    this.#sound = sound;
  }

  /** @param sound not changed; runs may share them */
  static async begin(owner: Owner, opener: FolderOpener, sound: readonly SoundFolder[]): Promise<FuzzRun> {
    return new FuzzRun(opener, await temporaryFolder(owner), sound);
  }

  /** Makes the folder of a seed and opens it. */
  async judge(seed: number, mutations: readonly Mutation[] = MUTATIONS): Promise<FuzzedFolder> {
    const draws = new Draws(seed);
    const { what, kinds, apply } = draws.pick(mutations);
    const chosen = draws.pick(this.#sound.filter(({ kind }) => kinds.includes(kind)));
    const world = { ...chosen, folder: join(this.#place, 'world') };
    try {
      cpSync(chosen.folder, world.folder, { recursive: true });
      const how = `${chosen.rules}, ${chosen.kind}: ${await apply(world, draws, this.#sound)}`;
      const startedMs = performance.now();
      const opening = await this.#opener.open(world.folder, 'played on');
      const openingMs = performance.now() - startedMs;
      return { what, how, outcome: opening.opened.kind, openingMs, faults: faultsOf(opening) };
    } catch (error) {
      throw new Error(`the folder of seed ${seed} cannot be made: ${what}`, { cause: error });
    } finally {
      rmSync(this.#place, { recursive: true, force: true });
    }
  }
}

function faultsOf({ verified, opened }: Opening): string[] {
  if (opened.kind === 'broken') return [`it breaks the program: ${opened.how}`];
  const refusals = [verified, opened].filter((part): part is Refused => part?.kind === 'refused');
  return refusals.flatMap(({ exitCode, sentence }) => [
    ...(exitCode === EXIT_CODES.damaged.code ? [] : [`it is refused with exit code ${exitCode}: ${sentence}`]),
    ...(STACK.test(sentence) ? [`it is refused with the message of a program error: ${sentence}`] : []),
  ]);
}
