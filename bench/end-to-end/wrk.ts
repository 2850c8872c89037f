// Drives wrk, a closed-loop HTTP load generator (Debian package wrk), and reads what it measured.
import { execFile, execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { OUTPUT_BYTES_MAX } from '../limits.js';
import { inTemporaryFolder, TEMPORARY_PLACE } from '../processes/temporary-folder.js';
import type { LoadRequest } from '../servers/load-request.js';
import type { ClosedLoad, Measurement } from './load.js';
import { wrkScript } from './wrk-script.js';

const run = promisify(execFile);

/** What wrk says of itself, or undefined where it is not installed. */
export function wrkVersion(): string | undefined {
  try {
    return firstWords(execFileSync('wrk', ['-v'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
  } catch (error) {
    // wrk -v ends with 1; only a missing program has no status.
    const { status, stdout } = error as { status?: number | null; stdout?: string };
    return status === 1 ? firstWords(stdout ?? '') : undefined;
  }
}

/** Runs one load to its end. */
export function measureWithWrk(load: ClosedLoad): Promise<Measurement> {
  return inTemporaryFolder(TEMPORARY_PLACE, async (folder) => {
    const script = join(folder, 'load.lua');
    const requestFile = join(folder, 'requests.tsv');
    await writeFile(requestFile, requestLines(load.requests));
    await writeFile(script, wrkScript(requestFile, load.cancelsWhatItBegins));
    const args = ['-t1', `-c${load.connections}`, `-d${load.seconds}s`, '--timeout', '10s', '-s', script, load.url];
    const { stdout } = await run('wrk', args, { maxBuffer: OUTPUT_BYTES_MAX });
    const result = /^result (.*)$/m.exec(stdout)?.[1];
    if (result === undefined) throw new Error(`wrk printed no result:\n${stdout}`);
    return JSON.parse(result) as Measurement;
  });
}

/** One request a line: method, path, body and headers, separated by tabs, which JSON text never holds. */
function requestLines(requests: readonly LoadRequest[]): string {
  return requests
    .map(({ method, path, body = '', headers = {} }) => {
      const headerLines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
      return `${[method, path, body, headerLines.join('\t')].join('\t')}\n`;
    })
    .join('');
}

function firstWords(text: string): string {
  return text.split(/\s+/).slice(0, 2).join(' ');
}
