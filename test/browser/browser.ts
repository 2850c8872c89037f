// A real Chromium for tests: the one of the system, or the one that BROWSER names.
import { type Browser, chromium } from 'playwright-core';
import { isExecutable, programPath } from '../support/process/program-path.js';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];

/** Path of the browser; null if there is none. */
export function browserPath(): string | null {
  const { BROWSER } = process.env;
  if (BROWSER !== undefined && isExecutable(BROWSER)) return BROWSER;
  return NAMES.map(programPath).find((path) => path !== undefined) ?? null;
}

/** Whether tests are skipped, with the reason. */
export const withoutBrowser: string | false =
  browserPath() === null ? 'there is no Chromium on this machine; BROWSER can name one' : false;

/** Starts the browser. Chromium refuses its sandbox to root. */
export function launchBrowser(): Promise<Browser> {
  const isRoot = process.getuid?.() === 0;
  return chromium.launch({ executablePath: browserPath() ?? '', args: isRoot ? ['--no-sandbox'] : [] });
}
