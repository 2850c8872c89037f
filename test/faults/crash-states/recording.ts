// Plays on a real server while every system call on its data folder is recorded, with the replies that it sends: bots create players and
// build, snapshots are taken and old log is removed, the server is stopped, killed and started again.
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client, NoReply } from '../../support/process/client.js';
import type { Draws } from '../../support/process/draws.js';
import { GalaxydProcess, type Owner } from '../../support/process/galaxyd-process.js';
import { type RecordedCall, WatchedCalls } from '../calls/watched-calls.js';

export interface Recording {
  /** The folder that was watched. The world is in its folder `world`. */
  readonly folder: string;
  readonly calls: readonly RecordedCall[];
}

const ADMIN_KEY = 'operator-of-crash-states';
/** At this speed an upgrade takes milliseconds. */
const SPEED = '20000';
const LIVES = 3;
const BOTS = 4;
/** Players that one bot creates in one life: a recording is not longer on a fast machine. */
const PLAYERS_MAX = 25;

/** @param place an empty folder */
export async function record(library: string, owner: Owner, place: string, draws: Draws): Promise<Recording> {
  const folder = join(place, 'watched');
  const calls = new WatchedCalls(library, folder, place, true);
  const keepsHistory = draws.oneIn(2);
  for (let life = 1; life <= LIVES; life += 1) {
    const never = ['--snapshot-minutes', '0', '--snapshot-log-mib', '0', '--min-free-mib', '0'];
    const options = ['--speed', SPEED, '--admin-key', ADMIN_KEY, ...(keepsHistory ? ['--keep-history'] : [])];
    const args = ['serve', '--port', '0', '--data', join(folder, 'world'), ...never, ...options];
    const server = await GalaxydProcess.start(owner, { args, env: calls.env });
    await play(server, life, draws);
    if (draws.oneIn(2)) await server.stop();
    else await server.kill();
  }
  return { folder, calls: calls.recorded() };
}

/** Bots play until enough snapshots were taken. */
async function play(server: GalaxydProcess, life: number, draws: Draws): Promise<void> {
  let isOver = false;
  const bots = Array.from({ length: BOTS }, (_, bot) => playBot(server, `life-${life}-bot-${bot}`, () => isOver));
  const client = new Client(server.url, ADMIN_KEY);
  for (let snapshot = draws.between(1, 3); snapshot > 0; snapshot -= 1) {
    await delay(draws.below(60));
    await client.post('/api/admin/snapshot', {});
  }
  await delay(draws.below(60));
  client.close();
  isOver = true;
  await Promise.all(bots);
}

/** Creates players, and an upgrade for each. */
async function playBot(server: GalaxydProcess, name: string, isOver: () => boolean): Promise<void> {
  const client = new Client(server.url);
  try {
    for (let count = 1; count <= PLAYERS_MAX && !isOver(); count += 1) {
      const created = { name: `${name}-${count}`, isBot: true };
      const { body } = await client.post<{ planets: { id: string }[] }>('/api/game/player', created);
      const planetId = body.planets[0]?.id;
      await client.post('/api/building/upgrade', { planetId, buildingType: 'iron_mine' });
    }
  } catch (error) {
    if (!(error instanceof NoReply)) throw error;
  } finally {
    client.close();
  }
}

/** Names of the players whose creation the server has acknowledged with what it sent. */
export function acknowledgedIn({ call, bytes }: RecordedCall): string[] {
  if (call !== 'send') return [];
  const text = bytes.toString('latin1');
  if (!/^HTTP\/1\.1 20[01] /m.test(text)) return [];
  return [...text.matchAll(/"name":"(life-[\w-]+)","isBot":true,"planets"/g)].map(([, name = '']) => name);
}
