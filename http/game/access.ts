// Who asks, and what it may see and command. Each method that finds a fault answers the exchange.

import { sightPartners } from '../../engine/diplomacy/pacts.js';
import { OPEN_WORLD_TOPIC, WORLD_TOPIC } from '../../engine/events/kinds.js';
import { isOfOwnerOrHost } from '../../engine/fleets/support.js';
import type { PlanetKey } from '../../engine/map/universe.js';
import { isOpenTo } from '../../engine/planets/offers.js';
import { refuseForeignOffer, refuseForeignPlanet, refuseForeignPlayer } from '../../engine/planets/planets.js';
import { type Refusal, refuse } from '../../engine/terms/rejections.js';
import { partiesOf } from '../../engine/world/pact-table.js';
import type { ReadonlyPlanet, ReadonlyPlayer, ReadonlyWorld } from '../../engine/world/state.js';
import type { ReplayedWorld } from '../../persistence/history/replayed-world.js';
import type { Admission } from '../admission/admission.js';
import type { AdminKeys, PlayerKeys, SharedKey } from '../admission/identity.js';
import type { Exchange } from '../exchange/exchange.js';
import { sendProblem } from '../exchange/problems.js';
import type { Replies } from './replies.js';

/**
 * Who may ask. `public`: anybody. `player`: with --auth key, a player by its key, and for reads the operator. `spectator`: with --auth key,
 * any player, the holder of the spectator key and the operator. `observer`: the same without players. `development`: with --auth key, only
 * the operator; with --development off the path does not exist. `admin`: the operator; without an admin key the path does not exist.
 */
export type Audience = 'public' | 'player' | 'spectator' | 'observer' | 'development' | 'admin';

/** What a request names. All of it must exist, and all that is not said to belong to anybody must belong to the player whom the request acts for. */
export interface Named {
  /** The player that the body says it acts for. */
  readonly actorNumber?: number | undefined;
  /** The player of the path. */
  readonly playerNumber?: number;
  readonly planetKey?: PlanetKey;
  /** A fleet of the player whom the request acts for. */
  readonly fleetNumber?: number;
  /** A fleet of that player, or one whose target is its planet. */
  readonly hostedNumber?: number;
  /** These must exist, and may belong to anybody. */
  readonly targetKey?: PlanetKey;
  readonly otherPlayerNumber?: number | undefined;
  /** An offer that is open to the player whom the request acts for. */
  readonly offerNumber?: number;
  /** It belongs to that player, too. */
  readonly ownOfferNumber?: number;
  /** A pact or proposal of the player whom the request acts for. */
  readonly pactNumber?: number;
}

export interface AccessParts {
  readonly world: ReadonlyWorld;
  /** Whether players have keys. */
  readonly auth: 'none' | 'key';
  readonly operator: AdminKeys | null;
  /** Null if there is no key for spectators. */
  readonly spectator: SharedKey | null;
  readonly keys: PlayerKeys;
  readonly admission: Admission;
  readonly replies: Replies;
}

export class Access {
  /** Whether players are given keys. */
  readonly givesKeys: boolean;

  /** @param isOpen whether who may read anything may read everything */
  constructor(
    protected readonly parts: AccessParts,
    readonly isOpen: boolean = parts.auth === 'none',
  ) {
    this.givesKeys = parts.auth === 'key';
  }

  /** Whether a client needs a key for more than what is public. */
  get hasKeys(): boolean {
    return this.givesKeys;
  }

  /** What topic `world` means in this world. */
  get worldTopic(): number {
    return this.isOpen ? OPEN_WORLD_TOPIC : WORLD_TOPIC;
  }

  /**
   * Finds out who asks.
   *
   * @param isRead whether the request only reads
   * @returns false if that is not enough for the audience of a path; the exchange is answered then
   */
  identifies(exchange: Exchange, audience: Audience, isRead: boolean): boolean {
    if (audience === 'public') return true;
    if (audience !== 'admin' && !this.hasKeys) return true;
    if (audience !== 'player' && this.isOperator(exchange)) return isRead || this.#mayChange(exchange);
    const isForSpectators = audience === 'spectator' || audience === 'observer';
    if (isForSpectators && this.parts.spectator?.isKeyOf(exchange)) return true;
    if (audience === 'admin') {
      this.parts.replies.refuse(exchange, 'unauthenticated', NO_OPERATOR);
      return false;
    }
    const known = this.parts.keys.find(exchange);
    const isValid = known !== null && known.state !== 'expired';
    if (isValid) exchange.callerNumber = known.playerNumber;
    if (isValid && (audience === 'player' || audience === 'spectator')) return true;
    if (audience === 'player' && isRead && this.isOperator(exchange)) {
      exchange.readsForOperator = true;
      return true;
    }
    if (isValid) this.parts.replies.refuse(exchange, 'forbidden');
    // Only a client that once had the key can send it, so this detail reveals nothing.
    else this.parts.replies.refuse(exchange, 'unauthenticated', known === null ? {} : EXPIRED);
    return false;
  }

  /** The holder of the key that a WebSocket is used with: a player's number, 0 for the operator or a spectator; null if it is not valid. */
  socketHolder(exchange: Exchange): number | null {
    const playerNumber = this.parts.keys.playerNumber(exchange);
    if (playerNumber > 0) return playerNumber;
    return this.isShared(exchange) ? 0 : null;
  }

  /**
   * Why a reader of the events of a player or a topic may no longer read them: its key is no longer valid, or the player was retired.
   * Null if it may.
   */
  faultOfReader(exchange: Exchange, receiver: number): 'unauthenticated' | 'player_not_found' | null {
    if (receiver > 0 && !this.parts.world.players.has(receiver)) return 'player_not_found';
    if (!this.hasKeys) return null;
    if ((this.isOpen || receiver <= 0) && this.isShared(exchange)) return null;
    const holder = this.parts.keys.playerNumber(exchange);
    if (holder === 0 ? this.isOperator(exchange) : receiver <= 0 || holder === receiver) return null;
    return 'unauthenticated';
  }

  /** Whether a viewer of the map may still see it: a replay may have come to players who have keys. */
  mayStillObserve(exchange: Exchange): boolean {
    return !this.hasKeys || this.isShared(exchange);
  }

  /** The player whose key a request carries; 0 if it carries none, or players have none. */
  keyHolder(exchange: Exchange): number {
    return this.hasKeys ? this.parts.keys.playerNumber(exchange) : 0;
  }

  /**
   * Whether the caller may change its own keys: not with a key that has been replaced, since somebody who has found an old key could
   * take the player over with it. The exchange is answered if not.
   */
  mayChangeKeys(exchange: Exchange): boolean {
    if (this.parts.keys.find(exchange)?.state === 'current') return true;
    this.parts.replies.refuse(exchange, 'forbidden', { detail: 'A key that has been replaced cannot change keys.' });
    return false;
  }

  /** False if the client has created as many players as its address may for now; the exchange is answered then. */
  admitsRegistration(exchange: Exchange): boolean {
    const retryAfterMs = this.parts.admission.takeRegistration(exchange);
    if (retryAfterMs === 0) return true;
    sendProblem(exchange, 'rate_limited', {
      detail: 'This address has created as many players as it may for now.',
      limit: { name: 'registrations', maximum: this.parts.admission.registrationsPerMinute },
      retryAfterMs,
    });
    return false;
  }

  /** True if the caller may see and command what is this player's; always, in the open mode and where the operator reads. */
  isOwn(exchange: Exchange, owner: ReadonlyPlayer | undefined): boolean {
    return this.isOpen || exchange.readsForOperator || (owner !== undefined && owner.number === exchange.callerNumber);
  }

  /** A player that the caller may look into. @returns null if there is none or it is another; the exchange is answered then */
  ownPlayer(exchange: Exchange, number: number): ReadonlyPlayer | null {
    const player = this.parts.world.players.get(number);
    if (player !== undefined && this.isOwn(exchange, player)) return player;
    if (player === undefined) this.parts.replies.refuse(exchange, 'player_not_found');
    else this.parts.replies.refuseAs(exchange, refuseForeignPlayer(this.parts.world, number, exchange.callerNumber));
    return null;
  }

  /**
   * A planet that the caller may look into.
   *
   * @returns undefined if nobody owns it; null if there is none or it is foreign: the exchange is answered then
   */
  ownPlanet(exchange: Exchange, key: PlanetKey): ReadonlyPlanet | undefined | null {
    if (!this.parts.world.universe.holds(key)) {
      this.parts.replies.refuse(exchange, 'planet_not_found');
      return null;
    }
    return this.authorizes(exchange, { planetKey: key }) ? this.parts.world.planets.get(key) : null;
  }

  /** The same, or a planet of a player who shares its sight with the caller. */
  seeingPlanet(exchange: Exchange, key: PlanetKey): ReadonlyPlanet | undefined | null {
    const planet = this.parts.world.planets.get(key);
    const isShared =
      planet !== undefined && sightPartners(this.parts.world, exchange.callerNumber).includes(planet.ownerNumber);
    return isShared ? planet : this.ownPlanet(exchange, key);
  }

  /**
   * Whether everything that a request names exists and belongs to whom it acts for, before anything of it shows. In the open mode
   * that is the player it says it acts for; if it says none, the engine alone decides. The operator may read what it names.
   *
   * @returns false if not; the exchange is answered then
   */
  authorizes(exchange: Exchange, named: Named): boolean {
    const actorNumber = this.isOpen || exchange.readsForOperator ? named.actorNumber : exchange.callerNumber;
    if (actorNumber === undefined) return true;
    const fault = this.#missing(named, actorNumber) ?? this.#foreign(named, actorNumber);
    if (fault === null) return true;
    this.parts.replies.refuseAs(exchange, fault);
    return false;
  }

  /** Whether a request carries the key of the operator or that of spectators. */
  protected isShared(exchange: Exchange): boolean {
    return this.isOperator(exchange) || this.parts.spectator?.isKeyOf(exchange) === true;
  }

  /** Whether a request carries the key of an operator, whose name it has from then on. */
  protected isOperator(exchange: Exchange): boolean {
    const key = this.parts.operator?.find(exchange) ?? null;
    exchange.operatorName = key?.name ?? '';
    return key !== null;
  }

  /** False if a request that is more than a read comes with a key that may only read; the exchange is answered then. */
  #mayChange(exchange: Exchange): boolean {
    if (this.parts.operator?.find(exchange)?.kind !== 'read') return true;
    this.parts.replies.refuse(exchange, 'admin_key_is_read_only');
    return false;
  }

  #missing(named: Named, ownerNumber: number): Refusal | null {
    const {
      actorNumber,
      playerNumber,
      otherPlayerNumber,
      planetKey,
      targetKey,
      fleetNumber,
      hostedNumber,
      pactNumber,
    } = named;
    const { players, universe, fleets, pacts, offers, rules } = this.parts.world;
    if (actorNumber !== undefined && !players.has(actorNumber)) return refuse('player_not_found');
    if (playerNumber !== undefined && !players.has(playerNumber)) return refuse('player_not_found');
    if (otherPlayerNumber !== undefined && !players.has(otherPlayerNumber)) return refuse('player_not_found');
    if (planetKey !== undefined && !universe.holds(planetKey)) return refuse('planet_not_found');
    if (targetKey !== undefined && !universe.holds(targetKey)) return refuse('planet_not_found');
    const fleet = fleetNumber === undefined ? null : fleets.get(fleetNumber);
    if (fleet === undefined || (fleet !== null && fleet.ownerNumber !== ownerNumber)) return refuse('fleet_not_found');
    const guest = hostedNumber === undefined ? null : fleets.get(hostedNumber);
    if (guest === undefined || (guest !== null && !isOfOwnerOrHost(this.parts.world, guest, ownerNumber)))
      return refuse('fleet_not_found');
    const pact = pactNumber === undefined ? null : pacts.get(pactNumber);
    if (pact === undefined || (pact !== null && !partiesOf(pact).includes(ownerNumber)))
      return refuse('pact_not_found');
    if (named.offerNumber === undefined || rules.market === null) return null;
    const offer = offers.get(named.offerNumber);
    return offer !== undefined && isOpenTo(offer, ownerNumber) ? null : refuse('offer_not_found');
  }

  #foreign({ actorNumber, playerNumber, planetKey, ownOfferNumber }: Named, ownerNumber: number): Refusal | null {
    const { world } = this.parts;
    if (actorNumber !== undefined && actorNumber !== ownerNumber)
      return refuseForeignPlayer(world, actorNumber, ownerNumber);
    if (playerNumber !== undefined && playerNumber !== ownerNumber)
      return refuseForeignPlayer(world, playerNumber, ownerNumber);
    if (planetKey !== undefined && world.planets.get(planetKey)?.ownerNumber !== ownerNumber)
      return refuseForeignPlanet(world, planetKey, ownerNumber);
    const ownOffer = ownOfferNumber === undefined ? undefined : world.offers.get(ownOfferNumber);
    if (ownOffer !== undefined && ownOffer.ownerNumber !== ownerNumber)
      return refuseForeignOffer(world, ownOffer.number, ownerNumber);
    return null;
  }
}

const NO_OPERATOR = {
  detail: 'The key of an operator is required.',
  remedy: 'Send the header Authorization: Bearer KEY, with a key of galaxyd serve --admin-key or --admin-keys.',
};

const EXPIRED = {
  detail: 'The key has expired, or was replaced.',
  remedy: 'Send the key that replaced it, or ask the operator for a new one.',
};

/** Who may look at a replay. Keys of its players are not looked at: they may have been replaced since. */
export class ReplayAccess extends Access {
  constructor(
    parts: AccessParts,
    private readonly replay: Pick<ReplayedWorld, 'hasKeys'>,
  ) {
    super(parts, true);
  }

  /** A replay that has the operator's key asks for it; one without shows nothing of a world whose players have keys. */
  override get hasKeys(): boolean {
    return this.parts.operator !== null || this.replay.hasKeys;
  }

  override identifies(exchange: Exchange, audience: Audience): boolean {
    if (audience === 'public' || (audience !== 'admin' && !this.hasKeys)) return true;
    if (this.isOperator(exchange)) return true;
    this.parts.replies.refuse(exchange, 'unauthenticated');
    return false;
  }

  override socketHolder(exchange: Exchange): number | null {
    return this.isShared(exchange) ? 0 : null;
  }
}
