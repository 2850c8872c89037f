// `npm run foreign`: tries what others wrote against real worlds on both transports, and against our documents. It exits with 1 if
// something fails.
import { Command, Option } from 'commander';
import { Progress } from '../../bench/runner/progress.js';
import { tableText } from '../../bench/runner/table.js';
import { defaultTransport } from '../../http/world-server.js';
import { withOwner } from '../support/process/with-owner.js';
import { CLIENTS } from './clients.js';
import { GENERATORS } from './generators.js';
import { LOADERS } from './loaders.js';
import { type Tool, TRANSPORTS, type Transport } from './tool.js';
import { tryTool, type World, worldOver } from './trials.js';

const TOOLS: Readonly<Record<string, Tool>> = { ...GENERATORS, ...CLIENTS, ...LOADERS };

/** On a Node for which uWebSockets.js has no build there is one only. */
const loadable = TRANSPORTS.filter((kind) => kind === 'javascript' || defaultTransport() === 'native');

const { only, transport, json } = new Command('foreign')
  .description(
    'Runs clients, generators of code and tools for loads that others wrote. They come from npm, are kept in hidden folders of dist/ ' +
      'and run on Node 24. Programs of Debian are tried if they are installed.',
  )
  .addOption(new Option('--only <tool...>', 'these tools').choices(Object.keys(TOOLS)).default(Object.keys(TOOLS)))
  .addOption(new Option('--transport <kind...>', 'over these').choices(TRANSPORTS).default(loadable))
  .option('--json', 'prints JSON', false)
  .allowExcessArguments(false)
  .parse()
  .opts<{ only: string[]; transport: Transport[]; json: boolean }>();

process.exitCode = await withOwner(async (owner) => {
  const tries = only.flatMap((name) => {
    const tool = TOOLS[name];
    if (tool === undefined) return [];
    return (tool.reads === 'server' ? transport : transport.slice(0, 1)).map((kind) => ({ name, tool, kind }));
  });
  const progress = new Progress(tries.length, process.stderr, 'foreign');
  const worlds = new Map<Transport, World>();
  for (const kind of transport) worlds.set(kind, await worldOver(owner, kind));
  const rows: Record<string, string | number>[] = [];
  let faults = 0;
  for (const { name, tool, kind } of tries) {
    const over = tool.reads === 'server' ? kind : '';
    progress.step(`${name} ${over}`, rows.length === 0 ? 0 : 1);
    const world = worlds.get(kind);
    if (world === undefined) throw new Error(`no world over ${kind}`);
    const startedMs = performance.now();
    const { version, outcome, isFault } = await tryTool(owner, tool, world);
    const seconds = Number(((performance.now() - startedMs) / 1_000).toFixed(1));
    rows.push({ tool: name, version, transport: over, outcome, seconds });
    if (isFault) faults += 1;
  }
  progress.end();
  console.log(json ? JSON.stringify({ faults, rows }, null, 2) : tableText(rows));
  return faults === 0 ? 0 : 1;
});
