// Sentences for the operator that more than one place tells.

/** Told at start and in GET /api/status if Node's own HTTP server carries the requests. */
export const JAVASCRIPT_SERVER_HINT =
  'It is correct but slower than uWebSockets.js, of which the installed package has builds for Node 20 alone. ' +
  'For the native server run Node 20, or install the official release: ' +
  'npm install uWebSockets.js@uNetworking/uWebSockets.js#v20.67.0 (see README).';
