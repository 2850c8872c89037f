// The URL of a world in PostgreSQL, what is shown of it, and the password file. No server is needed.
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { passwordInFile } from '../../persistence/log/postgres/password-file.js';
import { parsePostgresUrl } from '../../persistence/log/postgres/postgres-url.js';
import { shownStoreUrl, storeAt } from '../../persistence/store-url.js';
import { temporaryFolder } from './temporary-folder.js';

t.test('a URL names hosts, user, database and world', (t) => {
  t.match(parsePostgresUrl('postgres://me:p%40ss%2F@db:6000,[::1],db3/space%20war?world=w_1&sslmode=require'), {
    hosts: [
      { host: 'db', port: 6000 },
      { host: '::1', port: 5432 },
      { host: 'db3', port: 5432 },
    ],
    user: 'me',
    password: 'p@ss/',
    database: 'space war',
    world: 'w_1',
    tls: 'require',
  });
  t.match(parsePostgresUrl('PostgreSQL://u@%2Frun%2Fpostgresql/d'), {
    hosts: [{ host: '/run/postgresql', port: 5432 }],
    password: undefined,
    world: 'galaxyd',
    tls: 'disable',
  });
  t.equal(parsePostgresUrl('postgres://u:a:b@h/d').password, 'a:b');
  t.end();
});

t.test('a URL that names no place is refused in a sentence that does not repeat it', (t) => {
  const rows: [url: string, reason: RegExp][] = [
    ['postgres://', /must look like/],
    ['postgres://u:geheim@h', /must look like/],
    ['postgres://u:geheim@h/', /must look like/],
    ['postgres://u:geheim@h/a/b', /must look like/],
    ['postgres://u:geheim@/d', /names no host/],
    ['postgres://u:geheim@h,/d', /names no host/],
    ['postgres://u:geheim@h:0/d', /not host\[:port\]/],
    ['postgres://u:geheim@h:65536/d', /not host\[:port\]/],
    ['postgres://u:geheim@h:p/d', /not host\[:port\]/],
    [`postgres://u:geheim@${'h,'.repeat(16)}h/d`, /17 hosts, and 16/],
    ['postgres://u:geheim%@h/d', /percent signs of its password/],
    ['postgres://u:geheim@h/d?world=', /name of its world/],
    ['postgres://u:geheim@h/d?world=A', /name of its world/],
    ['postgres://u:geheim@h/d?world=1a', /name of its world/],
    [`postgres://u:geheim@h/d?world=${'a'.repeat(41)}`, /name of its world/],
    ['postgres://u:geheim@h/d?world=a"b', /name of its world/],
    ['postgres://u:geheim@h/d?sslmode=prefer', /sslmode/],
    ['postgres://u:geheim@h/d?schema=x', /parameter schema/],
  ];
  for (const [url, reason] of rows) {
    t.throws(() => storeAt(url), { name: 'UnknownStore', message: reason }, url);
    t.notMatch(shownStoreUrl(url), /geheim/, url);
    try {
      storeAt(url);
    } catch (error) {
      t.notMatch(String(error), /geheim/, url);
    }
  }
  t.end();
});

t.test('a store of PostgreSQL shows its URL without the password', (t) => {
  const url = 'postgres://me:geheim@db:6000,db2/d?world=w';
  const store = storeAt(url);
  t.same(
    [store.label, store.name, store.url, shownStoreUrl(url)],
    ['postgres://me@db:6000,db2/d?world=w', 'w', url, 'postgres://me@db:6000,db2/d?world=w'],
  );
  for (const shown of ['./data', 'file:///data', 'C:\\data:x@y']) t.equal(shownStoreUrl(shown), shown);
  t.end();
});

t.test('the password file is that of psql', async (t) => {
  const path = join(await temporaryFolder(t), 'pgpass');
  const lines = ['# h:5432:d:u:comment', 'h:5433:*:*:other port', String.raw`h:*:d:u:a\:b\\c`, '*:*:*:*:any'];
  await writeFile(path, `${lines.join('\n')}\n`);
  await chmod(path, 0o600);
  const before = process.env['PGPASSFILE'];
  process.env['PGPASSFILE'] = path;
  t.teardown(() => {
    if (before === undefined) delete process.env['PGPASSFILE'];
    else process.env['PGPASSFILE'] = before;
  });
  const place = { user: 'u', database: 'd' };
  t.equal(await passwordInFile(place, { host: 'h', port: 5432 }), String.raw`a:b\c`);
  t.equal(await passwordInFile(place, { host: 'h', port: 5433 }), 'other port');
  t.equal(await passwordInFile(place, { host: 'i', port: 1 }), 'any');
  if (process.platform !== 'win32') {
    await chmod(path, 0o640);
    t.equal(await passwordInFile(place, { host: 'h', port: 5432 }), '', 'others can read it');
  }
  process.env['PGPASSFILE'] = `${path}-missing`;
  t.equal(await passwordInFile(place, { host: 'h', port: 5432 }), '');
});
