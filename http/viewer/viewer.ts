// The page /docs, where a person reads and tries the API in a browser: its HTML, the files that it loads, and the
// headers that keep it from loading anything else.
import { readFileSync } from 'node:fs';
import type { ExtraHeaders } from '../exchange/exchange.js';
import { VIEWER_MAX_AGE_SECONDS } from '../limits.js';
import { contentVersion } from '../views/content-version.js';

/** A file of the viewer, compressed with gzip, as every browser accepts it. */
export interface ViewerFile {
  readonly bytes: Uint8Array;
  /** Differs whenever the file differs, also from process to process. */
  readonly version: string;
}

export const VIEWER_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>galaxyd: the HTTP interface</title>
<link rel="icon" href="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 2 2'%3E%3Ccircle cx='1' cy='1' r='1' fill='%23246'/%3E%3C/svg%3E">
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

/** Nothing from elsewhere is loaded, run or asked; nobody may put the page into a frame. */
export const VIEWER_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

const SAFETY_HEADERS: ExtraHeaders = [
  'content-security-policy',
  VIEWER_POLICY,
  'x-content-type-options',
  'nosniff',
  'referrer-policy',
  'no-referrer',
];

/** The headers of the page itself, which names its files and is asked for anew each time. */
export const PAGE_HEADERS: ExtraHeaders = [...SAFETY_HEADERS, 'cache-control', 'no-cache'];

/** The headers of a file that the page loads. */
export const FILE_HEADERS: ExtraHeaders = [
  ...SAFETY_HEADERS,
  'content-encoding',
  'gzip',
  'cache-control',
  `max-age=${VIEWER_MAX_AGE_SECONDS}`,
];

/** Reads a file that the build has put beside this one, once. @throws Error if the build did not */
export function viewerFile(name: 'viewer.js' | 'viewer.css'): ViewerFile {
  const known = files.get(name);
  if (known !== undefined) return known;
  const bytes = readFileSync(new URL(`${name}.gz`, import.meta.url));
  const file = { bytes, version: contentVersion(bytes) };
  files.set(name, file);
  return file;
}

const files = new Map<string, ViewerFile>();
