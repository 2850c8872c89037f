// Messages for the operator that are used in more than one place.

/** Shown at start and in GET /api/status if Node's own HTTP server handles the requests. */
export const JAVASCRIPT_SERVER_HINT =
  'It is correct but slower than uWebSockets.js. The installed package has builds for Node 20 only. ' +
  'For the native server, run Node 20 or install the official release: ' +
  'npm install uWebSockets.js@uNetworking/uWebSockets.js#v20.67.0 (see README).';
