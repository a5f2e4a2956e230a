import { equals, fromBinary } from '@bufbuild/protobuf';
import { type Any, anyIs, anyUnpack } from '@bufbuild/protobuf/wkt';
import { Stream, Version } from './axes.js';
import type { Permutation } from './expand.js';
import { expectedOf } from './expected.js';
import {
  type Header,
  type Payload,
  type RequestInfo,
  RequestInfoSchema,
  messageOf,
  registry,
} from './schema.js';

const DEADLINE_EXCEEDED = 4;
const CANCELED = 1;
/** A server reports what is left of a timeout when it looks, which is while the call takes. */
const TIMEOUT_GRACE_MS = 500;

/** Names in lower case. */
export type Fields = ReadonlyMap<string, readonly string[]>;

export interface Failure {
  readonly code: number;
  readonly message: string;
  readonly details: readonly Any[];
}

/** What a client got. */
export interface Outcome {
  readonly status?: number;
  readonly headers: Fields;
  readonly trailers: Fields;
  readonly payloads: readonly Payload[];
  readonly error?: Failure;
  /** Whether the connection was reset before any answer. Default: false. */
  readonly isCutOff?: boolean;
  /** What the answer breaks of its protocol. */
  readonly complaints: readonly string[];
}

/**
 * What is wrong with an outcome; nothing if the case is passed.
 *
 * @param tookMs how long the call took.
 */
export function judge(permutation: Permutation, got: Outcome, tookMs: number): string[] {
  const expected = expectedOf(permutation);
  const { call, test, way } = permutation;
  const wrong = [...got.complaints];
  const allowed = [...test.otherAllowedErrorCodes];
  const isDeadline = call.timeoutMs !== undefined && expected.error?.code === DEADLINE_EXCEEDED;
  // Our client has no timeout of its own, so the server may as well reset the stream of a caller that has gone.
  if (isDeadline && way.version > Version.http1 && allowed.length === 0) allowed.push(CANCELED);
  wrong.push(...errorMistakes(expected.error, got.error, { allowed, tookMs }));
  wrong.push(...payloadMistakes(expected.payloads, got.payloads, tookMs));
  wrong.push(...metadataMistakes(permutation, got));
  const { httpStatusCode } = expected;
  if (httpStatusCode !== undefined && got.status !== undefined && httpStatusCode !== got.status) {
    wrong.push(`HTTP status ${got.status}, expected ${httpStatusCode}`);
  }
  return wrong;
}

/** Errors of unary answers may have their headers and trailers in one bag. */
function metadataMistakes(permutation: Permutation, got: Outcome): string[] {
  const { responseHeaders, responseTrailers, error, payloads } = expectedOf(permutation);
  const apart = [
    ...fieldMistakes('header', responseHeaders, got.headers),
    ...fieldMistakes('trailer', responseTrailers, got.trailers),
  ];
  const { stream } = permutation.way;
  const isOneAnswer = stream === Stream.unary || stream === Stream.client;
  if (apart.length === 0 || error === undefined || payloads.length > 0 || !isOneAnswer)
    return apart;
  const together = [...responseHeaders, ...responseTrailers];
  const isInOne = [got.headers, got.trailers].some(
    (bag) => fieldMistakes('metadata', together, bag).length === 0,
  );
  return isInOne ? [] : apart;
}

function fieldMistakes(what: string, expected: readonly Header[], got: Fields): string[] {
  return expected.flatMap(({ name, value }) => {
    const values = got.get(name.toLowerCase());
    if (values === undefined) return [`${what} ${name} is missing`];
    const wanted = JSON.stringify(splitValues(value));
    const found = JSON.stringify(splitValues(values));
    return wanted === found ? [] : [`${what} ${name} is ${found}, expected ${wanted}`];
  });
}

/** Values that were joined on the way, with at most one space around each comma. */
function splitValues(values: readonly string[]): string[] {
  return values.flatMap((value) => value.split(/ ?, ?/));
}

function payloadMistakes(
  expected: readonly Payload[],
  got: readonly Payload[],
  tookMs: number,
): string[] {
  const wrong: string[] = [];
  if (expected.length !== got.length) {
    wrong.push(`${got.length} messages, expected ${expected.length}`);
  }
  expected.slice(0, got.length).forEach((payload, at) => {
    const { data, requestInfo } = got[at]!;
    if (Buffer.compare(data, payload.data) !== 0) wrong.push(`message ${at + 1} has other data`);
    wrong.push(...infoMistakes(payload.requestInfo, requestInfo, { isFirst: at === 0, tookMs }));
  });
  return wrong;
}

function infoMistakes(
  expected: RequestInfo | undefined,
  got: RequestInfo | undefined,
  { isFirst, tookMs }: { readonly isFirst: boolean; readonly tookMs: number },
): string[] {
  const wrong: string[] = [];
  if (isFirst) {
    wrong.push(...fieldMistakes('request header', expected?.requestHeaders ?? [], fieldsOf(got)));
    wrong.push(...timeoutMistakes(expected?.timeoutMs, got?.timeoutMs, tookMs));
    const query = got?.connectGetInfo?.queryParams ?? [];
    if (query.length > 0) {
      const wanted = expected?.connectGetInfo?.queryParams ?? [];
      wrong.push(...fieldMistakes('query parameter', wanted, toFields(query)));
    }
  }
  const [wanted, found] = [expected?.requests ?? [], got?.requests ?? []];
  if (wanted.length !== found.length) {
    wrong.push(`tells of ${found.length} requests, expected ${wanted.length}`);
  }
  wanted.slice(0, found.length).forEach((request, at) => {
    if (!isSame(request, found[at]!)) wrong.push(`request ${at + 1} did not survive`);
  });
  return wrong;
}

function timeoutMistakes(
  expected: bigint | undefined,
  got: bigint | undefined,
  tookMs: number,
): string[] {
  if (expected === undefined) return got === undefined ? [] : [`a timeout of ${got} ms arrived`];
  if (got === undefined) return ['no timeout arrived'];
  const isNear = got <= expected && Number(expected - got) <= Math.max(TIMEOUT_GRACE_MS, tookMs);
  return isNear ? [] : [`a timeout of ${got} ms arrived, expected ${expected}`];
}

function fieldsOf(info: RequestInfo | undefined): Fields {
  return toFields(info?.requestHeaders ?? []);
}

function toFields(headers: readonly Header[]): Fields {
  return new Map(headers.map(({ name, value }) => [name.toLowerCase(), value]));
}

function isSame(one: Any, other: Any): boolean {
  const schema = messageOf(one.typeUrl.split('/').at(-1)!);
  if (!anyIs(other, schema)) return false;
  return equals(schema, fromBinary(schema, one.value), fromBinary(schema, other.value), {
    registry,
    unpackAny: true,
  });
}

function errorMistakes(
  expected: { code: number; message?: string; details: readonly Any[] } | undefined,
  got: Failure | undefined,
  { allowed, tookMs }: { readonly allowed: readonly number[]; readonly tookMs: number },
): string[] {
  if (expected === undefined) {
    return got === undefined ? [] : [`unexpected error ${got.code}: ${got.message}`];
  }
  if (got === undefined) return [`no error, expected ${expected.code}`];
  const wrong: string[] = [];
  if (expected.code !== got.code && !allowed.includes(got.code)) {
    wrong.push(
      `error ${got.code} (${got.message}), expected ${[expected.code, ...allowed].join()}`,
    );
  }
  if (expected.message !== undefined && expected.message !== got.message) {
    wrong.push(`error "${got.message}", expected "${expected.message}"`);
  }
  if (expected.details.length !== got.details.length) {
    wrong.push(`${got.details.length} details, expected ${expected.details.length}`);
  }
  expected.details.slice(0, got.details.length).forEach((detail, at) => {
    const found = got.details[at]!;
    if (anyIs(detail, RequestInfoSchema) && anyIs(found, RequestInfoSchema)) {
      const infos = [detail, found].map((any) => anyUnpack(any, RequestInfoSchema));
      wrong.push(...infoMistakes(infos[0], infos[1], { isFirst: true, tookMs }));
    } else if (!isSame(detail, found)) wrong.push(`detail ${at + 1} differs`);
  });
  return wrong;
}
