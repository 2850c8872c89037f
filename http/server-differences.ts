// Where the JavaScript server, which runs on releases of Node without a native build, cannot be made to answer as the
// native one does. All of it lies below the routes: in what counts as HTTP, and how long a client is waited for. For
// docs/api.md; the HTTP tests run over both servers, and what differs there without a row here is a fault.

export interface ServerDifference {
  readonly about: string;
  readonly native: string;
  readonly javascript: string;
}

export const SERVER_DIFFERENCES = {
  brokenFraming: {
    about:
      'a request of which it is in doubt where it ends: two Content-Length, one that is no number, one beside Transfer-Encoding, a broken chunk',
    native: 'no reply, closed',
    javascript: '`400` without a body, closed',
  },
  brokenHead: {
    about: 'a malformed head: no Host, a space before a colon, folded lines, control characters, an unknown method',
    native: 'no reply, closed at once or after 10 s',
    javascript: '`400` without a body, closed',
  },
  chunkExtras: {
    about: 'chunk extensions or trailers',
    native: 'no reply to extensions; trailers are answered, and nothing after them on the connection',
    javascript: 'ignored',
  },
  chunkSeparators: {
    about: 'anything but a line end behind the data of a chunk, a space behind its size',
    native: 'accepted',
    javascript: '`400` without a body, closed',
  },
  longLength: {
    about: 'a Content-Length of more than 9 digits, zeros in front included',
    native: 'no reply, closed',
    javascript: 'accepted where the number is small enough',
  },
  fieldNames: {
    about: 'a header field whose name holds anything but letters, digits and hyphens, such as an underscore',
    native: 'no reply, closed after 10 s',
    javascript: 'accepted',
  },
  fieldCount: {
    about: 'more than 50 header fields',
    native: 'no reply, closed after 10 s',
    javascript: 'accepted',
  },
  headSize: {
    about: 'a head of more than 16 KiB',
    native: 'accepted where it comes in one piece; one that comes in pieces may have 4 KiB',
    javascript: '`431` without a body, closed',
  },
  bytesAtValueEnd: {
    about: 'bytes that are not ASCII at the end of the value of a header field, such as an Idempotency-Key',
    native: 'taken off like spaces',
    javascript: 'part of the value',
  },
  emptyFieldName: {
    about: 'a header field without a name',
    native: 'ignored',
    javascript: '`400` without a body, closed',
  },
  bytesInTarget: {
    about: 'bytes in a path that are not ASCII and not percent-encoded',
    native: '`404`',
    javascript: '`400` without a body, closed',
  },
  lenientLines: {
    about: 'an empty line before a request, two spaces in its first line, an absolute-form target, `OPTIONS *`',
    native: 'no reply, closed after 10 s',
    javascript: 'answered; absolute-form targets and `*` with `404`',
  },
  oldVersions: {
    about: 'HTTP/1.0, or no version at all',
    native: 'no reply, closed after 10 s',
    javascript: 'answered, closed',
  },
  proxyProtocol: {
    about: 'a PROXY protocol header before a request',
    native: 'taken off, without effect',
    javascript: '`400` without a body, closed',
  },
  connect: {
    about: '`CONNECT` with a path',
    native: '`405`',
    javascript: 'no reply, closed',
  },
  expectation: {
    about: 'Expect with anything but `100-continue`',
    native: 'ignored',
    javascript: '`417` without a body',
  },
  upgrade: {
    about: 'Upgrade to another protocol',
    native: 'ignored',
    javascript: 'ignored, but nothing after it on the connection is answered',
  },
  closingReply: {
    about:
      'a request whose reply ends the connection (`Connection: close`, a body that is too large, a field that came twice), and another that comes along behind it, which is never carried out',
    native: 'no reply to either, closed',
    javascript: 'the first is answered, closed',
  },
  silence: {
    about: 'a request that stays incomplete for 10 s',
    native: 'no reply, closed',
    javascript: '`408` without a body, closed within 40 s',
  },
  lateReplies: {
    about: 'what is sent behind a command or HEAD before its reply is there (pipelining)',
    native: 'no reply to any of it, closed; whether the command was carried out is unknown to its client',
    javascript: 'answered in order; but HEAD behind anything closes the connection',
  },
  bodilessReplies: {
    about: 'replies to HEAD, and 304',
    native: 'one in some 250 says `Connection: close`; what is pipelined behind it is not answered',
    javascript: 'the connection goes on',
  },
  unreadReplies: {
    about: 'pipelined reads by a client that does not read the replies',
    native: 'closed at the next request',
    javascript: 'not read any further; closed where what all clients together have not read would pass 64 MiB',
  },
  ownHeaders: {
    about: 'headers beside those of the game',
    native: '`Date`, `uWebSockets`',
    javascript: '`Date`, `Connection`, `Keep-Alive`',
  },
} as const satisfies Readonly<Record<string, ServerDifference>>;

/** The chapter of docs/api.md on the two servers. */
export function serverDifferencesChapter(): string {
  const rows = Object.values(SERVER_DIFFERENCES).map(({ about, native, javascript }) => {
    return `| ${about} | ${native} | ${javascript} |`;
  });
  return [HEAD, '| | native | JavaScript |', '|---|---|---|'].concat(rows, '', TAIL).join('\n');
}

const HEAD = `## The two servers

On releases of Node for which the installed uWebSockets.js holds a native part, that part carries the requests; on others,
or with \`UWS_USE_FALLBACK=1\`, a JavaScript server does. \`GET /api/status\` tells which in \`http\`. Replies of the game are
the same. These are the differences:
`;

const TAIL =
  'Behind a proxy, let it normalise requests and reuse a connection only when its reply is there, and do not rely on it to block paths.';
