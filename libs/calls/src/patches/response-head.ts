import { onceForText } from '@apix/contracts/internal';
import type { OutgoingHttpHeader, OutgoingHttpHeaders, ServerResponse } from 'node:http';

const HEAD = Symbol.for('apix.calls.ResponseHead');

/** Servers give the same few headers again and again. */
const lowerCase = onceForText((name) => name.toLowerCase());

type WriteHead = (this: object, ...args: unknown[]) => ServerResponse;

/** The object in which a framework keeps the headers of an answer until it writes them. */
export interface HeaderKeeper {
  header(name: string, value: string): unknown;
}

interface GivenHeader {
  readonly name: string;
  /** The name in lower case. */
  readonly key: string;
  readonly value: string;
}

/** The headers of a response whose framework writes them all at once. */
interface ResponseHead {
  readonly writeHead: WriteHead;
  given: readonly GivenHeader[];
  /** What was written at once, which Node does not keep. */
  written: OutgoingHttpHeaders | undefined;
}

type Watched = ServerResponse & { [HEAD]?: ResponseHead };

/**
 * Delays the headers of {@link giveHeader} until the head of the response is written: Node writes the
 * headers given to `writeHead` much faster if none was set before. `writeHead` is replaced on this one
 * object.
 */
export function writesHeadAtOnce(res: Watched): void {
  if (res[HEAD] !== undefined) return;
  const { writeHead } = res as unknown as { readonly writeHead: WriteHead };
  res[HEAD] = { writeHead, given: [], written: undefined };
  res.writeHead = writeWholeHead;
}

/** Gives a response a header, which the app may replace. */
export function giveHeader(res: Watched, name: string, value: string): void {
  const head = res[HEAD];
  if (head === undefined) res.setHeader(name, value);
  else head.given = [...head.given, { name, key: lowerCase(name), value }];
}

/** Gives the framework the headers that wait, so that the app finds them there. */
export function offerHeaders(res: Watched, keeper: HeaderKeeper): void {
  const head = res[HEAD];
  if (head === undefined) return;
  for (const { name, value } of head.given) keeper.header(name, value);
}

/** A header of a response, also of one whose head was written at once. @param name in lower case. */
export function responseHeaderOf(res: Watched, name: string): OutgoingHttpHeader | undefined {
  const written = writtenAtOnce(res);
  if (written === undefined) return res.getHeader(name);
  return (
    written[name] ?? written[Object.keys(written).find((key) => key.toLowerCase() === name) ?? '']
  );
}

/** The names of its headers, in lower case. */
export function responseHeaderNames(res: Watched): readonly string[] {
  const written = writtenAtOnce(res);
  return written === undefined
    ? res.getHeaderNames()
    : Object.keys(written).map((key) => key.toLowerCase());
}

/** Node keeps the headers that are written where some were set before. */
function writtenAtOnce(res: Watched): OutgoingHttpHeaders | undefined {
  const written = res[HEAD]?.written;
  return written === undefined || res.getHeaderNames().length > 0 ? undefined : written;
}

function writeWholeHead(this: Watched, ...args: unknown[]): ServerResponse {
  const head = this[HEAD]!;
  const last = args.at(-1);
  const headers = isHeaders(last) ? last : undefined;
  for (const { name, key, value } of head.given) {
    if (headers?.[key] === undefined && !this.hasHeader(name)) this.setHeader(name, value);
  }
  head.written = headers;
  return head.writeHead.apply(this, args);
}

/** Of the shapes that `writeHead` takes, the one that frameworks write all at once. */
function isHeaders(value: unknown): value is OutgoingHttpHeaders {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
