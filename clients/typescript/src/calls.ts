// Calls and operations of batches, with types derived from the generated ones: which paths there are, what each takes and returns.
import {
  type Client,
  type ClientPathsWithMethod,
  createFinalURL,
  createQuerySerializer,
  defaultPathSerializer,
  type FetchOptions,
} from 'openapi-fetch';
import type { components, paths } from './api.js';
import { isProblem, type Problem } from './errors.js';

export type Api = Client<paths>;
export type Method = 'get' | 'post' | 'put';

/** Paths that have a method. */
export type PathOf<M extends Method> = ClientPathsWithMethod<Api, M>;

/**
 * Body of a successful reply, as the schema says. MethodResponse of openapi-fetch would turn names that may be any string into
 * objects.
 */
export type BodyOf<M extends Method, Path extends PathOf<M>> = paths[Path][M] extends { responses: infer Replies }
  ? ContentOf<Replies[keyof Replies & (200 | 201)]>
  : never;

/** The media type under which the generated types have the reply with `Prefer: return=minimal`. */
type ShortType = 'application/json; return=minimal';

type ContentOf<Reply> = Reply extends { content: infer Content } ? Content[Exclude<keyof Content, ShortType>] : never;

/** Body of the reply with `Prefer: return=minimal`; null if the operation has none. */
export type ShortBodyOf<M extends Method, Path extends PathOf<M>> = paths[Path][M] extends { responses: infer Replies }
  ? ShortContentOf<Replies[keyof Replies & (200 | 201)]>
  : null;

type ShortContentOf<Reply> = Reply extends { content: { [Type in ShortType]: infer Short } } ? Short : null;

/** Parameters and body of a request; `params` and `body` are required if the operation requires them. */
export type CallOptions<M extends Method, Path extends PathOf<M>> = Omit<FetchOptions<paths[Path][M]>, 'parseAs'>;

/** The arguments after the path: options, which may be omitted if nothing in them is required. */
export type CallArguments<M extends Method, Path extends PathOf<M>> =
  Record<never, never> extends CallOptions<M, Path>
    ? [options?: CallOptions<M, Path>]
    : [options: CallOptions<M, Path>];

/** Options of any call, for code that does not depend on the path. */
export interface AnyOptions {
  readonly params?: {
    readonly path?: Record<string, unknown>;
    readonly query?: Record<string, unknown>;
    readonly header?: Record<string, unknown>;
  };
  readonly body?: unknown;
  readonly signal?: AbortSignal | null | undefined;
}

export function anyOptions(options: object = {}): AnyOptions {
  return { ...options };
}

type ResultRow = components['schemas']['BatchResults']['results'][number];

/** Never present: they carry the types of the replies. */
declare const replyBody: unique symbol;
declare const shortReplyBody: unique symbol;

/** An operation as a batch takes it. The `request` of an option is one, too. */
export interface Operation<Body = unknown, Short = unknown> {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  readonly body?: unknown;
  readonly [replyBody]?: Body;
  readonly [shortReplyBody]?: Short;
}

/** Asks for short replies: what the operation creates, when that ends, and the stocks after it. */
export interface AsksForShort {
  readonly isMinimal: true;
}

/** The outcome of an operation. */
export type Result<Body> =
  | {
      readonly ok: true;
      readonly status: number;
      /**
       * Null if short replies were asked for and the operation has none, or if a repeated batch was answered with the statuses that the
       * server keeps of a long reply.
       */
      readonly body: Body | null;
    }
  | {
      readonly ok: false;
      readonly status: number;
      readonly code: Problem['code'];
      /** Null in the short form. */
      readonly problem: Problem | null;
    };

/** The result of each operation, in the same order. */
export type ResultsOf<Operations extends readonly Operation[]> = {
  -readonly [Index in keyof Operations]: Operations[Index] extends Operation<infer Body> ? Result<Body> : never;
};

/** The same with short replies. */
export type ShortResultsOf<Operations extends readonly Operation[]> = {
  -readonly [Index in keyof Operations]: Operations[Index] extends Operation<unknown, infer Short>
    ? Result<Short>
    : never;
};

/** Makes operations for a batch; the arguments are those of GalaxydClient.get, post and put. */
export const operation = {
  get<Path extends PathOf<'get'>>(
    path: Path,
    ...[options]: CallArguments<'get', Path>
  ): Operation<BodyOf<'get', Path>> {
    return { method: 'GET', path: filled(path, anyOptions(options)) };
  },

  post<Path extends PathOf<'post'>>(
    path: Path,
    ...[options]: CallArguments<'post', Path>
  ): Operation<BodyOf<'post', Path>, ShortBodyOf<'post', Path>> {
    return command('POST', path, anyOptions(options));
  },

  put<Path extends PathOf<'put'>>(
    path: Path,
    ...[options]: CallArguments<'put', Path>
  ): Operation<BodyOf<'put', Path>, ShortBodyOf<'put', Path>> {
    return command('PUT', path, anyOptions(options));
  },
};

function command(method: 'POST' | 'PUT', path: string, options: AnyOptions): Operation<never, never> {
  const { body } = options;
  return { method, path: filled(path, options), ...(body === undefined ? {} : { body }) };
}

/** One row of the reply to a batch, as the result of its operation. The server has checked its shape. */
export function resultOf({ status, body, code }: ResultRow): Result<unknown> {
  if (status < 400) return { ok: true, status, body: body ?? null };
  const problem = isProblem(body) ? body : null;
  return { ok: false, status, code: problem?.code ?? code ?? '', problem };
}

function filled(path: string, { params = {} }: AnyOptions): string {
  return createFinalURL(path, {
    baseUrl: '',
    params: { path: params.path ?? {}, query: params.query ?? {} },
    querySerializer: createQuerySerializer(),
    pathSerializer: defaultPathSerializer,
  });
}
