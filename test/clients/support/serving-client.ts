// A real server in the test's own process, and a client of the TypeScript package for it.
import { type ClientOptions, GalaxydClient } from 'galaxyd-client';
import type { Test } from 'tap';
import { ADMIN_KEY, begin, type Serving, type ServingOptions } from '../../http/support/serving.js';
import '../../support/ended-fetch.js';

export interface ClientServing extends Serving {
  readonly url: string;
  readonly galaxyd: GalaxydClient;
  /** The same with the operator's key. */
  readonly operator: GalaxydClient;
}

export async function beginWithClient(
  t: Test,
  options: Partial<ClientOptions> = {},
  serving: ServingOptions = {},
): Promise<ClientServing> {
  const served = await begin(t, serving);
  const url = `http://127.0.0.1:${served.port}`;
  const galaxyd = new GalaxydClient({ baseUrl: url, ...options });
  return { ...served, url, galaxyd, operator: new GalaxydClient({ baseUrl: url, apiKey: ADMIN_KEY }) };
}

/** A fetch that answers the first calls from a list, and sends all others. */
export function interposed(answers: readonly (() => Response | Promise<Response>)[]) {
  const seen: Request[] = [];
  const interposedFetch: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    seen.push(request.clone());
    const answer = answers[seen.length - 1];
    return answer === undefined ? await fetch(request) : await answer();
  };
  return { fetch: interposedFetch, seen };
}

/** A refusal as the server sends it. */
export function refusal(
  status: number,
  code: string,
  members: object = {},
  headers: Readonly<Record<string, string>> = {},
): Response {
  const body = { type: '', title: '', status, detail: code, code, requestId: '', ...members };
  const all = { 'content-type': 'application/problem+json', 'x-world-time': '2000-01-01T00:00:00.000Z', ...headers };
  return new Response(JSON.stringify(body), { status, headers: all });
}
