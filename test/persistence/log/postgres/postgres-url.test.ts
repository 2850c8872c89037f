// The URL of a world in PostgreSQL and what is shown of it. No server is needed.
import t from 'tap';
import { withoutSecrets } from '../../../../cli/commands/options.js';
import { parsePostgresUrl } from '../../../../persistence/log/postgres/postgres-url.js';
import { shownStoreUrl, storeAt, UnknownStore } from '../../../../persistence/store-url.js';

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
    ['postgres://u:geheim@h/d?schema=x', /a parameter that is not known/],
    ['postgres:/u:geheim@h/d', /must begin with postgres:\/\//],
    [' postgres://u:geheim@h/d', /must begin with postgres:\/\//],
    ['postgress://h/d', /cannot be kept at postgress/],
    ['postgress://u:geheim@h/d', /must begin with postgres:\/\//],
    ['u:geheim@h/d', /must begin with postgres:\/\//],
    ['host=h password=geheim', /must begin with postgres:\/\//],
    ['postgres://u:12/geheim@h', /has an @ after its host/],
    ['postgres://u:12/d?geheim@h', /has an @ after its host/],
    ['postgres://u:12/geheim%40h', /has an @ after its host/],
    ['postgres://u%3Ageheim%40h/d', /has an @ after its host/],
    ['postgres://u%3Ageheim@h/d', /has a : or @ in it/],
    ['postgres://u@h/d?password=geheim', /a parameter that is not known/],
    ['postgres://u@h/d?geheim', /a parameter that is not known/],
    ['file://u:geheim@h/d', /must begin with postgres:\/\//],
    ['file://h/d', /does not name a folder/],
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
  for (const shown of ['./data', 'file:///data', 'file:///a@b', '/data:x@y', './data:x@y'])
    t.equal(shownStoreUrl(shown), shown);
  t.end();
});

const PASSWORD = 'Geheim7';

/** URLs with a password, most of them malformed: everything that may stand at each place, in all combinations. */
function* urlsWithPassword(): Generator<string> {
  const schemes = [
    'postgres://',
    'PostgreSQL://',
    'postgres:/',
    'postgres:',
    ' postgres://',
    'postgress://',
    'file://',
    '',
  ];
  const users = ['u', '', 'u%3Ax', 'u u', 'a@b'];
  const passwords = ['', '12/', 'a?', '#', '@', '%', '%40', ' ', ':', "'", '1,', '\n', '[', '\\']
    .flatMap((character) => [`${character}${PASSWORD}`, `${PASSWORD}${character}`])
    .concat([...PASSWORD].map((character) => `%${character.charCodeAt(0).toString(16)}`).join(''));
  const hosts = ['@h', '@', '@h:x', '@h,', '%40h', '@h:5432'];
  const ends = ['/d', '', '/', '/d/e', '/d?world=A', '/d?x=y', '/d#e'];
  for (const scheme of schemes)
    for (const user of users)
      for (const password of passwords)
        for (const host of hosts) for (const end of ends) yield `${scheme}${user}:${password}${host}${end}`;
  for (const user of ['', 'u@'])
    for (const query of [`password=${PASSWORD}`, PASSWORD, `world=w;password=${PASSWORD}`, `sslmode=${PASSWORD}`])
      yield `postgres://${user}h/d?${query}`;
  yield `host=h password=${PASSWORD}`;
  yield `host=h password = '${PASSWORD}'`;
}

t.test('a login where another option expects something else is not repeated', (t) => {
  const wrong = (value: string): string =>
    withoutSecrets(`error: option '--port <number>' argument '${value}' is invalid. It must be a whole number.`);
  for (const url of ['postgres://u:geheim@h/d', 'http://u:ge/heim@h', 'u:geheim%40h'])
    t.equal(wrong(url), "error: option '--port <number>' argument '…' is invalid. It must be a whole number.");
  t.match(wrong('2000-01-01T00:00'), "'2000-01-01T00:00'");
  t.end();
});

t.test('no text that is shown of a URL has its password, however malformed it is', (t) => {
  const shows = (text: string): boolean => decodedText(text).includes(PASSWORD);
  const found: string[] = [];
  let refused = 0;
  for (const url of urlsWithPassword()) {
    const shown = [shownStoreUrl(url)];
    try {
      const store = storeAt(url);
      shown.push(store.label, store.name);
    } catch (error) {
      if (!(error instanceof UnknownStore)) throw error;
      refused += 1;
      shown.push(error.message);
      for (const what of [`argument '${url}' is invalid.`, `value '${url}' from env 'GALAXYD_DATA' is invalid.`])
        shown.push(withoutSecrets(`error: option '--data <place>' ${what} ${error.message}`));
    }
    shown.push(
      withoutSecrets(`error: unknown command '${url}'`),
      withoutSecrets(`error: unknown option '--dta=${url}'`),
    );
    if (shown.some(shows)) found.push(`${JSON.stringify(url)} shows ${shown.find(shows)}`);
  }
  t.same(found.slice(0, 20), []);
  t.ok(refused > 5_000, 'nearly all of them are refused');
  t.end();
});

function decodedText(text: string): string {
  return text.replace(/%([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}
