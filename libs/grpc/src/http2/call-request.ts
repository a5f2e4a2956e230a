import { MAX_TIMER_MS } from '@apix/contracts/internal';
import type { ReceivedRequest } from '@apix/http2';
import { Metadata } from '@grpc/grpc-js';

/** Of `grpc-timeout`, in milliseconds (PROTOCOL-HTTP2.md). */
const UNIT_MS: Readonly<Record<string, number>> = {
  H: 3_600_000,
  M: 60_000,
  S: 1_000,
  m: 1,
  u: 0.001,
  n: 0.000001,
};

const TIMEOUT = /^(\d{1,8})([HMSmun])$/;

const CONTENT_TYPE = /^application\/grpc(?:[+;]|$)/;

/** Of the transport, and so not among the metadata that handlers get: as grpc-js has it. */
const OWN: ReadonlySet<string> = new Set([
  'accept-encoding',
  'content-type',
  'grpc-accept-encoding',
  'grpc-encoding',
  'grpc-timeout',
  'te',
]);

/** The head of a call. */
export interface CallRequest {
  readonly path: string;
  readonly host: string;
  readonly metadata: Metadata;
  /** Milliseconds that the call may take; Infinity for no limit, NaN for one that cannot be read. */
  readonly timeoutMs: number;
  /** `grpc-timeout` as it came. */
  readonly timeout: string | undefined;
  /** `grpc-encoding`. */
  readonly encoding: string;
  /** `grpc-accept-encoding`. */
  readonly accepted: string;
}

/** The status of HTTP for a request that is no call of gRPC; undefined for one that is. */
export function httpRefusal({ method, headers }: ReceivedRequest): 405 | 415 | undefined {
  if (method !== 'POST') return 405;
  return CONTENT_TYPE.test(headers['content-type'] ?? '') ? undefined : 415;
}

export function callRequest({ path, authority, headers }: ReceivedRequest): CallRequest {
  const metadata = new Metadata();
  for (const key in headers) {
    if (!OWN.has(key)) addValues(metadata, key, headers[key]);
  }
  const timeout = textOf(headers['grpc-timeout']);
  return {
    path,
    host: authority,
    metadata,
    timeoutMs: timeout === undefined ? Infinity : timeoutMs(timeout),
    timeout,
    encoding: textOf(headers['grpc-encoding']) ?? 'identity',
    accepted: textOf(headers['grpc-accept-encoding']) ?? '',
  };
}

/** Whether the caller can read messages that are compressed so. */
export function takesEncoding({ accepted }: CallRequest, algorithm: string): boolean {
  return accepted !== '' && accepted.split(',').some((each) => each.trim() === algorithm);
}

function addValues(
  metadata: Metadata,
  key: string,
  values: string | readonly string[] | undefined,
): void {
  if (values === undefined) return;
  try {
    if (key.endsWith('-bin')) {
      // Base64 has no comma (PROTOCOL-HTTP2.md, Binary-Header).
      for (const value of String(values).split(',')) {
        metadata.add(key, Buffer.from(value.trim(), 'base64'));
      }
    } else if (typeof values === 'string') metadata.add(key, values);
    else for (const value of values) metadata.add(key, value);
  } catch {
    // What gRPC has no characters for is left out, as grpc-js does.
  }
}

function textOf(value: string | readonly string[] | undefined): string | undefined {
  return value === undefined ? undefined : String(value);
}

function timeoutMs(text: string): number {
  const [, amount, unit] = TIMEOUT.exec(text) ?? [];
  if (unit === undefined) return NaN;
  return Math.min(Math.floor(Number(amount) * UNIT_MS[unit]!), MAX_TIMER_MS);
}
