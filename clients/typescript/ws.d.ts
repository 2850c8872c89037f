// What the client uses of the package ws: its WebSocket has the interface of the one in browsers. The types of the package itself
// would bring those of Node into the client.

/** The connection below a WebSocket. */
export interface Connection {
  /** Keeps what is written from now on. */
  cork(): void;
  /** Writes what was kept. */
  uncork(): void;
}

export declare class WebSocket extends globalThis.WebSocket {
  on(event: 'upgrade', listener: (response: { readonly socket: Connection }) => void): this;
}
