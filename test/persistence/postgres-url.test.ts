// The URL of a world in PostgreSQL and what is shown of it. No server is needed.
import t from 'tap';
import { parsePostgresUrl } from '../../persistence/log/postgres/postgres-url.js';
import { shownStoreUrl, storeAt } from '../../persistence/store-url.js';

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
    ['postgres://u:geheim%@h/d', /its password is not percent-encoded/],
    ['postgres://u:geheim@h/d?world=', /name of its world/],
    ['postgres://u:geheim@h/d?world=A', /name of its world/],
    ['postgres://u:geheim@h/d?world=1a', /name of its world/],
    [`postgres://u:geheim@h/d?world=${'a'.repeat(41)}`, /name of its world/],
    ['postgres://u:geheim@h/d?world=a"b', /name of its world/],
    ['postgres://u:geheim@h/d?sslmode=prefer', /sslmode/],
    ['postgres://u:geheim@h/d?schema=x', /parameter schema/],
    ['postgres:/u:geheim@h/d', /must begin with postgres:\/\//],
    [' postgres://u:geheim@h/d', /must begin with postgres:\/\//],
    ['postgress://u:geheim@h/d', /cannot be kept at postgress/],
  ];
  for (const [url, reason] of rows) {
    t.throws(() => storeAt(url), { name: 'UnknownStore', message: reason }, url);
    if (url.startsWith('postgres://')) t.notMatch(shownStoreUrl(url), /geheim/, url);
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
