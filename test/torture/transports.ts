// The two transports that a server can be started with. Only this file knows how one is chosen.

export interface Transport {
  /** Flags of `galaxyd serve`. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /**
   * Statuses of the transport itself, which come without a body of the game and before any route: its replies to bytes
   * that are not a request, and 100 (Continue).
   */
  readonly ownStatuses: ReadonlySet<number>;
}

export const TRANSPORTS = {
  native: { args: ['--transport', 'native'], env: {}, ownStatuses: new Set([100]) },
  javascript: { args: ['--transport', 'javascript'], env: {}, ownStatuses: new Set([100]) },
} as const satisfies Readonly<Record<string, Transport>>;

export type TransportName = keyof typeof TRANSPORTS;
export const TRANSPORT_NAMES = Object.keys(TRANSPORTS) as readonly TransportName[];

export type AuthKind = 'none' | 'key';
export const AUTH_KINDS: readonly AuthKind[] = ['none', 'key'];
