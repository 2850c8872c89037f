// The two transports that a server can be started with. Only this file knows how one is chosen.

import { isCurrentRelease } from '../support/native-release.js';

export interface Transport {
  /** Flags of `galaxyd serve`. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /**
   * Statuses of the transport itself, which come without a body of the game and before any route: its replies to bytes
   * that are not a request, and 100 (Continue).
   */
  readonly ownStatuses: ReadonlySet<number>;
  /** The body of such a reply that is not empty. */
  readonly ownPage: RegExp;
}

const NO_PAGES = { ownStatuses: new Set([100]), ownPage: /(?!)/ };
/** Current releases of uWebSockets.js refuse what is not a request with a page of HTML. */
const PAGES = { ownStatuses: new Set([100, 400, 431, 505]), ownPage: /^<h1>.*<i>uWebSockets\/20 Server<\/i>$/ };

export const TRANSPORTS = {
  native: { args: ['--transport', 'native'], env: {}, ...(isCurrentRelease ? PAGES : NO_PAGES) },
  javascript: { args: ['--transport', 'javascript'], env: {}, ...NO_PAGES },
} as const satisfies Readonly<Record<string, Transport>>;

export type TransportName = keyof typeof TRANSPORTS;
export const TRANSPORT_NAMES = Object.keys(TRANSPORTS) as readonly TransportName[];

export type AuthKind = 'none' | 'key';
export const AUTH_KINDS: readonly AuthKind[] = ['none', 'key'];
