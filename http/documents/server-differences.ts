// Where Node's HTTP server, which runs on platforms without a native build, cannot be made to answer as the native one does.
// All of it lies below the routes: in what counts as HTTP, and what waits. For docs/api.md; the tests in test/http/transport
// run over both servers, and what differs there without a row here is a fault.

export interface ServerDifference {
  readonly about: string;
  readonly native: string;
  readonly javascript: string;
}

export const SERVER_DIFFERENCES = {
  chunkExtras: {
    about: 'chunk extensions or trailers',
    native: 'no reply to extensions; trailers are answered, and nothing after them on the connection',
    javascript: 'ignored',
  },
  chunkSeparators: {
    about:
      'anything but a line end behind the data of a chunk; a space, a tab or a bare LF behind its size; an empty line in the place of the last size',
    native: 'accepted',
    javascript: 'no reply, closed',
  },
  headSize: {
    about: 'a head of more than 16 KiB',
    native:
      'the same for its path, its query and all of its fields, each for itself; one that comes in pieces may have 4 KiB',
    javascript: 'no reply, closed',
  },
  bytesAtValueEnd: {
    about: 'bytes that are not ASCII at the end of the value of a header field, such as an Idempotency-Key',
    native: 'taken off like spaces',
    javascript: 'part of the value',
  },
  lenientLines: {
    about: 'an empty line before a request, two spaces in its first line',
    native: 'no reply, closed after 10 s',
    javascript: 'answered',
  },
  proxyProtocol: {
    about: 'a PROXY protocol header before a request',
    native: 'taken off, without effect',
    javascript: 'no reply, closed',
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
  emptyFieldName: {
    about: 'a header field without a name',
    native: 'ignored',
    javascript: 'no reply, closed',
  },
  lateReplies: {
    about: 'what is sent behind a command, HEAD or a read that has to wait, before its reply is there (pipelining)',
    native:
      'no reply to any of it, closed; whether the command was carried out is unknown to its client. Small reads wait only if more than 1,000 requests come at once',
    javascript: 'answered in order',
  },
  bodilessReplies: {
    about: 'replies to HEAD, and 304',
    native: 'one in some 250 says `Connection: close`; what is pipelined behind it is not answered',
    javascript: 'the connection goes on',
  },
  unreadReplies: {
    about: 'pipelined reads by a client that does not read the replies',
    native: 'closed at the next request',
    javascript: 'not read any further; closed if 4 MiB on the connection, or 64 MiB on all, are unread',
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

uWebSockets.js carries the requests if the installed package has a build for the platform and the release of Node; else, or
with \`--transport javascript\`, Node's own HTTP server does. \`GET /api/status\` says which in \`http\`. Replies of the game
are the same. A request with a malformed head, or whose end is in doubt, is closed without a reply by both. These are the
differences:
`;

const TAIL =
  'Behind a proxy, let it normalise requests and reuse a connection only when its reply is there, and do not rely on it to block paths.';
