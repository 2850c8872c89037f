// The curl commands of a document with the answers that it shows: each is sent to a fresh world, in their order, and
// every field shown must be what the server answers.
import type { Test } from 'tap';

/** A curl command in a shell block, the status of the answer, and a JSON block with the answer. */
const STEP = /```sh\n(curl [^`]+)\n```\nAnswer `(\d{3})`:\n```json\n([^`]+)```/g;

export interface CurlStep {
  readonly command: string;
  readonly status: number;
  readonly answer: unknown;
}

/** Reads the steps of a document, which must show an answer to each curl command. */
export function curlSteps(t: Test, document: string): CurlStep[] {
  const steps = [...document.matchAll(STEP)].map(([, command = '', status, answer = '']) => ({
    command,
    status: Number(status),
    answer: JSON.parse(answer),
  }));
  t.equal(document.split('```sh\ncurl').length - 1, steps.length, 'every curl command has its answer');
  return steps;
}

/** Sends each step, those with an Idempotency-Key twice. */
export async function playCurlSteps(t: Test, steps: readonly CurlStep[], url: string): Promise<void> {
  for (const { command, status, answer } of steps) {
    const response = await runCurl(command, url);
    t.equal(response.status, status, command);
    const reply = await response.json();
    t.match(reply, answer, 'every field shown is what the server answers');
    if (!command.includes('idempotency-key')) continue;
    const again = await runCurl(command, url);
    t.equal(again.headers.get('idempotency-replayed'), 'true');
    t.same(await again.json(), reply, 'the same request again gets the same answer');
  }
}

/** Does what curl would do with the few options that the documents use. */
function runCurl(command: string, url: string): Promise<Response> {
  const body = /-d '([^']*)'/.exec(command)?.[1];
  const headers = [...command.matchAll(/-H '([^:']+): ([^']*)'/g)].map(
    ([, name = '', value = '']): [string, string] => [name, value],
  );
  const path = /http:\/\/127\.0\.0\.1:3000(\/\S+)/.exec(command)?.[1] ?? '';
  const method = /-X (\w+)/.exec(command)?.[1] ?? 'GET';
  return fetch(url + path, { method, headers, ...(body === undefined ? {} : { body }) });
}
