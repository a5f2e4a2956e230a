import 'reflect-metadata';
import { Client, Metadata, type ServiceError, credentials } from '@grpc/grpc-js';
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  Body,
  Controller,
  Get,
  type INestApplication,
  Injectable,
  Module,
  Param,
  Post,
} from '@nestjs/common';
import type { AbstractHttpAdapter } from '@nestjs/core';
import {
  ClientProxyFactory,
  GrpcMethod,
  GrpcStreamCall,
  GrpcStreamMethod,
  MessagePattern,
  Payload,
  Transport,
} from '@nestjs/microservices';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import { createRequire } from 'node:module';
import { request } from 'node:http';
import { connect } from 'node:net';
import { type Observable, lastValueFrom, of, switchMap, throwError } from 'rxjs';
import { freePort } from '../../../../tools/testing/free-port.js';
import {
  Code,
  FAILURE_OBSERVER,
  type Failure,
  type FailureObserver,
  StatusError,
} from '@apix/contracts';
import { ProblemDetailsModule } from './problem-details.module.js';

type CreateError = (status: number, message: string, more?: object) => Error;
// Express and its body parsers make their errors with it.
const httpError = createRequire(import.meta.url)('http-errors') as CreateError;

const SECRET = 'http://10.0.0.5:5432/users?password=hunter2';
const error = (more: object): Error => Object.assign(new Error(SECRET), more);

function secret(): never {
  throw new Error(SECRET);
}

function trapped(key: string, it: object): unknown {
  return Object.defineProperty(it, key, { get: secret });
}

function unreadable(): unknown {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

/** What a refused connection of Node gives. */
const refused = await new Promise<Error>((resolve) => {
  connect(1, '127.0.0.1').once('error', resolve);
});

/** Errors that nobody made for the caller. */
const INTERNAL: Readonly<Record<string, unknown>> = {
  'an error of axios': error({ name: 'AxiosError', code: 'ERR_BAD_REQUEST', status: 403 }),
  'an error of undici': error({ code: 'UND_ERR_RESPONSE_STATUS_CODE', statusCode: 404 }),
  'an HTTPError of got': error({ name: 'HTTPError', statusCode: 401, response: {} }),
  'an error of a database driver': error({ code: '42P01', detail: SECRET, statusCode: 400 }),
  'an error with a code and details': error({ code: Code.NOT_FOUND, details: SECRET }),
  'an error with a name of Fastify alone': error({ code: 'FST_ERR_X', statusCode: 400 }),
  'a system error': refused,
  'an error that says it is not to be exposed': httpError(404, SECRET, { expose: false }),
  'a server error of http-errors': httpError(503, SECRET),
  'a server error that says it is to be exposed': httpError(503, SECRET, { expose: true }),
  'an exposed error without a status': error({ expose: true }),
  'a proxy that cannot be read': unreadable(),
  'a StatusError whose message throws': trapped('message', new StatusError(Code.ABORTED, '')),
  'a StatusError whose code throws': trapped('code', new StatusError(Code.ABORTED, '')),
  'a StatusError whose details throw': trapped('details', new StatusError(Code.ABORTED, '')),
  'an HttpException whose words throw': error({ getStatus: secret, getResponse: secret }),
  'an RpcException whose error throws': error({ getError: secret }),
  'an object that is not an Error': { statusCode: 404, expose: true, message: SECRET },
};

/** Errors that are made for HTTP callers, and for no others. */
const EXPOSED = httpError(409, 'the order is closed');

@Injectable()
class Watcher implements FailureObserver {
  readonly [FAILURE_OBSERVER] = true as const;
  readonly failures: Failure[] = [];

  onFailure(failure: Failure): void {
    this.failures.push(failure);
  }
}

const thrown = (which: string): unknown => (which === 'exposed' ? EXPOSED : INTERNAL[which]);

@Controller()
class ThrowingController {
  @Get('throw/:which')
  http(@Param('which') which: string): never {
    throw thrown(which);
  }

  @Post('body')
  body(@Body() body: unknown): unknown {
    return body;
  }

  @MessagePattern('throw')
  message(@Payload() which: string): never {
    throw thrown(which);
  }

  @GrpcMethod('Thrower', 'Unary')
  unary({ text }: { text: string }): never {
    throw thrown(text);
  }

  @GrpcMethod('Thrower', 'ServerStream')
  serverStream({ text }: { text: string }): Observable<unknown> {
    return of(text).pipe(switchMap(() => throwError(() => thrown(text))));
  }

  @GrpcStreamMethod('Thrower', 'Bidi')
  bidi(texts: Observable<{ text: string }>): Observable<unknown> {
    return texts.pipe(switchMap(({ text }) => throwError(() => thrown(text))));
  }

  @GrpcStreamCall('Thrower', 'Call')
  call(call: { metadata: { get(key: string): unknown[] } }): never {
    throw thrown(String(call.metadata.get('x-which')[0]));
  }
}

@Module({
  imports: [ProblemDetailsModule],
  controllers: [ThrowingController],
  providers: [Watcher],
})
class ThrowingModule {}

let app: INestApplication;
afterEach(() => app.close());

async function create(adapter?: AbstractHttpAdapter): Promise<Failure[]> {
  const testing = await Test.createTestingModule({ imports: [ThrowingModule] }).compile();
  app = adapter
    ? testing.createNestApplication(adapter, { logger: false })
    : testing.createNestApplication({ logger: false });
  return app.get(Watcher).failures;
}

interface Answer {
  readonly status: number | undefined;
  readonly text: string;
}

/** A request with a body as it is given, which fetch would not send. */
function post(url: string, headers: Record<string, string>, body: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', headers }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (text += chunk));
      response.on('end', () => resolve({ status: response.statusCode, text }));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

const JSON_TYPE = { 'content-type': 'application/json' };
const HUGE = JSON.stringify('x'.repeat(2_000_000));

type BadBody = readonly [
  string,
  Readonly<Record<string, string>>,
  string,
  number,
  keyof typeof Code,
];

const BOTH: readonly BadBody[] = [
  ['that is not JSON', JSON_TYPE, '{"a":', 400, 'INVALID_ARGUMENT'],
  ['that is too large', JSON_TYPE, HUGE, 413, 'RESOURCE_EXHAUSTED'],
];
const encoded = { ...JSON_TYPE, 'content-encoding': 'snappy' };
const charset = { 'content-type': 'application/json; charset=klingon' };

describe.each([
  [
    'Express',
    () => new ExpressAdapter(),
    [
      ...BOTH,
      ['of an unknown encoding', encoded, '{}', 415, 'INVALID_ARGUMENT'],
      ['of an unknown charset', charset, '{}', 415, 'INVALID_ARGUMENT'],
    ],
  ],
  [
    'Fastify',
    () => new FastifyAdapter(),
    [
      ...BOTH,
      ['of an unknown type', { 'content-type': 'a/b' }, '{}', 415, 'INVALID_ARGUMENT'],
      ['that is empty', JSON_TYPE, '', 400, 'INVALID_ARGUMENT'],
    ],
  ],
] as readonly [string, () => AbstractHttpAdapter, readonly BadBody[]][])(
  'over HTTP with %s, an app with problem documents',
  (_, adapter, bodies) => {
    const start = async (): Promise<{ url: string; failures: Failure[] }> => {
      const failures = await create(adapter());
      await app.listen(0, '127.0.0.1');
      return { url: await app.getUrl(), failures };
    };

    it.each(Object.keys(INTERNAL))('answers to %s with nothing of it', async (which) => {
      const { url, failures } = await start();
      const answer = await fetch(`${url}/throw/${encodeURIComponent(which)}`);
      expect(await answer.json()).toEqual({
        type: 'about:blank',
        title: 'Internal Server Error',
        status: 500,
        detail: 'internal error',
        code: 'INTERNAL',
      });
      expect(failures).toMatchObject([{ expected: false, status: 500, code: Code.INTERNAL }]);
      expect(failures[0]?.error).toBe(INTERNAL[which]);
    });

    it('answers with an error that http-errors exposes as it says', async () => {
      const { url, failures } = await start();
      const answer = await fetch(`${url}/throw/exposed`);
      expect(answer.status).toBe(409);
      expect(await answer.json()).toMatchObject({ detail: 'the order is closed' });
      expect(failures).toMatchObject([{ expected: true, status: 409 }]);
      expect(failures[0]?.error).toBe(EXPOSED);
    });

    it.each(bodies)(
      'says what is wrong with a body %s',
      async (__, headers, body, expected, code) => {
        const { url, failures } = await start();
        const { status, text } = await post(`${url}/body`, headers, body);
        expect([status, (JSON.parse(text) as { code: string }).code]).toEqual([expected, code]);
        expect(failures).toMatchObject([{ expected: true, status: expected }]);
      },
    );
  },
);

it('a Fastify app with problem documents says which field its schema refuses', async () => {
  const adapter = new FastifyAdapter();
  const failures = await create(adapter);
  // Only then does Fastify send errors to Nest.
  await app.init();
  const schema = { querystring: { type: 'object', properties: { n: { type: 'integer' } } } };
  adapter.getInstance().get('/checked', { schema }, () => ({}));
  await app.listen(0, '127.0.0.1');
  const answer = await fetch(`${await app.getUrl()}/checked?n=x`);
  expect(answer.status).toBe(400);
  expect(await answer.json()).toMatchObject({ detail: 'querystring/n must be integer' });
  expect(failures).toMatchObject([{ expected: true, status: 400 }]);
});

/** Every error above, also one that HTTP callers may see. */
const ANY = [...Object.keys(INTERNAL), 'exposed'];

describe('over gRPC, an app', () => {
  const encode = (text: string): Buffer => Buffer.from(text);
  const method = (name: string, requestStream: boolean, responseStream: boolean): object => ({
    path: `/Thrower/${name}`,
    requestStream,
    responseStream,
    requestSerialize: encode,
    requestDeserialize: (bytes: Buffer) => ({ text: bytes.toString() }),
    responseSerialize: encode,
    responseDeserialize: String,
  });
  const METHODS = {
    Unary: method('Unary', false, false),
    ServerStream: method('ServerStream', false, true),
    Bidi: method('Bidi', true, true),
    Call: method('Call', true, true),
  };

  it.each(ANY)('answers to %s with nothing of it, from handlers of any kind', async (which) => {
    const port = await freePort();
    const failures = await create();
    app.connectMicroservice(
      {
        transport: Transport.GRPC,
        options: {
          package: 'test',
          url: `127.0.0.1:${port}`,
          packageDefinition: { 'test.Thrower': METHODS },
        },
      },
      { inheritAppConfig: true },
    );
    await app.startAllMicroservices();
    const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure());
    for (const name of Object.keys(METHODS)) {
      const metadata = new Metadata();
      metadata.set('x-which', which);
      const ended = await new Promise<ServiceError>((resolve) => {
        const call = client.makeBidiStreamRequest(`/Thrower/${name}`, encode, String, metadata);
        call.on('error', resolve);
        call.resume();
        call.write(which);
        call.end();
      });
      const { code, details } = ended;
      expect([name, code, details]).toEqual([name, Code.INTERNAL, 'internal error']);
      const failure = failures.splice(0);
      expect(failure).toMatchObject([{ door: 'rpc', expected: false, code: Code.INTERNAL }]);
      expect(failure[0]?.error).toBe(thrown(which));
    }
    client.close();
  });
});

describe('over TCP, an app', () => {
  it.each(ANY)('answers to %s with nothing of it', async (which) => {
    const port = await freePort();
    const failures = await create();
    const options = { host: '127.0.0.1', port };
    app.connectMicroservice({ transport: Transport.TCP, options }, { inheritAppConfig: true });
    await app.startAllMicroservices();
    const client = ClientProxyFactory.create({ transport: Transport.TCP, options });
    const answer: unknown = await lastValueFrom(client.send('throw', which)).catch(
      (failure: unknown) => failure,
    );
    await client.close();
    expect(answer).toEqual({ status: 'error', message: 'Internal server error' });
    expect(failures).toMatchObject([{ door: 'rpc', expected: false }]);
    expect(failures[0]?.error).toBe(thrown(which));
  });
});
