// Asks a process that led, while it is stopped or cut off: what is sent to it waits in its sockets, and arrives when it
// goes on. Another process leads by then, so it may acknowledge nothing and show nothing that is out of date.
import { randomUUID } from 'node:crypto';
import { Client, NoReply, type Reply } from '../process/client.js';

const REQUESTS = 6;
/** A process that ends resets the connection; one that goes on answers by then. */
const REPLY_MS = 30_000;

/** A planet that has changed since another process leads, and at no time shortly before. */
export interface Witness {
  readonly planetId: string;
  /** Seq of the change. */
  readonly seq: number;
}

export interface Questions {
  /** Settles when all are answered or their connections are gone. @returns the faults, a sentence each */
  answers(): Promise<string[]>;
}

/** Sends it commands and reads, without waiting for the replies. */
export function askOldLeader(url: string, key: string, witness: Witness): Questions {
  const planet = `/api/game/planet/${witness.planetId}`;
  const grant = `/api/admin/planet/${witness.planetId}/grant`;
  const replies = Array.from({ length: REQUESTS }, () => [
    asked(url, key, (client) => client.post(grant, { iron: 1 }, randomUUID()), faultOfCommand),
    asked(
      url,
      key,
      (client) => client.get(planet),
      (reply) => faultOfRead(reply, witness),
    ),
  ]);
  return { answers: async () => (await Promise.all(replies.flat())).filter((fault) => fault !== null) };
}

async function asked(
  url: string,
  key: string,
  send: (client: Client) => Promise<Reply<unknown>>,
  faultOf: (reply: Reply<unknown>) => string | null,
): Promise<string | null> {
  const client = new Client(url, key, REPLY_MS);
  try {
    return faultOf(await send(client));
  } catch (error) {
    if (error instanceof NoReply) return null;
    throw error;
  } finally {
    client.close();
  }
}

/** It may say that it does not lead (421), or that nobody is known to (503). */
export function faultOfCommand({ status, body }: Reply<unknown>): string | null {
  if (status === 421 || status === 503) return null;
  return `a leader that was replaced answers a command with ${status}: ${JSON.stringify(body)}`;
}

/** Judges a read of a process that led before. As a standby that has caught up, it may answer. */
export function faultOfRead({ status, headers, body }: Reply<unknown>, { seq }: Witness): string | null {
  if (status === 503) return null;
  const shownSeq = Number(headers['x-world-seq'] ?? 0);
  if (status === 200 && shownSeq >= seq) return null;
  return `a leader that was replaced answers a read with ${status} from seq ${shownSeq}, and ${seq} was shown before: ${JSON.stringify(body)}`;
}
