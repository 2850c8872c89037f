// What a client can tell apart between the native server and the JavaScript one, for docs/api.md. Everything that is not
// listed here is the same, and the HTTP tests run over both.

export const SERVER_DIFFERENCES = `## The two servers

On releases of Node for which the installed uWebSockets.js holds a native part, that part carries the requests; on others,
or with \`UWS_USE_FALLBACK=1\`, a JavaScript server does. \`GET /api/status\` tells which in \`http\`. Replies of the game are
the same. These are the differences:

| | native | JavaScript |
|---|---|---|
| two Content-Length, Content-Length with Transfer-Encoding, a Content-Length that is no number, an unknown method | connection closed without a reply | \`400\` without a body, closed |
| a Transfer-Encoding other than \`chunked\` | connection closed without a reply | the same |
| malformed head: no Host, space before a colon, folded lines, NUL | no reply, closed after 10 s | \`400\` without a body, closed |
| more than 50 header fields | no reply, closed after 10 s | accepted |
| a head of more than 16 KiB | accepted where it comes in one piece | \`431\` without a body, closed |
| HTTP/1.0 | no reply, closed after 10 s | answered, closed |
| absolute-form target, \`OPTIONS *\` | no reply, closed after 10 s | \`404\` |
| \`CONNECT\` | \`405\` | connection closed without a reply |
| a request that stays incomplete for 10 s | closed without a reply | \`408\` without a body, closed within 40 s |
| pipelined commands | connection closed without a reply | answered in order |
| pipelined reads by a client that does not read | connection closed | not read any further |
| headers beside those of the game | \`Date\`, \`uWebSockets\` | \`Date\`, \`Connection\`, \`Keep-Alive\` |

Behind a proxy, let it normalise requests, and do not rely on it to block paths.`;
