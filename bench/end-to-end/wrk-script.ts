// The Lua that wrk runs. All requests are rendered before the load begins, so that wrk does as little as it can meanwhile.

/**
 * @param requestFile one request a line: method, path, body and headers, separated by tabs
 * @param cancelsWhatItBegins whether each upgrade that a reply tells of is cancelled next
 */
export function wrkScript(requestFile: string, cancelsWhatItBegins: boolean): string {
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
