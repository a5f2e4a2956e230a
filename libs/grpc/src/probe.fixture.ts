import { encodeBadRequest } from '@apix/calls';
import { Code, StatusError } from '@apix/contracts';
import { ProtoModule } from '@apix/proto';
import type { Metadata, ServerDuplexStream, ServerReadableStream } from '@grpc/grpc-js';
import { afterAll, beforeAll, describe } from '@jest/globals';
import { Controller, Module, type Type } from '@nestjs/common';
import { GrpcMethod, GrpcStreamCall, GrpcStreamMethod, RpcException } from '@nestjs/microservices';
import { type Observable, concatMap, map, of, reduce, throwError } from 'rxjs';
import { PROBE } from '../../grpc-client/src/client.fixture.js';
import { GrpcModule } from './nest/grpc.module.js';
import type { GrpcModuleOptions, ServerStack } from './server/grpc-options.js';

/** As much of the message apix.testdata.Kinds as is used here. */
export interface Text {
  readonly stringValue: string;
}

interface SendingCall {
  sendMetadata(metadata: Metadata): void;
}

const FAILURES: Readonly<Record<string, () => Error>> = {
  rpc: () => new RpcException({ code: Code.ABORTED, message: 'again' }),
  status: () =>
    new StatusError(Code.FAILED_PRECONDITION, 'not now', {
      details: [encodeBadRequest([{ field: 'a', description: 'is wrong', reason: 'wrong' }])],
      trailers: { 'x-hint': 'later' },
    }),
  plain: () => new Error('password is hunter2'),
};

/** Throws what a request asks for; passes any other text on. */
function mayFail(text: string): string {
  const failure = FAILURES[text];
  if (failure !== undefined) throw failure();
  return text;
}

/** A method of each kind, with `@GrpcStreamMethod`. */
@Controller()
export class ObservableController {
  @GrpcMethod('apix.testdata.Probe', 'Unary')
  unary({ stringValue }: Text, metadata: Metadata, call: SendingCall): Text {
    const asked = metadata.get('x-echo')[0];
    if (asked !== undefined) {
      const headers = metadata.clone();
      headers.set('x-echoed', asked);
      call.sendMetadata(headers);
    }
    return { stringValue: mayFail(stringValue) };
  }

  @GrpcMethod('Probe', 'ServerStream')
  serverStream({ stringValue }: Text): Observable<Text> {
    return of('1', '2', stringValue).pipe(map((text) => ({ stringValue: mayFail(text) })));
  }

  @GrpcStreamMethod('Probe', 'ClientStream')
  clientStream(texts: Observable<Text>): Observable<Text> {
    return texts.pipe(
      map(({ stringValue }) => mayFail(stringValue)),
      reduce((all, text) => all + text, ''),
      map((stringValue) => ({ stringValue })),
    );
  }

  @GrpcStreamMethod('Probe', 'BidiStream')
  bidiStream(texts: Observable<Text>): Observable<Text> {
    return texts.pipe(
      concatMap(({ stringValue }) => {
        const failure = FAILURES[stringValue];
        return failure === undefined ? of({ stringValue }) : throwError(failure);
      }),
    );
  }
}

type Callback = (error: Error | null, answer?: Text) => void;

/** The two kinds that stream requests, with `@GrpcStreamCall`. */
@Controller()
export class StreamCallController {
  @GrpcStreamCall('Probe', 'ClientStream')
  clientStream(call: ServerReadableStream<Text, Text>, callback: Callback): void {
    let all = '';
    call.on('data', ({ stringValue }: Text) => (all += stringValue));
    call.on('end', () => callback(null, { stringValue: all }));
  }

  @GrpcStreamCall('Probe', 'BidiStream')
  bidiStream(call: ServerDuplexStream<Text, Text>): void {
    if (call.metadata.get('x-fail').length > 0) throw FAILURES['status']!();
    call.on('data', ({ stringValue }: Text) => call.write({ stringValue }));
    call.on('end', () => call.end());
  }
}

/** What serves the tests that run, as {@link overEachStack} has it. */
let stackOfTests: ServerStack = 'grpc-js';

/** Runs the tests of a file over each of the stacks: {@link probeApp} serves with it, unless its options say otherwise. */
export function overEachStack(tests: (stack: ServerStack) => void): void {
  describe.each<ServerStack>(['grpc-js', 'http2'])('over %s,', (stack) => {
    beforeAll(() => void (stackOfTests = stack));
    afterAll(() => void (stackOfTests = 'grpc-js'));
    tests(stack);
  });
}

/** An app that serves the probe on a free port of the loopback interface. */
export function probeApp(controllers: readonly Type[], options: GrpcModuleOptions = {}): Type {
  @Module({
    imports: [
      ProtoModule.forRoot({ descriptors: PROBE }),
      GrpcModule.forRoot({ port: 0, host: '127.0.0.1', stack: stackOfTests, ...options }),
    ],
    controllers: [...controllers],
  })
  class App {}
  return App;
}
