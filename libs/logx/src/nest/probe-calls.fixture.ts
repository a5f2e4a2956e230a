import { StatusError } from '@apix/contracts';
import type { ServerDuplexStream, ServerReadableStream } from '@grpc/grpc-js';
import {
  Controller,
  type ExecutionContext,
  ForbiddenException,
  UseGuards,
  UseInterceptors,
  UsePipes,
} from '@nestjs/common';
import { GrpcMethod, GrpcStreamCall, GrpcStreamMethod, RpcException } from '@nestjs/microservices';
import {
  type Observable,
  concat,
  concatMap,
  defer,
  delay,
  map,
  NEVER,
  of,
  reduce,
  throwError,
} from 'rxjs';
import { fromContext } from '../context/logger-context.js';
import { crash } from './shop.fixture.js';

/** As much of the message apix.testdata.Kinds as is used here. */
export interface Text {
  readonly stringValue: string;
}

const HOLD_MS = 40;

const ACTIONS: Readonly<Record<string, (code: number, text: string) => Observable<Text>>> = {
  crash: () => defer(() => crash('handler')),
  client: () => defer(() => crash('client', { statusCode: 404 })),
  code: (code) => throwError(() => new StatusError(code, 'asked for')),
  rpc: (code) => throwError(() => new RpcException({ code, message: 'asked for' })),
  wait: () => NEVER,
  hold: (_, text) => of({ stringValue: text }).pipe(delay(HOLD_MS)),
};

/** Logs what a request asks for and does it; any other text is sent back. */
function answer(text: string): Observable<Text> {
  fromContext().information('said {Text}', text);
  const [word = '', code] = text.split(' ');
  return ACTIONS[word]?.(Number(code), text) ?? of({ stringValue: text });
}

function logCancelled(): void {
  fromContext().information('cancelled');
}

function logEnd(): void {
  fromContext().information('ended');
}

/** A method of each kind. */
@Controller()
export class ProbeCallsController {
  @GrpcMethod('apix.testdata.Probe', 'Unary')
  unary({ stringValue }: Text): Observable<Text> {
    return answer(stringValue);
  }

  @GrpcMethod('apix.testdata.Probe', 'ServerStream')
  serverStream({ stringValue }: Text): Observable<Text> {
    return concat(of({ stringValue: 'first' }), answer(stringValue));
  }

  @GrpcStreamMethod('apix.testdata.Probe', 'ClientStream')
  clientStream(texts: Observable<Text>): Observable<Text> {
    return texts.pipe(
      concatMap(({ stringValue }) => answer(stringValue)),
      reduce((all, { stringValue }) => all + stringValue, ''),
      map((stringValue) => ({ stringValue })),
    );
  }

  @GrpcStreamMethod('apix.testdata.Probe', 'BidiStream')
  bidiStream(texts: Observable<Text>): Observable<Text> {
    return texts.pipe(concatMap(({ stringValue }) => answer(stringValue)));
  }
}

type Callback = (error: Error | null, answer?: Text) => void;

/** The kinds that stream requests, reading the calls themselves; the others are denied. */
@Controller()
export class RawCallsController {
  @GrpcMethod('apix.testdata.Probe', 'Unary')
  @UseGuards({
    canActivate: () => {
      throw new ForbiddenException('not you');
    },
  })
  unary(): void {}

  @GrpcMethod('apix.testdata.Probe', 'ServerStream')
  @UseGuards({
    canActivate: () => {
      throw new ForbiddenException('not you');
    },
  })
  serverStream(): void {}

  @GrpcStreamCall('apix.testdata.Probe', 'ClientStream')
  clientStream(call: ServerReadableStream<Text, Text>, callback: Callback): void {
    call.on('cancelled', logCancelled);
    call.on('data', ({ stringValue }: Text) =>
      fromContext().information('said {Text}', stringValue),
    );
    call.on('end', () => {
      logEnd();
      callback(null, { stringValue: '' });
    });
  }

  @GrpcStreamCall('apix.testdata.Probe', 'BidiStream')
  bidiStream(call: ServerDuplexStream<Text, Text>): void {
    if (call.metadata.get('x-crash').length > 0) crash('handler');
    call.on('cancelled', logCancelled);
    call.on('data', ({ stringValue }: Text) => {
      fromContext().information('said {Text}', stringValue);
      call.write({ stringValue });
    });
    call.on('end', () => {
      logEnd();
      call.end();
    });
  }
}

/** Serves one method of four, and fails before its handler where asked to. */
@Controller()
export class FailingCallsController {
  @GrpcMethod('apix.testdata.Probe', 'Unary')
  @UseGuards({ canActivate: (context) => !crashesIn('guard', context) })
  @UseInterceptors({
    intercept: (context, next) => {
      crashesIn('interceptor', context);
      return next.handle();
    },
  })
  @UsePipes({ transform: (value: unknown) => (isFor('pipe', value) ? crash('pipe') : value) })
  unary({ stringValue }: Text): Text {
    return isFor('handler', { stringValue }) ? crash('handler') : { stringValue };
  }
}

function crashesIn(where: string, context: ExecutionContext): boolean {
  return isFor(where, context.switchToRpc().getData()) && crash(where);
}

function isFor(where: string, value: unknown): boolean {
  return (value as Partial<Text>).stringValue === where;
}
