import type { Facts } from './facts.js';

/** In what we end otherwise than node:http2, and why. */
export interface Difference {
  /** What is odd about the sequence, as {@link Facts} has it. */
  readonly fact: string;
  /** Of the connection, or of the stream that has the fact; of any stream where the fact is the connection's. */
  readonly of: 'connection' | 'stream' | 'any stream';
  readonly ours: RegExp;
  readonly theirs: RegExp;
  readonly reason: string;
  /** Seen rarely, or not with every version of node:http2. */
  readonly isRare?: true;
  /** The versions of nghttp2 that differ. */
  readonly nghttp2?: RegExp;
}

const ANY = /^/;
const GOAWAY = /^(?:goaway \d+|closed)$/;

export const DIFFERENCES: readonly Difference[] = [
  {
    fact: 'a stream that depends on itself',
    of: 'connection',
    ours: ANY,
    theirs: GOAWAY,
    reason: 'priorities are deprecated (RFC 9113, 5.3.2), and are not looked at',
  },
  {
    fact: 'a priority of no stream',
    of: 'connection',
    ours: /^goaway 1$/,
    theirs: /^open$/,
    reason:
      'later versions of nghttp2 drop priorities; RFC 9113, 6.3 has an error for those of no stream',
    isRare: true,
  },
  {
    fact: 'more after the end',
    of: 'connection',
    ours: ANY,
    theirs: GOAWAY,
    reason: 'data or headers after the end cost their stream, not the connection',
  },
  {
    fact: 'a GOAWAY',
    of: 'connection',
    ours: ANY,
    theirs: GOAWAY,
    reason: 'a client that says that it ends is served as long as it asks',
  },
  {
    fact: 'a GOAWAY',
    of: 'connection',
    ours: /^goaway \d+$/,
    theirs: /^open$/,
    reason: 'node:http2 does not look at all that comes after the client has said that it ends',
    isRare: true,
  },
  {
    fact: 'a GOAWAY',
    of: 'any stream',
    ours: ANY,
    theirs: /^(?:none|reset 7)$/,
    reason: 'a client that says that it ends is served as long as it asks',
  },
  {
    fact: 'an answer to no ping',
    of: 'connection',
    ours: ANY,
    theirs: GOAWAY,
    reason: 'answers that nobody asked for are counted, and end a connection where they are many',
  },
  {
    fact: 'an answer to no settings',
    of: 'connection',
    ours: ANY,
    theirs: GOAWAY,
    reason: 'answers that nobody asked for are counted, and end a connection where they are many',
    isRare: true,
  },
  {
    fact: 'a setting of a later RFC',
    of: 'connection',
    ours: ANY,
    theirs: GOAWAY,
    reason:
      'settings that are not of RFC 9113 are not looked at: extended CONNECT, priorities of another kind',
  },
  {
    fact: 'a setting twice in one frame',
    of: 'connection',
    ours: /^goaway \d+$/,
    theirs: ANY,
    reason:
      'settings are taken one after the other (RFC 9113, 6.5.3); nghttp2 looks at the last of each kind',
    isRare: true,
  },
  {
    fact: 'a window that overflows',
    of: 'connection',
    ours: ANY,
    theirs: ANY,
    reason:
      'a window that a WINDOW_UPDATE makes overflow costs its stream, one that settings make overflow the connection',
  },
  {
    fact: 'a window that overflows',
    of: 'any stream',
    ours: /^(?:answer|reset 3)/,
    theirs: /^(?:answer|reset 3)/,
    reason:
      'which of several answers goes first is for the server, so settings may come too late for one of them',
    isRare: true,
  },
  {
    fact: 'a window of 0 more',
    of: 'connection',
    ours: ANY,
    theirs: GOAWAY,
    reason: 'a window of a stream that does not grow costs the stream, not the connection',
  },
  {
    fact: 'padding that is too long',
    of: 'connection',
    ours: /^goaway 1$/,
    theirs: ANY,
    reason: 'padding is looked at in frames of ended streams too',
  },
  {
    fact: 'a continuation that is too long',
    of: 'connection',
    ours: /^goaway 6$/,
    theirs: ANY,
    reason: 'nghttp2 does not look at how long a continuation is',
  },
  {
    fact: 'a block of several frames',
    of: 'connection',
    ours: /^goaway \d+$/,
    theirs: /^goaway \d+$/,
    reason:
      'nghttp2 decodes a block as it comes, and so may find what is wrong with it before the block is complete',
  },
  {
    fact: 'a block of many frames',
    of: 'connection',
    ours: /^goaway 11$/,
    theirs: GOAWAY,
    reason: 'too many continuations have the code of floods',
  },
  {
    fact: 'a block of several frames',
    of: 'connection',
    ours: ANY,
    theirs: GOAWAY,
    reason: 'nghttp2 1.61 ends some connections for too many continuations that have one or two',
    nghttp2: /^1\.6[0-3]\./,
  },
  {
    fact: 'two mistakes in one frame',
    of: 'connection',
    ours: /^goaway [169]$/,
    theirs: /^goaway [16]$/,
    reason: 'either mistake may be named',
  },
  {
    fact: 'a promise to push',
    of: 'connection',
    ours: /^goaway 1$/,
    theirs: /^goaway [16]$/,
    reason: 'a client promises nothing, in whatever form',
  },
  {
    fact: 'a long header',
    of: 'connection',
    ours: ANY,
    theirs: GOAWAY,
    reason: 'headers above the limit cost their stream, as RFC 9113, 10.5.1 has it',
  },
  {
    fact: 'a length',
    of: 'connection',
    ours: /^open$/,
    theirs: /^goaway 2$/,
    reason:
      'a body of another length than announced costs its stream; in node:http2 sometimes the connection',
    isRare: true,
  },
  {
    fact: 'a reset',
    of: 'connection',
    ours: / bytes$/,
    theirs: / bytes$/,
    reason:
      'which of several answers goes first is for the server, so a reset may come too late for one of them',
  },
  {
    fact: 'space around a value',
    of: 'stream',
    ours: /^answer/,
    theirs: /^answer/,
    reason: 'space around a value is no part of it (RFC 9110, 5.5); node:http2 drops the header',
  },
  {
    fact: 'a name that is no token',
    of: 'stream',
    ours: /^reset 1$/,
    theirs: /^(?:answer|none|reset)/,
    reason: 'such a request is malformed (RFC 9113, 8.2.1); node:http2 drops the header',
  },
  {
    fact: 'a control character',
    of: 'stream',
    ours: /^reset 1$/,
    theirs: /^(?:answer|none|reset)/,
    reason: 'such a request is malformed (RFC 9113, 8.2.1); node:http2 drops the header',
  },
  {
    fact: 'a host that is not the authority',
    of: 'stream',
    ours: /^reset 1$/,
    theirs: /^(?:answer|none|reset)/,
    reason: 'two hosts are a way around checks (RFC 9113, 8.3.1)',
  },
  {
    fact: 'a user in the authority',
    of: 'stream',
    ours: /^reset 1$/,
    theirs: /^(?:answer|none|reset)/,
    reason: 'an authority has no user (RFC 9113, 8.3.1), which nghttp2 1.61 does not look at',
    isRare: true,
  },
  {
    fact: 'a path of another scheme',
    of: 'stream',
    ours: /^reset 1$/,
    theirs: /^(?:answer|none|reset)/,
    reason:
      'a path begins with a slash whatever the scheme; nghttp2 looks at those of http and https',
    isRare: true,
  },
  {
    fact: 'space around a value',
    of: 'connection',
    ours: / bytes$/,
    theirs: / bytes$/,
    reason: 'the header that node:http2 drops is missing in its answer',
    isRare: true,
  },
  {
    fact: 'a window by settings',
    of: 'connection',
    ours: / bytes$/,
    theirs: / bytes$/,
    reason:
      'a window that becomes smaller holds back the answers that come last, which is for the server',
    isRare: true,
  },
  {
    fact: 'more after the end',
    of: 'any stream',
    ours: /^reset 5$/,
    theirs: /^answer/,
    reason:
      'which of several answers goes first is for the server, so one may be complete before more comes',
    isRare: true,
  },
  {
    fact: 'a long header',
    of: 'any stream',
    ours: /^reset 11$/,
    theirs: ANY,
    reason: 'headers above the limit cost their stream; node:http2 may serve some of them',
    isRare: true,
  },
  {
    fact: 'many settings',
    of: 'connection',
    ours: ANY,
    theirs: GOAWAY,
    reason: 'settings are counted by their frames, not in each of them',
    isRare: true,
  },
  {
    fact: 'trailers with a host',
    of: 'stream',
    ours: /^(?:answer|none|reset)/,
    theirs: /^(?:answer|none|reset)/,
    reason:
      'a host in trailers has the form of one, and is otherwise a field; nghttp2 takes one in all',
    isRare: true,
  },
  {
    fact: 'trailers with a length',
    of: 'stream',
    ours: /^reset 1$/,
    theirs: /^(?:answer|none|reset)/,
    reason: 'the length of a body is announced before it (RFC 9110, 6.5.1)',
  },
  {
    fact: 'many headers',
    of: 'stream',
    ours: /^reset 11$/,
    theirs: /^(?:answer|none|reset)/,
    reason: 'more than 128 headers: the code says why',
  },
];

/** The rows that account for a difference. */
export function rowsFor(
  facts: Facts,
  stream: number | undefined,
  ours: string,
  theirs: string,
): readonly Difference[] {
  return DIFFERENCES.filter(
    (row) =>
      isOfThisNode(row) &&
      (row.of === 'connection') === (stream === undefined) &&
      (row.of === 'stream' ? facts.has(row.fact, stream!) : facts.hasAny(row.fact)) &&
      row.ours.test(ours) &&
      row.theirs.test(theirs),
  );
}

export function isOfThisNode({ nghttp2 }: Difference): boolean {
  return nghttp2 === undefined || nghttp2.test(process.versions.nghttp2 ?? '');
}
