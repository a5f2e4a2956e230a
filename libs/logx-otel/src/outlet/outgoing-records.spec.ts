import { describe, expect, it } from '@jest/globals';
import { createLogger, customSink, type LogEvent, type Logger } from '@apix/logx/core';
import { context, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { OTLPLogExporter as GrpcExporter } from '@opentelemetry/exporter-logs-otlp-grpc';
import { OTLPLogExporter as HttpExporter } from '@opentelemetry/exporter-logs-otlp-proto';
import { type Resource, resourceFromAttributes } from '@opentelemetry/resources';
import type { LogRecordExporter } from '@opentelemetry/sdk-logs';
import fc from 'fast-check';
import { decodeWhole } from '../otlp-protos.fixture.js';
import { translateLine } from '../record/line-translator.js';
import { BatchedRecord } from './batched-record.js';
import { EncodedRecord } from './encoded-record.js';
import { type OutgoingRecord, OutgoingRecords } from './outgoing-records.js';

const TRACE = '0AF7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';
const RESOURCE = resourceFromAttributes(
  { 'service.name': 'shop', 'process.pid': 7, tags: ['a', 'b'] },
  { schemaUrl: 'https://opentelemetry.io/schemas/1.45.0' },
);

type Attributes = Readonly<Record<string, string>>;

/** What the exporter would send. */
function requestOf(exporter: LogRecordExporter, records: readonly OutgoingRecord[]): Uint8Array {
  const { _delegate } = exporter as unknown as {
    readonly _delegate: {
      readonly _serializer: { serializeRequest(records: readonly object[]): Uint8Array };
    };
  };
  return _delegate._serializer.serializeRequest(records);
}

/** Requests that the SDK makes of objects, and those that are made here. */
function ways(attributes: Attributes = {}, resource: Resource = RESOURCE) {
  const theirs = { exporter: new HttpExporter(), records: ours(attributes, resource) };
  const served = { exporter: new HttpExporter(), records: ours(attributes, resource) };
  served.records.serve(served.exporter);
  const request = (
    { exporter, records }: typeof theirs,
    make: (records: OutgoingRecords) => readonly OutgoingRecord[],
  ): Uint8Array => requestOf(exporter, make(records));
  return {
    objects: (make: (records: OutgoingRecords) => OutgoingRecord[]) => request(theirs, make),
    bytes: (make: (records: OutgoingRecords) => OutgoingRecord[]) => request(served, make),
  };
}

function ours(attributes: Attributes, resource: Resource): OutgoingRecords {
  return new OutgoingRecords(resource, 'my.scope', attributes);
}

/** The request without what only says that a default is one, and with attributes in an order. */
function normal(bytes: Uint8Array): unknown {
  return JSON.parse(
    JSON.stringify(decodeWhole(bytes), (name, value: unknown) => {
      if (name === 'droppedAttributesCount') return undefined;
      if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
      return name === 'attributes' ? (value as { key: string }[]).toSorted(byKey) : value;
    }),
  );
}

function byKey(a: { readonly key: string }, b: { readonly key: string }): number {
  return a.key < b.key ? -1 : Number(a.key > b.key);
}

/** The events, and their lines in the `json` format. */
function logged(log: (logger: Logger) => void): { events: LogEvent[]; lines: string[] } {
  const events: LogEvent[] = [];
  const lines: string[] = [];
  const logger = createLogger({
    level: 'verbose',
    stackTrace: true,
    sinks: [
      customSink({ emit: (event) => void events.push(event) }),
      customSink({ write: (line) => void lines.push(line) }),
    ],
  });
  log(logger);
  return { events, lines };
}

const NAMES = [
  'trace_id',
  'span_id',
  'log.template',
  'exception.message',
  'exception.message_',
  'code.lineno',
  '__proto__',
  '0',
  'env',
  '',
];
const name = fc.oneof(fc.constantFrom(...NAMES), fc.string({ unit: 'binary', maxLength: 8 }));
const value = fc.oneof(
  fc.anything({ withBigInt: true, withDate: true, withMap: true, withTypedArray: true }),
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.double(),
  fc.bigInt(),
  fc.constantFrom<unknown>(TRACE, SPAN, 2 ** 53, 2 ** 63, -(2 ** 63), -(2 ** 32), -1, -0, 1e300),
);

describe('a request made of bytes', () => {
  it('says what the SDK says of the same events, and of their lines', () => {
    const fields = fc.dictionary(name, value, { maxKeys: 6 });
    const attributes = fc.dictionary(name, fc.string({ unit: 'binary' }), { maxKeys: 3 });
    const events = fc.array(fc.tuple(fields, fc.string({ unit: 'binary' }), value, fc.boolean()), {
      minLength: 1,
      maxLength: 3,
    });
    fc.assert(
      fc.property(events, attributes, (calls, fixed) => {
        const { events: made, lines } = logged((logger) => {
          for (const [own, template, argument, fails] of calls) {
            const child = logger.forContextValues(own);
            if (fails) child.error(new Error(template), `{A} ${template}`, argument);
            else child.information(`${template}{env}`, argument, { extra: argument });
            child.write({ level: 40, template: '{env} {span_id}', args: [argument], fields: own });
          }
        });
        const { objects, bytes } = ways(fixed);
        const ofEvents = (records: OutgoingRecords): OutgoingRecord[] =>
          made.map((event) => records.ofEvent(event));
        expect(normal(bytes(ofEvents))).toEqual(normal(objects(ofEvents)));
        const ofLines = (records: OutgoingRecords): OutgoingRecord[] =>
          lines.map((line) => {
            return records.ofTranslation(translateLine(line, 'TimeRFC3339', fixed, 0), 5);
          });
        expect(normal(bytes(ofLines))).toEqual(normal(objects(ofLines)));
      }),
      { numRuns: 200 },
    );
  });

  it.each([0, 1, 47, 48, 49, 120, 121, 124, 127, 128, 300, 16_383, 16_384, 150_000])(
    'has a text of %i characters in whatever alphabet',
    (length) => {
      const { events } = logged((logger) => {
        for (const letter of ['a', 'é', '漢', '\ud800']) {
          logger.information('{Text}', letter.repeat(length));
        }
      });
      const make = (records: OutgoingRecords): OutgoingRecord[] =>
        events.map((event) => records.ofEvent(event));
      const { objects, bytes } = ways();
      expect(decodeWhole(bytes(make)).resourceLogs![0]!.scopeLogs![0]!.logRecords).toHaveLength(4);
      expect(normal(bytes(make))).toEqual(normal(objects(make)));
    },
  );

  it('has all of its records in their order, however many chunks they lie in', () => {
    const { events } = logged((logger) => {
      for (let i = 0; i < 600; i++) logger.information('event {I} {Text}', i, 'x'.repeat(i % 97));
    });
    const make = (records: OutgoingRecords): OutgoingRecord[] =>
      events.map((event) => records.ofEvent(event));
    const { objects, bytes } = ways();
    expect(normal(bytes(make))).toEqual(normal(objects(make)));
  });

  it('has the ids and the flags of a sampled span', () => {
    context.setGlobalContextManager(new AsyncLocalStorageContextManager());
    try {
      const { events } = logged((logger) =>
        logger.forContextValues({ trace_id: TRACE, span_id: SPAN }).information('x'),
      );
      const active = { traceId: TRACE, spanId: SPAN, traceFlags: 1 };
      const { objects, bytes } = ways({ trace_id: 'static' });
      context.with(trace.setSpanContext(context.active(), active), () => {
        const make = (records: OutgoingRecords): OutgoingRecord[] => [records.ofEvent(events[0]!)];
        expect(normal(bytes(make))).toEqual(normal(objects(make)));
        const [record] = decodeWhole(bytes(make)).resourceLogs![0]!.scopeLogs![0]!.logRecords!;
        expect(record).toMatchObject({ flags: 1, spanId: 't61rcWkgMzE=' });
      });
    } finally {
      context.disable();
    }
  });

  it.each<[string, (logger: Logger) => void]>([
    ['the logger', (log) => log.forContextValues({ trace_id: TRACE, span_id: SPAN }).warning('x')],
    ['the event', (log) => log.warning('{trace_id} {span_id}', TRACE, SPAN)],
    ['both', (log) => log.forContext('trace_id', TRACE).warning('{span_id}', SPAN)],
    [
      'the event, in place of the logger',
      (log) =>
        log
          .forContextValues({ trace_id: 'a', span_id: 'b' })
          .warning('{trace_id} {span_id}', TRACE, SPAN),
    ],
    [
      'the event, which spoils those of the logger',
      (log) =>
        log.forContextValues({ trace_id: TRACE, span_id: SPAN }).warning('{span_id}', 'none'),
    ],
  ])('has the ids that come with %s, where they are ids', (_, log) => {
    const { events } = logged((logger) => {
      for (let i = 0; i < 3; i++) log(logger);
    });
    const { objects, bytes } = ways({ span_id: 'static', env: 'test' });
    const make = (records: OutgoingRecords): OutgoingRecord[] =>
      events.map((event) => records.ofEvent(event));
    expect(normal(bytes(make))).toEqual(normal(objects(make)));
  });

  it('has the fields of loggers that take turns', () => {
    const { events } = logged((logger) => {
      const loggers = ['a', 'b'].map((name) => logger.forContext('logger', name));
      for (const i of [0, 0, 0, 1, 0, 1, 1]) loggers[i]!.information('{I}', i);
    });
    const { objects, bytes } = ways({ env: 'test' });
    const make = (records: OutgoingRecords): OutgoingRecord[] =>
      events.map((event) => records.ofEvent(event));
    expect(normal(bytes(make))).toEqual(normal(objects(make)));
  });

  it('has attributes of the resource that come late', async () => {
    const late = resourceFromAttributes({ 'host.id': Promise.resolve('h-1') });
    const { events } = logged((logger) => logger.information('x'));
    const { objects, bytes } = ways({}, late);
    const make = (records: OutgoingRecords): OutgoingRecord[] => [records.ofEvent(events[0]!)];
    bytes(make);
    await late.waitForAsyncAttributes?.();
    expect(normal(bytes(make))).toEqual(normal(objects(make)));
    expect(JSON.stringify(normal(bytes(make)))).toContain('h-1');
  });

  it('has records that were made before the exporter was there', () => {
    const { events } = logged((logger) => {
      logger.information('early');
      logger.information('late');
    });
    const { objects, bytes } = ways();
    const early = ours({}, RESOURCE).ofEvent(events[0]!);
    expect(early).toBeInstanceOf(BatchedRecord);
    const make = (records: OutgoingRecords): OutgoingRecord[] => [
      early,
      records.ofEvent(events[1]!),
    ];
    expect(normal(bytes(make))).toEqual(
      normal(objects((records) => events.map((event) => records.ofEvent(event)))),
    );
  });

  it('loses nothing but the record that lies too deep', () => {
    const { events } = logged((logger) => logger.information('kept'));
    const { objects, bytes } = ways();
    const make = (records: OutgoingRecords): OutgoingRecord[] => [records.ofEvent(events[0]!)];
    const withDeep = (records: OutgoingRecords): OutgoingRecord[] => {
      const [first] = make(records);
      let attribute: unknown = 'deep';
      for (let i = 0; i < 200_000; i++) attribute = [attribute];
      const record = { ...translateLine('{}', 'TimeRFC3339', {}, 0), attributes: { attribute } };
      expect(() => records.ofTranslation(record, 0)).toThrow(RangeError);
      return [first!, ...make(records)];
    };
    const twice = (records: OutgoingRecords): OutgoingRecord[] => [
      ...make(records),
      ...make(records),
    ];
    expect(normal(bytes(withDeep))).toEqual(normal(objects(twice)));
  });
});

describe('records for an exporter', () => {
  const [event] = logged((logger) => logger.information('x')).events;

  it.each([
    ['gRPC', () => new GrpcExporter()],
    ['HTTP', () => new HttpExporter()],
  ])('over %s are bytes', (_, exporter) => {
    const records = ours({}, RESOURCE);
    records.serve(exporter());
    expect(records.ofEvent(event!)).toBeInstanceOf(EncodedRecord);
  });

  it('that is built in another way stay objects', () => {
    const records = ours({}, RESOURCE);
    records.serve({ export: () => {}, shutdown: async () => {}, forceFlush: async () => {} });
    expect(records.ofEvent(event!)).toBeInstanceOf(BatchedRecord);
    expect(records.ofTranslation(translateLine('{}', 'TimeRFC3339', {}, 0), 0)).toBeInstanceOf(
      BatchedRecord,
    );
  });
});
