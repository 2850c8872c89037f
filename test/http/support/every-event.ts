// A short story in which every type of event happens, played over HTTP as agents and their operator would.
import type { OfferBody, PlayerMarketBody } from '../../../http/schemas/market.js';
import type { PactBody } from '../../../http/schemas/pacts.js';
import type { FieldsBody } from '../../../http/schemas/planning.js';
import type { FleetBody } from '../../../http/schemas/player.js';
import { PARTS } from '../../support/parts-rules.js';
import type { GameClient } from './game-client.js';
import { firstPlanet, Play, type PlayerBody } from './play.js';
import type { Serving } from './serving.js';

export interface Actor {
  readonly playerId: string;
  readonly planetId: string;
  /** Its API key; '' if players have none. */
  readonly key: string;
  /** Sends the key. */
  readonly client: GameClient;
  readonly play: Play;
}

/**
 * Plays the story.
 *
 * @param hasKeys whether players have keys
 * @returns ada and bob, who have received events of every type between them; a third player has been retired
 */
export async function playEveryEvent(serving: Serving, hasKeys: boolean): Promise<readonly [Actor, Actor]> {
  const ada = await newcomer(serving, 'ada');
  const bob = await newcomer(serving, 'bob');
  await buildsAndResearches(ada);
  await visits(ada, bob);
  await colonizes(ada);
  await bob.play.construct(bob.planetId, 'shipyard');
  await bob.play.ships(bob.planetId, 'fighter', 3);
  await arrival(ada, await fleet(ada, bob.planetId, 'attack', { scout: 1 }));
  await serving.admin.command('/api/admin/rules', PARTS);
  await plans(ada);
  await harvestsAndLeavesWrecks(ada, bob);
  await supports(serving, ada, bob);
  await speaks(ada, bob);
  await trades(ada, bob);
  await makesPact(ada, bob);
  for (const verb of ['suspend', 'resume']) await serving.admin.command(`/api/admin/player/${ada.playerId}/${verb}`);
  await serving.admin.command(`/api/admin/player/${bob.playerId}/rename`, { name: 'bob the second' });
  await serving.admin.command('/api/admin/announce', { text: 'welcome', untilSeconds: 3_600 });
  const { playerId: leaver } = await attacksNewcomer(serving, ada);
  await serving.admin.command(`/api/admin/player/${leaver}/retire`);
  changesTime(serving);
  await serving.admin.command('/api/admin/clock/speed', { speed: 2 });
  return hasKeys ? [await withNewKey(serving, ada), await withNewKey(serving, bob)] : [ada, bob];
}

/** A pause of an hour. The clock of this world stands anyway, so the API has no pause of it. */
function changesTime({ world: { sequencer } }: Serving): void {
  sequencer.submit({ type: 'pause_clock' });
  sequencer.submit({ type: 'resume_clock', lagMs: 3_600_000 });
}

/** The operator revokes the player's key and gives it another one. */
async function withNewKey({ client, admin }: Serving, actor: Actor): Promise<Actor> {
  await admin.command(`/api/admin/player/${actor.playerId}/key/revoke`);
  const { apiKey } = await admin.command<{ apiKey: string }>(`/api/admin/player/${actor.playerId}/key`, undefined, 201);
  return actorOf(client.as(apiKey), admin, actor, apiKey);
}

function actorOf(
  client: GameClient,
  admin: GameClient,
  { playerId, planetId }: Pick<Actor, 'playerId' | 'planetId'>,
  key: string,
): Actor {
  return { playerId, planetId, key, client, play: new Play(client, admin) };
}

async function newcomer({ client, admin }: Serving, name: string): Promise<Actor> {
  const body = { name, isBot: true };
  const player = await client.command<PlayerBody & { readonly apiKey?: string }>('/api/game/player', body, 201);
  const { apiKey = '' } = player;
  const ids = { playerId: player.id, planetId: firstPlanet(player).id };
  const actor = actorOf(client.as(apiKey), admin, ids, apiKey);
  await actor.play.grant(actor.planetId);
  return actor;
}

/** Buildings, ships and research: started, completed, cancelled. Ada has the ships for all that follows. */
async function buildsAndResearches({ client, play, playerId, planetId }: Actor): Promise<void> {
  await play.construct(planetId, 'shipyard');
  const { buildings } = await play.upgrade(planetId);
  const [{ queueId } = { queueId: '' }] = buildings.flatMap(({ constructionQueue }) => constructionQueue);
  await client.command('/api/building/cancel', { planetId, queueId });
  for (const [shipType, count] of Object.entries({ scout: 4, fighter: 20, transport: 3, colony_ship: 2 })) {
    await play.ships(planetId, shipType, count);
  }
  await play.order(planetId, 'scout', 1);
  await client.command('/api/shipyard/cancel', { planetId, shipType: 'scout' });
  await play.research(playerId);
  await play.advance(120);
}

/** Fleets to another player: one that is recalled, then one for each mission. */
async function visits(ada: Actor, bob: Actor): Promise<void> {
  const recalled = await fleet(ada, bob.planetId, 'transport', { transport: 1 });
  await ada.play.advance(1);
  await ada.client.command(`/api/fleet/${recalled.id}/recall`, { playerId: ada.playerId });
  await ada.play.toNextTimer();
  await arrival(ada, await fleet(ada, bob.planetId, 'transport', { transport: 1 }, { iron: 10 }));
  await arrival(ada, await fleet(ada, bob.planetId, 'espionage', { scout: 1 }));
  await arrival(ada, await fleet(ada, bob.planetId, 'attack', { transport: 1, fighter: 20 }));
}

/** Two colony ships to the same planet, of which the second comes too late. */
async function colonizes(ada: Actor): Promise<void> {
  const free = await ada.play.neighbour(ada.planetId);
  const first = await fleet(ada, free, 'colonize', { colony_ship: 1 });
  const second = await fleet(ada, free, 'colonize', { colony_ship: 1 });
  await arrival(ada, first);
  await arrival(ada, second);
}

/** Ada hands her planet plans: one whose only step is blocked, the same one that skips it, and one that starts its step and is completed. */
async function plans({ client, playerId, planetId }: Actor): Promise<void> {
  const blocked = { action: 'construct', buildingType: 'zentrale' };
  for (const plan of [
    { onBlocked: 'wait', steps: [blocked] },
    { onBlocked: 'skip', steps: [blocked] },
    { onBlocked: 'wait', steps: [{ action: 'upgrade', buildingType: 'iron_mine' }] },
  ]) {
    const { status, text } = await client.request('PUT', `/api/plan/planet/${planetId}`, {
      body: { playerId, ...plan },
    });
    if (status !== 200) throw new Error(`the plan was refused: ${text}`);
  }
}

/** Bob takes an offer of Ada, of two that only he can take. */
async function trades(ada: Actor, bob: Actor): Promise<void> {
  const planetId = (await bob.play.state(bob.playerId)).planets[0]?.id;
  const terms = { playerId: ada.playerId, planetId: ada.planetId, toPlayerId: bob.playerId, h2Max: 100_000 };
  const lots = { give: { resource: 'iron', units: 6 }, want: { resource: 'silver', units: 4 } };
  const [taken, withdrawn] = [
    await ada.client.command<OfferBody>('/api/market/offer', { ...terms, ...lots }),
    await ada.client.command<OfferBody>('/api/market/offer', { ...terms, ...lots }),
  ];
  await bob.client.command(`/api/market/offer/${taken.id}/take`, { playerId: bob.playerId, planetId });
  await ada.client.command(`/api/market/offer/${withdrawn.id}/withdraw`, { playerId: ada.playerId });
  const { goods } = await ada.client.read<PlayerMarketBody>(`/api/market/player/${ada.playerId}`);
  const { goods: ofBob } = await bob.client.read<PlayerMarketBody>(`/api/market/player/${bob.playerId}`);
  for (const { arrivesAt } of [...goods, ...ofBob].sort((a, b) => (a.arrivesAt < b.arrivesAt ? -1 : 1)))
    await ada.play.advanceTo(arrivesAt);
}

/** Ada proposes a pact, Bob accepts it, and Ada cancels it. */
async function makesPact(ada: Actor, bob: Actor): Promise<void> {
  const asked = { playerId: ada.playerId, partnerId: bob.playerId, kind: 'shared_sight', durationSeconds: 86_400 };
  const { id } = await ada.client.command<PactBody>('/api/pact', asked);
  await bob.client.command(`/api/pact/${id}/accept`, { playerId: bob.playerId });
  const { endsAt } = await ada.client.command<PactBody>(`/api/pact/${id}/cancel`, { playerId: ada.playerId });
  await ada.play.advanceTo(endsAt);
}

/** Bob's fleet defends Ada's planet against a third player. */
async function supports(serving: Serving, ada: Actor, bob: Actor): Promise<void> {
  await bob.play.ships(bob.planetId, 'scout', 1);
  await arrival(bob, await fleet(bob, ada.planetId, 'support', { scout: 1 }));
  const raider = await newcomer(serving, 'raider');
  await raider.play.construct(raider.planetId, 'shipyard');
  await raider.play.ships(raider.planetId, 'scout', 1);
  await arrival(raider, await fleet(raider, ada.planetId, 'attack', { scout: 1 }));
}

/** Ada writes to Bob, Bob to Ada, and each of them to everybody. */
async function speaks(ada: Actor, bob: Actor): Promise<void> {
  for (const [by, other] of [
    [ada, bob],
    [bob, ada],
  ] as const) {
    for (const to of [other.playerId, 'all'])
      await by.client.command('/api/message', { playerId: by.playerId, to, text: 'hello' });
  }
}

/** Ada's attack meets a player that is protected. @returns that player */
async function attacksNewcomer(serving: Serving, ada: Actor): Promise<Actor> {
  const protectedOne = await newcomer(serving, 'leaver');
  await arrival(ada, await fleet(ada, protectedOne.planetId, 'attack', { transport: 1, fighter: 5 }));
  return protectedOne;
}

/** Ada harvests, and her attack on Bob's guards leaves wrecks. */
async function harvestsAndLeavesWrecks(ada: Actor, bob: Actor): Promise<void> {
  const { fields } = await ada.client.read<FieldsBody>(`/api/game/fields/${ada.planetId}`);
  const target = fields.find(({ planetId }) => planetId !== ada.planetId)?.planetId ?? '';
  await arrival(ada, await fleet(ada, target, 'harvest', { transport: 1 }));
  await bob.play.ships(bob.planetId, 'fighter', 10);
  await ada.play.ships(ada.planetId, 'transport', 3);
  await ada.play.ships(ada.planetId, 'fighter', 30);
  await arrival(ada, await fleet(ada, bob.planetId, 'attack', { transport: 2, fighter: 25 }));
}

async function fleet(
  { client, playerId, planetId: originPlanetId }: Actor,
  targetPlanetId: string,
  mission: string,
  counts: Readonly<Record<string, number>>,
  resources: object = {},
): Promise<FleetBody> {
  const ships = Object.entries(counts).map(([type, count]) => ({ type, count }));
  const body = { playerId, originPlanetId, targetPlanetId, ships, mission, resources };
  return (await client.command<{ fleet: FleetBody }>('/api/fleet/launch', body)).fleet;
}

/** The fleet arrives, and is back if it returns. */
async function arrival({ play }: Pick<Actor, 'play'>, { arrivesAt, returnsAt }: FleetBody): Promise<void> {
  await play.advanceTo(returnsAt ?? arrivesAt);
}
