// Sentences for the operator that more than one place tells.

/** Told at start and in GET /api/status where the native server could not be loaded. */
export const JAVASCRIPT_SERVER_HINT =
  'Requests are carried by a JavaScript server, since the installed uWebSockets.js holds no native part for this release of Node. ' +
  'It is correct but slower. For the native part run Node 20, or install an official release of uWebSockets.js (see README).';
