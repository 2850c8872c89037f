// Drives wrk, a closed-loop HTTP load generator (Debian package wrk), and reads what it measured.
import { execFile, execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { BenchFailed } from '../bench-failed.js';
import { FIRST_REPLY_SECONDS, OUTPUT_BYTES_MAX } from '../limits.js';
import { atExit, inTemporaryFolder } from '../processes/clean-up.js';
import type { ClosedLoad, Measurement } from './load.js';
import { renderRequest } from './load-connection.js';

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

/**
 * Runs one load to its end.
 *
 * @throws BenchFailed if wrk fails, as it does on an error in its Lua or if nothing listens
 */
export async function measureWithWrk(load: ClosedLoad): Promise<Measurement> {
  if (load.requests.length === 0) throw new BenchFailed('a load needs at least one request');
  return inTemporaryFolder(async (folder) => {
    const script = join(folder, 'load.lua');
    const requestFile = join(folder, 'requests');
    const { host } = new URL(load.url);
    await writeFile(requestFile, load.requests.map((request) => renderRequest(request, host)).join('\0'));
    await writeFile(script, wrkScript(requestFile, host, load));
    const output = await outputOf(load, script);
    const result = /^result (.*)$/m.exec(output.stdout)?.[1];
    if (result === undefined) throw new BenchFailed(`wrk failed: ${firstLine(output)}`);
    const firstFailure = /^wrong (.*)$/m.exec(output.stdout)?.[1];
    return { ...(JSON.parse(result) as Measurement), firstFailure };
  });
}

interface Output {
  readonly stdout: string;
  readonly stderr: string;
}

/** wrk takes whole seconds. An interrupt ends it earlier, and it prints what it has measured; that needs one reply at least. */
function outputOf({ url, connections, seconds }: ClosedLoad, script: string): Promise<Output> {
  const isWhole = Number.isInteger(seconds);
  const secondsMax = isWhole ? seconds : FIRST_REPLY_SECONDS + Math.ceil(seconds);
  const args = ['-t1', `-c${connections}`, `-d${secondsMax}s`, '--timeout', '10s', '-s', script, url];
  return new Promise((resolve) => {
    const wrk = execFile('wrk', args, { maxBuffer: OUTPUT_BYTES_MAX }, (error, stdout, stderr) => {
      // An error in Lua ends wrk with 1, and so does a server that does not listen.
      const text = stderr.replace(ANSWERED, '') || String(error?.message ?? '');
      resolve({ stdout: error === null ? stdout : '', stderr: text });
    });
    const forget = atExit(() => wrk.kill('SIGKILL'));
    wrk.once('exit', forget);
    if (isWhole) return;
    const hasAnswered = new Promise((answered) => wrk.stderr?.once('data', answered));
    void Promise.all([hasAnswered, sleep(seconds * 1000)]).then(() => wrk.kill('SIGINT'));
  });
}

function firstLine({ stdout, stderr }: Output): string {
  return (stderr || stdout || 'it printed nothing').trim().split('\n', 1).join();
}

function firstWords(text: string): string {
  return text.split(/\s+/).slice(0, 2).join(' ');
}

/** What the Lua writes to standard error once there was a reply. */
const ANSWERED = 'answered\n';

/**
 * The Lua that wrk runs. All requests are rendered before the load begins, so that wrk does as little as it can meanwhile.
 *
 * @param requestFile requests as bytes, separated by NUL
 * @param host as in the header
 */
function wrkScript(requestFile: string, host: string, { connections, cancelsWhatItBegins }: ClosedLoad): string {
  const constants = `local requestFile, host = ${JSON.stringify(requestFile)}, ${JSON.stringify(host)}
local connections, answeredText = ${connections}, ${JSON.stringify(ANSWERED)}`;
  return `${constants}${READING}${cancelsWhatItBegins ? CANCELLING : LIST}${FIRST_REPLY}${RESULT}`;
}

const READING = `
local rendered, threads = {}, {}
function setup(thread) threads[#threads + 1] = thread end
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

/**
 * Which connection gets which reply does not matter: what is cancelled was answered before. A reply must be about a planet whose
 * upgrade or cancel is in flight. What is not is counted and not followed up; wrk itself counts statuses from 400 on.
 */
const CANCELLING = `
local idle, firstIdle, lastIdle = {}, 1, 0
local cancels, cancelled = {}, {}
local planetOf, upgradeOf, inFlight = {}, {}, {}
local cancelHead, cancelLength, cancelBody = {}, {}, {}
wrongCount = 0
function started()
  for index, text in ipairs(rendered) do
    idle[index] = text
    lastIdle = index
    local planet = text:match('"planetId":"([^"]+)"')
    planetOf[text] = planet
    upgradeOf[planet] = text
    local ownFields = text:match("\\r\\nhost: [^\\r]*(.*)\\r\\ncontent%-type")
    cancelHead[planet] = "POST /api/building/cancel HTTP/1.1\\r\\nhost: " .. host .. ownFields ..
      "\\r\\ncontent-type: application/json\\r\\ncontent-length: "
    local body = '{"planetId":"' .. planet .. '","queueId":"'
    cancelBody[planet] = "\\r\\n\\r\\n" .. body
    cancelLength[planet] = #body + #'"}'
  end
end
function request()
  local count = #cancels
  if count > 0 then
    local cancel = cancels[count]
    inFlight[cancelled[count]] = "cancel"
    cancels[count] = nil
    return cancel
  end
  local upgrade = idle[firstIdle]
  if not upgrade then return rendered[1] end
  idle[firstIdle] = nil
  firstIdle = firstIdle + 1
  inFlight[planetOf[upgrade]] = "upgrade"
  return upgrade
end
local function textBehind(body, before)
  local _, last = body:find(before, 1, true)
  return last and body:sub(last + 1, body:find('"', last + 1, true) - 1)
end
function response(status, headers, body)
  local planet = body:sub(1, 7) == '{"id":"' and textBehind(body, '{"id":"')
  local queue = textBehind(body, '"queueId":"')
  if status < 200 or status > 299 or not planet or inFlight[planet] ~= (queue and "upgrade" or "cancel") then
    if status < 400 then wrongCount = wrongCount + 1 end
    firstWrong = firstWrong or (status .. " " .. body:sub(1, 200):gsub("%c", " "))
  elseif queue then
    inFlight[planet] = nil
    local count = #cancels + 1
    cancels[count] = cancelHead[planet] .. cancelLength[planet] + #queue .. cancelBody[planet] .. queue .. '"}'
    cancelled[count] = planet
  else
    inFlight[planet] = nil
    lastIdle = lastIdle + 1
    idle[lastIdle] = upgradeOf[planet]
  end
end
`;

/** More requests than connections, and the one with which wrk tries the script, come after a reply. */
const FIRST_REPLY = `
local send, count = request, 0
function request()
  count = count + 1
  if count > connections + 1 then
    io.stderr:write(answeredText)
    request = send
  end
  return send()
end
`;

const RESULT = `
function done(summary, latency)
  local errors = summary.errors
  local wrongCount, firstWrong = threads[1]:get("wrongCount") or 0, threads[1]:get("firstWrong")
  local failures = errors.connect + errors.read + errors.write + errors.timeout + errors.status + wrongCount
  if firstWrong then io.write("wrong ", firstWrong, "\\n")
  elseif failures > 0 then
    io.write(string.format("wrong connections refused %d, broken %d, timed out %d, statuses from 400 on %d\\n",
      errors.connect, errors.read + errors.write, errors.timeout, errors.status))
  end
  io.write(string.format(
    'result {"requestsPerSecond":%.1f,"answered":%d,"bytesPerReply":%.1f,"p50Ms":%.3f,"p99Ms":%.3f,"p999Ms":%.3f,"maxMs":%.3f,"failures":%d}\\n',
    summary.requests / (summary.duration / 1e6), summary.requests, summary.bytes / math.max(summary.requests, 1),
    latency:percentile(50) / 1e3, latency:percentile(99) / 1e3, latency:percentile(99.9) / 1e3, latency.max / 1e3, failures))
end
`;
