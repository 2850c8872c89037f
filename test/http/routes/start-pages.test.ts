// Where newcomers begin: the links of GET /, the page /docs with its files, /llms.txt and /asyncapi.json, over a real port. What a browser
// makes of /docs is in test/browser.
import t from 'tap';
import { DASHBOARD_PAGE, DASHBOARD_POLICY, PAGE_POLICY, VIEWER_PAGE } from '../../../http/pages/page.js';
import type { StartBody } from '../../../http/schemas/world.js';
import { VERSION } from '../../../http/version.js';
import { defaultTransport } from '../../../http/world-server.js';
import { CUSTOM } from '../../support/custom-rules.js';
import { begin } from '../support/serving.js';
import '../../support/ended-fetch.js';

const VIEWER_FILES = ['/docs/viewer.js', '/docs/viewer.css'];
const DASHBOARD_FILES = ['/dashboard/dashboard.js', '/dashboard/dashboard.css'];

t.test('GET / links to what exists', async (t) => {
  const { client } = await begin(t);
  const { version, links } = await client.read<StartBody>('/');
  t.equal(version, VERSION);
  for (const [name, path] of Object.entries(links)) {
    t.equal((await client.request('GET', path)).status, 200, `${name}: ${path}`);
  }
});

t.test(
  'the pages and their files may load nothing from elsewhere, and are asked for again only if they changed',
  async (t) => {
    const { client } = await begin(t);
    for (const path of ['/docs', '/dashboard', ...VIEWER_FILES, ...DASHBOARD_FILES]) {
      const policy = path === '/dashboard' ? DASHBOARD_POLICY : PAGE_POLICY;
      const first = await client.request('GET', path);
      t.match(first.headers, {
        'content-security-policy': policy,
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cache-control': 'no-cache',
      });
      const tag = first.headers['etag'] ?? '';
      const again = await client.request('GET', path, { headers: { 'if-none-match': tag } });
      t.match(again, { status: 304, text: '', headers: { etag: tag, 'content-security-policy': policy } }, path);
      const head = await client.request('HEAD', path);
      t.match(head, { status: 200, text: '', headers: { etag: tag, 'content-type': first.headers['content-type'] } });
    }
    const references = [...(VIEWER_PAGE + DASHBOARD_PAGE).matchAll(/(?:src|href|data-document)="([^"]+)"/g)].map(
      ([, target = '']) => target,
    );
    t.ok([...VIEWER_FILES, ...DASHBOARD_FILES].every((path) => references.includes(path)));
    for (const target of references.filter((target) => !target.startsWith('data:'))) {
      t.equal((await client.request('GET', target)).status, 200, target);
    }
  },
);

for (const transport of new Set([defaultTransport(), 'javascript'] as const)) {
  t.test(
    `the ${transport} server sends the files of the pages compressed, with our start behind the viewer`,
    async (t) => {
      const { port, client } = await begin(t, { server: { transport } });
      const [script = '', style = '', dashboard = '', dashboardStyle = ''] = await Promise.all(
        [...VIEWER_FILES, ...DASHBOARD_FILES].map(async (path) => {
          const reply = await fetch(`http://127.0.0.1:${port}${path}`);
          t.equal(reply.headers.get('content-encoding'), 'gzip');
          return reply.text();
        }),
      );
      t.match(script, 'SwaggerUIBundle=');
      t.match(script.slice(-1_500), /SwaggerUIBundle\(\{.*validatorUrl: null/s);
      t.match(style, '.swagger-ui');
      t.match(dashboard, 'galaxyd.v1', 'the dashboard brings the client of the API along');
      t.match(dashboardStyle, 'prefers-reduced-motion');
      for (const text of [script, style, dashboard, dashboardStyle]) t.notMatch(text, 'sourceMappingURL');
      for (const [accepted, coding] of [
        ['gzip, deflate, br', 'gzip'],
        ['x-gzip;q=0.5', 'gzip'],
        ['*', 'gzip'],
        ['identity', undefined],
        ['gzip;q=0, *', undefined],
        ['br', undefined],
        ['', undefined],
      ] as const) {
        const headers = { 'accept-encoding': accepted };
        const reply = await client.send('GET', '/dashboard/dashboard.css', { headers });
        t.equal(reply.headers['content-encoding'], coding, accepted);
        t.equal(reply.headers['vary'], 'accept-encoding');
        if (coding === undefined) t.equal(reply.text, dashboardStyle);
      }
    },
  );
}

for (const [path, name] of [
  ['/llms.txt', (type: string) => `| ${type} |`],
  ['/asyncapi.json', (type: string) => `"${type}"`],
] as const) {
  t.test(`${path} follows the rules of the world`, async (t) => {
    const { client, admin } = await begin(t);
    const first = await client.request('GET', path);
    t.match(first.text, name('iron_mine'));
    t.notMatch(first.text, name('smelter'));
    await admin.command('/api/admin/rules', CUSTOM);
    const second = await client.readAgain(path, first);
    t.equal(second.status, 200);
    t.match(second.text, name('smelter'));
  });
}
