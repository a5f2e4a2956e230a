import { giveRequestId } from '@apix/contracts/internal';
import type { Metadata } from '@grpc/grpc-js';
import {
  type CanActivate,
  Controller,
  Get,
  Injectable,
  type MiddlewareConsumer,
  Module,
  type NestModule,
  Post,
  UseGuards,
} from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { AbstractHttpAdapter } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { afterEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { type IncomingMessage, type Server, get, request } from 'node:http';
import { NodeAdapter } from '../../../../tools/testing/node-adapter/node-adapter.js';
import { until } from '../../../../tools/testing/until.js';
import type { Client } from '../client/client-types.js';
import { Probe, type ProbeService, serveProbe } from '../client/probe-service.fixture.js';
import { InjectClient } from './client-token.js';
import { GrpcClientModule, type GrpcClientOptions } from './grpc-client.module.js';

const open: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

/** What the service sees of a call. */
interface Seen {
  readonly metadata: Metadata;
  cancelled: boolean;
}

@Injectable()
class AskingGuard implements CanActivate {
  constructor(@InjectClient(Probe) private readonly probe: Client<ProbeService>) {}

  async canActivate(): Promise<boolean> {
    return (await this.probe.unary({})).stringValue === '';
  }
}

@Controller()
class Asking {
  /** Work that goes on after the answer. */
  static later: Promise<unknown> = Promise.resolve();
  static onAnswered: () => void = () => {};

  constructor(@InjectClient(Probe) private readonly probe: Client<ProbeService>) {}

  @Post('ask')
  async ask(): Promise<string> {
    return (await this.probe.unary({})).stringValue;
  }

  @Get('guarded')
  @UseGuards(AskingGuard)
  guarded(): string {
    return 'let in';
  }

  @Get('hang')
  async hang(): Promise<string> {
    return (await this.probe.unary({ stringValue: 'hang' })).stringValue;
  }

  @Get('later')
  answerFirst(): string {
    const answered = new Promise<void>((resolve) => (Asking.onAnswered = resolve));
    Asking.later = answered.then(() => this.probe.unary({}));
    return 'answered';
  }
}

async function serve(
  adapter: AbstractHttpAdapter,
  options: GrpcClientOptions<ProbeService> = {},
  middleware: (req: IncomingMessage) => void = () => {},
): Promise<{ readonly url: string; readonly seen: Seen[]; readonly server: Server }> {
  const seen: Seen[] = [];
  const { endpoint } = await serveProbe({
    Unary: (call, respond) => {
      const one = { metadata: call.metadata, cancelled: false };
      seen.push(one);
      call.on('cancelled', () => (one.cancelled = true));
      if (call.request.stringValue !== 'hang') respond(null, {});
    },
  });

  @Module({
    imports: [GrpcClientModule.forFeature(Probe, { endpoint, ...options })],
    controllers: [Asking],
  })
  class AskingApp implements NestModule {
    configure(consumer: MiddlewareConsumer): void {
      consumer
        .apply((req: IncomingMessage, _res: unknown, next: () => void) => {
          middleware(req);
          next();
        })
        .forRoutes('{*path}');
    }
  }

  const module = await Test.createTestingModule({ imports: [AskingApp] }).compile();
  const app = module.createNestApplication(adapter, { logger: false });
  await app.listen(0, '127.0.0.1');
  open.push(() => app.close());
  return {
    url: (await app.getUrl()).replace('[::1]', '127.0.0.1'),
    seen,
    server: app.getHttpServer(),
  };
}

const HEADERS = {
  'x-request-id': 'r-1',
  traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  authorization: 'Bearer secret',
  'content-type': 'application/json',
};

const PLATFORMS = [
  ['Express', () => new ExpressAdapter()],
  ['Fastify', () => new FastifyAdapter()],
  ['an adapter of another type', () => new NodeAdapter()],
] as const;

describe.each(PLATFORMS)('a call made for a request of HTTP on %s', (_, adapter) => {
  it('takes over request id and trace after a body was read, and no credentials', async () => {
    let begun = false;
    const { url, seen, server } = await serve(adapter());
    server.once('request', () => (begun = true));
    const sending = request(`${url}/ask`, { method: 'POST', headers: HEADERS, agent: false });
    sending.write('{"text":');
    // What comes now is read in the context of the connection.
    await until(() => begun);
    sending.end('"x"}');
    const [response] = (await once(sending, 'response')) as [IncomingMessage];
    expect(response.statusCode).toBe(201);
    response.resume();
    const sent = seen[0]!.metadata;
    expect(sent.get('x-request-id')).toEqual(['r-1']);
    expect(sent.get('traceparent')).toEqual([HEADERS.traceparent]);
    expect(sent.get('authorization')).toEqual([]);
  });

  it('takes them over in a guard', async () => {
    const { url, seen } = await serve(adapter());
    expect((await fetch(`${url}/guarded`, { headers: HEADERS })).status).toBe(200);
    expect(seen[0]!.metadata.get('x-request-id')).toEqual(['r-1']);
  });

  it('takes over the id that the request was given, under the key of the service', async () => {
    const inherit = { requestId: 'X-Correlation-Id' };
    const { url, seen } = await serve(adapter(), { inherit }, (req) => giveRequestId(req, 'g-1'));
    await fetch(`${url}/ask`, { method: 'POST', headers: HEADERS, body: '{}' });
    expect(seen[0]!.metadata.get('x-correlation-id')).toEqual(['g-1']);
    expect(seen[0]!.metadata.get('x-request-id')).toEqual([]);
  });

  it('passes no id on that nobody could write', async () => {
    const { url, seen } = await serve(adapter());
    const headers = { ...HEADERS, 'x-request-id': 'a b' };
    await fetch(`${url}/ask`, { method: 'POST', headers, body: '{}' });
    expect(seen[0]!.metadata.get('x-request-id')).toEqual([]);
  });

  it('passes on credentials where a rule says so', async () => {
    const authorization = { from: 'inherit', hosts: ['127.0.0.1'] } as const;
    const { url, seen } = await serve(adapter(), { authorization });
    await fetch(`${url}/ask`, { method: 'POST', headers: HEADERS, body: '{}' });
    expect(seen[0]!.metadata.get('authorization')).toEqual(['Bearer secret']);
  });

  it('is cancelled when its caller goes', async () => {
    const { url, seen } = await serve(adapter());
    const left = get(`${url}/hang`, { agent: false }).on('error', () => {});
    await until(() => seen.length === 1);
    left.destroy();
    await until(() => seen[0]!.cancelled);
  });

  it('is made after the answer, too', async () => {
    const { url, seen } = await serve(adapter());
    expect(await (await fetch(`${url}/later`, { headers: HEADERS })).text()).toBe('answered');
    Asking.onAnswered();
    await expect(Asking.later).resolves.toMatchObject({ stringValue: '' });
    expect(seen[0]!.metadata.get('x-request-id')).toEqual(['r-1']);
  });
});
