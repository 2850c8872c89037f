// The two ways in which requests come: uWebSockets.js, and Node's own HTTP server for every platform without a native build.

export type TransportKind = 'native' | 'javascript';

/** The address cannot be had; the libraries do not always tell why. */
export class CannotListen extends Error {
  override readonly name = 'CannotListen';

  constructor(host: string, port: number) {
    super(`cannot listen on ${host}:${port} (in use, or not an address of this machine)`);
  }
}

export interface Transport {
  /**
   * Binds the port for this process alone; 0 takes a free one.
   *
   * @returns the port
   * @throws CannotListen
   */
  listen(host: string, port: number): Promise<number>;

  /** Takes no further connections. Those that are open go on. */
  stopListening(): void;

  /** Connections that are open; the native one knows only about how many. */
  readonly connectionCount: number;
}

/** Bounds on connections. */
export interface ConnectionLimits {
  /** Over all clients. */
  readonly connectionsMax: number;
  /** Of one IP address; the loopback addresses have none. */
  readonly connectionsPerAddressMax: number;
}
