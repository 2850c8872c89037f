// Tools that send loads: a second each, in which nothing may fail.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { outputOf, type Tool } from './tool.js';

const PATH = '/api/leaderboard';
const CONNECTIONS = '8';
const SECONDS = '1';
/** More than any of them sends in a second. */
const REQUESTS_MAX = '1000000';

interface CannonResult {
  readonly requests: { readonly total: number };
  readonly errors: number;
  readonly timeouts: number;
  readonly non2xx: number;
}

interface ArtilleryReport {
  readonly aggregate: { readonly counters: Readonly<Record<string, number>> };
}

export const LOADERS = {
  autocannon: {
    packages: ['autocannon'],
    reads: 'server',
    run: async ({ node, folderOf, url }) => {
      const cli = join(folderOf('autocannon'), 'autocannon.js');
      const text = await outputOf(node, [cli, '--json', '-c', CONNECTIONS, '-d', SECONDS, `${url}${PATH}`]);
      const { requests, errors, timeouts, non2xx } = JSON.parse(text) as CannonResult;
      if (errors + timeouts + non2xx > 0) throw new Error(`${errors} errors, ${timeouts} late, ${non2xx} not 2xx`);
      return answered(requests.total);
    },
  },
  artillery: {
    packages: ['artillery'],
    reads: 'server',
    run: async ({ node, folderOf, folder, url }) => {
      const [script, report] = [join(folder, 'script.json'), join(folder, 'report.json')];
      await writeFile(script, JSON.stringify(artilleryScript(url)));
      await outputOf(node, [join(folderOf('artillery'), 'bin/run'), 'run', '--quiet', '--output', report, script]);
      const { counters } = (JSON.parse(await readFile(report, 'utf8')) as ArtilleryReport).aggregate;
      const faults = Object.entries(counters).filter(([name, count]) => isFault(name) && count > 0);
      if (faults.length > 0) throw new Error(faults.map(([name, count]) => `${name}: ${count}`).join(', '));
      return answered(counters['http.responses'] ?? 0);
    },
  },
  ab: {
    program: { name: 'ab', versionArgs: ['-V'], debian: 'apache2-utils' },
    reads: 'server',
    impossible: { native: 'it speaks HTTP/1.0, which the native transport does not answer' },
    run: async ({ program, url }) => {
      // -l: a reply may be longer than the first one. -k: connections are kept.
      const args = ['-q', '-l', '-k', '-c', CONNECTIONS, '-t', SECONDS, '-n', REQUESTS_MAX, `${url}${PATH}`];
      const text = await outputOf(program, args);
      const count = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0);
      const failed = count('Failed requests') + count('Non-2xx responses') + count('Write errors');
      if (failed > 0) throw new Error(`${failed} failed`);
      // A reply without a byte is none, and ab counts it.
      if (count('HTML transferred') === 0) throw new Error('the replies are empty');
      return answered(count('Complete requests'));
    },
  },
  hey: {
    program: { name: 'hey', versionArgs: [], debian: 'hey' },
    reads: 'server',
    run: async ({ program, url }) => {
      const text = await outputOf(program, ['-z', `${SECONDS}s`, '-c', CONNECTIONS, `${url}${PATH}`]);
      const counts = [...text.matchAll(/\[(\d{3})\]\s+(\d+) responses/g)];
      if (text.includes('Error distribution') || counts.some(([, status]) => status !== '200')) throw new Error(text);
      return answered(Number(counts[0]?.[2] ?? 0));
    },
  },
} as const satisfies Readonly<Record<string, Tool>>;

function artilleryScript(url: string): object {
  const newcomer = { name: 'artillery-{{ $randomString() }}', isBot: true };
  return {
    config: { target: url, phases: [{ duration: Number(SECONDS), arrivalRate: 20 }] },
    scenarios: [{ flow: [{ get: { url: PATH } }, { post: { url: '/api/game/player', json: newcomer } }] }],
  };
}

/** Whether a counter of Artillery counts what must not be. */
function isFault(name: string): boolean {
  return name.startsWith('errors.') || name === 'vusers.failed' || /^http\.codes\.(?!2)/.test(name);
}

function answered(count: number): string {
  if (count === 0) throw new Error('no request was answered');
  return `${count} requests`;
}
