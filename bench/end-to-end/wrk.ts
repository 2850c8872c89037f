// Drives wrk, a closed-loop HTTP load generator (Debian package wrk), and reads what it measured.
import { execFile, execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { OUTPUT_BYTES_MAX } from '../limits.js';
import { inTemporaryFolder } from '../processes/clean-up.js';
import type { ClosedLoad, Measurement } from './load.js';
import { renderRequest } from './load-connection.js';

const run = promisify(execFile);

/** The name and version that wrk prints, or undefined if it is not installed. */
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
  return inTemporaryFolder(async (folder) => {
    const script = join(folder, 'load.lua');
    const requestFile = join(folder, 'requests');
    const { host } = new URL(load.url);
    await writeFile(requestFile, load.requests.map((request) => renderRequest(request, host)).join('\0'));
    await writeFile(script, wrkScript(requestFile, host, load.cancelsWhatItBegins));
    const args = ['-t1', `-c${load.connections}`, `-d${load.seconds}s`, '--timeout', '10s', '-s', script, load.url];
    const { stdout } = await run('wrk', args, { maxBuffer: OUTPUT_BYTES_MAX });
    const result = /^result (.*)$/m.exec(stdout)?.[1];
    if (result === undefined) throw new Error(`wrk printed no result:\n${stdout}`);
    return JSON.parse(result) as Measurement;
  });
}

function firstWords(text: string): string {
  return text.split(/\s+/).slice(0, 2).join(' ');
}

/**
 * The Lua that wrk runs. All requests are rendered before the load begins, so that wrk does as little as it can meanwhile.
 *
 * @param requestFile requests as bytes, separated by NUL
 * @param host as in the header
 * @param cancelsWhatItBegins whether each upgrade that a reply shows is cancelled next
 */
function wrkScript(requestFile: string, host: string, cancelsWhatItBegins: boolean): string {
  const constants = `local requestFile, host = ${JSON.stringify(requestFile)}, ${JSON.stringify(host)}`;
  return `${constants}${READING}${cancelsWhatItBegins ? CANCELLING : LIST}${RESULT}`;
}

const READING = `
local rendered = {}
function init()
  for text in io.open(requestFile, "rb"):read("*a"):gmatch("[^%z]+") do rendered[#rendered + 1] = text end
  started()
end
`;

const LIST = `
local nextRequest = 0
function started() end
function request()
  nextRequest = nextRequest % #rendered + 1
  return rendered[nextRequest]
end
`;

/** Which connection gets which reply does not matter: what is cancelled was answered before. */
const CANCELLING = `
local idle, firstIdle, lastIdle = {}, 1, 0
local cancels, upgradeOf, ownFields = {}, {}, {}
function started()
  for index, text in ipairs(rendered) do
    idle[index] = text
    lastIdle = index
    local planet = text:match('"planetId":"([^"]+)"')
    upgradeOf[planet] = text
    ownFields[planet] = text:match("\\r\\nhost: [^\\r]*(.*)\\r\\ncontent%-type")
  end
end
function request()
  local cancel = table.remove(cancels)
  if cancel then return cancel end
  local upgrade = idle[firstIdle]
  if not upgrade then return rendered[1] end
  idle[firstIdle] = nil
  firstIdle = firstIdle + 1
  return upgrade
end
function response(status, headers, body)
  local planet = body:match('^{"id":"([^"]+)"')
  local queue = body:match('"queueId":"([^"]+)"')
  if queue then
    local cancelBody = '{"planetId":"' .. planet .. '","queueId":"' .. queue .. '"}'
    cancels[#cancels + 1] = "POST /api/building/cancel HTTP/1.1\\r\\nhost: " .. host .. ownFields[planet] ..
      "\\r\\ncontent-type: application/json\\r\\ncontent-length: " .. #cancelBody .. "\\r\\n\\r\\n" .. cancelBody
  elseif planet then
    lastIdle = lastIdle + 1
    idle[lastIdle] = upgradeOf[planet]
  end
end
`;

const RESULT = `
function done(summary, latency)
  local errors = summary.errors
  local failures = errors.connect + errors.read + errors.write + errors.timeout + errors.status
  io.write(string.format(
    'result {"requestsPerSecond":%.1f,"p50Ms":%.3f,"p99Ms":%.3f,"p999Ms":%.3f,"maxMs":%.3f,"failures":%d}\\n',
    summary.requests / (summary.duration / 1e6), latency:percentile(50) / 1e3, latency:percentile(99) / 1e3,
    latency:percentile(99.9) / 1e3, latency.max / 1e3, failures))
end
`;
