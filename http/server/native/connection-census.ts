// Counts the connections of the native server, in total and by address. Its library accepts every connection without
// reporting it, so the kernel is asked: for the open files of this process, which takes microseconds, and, only if some
// address may have too many, for the addresses of the connections. WebSockets are reported, so they are counted here: the kernel
// takes 100 milliseconds of a core to list 10,000 connections and their other ends. A full server stops listening until there is room again; the
// kernel then refuses new connections at no cost. This works only on Linux; elsewhere the native server has no such
// limit.
import { readdirSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { addressText, isLoopback, networkOf } from '../../admission/addresses.js';
import { OwnerCounts } from '../../admission/owners.js';
import {
  ADDRESS_CENSUS_REST,
  CONNECTION_CENSUS_MS,
  CONNECTION_TABLE_PART_LENGTH,
  CONNECTIONS_REOPEN_SHARE,
} from '../../limits.js';
import type { ConnectionLimits, CountedConnections } from '../transport.js';

/** The listening socket of a server. */
export interface ListenSocket {
  close(): void;
  open(): Promise<unknown>;
}

const OPEN_FILES = '/proc/self/fd';
const CONNECTION_TABLES = ['/proc/self/net/tcp', '/proc/self/net/tcp6'];

export class ConnectionCensus {
  /** Open files that are not connections. */
  #otherFiles = 0;
  #timer: NodeJS.Timeout | null = null;
  #isClosed = false;
  #isReadingAddresses = false;
  /** performance.now() from which on addresses may be read again. */
  #restsUntilMs = 0;
  /** Open WebSockets, in all and by client. Loopback addresses have no limit, and no place here. */
  #socketCount = 0;
  readonly #sockets = new OwnerCounts<string>();
  /** Those that have more connections than allowed. */
  #fullAddresses: ReadonlySet<string> = new Set();
  /** A field, since it is looked at for each request. */
  isAnyAddressFull = false;

  /** @param counted holds the number of open connections, as of the latest count */
  constructor(
    private readonly limits: ConnectionLimits,
    private readonly counted: CountedConnections,
  ) {}

  /** @returns false if the address has more connections than allowed: the one that asks must be closed */
  admits(address: string): boolean {
    return !this.#fullAddresses.has(networkOf(address));
  }

  /** A WebSocket has been opened. @param address of its peer */
  socketOpened(address: string): void {
    this.#countSocket(address, 1);
  }

  socketClosed(address: string): void {
    this.#countSocket(address, -1);
  }

  #countSocket(address: string, change: 1 | -1): void {
    this.#socketCount += change;
    if (!isLoopback(address)) this.#sockets.add(networkOf(address), change);
  }

  begin(port: number, gate: ListenSocket): void {
    const files = openFileCount();
    if (files === null) return;
    this.#otherFiles = files;
    this.#timer = setInterval(() => this.#check(port, gate), CONNECTION_CENSUS_MS);
    this.#timer.unref();
  }

  end(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
  }

  #check(port: number, gate: ListenSocket): void {
    const { connectionsMax } = this.limits;
    const files = openFileCount();
    // Older kernels need a file descriptor to list them. If none is left, the process is full.
    this.counted.connections = files === null ? connectionsMax : Math.max(0, files - this.#otherFiles);
    if (!this.#isClosed && this.counted.connections >= connectionsMax) {
      this.#isClosed = true;
      gate.close();
    } else if (this.#isClosed && this.counted.connections < connectionsMax * CONNECTIONS_REOPEN_SHARE) {
      this.#isClosed = false;
      gate.open().catch(() => {
        // The port was taken, or no file descriptor is left: the next check tries again.
        this.#isClosed = true;
      });
    }
    if (this.#mayAddressBeFull()) void this.#countAddresses(port);
    else this.#setFull([]);
  }

  /** Whether some address would have too many connections if it had all of those whose addresses are unknown. */
  #mayAddressBeFull(): boolean {
    const { connectionsPerAddressMax } = this.limits;
    if (this.counted.connections <= connectionsPerAddressMax) return false;
    const unknownCount = this.counted.connections - this.#socketCount;
    let mostSockets = 0;
    for (const count of this.#sockets.values()) mostSockets = Math.max(mostSockets, count);
    return mostSockets + unknownCount > connectionsPerAddressMax;
  }

  #setFull(addresses: readonly string[]): void {
    this.#fullAddresses = new Set(addresses);
    this.isAnyAddressFull = addresses.length > 0;
  }

  /** Reads for a small share of the time only. */
  async #countAddresses(port: number): Promise<void> {
    const startMs = performance.now();
    if (this.#isReadingAddresses || startMs < this.#restsUntilMs) return;
    this.#isReadingAddresses = true;
    try {
      const counts = new Map<string, number>();
      for (const path of CONNECTION_TABLES) {
        const table = await readFile(path, 'latin1').catch(() => '');
        for (const part of partsOf(table)) {
          countConnections(part, port, counts);
          await nextTurn();
        }
      }
      const full = [...counts].filter(([address, count]) => {
        return count > this.limits.connectionsPerAddressMax && !isLoopback(address);
      });
      this.#setFull(full.map(([address]) => address));
    } finally {
      const endMs = performance.now();
      this.#restsUntilMs = endMs + (endMs - startMs) * ADDRESS_CENSUS_REST;
      this.#isReadingAddresses = false;
    }
  }
}

/** Whole lines that are counted at once, so that requests do not wait until a long table has been counted. */
function* partsOf(table: string): Generator<string> {
  for (let start = 0, end = 0; start < table.length; start = end) {
    end = table.indexOf('\n', start + CONNECTION_TABLE_PART_LENGTH) + 1;
    if (end === 0) end = table.length;
    yield table.slice(start, end);
  }
}

/** The number of open files; null if unknown. From Linux 6.2 on, it is the size of the folder. */
function openFileCount(): number | null {
  try {
    return statSync(OPEN_FILES).size || readdirSync(OPEN_FILES).length;
  } catch {
    return null;
  }
}

const ESTABLISHED = '01';

/**
 * Counts the established connections to a local port by client: address, or IPv6 network.
 *
 * @param table lines of /proc/net/tcp or tcp6 (Linux, Documentation/networking/proc_net_tcp.rst)
 * @param counts to which they are added
 */
export function countConnections(table: string, port: number, counts: Map<string, number>): void {
  const localEnd = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  for (const line of table.split('\n')) {
    const [, local = '', remote = '', state] = line.trim().split(/\s+/);
    if (state !== ESTABLISHED || !local.endsWith(localEnd)) continue;
    const address = networkOf(addressOf(remote.slice(0, remote.indexOf(':'))));
    counts.set(address, (counts.get(address) ?? 0) + 1);
  }
}

/** The kernel writes an address as words of 4 bytes in the byte order of the machine; x86 and ARM are little-endian. */
function addressOf(hexadecimal: string): string {
  const bytes = Buffer.from(hexadecimal, 'hex');
  bytes.swap32();
  return addressText(bytes);
}
