import type { IncomingMessage } from 'node:http';
import { afterEach, describe, expect, it } from '@jest/globals';
import { type CanActivate, Controller, Get, Injectable, Req, Res, UseGuards } from '@nestjs/common';
import { GrpcMethod } from '@nestjs/microservices';
import type { ExecutionContext } from '@nestjs/common';
import type { Logger } from '../logger/logger.js';
import { fromContext } from '../context/logger-context.js';
import type { HttpLogOptions } from '../http/http-options.js';
import { assign } from '../request/assign.js';
import { loggerOfRequest } from '../request/request-logger.js';
import { CALL, GrpcRunning, HOSTINGS } from './grpc-running.fixture.js';
import type { Text } from './probe-calls.fixture.js';
import { PLATFORMS, type Running, start } from './running.fixture.js';

type RawRequest = IncomingMessage & { user?: { id: string }; log?: Logger };
type Request = RawRequest & { readonly raw?: RawRequest };

const rawOf = (request: Request): RawRequest => request.raw ?? request;

@Injectable()
class UserGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    rawOf(context.switchToHttp().getRequest<Request>()).user = { id: 'ada' };
    return true;
  }
}

interface Reply {
  header(name: string, value: string): void;
}

@Controller('fields')
@UseGuards(UserGuard)
class FieldsController {
  @Get()
  fields(@Res({ passthrough: true }) reply: Reply): string {
    reply.header('X-Made', 'here');
    reply.header('Set-Cookie', 'sid=1');
    fromContext().information('inside');
    return 'ok';
  }

  @Get('log')
  log(@Req() request: Request): string {
    assign({ Tenant: 'acme' });
    rawOf(request).log?.information('by property');
    loggerOfRequest(request).information('by function');
    return 'ok';
  }

  @GrpcMethod('apix.testdata.Probe', 'Unary')
  unary(text: Text): Text {
    fromContext().information('inside');
    return text;
  }
}

describe.each(PLATFORMS)('on %s', (_name, platform) => {
  let running: Running;
  afterEach(() => running.app.close());

  async function started(http: HttpLogOptions): Promise<void> {
    running = await start(platform, { http, controllers: [FieldsController] });
  }

  it('fields of a request are in all its events, and those found later in its own', async () => {
    await started({
      fields: (request: RawRequest) => ({
        Host: request.headers.host,
        User: request.user?.id,
        RequestId: 'not this',
      }),
    });
    const { event, response } = await running.ask('GET', '/fields');
    const RequestId = response.headers.get('x-request-id');
    const Host = `127.0.0.1:${running.port}`;
    expect(event).toMatchObject({ Host, User: 'ada', RequestId });
    const inside = running.logged.withTemplate('inside').only();
    expect(inside).toMatchObject({ Host, RequestId });
    expect(inside).not.toHaveProperty('User');
  });

  it.each<[string, () => never]>([
    [
      'throws',
      () => {
        throw new Error('no');
      },
    ],
    ['finds no object', () => 'text' as never],
  ])('a function for fields that %s adds nothing', async (_what, fields) => {
    await started({ fields });
    const { event } = await running.ask('GET', '/fields');
    expect(event).toMatchObject({ status: 200 });
  });

  it('headers are there by choice, secrets without their values', async () => {
    await started({
      requestHeaders: ['X-Tenant', 'authorization', 'x-absent'],
      responseHeaders: ['x-made', 'Set-Cookie'],
    });
    const headers = { 'x-tenant': 'acme', authorization: 'Bearer x', 'x-other': '1' };
    const { event } = await running.ask('GET', '/fields', { headers });
    expect(event['request_headers']).toEqual({ 'x-tenant': 'acme', authorization: '[Redacted]' });
    expect(event['response_headers']).toEqual({ 'x-made': 'here', 'set-cookie': '[Redacted]' });
  });

  it('headers of the response are there where they alone are chosen', async () => {
    await started({ responseHeaders: ['x-made'] });
    const { event } = await running.ask('GET', '/fields');
    expect(event['response_headers']).toEqual({ 'x-made': 'here' });
    expect(event).not.toHaveProperty('request_headers');
  });

  it('all headers are there where all are chosen', async () => {
    await started({ requestHeaders: 'all', responseHeaders: 'all' });
    const headers = { 'x-tenant': 'acme', 'x-api-key': 'secret' };
    const { event } = await running.ask('GET', '/fields', { headers });
    expect(event['request_headers']).toMatchObject({
      host: `127.0.0.1:${running.port}`,
      'x-tenant': 'acme',
      'x-api-key': '[Redacted]',
    });
    expect(event['response_headers']).toMatchObject({ 'x-made': 'here', 'content-length': '2' });
  });

  it('idGenerator gets the request', async () => {
    await started({ idGenerator: ({ method, url }) => `${method}:${url}` });
    const { event } = await running.ask('GET', '/fields?x');
    expect(event).toMatchObject({ RequestId: 'GET:/fields?x' });
  });

  it('reqLog gives the raw request its logger, with what was assigned', async () => {
    await started({ reqLog: true });
    const { event } = await running.ask('GET', '/fields/log');
    const { RequestId } = event;
    for (const message of ['by property', 'by function']) {
      const said = running.logged.saying(message).only();
      expect(said).toMatchObject({ RequestId, Tenant: 'acme' });
    }
  });

  it('a raw request has no log of ours by default, and keeps one that it gets', async () => {
    await started({});
    await running.ask('GET', '/fields/log');
    expect(running.logged.saying('by property').count).toBe(0);
    expect(running.logged.saying('by function').count).toBe(1);
    await running.app.close();
    running = await start(platform, {
      http: { reqLog: true },
      controllers: [FieldsController],
      prepare: (app) =>
        app.use((request: Request, _res: unknown, next: () => void) => {
          const said: string[] = [];
          const own = { information: (text: string) => void said.push(text) };
          Object.assign(rawOf(request), { log: own });
          next();
        }),
    });
    await running.ask('GET', '/fields/log');
    expect(running.logged.saying('by property').count).toBe(0);
  });
});

describe.each(HOSTINGS)('on %s', (_name, hosting) => {
  let running: GrpcRunning;
  afterEach(() => running.close());

  it('fields, metadata and ids of a call are found in it', async () => {
    running = await GrpcRunning.start(hosting, FieldsController, {
      grpc: {
        fields: ({ metadata }) => ({ Tenant: metadata.get('x-tenant')[0] }),
        requestMetadata: ['X-Tenant', 'authorization', 'x-absent'],
        idGenerator: ({ method }) => `id-of-${method.name}`,
      },
    });
    const { event } = await running.ask('Unary', ['x'], {
      metadata: { 'x-tenant': 'acme', authorization: 'Bearer x', 'x-other': '1' },
    });
    expect(event).toMatchObject({ '@mt': CALL, Tenant: 'acme', RequestId: 'id-of-Unary' });
    expect(event['request_metadata']).toEqual({
      'x-tenant': 'acme',
      authorization: '[Redacted]',
    });
    expect(running.logged.withTemplate('inside').only()).toMatchObject({ Tenant: 'acme' });
  });

  it('metadata of a call is there where it alone is chosen', async () => {
    const grpc = { requestMetadata: ['x-tenant'] };
    running = await GrpcRunning.start(hosting, FieldsController, { grpc });
    const { event } = await running.ask('Unary', ['x'], { metadata: { 'x-tenant': 'acme' } });
    expect(event['request_metadata']).toEqual({ 'x-tenant': 'acme' });
  });
});
