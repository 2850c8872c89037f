// What the client uses of the package ws: its WebSocket has the interface of the one in browsers. The types of the package itself
// would bring those of Node into the client.
export declare const WebSocket: typeof globalThis.WebSocket;
