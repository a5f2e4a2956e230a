/** In what our gateway answers otherwise than connect-node, and why. */
export interface Difference {
  /** Of names of calls. */
  readonly calls: RegExp;
  /** What connect-node answers: `status | headers | end | messages`, in one line. */
  readonly theirs: RegExp;
  readonly ours: RegExp;
  readonly reason: string;
}

/** An error whose code says that the caller is wrong, in each protocol. */
const INVALID = /"code":"invalid_argument"|grpc-status: 3/;
const INTERNAL = /"code":"internal"|grpc-status: 13/;
const ANY = /^/;

/** A request that is none of an RPC protocol. */
function refused(status: number): Difference {
  return {
    calls: /^(?:type|verb|path|get)\//,
    theirs: new RegExp(`^${status} \\|  \\|  \\| no messages$`),
    ours: new RegExp(`^${status} \\| .*content-type: application/problem\\+json`),
    reason:
      'a 404, 405, 415 or 505 has a problem document, and `Allow` or `Accept-Post`; that of connect-node is empty',
  };
}

/** Each must be seen among the calls of the seed that is there by default, or the table is out of date. */
export const DIFFERENCES: readonly Difference[] = [
  refused(404),
  refused(405),
  refused(415),
  refused(505),
  {
    calls: /^verb\/OPTIONS\//,
    theirs: /^405 /,
    ours: /^204 \| allow: POST, OPTIONS \|/,
    reason: 'OPTIONS is answered with 204 and `Allow`; by connect-node with 405',
  },
  {
    calls: /^version\/(?:|2|v1)\//,
    theirs: ANY,
    ours: INVALID,
    reason: 'a `Connect-Protocol-Version` other than 1 is refused, as by connect-go',
  },
  {
    calls: /^get\/another version/,
    theirs: /^200 /,
    ours: INVALID,
    reason: 'a GET with `connect` other than `v1` is refused, as by connect-go',
  },
  {
    calls: /^get\//,
    theirs: /^200 (?!.*cache-control)/,
    ours: /^200 .*cache-control: private, no-cache/,
    reason:
      'the response to a GET has `Cache-Control: private, no-cache`, unless the server sets it',
  },
  {
    calls: /^get\//,
    theirs: /^(?:400|501) (?!.*cache-control)/,
    ours: /^(?:400|501) .*cache-control: no-store/,
    reason: 'the error of a GET has `Cache-Control: no-store`',
  },
  {
    calls: /./,
    theirs: /^401 /,
    ours: /^401 .*www-authenticate: Bearer/,
    reason: 'a 401 has `WWW-Authenticate`',
  },
  {
    calls: /^(?:compression\/broken gzip|message\/no protobuf|get\/no base64)/,
    theirs: INTERNAL,
    ours: INVALID,
    reason:
      'bytes that cannot be decoded or decompressed are `invalid_argument`, as in connect-go; connect-node: `internal`',
  },
  {
    calls: /^message\/(?:unknown field|text that is not UTF-8)/,
    theirs: /^200 (?!.*"error")/,
    ours: INVALID,
    reason:
      'unknown JSON fields (option `json.unknownFields`) and texts that are not UTF-8 are refused',
  },
  {
    calls: /^frame\/a reserved flag/,
    theirs: ANY,
    ours: INVALID,
    reason:
      'a message with a flag that its protocol does not define is refused; connect-node reads it as an empty one',
  },
  {
    calls: /^frame\/cut (?:within|after) a message/,
    theirs: /grpc-status: 3|"code":"invalid_argument"/,
    ours: INVALID,
    reason: 'a call whose request is cut off ends without trailers that its handler has set',
  },
];
