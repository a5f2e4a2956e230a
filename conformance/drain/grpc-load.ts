import { setTimeout as sleep } from 'node:timers/promises';
import { type ServiceError, Client as GrpcClient, credentials } from '@grpc/grpc-js';
import { following } from './http-streams.js';
import type { Client } from './load.js';
import { type Shape, decode, encode, pathOf } from './probe.js';

/** Each has one connection; the callers on it share it. */
const CONNECTIONS = 16;
const CALLERS = 4;
/** Parts of an upload, and the pause between them, so that some are under way at a stop. */
const PARTS = 5;
const PART_MS = 2;

/** Clients that make gRPC calls, unary and client streams, and may hold server streams open. */
export function grpcClients(port: number, withStreams: boolean): readonly Client[] {
  return Array.from({ length: CONNECTIONS }, () => {
    const connection = connect(port);
    return [
      ...Array.from({ length: CALLERS }, () => calling(connection)),
      ...(withStreams ? [following('stream', (stop) => followStream(connection, stop))] : []),
    ];
  }).flat();
}

/**
 * An ordinary client with retries switched off. What remains is the protocol's own: a call that
 * the server has refused unseen (GOAWAY, RFC 9113, section 6.8) is sent on the next connection.
 */
function connect(port: number): GrpcClient {
  return new GrpcClient(`127.0.0.1:${port}`, credentials.createInsecure(), {
    'grpc.use_local_subchannel_pool': 1,
  });
}

/** A caller that calls, waits for the answer, thinks and calls again. */
function calling(connection: GrpcClient): Client {
  return async (tally, stop, think) => {
    while (!stop.aborted) {
      const dice = Math.random();
      const kind = dice < 0.1 ? 'slow' : dice < 0.2 ? 'upload' : 'now';
      const answer = kind === 'upload' ? upload(connection) : ask(connection, kind);
      await tally.request(kind, kind === 'upload' ? String(PARTS) : kind, answer);
      await think();
    }
  };
}

/** Resolves with the text of the answer, or with what went wrong. */
function ask(connection: GrpcClient, text: string): Promise<string> {
  return new Promise((resolve) => {
    const path = pathOf('Unary');
    connection.makeUnaryRequest(path, encode, decode, { stringValue: text }, told(resolve));
  });
}

function upload(connection: GrpcClient): Promise<string> {
  return new Promise((resolve) => {
    const path = pathOf('ClientStream');
    const call = connection.makeClientStreamRequest(path, encode, decode, told(resolve));
    void (async () => {
      for (let part = 0; part < PARTS; part++) {
        call.write({ stringValue: 'part' });
        await sleep(PART_MS);
      }
      call.end();
    })();
  });
}

function told(
  resolve: (text: string) => void,
): (error: ServiceError | null, value?: Shape) => void {
  return (error, value) => resolve(error === null ? value!.stringValue! : textOf(error));
}

/** A server stream, which has to end with OK. */
function followStream(connection: GrpcClient, stop: AbortSignal): Promise<string> {
  return new Promise((resolve) => {
    let messages = 0;
    const path = pathOf('ServerStream');
    const call = connection.makeServerStreamRequest(path, encode, decode, {});
    stop.addEventListener('abort', () => (resolve('done'), call.cancel()), { once: true });
    call.on('data', () => messages++);
    call.on('error', (error: ServiceError) => resolve(textOf(error)));
    call.on('end', () => resolve(messages > 0 ? 'told to go' : 'no message'));
  });
}

/** Without what grpc-js adds about times and name resolution, so that equal failures count as one. */
function textOf({ message }: ServiceError): string {
  return message.split('. ', 1)[0]!;
}
