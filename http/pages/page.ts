// What the pages /docs and /dashboard share: the headers that keep a page from loading anything else, and the files that the
// build has packed for it.
import { readFileSync } from 'node:fs';
import { contentVersion } from '../exchange/entity-tags.js';
import type { ExtraHeaders } from '../exchange/exchange.js';

/** A file of a page. */
export interface PageFile {
  /** Compressed with gzip. */
  readonly bytes: Uint8Array;
  /** Differs whenever the file differs, also from process to process. */
  readonly version: string;
}

/** Where the build puts each file, seen from this one. */
const PLACES = {
  'viewer.js': './viewer.js.gz',
  'viewer.css': './viewer.css.gz',
  'dashboard.js': '../../dashboard/dashboard.js.gz',
  'dashboard.css': '../../dashboard/dashboard.css.gz',
} as const;

export type PageFileName = keyof typeof PLACES;

const FAVICON = `<link rel="icon" href="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 2 2'%3E%3Ccircle cx='1' cy='1' r='1' fill='%23246'/%3E%3C/svg%3E">`;

/** Nothing from elsewhere is loaded, run or asked; nobody may put the page into a frame. */
export const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/**
 * The headers of a page and of its files: a browser asks each time whether they have changed, so that they always fit together.
 *
 * @param policy what the page may load
 */
export function pageHeaders(policy: string): ExtraHeaders {
  return [
    'content-security-policy',
    policy,
    'x-content-type-options',
    'nosniff',
    'referrer-policy',
    'no-referrer',
    'cache-control',
    'no-cache',
  ];
}

/** The headers of a file that a page loads, as it is and compressed. */
export const FILE_HEADERS: ExtraHeaders = [...pageHeaders(PAGE_POLICY), 'vary', 'accept-encoding'];
export const COMPRESSED_FILE_HEADERS: ExtraHeaders = [...FILE_HEADERS, 'content-encoding', 'gzip'];

/** Whether a client takes gzip (RFC 9110, section 12.5.3). @param acceptEncoding null if the request has none: any coding may be sent */
export function acceptsGzip(acceptEncoding: string | null): boolean {
  if (acceptEncoding === null) return true;
  const weights = new Map<string, number>();
  for (const item of acceptEncoding.toLowerCase().split(',')) {
    const [coding = '', weight = ''] = item.split(';').map((part) => part.trim());
    weights.set(coding, weight.startsWith('q=') ? Number(weight.slice(2)) : 1);
  }
  return (weights.get('gzip') ?? weights.get('x-gzip') ?? weights.get('*') ?? 0) > 0;
}

/** Reads a file that the build has packed, once. @throws Error if the build did not */
export function pageFile(name: PageFileName): PageFile {
  const known = files.get(name);
  if (known !== undefined) return known;
  const bytes = readFileSync(new URL(PLACES[name], import.meta.url));
  const file = { bytes, version: contentVersion(bytes) };
  files.set(name, file);
  return file;
}

const files = new Map<PageFileName, PageFile>();

export const VIEWER_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>galaxyd: the HTTP interface</title>
${FAVICON}
<link rel="stylesheet" href="/docs/viewer.css">
</head>
<body>
<div id="viewer" data-document="/openapi.json"></div>
<noscript>This page needs JavaScript. <a href="/openapi.json">The OpenAPI document</a> and <a href="/llms.txt">the text for
language models</a> do not.</noscript>
<script src="/docs/viewer.js"></script>
</body>
</html>
`;

/** No text becomes HTML or a script, whatever the name of a player: the browser refuses it, even if the page had a fault. */
export const DASHBOARD_POLICY = `${PAGE_POLICY}; require-trusted-types-for 'script'; trusted-types 'none'`;

export const DASHBOARD_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="dark light">
<title>galaxyd</title>
${FAVICON}
<link rel="stylesheet" href="/dashboard/dashboard.css">
</head>
<body>
<div id="dashboard"></div>
<noscript>The dashboard needs JavaScript. <a href="/api/leaderboard">The leaderboard</a>, <a href="/api/status">the status of the
world</a> and all other documents of <a href="/openapi.json">the interface</a> do not.</noscript>
<script src="/dashboard/dashboard.js"></script>
</body>
</html>
`;
