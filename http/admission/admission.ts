// Finds the client of a request, counts what it sends, and limits it: its share of memory, its turns, its requests, and how many players an
// address may create. Identity and the rules of the game decide whether a request is allowed.
import { BlockList, isIP } from 'node:net';
import type { Exchange } from '../exchange/exchange.js';
import { sendProblem } from '../exchange/problems.js';
import { CHECKED_ADDRESSES_MAX, RATE_LIMITED_CLIENTS_MAX } from '../limits.js';
import type { AddressBlocks } from './address-blocks.js';
import { networkOf, plainAddress } from './addresses.js';
import { ClientTraffic } from './client-traffic.js';
import type { AdminKeys, PlayerKeys } from './identity.js';
import type { Owner } from './owners.js';
import { kindOf, RequestLimits, type RequestRate } from './request-limits.js';
import { type BucketLevel, TokenBuckets } from './token-buckets.js';

/** Where a request comes from. */
export type ClientPlace = Pick<Exchange, 'peerAddress' | 'forwardedFor'>;

export interface AdmissionSettings {
  /** Players that one address may create per minute; 0 for any number. */
  readonly registrationsPerMinute: number;
  /** Networks in CIDR notation whose X-Forwarded-For is trusted. */
  readonly trustedProxies: readonly string[];
  /** Rate of each player and each address; null if requests are not limited. */
  readonly rateLimits: RequestRate | null;
  /** Told once of an address that names clients in X-Forwarded-For and is not trusted: they all count as one. */
  readonly onUntrustedProxy?: (address: string) => void;
  /** Addresses from which nothing is taken; none by default. */
  readonly blocks?: Pick<AddressBlocks, 'isEmpty' | 'untilMsOf'>;
}

/** Whose keys are known. */
export interface KnownKeys {
  /** Null if players have none. */
  readonly players: PlayerKeys | null;
  /** Null if there is no operator. */
  readonly operator: AdminKeys | null;
}

/** The buckets of a client; null if they do not exist. */
export interface ClientLevels {
  /** Whether requests are counted for the player whose key was sent, or for the client's address. */
  readonly countedBy: 'player' | 'address';
  readonly requests: BucketLevel | null;
  readonly registrations: BucketLevel | null;
}

const MS_PER_MINUTE = 60_000;

export class Admission {
  readonly registrationsPerMinute: number;
  readonly traffic: ClientTraffic;
  readonly #trustedProxies: BlockList;
  /** Whether addresses that were checked lately are trusted proxies. */
  readonly #trust = new Map<string, boolean>();
  readonly #registrations: TokenBuckets<string> | null;
  /** Null if requests are not limited. */
  readonly #requests: RequestLimits | null;
  #onUntrustedProxy: ((address: string) => void) | null;
  readonly #blocks: AdmissionSettings['blocks'];

  constructor(
    private readonly keys: KnownKeys,
    { registrationsPerMinute, trustedProxies, rateLimits, onUntrustedProxy, blocks }: AdmissionSettings,
    private readonly nowMs: () => number = () => performance.now(),
  ) {
    this.traffic = new ClientTraffic(nowMs());
    this.registrationsPerMinute = registrationsPerMinute;
    this.#trustedProxies = proxyList(trustedProxies);
    this.#onUntrustedProxy = onUntrustedProxy ?? null;
    this.#blocks = blocks;
    this.#requests = rateLimits === null ? null : new RequestLimits(rateLimits, nowMs);
    this.#registrations =
      registrationsPerMinute === 0
        ? null
        : new TokenBuckets({
            capacity: registrationsPerMinute,
            refillMs: MS_PER_MINUTE / registrationsPerMinute,
            clientsMax: RATE_LIMITED_CLIENTS_MAX,
            nowMs,
          });
  }

  /** The player whose API key was sent, else the client's address or IPv6 network. */
  ownerOf(exchange: Exchange): Owner {
    return this.#holderOf(exchange) || this.networkOf(exchange);
  }

  /** The client's address, or its IPv6 network. */
  networkOf(exchange: Exchange): string {
    if (exchange.network === '') exchange.network = networkOf(this.clientAddress(exchange));
    return exchange.network;
  }

  /**
   * Counts a request that is about to be answered, or whose client is gone.
   *
   * @param bytesIn of its body or frame
   * @param bytesOut of its reply
   */
  answered(exchange: Exchange, bytesIn: number, bytesOut: number): void {
    const weight = this.traffic.weightAt(exchange.arrivedAtMs);
    if (weight === 0) return;
    const network = this.networkOf(exchange);
    // The connection was closed before anybody asked for its address.
    if (network === '') return;
    const playerNumber = exchange.holderNumber < 0 ? this.#holderOf(exchange) : exchange.holderNumber;
    const { arrivedAtMs, commandCount: commands, status } = exchange;
    this.traffic.answered(network, playerNumber, { status, commands, bytesIn, bytesOut, weight }, arrivedAtMs);
  }

  /** A stream of events to the client of a request is opened, or closed. */
  opened(exchange: Exchange, change: 1 | -1): void {
    this.traffic.opened(this.networkOf(exchange), change);
    if (exchange.holderNumber > 0) this.traffic.opened(exchange.holderNumber, change);
  }

  /** Counts events that are sent to the client of a request. */
  sent(exchange: Exchange, bytes: number): void {
    this.traffic.sent(this.networkOf(exchange), Math.max(0, exchange.holderNumber), bytes, this.nowMs());
  }

  /**
   * Takes the cost of a request from the rate limit of its client: of its player, or of its address if it brings no valid
   * key. An operator pays nothing, but keys are compared only while its address has tokens left, so that guesses are
   * limited.
   *
   * @param cost 0 only shows what is left
   * @returns false if there is not enough; the exchange is answered then
   */
  admits(exchange: Exchange, cost: number): boolean {
    if (this.#blocks?.isEmpty === false && this.isBlocked(exchange)) {
      exchange.closesConnection = true;
      sendProblem(exchange, 'address_blocked');
      return false;
    }
    const requests = this.#requests;
    if (requests === null) return true;
    const playerNumber = this.#holderOf(exchange);
    if (playerNumber > 0) return requests.admits(exchange, playerNumber, cost);
    const network = this.networkOf(exchange);
    const isCompared = cost > 0 && exchange.authorization !== '' && requests.look(network).left > 0;
    const isOperator = isCompared && (this.keys.operator?.find(exchange) ?? null) !== null;
    return requests.admits(exchange, network, isOperator ? 0 : cost);
  }

  /** Whether the operator has blocked the address of a client. */
  isBlocked(client: ClientPlace): boolean {
    return this.#blocks !== undefined && this.#blocks.untilMsOf(this.clientAddress(client)) !== null;
  }

  /** The address of the client, behind the trusted proxies that the request came through. */
  clientAddress({ peerAddress, forwardedFor }: ClientPlace): string {
    if (forwardedFor === '') return peerAddress;
    if (this.#onUntrustedProxy !== null && !this.#isTrusted(peerAddress)) {
      this.#onUntrustedProxy(peerAddress);
      this.#onUntrustedProxy = null;
    }
    const hops = forwardedFor.split(',');
    let address = peerAddress;
    // Each proxy appends the address of its own client; the first from the right that is not a trusted proxy is the
    // client.
    while (this.#isTrusted(address)) {
      const hop = plainAddress(hops.pop()?.trim() ?? '');
      if (!this.#trust.has(hop) && isIP(hop) === 0) break;
      address = hop;
    }
    return address;
  }

  /**
   * Takes a registration from the rate limit of a client.
   *
   * @returns 0 if it may create a player now, else the milliseconds until it may
   */
  takeRegistration(exchange: Exchange): number {
    return this.#registrations?.take(this.networkOf(exchange)).waitMs ?? 0;
  }

  /** What the client of a request may still do; null for what is not limited. */
  levelsOf(exchange: Exchange): ClientLevels {
    const owner = this.ownerOf(exchange);
    const requests = this.#requests?.look(owner);
    const registrations = this.#registrations?.take(this.networkOf(exchange), 0);
    return {
      countedBy: kindOf(owner),
      requests: requests === undefined ? null : { ...requests },
      registrations: registrations === undefined ? null : { ...registrations },
    };
  }

  /** Number of the player whose valid key a request carries; 0 for none. */
  #holderOf(exchange: Exchange): number {
    const number = this.keys.players?.playerNumber(exchange) ?? 0;
    exchange.holderNumber = number;
    return number;
  }

  /** A check of the list takes longer than a read of the game, so the latest addresses are remembered. */
  #isTrusted(address: string): boolean {
    const known = this.#trust.get(address);
    if (known !== undefined) return known;
    const version = isIP(address);
    if (version === 0) return false;
    const isTrusted = this.#trustedProxies.check(address, version === 4 ? 'ipv4' : 'ipv6');
    if (this.#trust.size >= CHECKED_ADDRESSES_MAX) this.#trust.clear();
    this.#trust.set(address, isTrusted);
    return isTrusted;
  }
}

/** A network in CIDR notation, or one address. */
const NETWORK = /^([^/]+)(?:\/(\d{1,3}))?$/;

/** @throws RangeError naming the text that is not a network */
export function proxyList(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [, address = '', bits] = NETWORK.exec(network) ?? [];
    const version = isIP(address);
    const bitsMax = version === 4 ? 32 : 128;
    const prefix = bits === undefined ? bitsMax : Number(bits);
    if (version === 0 || prefix > bitsMax) throw new RangeError(`${network} is not a network such as 10.0.0.0/8`);
    list.addSubnet(address, prefix, version === 4 ? 'ipv4' : 'ipv6');
  }
  return list;
}
