// The page /dashboard, where people watch the world: its HTML. The folder dashboard/ is what runs in it (decision 23).
import { FAVICON, PAGE_POLICY } from './page.js';

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
