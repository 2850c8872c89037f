// The trail of what operators do: a record for each action with the admin key, and for requests that tried one without it. Records outlive the
// log of the world, in which only the changes are. Refusals have a limit of their own, so that guessing keys cannot fill the trail.
import type { OperatorRecords } from '../../persistence/stores/operator-records.js';
import type { Exchange } from '../exchange/exchange.js';
import { PROBLEMS, type ProblemCode } from '../exchange/problems.js';
import {
  AUDIT_BODY_LENGTH_MAX,
  AUDIT_PATH_LENGTH_MAX,
  AUDITED_REFUSALS_BURST,
  AUDITED_REFUSALS_PER_MINUTE,
} from '../limits.js';
import { TokenBuckets } from './token-buckets.js';

/** One action, or one that was refused because of its key. */
export interface AuditRecord {
  /** Real time, ISO 8601. */
  readonly at: string;
  readonly requestId: string;
  /** Name of the key; null if it was none of the operators'. */
  readonly key: string | null;
  /** Of the client, behind trusted proxies. */
  readonly address: string;
  /** The operation by its id. */
  readonly operation: string;
  readonly method: string;
  readonly path: string;
  /** The body as JSON, without secrets, cut if it is long; null if there was none. */
  readonly body: string | null;
  /** Status of the reply; null if the client was gone before there was one. */
  readonly status: number | null;
  /** Code of the problem; null for a success. */
  readonly code: ProblemCode | null;
  /** Seq of its last entry in the log of the world; null if it caused none. */
  readonly seq: number | null;
  /** Refusals before this one that were too many to be recorded. */
  readonly unrecorded?: number;
}

/** What the trail needs to know of an operation. */
export interface AuditedOperation {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
}

export interface AuditParts {
  readonly records: OperatorRecords;
  /** Told of each record, for the log of the server. */
  readonly onRecord: (record: AuditRecord) => void;
  /** Told of each record that could not be kept. */
  readonly onFailure: (error: unknown) => void;
}

/** What differs with the world that is served. */
export interface AuditedWorld {
  readonly addressOf: (exchange: Exchange) => string;
  /** Seq of the last entry. */
  readonly lastSeq: () => number;
}

export class Audit {
  readonly #refusals = new TokenBuckets<'all'>({
    capacity: AUDITED_REFUSALS_BURST,
    refillMs: 60_000 / AUDITED_REFUSALS_PER_MINUTE,
    clientsMax: 1,
    nowMs: () => performance.now(),
  });
  #unrecorded = 0;

  constructor(
    private readonly parts: AuditParts,
    private readonly world: AuditedWorld,
  ) {}

  /**
   * Records an action once it is answered, before its reply leaves.
   *
   * @param body as it was checked
   * @returns to be called when its handler has returned
   */
  begin(exchange: Exchange, operation: AuditedOperation, body: unknown): () => void {
    const { lastSeq } = this.world;
    const before = lastSeq();
    let seq: number | null = null;
    const handled = (): void => {
      if (lastSeq() > before) seq ??= lastSeq();
    };
    const record = { ...this.#headOf(exchange, operation), key: exchange.operatorName, body: bodyText(body) };
    exchange.onAnswered = (status) => {
      if (exchange.isPart || status === null) handled();
      this.#keep('actions', { ...record, status, code: codeOf(exchange), seq });
    };
    return handled;
  }

  /** Records a request that was refused for its key. Of those without any key of an operator only so many are recorded. */
  refused(exchange: Exchange, operation: AuditedOperation): void {
    const { operatorName, status } = exchange;
    const refusal = { body: null, status, code: codeOf(exchange), seq: null };
    if (operatorName !== '') {
      this.#keep('actions', { ...this.#headOf(exchange, operation), key: operatorName, ...refusal });
      return;
    }
    if (this.#refusals.take('all').waitMs > 0) {
      this.#unrecorded += 1;
      return;
    }
    const unrecorded = this.#unrecorded === 0 ? {} : { unrecorded: this.#unrecorded };
    this.#unrecorded = 0;
    this.#keep('refusals', { ...this.#headOf(exchange, operation), key: null, ...refusal, ...unrecorded });
  }

  #headOf(exchange: Exchange, { operationId, method, path }: AuditedOperation) {
    return {
      at: new Date().toISOString(),
      requestId: exchange.requestId,
      address: this.world.addressOf(exchange),
      operation: operationId,
      method,
      path: pathOf(path, exchange.parameters),
    };
  }

  #keep(trail: 'actions' | 'refusals', record: AuditRecord): void {
    this.parts.onRecord(record);
    this.parts.records.append(trail, JSON.stringify(record)).catch(this.parts.onFailure);
  }
}

/** All records that are kept, the newest first. */
export async function recordsOf(records: OperatorRecords): Promise<AuditRecord[]> {
  const trails = await Promise.all([records.lines('actions'), records.lines('refusals')]);
  return (
    trails
      .flat()
      .flatMap((line) => recordOf(line) ?? [])
      // Those of the same millisecond stay in the order of their trail.
      .reverse()
      .sort((one, other) => (one.at === other.at ? 0 : one.at < other.at ? 1 : -1))
  );
}

/** Null for a line that was not written whole. */
function recordOf(line: string): AuditRecord | null {
  try {
    const record = JSON.parse(line) as AuditRecord;
    return typeof record.at === 'string' && typeof record.requestId === 'string' ? record : null;
  } catch {
    return null;
  }
}

function codeOf({ problemCode }: Exchange): ProblemCode | null {
  return [...PROBLEMS.keys()].find((code) => code === problemCode) ?? null;
}

/** The path with its parameters, which may be any text. */
function pathOf(path: string, parameters: readonly string[]): string {
  let next = 0;
  const filled = path.replace(/:[^/]+/g, () => {
    next += 1;
    return encodeURIComponent(parameters[next - 1] ?? '');
  });
  return filled.slice(0, AUDIT_PATH_LENGTH_MAX);
}

const SECRET_NAME = /key|secret|password|token/i;

function bodyText(body: unknown): string | null {
  if (body === undefined) return null;
  const text = JSON.stringify(body, (name, value: unknown) => (SECRET_NAME.test(name) ? '[secret]' : value));
  return text.length > AUDIT_BODY_LENGTH_MAX ? `${text.slice(0, AUDIT_BODY_LENGTH_MAX)}…` : text;
}
