import { once } from 'node:events';
import { type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HostPageModule } from '@apix/host-page';
import { describe, expect, it } from '@jest/globals';
import { Controller, Get, Module } from '@nestjs/common';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { CERTIFICATE, KEY } from '../../../../tools/testing/certificate.js';
import { until } from '../../../../tools/testing/until.js';
import { Gate } from '../http/http-site.fixture.js';
import { http2Client } from '../http/http2-client.fixture.js';
import { startHost } from '../testing/start-host.js';
import { HealthModule } from './health/health.module.js';
import { HostxModule } from './hostx.module.js';

/** The part of what the page receives that is looked at. */
interface PageView {
  readonly host: { readonly phase: string };
  readonly sections: { readonly overview: { readonly figures: readonly unknown[] } };
}

const https = { cert: CERTIFICATE, key: KEY, allowHTTP1: true };

describe.each([
  ['without TLS', 'http', { http2: true }],
  ['over TLS', 'https', { http2: true, https }],
] as const)('a Nest app on Fastify with HTTP/2 %s', (_, scheme, options) => {
  it('is served and drained: streams under way finish, the session is told to go', async () => {
    const gate = new Gate();
    @Controller()
    class Site {
      @Get('now') now() {
        return 'now';
      }
      @Get('slow') async slow() {
        await gate.pass();
        return 'slow';
      }
    }
    @Module({
      imports: [HostxModule.forRoot({ drain: { delay: 0 }, http: { port: 0, host: '127.0.0.1' } })],
      controllers: [Site],
    })
    class Root {}
    const adapter = new FastifyAdapter(options as never);
    const { app, stop } = await startHost(Root, { adapter, http: { port: 0, host: '127.0.0.1' } });
    const { port } = (app!.getHttpServer() as Server).address() as AddressInfo;
    const client = await http2Client(`${scheme}://localhost:${port}`);
    expect(await client.ask('/now')).toEqual({ status: 200, body: 'now' });
    const slow = client.ask('/slow');
    await gate.entered;
    const stopped = stop();
    const idle = new Promise((resolve) => client.session.once('goaway', resolve));
    await idle;
    gate.open();
    expect(await slow).toEqual({ status: 200, body: 'slow' });
    await client.closed;
    expect(await stopped).toBeUndefined();
  });

  it('has its health and its host page, whose stream ends properly', async () => {
    @Module({
      imports: [
        HostxModule.forRoot({ drain: { delay: 0 } }),
        HealthModule.forRoot(),
        HostPageModule.forRoot({ public: true }),
      ],
    })
    class Root {}
    const adapter = new FastifyAdapter(options as never);
    const { app, stop } = await startHost(Root, { adapter });
    const { port } = (app!.getHttpServer() as Server).address() as AddressInfo;
    const client = await http2Client(`${scheme}://localhost:${port}`);
    const ready = await client.ask('/readyz');
    expect([ready.status, JSON.parse(ready.body)]).toMatchObject([200, { status: 'ok' }]);
    expect((await client.ask('/host')).body).toContain('<!doctype html>');
    const stream = client.begin('/host/stream').end();
    const [headers] = (await once(stream, 'response')) as [IncomingHttpHeaders];
    expect(headers['content-type']).toBe('text/event-stream; charset=utf-8');
    let text = '';
    stream.on('data', (part: string) => (text += part));
    await until(() => /^data: .*\n\n/m.test(text));
    const view = JSON.parse(/^data: (.*)$/m.exec(text)![1]!) as PageView;
    expect(view.host.phase).toBe('running');
    expect(view.sections.overview.figures).toContainEqual(
      expect.objectContaining({
        name: 'hostx.http.requests.running',
        attributes: 'service=http, protocol=http/2',
        value: 1,
      }),
    );
    const ended = once(stream, 'end');
    expect(await stop()).toBeUndefined();
    await Promise.all([ended, client.closed]);
  });
});
