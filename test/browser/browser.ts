// A real Chromium for tests: the one of the system, or the one that BROWSER names.
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];

/** Path of the browser; null if there is none. */
export function browserPath(): string | null {
  const { BROWSER, PATH = '' } = process.env;
  const candidates = PATH.split(delimiter).flatMap((folder) => NAMES.map((name) => join(folder, name)));
  return [...(BROWSER === undefined ? [] : [BROWSER]), ...candidates].find(isExecutable) ?? null;
}

/** Whether tests are skipped, with the reason. */
export const withoutBrowser: string | false =
  browserPath() === null ? 'there is no Chromium on this machine; BROWSER can name one' : false;

/** Starts the browser. Chromium refuses its sandbox to root. */
export function launchBrowser(): Promise<Browser> {
  const isRoot = process.getuid?.() === 0;
  return chromium.launch({ executablePath: browserPath() ?? '', args: isRoot ? ['--no-sandbox'] : [] });
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
