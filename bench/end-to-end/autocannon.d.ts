// The part of autocannon that is used here; the package has no types of its own.
declare module 'autocannon' {
  interface SentRequest {
    readonly method: string;
    readonly path: string;
    readonly body?: string;
    readonly headers?: Readonly<Record<string, string>>;
  }

  /** Each connection has a context of its own, for which setupRequest makes the next request. */
  interface RequestRule {
    setupRequest(request: SentRequest, context: Record<string, unknown>): SentRequest;
    onResponse(status: number, body: string, context: Record<string, unknown>): void;
  }

  /** Latencies are in milliseconds. */
  export default function autocannon(options: {
    readonly url: string;
    readonly connections: number;
    readonly duration: number;
    readonly requests: readonly RequestRule[];
  }): Promise<{
    readonly requests: { readonly average: number; readonly total: number };
    /** In bytes. */
    readonly throughput: { readonly total: number };
    readonly latency: { readonly p50: number; readonly p99: number; readonly p99_9: number; readonly max: number };
    readonly errors: number;
    readonly non2xx: number;
  }>;
}
