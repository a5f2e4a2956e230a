import { afterEach, describe, expect, it } from '@jest/globals';
import { CALL_STAGE, type CallStage, Code, StatusError } from '@apix/contracts';
import {
  type Span,
  SpanKind,
  SpanStatusCode,
  context,
  propagation,
  trace,
} from '@opentelemetry/api';
import { type Sampler, SamplingDecision } from '@opentelemetry/sdk-trace';
import { until } from '../../../../tools/testing/until.js';
import {
  type ProbeHandlers,
  TRANSPORTS,
  probeClient,
  serveProbe,
} from '../../../grpc-client/src/client/probe-service.fixture.js';
import { Traced } from '../providers/traced.js';
import { RecordedSpans, forgetSpans } from '../recorded-spans.fixture.js';
import { Tracing } from '../tracing/tracing.js';
import type { GrpcTracingInit } from './grpc-tracing-options.js';
import { traceStage } from './trace-stage.js';

const CALLER = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
const CALLER_TRACE = CALLER.slice(3, 35);
const UNARY = 'apix.testdata.Probe/Unary';

const ok: ProbeHandlers['Unary'] = (_call, respond) => respond(null, {});

afterEach(forgetSpans);

const denying: CallStage = {
  [CALL_STAGE]: true,
  name: 'authz',
  bind: () => ({
    onCall() {
      throw new StatusError(Code.PERMISSION_DENIED, 'not you');
    },
  }),
};

const serveTraced = (
  handlers: ProbeHandlers,
  init?: GrpcTracingInit,
  stages: readonly CallStage[] = [],
) => serveProbe(handlers, [...stages, traceStage(new Tracing(), init)]);

describe.each(TRANSPORTS)('a call that comes in, %s,', (transport) => {
  it('has a span with what the conventions ask for', async () => {
    const recorded = new RecordedSpans();
    const server = await serveTraced({ Unary: ok });
    const headers = { 'x-request-id': 'r-1' };
    await probeClient(server, transport).unary({ stringValue: 'secret' }, { headers });
    await until(() => recorded.all.length === 1);
    const span = recorded.named(UNARY);
    expect(span.kind).toBe(SpanKind.SERVER);
    expect(span.status).toEqual({ code: SpanStatusCode.UNSET });
    expect(span.events).toEqual([]);
    const port = expect.any(Number);
    expect(span.attributes).toEqual({
      'rpc.system.name': 'grpc',
      'rpc.method': UNARY,
      'rpc.status_code': 'OK',
      'apix.request.id': 'r-1',
      ...(transport !== 'in-process' && { 'client.address': '127.0.0.1', 'client.port': port }),
    });
  });

  it('goes on with the trace and the baggage of its caller, in the handler', async () => {
    const recorded = new RecordedSpans();
    const seen: unknown[] = [];
    const server = await serveTraced({
      Unary: (_call, respond) => {
        setImmediate(() => {
          seen.push(propagation.getActiveBaggage()?.getEntry('tenant')?.value);
          trace.getTracer('app').startSpan('query').end();
          respond(null, {});
        });
      },
    });
    const headers = { traceparent: CALLER, baggage: 'tenant=acme' };
    await probeClient(server, transport).unary({}, { headers });
    await until(() => recorded.all.length === 2);
    expect(seen).toEqual(['acme']);
    const span = recorded.named(UNARY);
    expect(span.spanContext().traceId).toBe(CALLER_TRACE);
    expect(span.parentSpanContext).toMatchObject({ spanId: CALLER.slice(36, 52), isRemote: true });
    expect(recorded.paths).toEqual([`SERVER ${UNARY}`, `SERVER ${UNARY} > INTERNAL query`]);
  });

  it('shows its span to the stages after it', async () => {
    const recorded = new RecordedSpans();
    const seen: unknown[] = [];
    const watching: CallStage = {
      [CALL_STAGE]: true,
      name: 'watch',
      bind: () => ({
        async onCall(call) {
          await Promise.resolve();
          seen.push(call.trace?.spanId, trace.getActiveSpan()?.spanContext().spanId);
        },
      }),
    };
    const server = await serveTraced({ Unary: ok }, {}, [watching]);
    await probeClient(server, transport).unary({});
    await until(() => recorded.all.length === 1);
    const { spanId } = recorded.named(UNARY).spanContext();
    expect(seen).toEqual([spanId, spanId]);
  });

  it.each([
    [Code.UNKNOWN, SpanStatusCode.ERROR],
    [Code.DEADLINE_EXCEEDED, SpanStatusCode.ERROR],
    [Code.UNIMPLEMENTED, SpanStatusCode.ERROR],
    [Code.INTERNAL, SpanStatusCode.ERROR],
    [Code.UNAVAILABLE, SpanStatusCode.ERROR],
    [Code.DATA_LOSS, SpanStatusCode.ERROR],
    [Code.NOT_FOUND, SpanStatusCode.UNSET],
    [Code.INVALID_ARGUMENT, SpanStatusCode.UNSET],
    [Code.PERMISSION_DENIED, SpanStatusCode.UNSET],
    [Code.RESOURCE_EXHAUSTED, SpanStatusCode.UNSET],
  ])('that ends with code %s has the status %s', async (code, status) => {
    const recorded = new RecordedSpans();
    const server = await serveTraced({
      Unary: (_call, respond) => respond({ code, details: 'so' }),
    });
    await probeClient(server, transport)
      .unary({})
      .catch(() => {});
    await until(() => recorded.all.length === 1);
    const span = recorded.named(UNARY);
    expect(span.status.code).toBe(status);
    expect(span.attributes['rpc.status_code']).toBe(Code[code]);
    const isError = status === SpanStatusCode.ERROR;
    expect(span.attributes['error.type']).toBe(isError ? Code[code] : undefined);
  });

  it.each([
    [Code.OK, 'ok'],
    [Code.CANCELLED, 'ok'],
    [Code.NOT_FOUND, 'refused'],
    [Code.INTERNAL, 'failed'],
  ])('that ends with code %s is reported as %s', async (code, outcome) => {
    const tracing = new Tracing();
    const seen: unknown[] = [];
    tracing.requests.follow((...request) => seen.push(request));
    const unary: ProbeHandlers['Unary'] =
      code === Code.OK ? ok : (_call, respond) => respond({ code, details: 'so' });
    const server = await serveProbe({ Unary: unary }, [traceStage(tracing)]);
    await probeClient(server, transport)
      .unary({})
      .catch(() => {});
    await until(() => seen.length === 1);
    expect(seen).toEqual([[UNARY, expect.any(Number), outcome]]);
  });

  it('that is denied has its span', async () => {
    const recorded = new RecordedSpans();
    const server = await serveTraced({ Unary: ok }, {}, [denying]);
    await probeClient(server, transport)
      .unary({})
      .catch(() => {});
    await until(() => recorded.all.length === 1);
    expect(recorded.named(UNARY).attributes['rpc.status_code']).toBe('PERMISSION_DENIED');
    expect(recorded.named(UNARY).events).toEqual([]);
  });

  it('that fails has what was thrown', async () => {
    const recorded = new RecordedSpans();
    const server = await serveTraced({
      Unary: () => {
        throw new RangeError('too far');
      },
    });
    await probeClient(server, transport)
      .unary({})
      .catch(() => {});
    await until(() => recorded.all.length === 1);
    const { events, status } = recorded.named(UNARY);
    expect(status).toMatchObject({ code: SpanStatusCode.ERROR });
    expect(events).toMatchObject([
      { name: 'exception', attributes: { 'exception.message': 'too far' } },
    ]);
  });

  it('that fails with what a span inside it has says so, and not again of what', async () => {
    class Store {
      @Traced()
      read(): never {
        throw new RangeError('too far');
      }
    }
    const recorded = new RecordedSpans();
    const server = await serveTraced({ Unary: () => new Store().read() });
    await probeClient(server, transport)
      .unary({})
      .catch(() => {});
    await until(() => recorded.all.length === 2);
    expect(recorded.named('Store.read').events).toMatchObject([{ name: 'exception' }]);
    expect(recorded.named(UNARY).status.code).toBe(SpanStatusCode.ERROR);
    expect(recorded.named(UNARY).events).toEqual([]);
  });

  it('that its sampler leaves out costs no attributes, and is not sampled in the handler', async () => {
    const none: Sampler = { shouldSample: () => ({ decision: SamplingDecision.NOT_RECORD }) };
    const recorded = new RecordedSpans(none);
    const seen: unknown[] = [];
    const server = await serveTraced({
      Unary: (_call, respond) => {
        const ids = trace.getActiveSpan()?.spanContext();
        seen.push(ids?.traceFlags, ids?.traceId);
        respond(null, {});
      },
    });
    await probeClient(server, transport).unary({}, { headers: { traceparent: CALLER } });
    expect(seen).toEqual([0, CALLER_TRACE]);
    expect(recorded.all).toEqual([]);
  });

  it.each([
    ['link', 1],
    ['ignore', 0],
  ] as const)('with incoming: %s begins a new trace', async (incoming, links) => {
    const recorded = new RecordedSpans();
    const seen: unknown[] = [];
    const server = await serveTraced(
      {
        Unary: (_call, respond) => {
          seen.push(propagation.getActiveBaggage());
          respond(null, {});
        },
      },
      { incoming },
    );
    const headers = { traceparent: CALLER, baggage: 'tenant=acme' };
    await probeClient(server, transport).unary({}, { headers });
    await until(() => recorded.all.length === 1);
    const span = recorded.named(UNARY);
    expect(span.parentSpanContext).toBeUndefined();
    expect(span.spanContext().traceId).not.toBe(CALLER_TRACE);
    expect(span.links).toHaveLength(links);
    expect(span.links.every((link) => link.context.traceId === CALLER_TRACE)).toBe(true);
    expect(seen).toEqual([undefined]);
  });

  it.each([
    { traceparent: 'garbage' },
    { traceparent: `${CALLER}${'0'.repeat(4_000)}` },
    { traceparent: [CALLER, CALLER.replace('b7', 'b8')] },
    { traceparent: CALLER, tracestate: 'a=1,'.repeat(1_000) },
    { traceparent: CALLER, baggage: 'k=v,'.repeat(2_000) },
    { baggage: '=,;;%%%' },
  ])('takes no harm from what a hostile caller says (%#)', async (headers) => {
    const recorded = new RecordedSpans();
    const server = await serveTraced({ Unary: ok });
    await probeClient(server, transport).unary({}, { headers });
    await until(() => recorded.all.length === 1);
    expect(recorded.named(UNARY).attributes['rpc.status_code']).toBe('OK');
  });

  it('with a propagator that throws is served', async () => {
    const recorded = new RecordedSpans();
    propagation.disable();
    propagation.setGlobalPropagator({
      inject() {},
      extract() {
        throw new Error('not like this');
      },
      fields: () => [],
    });
    const server = await serveTraced({ Unary: ok });
    await probeClient(server, transport).unary({});
    await until(() => recorded.all.length === 1);
  });

  it('with a sampler that throws is served', async () => {
    const recorded = new RecordedSpans({
      shouldSample() {
        throw new Error('no');
      },
    });
    const server = await serveTraced({ Unary: ok });
    await probeClient(server, transport).unary({});
    expect(recorded.all).toEqual([]);
  });

  it('with a provider whose spans throw is served', async () => {
    const broken = new Proxy({} as Span, {
      get() {
        throw new Error('no');
      },
    });
    const tracer = { startSpan: () => broken, startActiveSpan: () => undefined as never };
    trace.setGlobalTracerProvider({ getTracer: () => tracer });
    const server = await serveTraced({ Unary: ok });
    await expect(probeClient(server, transport).unary({})).resolves.toMatchObject({});
  });

  it('is not traced where its method is skipped', async () => {
    const recorded = new RecordedSpans();
    const skip = ({ name }: { readonly name: string }): boolean => name === 'Unary';
    const server = await serveTraced({ Unary: ok }, { skip });
    await probeClient(server, transport).unary({});
    expect(recorded.all).toEqual([]);
  });
});

it('a call made in this process is the child of what is active where it is made', async () => {
  const recorded = new RecordedSpans();
  const server = await serveTraced({ Unary: ok }, { incoming: 'ignore' });
  const client = probeClient(server, 'in-process');
  const span = trace.getTracer('app').startSpan('job');
  await context.with(trace.setSpan(context.active(), span), async () => {
    await client.unary({}, { headers: { traceparent: CALLER } });
  });
  span.end();
  await until(() => recorded.all.length === 2);
  expect(recorded.paths).toEqual(['INTERNAL job', `INTERNAL job > SERVER ${UNARY}`]);
});

it.each([
  'grpc.health.v1.Health',
  'grpc.reflection.v1.ServerReflection',
  'grpc.reflection.v1alpha.ServerReflection',
])('%s is not traced unless asked', (service) => {
  const method = { fullName: `/${service}/Any`, service, name: 'Any', kind: 'unary' } as const;
  expect(traceStage(new Tracing()).bind(method)).toBeNull();
  expect(traceStage(new Tracing(), { skip: () => false }).bind(method)).not.toBeNull();
});

it('wrong options are reported together', () => {
  const options = { skip: 'health', incoming: 'trust' } as unknown as GrpcTracingInit;
  expect(() => traceStage(new Tracing(), options)).toThrow(
    `otel: 2 mistakes:\n  skip: must be a function, not "health"\n  incoming: must be one of "parent", "link", "ignore", not "trust"`,
  );
});
