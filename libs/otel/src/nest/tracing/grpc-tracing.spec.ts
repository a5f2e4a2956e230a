import type { AddressInfo } from 'node:net';
import type { Server } from 'node:http';
import { afterEach, expect, it } from '@jest/globals';
import { OUTGOING_STAGE } from '@apix/contracts';
import { discoverMarked } from '@apix/contracts/nest';
import { GatewayModule } from '@apix/gateway';
import { GrpcModule, GrpcServer, GrpcService, connectGrpc } from '@apix/grpc';
import { type Client, GrpcClientModule, InjectClient } from '@apix/grpc-client';
import { ProtoModule } from '@apix/proto';
import { type INestApplication, Module, type ModuleMetadata, type Type } from '@nestjs/common';
import { DiscoveryModule, DiscoveryService, NestFactory } from '@nestjs/core';
import { trace } from '@opentelemetry/api';
import { until } from '../../../../../tools/testing/until.js';
import { PROBE } from '../../../../grpc-client/src/client.fixture.js';
import {
  Probe,
  type ProbeService,
} from '../../../../grpc-client/src/client/probe-service.fixture.js';
import { prometheusHandler } from '../../prometheus/prometheus-handler.js';
import { scrape } from '../../scrape.fixture.js';
import { RecordedSpans, forgetSpans } from '../../recorded-spans.fixture.js';
import type { TracingModuleOptions } from './tracing-module-options.js';
import { TracingModule } from './tracing.module.js';

interface Text {
  readonly stringValue: string;
}

const UNARY = 'apix.testdata.Probe/Unary';
const protocols = ['rest', 'connect'] as const;
const STREAM = 'apix.testdata.Probe/ServerStream';

/** The last service of the way. */
@GrpcService(Probe)
class Answering {
  unary({ stringValue }: Text): Text {
    trace.getTracer('app').startSpan('query').end();
    return { stringValue };
  }

  async *serverStream(): AsyncGenerator<Text> {
    for (let i = 0; i < 50; i += 1) {
      trace.getTracer('app').startSpan('row').end();
      // More than a connection takes ahead of its reader.
      yield { stringValue: 'x'.repeat(20_000) };
    }
  }
}

/** Asks it. */
@GrpcService(Probe)
class Asking {
  constructor(@InjectClient(Probe) private readonly probe: Client<ProbeService>) {}

  async unary({ stringValue }: Text): Promise<Text> {
    return this.probe.unary({ stringValue });
  }

  async *serverStream(): AsyncGenerator<Text> {
    for await (const { stringValue } of this.probe.serverStream({})) yield { stringValue };
  }
}

const open: INestApplication[] = [];
afterEach(async () => {
  for (const app of open.splice(0).toReversed()) await app.close();
  forgetSpans();
  stack = 'grpc-js';
});

/** What the servers of a test speak HTTP/2 with. */
let stack: 'grpc-js' | 'http2' = 'grpc-js';

async function start(
  controller: Type,
  imports: NonNullable<ModuleMetadata['imports']>,
): Promise<INestApplication> {
  @Module({
    imports: [
      DiscoveryModule,
      ...imports,
      ProtoModule.forRoot({ descriptors: PROBE }),
      GrpcModule.forRoot({ port: 0, host: '127.0.0.1', stack }),
    ],
    controllers: [controller],
  })
  class App {}
  const app = await NestFactory.create(App, { logger: false, abortOnError: false });
  open.push(app);
  connectGrpc(app);
  await app.init();
  await app.startAllMicroservices();
  return app;
}

const rules = [
  { selector: 'apix.testdata.Probe.Unary', post: '/unary', body: '*' },
  { selector: 'apix.testdata.Probe.ServerStream', post: '/stream', body: '*' },
];

/** Two services, of which the first asks the second, and a gateway in front of the first. */
async function startBoth(
  gateway: 'in-process' | 'network',
  options: TracingModuleOptions = {},
): Promise<(path: string) => Promise<Response>> {
  const last = await start(Answering, [TracingModule.forRoot(options)]);
  const endpoint = last.get(GrpcServer).address;
  // The clients are listed before the module that watches them.
  const client = GrpcClientModule.forFeature(Probe, { endpoint });
  const isLocal = gateway === 'in-process';
  const own = isLocal ? [GatewayModule.forRoot({ rules, protocols, transport: 'in-process' })] : [];
  const first = await start(Asking, [client, ...own, TracingModule.forRoot(options)]);
  const front = isLocal
    ? first
    : await start(Answering, [
        GatewayModule.forRoot({
          rules,
          protocols,
          transport: 'network',
          endpoint: first.get(GrpcServer).address,
        }),
        TracingModule.forRoot(options),
      ]);
  await front.listen(0, '127.0.0.1');
  const { port } = (front.getHttpServer() as Server).address() as AddressInfo;
  const headers = { 'content-type': 'application/json', connection: 'close' };
  return (path) =>
    fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', headers, body: '{}' });
}

/** The paths of the calls of a method and of what is below them, without what is above. */
function pathsFrom(recorded: RecordedSpans, method: string): string[] {
  const isCall = new RegExp(`(CLIENT|SERVER) ${method.replaceAll('.', '\\.')}.*`);
  return recorded.paths.flatMap((path) => isCall.exec(path)?.[0] ?? []);
}

it.each([
  ['in-process', 'grpc-js'],
  ['network', 'grpc-js'],
  ['in-process', 'http2'],
  ['network', 'http2'],
] as const)(
  'a request through the gateway (%s) and two services over %s is one tree',
  async (gateway, servedBy) => {
    stack = servedBy;
    const recorded = new RecordedSpans();
    const send = await startBoth(gateway, { tracerProvider: recorded.tracerProvider });
    expect((await send('/unary')).status).toBe(200);
    const hops = gateway === 'network' ? 4 : 3;
    const isOfCall = (): number => recorded.all.filter(({ name }) => name === UNARY).length;
    await until(() => isOfCall() === hops);
    const [served, sent] = [`SERVER ${UNARY}`, `CLIENT ${UNARY}`];
    const way = [...(gateway === 'network' ? [sent] : []), served, sent, served, 'INTERNAL query'];
    expect(pathsFrom(recorded, UNARY)).toEqual(
      way.map((_, depth) => way.slice(0, depth + 1).join(' > ')),
    );
  },
);

it.each(['in-process', 'network'] as const)(
  'a request of Connect (%s) has one span that names its protocol',
  async (gateway) => {
    const recorded = new RecordedSpans();
    const send = await startBoth(gateway, { tracerProvider: recorded.tracerProvider });
    expect((await send(`/${UNARY}`)).status).toBe(200);
    const named = () => recorded.all.filter(({ name }) => name === `POST /${UNARY}`);
    await until(() => named().length > 0);
    expect(named().map(({ attributes }) => attributes['apix.rpc.protocol'])).toEqual(['connect']);
  },
);

it('a generator runs in its span to its end, however slow its reader is', async () => {
  const recorded = new RecordedSpans();
  const send = await startBoth('in-process', { tracerProvider: recorded.tracerProvider });
  const response = await send('/stream');
  await new Promise((resolve) => setImmediate(resolve));
  await response.text();
  await until(() => recorded.all.filter(({ name }) => name === STREAM).length === 3);
  const rows = recorded.all.filter(({ name }) => name === 'row');
  const second = `SERVER ${STREAM} > CLIENT ${STREAM} > SERVER ${STREAM}`;
  expect(rows).toHaveLength(50);
  expect(
    pathsFrom(recorded, STREAM).filter((path) => path === `${second} > INTERNAL row`),
  ).toHaveLength(50);
});

it('calls are measured at both ends', async () => {
  const recorded = new RecordedSpans();
  const { handler, meterProvider } = prometheusHandler();
  const { tracerProvider } = recorded;
  const send = await startBoth('in-process', { tracerProvider, meterProvider });
  await send('/unary');
  await until(() => recorded.all.filter(({ name }) => name === UNARY).length === 3);
  const text = Object.keys(await scrape(handler)).filter((key) => key.includes('_count'));
  const method = `rpc_system_name="grpc",rpc_method="${UNARY}"`;
  const sample = (name: string): unknown => expect.stringContaining(name);
  expect(text).toEqual(
    expect.arrayContaining([
      sample(`rpc_server_call_duration_count{${method},rpc_status_code="OK"}`),
      sample(`rpc_client_call_duration_count{${method},server_address="127.0.0.1"`),
    ]),
  );
});

it('with grpc: false nothing of gRPC is watched', async () => {
  const recorded = new RecordedSpans();
  const app = await start(Answering, [TracingModule.forRoot({ grpc: false })]);
  expect(app.get(GrpcServer).stages).not.toContain('trace');
  expect(discoverMarked(app.get(DiscoveryService), OUTGOING_STAGE)).toEqual([]);
  expect(recorded.all).toEqual([]);
});

it('wrong options are refused with their names', async () => {
  const grpc = { incoming: 'trust' } as unknown as { readonly incoming: 'link' };
  await expect(start(Answering, [TracingModule.forRoot({ grpc })])).rejects.toThrow(
    `otel: grpc.incoming: must be one of "parent", "link", "ignore", not "trust"`,
  );
});
