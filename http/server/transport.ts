// The two HTTP servers: uWebSockets.js, and Node's own for every platform without a native build.

export type TransportKind = 'native' | 'javascript';

/** The address cannot be bound; the libraries do not always report why. */
export class CannotListen extends Error {
  override readonly name = 'CannotListen';

  constructor(host: string, port: number) {
    super(`cannot listen on ${host}:${port} (in use, or not an address of this machine)`);
  }
}

export interface Transport {
  /**
   * Binds the port exclusively; 0 selects a free one.
   *
   * @returns the port
   * @throws CannotListen
   */
  listen(host: string, port: number): Promise<number>;

  /** Stops accepting connections. Open ones continue. */
  stopListening(): void;

  /** Closes all connections, and forgets the receiver. It has stopped listening before. */
  release(): void;
}

/** Limits on connections. */
export interface ConnectionLimits {
  /** Over all clients. */
  readonly connectionsMax: number;
  /** Of one IP address; loopback addresses have no limit. */
  readonly connectionsPerAddressMax: number;
}
