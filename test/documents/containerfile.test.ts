// deploy/Containerfile: a linter finds no fault in it, and what it promises is in it. With LONG=1 its steps are repeated in an empty Debian, since
// nothing here can build images: COPY and RUN of each stage, then the server, its check of health and its stop.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { validate } from 'dockerfile-utils';
import t, { type Test } from 'tap';
import { debianRoot } from '../platforms/debian-root.js';
import { fetched, KEPT_FOLDER, NODES } from '../platforms/fetched-packages.js';
import { freePort } from '../support/process/free-port.js';
import { ONLY_LONG } from '../support/process/lengths.js';
import { programPath } from '../support/process/program-path.js';
import { committedFiles, root, textOf } from '../tidy/repository.js';

const execute = promisify(execFile);
const TEXT = textOf('deploy/Containerfile');
const BASE = 'node:24-bookworm-slim';
const PORT = 3000;
/** Where npm finds certificates that this machine needs to reach its registry; builders of images have their own ways. */
const AUTHORITIES = '/etc/authorities.pem';
const PATH = '/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

interface Instruction {
  readonly word: string;
  readonly rest: string;
}

/** The linter has found that the file is sound, so this may be simple. */
const INSTRUCTIONS: readonly Instruction[] = TEXT.replace(/^#.*\n/gm, '')
  .replaceAll(/\\\n\s*/g, '')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => {
    const [word = '', ...rest] = line.split(' ');
    return { word, rest: rest.join(' ') };
  });

/** Instructions of the last stage: those of the image. */
const IMAGE = INSTRUCTIONS.slice(INSTRUCTIONS.findLastIndex(({ word }) => word === 'FROM'));
const all = (word: string): string[] => INSTRUCTIONS.filter((one) => one.word === word).map(({ rest }) => rest);
const ofImage = (word: string): string => IMAGE.findLast((one) => one.word === word)?.rest ?? '';
const words = (list: string): string[] => JSON.parse(list) as string[];
const healthCheck = (): string[] => words(ofImage('HEALTHCHECK').split('CMD ')[1] ?? '');

t.test('deploy/Containerfile has no fault, and what the guide says', (t) => {
  t.same(validate(TEXT), []);
  for (const from of all('FROM')) t.equal(from.split(' ')[0], BASE, 'a plain name, of no registry');
  t.notMatch(TEXT, /https?:\/\/(?!127\.0\.0\.1)/, 'nothing is fetched but by npm');
  t.equal(ofImage('USER'), 'galaxyd');
  t.same(words(ofImage('VOLUME')), ['/var/lib/galaxyd']);
  t.equal(ofImage('STOPSIGNAL'), 'SIGTERM');
  t.match(healthCheck().join(' '), `http://127.0.0.1:${PORT}/healthz`);
  t.same(words(ofImage('ENTRYPOINT')), ['galaxyd']);
  t.match(textOf('deploy/galaxyd'), /^exec node --v8-pool-size=0 /m);
  t.match(textOf('package.json'), 'exec node --v8-pool-size=0 ', 'as npm start has it');
  const files = committedFiles();
  const sources = all('COPY').filter((rest) => !rest.startsWith('--from'));
  for (const source of sources.flatMap((rest) => rest.split(' ').slice(0, -1))) {
    t.ok(
      files.some((file) => file === source || file.startsWith(`${source}/`)),
      source,
    );
  }
  t.end();
});

t.test('an empty Debian that repeats its steps serves a world with keys', { skip: ONLY_LONG }, async (t) => {
  const base = await baseRoot(t);
  if ('missing' in base) {
    t.pass('not tested', { skip: base.missing });
    return;
  }
  const image = await builtImage(t, base.root);
  const port = await freePort();
  image.environment['GALAXYD_PORT'] = String(port);
  const endOf = (command: readonly string[]): Promise<unknown[]> => once(entered(image, command), 'close');
  const check = (): Promise<unknown[]> => endOf(healthCheck().map((word) => word.replace(String(PORT), String(port))));
  const serve = [...words(ofImage('ENTRYPOINT')), ...words(ofImage('CMD'))];
  t.same(await endOf(serve), [78, null], 'it does not start without a file of keys');
  t.same(await endOf(['galaxyd', 'admin-key', 'new', 'alice', '--admin-keys', '/etc/galaxyd/admin-keys']), [0, null]);
  t.same(await check(), [1, null], 'nobody answers yet');
  const server = entered(image, serve, 'pipe');
  t.teardown(() => server.kill('SIGKILL'));
  await serving(server);
  t.same(await check(), [0, null]);
  const url = `http://127.0.0.1:${port}`;
  t.equal((await fetch(`${url}/api/admin/players`)).status, 401);
  t.match(await (await fetch(`${url}/api/status`)).json(), { auth: 'key' });
  const line = await readFile(`/proc/${server.pid}/cmdline`, 'utf8');
  t.match(line.split('\0').slice(0, 2), ['node', '--v8-pool-size=0']);
  server.kill('SIGTERM');
  t.same(await once(server, 'close'), [0, null], 'it stops in order');
});

/** A stand-in for the base image: Debian 12 with Node 24, and npm of this machine. */
async function baseRoot(t: Test): Promise<{ readonly root: string } | { readonly missing: string }> {
  if (process.getuid?.() !== 0) return { missing: 'only root can enter an empty Debian' };
  const [debian, node, npm] = [await debianRoot('bookworm'), await fetched(NODES[24]), programPath('npm')];
  if ('missing' in debian) return debian;
  if ('missing' in node) return node;
  if (npm === undefined) return { missing: 'npm is not installed' };
  const base = await copyOf(t, debian.root);
  await cp(join(node.folder, 'bin/node'), join(base, 'usr/local/bin/node'));
  const modules = join(base, 'usr/local/lib/node_modules/npm');
  await mkdir(modules, { recursive: true });
  await execute('cp', ['-a', `${resolve(await realpath(npm), '../..')}/.`, modules]);
  await execute('ln', ['-s', '../lib/node_modules/npm/bin/npm-cli.js', join(base, 'usr/local/bin/npm')]);
  await execute('cp', ['/etc/resolv.conf', join(base, 'etc/resolv.conf')]);
  const authorities = process.env['NODE_EXTRA_CA_CERTS'];
  if (authorities !== undefined) await execute('cp', ['-L', authorities, base + AUTHORITIES]);
  return { root: base };
}

/** Not in the folder for temporary files, which may be small. */
async function copyOf(t: Test, folder: string): Promise<string> {
  const copy = await mkdtemp(join(KEPT_FOLDER, '.root-'));
  t.teardown(() => rm(copy, { recursive: true, force: true }));
  await execute('cp', ['-a', '--reflink=auto', `${folder}/.`, copy]);
  return copy;
}

interface Image {
  readonly root: string;
  workdir: string;
  user: string;
  readonly environment: Record<string, string>;
}

/** Does what a builder of images does. @returns the last stage */
async function builtImage(t: Test, base: string): Promise<Image> {
  const stages = new Map<string, Image>();
  let image: Image = { root: base, workdir: '/', user: 'root', environment: {} };
  const steps: Readonly<Record<string, (rest: string) => unknown>> = {
    FROM: async (rest) => {
      image = { root: await copyOf(t, base), workdir: '/', user: 'root', environment: {} };
      stages.set(rest.split(' AS ')[1] ?? '', image);
    },
    WORKDIR: async (rest) => {
      image.workdir = rest;
      await mkdir(join(image.root, rest), { recursive: true });
    },
    COPY: async (rest) => {
      const [, from, sources = ''] = /^(?:--from=(\S+) )?(.*)$/.exec(rest) ?? [];
      const folder = from === undefined ? root : (stages.get(from)?.root ?? '');
      const paths = sources.split(' ');
      const target = resolve(image.workdir, paths.pop() ?? '');
      for (const path of paths) await copy(join(folder, path), image.root + target);
    },
    ARG: (rest) => {
      image.environment[rest.split('=')[0] ?? ''] = '';
    },
    USER: (rest) => {
      image.user = rest;
    },
    RUN: async (rest) => {
      const [code] = await once(entered(image, ['sh', '-c', rest]), 'close');
      if (code !== 0) throw new Error(`${rest} ended with ${code}`);
    },
  };
  for (const { word, rest } of INSTRUCTIONS) await steps[word]?.(rest);
  return image;
}

/** A file gets into an existing folder; of a folder, what is in it gets into the target. */
async function copy(source: string, target: string): Promise<void> {
  await mkdir(join(target, '..'), { recursive: true });
  await execute('sh', [
    '-c',
    'if [ -d "$1" ]; then mkdir -p "$2"; cp -a "$1/." "$2"; else cp -a "$1" "$2"; fi',
    'sh',
    source,
    target,
  ]);
}

/** Mounts are seen only by this process and its children. Everything is executed in place, so a signal reaches the program. */
const ENTER = `
set -e
root=$1 workdir=$2 user=$3; shift 3
mount --rbind /dev "$root/dev"
mount -t proc proc "$root/proc"
exec chroot --userspec="$user" "$root" /usr/bin/env --chdir="$workdir" "$@"
`;

function entered(
  { root, workdir, user, environment }: Image,
  command: readonly string[],
  output: 'ignore' | 'pipe' = 'ignore',
): ChildProcess {
  const variables = Object.entries({ NODE_EXTRA_CA_CERTS: AUTHORITIES, ...environment, PATH }).map(
    ([name, value]) => `${name}=${value}`,
  );
  const places = [root, workdir, user, '-i', ...variables];
  return spawn('unshare', ['--mount', '--propagation', 'private', 'sh', '-c', ENTER, 'sh', ...places, ...command], {
    stdio: ['ignore', output, 'inherit'],
  });
}

async function serving(server: ChildProcess): Promise<void> {
  let output = '';
  for await (const text of server.stdout ?? []) {
    output += text;
    if (output.includes('"event":"serving"')) break;
  }
}
