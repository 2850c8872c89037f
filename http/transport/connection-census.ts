// How many connections the native server has, and of whom. Its library accepts every connection and tells nobody, so the
// kernel is asked: for the files that this process has open, which costs microseconds, and only if there are many for the
// addresses of the connections. A full server stops listening until there is room again: the kernel then refuses newcomers
// at no cost. This works on Linux alone; elsewhere the native server has no such bound.
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
  /** Files that are open besides connections. */
  #otherFiles = 0;
  #timer: NodeJS.Timeout | null = null;
  #isClosed = false;
  #isReadingAddresses = false;
  #fullAddresses: ReadonlySet<string> = new Set();

  constructor(private readonly limits: ConnectionLimits) {}

  /** As of the latest look. */
  get connectionCount(): number {
    return this.#connectionCount;
  }

  /** True if some address has more connections than it may. */
  get isAnyAddressFull(): boolean {
    return this.#fullAddresses.size > 0;
  }

  /** @returns false if the client at an address has more connections than it may: the one that asks is to be closed */
  admits(address: string): boolean {
    return !this.#fullAddresses.has(networkOf(address));
  }

  begin(port: number, gate: Gate): void {
    const files = openFileCount();
    if (files === null) return;
    this.#otherFiles = files;
    this.#timer = setInterval(() => this.#look(port, gate), CONNECTION_CENSUS_MS);
    this.#timer.unref();
  }

  end(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
  }

  #look(port: number, gate: Gate): void {
    const { connectionsMax, connectionsPerAddressMax } = this.limits;
    const files = openFileCount();
    // An older kernel needs a descriptor to list them. If there is none left, the process is full.
    this.#connectionCount = files === null ? connectionsMax : Math.max(0, files - this.#otherFiles);
    if (!this.#isClosed && this.#connectionCount >= connectionsMax) {
      this.#isClosed = true;
      gate.close();
    } else if (this.#isClosed && this.#connectionCount < connectionsMax * CONNECTIONS_REOPEN_SHARE) {
      this.#isClosed = false;
      gate.open().catch(() => {
        // Somebody has taken the port, or there is no file left for it: the next look tries again.
        this.#isClosed = true;
      });
    }
    if (this.#connectionCount > connectionsPerAddressMax) void this.#lookAtAddresses(port);
    else this.#fullAddresses = new Set();
  }

  async #lookAtAddresses(port: number): Promise<void> {
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

/** Null if the system does not tell. The size of the folder is the number of files from Linux 6.2 on. */
function openFileCount(): number | null {
  try {
    return statSync(OPEN_FILES).size || readdirSync(OPEN_FILES).length;
  } catch {
    return null;
  }
}

const ESTABLISHED = '01';

/**
 * How many established connections to a local port each client has, by address or IPv6 network.
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

/** The kernel writes an address as words of 4 bytes, each in the byte order of the machine; x86 and ARM are little-endian. */
function addressOf(hexadecimal: string): string {
  const bytes = Buffer.from(hexadecimal, 'hex');
  bytes.swap32();
  return addressText(bytes);
}
