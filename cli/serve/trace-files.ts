// The files of --traces: one for each player, `player-1.jsonl`, with a line of JSON for each of its requests.
import { createWriteStream, type WriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import type { TraceLines } from '../../http/world-server.js';

export class TraceFiles implements TraceLines {
  readonly #files = new Map<string, WriteStream>();

  private constructor(private readonly folder: string) {}

  /** @throws an error of the file system if the folder cannot be created */
  static async open(folder: string): Promise<TraceFiles> {
    await mkdir(folder, { recursive: true });
    return new TraceFiles(folder);
  }

  write(playerId: string, line: string): void {
    let file = this.#files.get(playerId);
    if (file === undefined) {
      // The game does not depend on a trace: one that cannot be written ends.
      file = createWriteStream(join(this.folder, `${playerId}.jsonl`), { flags: 'a' }).on('error', ignore);
      this.#files.set(playerId, file);
    }
    file.write(line);
  }

  /** Everything is written afterwards. */
  async close(): Promise<void> {
    await Promise.all([...this.#files.values()].map((file) => finished(file.end()).catch(ignore)));
  }
}

function ignore(): void {}
