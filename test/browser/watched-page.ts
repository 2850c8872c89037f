// A page of the dashboard under observation: everything that it requests, sends, logs and stores is kept, so that a test can say at
// its end that nothing went elsewhere, nothing was complained about and no key was left behind.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Result } from 'axe-core';
import type { Browser, BrowserContextOptions, Page, Request } from 'playwright-core';
import t, { type Test } from 'tap';
import { launchBrowser } from './browser.js';

/** Only a hang takes as long. */
export const HANG_MS = 60_000;

export const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } as const;

export interface WatchedPage {
  readonly page: Page;
  /** Addresses of all requests and WebSockets. */
  readonly addresses: readonly string[];
  readonly requests: readonly Request[];
  /** Errors and warnings of the console, exceptions, and violations of the policy. */
  readonly complaints: string[];
  /** Everything that the console has said. */
  readonly said: readonly string[];
}

export interface PageOptions extends BrowserContextOptions {
  /** Whether the test can let the time of the page pass; it runs by itself as well. */
  readonly hasOwnClock?: boolean;
  /** Whether the page can draw with WebGL; by default it can. */
  readonly hasWebGl?: boolean;
}

let launched: Promise<Browser> | undefined;

/** The browser of this process, which ends with its tests. */
function theBrowser(): Promise<Browser> {
  if (launched === undefined) {
    launched = launchBrowser();
    t.teardown(async () => (await launched)?.close());
  }
  return launched;
}

/** What a driver that draws in software says about its speed. */
const OF_DRIVER = /GL Driver Message \(OpenGL, Performance/;

const WITHOUT_WEBGL = `{
  const { getContext } = HTMLCanvasElement.prototype;
  HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
    return kind.startsWith('webgl') ? null : getContext.call(this, kind, ...rest);
  };
}`;

/** Opens a page of its own context, which shares nothing with others, and shows an address in it. */
export async function openPage(
  t: Test,
  address: string,
  { hasOwnClock = false, hasWebGl = true, ...options }: PageOptions = {},
): Promise<WatchedPage> {
  const browser = await theBrowser();
  const context = await browser.newContext({ colorScheme: 'dark', reducedMotion: 'reduce', ...options });
  if (hasOwnClock) await context.clock.install();
  if (!hasWebGl) await context.addInitScript(WITHOUT_WEBGL);
  t.teardown(() => context.close());
  const page = await context.newPage();
  page.setDefaultTimeout(Number(process.env['HANG_MS'] ?? HANG_MS));
  const addresses: string[] = [];
  const requests: Request[] = [];
  const complaints: string[] = [];
  const said: string[] = [];
  page.on('request', (request) => {
    addresses.push(request.url());
    requests.push(request);
  });
  page.on('websocket', (socket) => addresses.push(socket.url()));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    said.push(message.text());
    if (['error', 'warning'].includes(message.type()) && !OF_DRIVER.test(message.text()))
      complaints.push(message.text());
  });
  await page.goto(address);
  return { page, addresses, requests, complaints, said };
}

/** Tests that a page has asked no other host for anything and that the console stayed empty. */
export function behaved(t: Test, { addresses, complaints }: WatchedPage, url: string): void {
  const { host } = new URL(url);
  const isOwn = (address: string): boolean => address.startsWith('data:') || hostOf(address) === host;
  t.same(
    addresses.filter((address) => !isOwn(address)),
    [],
    'no other host is asked',
  );
  t.same(complaints, [], 'the console stays empty');
}

function hostOf(address: string): string {
  // The address of a blob contains the origin that has made it.
  return new URL(address.replace(/^blob:/, '')).host;
}

/** Everything that a page leaves behind, as one text: address, history, cookies and storage. */
export async function leftBehind({ page }: WatchedPage): Promise<string> {
  const inPage = await page.evaluate(
    'JSON.stringify([location.href, document.referrer, document.cookie, localStorage, sessionStorage, history.state, document.title, performance.getEntries().map(({ name }) => name)])',
  );
  return JSON.stringify([inPage, await page.context().storageState({ indexedDB: true })]);
}

/** Tests that a page does not scroll sideways. */
export async function fits(t: Test, { page }: WatchedPage, name: string): Promise<void> {
  const widths = (await page.evaluate('[document.documentElement.scrollWidth, innerWidth]')) as [number, number];
  t.ok(widths[0] <= widths[1], `${name} fits into the width of the screen: ${widths.join(' of ')}`);
  const wide = await page.evaluate(`(() => {
    const main = document.querySelector('main');
    return main === null ? 0 : main.scrollWidth - main.clientWidth;
  })()`);
  t.equal(wide, 0, `${name} does not scroll sideways`);
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The rules of axe about colours. */
const ABOUT_COLOURS = ['color-contrast', 'link-in-text-block'];

/**
 * Violations that keep people from using a page. The policy of the page does not hold back what a debugger evaluates.
 *
 * @param about whether everything is examined, or only what differs between two themes
 */
export async function violations({ page }: WatchedPage, about: 'everything' | 'colours'): Promise<string[]> {
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(AXE);
  const options = about === 'colours' ? { runOnly: ABOUT_COLOURS } : {};
  const found = (await page.evaluate(
    `axe.run(document, ${JSON.stringify({ ...options, resultTypes: ['violations'] })})`,
  )) as { violations: Result[] };
  return found.violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(
      ({ id, nodes }) =>
        `${id}: ${nodes
          .map(({ html }) => html.slice(0, 120))
          .slice(0, 3)
          .join(' | ')}`,
    );
}
