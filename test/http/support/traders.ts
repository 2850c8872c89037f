// Two players of one galaxy, in a world whose rules have a market.
import type { OfferBody } from '../../../http/schemas/market.js';
import type { BulkPlayersBody } from '../../../http/schemas/world.js';
import { TRADING } from '../../support/market-rules.js';
import type { GameClient } from './game-client.js';
import { firstPlanet, Play, type PlayerBody } from './play.js';
import type { Serving } from './serving.js';

export interface Trader {
  readonly playerId: string;
  readonly planetId: string;
  /** '' if players have none. */
  readonly apiKey: string;
  readonly client: GameClient;
}

/** 6 iron and 4 silver are worth the same. */
export const FAIR = { give: { resource: 'iron', units: 600 }, want: { resource: 'silver', units: 400 }, h2Max: 5_000 };

/** Both have plenty, and live in one galaxy. @returns the first player of the world, and another one */
export async function traders({
  admin,
  client,
}: Pick<Serving, 'admin' | 'client'>): Promise<readonly [ada: Trader, bob: Trader]> {
  await admin.command('/api/admin/rules', TRADING);
  const ada = await client.command<PlayerBody & { apiKey?: string }>('/api/game/player', ADA, 201);
  // The operator creates the other one: a client may send the key of the last player that it has created.
  const body = { names: ['bob'] };
  const { players } = await admin.command<BulkPlayersBody>('/api/admin/players', body, 201);
  const [bob] = players;
  if (bob === undefined) throw new Error('nobody was created');
  const play = new Play(client, admin);
  const both = [
    { playerId: ada.id, planetId: firstPlanet(ada).id, apiKey: ada.apiKey ?? '' },
    { playerId: bob.id, planetId: bob.planetId, apiKey: bob.apiKey ?? '' },
  ] as const;
  for (const { planetId } of both) await play.grant(planetId);
  const [first, second] = both;
  return [traderOf(first, client), traderOf(second, client)];
}

const ADA = { name: 'ada', isBot: true };

function traderOf(known: Omit<Trader, 'client'>, client: GameClient): Trader {
  return { ...known, client: known.apiKey === '' ? client : client.as(known.apiKey) };
}

/** The offer of a player. @param words other than those of a fair trade with anybody */
export function offered({ client, playerId, planetId }: Trader, words: object = {}): Promise<OfferBody> {
  return client.command('/api/market/offer', { playerId, planetId, ...FAIR, ...words });
}

/** A request to take an offer. */
export function taking({ id }: Pick<OfferBody, 'id'>, { playerId, planetId }: Omit<Trader, 'client' | 'apiKey'>) {
  return { path: `/api/market/offer/${id}/take`, body: { playerId, planetId } };
}

/** The player takes an offer. */
export async function takes(taker: Trader, offer: OfferBody): Promise<void> {
  const { path, body } = taking(offer, taker);
  await taker.client.command(path, body);
}
