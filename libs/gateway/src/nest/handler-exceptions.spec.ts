import 'reflect-metadata';
import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Code, StatusError } from '@apix/contracts';
import { GrpcModule } from '@apix/grpc';
import { startHost } from '@apix/hostx/testing';
import { ProtoModule } from '@apix/proto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import * as nest from '@nestjs/common';
import { GrpcMethod, RpcException } from '@nestjs/microservices';
import { type Observable, concat, of, throwError } from 'rxjs';
import { freePort } from '../../../../tools/testing/free-port.js';
import { TRANSCODING } from '../fixtures/echo-server.fixture.js';
import { ask } from '../fixtures/serve.fixture.js';
import { GatewayModule } from './gateway.module.js';

const NEST: Readonly<Record<string, unknown>> = { ...nest };

type ExceptionClass = new (message: string) => nest.HttpException;

/** Every exception of Nest, with its HTTP status and its code in gRPC. */
const EXCEPTIONS: readonly (readonly [keyof typeof nest, number, keyof typeof Code])[] = [
  ['BadRequestException', 400, 'INVALID_ARGUMENT'],
  ['UnauthorizedException', 401, 'UNAUTHENTICATED'],
  ['ForbiddenException', 403, 'PERMISSION_DENIED'],
  ['NotFoundException', 404, 'NOT_FOUND'],
  ['MethodNotAllowedException', 405, 'INVALID_ARGUMENT'],
  ['NotAcceptableException', 406, 'INVALID_ARGUMENT'],
  ['RequestTimeoutException', 408, 'DEADLINE_EXCEEDED'],
  ['ConflictException', 409, 'ABORTED'],
  ['GoneException', 410, 'INVALID_ARGUMENT'],
  ['PreconditionFailedException', 412, 'FAILED_PRECONDITION'],
  ['PayloadTooLargeException', 413, 'RESOURCE_EXHAUSTED'],
  ['UnsupportedMediaTypeException', 415, 'INVALID_ARGUMENT'],
  ['ImATeapotException', 418, 'INVALID_ARGUMENT'],
  ['MisdirectedException', 421, 'INVALID_ARGUMENT'],
  ['UnprocessableEntityException', 422, 'INVALID_ARGUMENT'],
  ['InternalServerErrorException', 500, 'INTERNAL'],
  ['NotImplementedException', 501, 'UNIMPLEMENTED'],
  ['BadGatewayException', 502, 'INTERNAL'],
  ['ServiceUnavailableException', 503, 'UNAVAILABLE'],
  ['GatewayTimeoutException', 504, 'DEADLINE_EXCEEDED'],
  ['HttpVersionNotSupportedException', 505, 'INTERNAL'],
];

/** Further errors, of which a status is to be shown or not. */
const OTHERS: Readonly<Record<string, readonly [() => Error, number, keyof typeof Code]>> = {
  'an HttpException of 429': [() => new nest.HttpException('x', 429), 429, 'RESOURCE_EXHAUSTED'],
  'an HttpException of a redirect': [() => new nest.HttpException('x', 302), 500, 'UNKNOWN'],
  'an HttpException of a success': [() => new nest.HttpException('x', 200), 500, 'UNKNOWN'],
  'a StatusError with a status of its code': [() => chosen('413'), 413, 'RESOURCE_EXHAUSTED'],
  'a StatusError with a status of another code': [() => chosen('401'), 429, 'RESOURCE_EXHAUSTED'],
  'a StatusError with the status of a success': [() => chosen('200'), 429, 'RESOURCE_EXHAUSTED'],
  'a StatusError with a status that is not one': [() => chosen('413x'), 429, 'RESOURCE_EXHAUSTED'],
  'an RpcException': [() => new RpcException({ code: Code.ABORTED, message: 'x' }), 409, 'ABORTED'],
};

function chosen(status: string): StatusError {
  const trailers = { 'x-http-code': status };
  return new StatusError(Code.RESOURCE_EXHAUSTED, 'x', { trailers });
}

function failure(name: string): Error {
  const other = OTHERS[name];
  return other?.[0]() ?? new (NEST[name] as ExceptionClass)('x');
}

@nest.Controller()
class Throwing {
  @GrpcMethod('EchoService', 'Query')
  query({ str }: { readonly str: string }): never {
    throw failure(str);
  }

  @GrpcMethod('StreamService', 'Count')
  count({ to }: { readonly to: number }): Observable<object> {
    const failed = throwError(() => new nest.PayloadTooLargeException('x'));
    return to === 0 ? failed : concat(of({ number: 1 }), failed);
  }
}

describe.each(['in-process', 'network'] as const)('over the transport %s', (transport) => {
  let port: number;
  beforeEach(async () => {
    const grpc = { port: await freePort(), host: '127.0.0.1' };
    const endpoint = `127.0.0.1:${grpc.port}`;
    @nest.Module({
      imports: [
        ProtoModule.forRoot({ descriptors: new Uint8Array(readFileSync(TRANSCODING)) }),
        GrpcModule.forRoot(grpc),
        GatewayModule.forRoot(transport === 'network' ? { endpoint } : {}),
      ],
      controllers: [Throwing],
    })
    class App {}
    const { app } = await startHost(App, { http: { port: 0 } });
    port = ((app!.getHttpServer() as Server).address() as AddressInfo).port;
  });

  const answerTo = async (name: string): Promise<unknown[]> => {
    const { status, headers, json } = await ask(port, `/v1/query?str=${encodeURIComponent(name)}`);
    const { code, status: said } = json as Readonly<Record<string, unknown>>;
    return [name, status, said, code, headers['grpc-trailer-x-http-code']];
  };

  it('the HTTP status of each exception of Nest reaches the caller', async () => {
    const got: unknown[] = [];
    for (const [name] of EXCEPTIONS) got.push(await answerTo(name));
    expect(got).toEqual(
      EXCEPTIONS.map(([name, status, code]) => [name, status, status, code, undefined]),
    );
  });

  it('other errors have a status that belongs to their code', async () => {
    const got: unknown[] = [];
    for (const name of Object.keys(OTHERS)) got.push(await answerTo(name));
    expect(got).toEqual(
      Object.entries(OTHERS).map(([name, [, status, code]]) => [
        name,
        status,
        status,
        code,
        undefined,
      ]),
    );
  });

  it('a stream that fails before its first message has the status', async () => {
    expect(await ask(port, '/v1/count?to=0')).toMatchObject({ status: 413 });
  });

  it('a stream that fails later says the status in its last line', async () => {
    const { status, text } = await ask(port, '/v1/count?to=1');
    expect(status).toBe(200);
    const [, last = ''] = text.trim().split('\n');
    expect(JSON.parse(last)).toMatchObject({ error: { status: 413, code: 'RESOURCE_EXHAUSTED' } });
  });
});

it('every exception that Nest has is in the table', () => {
  const names = Object.keys(nest).filter((name) => /.Exception$/.test(name));
  const known = EXCEPTIONS.map(([name]) => name as string);
  const others = ['HttpException', 'IntrinsicException'];
  expect(names.toSorted()).toEqual([...known, ...others].toSorted());
});
