// Starts nginx, HAProxy and Caddy with configurations of documents: literally, with other addresses, ports and certificates.
import { execFile, spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { temporaryFolder } from '../persistence/support/temporary-folder.js';
import { freePort } from '../support/process/free-port.js';
import type { Owner } from '../support/process/galaxyd-process.js';
import { programPath } from '../support/process/program-path.js';

/** The name that the configurations serve. */
export const HOST = 'game.example';
const ASK_EVERY_MS = 20;
/** A hang becomes a failure after this. */
const DEADLINE_MS = 30_000;

export interface Certificate {
  /** Paths of the certificate, its key, and both in one file. */
  readonly chain: string;
  readonly key: string;
  readonly both: string;
  /** The certificate itself. */
  readonly text: string;
}

interface Place {
  readonly folder: string;
  readonly front: number;
  /** Port of galaxyd. */
  readonly world: number;
  /** Where HAProxy shows the states of its servers. */
  readonly states: number;
  readonly certificate: Certificate;
}

interface Proxy {
  /** Files to write, by their names in the folder of the proxy. The block is that of the document, which is marked with the proxy's name. */
  readonly files: (block: string, place: Place) => Readonly<Record<string, string>>;
  readonly args: (folder: string) => readonly string[];
}

export const PROXIES = {
  nginx: {
    files: (block, { front, world, folder, certificate }) => ({
      'galaxyd.conf': block
        .replaceAll('127.0.0.1:3000', `127.0.0.1:${world}`)
        .replaceAll('listen 443', `listen 127.0.0.1:${front}`)
        .replace('/etc/ssl/game.example/fullchain.pem', certificate.chain)
        .replace('/etc/ssl/game.example/key.pem', certificate.key),
      'nginx.conf': [
        // Otherwise its processes run as a user who may not enter the folder.
        ...(process.getuid?.() === 0 ? ['user root;'] : []),
        'pid nginx.pid; daemon off; error_log stderr;',
        'events {}',
        'http {',
        ...['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${folder}/${kind};`),
        `access_log off; include ${folder}/galaxyd.conf;`,
        '}',
      ].join('\n'),
    }),
    args: (folder) => ['-p', folder, '-e', 'stderr', '-c', join(folder, 'nginx.conf')],
  },
  haproxy: {
    files: (block, { front, world, states, certificate }) => ({
      'haproxy.cfg': [
        block
          .replaceAll('127.0.0.1:3000', `127.0.0.1:${world}`)
          .replaceAll('bind :443', `bind 127.0.0.1:${front}`)
          .replaceAll('/etc/haproxy/certificates/', certificate.both),
        `listen states\n  bind 127.0.0.1:${states}\n  stats enable\n  stats uri /\n`,
      ].join('\n'),
    }),
    args: (folder) => ['-db', '-f', join(folder, 'haproxy.cfg')],
  },
  caddy: {
    files: (block, { front, world, certificate }) => ({
      Caddyfile: [
        '{\n  admin off\n  auto_https disable_redirects\n  default_bind 127.0.0.1\n}',
        block
          .replaceAll('127.0.0.1:3000', `127.0.0.1:${world}`)
          .replace(`${HOST} {`, `https://${HOST}:${front} {\n  tls ${certificate.chain} ${certificate.key}`),
      ].join('\n'),
    }),
    args: (folder) => ['run', '--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')],
  },
} as const satisfies Readonly<Record<string, Proxy>>;

export type ProxyName = keyof typeof PROXIES;

export const PROXY_NAMES = Object.keys(PROXIES) as ProxyName[];

/** Why a proxy cannot be tried; undefined if it can. */
export function missingProgram(name: ProxyName): string | undefined {
  return [name, 'openssl']
    .filter((program) => programPath(program) === undefined)
    .map((program) => `${program} is not installed (Debian: apt-get install ${program})`)[0];
}

/** @returns the block of a document that is marked with the name of a proxy */
export function configurationOf(document: string, name: ProxyName): string {
  const [, block, ...further] = document.split(`\n\`\`\`${name}\n`).map((part) => part.split('\n```')[0] ?? '');
  if (block === undefined || further.length > 0) throw new Error(`the document has not one block for ${name}`);
  return `${block}\n`;
}

/** A certificate for the name of the configurations, which nobody else trusts. */
export async function madeCertificate(owner: Owner): Promise<Certificate> {
  const folder = await temporaryFolder(owner);
  const [chain, key, both] = [join(folder, 'chain.pem'), join(folder, 'key.pem'), join(folder, 'both.pem')];
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const names = ['-subj', `/CN=${HOST}`, '-addext', `subjectAltName=DNS:${HOST}`];
  const openssl = programPath('openssl') ?? 'openssl';
  await promisify(execFile)(openssl, ['req', '-x509', ...kind, ...names, '-days', '2', '-keyout', key, '-out', chain]);
  const text = await readFile(chain, 'utf8');
  await writeFile(both, text + (await readFile(key, 'utf8')));
  return { chain, key, both, text };
}

export interface RunningProxy {
  readonly port: number;
  /** Where HAProxy shows the states of its servers. */
  readonly states: number;
}

/** Starts a proxy in front of a world, and waits until it listens. @throws Error with its output if it ends before */
export async function startProxy(
  owner: Owner,
  name: ProxyName,
  block: string,
  { world, certificate }: Pick<Place, 'world' | 'certificate'>,
): Promise<RunningProxy> {
  const folder = await temporaryFolder(owner);
  const [front, states] = [await freePort(), await freePort()];
  const { files, args } = PROXIES[name];
  for (const [file, text] of Object.entries(files(block, { folder, front, world, states, certificate }))) {
    await writeFile(join(folder, file), text);
  }
  const child = spawn(programPath(name) ?? name, args(folder), {
    // Caddy keeps what it remembers below its home.
    env: { PATH: process.env['PATH'], HOME: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const ended = new Promise((resolve) => child.once('close', resolve));
  owner.teardown(async () => {
    // nginx ends its own processes only if it may.
    child.kill('SIGTERM');
    await ended;
  });
  const deadlineMs = performance.now() + DEADLINE_MS;
  while (!(await listens(front))) {
    if (child.exitCode !== null || performance.now() > deadlineMs) throw new Error(`${name} does not run: ${output}`);
    await delay(ASK_EVERY_MS);
  }
  return { port: front, states };
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('error', () => resolve(false));
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
  });
}

/** Waits until HAProxy has checked its only server. @returns what it found, such as `L7OK 200` */
export async function checkOutcome({ states }: RunningProxy): Promise<string> {
  const deadlineMs = performance.now() + DEADLINE_MS;
  while (performance.now() < deadlineMs) {
    const [head = '', ...rows] = (await (await fetch(`http://127.0.0.1:${states}/;csv`)).text()).split('\n');
    const columns = head.split(',');
    const [status, code] = ['check_status', 'check_code'].map((column) => {
      const row = rows.map((text) => text.split(',')).find((cells) => cells[columns.indexOf('check_status')] !== '');
      return row?.[columns.indexOf(column)] ?? '';
    });
    if (status?.startsWith('L') === true) return `${status} ${code}`;
    await delay(ASK_EVERY_MS);
  }
  throw new Error('HAProxy checks nothing');
}
