// The part of autocannon that is used here; the package brings no types of its own.
declare module 'autocannon' {
  export interface SentRequest {
    readonly method: string;
    readonly path: string;
    readonly body?: string;
    readonly headers?: Readonly<Record<string, string>>;
  }

  export interface RequestRule {
    /** Makes the next request of a connection, whose context it may write to. */
    setupRequest(request: SentRequest, context: Record<string, unknown>): SentRequest;
    onResponse(status: number, body: string, context: Record<string, unknown>): void;
  }

  export interface Options {
    readonly url: string;
    readonly connections: number;
    readonly duration: number;
    readonly requests: readonly RequestRule[];
  }

  export interface Result {
    readonly requests: { readonly average: number };
    /** Milliseconds. */
    readonly latency: { readonly p50: number; readonly p99: number; readonly p99_9: number; readonly max: number };
    readonly errors: number;
    readonly non2xx: number;
  }

  export default function autocannon(options: Options): Promise<Result>;
}
