import { once } from 'node:events';
import {
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  createServer,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import {
  Controller,
  type DynamicModule,
  Get,
  Injectable,
  Module,
  type NestApplicationOptions,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { Peer } from './claim.js';
import { load } from './peer-packages.js';

/** What is used of the package, which is not there when this is compiled. */
const { createObserveModule } = load('@nestjs/observe') as {
  createObserveModule: () => {
    readonly ObserveModule: { forRoot(options: object): DynamicModule };
    readonly ObserveInstrument: NonNullable<NestApplicationOptions['instrument']>;
  };
};

/** What the agent sent after one request, and what the request's handler sent to another service. */
interface Seen {
  readonly report: {
    readonly url: string | undefined;
    readonly headers: IncomingHttpHeaders;
    readonly body: string;
  };
  readonly outgoing: IncomingHttpHeaders;
}

async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const sent = await buffer(request);
  const isZipped = request.headers['content-encoding'] === 'gzip';
  return (isZipped ? gunzipSync(sent) : sent).toString();
}

async function observed(): Promise<Seen> {
  const collector = createServer();
  const reported = new Promise<Seen['report']>((resolve) => {
    collector.on('request', (request, response) => {
      void bodyOf(request).then((body) => {
        const { url, headers } = request;
        if (body.includes('PriceList')) resolve({ url, headers, body });
        return response.end('{}');
      });
    });
  });
  const outgoing: IncomingHttpHeaders[] = [];
  const other = createServer((request, response) => {
    outgoing.push(request.headers);
    response.end('7');
  });
  const endpoint = await listen(collector);
  const service = await listen(other);

  @Injectable()
  class PriceList {
    async of(): Promise<string> {
      return (await fetch(service)).text();
    }
  }
  @Controller()
  class Prices {
    constructor(private readonly list: PriceList) {}
    @Get() read() {
      return this.list.of();
    }
  }
  const { ObserveModule, ObserveInstrument } = createObserveModule();
  @Module({
    imports: [
      ObserveModule.forRoot({
        appKey: 'key',
        appSecret: 'secret',
        serviceId: 'prices',
        endpoint,
        flushInterval: 1_000,
      }),
    ],
    controllers: [Prices],
    providers: [PriceList],
  })
  class App {}
  const app = await NestFactory.create(App, { instrument: ObserveInstrument, logger: false });
  await app.listen(0, '127.0.0.1');
  try {
    await fetch(await app.getUrl());
    const late = sleep(10_000, undefined, { ref: false }).then(() => {
      throw new Error('no report in 10 s');
    });
    return { report: await Promise.race([reported, late]), outgoing: outgoing[0]! };
  } finally {
    await app.close();
    collector.close();
    other.close();
  }
}

/** One app serves all claims. */
let seen: Promise<Seen> | undefined;
const seenOnce = (): Promise<Seen> => (seen ??= observed());

export const observe: Peer = {
  name: '@nestjs/observe',
  claims: [
    {
      says: "spans go to a collector in the agent's own form, with the key of an account",
      expected: '/applications/telemetry with the key "key"',
      see: async () => {
        const { url, headers } = (await seenOnce()).report;
        return `${url} with the key "${String(headers['x-api-key'])}"`;
      },
    },
    {
      says: 'methods of a provider that nobody chose have spans',
      expected: 'true',
      see: async () =>
        String(/"PriceList"[^{}]*"of"|PriceList\.of/.test((await seenOnce()).report.body)),
    },
    {
      says: 'traces go on in other services by x-request-id, not by traceparent',
      expected: 'x-request-id: true, traceparent: false',
      see: async () => {
        const { outgoing } = await seenOnce();
        const has = (name: string): boolean => outgoing[name] !== undefined;
        return `x-request-id: ${has('x-request-id')}, traceparent: ${has('traceparent')}`;
      },
    },
  ],
};
