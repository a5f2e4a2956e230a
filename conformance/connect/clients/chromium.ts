import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { GatewayModule, RPC_CORS } from '@apix/gateway';
import { GrpcModule } from '@apix/grpc';
import { HostxModule } from '@apix/hostx';
import { startHost } from '@apix/hostx/testing';
import { ProtoModule } from '@apix/proto';
import { Module } from '@nestjs/common';
import type { Page } from 'playwright-core';
import { startPage } from '../../browser/cors.js';
import { launchChromium, step } from '../../chromium.js';
import { ConformanceController } from '../servers/apix.js';
import { SERVICE, descriptorFile } from '../suite/schema.js';
import { Cancellations, TOKENS, gatekeeper } from './gatekeeper.js';
import type { PageAnswer, PageCall, PageClient } from './page.js';

const CLIENTS: readonly PageClient[] = [
  'connect JSON',
  'connect binary',
  'connect GET',
  'gRPC-Web',
  'grpc-web text',
  'grpc-web binary',
];
const MIB = 2 ** 20;
const NAMES = ['x-test-head', 'x-test-tail'];

/** A Nest app on Express with HTTP/1.1, which lets pages of one other origin in. */
async function startApp(origin: string) {
  const cancellations = new Cancellations();
  @Module({
    imports: [
      HostxModule.forRoot({ logger: null }),
      ProtoModule.forRoot({ descriptors: descriptorFile }),
      GrpcModule.forRoot({ port: 0, host: '127.0.0.1' }),
      GatewayModule.forRoot({ protocols: ['rest', 'connect', 'grpc-web'] }),
    ],
    controllers: [ConformanceController],
    providers: [
      { provide: 'gatekeeper', useValue: gatekeeper },
      { provide: 'cancellations', useValue: cancellations.stage },
    ],
  })
  class App {}
  const { app, stop } = await startHost(App, {
    configure: (created) =>
      created.enableCors({
        origin,
        methods: [...RPC_CORS.methods],
        allowedHeaders: [...RPC_CORS.allowedHeaders, ...NAMES],
        exposedHeaders: [
          ...RPC_CORS.exposedHeaders,
          ...NAMES,
          ...NAMES.map((name) => `trailer-${name}`),
        ],
      }),
  });
  const { port } = new URL(await app!.getUrl());
  return { origin: `http://127.0.0.1:${port}`, cancellations, stop };
}

/** Connect's and gRPC-Web's own clients in a page of another origin. */
export async function testChromium(): Promise<void> {
  const other = await startPage();
  const app = await startApp(other.origin);
  const browser = await launchChromium();
  try {
    const page = await browser.newPage();
    await page.goto(other.origin);
    await page.evaluate(readFileSync(join(process.env['CONNECT_PAGE']!, 'page.js'), 'utf8'));
    const descriptors = JSON.stringify([...readFileSync(descriptorFile)]);
    await page.evaluate(
      `bed.open(${descriptors}, ${JSON.stringify(SERVICE)}, ${JSON.stringify(app.origin)})`,
    );
    for (const client of CLIENTS) await testClient(client, page, app.cancellations);
  } finally {
    await browser.close();
    await app.stop();
    other.close();
  }
}

async function testClient(client: PageClient, page: Page, heard: Cancellations): Promise<void> {
  const name = `${client} in Chromium`;
  const isGrpcWebOwn = client.startsWith('grpc-web');
  const method = client === 'connect GET' ? 'idempotentUnary' : 'unary';
  const call = (asked: Omit<PageCall, 'client'>): Promise<PageAnswer> =>
    callInPage(page, { client, token: TOKENS.allowed, ...asked });
  const plan = {
    responseHeaders: [{ name: 'x-test-head', value: ['one'] }],
    responseTrailers: [{ name: 'x-test-tail', value: ['end'] }],
  };
  const data = (size: number) => ({
    responseDefinition: { ...plan, response: { case: 'responseData', value: { bytes: size } } },
  });
  await step(`${name}: a unary call, with headers and trailers`, async () => {
    const answer = await call({ method, request: data(5) });
    const { sizes, header, trailer } = answer;
    assert.deepEqual(sizes, [5], JSON.stringify(answer));
    if (!isGrpcWebOwn) assert.deepEqual([header, trailer], ['one', 'end']);
  });
  await step(`${name}: a stream of three messages`, async () => {
    const responseData = [{ bytes: 1 }, { bytes: 2 }, { bytes: 3 }];
    const request = { responseDefinition: { ...plan, responseData } };
    assert.deepEqual((await call({ method: 'serverStream', request })).sizes, [1, 2, 3]);
  });
  if (client !== 'connect GET') {
    await step(`${name}: a message of 1 MiB, there and back`, async () => {
      const answer = await call({ method, request: { ...data(MIB) } });
      assert.deepEqual(answer.sizes, [MIB], JSON.stringify(answer));
    });
  }
  for (const [token, code, message] of [
    [undefined, 16, 'a token is needed'],
    [TOKENS.denied, 7, 'not you'],
  ] as const) {
    await step(`${name}: the error of a caller that may not call (${code})`, async () => {
      for (const asked of [method, 'serverStream'] as const) {
        const ask = { client, method: asked, request: {}, ...(token !== undefined && { token }) };
        const answer = await callInPage(page, ask);
        assert.deepEqual([answer.code, answer.message, answer.sizes], [code, message, []]);
      }
    });
  }
  await step(`${name}: an error of the handler, with details`, async () => {
    const response = { case: 'error', value: { code: 9, message: 'nicht möglich ☺' } };
    const answer = await call({ method, request: { responseDefinition: { ...plan, response } } });
    assert.deepEqual([answer.code, answer.message], [9, 'nicht möglich ☺']);
    if (!isGrpcWebOwn) assert.deepEqual([answer.details, answer.header], [1, 'one']);
  });
  // The binary format of this client has messages only when all of them are there.
  if (client === 'grpc-web binary') return;
  await step(`${name}: a stream that is cancelled, of which the server hears`, async () => {
    const responseData = Array.from({ length: 1_000 }, () => ({ bytes: 1 }));
    const request = { responseDefinition: { responseData, responseDelayMs: 20 } };
    const answer = await call({ method: 'serverStream', request, cancelAfter: 2 });
    assert.deepEqual([answer.sizes, answer.code], [[1, 1], 1]);
    await heard.of('ServerStream');
  });
}

/** In the text of a call, `{"bytes":5}` stands for so many of them. */
function callInPage(page: Page, call: PageCall): Promise<PageAnswer> {
  const text = JSON.stringify(call).replace(/\{"bytes":(\d+)\}/g, 'new Uint8Array($1)');
  return page.evaluate(`bed.call(${text})`);
}
