// Keeps a replay behind one listener: a movement may replace the world, and with it everything that was made of the old one. For
// clients it is like a restart of the server: streams and WebSockets end, and they resume by seq.
import type { ReplayedWorld } from '../../persistence/history/replayed-world.js';
import type { Exchange } from '../exchange/exchange.js';
import type { Endpoint, Gatekeeper } from '../server/receiver.js';
import type { RouteCounts } from '../server/request-counts.js';
import type { Traffic } from '../server/traffic.js';
import type { SocketHost } from '../server/web-socket.js';

/** What a listener is opened with. */
export interface Front {
  readonly endpoints: readonly Endpoint[];
  readonly gatekeeper: Gatekeeper;
  readonly sockets: SocketHost;
}

export class ReplacedGames implements Front {
  readonly endpoints: readonly Endpoint[];
  readonly gatekeeper: Gatekeeper;
  readonly sockets: SocketHost;

  /**
   * @param first serves the world that the replay shows now
   * @param serve makes the same for the world that it shows then
   */
  constructor(replay: ReplayedWorld, first: Front, serve: () => Front, traffic: Traffic) {
    let present = first;
    this.endpoints = first.endpoints.map((_, index) => new ReplacedEndpoint(index, () => present));
    this.gatekeeper = {
      ownerOf: (exchange) => present.gatekeeper.ownerOf(exchange),
      admits: (exchange, cost) => present.gatekeeper.admits(exchange, cost),
      answered: (exchange, bytesIn, bytesOut) => present.gatekeeper.answered(exchange, bytesIn, bytesOut),
    };
    this.sockets = {
      admit: (exchange) => present.sockets.admit(exchange),
      open: (socket, opening) => present.sockets.open(socket, opening),
    };
    replay.onReplaced = () => {
      present = serve();
      traffic.renewTags();
      traffic.endReaders();
    };
  }
}

/** An endpoint of whichever game is served now. Its properties are those of the first one: they are of the route, and its counts go on. */
class ReplacedEndpoint implements Endpoint {
  readonly method: Endpoint['method'];
  readonly path: string;
  readonly bodyBytesMax: number;
  readonly isHeavy: boolean;
  readonly takesSeat: boolean;
  readonly cost: number;
  readonly counts: RouteCounts;

  constructor(
    private readonly index: number,
    private readonly present: () => Front,
  ) {
    const { method, path, bodyBytesMax, isHeavy, takesSeat, cost, counts } = this.#endpoint;
    this.method = method;
    this.path = path;
    this.bodyBytesMax = bodyBytesMax;
    this.isHeavy = isHeavy;
    this.takesSeat = takesSeat;
    this.cost = cost;
    this.counts = counts;
  }

  serve(exchange: Exchange): void {
    this.#endpoint.serve(exchange);
  }

  get #endpoint(): Endpoint {
    return this.present().endpoints[this.index] as Endpoint;
  }
}
