// Starts the servers that are measured beside the one under test.
import { type ChildServer, startServer } from '../processes/child-server.js';
import type { BareReply } from './bare-replies.js';
import type { LoadRequest } from './load-request.js';
import type { PeerFilling } from './sql-peer/peer-shapes.js';

const BARE_PROGRAM = new URL('./bare-server.js', import.meta.url);
const SQL_PROGRAM = new URL('./sql-peer/peer-server.js', import.meta.url);

export function startBareServer(replies: readonly BareReply[]): Promise<ChildServer> {
  return startServer(BARE_PROGRAM, [], JSON.stringify(replies));
}

export interface SqlPeer {
  readonly server: ChildServer;
  /** Whether it knows the player or planet that a request names. */
  knows(request: LoadRequest): boolean;
}

/** @param folder for its database */
export async function startSqlPeer(folder: string, filling: PeerFilling): Promise<SqlPeer> {
  const server = await startServer(SQL_PROGRAM, [folder], JSON.stringify(filling));
  const players = new Set(filling.states.map(({ id }) => id));
  const planets = new Set(filling.states.flatMap((state) => state.planets.map(({ id }) => id)));
  return {
    server,
    knows({ path, body }) {
      const planetId = /"planetId":"([^"]+)"/.exec(body ?? '')?.[1];
      return planetId === undefined ? players.has(path.split('/').at(-1) ?? '') : planets.has(planetId);
    },
  };
}
