// Where a world is kept in PostgreSQL: hosts, database, user, and the schema that holds the world. Parses the URL that an
// operator gives. The password is in no text that is shown.
import { userInfo } from 'node:os';
import { POSTGRES_HOSTS_MAX } from '../../limits.js';

/** The schema of a world if the URL names none. */
const DEFAULT_WORLD = 'galaxyd';

const DEFAULT_PORT = 5432;
const WORLD_NAME = /^[a-z][a-z0-9_]{0,39}$/;
const URL_PARTS = /^postgres(?:ql)?:\/\/(?:([^@/?#]*)@)?([^@/?#]*)\/([^/?#]+)(?:\?([^#]*))?$/i;
const HOST_PARTS = /^(\[[0-9a-f:.]+\]|[^:[\]]*)(?::(\d{1,5}))?$/i;
/** An @, also a percent-encoded one. */
const AT_SIGN = /@|%40/i;

export interface PostgresHost {
  /** A name, an address, or the folder of a Unix socket. */
  readonly host: string;
  readonly port: number;
}

/** Whether the connection is encrypted, and whether the server must prove who it is. */
export type TlsMode = 'disable' | 'require' | 'verify-full';

export interface PostgresPlace {
  /** The one that accepts writes is used. */
  readonly hosts: readonly PostgresHost[];
  readonly user: string;
  /** Undefined if it is in PGPASSWORD or in the password file, or if none is needed. */
  readonly password: string | undefined;
  readonly database: string;
  /** The schema that holds the world. */
  readonly world: string;
  readonly tls: TlsMode;
  /** The complete URL, with the password if it has one. Never shown. */
  readonly url: string;
  /** The URL for operators, without the password. */
  readonly label: string;
}

/** The URL does not name a place in PostgreSQL. Its message does not repeat the URL. */
export class BadPostgresUrl extends Error {
  override readonly name = 'BadPostgresUrl';
}

export function isPostgresUrl(url: string): boolean {
  return /^postgres(ql)?:\/\//i.test(url);
}

/**
 * Parses `postgres://[user[:password]@]host[:port][,host2[:port2]…]/database[?world=NAME][&sslmode=MODE]`.
 *
 * @throws BadPostgresUrl
 */
export function parsePostgresUrl(url: string): PostgresPlace {
  const [, login, hostList, databaseText, query] = URL_PARTS.exec(url) ?? [];
  if (hostList === undefined || databaseText === undefined) {
    throw new BadPostgresUrl('it must look like postgres://user@host:5432/database?world=name');
  }
  // What stands before it is a login then, and would be shown as a host, a database or a parameter.
  if (AT_SIGN.test(`${hostList}${databaseText}${query ?? ''}`)) {
    throw new BadPostgresUrl('it has an @ after its host; in a password, percent-encode / ? # and @');
  }
  const [userText, ...passwordParts] = login === undefined ? [] : login.split(':');
  const parameters = parametersOf(query ?? '');
  const givenUser = decoded(userText ?? '', 'user');
  if (/[:@]/.test(givenUser)) throw new BadPostgresUrl('the name of its user has a : or @ in it');
  const user = givenUser || process.env['PGUSER'] || userInfo().username;
  const password = passwordParts.length === 0 ? undefined : decoded(passwordParts.join(':'), 'password');
  const hosts = hostList.split(',').map(hostOf);
  if (hosts.length > POSTGRES_HOSTS_MAX)
    throw new BadPostgresUrl(`it names ${hosts.length} hosts, and ${POSTGRES_HOSTS_MAX} are allowed`);
  const database = decoded(databaseText, 'database');
  const { world, tls } = parameters;
  const shownQuery = query === undefined || query === '' ? '' : `?${query}`;
  const label = `postgres://${userText ? `${userText}@` : ''}${hostList}/${databaseText}${shownQuery}`;
  return { hosts, user, password, database, world, tls, url, label };
}

/** The URL for operators: without its password, and nothing of one that cannot be parsed. */
export function shownPostgresUrl(url: string): string {
  try {
    return parsePostgresUrl(url).label;
  } catch (error) {
    if (error instanceof BadPostgresUrl) return 'postgres://…';
    throw error;
  }
}

function parametersOf(query: string): { readonly world: string; readonly tls: TlsMode } {
  let world = DEFAULT_WORLD;
  let tls: TlsMode = 'disable';
  for (const [name, value] of new URLSearchParams(query)) {
    if (name === 'world') world = value;
    else if (name === 'sslmode') tls = tlsModeOf(value);
    else throw new BadPostgresUrl('it has a parameter that is not known; only world and sslmode are');
  }
  if (!WORLD_NAME.test(world)) {
    throw new BadPostgresUrl(
      'the name of its world must begin with a letter and have at most 40 characters: a to z, 0 to 9 and _',
    );
  }
  return { world, tls };
}

function tlsModeOf(text: string): TlsMode {
  if (text === 'disable' || text === 'require' || text === 'verify-full') return text;
  throw new BadPostgresUrl('its sslmode must be disable, require or verify-full');
}

function hostOf(text: string): PostgresHost {
  const [, host, portText] = HOST_PARTS.exec(text) ?? [];
  const port = portText === undefined ? DEFAULT_PORT : Number(portText);
  if (host === undefined || port < 1 || port > 65_535) throw new BadPostgresUrl('one of its hosts is not host[:port]');
  if (host === '') throw new BadPostgresUrl('it names no host');
  return { host: decoded(host.replace(/^\[(.*)\]$/, '$1'), 'host'), port };
}

function decoded(text: string, part: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new BadPostgresUrl(`its ${part} is not percent-encoded correctly`);
  }
}
