// galaxyd status: shows the position of a world and who serves it, from its store or from a server.
import { type Command, Option } from 'commander';
import { asError } from '../../persistence/fatal.js';
import { storeAt } from '../../persistence/store-url.js';
import type { Lease, Member } from '../../persistence/stores/world-store.js';
import { type StoreStatus, storeStatus } from '../../persistence/upkeep/store-status.js';
import { STATUS_DEADLINE_MS, STATUS_LENGTH_MAX } from '../limits.js';
import { type SnapshotRow, size, snapshotRow } from '../output/summaries.js';
import { operatorCommand, printResult, runToExitCode } from './command.js';
import { DamageFound, NotThere } from './exit-codes.js';
import { dataOption, serverUrl } from './options.js';

const NAME = 'status';

interface StatusFlags {
  readonly data: string;
  readonly server?: string;
  readonly json?: true;
}

export function statusCommand(): Command {
  return operatorCommand({
    name: NAME,
    summary: 'Shows the position of a world and who serves it.',
    examples: [
      'galaxyd status --data ./data',
      'galaxyd status --data postgres://galaxyd@db.example/world --json',
      'galaxyd status --server http://127.0.0.1:3000',
    ],
    remarks:
      '--data reads the store and needs no server: the newest seq and snapshot, the leader with its lease, and the position of\n' +
      'each standby. --server asks one server instead, and prints its GET /api/status.',
  })
    .addOption(dataOption())
    .addOption(new Option('--server <url>', 'server to ask instead').argParser(serverUrl))
    .action((flags: StatusFlags) => runToExitCode(NAME, () => showStatus(flags)));
}

async function showStatus(flags: StatusFlags): Promise<void> {
  if (flags.server === undefined) return await statusOfStore(flags);
  const status = await statusFrom(flags.server);
  printResult(flags, status, () => listed(status));
}

async function statusOfStore(flags: StatusFlags): Promise<void> {
  const store = storeAt(flags.data);
  const found = await storeStatus(store);
  const report = reportOf(store.label, found);
  printResult(flags, report, () => sentences(report));
  if (found.problems.length > 0) throw new DamageFound(found.problems.join('; '));
}

interface Report {
  readonly data: string;
  readonly seq: number | null;
  readonly worldTime: string | null;
  /** First seq that can be restored. */
  readonly coveredFromSeq: number | null;
  readonly snapshot: SnapshotRow | null;
  readonly origin: StoreStatus['origin'];
  readonly isInUse: boolean;
  readonly lease: Lease | null;
  readonly members: readonly (Member & { readonly behindEntries: number })[];
}

function reportOf(data: string, { coverage, snapshot, origin, isInUse, leadership }: StoreStatus): Report {
  const seq = coverage?.lastSeq ?? null;
  return {
    data,
    seq,
    worldTime: coverage?.lastMs === undefined ? null : new Date(coverage.lastMs).toISOString(),
    coveredFromSeq: coverage?.firstSeq ?? null,
    snapshot: snapshot && snapshotRow(snapshot),
    origin,
    isInUse,
    lease: leadership?.lease ?? null,
    members: (leadership?.members ?? []).map((member) => {
      // A process reports its role once a second. The lease is newer.
      const isLeader = isInUse && member.id === leadership?.lease.leaderId;
      // The process may have reported after the log was read.
      const behindEntries = Math.max((seq ?? 0) - member.seq, 0);
      return { ...member, role: isLeader ? 'leader' : 'standby', behindEntries };
    }),
  };
}

function sentences({ data, seq, worldTime, coveredFromSeq, snapshot, origin, ...serving }: Report): string[] {
  const covered = coveredFromSeq === null ? 'nothing can be restored' : `restorable from seq ${coveredFromSeq}`;
  const rows = [
    ['world', data],
    ['newest', seq === null ? 'unknown' : `seq ${seq}${worldTime === null ? '' : ` (${worldTime})`}, ${covered}`],
    [
      'snapshot',
      snapshot === null ? 'none' : `seq ${snapshot.seq}, ${size(snapshot.byteCount)}, taken ${snapshot.takenAt}`,
    ],
    ...(origin === null ? [] : [['origin', `${origin.kind} of ${origin.from} at seq ${origin.seq}`]]),
    ...servedRows(serving),
  ];
  return rows.map(([name = '', value = '']) => `${name.padEnd(NAME_WIDTH)}${value}`);
}

function servedRows({ isInUse, lease, members }: Pick<Report, 'isInUse' | 'lease' | 'members'>): string[][] {
  if (lease === null) return [['served', isInUse ? 'yes' : 'no']];
  if (lease.epoch === 0) return [['leader', 'none; no server has led it yet']];
  const leader = isInUse ? (lease.leaderUrl ?? 'unknown') : 'none';
  const wanted = lease.wantedId === null ? '' : `, to be handed over to ${lease.wantedId}`;
  return [
    ['leader', `${leader} (epoch ${lease.epoch}, lease of ${lease.leaseMs} ms${wanted})`],
    ...members.map(({ id, url, role, seq, behindEntries, version, reportedAgoMs }) => {
      const reported = `reported ${(reportedAgoMs / 1000).toFixed(1)} s ago`;
      return [role, `${url} at seq ${seq}, ${behindEntries} entries behind, version ${version}, ${reported}, id ${id}`];
    }),
  ];
}

/** Width of the first column. */
const NAME_WIDTH = 10;

/** @throws NotThere if the server does not answer with a status */
async function statusFrom(server: string): Promise<Readonly<Record<string, unknown>>> {
  // Loaded on demand: only this needs the client.
  const { GalaxydClient } = await import('../../arena/galaxyd-client.js');
  const client = new GalaxydClient({ baseUrl: server, attempts: 1, deadlineMs: STATUS_DEADLINE_MS });
  try {
    const { body } = await client.get('/api/status');
    const { length } = JSON.stringify(body);
    if (length > STATUS_LENGTH_MAX) throw new Error(`it has ${length} characters`);
    if (typeof body !== 'object' || body === null) throw new Error(`it is not a status: ${body}`);
    return { ...body };
  } catch (error) {
    throw new NotThere(`${server}/api/status did not return a status: ${asError(error).message}`);
  }
}

function listed(status: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(status).map(
    ([name, value]) => `${name.padEnd(20)}${typeof value === 'object' ? JSON.stringify(value) : String(value)}`,
  );
}
