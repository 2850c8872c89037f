// Which files of the repository an upgrade with an Idempotency-Key passes, from its request to its reply: those with a function
// that V8 counts as called meanwhile, in a server that has answered one before.

import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import WebSocket from 'ws';
import { inRepository } from './repository.mjs';

/** A timer of the server may run during one upgrade, but not during each of them. */
const UPGRADES = 5;
/** The server counts a request once its reply is sent. */
const COUNTED_AFTER_MS = 20;

/** @typedef {{ url: string, functions: { ranges: { count: number }[] }[] }} ScriptCoverage */

/** @returns {Promise<string[]>} paths relative to the repository, sorted */
export async function filesOfKeyedUpgrade() {
  const folder = mkdtempSync(join(tmpdir(), 'galaxyd-upgrade-path-'));
  const serve = ['serve', '--host', '127.0.0.1', '--port', '0', '--data', folder, '--log-format', 'json'];
  const server = spawn(process.execPath, ['--inspect=127.0.0.1:0', inRepository('dist/cli/main.js'), ...serve]);
  try {
    const [debuggerUrl, url] = await Promise.all([
      found(server.stderr, /Debugger listening on (\S+)/),
      found(server.stdout, /"url":"([^"]+)"/),
    ]);
    const profiler = await profilerAt(debuggerUrl);
    await profiler('Profiler.enable');
    await profiler('Profiler.startPreciseCoverage', { callCount: true });
    await (await upgradeOfNewPlayer(url))();
    /** @type {string[][]} */
    const passed = [];
    for (let time = 0; time < UPGRADES; time += 1) {
      const upgrade = await upgradeOfNewPlayer(url);
      await profiler('Profiler.takePreciseCoverage');
      await upgrade();
      await delay(COUNTED_AFTER_MS);
      passed.push(calledFiles((await profiler('Profiler.takePreciseCoverage')).result));
    }
    return (passed[0] ?? []).filter((file) => passed.every((files) => files.includes(file)));
  } finally {
    // A process with a debugger attached does not end by itself.
    server.kill('SIGKILL');
    await once(server, 'close');
    rmSync(folder, { recursive: true });
  }
}

/** @param {ScriptCoverage[]} scripts */
function calledFiles(scripts) {
  return scripts
    .filter(({ functions }) => functions.some(({ ranges }) => (ranges[0]?.count ?? 0) > 0))
    .filter(({ url }) => url.startsWith('file:') && !url.includes('/node_modules/'))
    .map(({ url }) => relative(inRepository('dist'), fileURLToPath(url)).replace(/\.js$/, '.ts'))
    .sort();
}

/**
 * Creates a player.
 * @param {string} url
 * @returns {Promise<() => Promise<void>>} upgrades a building of its planet
 */
async function upgradeOfNewPlayer(url) {
  const player = /** @type {{ planets: { id: string }[] }} */ (
    await post(`${url}/api/game/player`, { name: randomUUID().slice(0, 20), isBot: true })
  );
  const upgrade = { planetId: player.planets[0]?.id, buildingType: 'iron_mine' };
  return async () => void (await post(`${url}/api/building/upgrade`, upgrade, { 'idempotency-key': randomUUID() }));
}

/**
 * Throws if the answer is a refusal.
 * @param {string} url
 * @param {object} body
 * @param {Record<string, string>} [headers]
 * @returns {Promise<unknown>}
 */
async function post(url, body, headers = {}) {
  const request = { method: 'POST', headers: { 'content-type': 'application/json', ...headers } };
  const response = await fetch(url, { ...request, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`POST ${url} was answered ${response.status}: ${await response.text()}`);
  return await response.json();
}

/**
 * @param {import('node:stream').Readable} output
 * @param {RegExp} pattern with a group
 * @returns {Promise<string>} what the group matches in the first line that has it
 */
async function found(output, pattern) {
  for await (const line of createInterface({ input: output })) {
    const [, group] = pattern.exec(line) ?? [];
    // What follows must be read, too: the server waits for its output otherwise.
    if (group !== undefined) return output.resume() && group;
  }
  throw new Error(`the server ended without ${pattern}`);
}

/** @param {string} url of the debugger of a process */
async function profilerAt(url) {
  const socket = new WebSocket(url);
  await once(socket, 'open');
  return async (/** @type {string} */ method, params = {}) => {
    socket.send(JSON.stringify({ id: 1, method, params }));
    const [message] = await once(socket, 'message');
    return JSON.parse(message).result;
  };
}
