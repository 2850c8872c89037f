// The curl commands of a document with the answers that it shows: each is sent to a fresh world, in their order, and
// every field shown must be what the server answers. RENEW=1 writes what is answered now into the document.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Test } from 'tap';
import '../support/ended-fetch.js';
import { root } from '../tidy/repository.js';
import { renewedAnswer } from './renewed-answer.js';

/** A curl command in a shell block, the status of the answer, and a block with the answer: JSON, or the beginning of a text. */
const STEP = /```sh\n(curl [^`]+)\n```\nAnswer `(\d{3})`:\n```(json|text)\n([^`]+)```/g;

export interface CurlStep {
  readonly command: string;
  readonly status: number;
  readonly answer: unknown;
  /** True if the answer is the beginning of a text, which may not end. */
  readonly isText: boolean;
  /** Command and answer as the document has them. */
  readonly block: string;
}

const isRenewing = process.env['RENEW'] === '1';

/** Reads the steps of a document, which must show an answer to each curl command. */
export function curlSteps(t: Test, document: string): CurlStep[] {
  const steps = [...document.matchAll(STEP)].map(([block, command = '', status, form, answer = '']) => ({
    block,
    command,
    status: Number(status),
    answer: form === 'text' ? answer : JSON.parse(answer),
    isText: form === 'text',
  }));
  t.equal(document.split('```sh\ncurl').length - 1, steps.length, 'every curl command has its answer');
  return steps;
}

/** Sends each step, those with an Idempotency-Key twice. @param path of the document in the repository */
export async function playCurlSteps(t: Test, steps: readonly CurlStep[], url: string, path: string): Promise<void> {
  for (const step of steps) {
    const { command, status, answer, isText } = step;
    const response = await runCurl(command, url);
    if (isRenewing && !isText) {
      renew(path, step, response.status, await response.json());
      continue;
    }
    t.equal(response.status, status, command);
    if (isText) {
      t.equal(await beginningOf(response, String(answer).length), answer, 'the text begins as shown');
      continue;
    }
    const reply = await response.json();
    t.match(reply, answer, 'every field shown is what the server answers');
    if (!command.includes('idempotency-key')) continue;
    const again = await runCurl(command, url);
    t.equal(again.headers.get('idempotency-replayed'), 'true');
    t.same(await again.json(), reply, 'the same request again gets the same answer');
  }
}

/** Writes an answer into the document. */
function renew(path: string, { block, command }: CurlStep, status: number, answer: unknown): void {
  const [, before = '', shown = ''] = /^(.*```json\n)([^`]+)```$/s.exec(block) ?? [];
  const head = before.replace(/Answer `\d{3}`:\n(?=```json\n$)/, `Answer \`${status}\`:\n`);
  const file = join(root, path);
  const text = readFileSync(file, 'utf8');
  if (!text.includes(block)) throw new Error(`${path} no longer has the step ${command}`);
  writeFileSync(
    file,
    text.replace(block, () => `${head}${renewedAnswer(shown, answer)}\`\`\``),
  );
}

/** Does what curl would do with the few options that the documents use. */
function runCurl(command: string, url: string): Promise<Response> {
  const body = /-d '([^']*)'/.exec(command)?.[1];
  const headers = [...command.matchAll(/-H '([^:']+): ([^']*)'/g)].map(
    ([, name = '', value = '']): [string, string] => [name, value],
  );
  const path = /http:\/\/127\.0\.0\.1:3000(\/[^\s']+)/.exec(command)?.[1] ?? '';
  const method = /-X (\w+)/.exec(command)?.[1] ?? 'GET';
  return fetch(url + path, { method, headers, ...(body === undefined ? {} : { body }) });
}

/** Reads only a number of characters besides the comments of a stream, and closes the connection. */
async function beginningOf(response: Response, length: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of response.body ?? []) {
    text = (text + decoder.decode(chunk, { stream: true })).replaceAll(/^:\n\n/gm, '');
    if (text.length >= length) break;
  }
  return text.slice(0, length);
}
