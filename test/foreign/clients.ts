// Clients that others wrote: each speaks to a real world, or to a `galaxyd mcp` before it.
import { fileURLToPath } from 'node:url';
import { inRepository } from './repository-packages.js';
import { outputOf, RESOLVE, type Tool, type Trial } from './tool.js';

const driver = (name: string): string => fileURLToPath(new URL(`./drivers/${name}.js`, import.meta.url));

export const CLIENTS = {
  newman: {
    packages: ['newman', 'openapi-to-postmanv2'],
    reads: 'server',
    run: (trial) => {
      const folders = [trial.folderOf('newman'), trial.folderOf('openapi-to-postmanv2')];
      return driven(trial, 'newman', [...folders, trial.openApi, trial.url, trial.adminKey]);
    },
  },
  eventsource: {
    packages: ['eventsource'],
    reads: 'server',
    run: (trial) => follows(trial, 'eventsource'),
  },
  undici: {
    packages: ['undici'],
    reads: 'server',
    run: (trial) => follows(trial, 'undici'),
  },
  '@modelcontextprotocol/sdk': {
    packages: ['@modelcontextprotocol/sdk'],
    reads: 'server',
    run: (trial) => {
      const folder = trial.folderOf('@modelcontextprotocol/sdk');
      return driven(trial, 'mcp-client', [
        folder,
        inRepository('dist/cli/main.js'),
        trial.url,
        trial.playerId,
        trial.planetId,
      ]);
    },
  },
  'chunks in Python': {
    program: { name: 'python3', versionArgs: ['--version'], debian: 'python3' },
    reads: 'server',
    run: async ({ program, url, playerId, planetId }) => {
      const args = [inRepository('test/foreign/read_chunks.py'), url, playerId, planetId];
      return (await outputOf(program, args)).trim();
    },
  },
} as const satisfies Readonly<Record<string, Tool>>;

function follows(trial: Trial, name: 'eventsource' | 'undici'): Promise<string> {
  return driven(trial, 'event-source', [trial.folderOf(name), name, trial.url, trial.playerId, trial.planetId]);
}

async function driven({ node }: Trial, name: string, args: readonly string[]): Promise<string> {
  return (await outputOf(node, [RESOLVE, driver(name), ...args])).trim();
}
