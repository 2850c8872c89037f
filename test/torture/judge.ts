// Finds the faults in the replies on one connection. As long as every previous request was sound, each reply is checked
// against the route of its request; after a broken one, against what any route or the transport may answer.
import { PROBLEMS, type ProblemCode } from '../../http/exchange/problems.js';
import { errorsOf } from '../../http/pipeline/route.js';
import { ROUTES } from '../../http/routes/table.js';
import { checkReply } from '../http/support/reply-check.js';
import type { BodyPresence, SplitReply } from './reply-splitter.js';
import type { TortureRequest } from './requests.js';
import type { Transport } from './transports.js';

/** An internal error of the server is documented for every route, and still a fault. */
const MISTAKE = 500;
const NOT_MODIFIED = 304;
const CONTINUE = 100;

/** Errors that no route has, since they are found before it. */
const UNROUTED = [
  'route_not_found',
  'method_not_allowed',
  'request_timeout',
  'head_too_large',
  'not_implemented',
  'http_version_not_supported',
] as const satisfies readonly ProblemCode[];

/** Every status that some route or the router documents. */
const DOCUMENTED: ReadonlySet<number> = new Set([
  NOT_MODIFIED,
  ...ROUTES.flatMap(({ replies }) => replies.map(({ status }) => status)),
  ...ROUTES.flatMap(errorsOf).map(statusOf),
  ...UNROUTED.map(statusOf),
]);

export class Judge {
  readonly #requests: readonly TortureRequest[];
  readonly #transport: Transport;
  /** Number of requests, from the first on, whose replies can be identified. */
  readonly #certainCount: number;
  #answered = 0;
  #isClosing = false;
  readonly faults: string[] = [];
  /** How often each status came. */
  readonly statuses = new Map<number, number>();

  constructor(requests: readonly TortureRequest[], transport: Transport) {
    this.#requests = requests;
    this.#transport = transport;
    const broken = requests.findIndex(({ certainty }) => certainty === 'broken');
    this.#certainCount = broken < 0 ? requests.length : broken;
  }

  /** True if all are answered, and it is certain that no more replies come. */
  get isSatisfied(): boolean {
    return this.#certainCount === this.#requests.length && this.#answered === this.#requests.length;
  }

  /** True while the one request that was sent has a sound frame and no answer: it must get one. */
  get isOwedReply(): boolean {
    return this.#requests.length === 1 && this.#requests[0]?.certainty === 'sound' && this.#answered === 0;
  }

  /** Whether the reply with an index has a body. */
  readonly presenceOf = (index: number): BodyPresence => {
    if (index < this.#certainCount) return this.#requests[index]?.method === 'HEAD' ? 'never' : 'as announced';
    return this.#requests.some(({ method }) => method === 'HEAD') ? 'unknown' : 'as announced';
  };

  take(reply: SplitReply): void {
    this.statuses.set(reply.status, (this.statuses.get(reply.status) ?? 0) + 1);
    if (reply.status < 200) {
      if (reply.status !== CONTINUE) this.faults.push(`an interim reply ${reply.status}`);
      return;
    }
    const request = this.#answered < this.#certainCount ? this.#requests[this.#answered] : undefined;
    this.#answered += 1;
    if (reply.status === MISTAKE) this.faults.push(`a mistake of the server: ${reply.body.toString()}`);
    if (this.#isClosing) this.faults.push(`a reply ${reply.status} behind a request that ends the connection`);
    // A page of the transport may stand for the reply to an earlier request, which is lost.
    if (request === undefined || this.#isOwnPage(reply)) this.#takeAny(reply);
    else this.#takeCertain(request, reply);
  }

  /** Ends the reading; all replies that came have been taken. */
  end(): void {
    if (this.isOwedReply) this.faults.push(`${this.#requests[0]?.name} is not answered`);
  }

  #isOwnPage({ headers, body }: Pick<SplitReply, 'headers' | 'body'>): boolean {
    return !('x-request-id' in headers) && this.#transport.ownPage.test(body.toString());
  }

  #takeCertain(request: TortureRequest, { status, headers, body }: SplitReply): void {
    if (request.certainty === 'closing') this.#isClosing = true;
    try {
      checkReply(request.method, request.path.split('?')[0] ?? '', { status, headers, text: body.toString() });
    } catch (error) {
      this.faults.push(`${request.name}: ${error instanceof Error ? error.message : error}`);
    }
  }

  #takeAny({ status, headers, body }: SplitReply): void {
    const isOfGame = 'x-request-id' in headers;
    if (!isOfGame) {
      if (!this.#transport.ownStatuses.has(status)) this.faults.push(`the transport answers ${status}`);
      const isExpected = body.length === 0 || this.#isOwnPage({ headers, body }) || 'transfer-encoding' in headers;
      if (!isExpected) this.faults.push(`${status} with ${body.toString()}`);
      return;
    }
    if (!DOCUMENTED.has(status)) this.faults.push(`no route documents the status ${status}`);
    if (status < 400 || body.length === 0) return;
    const code = codeOf(body);
    if (PROBLEMS.get(code as ProblemCode)?.status !== status) this.faults.push(`${status} with the code ${code}`);
    if (headers['content-type'] !== 'application/problem+json')
      this.faults.push(`${status} ${headers['content-type']}`);
  }
}

function codeOf(body: Buffer): unknown {
  try {
    const problem: unknown = JSON.parse(body.toString());
    return typeof problem === 'object' && problem !== null && 'code' in problem ? problem.code : undefined;
  } catch {
    return undefined;
  }
}

function statusOf(code: ProblemCode): number {
  return PROBLEMS.get(code)?.status ?? MISTAKE;
}
