import { type CallMethod, type CallOutcome, Code, type StagedCall } from '@apix/contracts';
import { FORWARDED_KEY } from '@apix/contracts/internal';
import { describe, expect, it, jest } from '@jest/globals';
import { addContextField, runWork } from '../context/logger-context.js';
import { createLogger } from '../logger/create-logger.js';
import { EventLogger } from '../logger/event-logger.js';
import { addToRequest } from '../request/assign.js';
import { recordInContext, recordOfCall, RequestRecord } from '../request/request-record.js';
import { collectingSink } from '../testing/collecting-sink.js';
import type { GrpcLogOptions } from './grpc-options.js';
import { logStage } from './log-stage.js';

const METHOD: CallMethod = {
  fullName: '/shop.v1.Orders/Get',
  service: 'shop.v1.Orders',
  name: 'Get',
  kind: 'unary',
};
const HEALTH: CallMethod = {
  fullName: '/grpc.health.v1.Health/Check',
  service: 'grpc.health.v1.Health',
  name: 'Check',
  kind: 'unary',
};
const OK: CallOutcome = { code: Code.OK, message: '', cancelled: false };

type FakeCall = StagedCall & { readonly headers: Map<string, string> };

function callOf(
  metadata: Readonly<Record<string, string>> = {},
  more: Partial<StagedCall> = {},
): FakeCall {
  const headers = new Map<string, string>();
  return {
    door: 'grpc',
    method: METHOD,
    metadata: {
      get: (key) => (metadata[key] === undefined ? [] : [metadata[key]]),
      keys: () => Object.keys(metadata),
    },
    peer: { address: '10.0.0.1:5000' },
    signal: new AbortController().signal,
    forwarded: FORWARDED_KEY in metadata,
    values: new Map(),
    setHeader: (key, value) => headers.set(key, value),
    headers,
    ...more,
  };
}

/** A whole call through the stage. */
function pass(options: GrpcLogOptions, call: FakeCall, method = METHOD, outcome = OK) {
  const logged = collectingSink();
  const bound = logStage(createLogger({ sinks: [logged] }), options).bind(method);
  void bound?.onCall?.(call);
  bound?.onEnd?.(call, outcome);
  return logged;
}

describe('a call whose event is below the level', () => {
  it('is not asked for the fields of its event', () => {
    let asked = 0;
    const fields = () => void asked++;
    pass({ probes: 'debug', fields }, callOf(), HEALTH);
    expect(asked).toBe(1);
    pass({ probes: 'debug', fields }, callOf());
    expect(asked).toBe(3);
  });

  it('has its event if a field of the context names a logger of a lower level', () => {
    const remove = addContextField(() => [{ name: 'service', value: 'probes' }]);
    const logged = collectingSink();
    const logger = createLogger({ sinks: [logged], levels: { probes: 'debug' } });
    const bound = logStage(logger, { probes: 'debug' }).bind(HEALTH);
    const call = callOf();
    void bound?.onCall?.(call);
    recordOfCall(call)?.takeContextFields();
    bound?.onEnd?.(call, OK);
    remove();
    expect(logged.with({ service: 'probes', level: 'debug' }).count).toBe(1);
  });
});

describe('a call of a trace', () => {
  const trace = { traceId: 'a'.repeat(32), spanId: '1'.repeat(16) };
  const ids = { trace_id: trace.traceId, span_id: trace.spanId };

  it('has the ids in its event, for which no logger is made', () => {
    const made = jest.spyOn(EventLogger.prototype, 'forContextValues');
    const logged = pass({}, callOf({ 'x-request-id': 'a' }, { trace }));
    expect(logged.with({ RequestId: 'a', ...ids }).count).toBe(1);
    expect(made).not.toHaveBeenCalled();
    made.mockRestore();
  });

  it.each(['trace_id', 'span_id'])('has each once when its own id is to be %s', (field) => {
    const logged = pass({ field }, callOf({}, { trace }));
    expect(logged.with(ids).count).toBe(1);
    expect(logged.lines.join().split(`"${field}":`)).toHaveLength(2);
  });
});

describe('options of gRPC events', () => {
  it.each<[string, GrpcLogOptions, Record<string, string>, object, string, string]>([
    [
      'metadataKey',
      { metadataKey: 'X-Trace' },
      { 'x-trace': 't-1' },
      { RequestId: 't-1' },
      'x-trace',
      't-1',
    ],
    [
      'field',
      { field: 'id' },
      { 'x-request-id': 'a' },
      { id: 'a', RequestId: undefined },
      'x-request-id',
      'a',
    ],
    ['idGenerator', { idGenerator: () => 'g-1' }, {}, { RequestId: 'g-1' }, 'x-request-id', 'g-1'],
  ])('%s is used', (_name, options, metadata, expected, header, id) => {
    const call = callOf(metadata);
    expect(pass(options, call).with({ ...expected }).count).toBe(1);
    expect([...call.headers]).toEqual([[header, id]]);
    expect(call.requestId).toBe(id);
  });

  it.each<[string, () => string]>([
    [
      'throws',
      () => {
        throw new Error('no');
      },
    ],
    ['gives what cannot be written through', () => 'a\nb'],
  ])('an idGenerator that %s is replaced', (_what, idGenerator) => {
    const event = pass({ idGenerator }, callOf()).only();
    expect(event['RequestId']).toMatch(/^[0-9a-f]{32}$/);
  });

  it.each([
    [undefined, 1],
    [false, 1],
    [true, 0],
    [['/healthz'], 0],
  ])('skipProbes: %j leaves %i events of the health service', (skipProbes, count) => {
    expect(pass({ skipProbes }, callOf(), HEALTH).count).toBe(count);
  });

  it('choose metadata of the call that are in its event', () => {
    const call = callOf({ 'x-tenant': 'acme', 'x-other': '1' });
    const event = pass({ requestMetadata: ['X-Tenant'] }, call).only();
    expect(event).toMatchObject({ request_metadata: { 'x-tenant': 'acme' } });
  });

  it('tell of the peer, and of no handler that was not reached', () => {
    const event = pass({}, callOf()).only();
    expect(event).toMatchObject({ remote: '10.0.0.1:5000', method: METHOD.fullName });
    expect(event).not.toHaveProperty('handler');
  });
});

describe('a call that another stage denies', () => {
  it('has its event, with who it was', () => {
    const logged = collectingSink();
    const bound = logStage(createLogger({ sinks: [logged] })).bind(METHOD)!;
    const call = callOf();
    void bound.onCall!(call);
    addToRequest({ subject: 'ada', code: 'mine' }, call);
    bound.onEnd!(call, { code: Code.PERMISSION_DENIED, message: 'no', cancelled: false });
    expect(logged.only()).toMatchObject({
      level: 'warn',
      code: 'PERMISSION_DENIED',
      subject: 'ada',
    });
  });
});

describe('a call that a gateway of this process forwards', () => {
  const root = createLogger({ sinks: [collectingSink()] });
  const request = new RequestRecord(root);
  const inCallersContext: StagedCall['inCallersContext'] = (read) => runWork(request, read);
  const failed: CallOutcome = { code: Code.INTERNAL, message: '', cancelled: false, error: 'why' };

  it('is reported in the event of its HTTP request', () => {
    const call = callOf({ [FORWARDED_KEY]: '1' }, { inCallersContext });
    expect(pass({}, call, METHOD, failed).count).toBe(0);
    expect(request.forwarded?.method).toBe(METHOD.fullName);
    expect(request.forwarded?.code).toBe('INTERNAL');
    expect(request.failure?.error).toBe('why');
    expect([...call.headers]).toEqual([]);
  });

  it('has no event of its own inside of another call either, and that call keeps its own', () => {
    const logged = collectingSink();
    const bound = logStage(createLogger({ sinks: [logged] })).bind(METHOD)!;
    const outer = callOf();
    void bound.onCall!(outer);
    const inContext: StagedCall['inCallersContext'] = (read) => {
      let found: ReturnType<typeof read>;
      bound.within!(outer, () => (found = read()));
      return found!;
    };
    const inner = callOf({ [FORWARDED_KEY]: '1' }, { inCallersContext: inContext });
    void bound.onCall!(inner);
    bound.onEnd!(inner, { code: Code.NOT_FOUND, message: '', cancelled: false });
    expect(logged.count).toBe(0);
    bound.onEnd!(outer, OK);
    expect(logged.only()).toMatchObject({ method: METHOD.fullName, code: 'OK' });
  });

  it('runs in the context of its HTTP request', () => {
    const call = callOf({ [FORWARDED_KEY]: '1' }, { inCallersContext });
    const bound = logStage(root).bind(METHOD)!;
    void bound.onCall!(call);
    let inside: RequestRecord | undefined;
    bound.within!(call, () => (inside = recordInContext()));
    expect(inside).toBe(request);
  });

  it.each<[string, Record<string, string>, Partial<StagedCall>]>([
    ['says so over the network', { [FORWARDED_KEY]: '1' }, {}],
    [
      'comes from a request without an event',
      { [FORWARDED_KEY]: '1' },
      { inCallersContext: (read) => read() },
    ],
    ['is made by a handler', {}, { inCallersContext }],
  ])('but one that %s has an event of its own', (_what, metadata, more) => {
    expect(pass({}, callOf(metadata, more)).count).toBe(1);
  });

  it('tells of a call that failed with what cannot be read', () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    const outcome = { code: Code.INTERNAL, message: 'internal error', cancelled: false };
    const logged = collectingSink();
    const bound = logStage(createLogger({ sinks: [logged] }), {}).bind(METHOD);
    const call = callOf();
    void bound?.onCall?.(call);
    bound?.onEnd?.(call, { ...outcome, error: proxy });
    expect(logged.only()).toMatchObject({ level: 'error', code: 'INTERNAL' });
  });
});
