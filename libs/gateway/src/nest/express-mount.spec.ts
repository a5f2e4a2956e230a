import { afterEach, expect, it } from '@jest/globals';
import { type INestApplication, RequestMethod } from '@nestjs/common';
import type { AbstractHttpAdapter } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { startApp } from '../fixtures/nest-app.fixture.js';
import { layersOf } from '@apix/calls/internal-nest';

let app: INestApplication | undefined;
afterEach(async () => {
  await app?.close();
  app = undefined;
});

const namesOf = (adapter: AbstractHttpAdapter): string[] =>
  (layersOf(adapter) ?? []).map(({ handle }) => handle.name);

it.each([
  ['without a gateway', undefined],
  ['beside one', { endpoint: '127.0.0.1:1' }],
])(
  'Express has the parsers of Nest in a list, by the names that are skipped, %s',
  async (_, gateway) => {
    const adapter = new ExpressAdapter();
    ({ app } = await startApp({ platform: 'Express', adapter, gateway, listens: false }));
    const parsers = namesOf(adapter).filter((name) => name.endsWith('Parser'));
    expect(parsers).toEqual(['jsonParser', 'urlencodedParser']);
  },
);

it('the adapter of Express adds middleware of modules before createMiddlewareFactory returns', () => {
  const adapter = new ExpressAdapter();
  const before = namesOf(adapter).length;
  adapter.createMiddlewareFactory(RequestMethod.ALL)('/', () => {});
  expect(namesOf(adapter)).toHaveLength(before + 1);
});

it('an adapter that is not of Express has no such list', () => {
  expect(layersOf(new FastifyAdapter() as unknown as AbstractHttpAdapter)).toBeUndefined();
  const other = { getType: () => 'koa', getInstance: () => ({ router: { stack: [] } }) };
  expect(layersOf(other as unknown as AbstractHttpAdapter)).toBeUndefined();
});
