// The tools that show the world: brief (the situation of the player, as the server writes it), look (a planet, a star system or a
// galaxy) and leaderboard (the first players by points, or those of a name).
import { z } from 'zod';
import { GalaxydProblem, type Shapes, stockAt } from '../galaxyd-client.js';
import {
  LEADERS_DEFAULT,
  LEADERS_MAX,
  MESSAGES_SHOWN_MAX,
  NAME_LENGTH_MAX,
  OFFERS_SHOWN_MAX,
  ORDINAL_MAX,
  SEARCH_REQUESTS_MAX,
  TAKING_PLANETS_MAX,
} from '../limits.js';
import {
  amounts,
  answerOf,
  FOREIGN_NOTE,
  foreign,
  foreignMessage,
  instantText,
  ownerText,
  shipsText,
} from '../texts.js';
import { type Answer, identifier, planetId, type Session, type Tool } from '../tool.js';
import { inToolWords } from '../tool-words.js';

const input = z.strictObject({
  planetId: planetId.optional(),
  galaxy: z.int().min(1).max(ORDINAL_MAX).optional().describe('Galaxy, from 1'),
  system: z.int().min(0).max(ORDINAL_MAX).optional().describe('System of the galaxy, from 0'),
  market: z.int().min(1).max(ORDINAL_MAX).optional().describe('Galaxy whose offers are listed'),
  messagesSince: identifier('Message id, such as message-7; message-0: all').optional(),
  fromSystem: z.int().min(0).max(ORDINAL_MAX).default(0).describe('First system of a galaxy that is listed'),
});
type Input = z.infer<typeof input>;

export const look: Tool<Input> = {
  name: 'look',
  title: 'Look around',
  description:
    'Shows a planet (`planetId`; your own with all on it, and flights it sees), a star system (`galaxy` and `system`: planets and owners), or a ' +
    'galaxy (`galaxy` alone: which systems are inhabited, by whom, and how many planets are free), the offers of a galaxy (`market`), yours and what you can take now, or messages (`messagesSince`).',
  input,
  isRead: true,
  async run(session, wanted, signal) {
    const { planetId, galaxy, system, market, messagesSince, fromSystem } = wanted;
    if (market !== undefined) return await marketAnswer(session, market, signal);
    if (messagesSince !== undefined) return await messagesAnswer(session, messagesSince, signal);
    if (planetId !== undefined) return await planetAnswer(session, planetId, signal);
    if (galaxy === undefined)
      return { text: 'Give planetId, or galaxy, or galaxy and system, or market, or messagesSince.', isRefusal: true };
    if (system === undefined) return await galaxyAnswer(session, galaxy, fromSystem, signal);
    return await systemAnswer(session, galaxy, system, signal);
  },
};

async function planetAnswer({ galaxyd }: Session, planetId: string, signal: AbortSignal): Promise<Answer> {
  const { body, asOf, worldTime } = await galaxyd.get('/api/game/planet/{planetId}', {
    params: { path: { planetId } },
    signal,
  });
  const { galaxyIndex, index } = body.system;
  const place = `${body.id}: galaxy ${galaxyIndex}, system ${index}, slot ${body.slot}`;
  const owner = `Owner: ${body.owner === null ? 'nobody, it is free' : ownerText(body.owner)}`;
  const head = [...(body.owner === null ? [] : [FOREIGN_NOTE]), place, owner];
  if (body.visibility !== 'full') return { text: answerOf(head) };
  const seen = await seenLines(galaxyd, planetId, signal);
  return { text: answerOf([...head, ...fullLines(body, asOf, worldTime), ...seen]) };
}

/** The flights of others that the planet sees; none if the rules have no sight. */
async function seenLines(galaxyd: Session['galaxyd'], planetId: string, signal: AbortSignal): Promise<string[]> {
  let body: Shapes['SeenFleets'];
  try {
    ({ body } = await galaxyd.get('/api/fleet/seen/{planetId}', { params: { path: { planetId } }, signal }));
  } catch (error) {
    if (error instanceof GalaxydProblem && error.code === 'sight_not_in_rules') return [];
    throw error;
  }
  const { reach, fleets, nextCursor } = body;
  const lines = fleets.map(({ id, playerId, originPlanetId, targetPlanetId, state, arrivesAt, returnsAt }) => {
    const reaches = state === 'returning' ? '' : `, reaches it at ${arrivesAt}`;
    const returns = returnsAt === null ? '' : `, is back at ${returnsAt}`;
    return `- ${id} of ${playerId}, from ${originPlanetId} to ${targetPlanetId}${reaches}${returns}`;
  });
  const more = nextCursor === null ? [] : ['- and more'];
  return [`Sees flights of others within distance ${reach}:${fleets.length === 0 ? ' none' : ''}`, ...lines, ...more];
}

function fullLines(planet: Shapes['Planet'], asOf: string, worldTime: string): string[] {
  const buildings = planet.buildings.map(({ type, level, constructionQueue: [entry] }) => {
    const next = entry === undefined ? '' : ` (to ${entry.targetLevel} at ${entry.upgradeFinishAt}, ${entry.queueId})`;
    return `${type} ${level}${next}`;
  });
  const orders = planet.shipyardQueue.map(
    ({ count, shipType, buildFinishAt }) => `${count} ${shipType} at ${buildFinishAt}`,
  );
  return [
    `At ${worldTime}: ${amounts(stockAt(planet, asOf, worldTime))}`,
    `An hour: ${amounts(planet.production)}`,
    ...(planet.richness === undefined ? [] : [`Output in % of others: ${amounts({ ...planet.richness })}`]),
    `Buildings: ${buildings.join(', ')}`,
    `Ships: ${shipsText(planet.planetShips)}`,
    ...(planet.supporters ?? []).map(
      ({ fleetId, playerId, ships }) =>
        `Supporter: ${fleetId} of ${playerId}: ${ships.map(({ type, count }) => `${count} ${type}`).join(', ')}`,
    ),
    `Being built: ${orders.length === 0 ? 'none' : orders.join(', ')}`,
    `Next timer: ${instantText(planet.nextTimerAt)}`,
  ];
}

async function systemAnswer(
  { galaxyd }: Session,
  galaxy: number,
  system: number,
  signal: AbortSignal,
): Promise<Answer> {
  const { body } = await galaxyd.get('/api/game/galaxy/{galaxy}/system/{system}', {
    params: { path: { galaxy, system } },
    signal,
  });
  const planets = body.planets.map(({ id, owner }) => `- ${id}: ${owner === null ? 'free' : ownerText(owner)}`);
  return { text: answerOf([FOREIGN_NOTE, `System ${system} of galaxy ${galaxy}:`, ...planets]) };
}

/** The offers that anybody can take, the lowest price first, then what the player trades. */
async function marketAnswer({ galaxyd, playerId }: Session, galaxy: number, signal: AbortSignal): Promise<Answer> {
  const query = { limit: OFFERS_SHOWN_MAX };
  const { body } = await galaxyd.get('/api/market/galaxy/{galaxy}', { params: { path: { galaxy }, query }, signal });
  const own = await galaxyd.get('/api/market/player/{playerId}', { params: { path: { playerId } }, signal });
  const { offers, offersToPlayer, goods } = own.body;
  const others = body.offers.filter((offer) => offer.playerId !== playerId);
  const lines = [
    `Open offers of others in galaxy ${galaxy}:${others.length === 0 ? ' none' : ''}`,
    ...others.map(offerText),
    ...(body.nextCursor === null ? [] : ['- and more']),
    ...offersToPlayer.map((offer) => `${offerText(offer)}, to you alone`),
    ...offers.map((offer) => `${offerText(offer)}, yours`),
    ...goods.map(({ goods: { units, resource }, planetId, arrivesAt }) => {
      return `- ${units} ${resource} arrive at ${planetId} at ${arrivesAt}`;
    }),
  ];
  const isOffered = offersToPlayer.length > 0 || others.length > 0;
  const takeable = isOffered ? await takeableLines(galaxyd, playerId, galaxy, signal) : [];
  return { text: answerOf([...takeable, ...lines]) };
}

/** What the first planets of the player in a galaxy can take now. The server looks at the best offers only, so others may be possible. */
async function takeableLines(
  galaxyd: Session['galaxyd'],
  playerId: string,
  galaxy: number,
  signal: AbortSignal,
): Promise<string[]> {
  const { body } = await galaxyd.get('/api/game/state/{playerId}', { params: { path: { playerId } }, signal });
  const own = body.planets.filter(({ system }) => system.galaxyIndex === galaxy).slice(0, TAKING_PLANETS_MAX);
  const lines: string[] = [];
  for (const { id } of own) {
    const params = { path: { planetId: id } };
    const { answers = [] } = (await galaxyd.get('/api/game/options/{planetId}', { params, signal })).body;
    const offers = answers.flatMap((answer) =>
      answer.action === 'take_offer' ? [`${answer.offerId} (${answer.h2Cost} h2 for the way)`] : [],
    );
    if (offers.length > 0) lines.push(`You can take now from ${id}: ${offers.join(', ')}`);
  }
  const rest = 'Not all offers and planets were tried: the action take_offer says what is in the way of another.';
  return [...(lines.length === 0 ? ['No offer that was tried can be taken now.'] : lines), rest];
}

function offerText({ id, playerId, planetId, give, want, h2Max, until }: Shapes['Offer']): string {
  const terms = `${give.units} ${give.resource} for ${want.units} ${want.resource}`;
  return `- ${id} of ${playerId} at ${planetId}: ${terms}, h2Max ${h2Max}, until ${until}`;
}

async function galaxyAnswer(
  { galaxyd }: Session,
  galaxy: number,
  fromSystem: number,
  signal: AbortSignal,
): Promise<Answer> {
  const { body } = await galaxyd.get('/api/game/galaxy/{galaxy}', { params: { path: { galaxy } }, signal });
  const shown = body.systems.filter(({ index }) => index >= fromSystem);
  const inhabited = shown.filter(({ owners }) => owners.length > 0);
  const lines = inhabited.map(({ index, free, owners }) => {
    const who = owners.map(({ playerId, slots }) => `${playerId} at slot ${slots.join(' and ')}`);
    return `- system ${index}: ${who.join(', ')}; ${free} planets are free`;
  });
  const free = shown.reduce((sum, system) => sum + system.free, 0);
  const head =
    `Galaxy ${galaxy} from system ${fromSystem} on: ${shown.length} systems, ${inhabited.length} inhabited, ${free} free planets. ` +
    `Planet ids are planet-${galaxy}-SYSTEM-SLOT.`;
  return { text: answerOf([head, ...lines], 'call again with the next system as fromSystem') };
}

async function messagesAnswer({ galaxyd, playerId }: Session, since: string, signal: AbortSignal): Promise<Answer> {
  const params = { path: { playerId }, query: { since, limit: MESSAGES_SHOWN_MAX } };
  const { body } = await galaxyd.get('/api/message/player/{playerId}', { params, signal });
  const { messages, left, blockedPlayerIds } = body;
  const named = (id: string, name: string | null): string => {
    if (id === playerId) return 'you';
    return name === null ? id : `${id} ${foreign(name)}`;
  };
  const lines = messages.map(({ id, at, senderId, senderName, receiverId, receiverName, text }) => {
    const to = receiverId === null ? 'everybody' : named(receiverId, receiverName);
    return `- ${id} ${at} ${named(senderId, senderName)} to ${to}: ${foreignMessage(text)}`;
  });
  const more =
    messages.length < MESSAGES_SHOWN_MAX ? [] : [`Perhaps more: call look with messagesSince ${messages.at(-1)?.id}.`];
  const until = left.until === null ? '' : ` until ${left.until}`;
  return {
    text: answerOf(
      [
        FOREIGN_NOTE,
        `${messages.length} messages after ${since}:`,
        ...lines,
        ...more,
        `You may send ${left.messages} messages to players and ${left.broadcasts} to all${until}. You block ${blockedPlayerIds.join(', ') || 'nobody'}.`,
      ],
      'call look with a later messagesSince',
    ),
  };
}

export const brief: Tool<object> = {
  name: 'brief',
  title: 'Your situation',
  description:
    'Your whole situation in short: points, rank, research, fleets, newest reports and messages, and for each planet its stocks, buildings, what is in ' +
    'progress and what you can start now. Begin every turn with it.',
  input: z.strictObject({}),
  isRead: true,
  async run({ galaxyd, playerId }, _input, signal) {
    const { body } = await galaxyd.get('/api/brief/player/{playerId}', { params: { path: { playerId } }, signal });
    // What players wrote is in quotes, and stays as it is.
    const lines = String(body).trimEnd().split('\n');
    return { text: answerOf(lines.map((line) => (line.includes('"') ? line : inToolWords(line)))) };
  },
};

const ranking = z.strictObject({
  count: z.int().min(1).max(LEADERS_MAX).default(LEADERS_DEFAULT),
  name: z.string().min(1).max(NAME_LENGTH_MAX).optional().describe('Beginning of a name'),
});

export const leaderboard: Tool<z.infer<typeof ranking>> = {
  name: 'leaderboard',
  title: 'The ranking',
  description:
    'The first players by points, with where they live; with `name` those whose names begin so, whatever their rank. Points come from the ' +
    'resources in buildings and ships; `options` names the gain of each.',
  input: ranking,
  isRead: true,
  async run({ galaxyd }, { count, name }, signal) {
    if (name !== undefined) return await namedAnswer(galaxyd, name, count, signal);
    const { body } = await galaxyd.get('/api/leaderboard', { signal });
    const lines = body.players.slice(0, count).map(rankLine);
    return { text: answerOf([FOREIGN_NOTE, `${body.playerCount} players`, ...lines]) };
  },
};

/** In a large world a reply may find nobody and lead to the next one. */
async function namedAnswer(
  galaxyd: Session['galaxyd'],
  name: string,
  count: number,
  signal: AbortSignal,
): Promise<Answer> {
  const lines: string[] = [];
  let cursor: string | null = null;
  for (let requests = 0; requests < SEARCH_REQUESTS_MAX && lines.length < count; requests += 1) {
    const query: { name: string; limit: number; cursor?: string } = {
      name,
      limit: count - lines.length,
      ...(cursor === null ? {} : { cursor }),
    };
    const { body }: { body: Shapes['FoundPlayers'] } = await galaxyd.get('/api/player', { params: { query }, signal });
    lines.push(...body.players.map(rankLine));
    cursor = body.nextCursor;
    if (cursor === null) break;
  }
  const head =
    lines.length === 0
      ? 'No player was found.'
      : `${lines.length} players${cursor === null ? '' : ', and perhaps more'}`;
  return { text: answerOf([FOREIGN_NOTE, head, ...lines]) };
}

function rankLine(player: Shapes['FoundPlayers']['players'][number]): string {
  const { rank, points, planets, home } = player;
  const place = home === null ? 'no planet' : `home ${home.planetId}`;
  return `${rank ?? 'no rank yet'}. ${ownerText(player)}: ${points} points, ${planets} planets, ${place}`;
}
