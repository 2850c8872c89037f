// Drives wrk, a closed-loop HTTP load generator (Debian package wrk), and reads what it measured.
import { execFile, execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface LoadRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: string;
}

export interface Measurement {
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Replies with another status than 2xx, and socket errors. */
  readonly failures: number;
}

export interface Load {
  readonly url: string;
  readonly connections: number;
  readonly seconds: number;
  /** Sent in turn, over and over. */
  readonly requests: readonly LoadRequest[];
}

export function hasWrk(): boolean {
  try {
    execFileSync('wrk', ['-v'], { stdio: 'ignore' });
    return true;
  } catch (error) {
    // wrk -v ends with 1; only a missing program has no status.
    return (error as { status?: number | null }).status === 1;
  }
}

/** Runs one load to its end. */
export async function measure(load: Load): Promise<Measurement> {
  const folder = await mkdtemp(join(tmpdir(), 'galaxyd-bench-'));
  try {
    const script = join(folder, 'load.lua');
    const requestFile = join(folder, 'requests.tsv');
    await writeFile(requestFile, requestLines(load.requests));
    await writeFile(script, luaScript(requestFile));
    const args = ['-t1', `-c${load.connections}`, `-d${load.seconds}s`, '-s', script, load.url];
    const { stdout } = await run('wrk', args, { maxBuffer: 1 << 20 });
    const result = /^result (.*)$/m.exec(stdout)?.[1];
    if (result === undefined) throw new Error(`wrk printed no result:\n${stdout}`);
    return JSON.parse(result) as Measurement;
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** One request a line: method, path and body, separated by tabs, which JSON text never holds. */
function requestLines(requests: readonly LoadRequest[]): string {
  return requests.map(({ method, path, body = '' }) => `${method}\t${path}\t${body}\n`).join('');
}

/** All requests are rendered before the load begins, so that wrk does as little as it can while it runs. */
function luaScript(requestFile: string): string {
  return `
local rendered, nextRequest = {}, 0
function init()
  wrk.headers["content-type"] = "application/json"
  for line in io.lines("${requestFile}") do
    local method, path, body = line:match("^(.-)\\t(.-)\\t(.*)$")
    rendered[#rendered + 1] = wrk.format(method, path, nil, body ~= "" and body or nil)
  end
end
function request()
  nextRequest = nextRequest % #rendered + 1
  return rendered[nextRequest]
end
function done(summary, latency)
  local errors = summary.errors
  local failures = errors.connect + errors.read + errors.write + errors.timeout + errors.status
  io.write(string.format('result {"requestsPerSecond":%.1f,"p50Ms":%.3f,"p99Ms":%.3f,"failures":%d}\\n',
    summary.requests / (summary.duration / 1e6), latency:percentile(50) / 1e3, latency:percentile(99) / 1e3, failures))
end
`;
}
