import root from 'otlp-protos/build/src/generated/root.js';

interface MessageType {
  decode(bytes: Uint8Array): object;
  toObject(message: object, options: object): unknown;
}

interface KeyValue {
  readonly key: string;
  readonly value?: Readonly<Record<string, unknown>>;
}

interface WireSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind?: number;
  readonly status?: { readonly code?: number; readonly message?: string };
  readonly attributes?: readonly KeyValue[];
  readonly events?: readonly { readonly name: string; readonly attributes?: readonly KeyValue[] }[];
  readonly links?: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly startTimeUnixNano?: string;
}

interface ExportRequest {
  readonly resourceSpans?: readonly {
    readonly resource?: { readonly attributes?: readonly KeyValue[] };
    readonly scopeSpans?: readonly {
      readonly scope?: { readonly name?: string };
      readonly spans?: readonly WireSpan[];
    }[];
  }[];
}

/** A span as a receiver sees it; ids in hexadecimal. */
export interface ReceivedSpan {
  readonly service: string;
  readonly resource: Readonly<Record<string, unknown>>;
  readonly scope: string;
  readonly traceId: string;
  readonly spanId: string;
  /** Empty for a root. */
  readonly parentId: string;
  readonly name: string;
  readonly kind: string;
  readonly status: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly events: readonly string[];
  /** Ids of the spans that it is linked to. */
  readonly links: readonly string[];
  readonly startedAt: bigint;
}

const KINDS = ['UNSPECIFIED', 'INTERNAL', 'SERVER', 'CLIENT', 'PRODUCER', 'CONSUMER'];
const STATUSES = ['UNSET', 'OK', 'ERROR'];

const { opentelemetry } = root as unknown as {
  readonly opentelemetry: {
    readonly proto: {
      readonly collector: {
        readonly trace: { readonly v1: Readonly<Record<string, MessageType>> };
      };
    };
  };
};
const request = opentelemetry.proto.collector.trace.v1['ExportTraceServiceRequest']!;

/** The spans of an OTLP request in protobuf. */
export function decodeSpans(bytes: Uint8Array): ReceivedSpan[] {
  const options = { longs: String, bytes: String };
  const { resourceSpans = [] } = request.toObject(request.decode(bytes), options) as ExportRequest;
  return resourceSpans.flatMap(({ resource, scopeSpans = [] }) => {
    const of = byKey(resource?.attributes);
    return scopeSpans.flatMap(({ scope, spans = [] }) =>
      spans.map((span) => received(span, of, scope?.name ?? '')),
    );
  });
}

function received(span: WireSpan, resource: ReceivedSpan['resource'], scope: string): ReceivedSpan {
  return {
    service: String(resource['service.name']),
    resource,
    scope,
    traceId: hex(span.traceId),
    spanId: hex(span.spanId),
    parentId: hex(span.parentSpanId ?? ''),
    name: span.name,
    kind: KINDS[span.kind ?? 0] ?? '?',
    status: STATUSES[span.status?.code ?? 0] ?? '?',
    attributes: byKey(span.attributes),
    events: (span.events ?? []).map(({ name }) => name),
    links: (span.links ?? []).map(({ spanId }) => hex(spanId)),
    startedAt: BigInt(span.startTimeUnixNano ?? 0),
  };
}

function byKey(list: readonly KeyValue[] = []): Record<string, unknown> {
  return Object.fromEntries(
    list.map(({ key, value }) => [key, Object.values(value ?? {})[0] ?? null]),
  );
}

function hex(base64: string): string {
  return Buffer.from(base64, 'base64').toString('hex');
}
