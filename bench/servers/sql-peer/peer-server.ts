// What a team would write instead: Fastify over SQLite, offering the same read of a player's state, the same durable
// upgrade and its cancelling. Its own process: `peer-server.js FOLDER`, with its filling on standard input.

import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import fastify, { type FastifyInstance } from 'fastify';
import { createDatabase, fillDatabase } from './peer-database.js';
import type { PeerFilling } from './peer-filling.js';
import { PeerRefusal, PeerWorld } from './peer-world.js';

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('the peer needs a folder for its database');
const filling: PeerFilling = JSON.parse(await text(process.stdin));
const database = createDatabase(join(folder, 'peer.sqlite'));
fillDatabase(database, filling, Date.now());
const server = peerServer(new PeerWorld(database, filling.catalog), filling.schemas);
const url = await server.listen({ host: '127.0.0.1', port: 0 });
console.log(`Fastify with SQLite serves ${url}`);
process.once('SIGTERM', () => {
  database.close();
  process.exit(0);
});

/** Shapes are checked and replies written by Fastify's own compiled schemas, from those of the server under test. */
function peerServer(world: PeerWorld, schemas: PeerFilling['schemas']): FastifyInstance {
  const app = fastify({ logger: false });
  app.setErrorHandler((error, _request, reply) => {
    if (error instanceof PeerRefusal) return reply.code(error.status).send({ status: error.status, code: error.code });
    return reply.send(error);
  });
  const named = (name: string) => inlined(schemas[name], schemas);
  app.get<{ Params: { playerId: string } }>(
    '/api/game/state/:playerId',
    { schema: { response: { 200: named('Player') } } },
    async ({ params }) => world.state(params.playerId, Date.now()),
  );
  app.post<{ Body: { planetId: string; buildingType: string } }>(
    '/api/building/upgrade',
    { schema: { body: named('BuildingRequest'), response: { 200: named('Planet') } } },
    async ({ body }) => world.upgrade(body.planetId, body.buildingType, Date.now()),
  );
  app.post<{ Body: { planetId: string; queueId: string } }>(
    '/api/building/cancel',
    { schema: { body: named('CancelBuildingRequest'), response: { 200: named('Planet') } } },
    async ({ body }) => world.cancel(body.planetId, body.queueId, Date.now()),
  );
  return app;
}

/** A schema in which every reference to another one is replaced by it. */
function inlined(node: unknown, schemas: PeerFilling['schemas']): unknown {
  if (typeof node !== 'object' || node === null) return node;
  if (Array.isArray(node)) return node.map((item) => inlined(item, schemas));
  const name = '$ref' in node ? String(node.$ref).split('/').at(-1) : undefined;
  if (name !== undefined) return inlined(schemas[name], schemas);
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, inlined(value, schemas)]));
}
