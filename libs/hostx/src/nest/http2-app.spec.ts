import { type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { Controller, Get, Module } from '@nestjs/common';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { CERTIFICATE, KEY } from '../../../../tools/testing/certificate.js';
import { Gate } from '../http/http-site.fixture.js';
import { http2Client } from '../http/http2-client.fixture.js';
import { startHost } from '../testing/start-host.js';
import { HostxModule } from './hostx.module.js';

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
});
