// A real PostgreSQL for a test, with a synchronous standby if requested: started by an unprivileged user in a folder of
// its own, stopped, killed, promoted and cut off as the test wants, and gone after it, however the test ends.
import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Test } from 'tap';
import { freePort } from '../process/free-port.js';
import type { Owner } from '../process/galaxyd-process.js';
import { HangingProxy, type HangingWay } from './hanging-proxy.js';
import { PostgresServer, type StopMode, SUPERUSER } from './postgres-server.js';
import { PostgresPrograms } from './programs.js';
import { watchServersUnder } from './watchdog.js';

export interface PostgresOptions {
  /** Starts a second server that has every commit before it is acknowledged. Defaults to false. */
  readonly standby?: boolean;
  /** Further lines of postgresql.conf, of both servers. */
  readonly settings?: readonly string[];
}

/** The role that galaxyd uses: it owns its database and has no other right. */
export const USER = 'galaxyd';
export const PASSWORD = 'secret-of-a-test';
export const DATABASE = 'world';

/** The database that PostgreSQL copies by default. */
const EMPTY = 'template1';
const STANDBY_NAME = 'standby';
const ASK_EVERY_MS = 10;
const STANDBY_DEADLINE_MS = 60_000;
const SETTINGS = [
  "listen_addresses = '127.0.0.1'",
  "unix_socket_directories = ''",
  'shared_buffers = 16MB',
  'max_connections = 60',
  'max_wal_senders = 4',
  // Its files are in the data directory, where nothing is left over after SIGKILL.
  'dynamic_shared_memory_type = mmap',
  'wal_retrieve_retry_interval = 200ms',
];
const ACCESS = [`host all,replication ${SUPERUSER} 127.0.0.1/32 trust`, 'host all all 127.0.0.1/32 scram-sha-256'];

/**
 * Starts PostgreSQL for a test.
 *
 * @returns null if it is not installed; then the test is skipped with the reason
 */
export async function startPostgres(t: Test, options: PostgresOptions = {}): Promise<Postgres | null> {
  const programs = PostgresPrograms.find();
  if (programs instanceof PostgresPrograms) return await Postgres.start(t, programs, options);
  t.pass('not tested', { skip: programs });
  return null;
}

export class Postgres {
  readonly #owner: Owner;
  readonly #programs: PostgresPrograms;
  readonly #home: string;
  readonly #settings: readonly string[];
  readonly #ports: number[] = [];
  #primary: PostgresServer;
  #standby: PostgresServer | null = null;
  #serverCount = 0;

  private constructor(
    owner: Owner,
    programs: PostgresPrograms,
    home: string,
    port: number,
    settings: readonly string[],
  ) {
    this.#owner = owner;
    this.#programs = programs;
    this.#home = home;
    this.#settings = settings;
    this.#primary = this.#server(port);
  }

  /** Starts it and creates the role and the database of galaxyd. */
  static async start(
    owner: Owner,
    programs: PostgresPrograms,
    { standby = false, settings = [] }: PostgresOptions = {},
  ): Promise<Postgres> {
    const home = await mkdtemp(join(tmpdir(), 'galaxyd-postgres-'));
    await programs.own(home);
    const callOff = watchServersUnder(home);
    const postgres = new Postgres(owner, programs, home, await freePort(), settings);
    owner.teardown(async () => {
      await Promise.all([postgres.#primary.stop('SIGKILL'), postgres.#standby?.stop('SIGKILL')]);
      await rm(home, { recursive: true, force: true });
      await callOff();
    });
    await postgres.#create();
    if (standby) await postgres.addStandby();
    return postgres;
  }

  /** Where both servers listen, or the only one; stays the same whichever of them is the primary. */
  get hosts(): readonly { readonly host: string; readonly port: number }[] {
    return this.#ports.map((port) => ({ host: '127.0.0.1', port }));
  }

  /** The value of `--data`: the user, the password, all hosts, the database. */
  url(world?: string): string {
    return storeUrl(this.#ports, world);
  }

  /** The same for a world in a database of its own. */
  urlIn(database: string): string {
    return storeUrl(this.#ports, undefined, database);
  }

  get primary(): PostgresServer {
    return this.#primary;
  }

  get standby(): PostgresServer | null {
    return this.#standby;
  }

  /** Runs a statement in the database of galaxyd as superuser. @returns the rows, columns separated by `|` */
  async psql(sql: string): Promise<string> {
    return await this.#primary.psql(sql, DATABASE);
  }

  /** Creates another database of galaxyd. @param template what it begins with; nobody may be connected to that */
  async createDatabase(name: string, template = EMPTY): Promise<void> {
    await this.#primary.psql(`CREATE DATABASE ${name} TEMPLATE ${template} OWNER ${USER}`, SUPERUSER);
  }

  async dropDatabase(name: string): Promise<void> {
    await this.#primary.psql(`DROP DATABASE ${name} WITH (FORCE)`, SUPERUSER);
  }

  /** Settles when galaxyd has no connection to a database any more: nothing that it has sent is still on its way. */
  async untilUnused(database: string): Promise<void> {
    const sql = `SELECT count(*) FROM pg_stat_activity WHERE usename = '${USER}' AND datname = '${database}'`;
    while ((await this.psql(sql)) !== '0') await delay(ASK_EVERY_MS);
  }

  async stopPrimary(mode: StopMode): Promise<void> {
    await this.#primary.stop(mode);
  }

  async startPrimary(): Promise<void> {
    await this.#primary.start();
  }

  async stopStandby(mode: StopMode): Promise<void> {
    await this.#standby?.stop(mode);
  }

  async startStandby(): Promise<void> {
    await this.#standby?.start();
  }

  /** The machine of the primary is gone, with its disk. */
  async losePrimary(): Promise<void> {
    await this.#primary.stop('SIGKILL');
    await this.#primary.remove();
  }

  /** Makes the standby the primary, which then has no standby. The old primary must not run. */
  async promoteStandby(): Promise<void> {
    const standby = this.#standby;
    if (standby === null) throw new Error('there is no standby');
    await standby.psql('SELECT pg_promote(true)', SUPERUSER);
    this.#standby = null;
    this.#primary = standby;
  }

  /**
   * Makes a synchronous standby from a base backup; after a promotion, at the port of the lost primary. Settles when
   * commits wait for it.
   */
  async addStandby(): Promise<void> {
    const lostPort = this.#ports.find((port) => port !== this.#primary.port);
    const standby = this.#server(lostPort ?? (await freePort()));
    const from = `host=127.0.0.1 port=${this.#primary.port} user=${SUPERUSER} application_name=${STANDBY_NAME}`;
    const how = ['--write-recovery-conf', '--wal-method=stream', '--checkpoint=fast', '--no-sync'];
    await this.#programs.run('pg_basebackup', [...how, `--pgdata=${standby.folder}`, `--dbname=${from}`], this.#home);
    this.#standby = standby;
    await standby.start();
    await this.psql(`ALTER SYSTEM SET synchronous_standby_names = '${STANDBY_NAME}'`);
    await this.psql('SELECT pg_reload_conf()');
    await this.standbyIsSynchronous();
  }

  /** Settles when commits of the primary wait for the standby and it has caught up. */
  async standbyIsSynchronous(): Promise<void> {
    const deadlineMs = performance.now() + STANDBY_DEADLINE_MS;
    const sql = "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync' AND state = 'streaming'";
    while ((await this.psql(sql)) !== '1') {
      if (performance.now() > deadlineMs) throw new Error(`the standby does not follow: ${await this.#standby?.log()}`);
      await delay(ASK_EVERY_MS);
    }
  }

  /** A way to all hosts over proxies that can stop forwarding. */
  async proxy(): Promise<ProxiedPostgres> {
    const proxies = await Promise.all(this.#ports.map((port) => HangingProxy.open(this.#owner, port)));
    return new ProxiedPostgres(proxies);
  }

  async #create(): Promise<void> {
    const primary = this.#primary;
    const how = ['--no-sync', '--auth=trust', '--encoding=UTF8', '--locale=C', `--username=${SUPERUSER}`];
    await this.#programs.run('initdb', [...how, `--pgdata=${primary.folder}`], this.#home);
    await appendFile(join(primary.folder, 'postgresql.conf'), `${[...SETTINGS, ...this.#settings].join('\n')}\n`);
    await writeFile(join(primary.folder, 'pg_hba.conf'), `${ACCESS.join('\n')}\n`);
    await primary.start();
    await primary.psql(`CREATE ROLE ${USER} LOGIN PASSWORD '${PASSWORD}'`, SUPERUSER);
    await this.createDatabase(DATABASE);
  }

  #server(port: number): PostgresServer {
    if (!this.#ports.includes(port)) this.#ports.push(port);
    this.#serverCount += 1;
    return new PostgresServer(this.#programs, this.#home, `server-${this.#serverCount}`, port);
  }
}

/** The same servers behind a network that can hang. */
export class ProxiedPostgres {
  readonly #proxies: readonly HangingProxy[];

  constructor(proxies: readonly HangingProxy[]) {
    this.#proxies = proxies;
  }

  get connectionCount(): number {
    return this.#proxies.reduce((count, proxy) => count + proxy.connectionCount, 0);
  }

  url(world?: string): string {
    const ports = this.#proxies.map(({ port }) => port);
    return storeUrl(ports, world);
  }

  /** Forwards nothing from now on; connections stay open. */
  hang(way?: HangingWay): void {
    for (const proxy of this.#proxies) proxy.hang(way);
  }

  /** Forwards what has gathered, and everything after it. */
  resume(): void {
    for (const proxy of this.#proxies) proxy.resume();
  }

  /** Breaks all connections. */
  drop(): void {
    for (const proxy of this.#proxies) proxy.drop();
  }
}

function storeUrl(ports: readonly number[], world: string | undefined, database = DATABASE): string {
  const hosts = ports.map((port) => `127.0.0.1:${port}`).join(',');
  return `postgres://${USER}:${PASSWORD}@${hosts}/${database}${world === undefined ? '' : `?world=${world}`}`;
}
