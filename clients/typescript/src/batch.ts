// Operations of a batch, and their results with the types of their replies.
import { createFinalURL, createQuerySerializer, defaultPathSerializer } from 'openapi-fetch';
import type { components } from './api.js';
import { type AnyOptions, anyOptions, type BodyOf, type CallArguments, type PathOf } from './calls.js';
import { isProblem, type Problem } from './errors.js';

type ResultRow = components['schemas']['BatchResults']['results'][number];

/** Never present: it carries the type of the reply. */
declare const replyBody: unique symbol;

/** An operation as a batch takes it. The `request` of an option is one, too. */
export interface Operation<Body = unknown> {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  readonly body?: unknown;
  readonly [replyBody]?: Body;
}

/** What came of an operation. */
export type Result<Body> =
  | {
      readonly ok: true;
      readonly status: number;
      /** Null if a repeated batch was answered in the short form that the server keeps of long replies. */
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
  ): Operation<BodyOf<'post', Path>> {
    return command('POST', path, anyOptions(options));
  },

  put<Path extends PathOf<'put'>>(
    path: Path,
    ...[options]: CallArguments<'put', Path>
  ): Operation<BodyOf<'put', Path>> {
    return command('PUT', path, anyOptions(options));
  },
};

function command(method: 'POST' | 'PUT', path: string, options: AnyOptions): Operation<never> {
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
