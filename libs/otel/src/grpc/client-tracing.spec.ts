import { runInCall } from '@apix/contracts/internal';
import { afterEach, describe, expect, it } from '@jest/globals';
import { context, propagation, SpanKind, SpanStatusCode } from '@opentelemetry/api';
import { channelOf, createClient } from '../../../grpc-client/src/client/create-client.js';
import {
  probeClient,
  type ProbeHandlers,
  serveProbe,
} from '../../../grpc-client/src/client/probe-service.fixture.js';
import { idempotentProbe } from '../../../grpc-client/src/service-config/idempotent-probe.fixture.js';
import { forgetSpans, RecordedSpans } from '../recorded-spans.fixture.js';
import { Tracing } from '../tracing/tracing.js';
import { clientTracing, serverAttributes } from './client-tracing.js';

const UNARY = 'apix.testdata.Probe/Unary';
const OUTER = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

afterEach(forgetSpans);

/** Keeps the metadata of each call. */
function answering(): {
  readonly seen: Record<string, unknown>[];
  readonly handlers: ProbeHandlers;
} {
  const seen: Record<string, unknown>[] = [];
  return {
    seen,
    handlers: {
      Unary({ metadata }, respond) {
        seen.push(metadata.getMap());
        respond(null, {});
      },
    },
  };
}

/** A call under way whose metadata clients take over. */
function runWithin<T>(metadata: Readonly<Record<string, string>>, run: () => T): T {
  const get = (key: string): readonly string[] => (key in metadata ? [metadata[key]!] : []);
  const call = {
    metadata: { get, keys: () => Object.keys(metadata) },
    signal: new AbortController().signal,
  };
  return runInCall(call, run);
}

describe('a call that goes out', () => {
  it('has a span with what the conventions ask for', async () => {
    const recorded = new RecordedSpans();
    const server = await serveProbe(answering().handlers);
    await probeClient(server, 'network', { stages: [clientTracing(new Tracing())] }).unary({});
    const span = recorded.named(UNARY);
    expect(span.kind).toBe(SpanKind.CLIENT);
    expect(span.status.code).toBe(SpanStatusCode.UNSET);
    expect(span.attributes).toEqual({
      'rpc.system.name': 'grpc',
      'rpc.method': UNARY,
      'rpc.status_code': 'OK',
      'server.address': '127.0.0.1',
      'server.port': server.port,
    });
  });

  it('sends its own span to the server, in place of all that it has taken over', async () => {
    const recorded = new RecordedSpans();
    const { seen, handlers } = answering();
    const server = await serveProbe(handlers);
    const client = probeClient(server, 'network', { stages: [clientTracing(new Tracing())] });
    const taken = { traceparent: OUTER, tracestate: 'a=1', baggage: 'who=ada' };
    const mine = propagation.createBaggage({ tenant: { value: 'acme' } });
    const within = propagation.setBaggage(context.active(), mine);
    await context.with(within, () => runWithin(taken, () => client.unary({})));
    const { traceId, spanId } = recorded.named(UNARY).spanContext();
    expect(seen[0]).toMatchObject({
      traceparent: `00-${traceId}-${spanId}-01`,
      baggage: 'tenant=acme',
    });
    expect(seen[0]).not.toHaveProperty('tracestate');
  });

  it('passes on what it has taken over where nothing propagates', async () => {
    const { seen, handlers } = answering();
    const server = await serveProbe(handlers);
    const client = probeClient(server, 'network', { stages: [clientTracing(new Tracing())] });
    await runWithin({ traceparent: OUTER }, () => client.unary({}));
    expect(seen[0]).toMatchObject({ traceparent: OUTER });
  });

  it('that stays in this process has none', async () => {
    const recorded = new RecordedSpans();
    const server = await serveProbe(answering().handlers);
    await probeClient(server, 'in-process', { stages: [clientTracing(new Tracing())] }).unary({});
    expect(recorded.all).toEqual([]);
  });

  it('says how often it was made again', async () => {
    const recorded = new RecordedSpans();
    let calls = 0;
    const { endpoint } = await serveProbe({
      Unary(_call, respond) {
        calls += 1;
        if (calls < 3) respond({ code: 14, details: 'not yet' });
        else respond(null, {});
      },
    });
    const client = createClient(idempotentProbe('Unary'), {
      endpoint,
      retry: { initialBackoff: '1ms' },
      stages: [clientTracing(new Tracing())],
    });
    await client.unary({});
    await channelOf(client).close();
    expect(recorded.named(UNARY).attributes).toMatchObject({
      'rpc.status_code': 'OK',
      'apix.rpc.resend_count': 2,
    });
  });

  it('that cannot be connected has its span, and its error', async () => {
    const recorded = new RecordedSpans();
    const closed = await serveProbe({});
    closed.close();
    const client = probeClient(closed, 'network', { stages: [clientTracing(new Tracing())] });
    await client.unary({}).catch(() => {});
    const { status, attributes } = recorded.named(UNARY);
    expect(status.code).toBe(SpanStatusCode.ERROR);
    expect(attributes).toMatchObject({
      'rpc.status_code': 'UNAVAILABLE',
      'error.type': 'UNAVAILABLE',
    });
  });

  it('is made where the propagator throws', async () => {
    const recorded = new RecordedSpans();
    propagation.disable();
    propagation.setGlobalPropagator({
      inject() {
        throw new Error('not like this');
      },
      extract: (ctx) => ctx,
      fields: () => [],
    });
    const server = await serveProbe(answering().handlers);
    await probeClient(server, 'network', { stages: [clientTracing(new Tracing())] }).unary({});
    expect(recorded.named(UNARY).attributes['rpc.status_code']).toBe('OK');
  });
});

it.each([
  ['shop:50051', { 'server.address': 'shop', 'server.port': 50051 }],
  ['127.0.0.1:1', { 'server.address': '127.0.0.1', 'server.port': 1 }],
  ['[::1]:50051', { 'server.address': '::1', 'server.port': 50051 }],
  ['dns:shop:50051', { 'server.address': 'shop', 'server.port': 50051 }],
  ['dns:///shop.svc:50051', { 'server.address': 'shop.svc', 'server.port': 50051 }],
  ['dns://8.8.8.8/shop:443', { 'server.address': 'shop', 'server.port': 443 }],
  ['ipv4:10.0.0.1:80', { 'server.address': '10.0.0.1', 'server.port': 80 }],
  ['unix:/tmp/shop.sock', { 'server.address': '/tmp/shop.sock' }],
  ['shop', { 'server.address': 'shop' }],
])('the server of the target %s', (target, attributes) => {
  expect(serverAttributes(target)).toEqual(attributes);
});
