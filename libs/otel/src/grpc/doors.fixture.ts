import { request } from 'node:http';
import { CALL_STAGE, type CallStage, Code, StatusError } from '@apix/contracts';
import { Gateway, type Upstream, inProcessUpstream, networkUpstream } from '@apix/gateway/core';
import { webSockets } from '@apix/gateway/websocket';
import { afterEach } from '@jest/globals';
import { SpanKind, trace } from '@opentelemetry/api';
import { serve } from '../../../gateway/src/fixtures/serve.fixture.js';
import { talk } from '../../../gateway/src/fixtures/talk.fixture.js';
import { probe } from '../../../grpc-client/src/client.fixture.js';
import {
  type ProbeHandlers,
  type ProbeServer,
  probeClient,
  serveProbe,
} from '../../../grpc-client/src/client/probe-service.fixture.js';
import { Tracing } from '../tracing/tracing.js';
import { clientTracing } from './client-tracing.js';
import { traceStage } from './trace-stage.js';

/** The methods of apix.testdata.Probe, by what clients call them. */
export const METHODS = {
  unary: 'Unary',
  serverStream: 'ServerStream',
  clientStream: 'ClientStream',
  bidiStream: 'BidiStream',
} as const;
export type Method = keyof typeof METHODS;

/** What a handler does with its first message. */
export type Action = 'answer' | 'throw' | 'hang';

export interface CallPlan {
  readonly action: Action;
  readonly timeoutMs?: number;
  readonly isDenied?: boolean;
  /** Has the caller go away. */
  readonly signal?: AbortSignal;
}

/** Makes a call inside a span, and resolves when its caller has its end, whatever that is. */
export type Door = (method: Method, plan: CallPlan) => Promise<void>;

export interface Doors {
  readonly doors: Readonly<Record<DoorName, Door>>;
  /** How many handlers have begun. */
  readonly begun: () => number;
}

export const DOORS = ['network', 'in-process', 'gateway, network', 'gateway, in-process'] as const;
export type DoorName = (typeof DOORS)[number];

const open: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).toReversed()) await close();
});

/** A server of all kinds that is traced, and every way to it. */
export async function openDoors(): Promise<Doors> {
  const tracing = new Tracing();
  let begun = 0;
  const handlers = handlersWith(() => (begun += 1));
  const server = await serveProbe(handlers, [traceStage(tracing), denying]);
  const stages = [clientTracing(tracing)];
  const { endpoint, entry } = server;
  return {
    begun: () => begun,
    doors: {
      network: clientDoor(server, 'network', stages),
      'in-process': clientDoor(server, 'in-process', stages),
      'gateway, network': await gatewayDoor(networkUpstream({ endpoint, stages })),
      'gateway, in-process': await gatewayDoor(inProcessUpstream(entry)),
    },
  };
}

const denying: CallStage = {
  [CALL_STAGE]: true,
  name: 'authz',
  bind: () => ({
    onCall({ metadata }) {
      if (metadata.get('x-deny').length > 0) throw new StatusError(Code.PERMISSION_DENIED, 'no');
    },
  }),
};

function handlersWith(begin: () => void): Required<ProbeHandlers> {
  const act = (text: string, answer: () => void): void => {
    begin();
    if (text === 'throw') throw new RangeError('thrown');
    if (text === 'answer') answer();
  };
  return {
    Unary: ({ request: { stringValue } }, respond) => act(stringValue, () => respond(null, {})),
    ServerStream(call) {
      act(call.request.stringValue, () => {
        call.write({});
        call.end();
      });
    },
    ClientStream(call, respond) {
      call.on('data', ({ stringValue }) => act(stringValue, () => respond(null, {})));
    },
    BidiStream(call) {
      call.on('data', ({ stringValue }) => {
        act(stringValue, () => {
          call.write({});
          call.end();
        });
      });
    },
  };
}

function clientDoor(
  server: ProbeServer,
  transport: 'network' | 'in-process',
  stages: readonly ReturnType<typeof clientTracing>[],
): Door {
  const client = probeClient(server, transport, { stages });
  return (method, { action, timeoutMs, isDenied = false, signal }) => {
    const message = { stringValue: action };
    const options = {
      ...(timeoutMs !== undefined && { timeout: timeoutMs }),
      ...(signal && { signal }),
      headers: isDenied ? { 'x-deny': '1' } : {},
    };
    async function* messages() {
      yield message;
    }
    const drain = async (answers: AsyncIterable<unknown>): Promise<void> => {
      for await (const _ of answers);
    };
    const calls: Record<Method, () => Promise<unknown>> = {
      unary: () => client.unary(message, options),
      serverStream: () => drain(client.serverStream(message, options)),
      clientStream: () => client.clientStream(messages(), options),
      bidiStream: () => drain(client.bidiStream(messages(), options)),
    };
    return trace.getTracer('test').startActiveSpan('caller', async (span) => {
      await calls[method]().catch(() => {});
      span.end();
    });
  };
}

/** A gateway whose requests have a span of their own, as with `TracingModule`; its WebSockets have none here. */
async function gatewayDoor(upstream: Upstream): Promise<Door> {
  const rules = Object.values(METHODS).map((name) => ({
    selector: `apix.testdata.Probe.${name}`,
    post: `/${name}`,
    body: '*',
  }));
  const gateway = new Gateway(probe, upstream, { rules, webSockets: webSockets() });
  const served = await serve((req, res) =>
    trace.getTracer('test').startActiveSpan('http', { kind: SpanKind.SERVER }, (span) => {
      gateway.handle(req, res);
      span.end();
    }),
  );
  gateway.serveUpgrades(served.server);
  open.push(async () => {
    await gateway.closeWebSockets();
    await served.close();
    upstream.close();
  });
  return (method, { action, timeoutMs, isDenied = false, signal }) => {
    const headers = {
      ...(timeoutMs !== undefined && { 'grpc-timeout': `${timeoutMs}m` }),
      ...(isDenied && { 'grpc-metadata-x-deny': '1' }),
    };
    const body = JSON.stringify({ stringValue: action });
    return method === 'unary' || method === 'serverStream'
      ? post(served.port, METHODS[method], headers, body, signal)
      : converse(served.port, METHODS[method], headers, body, signal);
  };
}

async function post(
  port: number,
  name: string,
  headers: Record<string, string>,
  body: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const req = request({
    port,
    host: '127.0.0.1',
    path: `/${name}`,
    method: 'POST',
    agent: false,
    headers: { ...headers, 'content-type': 'application/json' },
    ...(signal && { signal }),
  });
  req.on('error', () => {});
  req.on('response', (res) => res.on('error', () => {}).resume());
  req.end(body);
  await new Promise((resolve) => req.once('close', resolve));
}

async function converse(
  port: number,
  name: string,
  headers: Record<string, string>,
  body: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const opened = await talk(port, `/${name}`, { headers }).catch(() => undefined);
  // Denied before the handshake was answered.
  if (opened === undefined) return;
  const { ws, closed } = opened;
  signal?.addEventListener('abort', () => ws.terminate());
  ws.send(body);
  await closed;
}
