import { Agent, type IncomingMessage, request } from 'node:http';
import type { Kind } from './load.js';
import type { ShopAddresses } from './shop-process.js';

interface Asked {
  readonly method?: string;
  readonly authorization?: string;
  readonly accept?: string;
  readonly body?: object;
}

/** What comes over HTTP: REST, denied callers, mistakes, probes, pages, and streams that are left. */
export function restKinds({ http, ada, grace, office }: ShopAddresses): readonly Kind[] {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });

  const open = (path: string, asked: Asked, signal: AbortSignal): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const { method = 'GET', authorization, accept, body } = asked;
      const text = body && JSON.stringify(body);
      const headers = {
        ...(authorization && { authorization }),
        ...(accept && { accept }),
        ...(text && {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(text),
        }),
      };
      request(http + path, { agent, method, headers, signal })
        .once('response', resolve)
        .once('error', reject)
        .end(text);
    });

  /** Reads a whole answer. @throws Error when its status is another one. */
  const ask = async (
    path: string,
    status: number,
    asked: Asked,
    signal: AbortSignal,
  ): Promise<string> => {
    const response = await open(path, asked, signal);
    let text = '';
    response.setEncoding('utf8');
    for await (const part of response) text += part as string;
    if (response.statusCode !== status) {
      throw new Error(`status ${response.statusCode}, not ${status}`);
    }
    return text;
  };

  const kind = (
    name: string,
    share: number,
    path: string,
    status: number,
    asked: Asked = {},
  ): Kind => ({
    name,
    share,
    request: async (signal) => void (await ask(path, status, asked, signal)),
  });

  const order = { lines: [{ product: 'products/tea', quantity: 2 }], address: '1 Mill Lane, Bath' };
  const tooMany = { lines: [{ product: 'products/tea', quantity: 'many' }] };

  return [
    kind('REST, anybody', 4, '/v1/products', 200),
    kind('REST, with a token', 3, '/v1/orders/1001', 200, { authorization: grace }),
    kind('REST, own controller', 1, '/reports/sales', 200, { authorization: grace }),
    kind('denied, nobody', 1, '/v1/orders/1001', 401),
    kind('denied, a customer', 1, '/v1/orders/1001', 403, { authorization: ada }),
    kind('denied, bad token', 1, '/v1/orders', 401, { authorization: 'Bearer e30.e30.e30' }),
    kind('denied, own controller', 1, '/reports/sales', 403, { authorization: ada }),
    kind('not found', 1, '/v1/nothing', 404),
    kind('bad input', 1, '/v1/orders', 400, { method: 'POST', authorization: ada, body: tooMany }),
    kind('probe, ready', 1, '/readyz', 200),
    kind('probe, live', 1, '/healthz', 200),
    kind('metrics', 1, '/metrics', 200),
    kind('host page', 1, '/host', 200, {
      authorization: `Basic ${Buffer.from(office).toString('base64')}`,
    }),
    {
      name: 'REST, order placed and removed',
      share: 1,
      async request(signal) {
        const placed = { method: 'POST', authorization: ada, body: order };
        const { name } = JSON.parse(await ask('/v1/orders', 200, placed, signal)) as {
          readonly name: string;
        };
        await ask(`/v1/${name}`, 200, { method: 'DELETE', authorization: grace }, signal);
      },
    },
    leftStream('SSE, left at its beginning', '/v1/orders:watch', () => Promise.resolve()),
    leftStream('SSE, left after an event', '/v1/orders:watch', async (response) => {
      let text = '';
      for await (const part of response) {
        text += String(part);
        if (/^data:/m.test(text)) return;
      }
      throw new Error('ended without an event');
    }),
  ];

  /** A stream that the caller leaves as a closed browser tab does, with its connection. */
  function leftStream(
    name: string,
    path: string,
    until: (response: IncomingMessage) => Promise<void>,
  ): Kind {
    return {
      name,
      share: 1,
      waits: true,
      async request(signal) {
        const asked = { authorization: grace, accept: 'text/event-stream' };
        const response = await open(path, asked, signal);
        // The way to leave is an error to whoever reads.
        response.on('error', () => {});
        try {
          if (response.statusCode !== 200) throw new Error(`status ${response.statusCode}`);
          await until(response);
        } finally {
          response.destroy();
        }
      },
    };
  }
}
