// The names in the Host header of requests (RFC 9112, section 3.2). A page whose name is made to point to this machine (DNS rebinding) is of
// the same origin as the server for a browser, but sends the name of the page.
import { isLoopback } from '../admission/addresses.js';

/** Stands for every name. */
export const ANY_HOST = '*';

/** A name, an IPv4 address or an IPv6 address in brackets, in lower case and without a port. */
const NAME = /^(?:[a-z0-9._~!$&'()*+,;=%-]+|\[[0-9a-f:.]+\])$/;
const HOST = /^(?<name>.+?)(?::[0-9]{0,5})?$/;

export class HostNames {
  readonly #allowed: ReadonlySet<string> | null;
  /** Clients send the same one again and again. */
  #lastAccepted: string | null = null;

  /** @param allowed in lower case, without a port; null if every name is */
  constructor(allowed: readonly string[] | null) {
    this.#allowed = allowed === null ? null : new Set(allowed);
  }

  /** Why a request must not be answered; null if it may be. @param host the value of its Host header */
  faultOf(host: string): string | null {
    if (host === this.#lastAccepted) return null;
    const name = HOST.exec(host)?.groups?.['name']?.toLowerCase() ?? '';
    if (!NAME.test(name)) return 'The header Host is not a name or an address with or without a port.';
    if (this.#allowed !== null && !this.#allowed.has(name))
      return 'The header Host has a name that this server is not known by. Its operator can add the name with --allowed-hosts.';
    this.#lastAccepted = host;
    return null;
  }
}

/**
 * The names that a server has if nobody says which. A world that only its own machine can reach, and that asks for no key, is reached under
 * the names of that machine.
 *
 * @param host that it listens on
 * @returns null for any
 */
export function defaultHostNames(host: string, auth: 'none' | 'key'): readonly string[] | null {
  const isLocal = host === 'localhost' || isLoopback(host);
  if (auth === 'key' || !isLocal) return null;
  return ['localhost', '127.0.0.1', '[::1]', host.includes(':') ? `[${host}]` : host];
}

/** @returns null for any. @throws RangeError if a text is not a name */
export function hostNameList(texts: readonly string[]): readonly string[] | null {
  if (texts.length === 1 && texts[0] === ANY_HOST) return null;
  const names = texts.map((text) => text.toLowerCase());
  for (const name of names)
    if (!NAME.test(name)) throw new RangeError('Each name must be like play.example.org, without a port');
  return names;
}
