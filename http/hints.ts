// Sentences for the operator that more than one place tells.

/** Told at start and in GET /api/status where the native server could not be loaded. */
export const JAVASCRIPT_SERVER_HINT =
  'Requests are carried by a JavaScript server, since the installed uWebSockets.js has no native part for this release of Node. ' +
  'It is correct but slower. For the native part run Node 20, or put the official release in place: ' +
  'npm install uWebSockets.js@uNetworking/uWebSockets.js#v20.67.0 (see README).';
