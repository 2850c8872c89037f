// Counts the connections of the native server, in total and by address. Its library accepts every connection without
// reporting it, so the kernel is asked: for the open files of this process, which takes microseconds, and, only if
// there are many, for the addresses of the connections. A full server stops listening until there is room again; the
// kernel then refuses new connections at no cost. This works only on Linux; elsewhere the native server has no such
// limit.
import { readdirSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { addressText, isLoopback, networkOf } from '../admission/addresses.js';
import { CONNECTION_CENSUS_MS, CONNECTIONS_REOPEN_SHARE } from '../limits.js';
import type { ConnectionLimits } from './transport.js';

/** The listening socket of a server. */
export interface Gate {
  close(): void;
  open(): Promise<unknown>;
}

const OPEN_FILES = '/proc/self/fd';
const CONNECTION_TABLES = ['/proc/self/net/tcp', '/proc/self/net/tcp6'];

export class ConnectionCensus {
  #connectionCount = 0;
  /** Open files that are not connections. */
  #otherFiles = 0;
  #timer: NodeJS.Timeout | null = null;
  #isClosed = false;
  #isReadingAddresses = false;
  #fullAddresses: ReadonlySet<string> = new Set();

  constructor(private readonly limits: ConnectionLimits) {}

  /** As of the latest count. */
  get connectionCount(): number {
    return this.#connectionCount;
  }

  /** True if some address has more connections than allowed. */
  get isAnyAddressFull(): boolean {
    return this.#fullAddresses.size > 0;
  }

  /** @returns false if the address has more connections than allowed: the one that asks must be closed */
  admits(address: string): boolean {
    return !this.#fullAddresses.has(networkOf(address));
  }

  begin(port: number, gate: Gate): void {
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

  #check(port: number, gate: Gate): void {
    const { connectionsMax, connectionsPerAddressMax } = this.limits;
    const files = openFileCount();
    // Older kernels need a file descriptor to list them. If none is left, the process is full.
    this.#connectionCount = files === null ? connectionsMax : Math.max(0, files - this.#otherFiles);
    if (!this.#isClosed && this.#connectionCount >= connectionsMax) {
      this.#isClosed = true;
      gate.close();
    } else if (this.#isClosed && this.#connectionCount < connectionsMax * CONNECTIONS_REOPEN_SHARE) {
      this.#isClosed = false;
      gate.open().catch(() => {
        // The port was taken, or no file descriptor is left: the next check tries again.
        this.#isClosed = true;
      });
    }
    if (this.#connectionCount > connectionsPerAddressMax) void this.#countAddresses(port);
    else this.#fullAddresses = new Set();
  }

  async #countAddresses(port: number): Promise<void> {
    if (this.#isReadingAddresses) return;
    this.#isReadingAddresses = true;
    try {
      const tables = await Promise.all(CONNECTION_TABLES.map((path) => readFile(path, 'latin1').catch(() => '')));
      const counts = connectionsByAddress(tables.join('\n'), port);
      const full = [...counts].filter(([address, count]) => {
        return count > this.limits.connectionsPerAddressMax && !isLoopback(address);
      });
      this.#fullAddresses = new Set(full.map(([address]) => address));
    } finally {
      this.#isReadingAddresses = false;
    }
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
 */
export function connectionsByAddress(table: string, port: number): Map<string, number> {
  const counts = new Map<string, number>();
  const localEnd = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  for (const line of table.split('\n')) {
    const [, local = '', remote = '', state] = line.trim().split(/\s+/);
    if (state !== ESTABLISHED || !local.endsWith(localEnd)) continue;
    const address = networkOf(addressOf(remote.slice(0, remote.indexOf(':'))));
    counts.set(address, (counts.get(address) ?? 0) + 1);
  }
  return counts;
}

/** The kernel writes an address as words of 4 bytes in the byte order of the machine; x86 and ARM are little-endian. */
function addressOf(hexadecimal: string): string {
  const bytes = Buffer.from(hexadecimal, 'hex');
  bytes.swap32();
  return addressText(bytes);
}
