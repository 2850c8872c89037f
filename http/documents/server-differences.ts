// Differences between Node's HTTP server, which runs on platforms without a native build, and the native one that
// cannot be removed. All of them are below the routes: in what is accepted as HTTP, and in what waits. For docs/api.md.
// The tests in test/http/server run over both servers; a difference without a row here is a bug.

export interface ServerDifference {
  readonly about: string;
  readonly native: string;
  readonly javascript: string;
}

export const SERVER_DIFFERENCES = {
  refusals: {
    about:
      'a request that is malformed, of another version of HTTP, or has an unknown method; a TLS handshake or the preface of HTTP/2',
    native: 'no reply; closed at once, or after 10 s if it may still go on',
    javascript:
      '`malformed_request`, `head_too_large`, `not_implemented` or `http_version_not_supported`, behind the replies to ' +
      'earlier requests, then closed',
  },
  unfinishedRequests: {
    about: 'a request that has begun and is not complete after 10 s',
    native: 'no reply, closed',
    javascript: '`request_timeout`, closed',
  },
  unknownForms: {
    about:
      'HTTP/1.0; a whole URL or `*` as target; an empty line before a request; a method that is neither in RFC 9110 ' +
      'nor PATCH; a character other than letters, digits and `-` in the name of a header field; the 50th field; a `Content-Length` of ' +
      'ten digits',
    native: 'no reply; closed at once, or after 10 s',
    javascript: 'read as RFC 9112 says',
  },
  lenientLines: {
    about: 'two spaces in the first line; `RTSP/1.0` for `HTTP/1.0`',
    native: 'no reply, closed after 10 s',
    javascript: 'answered',
  },
  chunkExtras: {
    about: 'chunk extensions or trailers',
    native: 'extensions: no reply; trailers: answered, but nothing after them on the connection is',
    javascript: 'ignored; a malformed trailer gets `malformed_request`',
  },
  chunkSeparators: {
    about:
      'anything but a line end after the data of a chunk; a space, a tab or a bare LF around its size; ' +
      'an empty line instead of the last size',
    native: 'accepted; a space before the size ends the body',
    javascript: '`malformed_request`, closed',
  },
  headSize: {
    about: 'a head of more than 16 KiB',
    native:
      '`head_too_large`, but path, query and fields may have 16 KiB each; one that comes in pieces may have 4 KiB, ' +
      'and is closed without a reply',
    javascript: '`head_too_large`, closed',
  },
  bytesAtValueEnd: {
    about: 'bytes beyond ASCII at either end of the value of a header field, such as an Idempotency-Key',
    native: 'stripped like spaces',
    javascript: 'part of the value, for which a field is refused whose absence means something',
  },
  oddFields: {
    about: 'a header field without a name; the character DEL in a value',
    native: 'ignored; part of the value',
    javascript: '`malformed_request`, closed',
  },
  expectationLetters: {
    about: '`Expect: 100-continue` in capitals',
    native: 'ignored',
    javascript: 'answered with 100',
  },
  proxyProtocol: {
    about: 'a PROXY protocol header before a request',
    native: 'stripped, without effect',
    javascript: '`malformed_request` or `not_implemented`, closed',
  },
  upgrade: {
    about: 'Upgrade to another protocol, except to a WebSocket at `/ws`',
    native: 'ignored',
    javascript: 'ignored, but the reply closes the connection',
  },
  closingReply: {
    about:
      'a request whose reply closes the connection (`Connection: close`, a body that is too large, a head that the ' +
      'server refuses and its library does not), with another request pipelined behind it, which is never carried out',
    native: 'no reply to either, closed',
    javascript: 'the first is answered, closed',
  },
  lateReplies: {
    about: 'requests pipelined behind a command, HEAD or a read that has to wait',
    native:
      'no reply to any of them, closed; the client cannot know whether the command was carried out. ' +
      'Small reads wait only if more than 1,000 requests come at once',
    javascript: 'answered in order',
  },
  bodilessReplies: {
    about: 'replies to HEAD, and 304',
    native: 'about one in 250 has `Connection: close`; requests pipelined behind it are not answered',
    javascript: 'the connection stays open',
  },
  unreadReplies: {
    about: 'pipelined reads by a client that does not read the replies',
    native: 'closed at the next request',
    javascript: 'no more requests are read; closed if 4 MiB on the connection, or 32 MiB on all, are unread',
  },
  forbiddenFrames: {
    about: 'a WebSocket frame that is longer than 32 KiB, or otherwise against RFC 6455',
    native:
      'closed without a close frame, which clients see as 1006; a close frame of one byte passes for an empty one',
    javascript: 'closed with 1009, 1007 or 1002 and a reason',
  },
  unfinishedFrames: {
    about: 'a WebSocket frame that is not complete after 10 seconds',
    native: 'waited for, as long as bytes come: the library does not show it',
    javascript: 'closed with 1008',
  },
  framesAfterClose: {
    about: 'what a client sends after the server has closed its WebSocket with 1008',
    native: 'read and thrown away by the library, for 16 seconds at most',
    javascript: 'not read',
  },
  unmaskedFrames: {
    about: 'a WebSocket frame of a client without a mask',
    native: 'read as if it had one: garbage is refused, or more bytes are waited for',
    javascript: 'closed with 1002 and a reason',
  },
  ownHeaders: {
    about: 'headers besides those of the game',
    native: '`Date`, `uWebSockets`',
    javascript: '`Date`, `Connection`, `Keep-Alive`',
  },
} as const satisfies Readonly<Record<string, ServerDifference>>;

export interface ReleaseDifference {
  readonly about: string;
  readonly older: string;
  readonly current: string;
}

/** In what current releases of uWebSockets.js differ from the one that is installed by default. */
export const RELEASE_DIFFERENCES = {
  refusals: {
    about: 'a request that is malformed, or of a version other than HTTP/1.1; a chunk with an extension; a trailer',
    older: 'no reply, closed at once or after 10 s; after a trailer the request is answered',
    current:
      '400 or 505 with a page of HTML, closed; a reply to an earlier request on the connection that is not sent yet is ' +
      'lost. An empty line before a request, and a line that may go on, are waited for',
  },
  headSize: {
    about: 'a head of more than 16 KiB',
    older: '`head_too_large`; path, query and fields may have 16 KiB each, a head that comes in pieces 4 KiB',
    current: '431 with a page of HTML, closed; the variable `UWS_HTTP_MAX_HEADERS_SIZE` sets another limit in bytes',
  },
  forms: {
    about:
      'the 50th header field; a character other than letters, digits and `-` in the name of one; a `Content-Length` of ten digits',
    older: 'no reply, closed',
    current: 'answered',
  },
  methods: {
    about: 'an unknown method; a method in small letters',
    older: 'no reply, closed',
    current: '405; taken for the one in capitals',
  },
  unannouncedBodies: {
    about: 'bytes after a request that announces no body',
    older: 'no reply, closed, if they are no request',
    current: 'taken for the next request, whatever its method looks like',
  },
} as const satisfies Readonly<Record<string, ReleaseDifference>>;

/** The chapter of docs/api.md on the two servers. */
export function serverDifferencesChapter(): string {
  const rows = Object.values(SERVER_DIFFERENCES).map(({ about, native, javascript }) => {
    return `| ${about} | ${native} | ${javascript} |`;
  });
  const releaseRows = Object.values(RELEASE_DIFFERENCES).map(({ about, older, current }) => {
    return `| ${about} | ${older} | ${current} |`;
  });
  return [HEAD, '| | native | JavaScript |', '|---|---|---|']
    .concat(rows, '', RELEASES, '| | 20.30 | 20.57 |', '|---|---|---|', releaseRows, '', TAIL)
    .join('\n');
}

const HEAD = `## The two servers

uWebSockets.js handles the requests if its native part loads, so it needs a build for the platform and the release of Node.
Otherwise, or with \`--transport javascript\`, Node's own HTTP server does. \`GET /api/status\` says which in \`http\`.
Replies of the game are the same. Nothing behind a request whose end or meaning is in doubt is read as another request. Node's server
answers such a request as every other error; the native one does if its library shows the request. These are the differences:
`;

const RELEASES = `The column "native" is about uWebSockets.js 20.30, which is installed by default. Current releases differ from it:
`;

const TAIL =
  'A proxy in front of the server should normalise requests, and reuse a connection only after its reply has ' +
  'arrived. Do not rely on it to block paths.';
