// Drives wrk, a closed-loop HTTP load generator (Debian package wrk), and reads what it measured.
import { execFile, execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { OUTPUT_BYTES_MAX } from '../limits.js';
import { inTemporaryFolder } from '../processes/clean-up.js';
import type { LoadRequest } from '../servers/game-client.js';
import type { ClosedLoad, Measurement } from './load.js';

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

/**
 * The Lua that wrk runs. All requests are rendered before the load begins, so that wrk does as little as it can meanwhile.
 *
 * @param requestFile one request a line: method, path, body and headers, separated by tabs
 * @param cancelsWhatItBegins whether each upgrade that a reply shows is cancelled next
 */
function wrkScript(requestFile: string, cancelsWhatItBegins: boolean): string {
  return `${RENDERING.replace('REQUEST_FILE', JSON.stringify(requestFile))}${cancelsWhatItBegins ? CANCELLING : LIST}${RESULT}`;
}

const RENDERING = `
local rendered = {}
local function render(method, path, body, extra)
  local lines = { method .. " " .. path .. " HTTP/1.1", "Host: " .. wrk.host .. ":" .. wrk.port }
  for _, line in ipairs(extra) do lines[#lines + 1] = line end
  if body ~= "" then
    lines[#lines + 1] = "Content-Type: application/json"
    lines[#lines + 1] = "Content-Length: " .. #body
  end
  return table.concat(lines, "\\r\\n") .. "\\r\\n\\r\\n" .. body
end
function init()
  for line in io.lines(REQUEST_FILE) do
    local method, path, body, rest = line:match("^(.-)\\t(.-)\\t(.-)\\t(.*)$")
    local extra = {}
    for header in rest:gmatch("[^\\t]+") do extra[#extra + 1] = header end
    rendered[#rendered + 1] = render(method, path, body, extra)
  end
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
local cancels, upgradeOf = {}, {}
function started()
  for index, text in ipairs(rendered) do
    idle[index] = text
    lastIdle = index
    upgradeOf[text:match('"planetId":"([^"]+)"')] = text
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
    cancels[#cancels + 1] =
      render("POST", "/api/building/cancel", '{"planetId":"' .. planet .. '","queueId":"' .. queue .. '"}', {})
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
