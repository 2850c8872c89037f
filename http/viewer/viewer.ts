// The page /docs, where a person reads and tries the API in a browser: its HTML. `start.ts` starts it there.
import { FAVICON } from './page.js';

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
