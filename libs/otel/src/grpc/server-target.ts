import type { Attributes } from '@opentelemetry/api';
import { SERVER_ADDRESS, SERVER_PORT } from '../tracing/span-attributes.js';

/** Which server a target of grpc-js means (gRPC Name Resolution): its host and port, or its path. */
export function serverAttributes(target: string): Attributes {
  const name = target.replace(/^[a-z][a-z\d+.-]*:(?!\d+$)(?:\/\/[^/]*\/)?/i, '');
  const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^:,]+)):(\d{1,5})$/.exec(name) ?? [];
  const host = bracketed ?? plain;
  if (host === undefined) return { [SERVER_ADDRESS]: name };
  return { [SERVER_ADDRESS]: host, [SERVER_PORT]: Number(port) };
}
