import { FrameReader, type MessageFrame } from './message-frames.js';
import { type WrittenCall, isFramed } from './outgoing-request.js';

/** Takes what comes of an answer. */
export interface AnswerListener {
  /** One message, or what else the body is. */
  onMessage(text: string): void;
}

/** How a call has ended. */
export interface AnswerEnd {
  readonly isOk: boolean;
  /** Such as `200` or `PERMISSION_DENIED: roles`. */
  readonly text: string;
  /** What came after the messages, by name. */
  readonly trailers: readonly (readonly [string, string])[];
}

/** The flag of the frame that ends a stream of Connect, and of that of gRPC-Web. */
const CONNECT_END = 0x02;
const WEB_TRAILERS = 0x80;

const GRPC_CODES = [
  'OK',
  'CANCELLED',
  'UNKNOWN',
  'INVALID_ARGUMENT',
  'DEADLINE_EXCEEDED',
  'NOT_FOUND',
  'ALREADY_EXISTS',
  'PERMISSION_DENIED',
  'RESOURCE_EXHAUSTED',
  'FAILED_PRECONDITION',
  'ABORTED',
  'OUT_OF_RANGE',
  'UNIMPLEMENTED',
  'INTERNAL',
  'UNAVAILABLE',
  'DATA_LOSS',
  'UNAUTHENTICATED',
];

/**
 * Reads an answer as its messages come.
 *
 * @returns how the call has ended.
 * @throws the error of a connection that broke off, and of a call that was cancelled.
 */
export async function readAnswer(
  call: Pick<WrittenCall, 'protocol' | 'kind'>,
  response: Response,
  listener: AnswerListener,
): Promise<AnswerEnd> {
  const type = response.headers.get('content-type') ?? '';
  if (isFramed(call) && /^application\/(?:connect|grpc-web)\+/.test(type)) {
    return readFrames(response, listener);
  }
  if (type.startsWith('application/x-ndjson')) await readLines(response, listener);
  else {
    const text = await response.text();
    if (text !== '') listener.onMessage(indented(text));
  }
  return { isOk: response.ok, text: statusText(response), trailers: [] };
}

async function readFrames(response: Response, listener: AnswerListener): Promise<AnswerEnd> {
  // An answer of gRPC-Web that is an error alone has its status in the headers.
  let end = response.headers.has('grpc-status') ? grpcEnd([...response.headers]) : undefined;
  const frames = new FrameReader();
  await eachChunk(response, (bytes) => {
    for (const frame of frames.take(bytes)) {
      end ??= endIn(frame);
      if (end === undefined) listener.onMessage(indented(frame.text));
    }
  });
  return end ?? { isOk: false, text: 'the answer ended without a status', trailers: [] };
}

/** Lines of JSON. */
async function readLines(response: Response, listener: AnswerListener): Promise<void> {
  const decoder = new TextDecoder();
  let rest = '';
  const take = (text: string): void => {
    const lines = (rest + text).split('\n');
    rest = lines.pop()!;
    for (const line of lines) if (line !== '') listener.onMessage(indented(line));
  };
  await eachChunk(response, (bytes) => take(decoder.decode(bytes, { stream: true })));
  take('\n');
}

async function eachChunk(response: Response, take: (bytes: Uint8Array) => void): Promise<void> {
  const reader = response.body?.getReader();
  for (let part = await reader?.read(); part?.value !== undefined; part = await reader?.read()) {
    take(part.value);
  }
}

function endIn({ flags, text }: MessageFrame): AnswerEnd | undefined {
  if ((flags & WEB_TRAILERS) !== 0) {
    return grpcEnd(
      text
        .split('\r\n')
        .filter((line) => line.includes(':'))
        .map((line) => [
          line.slice(0, line.indexOf(':')),
          line.slice(line.indexOf(':') + 1).trim(),
        ]),
    );
  }
  return (flags & CONNECT_END) !== 0 ? connectEnd(text) : undefined;
}

function grpcEnd(trailers: AnswerEnd['trailers']): AnswerEnd {
  const valueOf = (name: string): string => trailers.find(([key]) => key === name)?.[1] ?? '';
  const status = valueOf('grpc-status');
  const code = GRPC_CODES[Number(status)] ?? `code ${status}`;
  const message = decoded(valueOf('grpc-message'));
  return { isOk: status === '0', text: message === '' ? code : `${code}: ${message}`, trailers };
}

function connectEnd(text: string): AnswerEnd {
  const { error, metadata = {} } = JSON.parse(text) as {
    readonly error?: { readonly code?: string; readonly message?: string };
    readonly metadata?: Readonly<Record<string, readonly string[]>>;
  };
  const trailers = Object.entries(metadata).map(([name, all]) => [name, all.join(', ')] as const);
  if (error === undefined) return { isOk: true, text: 'ok', trailers };
  const parts = [error.code, error.message].filter((part) => part !== undefined && part !== '');
  return { isOk: false, text: parts.join(': '), trailers };
}

function statusText({ status, statusText: words }: Response): string {
  return words === '' ? `status ${status}` : `status ${status} ${words}`;
}

/** Percent-encoded, unless it is not. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** JSON with a line for each member; other text as it is. */
function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
