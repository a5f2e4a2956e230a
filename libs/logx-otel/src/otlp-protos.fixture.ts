import root from 'otlp-protos/build/src/generated/root.js';

/** OTLP as OpenTelemetry's own generated code decodes it. */
interface MessageType {
  decode(bytes: Uint8Array): object;
  encode(message: object): { finish(): Uint8Array };
  toObject(message: object, options: object): unknown;
}

interface AnyValue {
  readonly [kind: string]: unknown;
}

interface KeyValue {
  readonly key: string;
  readonly value?: AnyValue;
}

interface LogRecord {
  readonly timeUnixNano?: string;
  readonly observedTimeUnixNano?: string;
  readonly severityNumber?: number;
  readonly severityText?: string;
  readonly body?: AnyValue;
  readonly attributes?: readonly KeyValue[];
  readonly flags?: number;
  readonly traceId?: string;
  readonly spanId?: string;
}

export interface ExportRequest {
  readonly resourceLogs?: readonly {
    readonly resource?: { readonly attributes?: readonly KeyValue[] };
    readonly scopeLogs?: readonly {
      readonly scope?: { readonly name?: string };
      readonly logRecords?: readonly LogRecord[];
    }[];
  }[];
}

/** A record as a collector sees it; ids in hexadecimal. */
export interface ReceivedRecord extends Omit<LogRecord, 'attributes' | 'body'> {
  readonly resource: Readonly<Record<string, AnyValue>>;
  readonly scope: string | undefined;
  readonly body: AnyValue | undefined;
  readonly attributes: Readonly<Record<string, AnyValue>>;
}

type Messages = Readonly<Record<string, MessageType>>;

const { opentelemetry } = root as unknown as {
  readonly opentelemetry: {
    readonly proto: { readonly collector: { readonly logs: { readonly v1: Messages } } };
  };
};
const { logs } = opentelemetry.proto.collector;
const request = logs.v1['ExportLogsServiceRequest']!;
const response = logs.v1['ExportLogsServiceResponse']!;

/** A request as it stands there: longs as digits, bytes in base64. */
export function decodeWhole(bytes: Uint8Array): ExportRequest {
  const options = { longs: String, bytes: String };
  return request.toObject(request.decode(bytes), options) as ExportRequest;
}

/** The records of a request. */
export function decodeRequest(bytes: Uint8Array): ReceivedRecord[] {
  const { resourceLogs = [] } = decodeWhole(bytes);
  return resourceLogs.flatMap(({ resource, scopeLogs = [] }) =>
    scopeLogs.flatMap(({ scope, logRecords = [] }) =>
      logRecords.map(({ traceId, spanId, ...record }) => ({
        ...record,
        ...(traceId && { traceId: hex(traceId) }),
        ...(spanId && { spanId: hex(spanId) }),
        body: record.body,
        resource: byKey(resource?.attributes),
        scope: scope?.name,
        attributes: byKey(record.attributes),
      })),
    ),
  );
}

/** A response; with rejected records it is a partial success. */
export function encodeResponse(rejectedLogRecords = 0, errorMessage = ''): Uint8Array {
  const partialSuccess = rejectedLogRecords > 0 ? { rejectedLogRecords, errorMessage } : undefined;
  return response.encode(partialSuccess === undefined ? {} : { partialSuccess }).finish();
}

function byKey(list: readonly KeyValue[] = []): Record<string, AnyValue> {
  return Object.fromEntries(list.map(({ key, value }) => [key, value ?? {}]));
}

function hex(base64: string): string {
  return Buffer.from(base64, 'base64').toString('hex');
}
