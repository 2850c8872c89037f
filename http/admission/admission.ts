// Finds the client of a request and limits it: its share of memory, its turns, and how many players an address may
// create. Identity and the rules of the game decide whether a request is allowed.
import { BlockList, isIP } from 'node:net';
import type { Exchange } from '../exchange/exchange.js';
import { RATE_LIMITED_CLIENTS_MAX } from '../limits.js';
import type { Owner } from '../transport/body-budget.js';
import type { Gatekeeper } from '../transport/receiver.js';
import { networkOf, plainAddress } from './addresses.js';
import type { PlayerKeys } from './identity.js';
import { TokenBuckets } from './token-buckets.js';

export interface AdmissionSettings {
  /** Players that one address may create per minute; 0 for any number. */
  readonly registrationsPerMinute: number;
  /** Networks in CIDR notation whose X-Forwarded-For is trusted. */
  readonly trustedProxies: readonly string[];
}

const MS_PER_MINUTE = 60_000;

export class Admission implements Gatekeeper {
  readonly #trustedProxies: BlockList;
  readonly #registrations: TokenBuckets | null;

  /** @param keys null if players have none */
  constructor(
    private readonly keys: PlayerKeys | null,
    { registrationsPerMinute, trustedProxies }: AdmissionSettings,
    nowMs: () => number = () => performance.now(),
  ) {
    this.#trustedProxies = proxyList(trustedProxies);
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
    const playerNumber = this.keys?.playerNumber(exchange) ?? 0;
    return playerNumber > 0 ? playerNumber : networkOf(this.clientAddress(exchange));
  }

  /** The address of the client, behind the trusted proxies that the request came through. */
  clientAddress({ peerAddress, forwardedFor }: Exchange): string {
    if (forwardedFor === '') return peerAddress;
    const hops = forwardedFor.split(',');
    let address = peerAddress;
    // Each proxy appends the address of its own client; the first from the right that is not a trusted proxy is the
    // client.
    while (this.#isTrusted(address)) {
      const hop = plainAddress(hops.pop()?.trim() ?? '');
      if (isIP(hop) === 0) break;
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
    return this.#registrations?.take(networkOf(this.clientAddress(exchange))) ?? 0;
  }

  #isTrusted(address: string): boolean {
    const version = isIP(address);
    return version !== 0 && this.#trustedProxies.check(address, version === 4 ? 'ipv4' : 'ipv6');
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
