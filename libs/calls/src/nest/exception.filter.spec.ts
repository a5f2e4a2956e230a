import 'reflect-metadata';
import { Client, Metadata, type ServiceError, credentials } from '@grpc/grpc-js';
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  BadRequestException,
  Body,
  Controller,
  Get,
  HttpException,
  type INestApplication,
  Injectable,
  Module,
  Param,
  Post,
  Res,
} from '@nestjs/common';
import type { AbstractHttpAdapter } from '@nestjs/core';
import {
  ClientProxyFactory,
  GrpcMethod,
  GrpcStreamCall,
  MessagePattern,
  Payload,
  RpcException,
  Transport,
} from '@nestjs/microservices';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import type { ServerResponse } from 'node:http';
import { freePort } from '../../../../tools/testing/free-port.js';
import { lastValueFrom } from 'rxjs';
import { NodeAdapter } from '../../../../tools/testing/node-adapter/node-adapter.js';
import { encodeBadRequest } from '../status/bad-request.js';
import {
  Code,
  FAILURE_OBSERVER,
  type Failure,
  type FailureObserver,
  StatusError,
} from '@apix/contracts';
import { ProblemDetailsModule } from './problem-details.module.js';

const ERRORS: Readonly<Record<string, unknown>> = {
  status: new StatusError(Code.NOT_FOUND, 'there is no orders/1', { cause: new Error('secret') }),
  unauthenticated: new StatusError(Code.UNAUTHENTICATED, 'who are you?'),
  details: new StatusError(Code.INVALID_ARGUMENT, 'one thing is wrong', {
    details: [encodeBadRequest([{ field: 'name', description: 'too long', reason: 'max_len' }])],
    trailers: { 'x-hint': 'shorter' },
  }),
  halved: new StatusError(Code.ABORTED, `no ${'😀'.slice(0, 1)}`, {
    trailers: { connection: 'close', 'x-hint': 'shorter' },
  }),
  http: new BadRequestException(['name is missing', 'age is missing']),
  teapot: new HttpException('short and stout', 418),
  rpc: new RpcException({ code: Code.ABORTED, message: 'again' }),
  rpcText: new RpcException('no code'),
  plain: new Error('password is hunter2'),
  text: 'password is hunter2',
  nothing: undefined,
};

@Injectable()
class Watcher implements FailureObserver {
  readonly [FAILURE_OBSERVER] = true as const;
  readonly failures: Failure[] = [];

  onFailure(failure: Failure): void {
    this.failures.push(failure);
    throw new Error('an observer must not matter');
  }
}

@Controller()
class ThrowingController {
  @Get('throw/:which')
  http(@Param('which') which: string): never {
    throw ERRORS[which];
  }

  @MessagePattern('throw')
  message(@Payload() which: string): never {
    throw ERRORS[which];
  }

  @Get('challenge')
  challenge(@Res() response: { readonly raw?: ServerResponse } & ServerResponse): never {
    const header = 'header' in response ? 'header' : 'setHeader';
    (response as unknown as Record<string, (name: string, value: string) => void>)[header]!(
      'www-authenticate',
      'Basic realm="office"',
    );
    throw ERRORS['unauthenticated'];
  }

  @Get('late')
  late(@Res() response: { readonly raw?: ServerResponse } & ServerResponse): never {
    const raw = response.raw ?? response;
    raw.writeHead(200);
    raw.write('begun ');
    throw new Error('too late');
  }

  @Post('json')
  json(@Body() body: unknown): unknown {
    return body;
  }

  @GrpcMethod('Thrower', 'Unary')
  unary({ text }: { text: string }): never {
    throw ERRORS[text];
  }

  @GrpcStreamCall('Thrower', 'Stream')
  stream(): never {
    throw ERRORS['status'];
  }
}

@Module({
  imports: [ProblemDetailsModule, ProblemDetailsModule],
  controllers: [ThrowingController],
  providers: [Watcher],
})
class ThrowingModule {}

/** Knows, as before Nest 12.3, only of answers that went through Fastify. */
class EarlyFastifyAdapter extends FastifyAdapter {
  override isHeadersSent(response: object): boolean {
    return 'sent' in response && response.sent === true;
  }
}

let app: INestApplication;
afterEach(() => app.close());

const json = (answer: Response): Promise<Record<string, unknown>> =>
  answer.json() as Promise<Record<string, unknown>>;

describe.each([
  ['Express', () => new ExpressAdapter()],
  ['Fastify', () => new FastifyAdapter()],
  ['an adapter of another type', () => new NodeAdapter()],
  ['the Fastify of Nest 12.0', () => new EarlyFastifyAdapter()],
])(
  'over HTTP with %s and problem documents, the exception filter',
  (_, adapter: () => AbstractHttpAdapter) => {
    const start = async (): Promise<{ url: string; failures: Failure[] }> => {
      const testing = await Test.createTestingModule({ imports: [ThrowingModule] }).compile();
      app = testing.createNestApplication(adapter(), { logger: false });
      await app.listen(0, '127.0.0.1');
      return { url: await app.getUrl(), failures: app.get(Watcher).failures };
    };

    it.each([
      ['status', 404, 'NOT_FOUND', 'there is no orders/1', true],
      ['unauthenticated', 401, 'UNAUTHENTICATED', 'who are you?', true],
      ['details', 400, 'INVALID_ARGUMENT', 'one thing is wrong', true],
      ['http', 400, 'INVALID_ARGUMENT', 'name is missing; age is missing', true],
      ['teapot', 418, 'INVALID_ARGUMENT', 'short and stout', true],
      ['rpc', 409, 'ABORTED', 'again', true],
      ['rpcText', 500, 'UNKNOWN', 'no code', true],
      ['plain', 500, 'INTERNAL', 'internal error', false],
      ['text', 500, 'INTERNAL', 'internal error', false],
      ['nothing', 500, 'INTERNAL', 'internal error', false],
    ])(
      'answers to %s with %d and a problem document, and tells the observers',
      async (which, status, code, detail, expected) => {
        const { url, failures } = await start();
        const answer = await fetch(`${url}/throw/${which}`);
        expect(answer.status).toBe(status);
        expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/);
        expect(await json(answer)).toMatchObject({ status, code, detail });
        expect(failures).toMatchObject([
          { door: 'http', status, expected, code: Code[code as never] },
        ]);
        expect(failures[0]?.error).toBe(ERRORS[which]);
        expect(failures[0]?.carrier).toMatchObject({ method: 'GET', url: `/throw/${which}` });
      },
    );

    it('lists what is wrong, and says with a 401 how to authenticate', async () => {
      const { url } = await start();
      expect(await json(await fetch(`${url}/throw/details`))).toMatchObject({
        errors: [{ field: 'name', detail: 'too long', reason: 'max_len' }],
      });
      const denied = await fetch(`${url}/throw/unauthenticated`);
      expect(denied.headers.get('www-authenticate')).toBe('Bearer');
      const challenged = await fetch(`${url}/challenge`);
      expect([challenged.status, challenged.headers.get('www-authenticate')]).toEqual([
        401,
        'Basic realm="office"',
      ]);
    });

    it('answers 400 to a body that is no JSON, in the same form', async () => {
      const { url } = await start();
      const answer = await fetch(`${url}/json`, {
        method: 'POST',
        body: '{',
        headers: { 'content-type': 'application/json' },
      });
      expect(answer.status).toBe(400);
      expect(await json(answer)).toMatchObject({ code: 'INVALID_ARGUMENT' });
    });

    it('ends a response that was begun already', async () => {
      const { url, failures } = await start();
      const answer = await fetch(`${url}/late`);
      expect([answer.status, await answer.text()]).toEqual([200, 'begun ']);
      expect(failures).toMatchObject([{ expected: false }]);
    });
  },
);

describe('over gRPC, the exception filter', () => {
  const encode = (text: string): Buffer => Buffer.from(text);
  const decode = (bytes: Buffer): string => bytes.toString();
  const method = (name: string, requestStream: boolean): object => ({
    path: `/Thrower/${name}`,
    requestStream,
    responseStream: requestStream,
    requestSerialize: encode,
    requestDeserialize: (bytes: Buffer) => ({ text: bytes.toString() }),
    responseSerialize: encode,
    responseDeserialize: decode,
  });

  const start = async (): Promise<{ client: Client; failures: Failure[] }> => {
    const port = await freePort();
    const testing = await Test.createTestingModule({ imports: [ThrowingModule] }).compile();
    app = testing.createNestApplication({ logger: false });
    app.connectMicroservice(
      {
        transport: Transport.GRPC,
        options: {
          package: 'test',
          url: `127.0.0.1:${port}`,
          packageDefinition: {
            'test.Thrower': { Unary: method('Unary', false), Stream: method('Stream', true) },
          },
        },
      },
      { inheritAppConfig: true },
    );
    await app.startAllMicroservices();
    await app.init();
    const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure());
    return { client, failures: app.get(Watcher).failures };
  };

  it.each([
    ['status', Code.NOT_FOUND, 'there is no orders/1'],
    ['details', Code.INVALID_ARGUMENT, 'one thing is wrong'],
    ['halved', Code.ABORTED, 'no \ufffd'],
    ['http', Code.INVALID_ARGUMENT, 'name is missing; age is missing'],
    ['rpc', Code.ABORTED, 'again'],
    ['plain', Code.INTERNAL, 'internal error'],
    ['text', Code.INTERNAL, 'internal error'],
  ])('answers to %s with code %d', async (which, code, details) => {
    const { client, failures } = await start();
    const error = await new Promise<ServiceError | null>((resolve) => {
      client.makeUnaryRequest('/Thrower/Unary', encode, decode, which, resolve);
    });
    client.close();
    expect(error).toMatchObject({ code, details });
    expect(failures).toMatchObject([{ door: 'rpc', code }]);
    expect(failures[0]?.carrier).toBeInstanceOf(Metadata);
  });

  it.each(['details', 'halved'])('sends what can be sent of the trailers of %s', async (which) => {
    const { client } = await start();
    const error = await new Promise<ServiceError | null>((resolve) => {
      client.makeUnaryRequest('/Thrower/Unary', encode, decode, which, resolve);
    });
    client.close();
    expect(error?.metadata.get('x-hint')).toEqual(['shorter']);
    expect(error?.metadata.get('connection')).toEqual([]);
  });

  it('sends the details of a StatusError', async () => {
    const { client } = await start();
    const error = await new Promise<ServiceError | null>((resolve) => {
      client.makeUnaryRequest('/Thrower/Unary', encode, decode, 'details', resolve);
    });
    client.close();
    const [status] = error?.metadata.get('grpc-status-details-bin') ?? [];
    expect(String(status)).toContain('google.rpc.BadRequest');
  });

  it('ends a @GrpcStreamCall, which would hang otherwise', async () => {
    const { client } = await start();
    const error = await new Promise<ServiceError>((resolve) => {
      const stream = client.makeBidiStreamRequest('/Thrower/Stream', encode, decode);
      stream.on('error', (failure: ServiceError) => resolve(failure));
      stream.resume();
    });
    client.close();
    expect(error).toMatchObject({ code: Code.NOT_FOUND, details: 'there is no orders/1' });
  });
});

describe('over another transport, the exception filter', () => {
  it.each([
    ['status', { code: 'NOT_FOUND', message: 'there is no orders/1' }],
    ['rpc', { code: Code.ABORTED, message: 'again' }],
    ['rpcText', { status: 'error', message: 'no code' }],
    ['plain', { status: 'error', message: 'Internal server error' }],
  ])('answers to %s with its status, or as Nest does', async (which, expected) => {
    const port = await freePort();
    const testing = await Test.createTestingModule({ imports: [ThrowingModule] }).compile();
    app = testing.createNestApplication({ logger: false });
    app.connectMicroservice(
      { transport: Transport.TCP, options: { host: '127.0.0.1', port } },
      { inheritAppConfig: true },
    );
    await app.startAllMicroservices();
    await app.init();
    const client = ClientProxyFactory.create({
      transport: Transport.TCP,
      options: { host: '127.0.0.1', port },
    });
    const answer: unknown = await lastValueFrom(client.send('throw', which)).catch(
      (error: unknown) => error,
    );
    await client.close();
    expect(answer).toMatchObject(expected);
  });
});
