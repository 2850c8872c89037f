// Which of the processes that share a world in PostgreSQL leads. The lease is a row of its own, so that a renewal does not
// wait for an append, which locks the fence. A claim locks the lease and then the fence: it waits for an append in flight.

import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { EXCLUSIVE_LEASE_POLLS, LEASE_CALL_MAX_MS, LEASE_MS, LEASE_RENEWALS, MEMBER_KEPT_MS } from '../../limits.js';
import {
  type Claim,
  type HeldWorld,
  type Leadership,
  type Lease,
  type Member,
  type MemberReport,
  WorldLocked,
} from '../../stores/world-store.js';
import { Fenced, LogUnreadable } from '../log.js';
import { PostgresConnection, type Result, type Row } from './connection.js';
import type { PostgresPlace } from './postgres-url.js';
import { RAISE_EPOCH } from './schema.js';

const LEASE_COLUMNS = 'lease.epoch, lease.leader_id, lease.leader_url, lease.beat, lease.lease_ms, lease.wanted_id';
const READ = { name: 'lease', text: `SELECT ${LEASE_COLUMNS} FROM lease` };
/**
 * The condition on the row itself holds also if a claim has changed it while this waited for its lock: PostgreSQL then
 * checks it again (documentation, "Read Committed Isolation Level"), and the epoch of the fence not.
 */
const RENEW = {
  name: 'renew',
  text: `UPDATE lease SET epoch = $1::bigint, beat = beat + 1, renewed_at = clock_timestamp() FROM fence
    WHERE fence.epoch = $1::bigint AND fence.claim = coalesce($2::uuid, fence.claim) AND lease.epoch <= $1::bigint RETURNING ${LEASE_COLUMNS}`,
};
const RELEASE = `UPDATE lease SET leader_id = NULL, leader_url = NULL, wanted_id = $3, beat = beat + 1,
  renewed_at = clock_timestamp() FROM fence
  WHERE fence.epoch = $1::bigint AND fence.claim = coalesce($2::uuid, fence.claim) AND lease.epoch <= $1::bigint`;
const CLAIM = `UPDATE lease SET epoch = $1, leader_id = $2, leader_url = $3, lease_ms = $4, wanted_id = NULL,
  beat = beat + 1, renewed_at = clock_timestamp() RETURNING ${LEASE_COLUMNS}`;
const REPORT = {
  name: 'report',
  text: `INSERT INTO members VALUES ($1, $2, $3, $4, $5, $6, clock_timestamp()) ON CONFLICT (id) DO UPDATE
    SET url = $2, role = $3, seq = $4, version = $5, obstacle = $6, reported_at = clock_timestamp()`,
};
const KEPT = `reported_at >= clock_timestamp() - interval '${MEMBER_KEPT_MS} milliseconds'`;
const MEMBERS = `SELECT id, url, role, seq, version, obstacle,
  extract(epoch FROM clock_timestamp() - reported_at) * 1000 AS reported_ago_ms FROM members WHERE ${KEPT} ORDER BY id`;

export class PostgresLeadership implements Leadership {
  readonly #open: () => Promise<HeldWorld>;
  readonly #lease: PostgresConnection;
  /** Reports need not be durable, and must not delay a renewal. */
  readonly #members: PostgresConnection;
  /** The newest claim of this process; an epoch that it has acquired otherwise has none here. */
  #claimed: { readonly epoch: number; readonly id: unknown } | undefined;
  #hasForgotten = false;

  /** @param open opens the world beside other processes, and creates its tables if they are missing */
  constructor(place: PostgresPlace, open: () => Promise<HeldWorld>) {
    const { world: schema } = place;
    const callMaxMs = LEASE_CALL_MAX_MS;
    this.#open = open;
    this.#lease = new PostgresConnection({ place, schema, purpose: 'lease', callMaxMs });
    this.#members = new PostgresConnection({
      place,
      schema,
      purpose: 'members',
      callMaxMs,
      commitsAsynchronously: true,
    });
  }

  openShared(): Promise<HeldWorld> {
    return this.#open();
  }

  async read(): Promise<Lease> {
    return leaseIn(await this.#lease.query(READ));
  }

  async claim({ id, url, leaseMs }: Claim, seen: Lease): Promise<Lease | null> {
    const claimed = await this.#lease.transaction(async (run) => {
      const { epoch, beat } = leaseIn(await run(`SELECT ${LEASE_COLUMNS} FROM lease FOR UPDATE`));
      if (epoch !== seen.epoch || beat !== seen.beat) return null;
      const { rows } = await run(RAISE_EPOCH);
      const lease = leaseIn(await run(CLAIM, [rows[0]?.['epoch'], id, url, leaseMs]));
      return { lease, id: rows[0]?.['claim'] };
    });
    if (claimed === null) return null;
    this.#claimed = { epoch: claimed.lease.epoch, id: claimed.id };
    return claimed.lease;
  }

  async renew(epoch: number): Promise<Lease> {
    const result = await this.#lease.query(RENEW, [epoch, this.#claimOf(epoch)]);
    if (result.rowCount === 0) throw new Fenced(epoch);
    return leaseIn(result);
  }

  async release(epoch: number, successorId: string | null): Promise<void> {
    await this.#lease.query(RELEASE, [epoch, this.#claimOf(epoch), successorId]);
  }

  #claimOf(epoch: number): unknown {
    return this.#claimed?.epoch === epoch ? this.#claimed.id : null;
  }

  async want(memberId: string | null): Promise<void> {
    await this.#lease.query('UPDATE lease SET wanted_id = $1', [memberId]);
  }

  async report({ id, url, role, seq, version, obstacle }: MemberReport): Promise<void> {
    await this.#members.query(REPORT, [id, url, role, seq, version, obstacle]);
    if (this.#hasForgotten) return;
    await this.#members.query(`DELETE FROM members WHERE NOT ${KEPT}`);
    this.#hasForgotten = true;
  }

  async members(): Promise<readonly Member[]> {
    const { rows } = await this.#members.query(MEMBERS);
    return rows.map(memberOf);
  }

  async leave(memberId: string): Promise<void> {
    await this.#members.query('DELETE FROM members WHERE id = $1', [memberId]);
  }

  async close(): Promise<void> {
    this.#members.abort();
    await this.#lease.close();
  }
}

function leaseIn({ rows: [row] }: Result): Lease {
  if (row === undefined) throw new LogUnreadable('the lease of the world is missing');
  return {
    epoch: Number(row['epoch']),
    leaderId: textOrNull(row['leader_id']),
    leaderUrl: textOrNull(row['leader_url']),
    beat: Number(row['beat']),
    leaseMs: Number(row['lease_ms']),
    wantedId: textOrNull(row['wanted_id']),
  };
}

function memberOf(row: Row): Member {
  return {
    id: String(row['id']),
    url: String(row['url']),
    role: row['role'] === 'leader' ? 'leader' : 'standby',
    seq: Number(row['seq']),
    version: String(row['version']),
    obstacle: textOrNull(row['obstacle']),
    reportedAgoMs: Math.max(Number(row['reported_ago_ms']), 0),
  };
}

function textOrNull(value: unknown): string | null {
  return value === null ? null : String(value);
}

/** The lease of a process that has a world in PostgreSQL for itself: taken once, renewed until it is released. Appends need no lease: if a renewal fails, the epoch of the log still keeps a second writer out. */
export class ExclusiveLease {
  readonly #leadership: Leadership;
  /** The newest epoch that this process has acquired. */
  readonly #epochOf: () => number;
  readonly #alarm: NodeJS.Timeout;
  #renewal: Promise<unknown> = Promise.resolve();
  #isHeld = true;

  private constructor(leadership: Leadership, epochOf: () => number) {
    this.#leadership = leadership;
    this.#epochOf = epochOf;
    this.#alarm = setInterval(() => this.#renew(), LEASE_MS / LEASE_RENEWALS).unref();
  }

  /**
   * Takes the lease. If another process holds it, waits for as long as it lasts without a renewal.
   *
   * @param acquiredEpoch the newest epoch of the log that this process has acquired since
   * @throws WorldLocked if it is renewed meanwhile
   * @throws StoreUnreachable
   */
  static async take(leadership: Leadership, label: string, acquiredEpoch: () => number): Promise<ExclusiveLease> {
    const seen = await expired(leadership, label);
    const claimed = await leadership.claim({ id: randomUUID(), url: '', leaseMs: LEASE_MS }, seen);
    if (claimed === null) throw new WorldLocked(`another process has just opened the world in ${label}`);
    return new ExclusiveLease(leadership, () => Math.max(claimed.epoch, acquiredEpoch()));
  }

  async release(): Promise<void> {
    clearInterval(this.#alarm);
    await this.#renewal;
    // If that fails, the lease expires.
    if (this.#isHeld) await this.#leadership.release(this.#epochOf(), null).catch(() => {});
    await this.#leadership.close();
  }

  #renew(): void {
    this.#renewal = this.#leadership.renew(this.#epochOf()).catch((error: unknown) => {
      if (!(error instanceof Fenced)) return;
      this.#isHeld = false;
      clearInterval(this.#alarm);
    });
  }
}

/** Waits until nobody holds the lease. */
async function expired(leadership: Leadership, label: string): Promise<Lease> {
  const first = await leadership.read();
  if (first.leaderId === null && first.wantedId === null) return first;
  for (let look = 0; look < EXCLUSIVE_LEASE_POLLS; look += 1) {
    await delay(first.leaseMs / EXCLUSIVE_LEASE_POLLS);
    const lease = await leadership.read();
    if (lease.beat === first.beat) continue;
    const where = lease.leaderUrl === null || lease.leaderUrl === '' ? '' : ` at ${lease.leaderUrl}`;
    if (lease.leaderId !== null) throw new WorldLocked(`the world in ${label} is led by another process${where}`);
    return lease;
  }
  return first;
}
