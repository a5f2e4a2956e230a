import 'reflect-metadata';
import { Code } from '@apix/contracts';
import { startHost } from '@apix/hostx/testing';
import {
  type Client,
  Metadata,
  type ServerDuplexStream,
  type ServerReadableStream,
} from '@grpc/grpc-js';
import { describe, expect, it } from '@jest/globals';
import { Controller } from '@nestjs/common';
import { GrpcMethod, GrpcStreamCall, GrpcStreamMethod, RpcException } from '@nestjs/microservices';
import { type Observable, switchMap, throwError } from 'rxjs';
import { call, clientOf, probe } from '../../../grpc-client/src/client.fixture.js';
import { type Text, probeApp } from '../probe.fixture.js';
import { GrpcServer } from './grpc-server.js';

const METHODS = probe.services[0]!.methods;

function metadata(): Metadata {
  const made = new Metadata();
  made.set('x-hint', 'closed on Sundays');
  made.set('x-proof-bin', Buffer.from([1, 2, 3]));
  // What cannot be sent must not keep the rest from it.
  made.set('connection', 'close');
  return made;
}

class OwnException extends RpcException {
  override getError(): object {
    return { code: Code.ABORTED, details: 'again', metadata: metadata() };
  }
}

const EXCEPTIONS: Readonly<Record<string, readonly [() => Error, keyof typeof Code, string]>> = {
  'of an object with a message': [
    () => new RpcException({ code: Code.ABORTED, message: 'again', metadata: metadata() }),
    'ABORTED',
    'again',
  ],
  'of an object with details': [
    () => new RpcException({ code: Code.ABORTED, details: 'again', metadata: metadata() }),
    'ABORTED',
    'again',
  ],
  'whose class has a getError of its own': [() => new OwnException('x'), 'ABORTED', 'again'],
  'of an error with a code': [
    () =>
      new RpcException(
        Object.assign(new Error('again'), { code: Code.ABORTED, metadata: metadata() }),
      ),
    'ABORTED',
    'again',
  ],
  'of an object without a code': [
    () => new RpcException({ message: 'again', metadata: metadata() }),
    'UNKNOWN',
    'again',
  ],
  'of an object with a code that gRPC does not have': [
    () => new RpcException({ code: 99, message: 'again', metadata: metadata() }),
    'UNKNOWN',
    'again',
  ],
};

const failure = ({ stringValue }: Text): Error => EXCEPTIONS[stringValue]![0]();

@Controller()
class ThrowingController {
  @GrpcMethod('Probe', 'Unary')
  unary(request: Text): never {
    throw failure(request);
  }

  @GrpcMethod('Probe', 'ServerStream')
  serverStream(request: Text): Observable<never> {
    return throwError(() => failure(request));
  }

  @GrpcStreamMethod('Probe', 'ClientStream')
  clientStream(requests: Observable<Text>): Observable<never> {
    return requests.pipe(switchMap((request) => throwError(() => failure(request))));
  }

  @GrpcStreamMethod('Probe', 'BidiStream')
  bidiStream(requests: Observable<Text>): Observable<never> {
    return requests.pipe(switchMap((request) => Promise.reject(failure(request))));
  }
}

@Controller()
class AnsweringController {
  @GrpcStreamCall('Probe', 'ClientStream')
  clientStream(stream: ServerReadableStream<Text, Text>, respond: (error: Error) => void): void {
    stream.once('data', (request: Text) => respond(failure(request)));
  }

  @GrpcStreamCall('Probe', 'BidiStream')
  bidiStream(stream: ServerDuplexStream<Text, Text>): void {
    stream.once('data', (request: Text) => stream.destroy(failure(request)));
  }
}

const CASES = [
  ...METHODS.map((method) => [method.name, ThrowingController, method] as const),
  ...METHODS.filter(({ name }) => name === 'ClientStream' || name === 'BidiStream').map(
    (method) => [`${method.name} that ends its call`, AnsweringController, method] as const,
  ),
];

async function clientTo(
  controller: new () => object,
  transport: 'network' | 'in-process',
): Promise<Client> {
  const { app } = await startHost(probeApp([controller]), { http: false });
  const server = app!.get(GrpcServer);
  if (transport === 'network') return clientOf(server.address);
  return clientOf('in-process.invalid:1', undefined, {
    interceptors: [server.clientInterceptor()],
  });
}

describe.each(['network', 'in-process'] as const)('over the transport %s', (transport) => {
  it.each(CASES)(
    'a handler of %s sends the metadata of an RpcException',
    async (_, controller, method) => {
      const client = await clientTo(controller, transport);
      const got: unknown[] = [];
      for (const which of Object.keys(EXCEPTIONS)) {
        const { status, details, trailers } = await call(client, method, [{ stringValue: which }]);
        const sent = ['x-hint', 'x-proof-bin', 'connection'].map((key) => trailers.get(key));
        got.push([which, status, details, ...sent]);
      }
      expect(got).toEqual(
        Object.entries(EXCEPTIONS).map(([which, [, status, details]]) => [
          which,
          status,
          details,
          ['closed on Sundays'],
          [Buffer.from([1, 2, 3])],
          [],
        ]),
      );
    },
  );
});
