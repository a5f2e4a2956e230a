import { once } from 'node:events';
import { type IncomingMessage, get } from 'node:http';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Code, isStatusError } from '@apix/contracts';
import type { DescMethod } from '@bufbuild/protobuf';
import { Catalog } from '../src/gen/shop/v1/catalog_pb.js';
import { Orders } from '../src/gen/shop/v1/orders_pb.js';
import type { DemoCaller } from '../src/identity/demo-issuer.js';
import { CALLERS, CASES, type Caller, ORDER, TABLE, verdictOf } from './door-table.fixture.js';
import { RPC_DOORS, WAYS } from './rpc-doors.fixture.js';
import { type Shop, openShop } from './shop.fixture.js';
import { REVISIONS, ToolClient, toolNameOf } from './tool-client.fixture.js';

const PHONE = '+44 1225 460000';

/** The verdict of every caller, in the order of the columns, by every way to call that a server has. */
function decidesByTheTable(
  isHttp2: boolean,
  urlOf: () => string,
  tokenOf: (caller: Caller) => string | undefined,
): void {
  const rows = TABLE.flatMap((row) => {
    return WAYS.filter((way) => way.has(row, isHttp2)).map((way) => ({
      ...row,
      way: way.name,
      by: way,
    }));
  });
  it.each(rows)('decides by the table over $way: $path ($policy)', async ({ by, ...row }) => {
    const codes = Object.keys(CALLERS).map((caller) => {
      const authorization = tokenOf(caller as Caller);
      return by.call(urlOf(), row, authorization === undefined ? {} : { authorization });
    });
    const verdicts = (await Promise.all(codes)).map(verdictOf);
    expect(verdicts).toEqual(row.verdicts);
  });
}

describe('the shop', () => {
  let shop: Shop;
  const tokens = new Map<Caller, string>();
  const urls = new Map<string, string>();
  const closing: (() => Promise<unknown>)[] = [];

  const printed = jest.spyOn(console, 'log').mockImplementation(() => {});

  beforeAll(async () => {
    shop = await openShop();
    for (const [name, caller] of Object.entries(CALLERS)) {
      if (caller !== undefined) tokens.set(name as Caller, await shop.bearer(caller));
    }
    for (const { where, open } of RPC_DOORS) {
      const { url, close } = await open(shop);
      urls.set(where, url);
      closing.push(close);
    }
  }, 90_000);

  afterAll(async () => {
    for (const close of closing) await close();
    await shop.close();
  });

  describe.each(RPC_DOORS)('$where', ({ where, isHttp2 }) => {
    decidesByTheTable(
      isHttp2,
      () => urls.get(where)!,
      (caller) => tokens.get(caller),
    );
  });

  it.each(CASES)('$verdict $caller over gRPC: $path ($policy)', async (row) => {
    const { code } = await shop.call(row.method, row.request, tokens.get(row.caller));
    expect(verdictOf(code)).toBe(row.verdict);
  });

  it.each(CASES.filter(({ method }) => method !== Orders.method.list))(
    '$verdict $caller by authorize(): $path ($policy)',
    (row) => {
      const caller: Partial<DemoCaller> | undefined = CALLERS[row.caller];
      const subject = caller === undefined ? null : { roles: [], permissions: [], ...caller };
      const error = shop.authorizer.authorize(undefined, row.path, subject);
      expect(verdictOf(error?.code)).toBe(row.verdict);
    },
  );

  it.each([
    ['ada', ['customer'], ['orders/1001']],
    ['grace', ['customer'], ['orders/1002']],
    ['eve', ['customer'], []],
    ['eve', ['staff'], ['orders/1002', 'orders/1001']],
    ['ada', ['admin'], ['orders/1002', 'orders/1001']],
  ])('lists to %s as %j the orders %j, page by page', async (id, roles, names) => {
    const authorization = await shop.bearer({ id, roles });
    const page = async (query: string) => {
      const answer = await fetch(`${shop.http}/v1/orders?${query}`, { headers: { authorization } });
      return (await answer.json()) as {
        readonly orders?: readonly { readonly name: string }[];
        readonly totalSize?: string;
      };
    };
    const namesOf = ({ orders = [] }: Awaited<ReturnType<typeof page>>) =>
      orders.map(({ name }) => name);
    const all = await page('createdSince=2026-01-01T00:00:00Z');
    const seeded = namesOf(all).filter((name) => /^orders\/\d+$/.test(name));
    expect(seeded).toEqual(names);
    expect(all.totalSize ?? '0').toBe(String(namesOf(all).length));
    expect(namesOf(await page('pageSize=1'))).toEqual(namesOf(all).slice(0, 1));
    expect(namesOf(await page('customer=grace'))).toEqual(
      namesOf(all).filter((name) => name === 'orders/1002'),
    );
  });

  it.each([
    ['nobody', 'GET /v1/products', Catalog.method.list, {}, 200, { code: 'OK', level: 'info' }],
    [
      'customer',
      'DELETE /v1/orders/none',
      Orders.method.delete,
      ORDER,
      403,
      { code: 'PERMISSION_DENIED', level: 'warn', subject: 'someone' },
    ],
    [
      'admin',
      'GET /v1/orders/none',
      Orders.method.get,
      ORDER,
      404,
      { code: 'NOT_FOUND', level: 'warn', subject: 'someone' },
    ],
  ] as const)(
    'logs one event for a call of %s over REST, %s, and one over gRPC',
    async (caller, route, method, request, status, fields) => {
      const [verb, path] = route.split(' ') as [string, string];
      const token = tokens.get(caller) ?? '';
      const ids = { rest: `rest-${caller}`, grpc: `grpc-${caller}` };
      const headers = { authorization: token, 'x-request-id': ids.rest };
      await (await fetch(`${shop.http}${path}`, { method: verb, headers })).text();
      await shop.call(method, request, token, ids.grpc);

      const call = { ...fields, method: `/${method.parent.typeName}/${method.name}` };
      expect(await shop.eventsOf(ids.rest)).toEqual([
        expect.objectContaining({ ...call, Method: verb, Path: path, status }),
      ]);
      expect(await shop.eventsOf(ids.grpc)).toEqual([
        expect.objectContaining({ ...call, '@mt': 'gRPC {Method} -> {Code}' }),
      ]);
    },
  );

  it('decides on a target in absolute-form, and logs it, by its path', async () => {
    const id = 'absolute';
    const { port } = new URL(shop.http);
    const path = 'http://shop.test/v1/orders/none';
    const sent = get({ host: '127.0.0.1', port, path, headers: { 'x-request-id': id } });
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    await once(response.resume(), 'end');
    expect(response.statusCode).toBe(401);
    expect(await shop.eventsOf(id)).toEqual([
      expect.objectContaining({
        Path: '/v1/orders/none',
        method: '/shop.v1.Orders/Get',
        code: 'UNAUTHENTICATED',
      }),
    ]);
  });

  it('gives a request the id that its answer has, whatever visible characters it is of', async () => {
    const id = '{"id":"a,b;c"}';
    const headers = { 'x-request-id': id };
    const response = await fetch(`${shop.http}/v1/products`, { headers });
    await response.text();
    expect(response.headers.get('x-request-id')).toBe(id);
    expect(await shop.eventsOf(id)).toHaveLength(1);
  });

  it('prints what can be tried, for three callers', () => {
    const [text] = printed.mock.calls.flat() as string[];
    for (const part of [shop.http.split(':')[2]!, 'nobody (401)', 'ada (403)', 'grace (200)']) {
      expect(text).toContain(part);
    }
  });

  it.each([
    ['nobody', 401],
    ['staff', 403],
    ['admin', 200],
  ] as const)('answers %s at a hand-written endpoint with %d', async (caller, status) => {
    const token = tokens.get(caller);
    const headers = token === undefined ? {} : { authorization: token };
    const response = await fetch(`${shop.http}/reports/sales`, { headers });
    await response.text();
    expect(response.status).toBe(status);
  });

  describe.each(REVISIONS)('its tools, by %s', (revision) => {
    const toolsOf = (caller: Caller) => new ToolClient(shop.http, revision, tokens.get(caller));
    const isTool = ({ name, methodKind }: DescMethod): boolean =>
      name !== 'GetInvoice' && /^(?:unary|server_streaming)$/.test(methodKind);
    const methods = [...Catalog.methods, ...Orders.methods].filter(isTool);

    it.each(Object.keys(CALLERS) as Caller[])(
      'are listed to %s as authorize() allows them',
      async (caller) => {
        const given: Partial<DemoCaller> | undefined = CALLERS[caller];
        const subject = given === undefined ? null : { roles: [], permissions: [], ...given };
        const allows = (method: DescMethod): boolean => {
          const path = `/${method.parent.typeName}/${method.name}`;
          if (method !== Orders.method.list) {
            return shop.authorizer.authorize(undefined, path, subject) === null;
          }
          return codeOf(() => shop.authorizer.listFilter(undefined, path, subject)) === undefined;
        };
        const allowed = methods.filter(allows).map(toolNameOf);
        expect(await toolsOf(caller).list()).toEqual(allowed);
        expect(allowed.length).toBeLessThan(methods.length);
      },
    );

    it.each(TABLE.filter(({ method }) => isTool(method)))(
      'decide, and answer, as gRPC does: $path ($policy)',
      async ({ method, request, verdicts }) => {
        const answers = (Object.keys(CALLERS) as Caller[]).map(async (caller) => {
          const { code, details } = await shop.call(method, request, tokens.get(caller));
          const answer = await toolsOf(caller).call(toolNameOf(method), request);
          expect([caller, answer.code, answer.details]).toEqual([caller, code, details]);
          return verdictOf(answer.code);
        });
        expect(await Promise.all(answers)).toEqual(verdicts);
      },
    );

    it('answer with what REST answers, to each caller what it may see', async () => {
      for (const id of ['ada', 'grace']) {
        const authorization = await shop.bearer({ id, roles: ['customer'] });
        const tools = new ToolClient(shop.http, revision, authorization);
        const answer = await fetch(`${shop.http}/v1/orders`, { headers: { authorization } });
        const { data } = await tools.call('Orders_List', {});
        expect(data).toEqual(await answer.json());
        expect(JSON.stringify(data)).not.toContain(id === 'ada' ? 'orders/1002' : 'orders/1001');
      }
    });

    it('show a phone number to staff alone', async () => {
      const shownTo = async (caller: Caller, tool: string, args: object): Promise<boolean> => {
        const { code, text } = await toolsOf(caller).call(tool, args);
        expect(code).toBe(Code.OK);
        return text.includes(PHONE);
      };
      const order = {
        lines: [{ product: 'products/tea', quantity: 1 }],
        address: '1 Mill Lane, Bath',
        phone: PHONE,
      };
      const check = { order, validateOnly: true };
      expect(await shownTo('customer', 'Orders_Create', check)).toBe(false);
      expect(await shownTo('customer', 'Orders_List', {})).toBe(false);
      expect(await shownTo('staff', 'Orders_Create', check)).toBe(true);
      expect(await shownTo('staff', 'Orders_Get', { name: 'orders/1001' })).toBe(true);
    });
  });

  it('gives agents no tool of what is hidden, or has a stream of requests', async () => {
    for (const name of ['Orders_GetInvoice', 'Orders_Import', 'Support_Chat']) {
      const refused = new ToolClient(shop.http, '2025-11-25', tokens.get('admin'));
      await expect(refused.call(name, {})).resolves.toMatchObject({
        details: `unknown tool: ${name}`,
      });
    }
  });

  describe('the phone number of an order', () => {
    const send = async (method: string, path: string, token: string, body?: object) => {
      const headers = {
        authorization: token,
        'content-type': 'application/json',
        'x-request-id': 'phone',
      };
      const sent = body === undefined ? {} : { body: JSON.stringify(body) };
      const answer = await fetch(`${shop.http}${path}`, { method, headers, ...sent });
      return { status: answer.status, text: await answer.text() };
    };
    const order = {
      lines: [{ product: 'products/tea', quantity: 1 }],
      address: '1 Mill Lane, Bath',
      phone: PHONE,
    };

    it.each([
      ['customer', false],
      ['staff', true],
      ['admin', true],
    ] as const)('is in the answer to %s: %s', async (caller, isShown) => {
      const token = tokens.get(caller)!;
      const made = await send('POST', '/v1/orders?validateOnly=true', token, order);
      expect([made.status, made.text.includes(PHONE)]).toEqual([200, isShown]);
      expect(made.text).toContain('1 Mill Lane, Bath');
      if (caller === 'customer') return;
      expect((await send('GET', '/v1/orders/1001', token)).text).toContain(PHONE);
      expect((await send('GET', '/v1/orders', token)).text).toContain(PHONE);
    });

    it('cannot be changed by a caller that may change orders and not see it, and is in no log', async () => {
      const permissions = ['orders:read', 'orders:write'];
      const token = await shop.bearer({ roles: ['customer'], permissions });
      for (const mask of ['phone', '*']) {
        const path = `/v1/orders/1001?updateMask=${mask}`;
        expect((await send('PATCH', path, token, { phone: '' })).status).toBe(403);
      }
      const wrong = { ...order, phone: `${PHONE}x` };
      const refused = await send('POST', '/v1/orders?validateOnly=true', token, wrong);
      expect(refused.status).toBe(400);
      expect(refused.text).not.toContain(PHONE);
      expect(JSON.stringify(await shop.eventsOf('phone'))).not.toContain(PHONE);
    });
  });
});

/** Undefined: it threw nothing. */
function codeOf(run: () => unknown): Code | undefined {
  try {
    run();
    return undefined;
  } catch (error) {
    if (isStatusError(error)) return error.code;
    throw error;
  }
}
