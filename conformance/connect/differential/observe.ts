import { type DescMessage, fromBinary, fromJson, toJson } from '@bufbuild/protobuf';
import { anyUnpack } from '@bufbuild/protobuf/wkt';
import { readRpcStatus } from '../protocols/rpc-status.js';
import { RequestInfoSchema, methodOf, registry } from '../suite/schema.js';
import type { Fields } from '../suite/verdict.js';
import { decompressed } from '../wire/compression.js';
import { type Connection, ResetError, type Response } from '../wire/connection.js';
import { FrameReader } from '../wire/frames.js';
import type { RawCall } from './polite.js';

/** A call that has not ended by then hangs. */
const HANGS_MS = 10_000;

/** What is compared of an answer, each part as a text. */
export type Observation = Readonly<Record<string, string>>;

/** Headers of HTTP's own, and those that the gateway adds to every answer. */
const OWN =
  /^(?:date|connection|keep-alive|content-length|transfer-encoding|vary|x-request-id|x-content-type-options|x-accel-buffering)$/;
/** Whether to compress, a server may choose; that it is right, decompressing shows. */
const CODING = /^(?:(?:content|connect-content|grpc)-|(?:(?:connect|grpc)-)?accept-)encoding$/;

export async function observe(call: RawCall, connection: Connection): Promise<Observation> {
  const exchange = connection.open(call.head);
  let hangs = false;
  const hang = setTimeout(() => {
    hangs = true;
    exchange.cancel();
  }, HANGS_MS);
  try {
    for (const chunk of call.body) exchange.send(chunk);
    exchange.end();
    const response = await exchange.response;
    const { messages, end } = await bodyOf(response, outputOf(call), call);
    // A status without messages may come in the headers or after them.
    const [before, after] = [response.headers, response.trailers()].map((fields) =>
      fieldLines(fields, call),
    );
    const isStatus = (line: string): boolean => line.startsWith('grpc-');
    return {
      status: String(response.status),
      headers: before!.filter((line) => line !== '' && !isStatus(line)).join('\n'),
      messages: messages.join('\n'),
      end: [...end, ...before!.filter(isStatus), ...after!]
        .filter((line) => line !== '')
        .toSorted()
        .join('\n'),
    };
  } catch (error) {
    if (hangs) return { status: 'hangs' };
    return {
      status: error instanceof ResetError ? `reset ${error.code}` : `broken: ${String(error)}`,
    };
  } finally {
    clearTimeout(hang);
  }
}

function outputOf({ head }: RawCall): DescMessage | undefined {
  try {
    return methodOf(/\/(\w+)(?:\?|$)/.exec(head.path)?.[1] ?? '').output;
  } catch {
    return undefined;
  }
}

/** Messages as JSON, and what ends a stream as it is on the wire. */
async function bodyOf(
  response: Response,
  output: DescMessage | undefined,
  call: RawCall,
): Promise<{ readonly messages: readonly string[]; readonly end: readonly string[] }> {
  const type = response.headers.get('content-type')?.[0] ?? '';
  const one = (name: string): string | undefined => response.headers.get(name)?.[0];
  if (!/^application\/(?:connect\+|grpc)/.test(type)) {
    const chunks: Buffer[] = [];
    for await (const chunk of response.body) chunks.push(chunk);
    const data = decompressed(one('content-encoding'), Buffer.concat(chunks));
    if (response.status === 200 && output !== undefined && data.length > 0) {
      return { messages: [shown(output, data, type)], end: [] };
    }
    return { messages: [], end: cleanEnd(data.toString(), call) };
  }
  const algorithm = one('connect-content-encoding') ?? one('grpc-encoding');
  const frames = new FrameReader(response.body);
  const messages: string[] = [];
  const end: string[] = [];
  for (;;) {
    const frame = await frames.next();
    if (frame === undefined) return { messages, end };
    const data = (frame.flags & 1) === 0 ? frame.data : decompressed(algorithm, frame.data);
    if ((frame.flags & 0x82) !== 0) end.push(...cleanEnd(data.toString(), call));
    else messages.push(`${frame.flags & ~1}: ${shown(output!, data, type)}`);
  }
}

function shown(output: DescMessage, data: Buffer, type: string): string {
  const message = type.includes('json')
    ? fromJson(output, JSON.parse(data.toString()), { registry })
    : fromBinary(output, data);
  const info = (message as { payload?: { requestInfo?: unknown } }).payload?.requestInfo;
  if (info !== undefined) clean(info as never);
  return JSON.stringify(toJson(output, message, { registry }));
}

/** Of what the handler saw, servers may differ in headers that no caller has sent, and in time. */
function clean(info: {
  requestHeaders: { name: string; value: string[] }[];
  timeoutMs?: bigint;
  connectGetInfo?: unknown;
}): void {
  info.requestHeaders = info.requestHeaders
    .filter(({ name }) => name.startsWith('x-test-'))
    .map((header) => Object.assign(header, { value: header.value.flatMap(splitValue) }))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));
  if (info.timeoutMs !== undefined) info.timeoutMs = 1n;
  delete info.connectGetInfo;
}

/** Joined values apart, base64 without padding. */
function splitValue(value: string): string[] {
  return value.split(/, ?/).map((each) => each.replace(/=+$/, ''));
}

/** Details that tell of the request are cleaned in the same way; all else stays as it came, also the order of keys. */
function cleanEnd(text: string, call: RawCall): string[] {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return text.split('\r\n').map((line) => withoutText(cleanLine(line), call));
  }
  return [
    JSON.stringify(json, (key, value: unknown) =>
      !call.isSound && WORDS.has(key) ? undefined : cleanValue(key, value),
    ),
  ];
}

function cleanValue(key: string, value: unknown): unknown {
  if (Array.isArray(value) && key !== 'details') return value.map(String).flatMap(splitValue);
  // The order of trailers has no meaning.
  if (key === 'metadata')
    return Object.fromEntries(
      Object.entries(value as object).toSorted(([one], [other]) => (one < other ? -1 : 1)),
    );
  const detail = value as { readonly type?: unknown; readonly value?: unknown } | null;
  if (typeof detail?.type !== 'string' || typeof detail.value !== 'string') return value;
  return detail.type === RequestInfoSchema.typeName
    ? { ...detail, value: cleanInfo(Buffer.from(detail.value, 'base64')), debug: undefined }
    : { ...detail, debug: undefined };
}

function cleanLine(line: string): string {
  const [, name = '', value = ''] = /^([^:]*):\s*(.*)$/.exec(line) ?? [];
  if (CODING.test(name) || (name === 'grpc-message' && value === '')) return '';
  return name === 'grpc-status-details-bin'
    ? `${name}: ${cleanDetails(value)}`
    : line.replace(/: */, ': ');
}

function cleanInfo(bytes: Uint8Array): string {
  const info = fromBinary(RequestInfoSchema, bytes);
  clean(info);
  return JSON.stringify(toJson(RequestInfoSchema, info, { registry }));
}

/** The details of a google.rpc.Status: field 3. */
function cleanDetails(packed: string): string {
  const { code, message, details } = readRpcStatus(Buffer.from(packed, 'base64'));
  const all = details
    .map((detail) =>
      detail.typeUrl.endsWith(RequestInfoSchema.typeName)
        ? cleanInfo(detail.value)
        : JSON.stringify(anyUnpack(detail, registry)),
    )
    .join();
  return `${code} ${message} ${all}`;
}

function fieldLines(fields: Fields, call: RawCall): string[] {
  return [...fields]
    .filter(([name]) => !OWN.test(name) && !CODING.test(name))
    .map(([name, values]) =>
      name.startsWith('grpc-')
        ? withoutText(cleanLine(`${name}: ${values[0]!}`), call)
        : `${name}: ${values.flatMap(splitValue).join(', ')}`,
    )
    .toSorted();
}

/** Servers may choose their own words, and details, for what they refuse. */
const WORDS = new Set(['message', 'details', 'detail', 'title', 'type', 'errors']);

function withoutText(line: string, { isSound }: RawCall): string {
  return !isSound && /^grpc-(?:message|status-details-bin):/.test(line) ? '' : line;
}
