import { afterEach, describe, expect, it } from '@jest/globals';
import { Controller, Get, type INestApplication, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { NodeAdapter } from '../../../../tools/testing/node-adapter/node-adapter.js';
import type { SubjectFunc } from '../subject/subject.js';
import { AuthzModule } from './authz.module.js';
import { DefaultRequires } from './authz.decorators.js';

const ADAPTERS = [
  ['Express', () => new ExpressAdapter()],
  ['Fastify', () => new FastifyAdapter()],
  ['an adapter of another type', () => new NodeAdapter()],
] as const;

type Headers = Record<string, string | string[]>;
type Edit = (headers: IncomingMessage['headers']) => void;

@Controller('orders')
@DefaultRequires({ roles: { anyOf: ['admin'] } })
class OrdersController {
  @Get()
  all() {
    return 'in';
  }
}

let app: INestApplication;
afterEach(() => app.close());

describe.each(ADAPTERS)('the subject function on %s', (_, adapter) => {
  /** The status of a request, and what the subject function was given of two headers. */
  async function ask(headers: Headers, edit: Edit): Promise<readonly unknown[]> {
    const seen: unknown[] = [];
    const subject: SubjectFunc = ({ metadata }) => {
      seen.push(metadata.get('x-roles'), metadata.get('authorization'));
      return { roles: metadata.get('x-roles'), permissions: [] };
    };
    @Module({ imports: [AuthzModule.forRoot({ subject })], controllers: [OrdersController] })
    class App {}
    app = await NestFactory.create(App, adapter(), { logger: false });
    app.use((req: IncomingMessage, _res: unknown, next: () => void) => {
      edit(req.headers);
      next();
    });
    await app.listen(0, '127.0.0.1');
    const sent = request(`${await app.getUrl()}/orders`, { headers, agent: false }).end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    response.resume();
    await once(response, 'end');
    return [response.statusCode, ...seen];
  }

  it.each<[string, Headers, Edit, readonly unknown[]]>([
    [
      'is not given a header that middleware deleted',
      { 'x-roles': 'admin' },
      (headers) => delete headers['x-roles'],
      [403, [], []],
    ],
    [
      'is not given a header that middleware set to undefined',
      { 'X-Roles': 'admin' },
      (headers) => (headers['x-roles'] = undefined),
      [403, [], []],
    ],
    [
      'is given what middleware wrote over a header',
      { 'x-roles': 'admin' },
      (headers) => (headers['x-roles'] = 'staff'),
      [403, ['staff'], []],
    ],
    [
      'is given the one value that middleware left of two',
      { 'x-roles': ['staff', 'admin'] },
      (headers) => (headers['x-roles'] = 'staff'),
      [403, ['staff'], []],
    ],
    [
      'is given a header that middleware added',
      {},
      (headers) => (headers['x-roles'] = ['staff', 'admin']),
      [200, ['staff', 'admin'], []],
    ],
    [
      'is given each value of headers that came twice, also of those that Node drops',
      { 'x-roles': ['staff', 'admin'], authorization: ['Bearer a', 'Bearer b'] },
      () => {},
      [200, ['staff', 'admin'], ['Bearer a', 'Bearer b']],
    ],
  ])('%s', async (__, headers, edit, expected) => {
    expect(await ask(headers, edit)).toEqual(expected);
  });

  it('is given nothing for the names that every object has', async () => {
    const names = ['__proto__', 'constructor', 'toString'];
    let seen: unknown;
    @Module({
      imports: [
        AuthzModule.forRoot({
          subject: ({ metadata }) => {
            seen = names.map((name) => metadata.get(name));
            return null;
          },
        }),
      ],
      controllers: [OrdersController],
    })
    class App {}
    app = await NestFactory.create(App, adapter(), { logger: false });
    await app.listen(0, '127.0.0.1');
    expect((await fetch(`${await app.getUrl()}/orders`)).status).toBe(401);
    expect(seen).toEqual([[], [], []]);
  });
});

it('the subject function is given the headers that a hook of Fastify replaced', async () => {
  let seen: unknown;
  const subject: SubjectFunc = ({ metadata }) => {
    seen = metadata.get('x-roles');
    return { roles: metadata.get('x-roles'), permissions: [] };
  };
  @Module({ imports: [AuthzModule.forRoot({ subject })], controllers: [OrdersController] })
  class App {}
  const adapter = new FastifyAdapter();
  adapter.getInstance().addHook('onRequest', (req, _reply, done) => {
    req.headers = { 'x-roles': 'staff' };
    done();
  });
  app = await NestFactory.create(App, adapter, { logger: false });
  await app.listen(0, '127.0.0.1');
  const response = await fetch(`${await app.getUrl()}/orders`, { headers: { 'x-roles': 'admin' } });
  expect([response.status, seen]).toEqual([403, ['staff']]);
});
