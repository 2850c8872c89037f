// The types of calls, derived from the generated types: which paths there are, what each takes and what it returns.
import type { Client, ClientPathsWithMethod, FetchOptions } from 'openapi-fetch';
import type { paths } from './api.js';

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

type ContentOf<Reply> = Reply extends { content: infer Content } ? Content[keyof Content] : never;

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
