// `galaxyd admin`: sends a request of the operator, as the table of routes has it, and prints the reply.
import { readFile } from 'node:fs/promises';
import type { Route } from '../../http/pipeline/route.js';
import { ROUTES } from '../../http/routes/table.js';
import { asError } from '../../persistence/fatal.js';
import { parsedJson } from '../../text/foreign-text.js';
import type { AdminFlags } from '../commands/admin.js';
import { printResult } from '../commands/command.js';
import { NotThere, WrongUsage } from '../commands/exit-codes.js';
import { ADMIN_KEY_VARIABLE } from '../commands/options.js';
import { ADMIN_DEADLINE_MS, LEADERS_FOLLOWED_MAX } from '../limits.js';

const OPERATIONS: readonly Route[] = ROUTES.filter(({ access }) => access === 'admin');

/** @throws WrongUsage, or NotThere if it was refused or there is no server */
export async function adminRequest(
  operationId: string | undefined,
  parameters: readonly string[],
  flags: AdminFlags,
): Promise<void> {
  if (operationId === undefined) {
    const listed = OPERATIONS.map(({ operationId, method, path, summary }) => ({ operationId, method, path, summary }));
    printResult(flags, listed, () => OPERATIONS.flatMap(lines));
    return;
  }
  const route = OPERATIONS.find((known) => known.operationId === operationId);
  if (route === undefined) throw new WrongUsage(`there is no operation ${operationId}; galaxyd admin lists them`);
  const reply = await send(route, urlOf(route, parameters, flags), bodyOf(route, flags), await keyOf(flags));
  printResult(flags, reply, () => JSON.stringify(reply, null, 2).split('\n'));
}

function lines({ operationId, path, summary, parameters, query, body }: Route): string[] {
  const members = body === null ? query.map(({ name }) => name) : membersOf(body.schema);
  const sets = members.length === 0 ? '' : ` (${members.join(', ')})`;
  const words = [operationId, ...parameters.map(({ name }) => name.toUpperCase())].join(' ');
  return [`${words}${sets}`, `    ${path}: ${summary}`];
}

/** The members that a body may have, of all its forms. */
function membersOf(schema: object): string[] {
  const { properties = {}, anyOf = [] } = schema as {
    readonly properties?: object;
    readonly anyOf?: readonly object[];
  };
  return [...new Set([...Object.keys(properties), ...anyOf.flatMap(membersOf)])];
}

/** @throws WrongUsage */
function urlOf(
  { operationId, path, parameters: rules, method }: Route,
  parameters: readonly string[],
  flags: AdminFlags,
): string {
  if (parameters.length !== rules.length) {
    const words = ['galaxyd admin', operationId, ...rules.map(({ name }) => name.toUpperCase())].join(' ');
    throw new WrongUsage(`write ${words}, and name everything else with --set name=value`);
  }
  let next = 0;
  const filled = path.replace(/:[^/]+/g, () => {
    next += 1;
    return encodeURIComponent(parameters[next - 1] as string);
  });
  const query = method === 'GET' ? new URLSearchParams(flags.set.map((text) => pairOf(text))).toString() : '';
  return `${flags.server}${filled}${query === '' ? '' : `?${query}`}`;
}

/** @throws WrongUsage */
function bodyOf({ method, operationId }: Route, { body, set }: AdminFlags): string | undefined {
  if (method === 'GET') {
    if (body !== undefined)
      throw new WrongUsage(`${operationId} reads, and has no body; name its parameters with --set`);
    return undefined;
  }
  const given = body === undefined ? {} : parsedJson(body);
  if (typeof given !== 'object' || given === null) throw new WrongUsage('--body must be a JSON object');
  const members = set.map((text): [string, unknown] => {
    const [name, value] = pairOf(text);
    const read = parsedJson(value);
    return [name, read === undefined ? value : read];
  });
  return JSON.stringify({ ...given, ...Object.fromEntries(members) });
}

/** @throws WrongUsage */
function pairOf(text: string): [string, string] {
  const at = text.indexOf('=');
  if (at < 1) throw new WrongUsage(`--set must be name=value, and not ${text}`);
  return [text.slice(0, at), text.slice(at + 1)];
}

/** @throws WrongUsage */
async function keyOf({ keyFile }: AdminFlags): Promise<string> {
  const key =
    keyFile === undefined ? (process.env[ADMIN_KEY_VARIABLE] ?? '') : (await readFile(keyFile, 'utf8')).trim();
  if (/^[!-~]+$/.test(key)) return key;
  throw new WrongUsage(
    `${keyFile ?? ADMIN_KEY_VARIABLE} does not hold an admin key: the one of galaxyd serve --admin-key, or one that galaxyd admin-key new has made`,
  );
}

/** Follows a process that does not lead to the one that does. */
async function send(
  { method, operationId }: Route,
  url: string,
  body: string | undefined,
  key: string,
): Promise<unknown> {
  let place = url;
  for (let hop = 0; hop <= LEADERS_FOLLOWED_MAX; hop += 1) {
    const headers = {
      authorization: `Bearer ${key}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    };
    const signal = AbortSignal.timeout(ADMIN_DEADLINE_MS);
    const init = { method, headers, signal, redirect: 'error' as const, ...(body === undefined ? {} : { body }) };
    const response = await fetch(place, init).catch((error: unknown) => {
      throw new NotThere(
        `${place} did not answer: ${reasonOf(error)}; is the server running? --server names another one`,
      );
    });
    const location = response.headers.get('location');
    const text = await response.text();
    if (response.ok) return parsedJson(text);
    if (response.status !== 421 || location === null) throw new NotThere(refusal(operationId, response.status, text));
    place = location;
  }
  throw new NotThere(`${url} leads from one process to another, and none of them leads the world`);
}

/** Why fetch() failed: its cause says more than its message. */
function reasonOf(thrown: unknown): string {
  const { message, cause } = asError(thrown);
  return (cause instanceof Error && cause.message) || message;
}

function refusal(operationId: string, status: number, text: string): string {
  const { code, detail } = (parsedJson(text) ?? {}) as { readonly code?: unknown; readonly detail?: unknown };
  return `${operationId} was refused with ${status}${code === undefined ? '' : ` ${code}`}: ${detail ?? 'no reason is given'}`;
}
