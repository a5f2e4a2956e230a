import { readFileSync } from 'node:fs';
import { POLICY_SOURCE } from '@apix/contracts';
import { type DescriptorSource, ProtoModule } from '@apix/proto';
import { afterEach, expect, it, jest } from '@jest/globals';
import { type INestApplication, Logger, Module, type Provider } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { TRANSCODING } from '../fixtures/echo-server.fixture.js';
import { GatewayModule } from './gateway.module.js';

const SHOP = new Uint8Array(
  readFileSync(new URL('../../../../apps/demo/gen/shop.binpb', import.meta.url)),
);

let app: INestApplication;
afterEach(async () => {
  await app.close();
  jest.restoreAllMocks();
});

/** The warnings of a gateway in front of another server as the app starts. */
async function warnings(
  descriptors: DescriptorSource,
  providers: Provider[] = [],
): Promise<string[]> {
  const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => {});
  @Module({
    imports: [
      ProtoModule.forRoot({ descriptors }),
      GatewayModule.forRoot({ endpoint: 'orders.internal:50051' }),
    ],
    providers,
  })
  class App {}
  app = await NestFactory.create(App, { logger: false, abortOnError: false });
  await app.init();
  return warn.mock.calls.flat().map(String);
}

const told = expect.stringContaining('does not enforce policies');

it('a gateway in front of another server says once which policies that one has to enforce', async () => {
  expect((await warnings(SHOP)).filter((text) => text.includes('policies'))).toEqual([
    'this gateway does not enforce policies: the server at orders.internal:50051 must, for ' +
      '12 methods with a policy (/shop.v1.Catalog/List, /shop.v1.Catalog/Get, ' +
      '/shop.v1.Catalog/Create, /shop.v1.Orders/Get, /shop.v1.Orders/List and 7 more)',
  ]);
});

it('a gateway says nothing of policies where its rules have none', async () => {
  expect(await warnings(new Uint8Array(readFileSync(TRANSCODING)))).not.toContainEqual(told);
});

it('a gateway says nothing of policies in an app that has a source of them', async () => {
  const policies = { [POLICY_SOURCE]: true, policyOf: () => undefined };
  const provider = { provide: 'policies', useValue: policies };
  expect(await warnings(SHOP, [provider])).not.toContainEqual(told);
});
