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
    reason: `${status} has a problem document, and Allow or Accept-Post, where connect-node says nothing`,
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
    reason: 'OPTIONS says what a path takes, as for REST',
  },
  {
    calls: /^version\/(?:|2|v1)\//,
    theirs: ANY,
    ours: INVALID,
    reason: 'a Connect-Protocol-Version other than 1 is refused, as connect-go does',
  },
  {
    calls: /^get\/another version/,
    theirs: /^200 /,
    ours: INVALID,
    reason: 'a GET with another version than v1 is refused, as connect-go does',
  },
  {
    calls: /^get\//,
    theirs: /^200 (?!.*cache-control)/,
    ours: /^200 .*cache-control: private, no-cache/,
    reason: 'an answer to GET says that no shared cache may keep it',
  },
  {
    calls: /^get\//,
    theirs: /^(?:400|501) (?!.*cache-control)/,
    ours: /^(?:400|501) .*cache-control: no-store/,
    reason: 'an error of GET says that no cache may keep it',
  },
  {
    calls: /./,
    theirs: /^401 /,
    ours: /^401 .*www-authenticate: Bearer/,
    reason: '401 has WWW-Authenticate',
  },
  {
    calls: /^(?:compression\/broken gzip|message\/no protobuf|get\/no base64)/,
    theirs: INTERNAL,
    ours: INVALID,
    reason:
      'what the caller cannot write is invalid_argument, as in connect-go; connect-node says internal',
  },
  {
    calls: /^message\/(?:unknown field|text that is not UTF-8)/,
    theirs: /^200 (?!.*"error")/,
    ours: INVALID,
    reason:
      'unknown fields of JSON (option json.unknownFields) and text that is not UTF-8 are refused',
  },
  {
    calls: /^frame\/a reserved flag/,
    theirs: ANY,
    ours: INVALID,
    reason:
      'a message with a flag that its protocol does not have is refused, and not read as an empty one',
  },
  {
    calls: /^frame\/cut (?:within|after) a message/,
    theirs: /grpc-status: 3|"code":"invalid_argument"/,
    ours: INVALID,
    reason: 'a call whose request breaks off ends without trailers that its handler has set',
  },
];
