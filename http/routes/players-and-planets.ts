// Players, planets and the galaxy (specification, sections 7 and 8).

import { existingPlayer } from '../../engine/players/players.js';
import { SYSTEMS_PER_GALAXY_MAX } from '../../engine/rules/limits.js';
import { parsePlanetId, parsePlayerId } from '../../engine/terms/ids.js';
import { Type } from '../../persistence/typebox.js';
import { newApiKey } from '../admission/identity.js';
import { nameKey } from '../checks/player-names.js';
import type { GamePorts, Restrictions } from '../game/game-ports.js';
import { INLINE_PLANETS_MAX } from '../limits.js';
import { commandRoute, type HandledRoute, readRoute, writeRoute } from '../pipeline/route.js';
import { PlanetTaken, PlayerCreated } from '../schemas/minimal.js';
import { GalaxyOverview, Planet, PlanetView, SystemView } from '../schemas/planet.js';
import { CreatedPlayer, Player } from '../schemas/player.js';
import { ColonizeRequest, CreatePlayerRequest, SecondStarterRequest } from '../schemas/requests.js';
import { planetVersion } from '../views/planet-view.js';
import {
  answerState,
  GALAXY_PARAMETER,
  PLANET_PARAMETER,
  PLAYER_PARAMETER,
  planetReply,
  playerNumberOf,
  playerOfBody,
  playerOfName,
  playerOfPath,
} from './route-parts.js';

const getState = readRoute({
  operationId: 'getState',
  path: '/api/game/state/:playerId',
  tag: 'game',
  summary: 'Returns a player with all planets, fleets and research.',
  description: 'Stocks are those at the world time of the reply. All running timers are shown with their ends.',
  access: 'player',
  parameters: [PLAYER_PARAMETER],
  replies: [{ status: 200, description: 'The player.', schema: Player }],
  errors: ['not_owner', 'player_not_found'],
  handle(ports, exchange) {
    const player = ports.access.ownPlayer(exchange, parsePlayerId(ports.world, exchange.parameters[0] as string));
    if (
      player === null ||
      ports.replies.answersWithoutBody(exchange, player.changedSeq, ports.views.states.tag(player))
    )
      return;
    answerState(ports, exchange, player);
  },
});

const getGalaxy = readRoute({
  operationId: 'getGalaxy',
  path: '/api/game/galaxy/:galaxy',
  tag: 'game',
  summary: 'Returns an overview of a galaxy: for each system, who owns planets and which are free.',
  description: 'The planet in slot 4 of system 7 of galaxy 1 is `planet-1-7-4`.',
  access: 'public',
  cost: 20,
  parameters: [GALAXY_PARAMETER],
  replies: [{ status: 200, description: 'The overview.', schema: GalaxyOverview }],
  isHeavy: true,
  handle({ replies, views }, exchange) {
    const { text, changedSeq, tag } = views.galaxies.text(Number(exchange.parameters[0]));
    if (!replies.answersWithoutBody(exchange, changedSeq, tag)) replies.answer(exchange, changedSeq, text);
  },
});

const getSystem = readRoute({
  operationId: 'getSystem',
  path: '/api/game/galaxy/:galaxy/system/:system',
  tag: 'game',
  summary: 'Returns a star system with all of its planets.',
  description: 'Each planet is shown with its owner, but without stocks, buildings and ships.',
  access: 'public',
  parameters: [
    GALAXY_PARAMETER,
    {
      name: 'system',
      description: 'System index within the galaxy.',
      minimum: 0,
      maximum: SYSTEMS_PER_GALAXY_MAX,
    },
  ],
  replies: [{ status: 200, description: 'The system.', schema: SystemView }],
  errors: ['system_not_found'],
  handle({ world, replies, views }, exchange) {
    const galaxy = Number(exchange.parameters[0]);
    const system = Number(exchange.parameters[1]);
    if (!world.universe.hasSystem(galaxy, system)) replies.refuse(exchange, 'system_not_found');
    else if (!exchange.wantsBody) replies.answerLatest(exchange, '');
    else {
      const { bytes, changedSeq, tag } = views.systems.text(galaxy, system);
      if (!replies.answersWithoutBody(exchange, changedSeq, tag)) replies.answer(exchange, changedSeq, bytes);
    }
  },
});

const getPlanet = readRoute({
  operationId: 'getPlanet',
  path: '/api/game/planet/:planetId',
  tag: 'game',
  summary: 'Returns a planet with buildings, ships and owner.',
  description:
    'A planet that nobody owns has no stocks, buildings or ships. With --auth key, a planet that is not the ' +
    "caller's own is shown as in the system view. The operator sees all of it.",
  access: 'player',
  parameters: [PLANET_PARAMETER],
  replies: [{ status: 200, description: 'The planet.', schema: PlanetView }],
  errors: ['planet_not_found'],
  handle({ world, time, access, replies, views }, exchange) {
    const key = parsePlanetId(world.universe, exchange.parameters[0] as string);
    if (key < 0) {
      replies.refuse(exchange, 'planet_not_found');
      return;
    }
    const planet = world.planets.get(key);
    const isOwn = access.isOwn(exchange, planet?.owner);
    // Only the owner of another player's planet is shown, and not even how often the planet has changed.
    const { removedSeq } = world.planets;
    const version = planet === undefined || isOwn ? planetVersion(planet) : `owner-${planet.ownerNumber}-${removedSeq}`;
    const seq = planet?.changedSeq ?? world.planets.removedSeq;
    if (replies.answersWithoutBody(exchange, seq, replies.tagOf(version))) return;
    if (!isOwn) replies.answer(exchange, seq, views.planets.summaryText(key, planet?.owner));
    else if (planet === undefined) replies.answer(exchange, seq, views.planets.unownedText(key));
    else replies.answer(exchange, seq, views.planets.text(planet, time.nowMs));
  },
});

const getPlanets = readRoute({
  operationId: 'getPlanets',
  path: '/api/game/planets/:playerId',
  tag: 'game',
  summary: 'Returns all planets of a player with full details.',
  description: 'They are the same as in the state of the player.',
  access: 'player',
  cost: 3,
  parameters: [PLAYER_PARAMETER],
  replies: [
    {
      status: 200,
      description: 'The planets, in the order in which the player took them.',
      schema: Type.Array(Planet),
    },
  ],
  errors: ['not_owner', 'player_not_found'],
  handle({ world, time, access, replies, views }, exchange) {
    const player = access.ownPlayer(exchange, parsePlayerId(world, exchange.parameters[0] as string));
    if (player === null) return;
    const { number } = player;
    const answer = (): true => {
      // It may have been retired while the request waited for its turn.
      const player = world.players.get(number);
      if (player === undefined) replies.refuse(exchange, 'player_not_found');
      else if (!replies.answersWithoutBody(exchange, player.changedSeq, views.states.tag(player))) {
        replies.answer(exchange, player.changedSeq, views.planets.listText(player.planets, time.nowMs));
      }
      return true;
    };
    if (player.planets.length <= INLINE_PLANETS_MAX) answer();
    else replies.answerInTurns(exchange, answer);
  },
});

interface RegistrationPorts extends GamePorts {
  readonly restrictions: Pick<Restrictions, 'isRegistrationClosed'>;
}

const createPlayer = writeRoute({
  operationId: 'createPlayer',
  path: '/api/game/player',
  tag: 'game',
  summary: 'Creates the one human player or a bot, or returns the existing one.',
  description:
    'There is one human player: it is created once, and then returned whatever the name. Bots are distinguished by name; ' +
    'one that looks like the name of another player is refused with 409. ' +
    "With --auth key the reply to a creation holds the player's API key, and an existing player is returned " +
    'only to its own key. With --registration closed only the operator creates players.',
  access: 'public',
  isReplySecret: true,
  minimal: PlayerCreated,
  actor: playerOfName,
  body: { schema: CreatePlayerRequest },
  replies: [
    {
      status: 201,
      description: 'The new player, with its starter planet.',
      schema: CreatedPlayer,
    },
    { status: 200, description: 'The existing player.', schema: Player },
  ],
  errors: ['unauthenticated', 'registration_closed', 'name_taken', 'universe_full', 'rate_limited'],
  handle(ports: RegistrationPorts, exchange, { name, isBot = false }) {
    const { access, commands, replies, views, time, restrictions, world } = ports;
    const named = { name, nameKey: nameKey(name), isBot };
    const existing = existingPlayer(world, named);
    if (existing !== undefined) {
      exchange.callerNumber = access.keyHolder(exchange);
      if (access.isOwn(exchange, existing)) {
        if (exchange.isMinimal) replies.answerMinimal(exchange, views.minimal.player(existing, null));
        else if (!replies.answersWithoutBody(exchange, existing.changedSeq)) answerState(ports, exchange, existing);
      } else replies.refuse(exchange, 'unauthenticated', isBot ? TAKEN_NAME : TAKEN_HUMAN);
      return;
    }
    if (restrictions.isRegistrationClosed) {
      replies.refuse(exchange, 'registration_closed');
      return;
    }
    if (!access.admitsRegistration(exchange)) return;
    const apiKey = access.givesKeys ? newApiKey() : null;
    const player = commands.submit(exchange, { type: 'create_player', ...named, keyHash: apiKey?.hash ?? null });
    if (player === null) return;
    if (exchange.isMinimal) {
      replies.answerMinimal(exchange, views.minimal.player(player, apiKey?.key ?? null), 201);
      return;
    }
    replies.answerLatest(exchange, views.states.created(player, time.nowMs, apiKey?.key ?? null), 201);
  },
});

const createSecondStarter = commandRoute({
  operationId: 'createSecondStarter',
  path: '/api/game/planet/starter/:playerId',
  tag: 'game',
  summary: 'Gives a player its second starter planet.',
  description:
    'It has the stock and the buildings of a first one. The rules limit how many starter planets a player may have.',
  access: 'player',
  parameters: [PLAYER_PARAMETER],
  actor: playerOfPath,
  body: { schema: SecondStarterRequest, isOptional: true },
  replies: [{ status: 201, description: 'The new planet.', schema: Planet }],
  errors: ['not_owner', 'player_not_found', 'starter_limit_reached', 'universe_full'],
  command({ world, access }, exchange, { playerId }) {
    const playerNumber = parsePlayerId(world, exchange.parameters[0] as string);
    const actorNumber = playerNumberOf(world, playerId);
    return access.authorizes(exchange, { actorNumber, playerNumber })
      ? { type: 'create_second_starter', playerNumber }
      : null;
  },
  reply: (ports, planet) => planetReply(ports, planet),
  minimal: { schema: PlanetTaken, reply: ({ views, time }, planet) => views.minimal.planet(planet, time.nowMs) },
});

const colonizePlanet = commandRoute({
  operationId: 'colonizePlanet',
  path: '/api/game/planet/:planetId/colonize',
  tag: 'game',
  summary: 'Takes an unoccupied planet without a fleet, for development.',
  description:
    'The path exists only with --development on, which is the default without --auth key; `GET /api/status` shows it. With ' +
    '--auth key the admin key is required.',
  access: 'development',
  parameters: [PLANET_PARAMETER],
  actor: playerOfBody,
  body: { schema: ColonizeRequest },
  replies: [{ status: 201, description: 'The planet, now with an owner.', schema: Planet }],
  errors: ['player_not_found', 'planet_not_found', 'planet_occupied', 'limit_reached'],
  command({ world }, exchange, { playerId }) {
    const planetKey = parsePlanetId(world.universe, exchange.parameters[0] as string);
    return { type: 'colonize_planet', playerNumber: parsePlayerId(world, playerId), planetKey };
  },
  reply: (ports, planet) => planetReply(ports, planet),
  minimal: { schema: PlanetTaken, reply: ({ views, time }, planet) => views.minimal.planet(planet, time.nowMs) },
});

export const PLAYER_AND_PLANET_ROUTES: readonly HandledRoute<RegistrationPorts>[] = [
  createPlayer,
  getState,
  getPlanets,
  getPlanet,
  getSystem,
  getGalaxy,
  createSecondStarter,
  colonizePlanet,
];

/** Somebody without its key asks for the one human player. */
const TAKEN_HUMAN = {
  detail: 'The one human player of this world exists, and only its own key returns it.',
  remedy: 'Add "isBot": true to create a player of your own, or send its key: Authorization: Bearer KEY.',
};

const TAKEN_NAME = {
  detail: 'A bot of this name exists, and only its own key returns it.',
  remedy: 'Choose another name, or send its key: Authorization: Bearer KEY.',
};
