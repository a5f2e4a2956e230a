import assert from 'node:assert/strict';
import type { Registry } from '@bufbuild/protobuf';
import { ConnectError, type Transport } from '@connectrpc/connect';
import {
  createConnectTransport,
  createGrpcTransport,
  createGrpcWebTransport,
} from '@connectrpc/connect-node';

export { createClient, type CallOptions } from '@connectrpc/connect';

/** A transport of Connect's client for Node. */
export interface NamedTransport {
  readonly name: string;
  readonly transport: Transport;
  /** Whether it carries streams in both directions. */
  readonly isHttp2: boolean;
}

/**
 * All protocols and versions of HTTP that Connect's client for Node has.
 *
 * @param http1 the base URL for HTTP/1.1.
 * @param http2 the base URL for HTTP/2 without TLS.
 */
export function transportsTo(http1: string, http2: string, registry: Registry): NamedTransport[] {
  const jsonOptions = { registry };
  const one = { baseUrl: http1, httpVersion: '1.1', jsonOptions } as const;
  const two = { baseUrl: http2, httpVersion: '2', jsonOptions } as const;
  const all: readonly (readonly [name: string, transport: Transport, isHttp2: boolean])[] = [
    ['Connect over HTTP/1.1', createConnectTransport(one), false],
    [
      'Connect in binary over HTTP/2',
      createConnectTransport({ ...two, useBinaryFormat: true }),
      true,
    ],
    ['gRPC-Web over HTTP/1.1', createGrpcWebTransport(one), false],
    ['gRPC-Web over HTTP/2', createGrpcWebTransport(two), true],
    ['gRPC', createGrpcTransport(two), true],
  ];
  return all.map(([name, transport, isHttp2]) => ({ name, transport, isHttp2 }));
}

/** The error of a call that must fail. */
export async function failureOf(call: Promise<unknown>): Promise<ConnectError> {
  try {
    await call;
  } catch (error) {
    return ConnectError.from(error);
  }
  return assert.fail('the call has not failed');
}
