// A world for foreign tools, and one try of one tool.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from '../persistence/support/temporary-folder.js';
import { fetched, NODES } from '../platforms/fetched-packages.js';
import { GalaxydProcess, type Owner } from '../support/process/galaxyd-process.js';
import { programPath } from '../support/process/program-path.js';
import { foreignPackage, type PackageName } from './packages.js';
import { outputOf, type Tool, type Transport } from './tool.js';

const ADMIN_KEY = 'operator-among-strangers';

export interface World {
  readonly url: string;
  readonly transport: Transport;
  readonly openApi: string;
  readonly asyncApi: string;
}

/** Starts a world whose clock stands still, and keeps its documents in files. */
export async function worldOver(owner: Owner, transport: Transport): Promise<World> {
  const folder = await temporaryFolder(owner);
  const data = await temporaryFolder(owner);
  const { url } = await GalaxydProcess.start(owner, {
    args: [
      'serve',
      '--port',
      '0',
      '--data',
      data,
      '--clock',
      'manual',
      '--min-free-mib',
      '0',
      '--transport',
      transport,
    ],
    env: { GALAXYD_ADMIN_KEY: ADMIN_KEY },
    rules: null,
  });
  const kept = async (name: string): Promise<string> => {
    const path = join(folder, name);
    await writeFile(path, await (await fetch(`${url}/${name}`)).text());
    return path;
  };
  return { url, transport, openApi: await kept('openapi.json'), asyncApi: await kept('asyncapi.json') };
}

/** Result of one try, as it is printed. */
export interface Outcome {
  readonly version: string;
  readonly outcome: string;
  readonly isFault: boolean;
}

export async function tryTool(owner: Owner, tool: Tool, world: World): Promise<Outcome> {
  const found = await foundTool(tool);
  const { version } = found;
  if ('missing' in found) return { version, outcome: `not tried: ${found.missing}`, isFault: false };
  const impossible = tool.reads === 'server' ? tool.impossible?.[world.transport] : undefined;
  if (impossible !== undefined) return { version, outcome: `not possible: ${impossible}`, isFault: false };
  try {
    const player = await newPlayer(world.url);
    const outcome = await tool.run({
      ...found,
      ...world,
      folderOf: (name) => found.folders.get(name) ?? '',
      folder: await temporaryFolder(owner),
      playerId: player.id,
      planetId: player.planets[0]?.id ?? '',
      adminKey: ADMIN_KEY,
    });
    return { version, outcome, isFault: false };
  } catch (error) {
    return { version, outcome: `failed: ${String(error)}`, isFault: true };
  }
}

interface FoundTool {
  readonly version: string;
  readonly node: string;
  readonly program: string;
  readonly folders: ReadonlyMap<PackageName, string>;
}

/** @returns where the parts of a tool are, or which one is missing */
async function foundTool({
  packages = [],
  program,
  version = '',
}: Tool): Promise<FoundTool | { version: string; missing: string }> {
  const node = await fetched(NODES[24]);
  if ('missing' in node) return { version, missing: node.missing };
  const folders = new Map<PackageName, string>();
  for (const name of packages) {
    const one = await fetched(foreignPackage(name));
    if ('missing' in one) return { version, missing: one.missing };
    folders.set(name, one.folder);
  }
  const [first] = packages;
  const path = program === undefined ? '' : programPath(program.name);
  if (path === undefined) return { version, missing: `not installed (Debian: apt-get install ${program?.debian})` };
  const known = first === undefined ? version : foreignPackage(first).version;
  const printed =
    program === undefined || program.versionArgs.length === 0 ? '' : await outputOf(path, program.versionArgs);
  return {
    version: known || (/\d+(\.\d+)+/.exec(printed)?.[0] ?? ''),
    node: join(node.folder, 'bin/node'),
    program: path,
    folders,
  };
}

interface Player {
  readonly id: string;
  readonly planets: readonly { readonly id: string }[];
}

let players = 0;

async function newPlayer(url: string): Promise<Player> {
  players += 1;
  const response = await fetch(`${url}/api/game/player`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: `guest-${players}`, isBot: true }),
  });
  return (await response.json()) as Player;
}
