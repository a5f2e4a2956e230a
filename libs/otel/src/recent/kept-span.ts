import { type RecentSpan, type RecentSpanKind, cutText } from '@apix/contracts';
import { type Attributes, type HrTime, SpanKind, SpanStatusCode } from '@opentelemetry/api';
import { boundedAttributes, shownAttribute } from './bounded-attributes.js';
import type { EndedSpan } from './span-shapes.js';

/** In UTF-16 units, as all bounds of texts here. */
const MOST_NAME = 200;
const MOST_MESSAGE = 500;
/** About what an object of this kind takes next to its texts. */
const FIXED_COST = 100;

/** The kept part of a span that has ended; its size is bounded. */
export interface KeptSpan {
  readonly id: string;
  readonly traceId: string;
  readonly parentId: string | null;
  readonly name: string;
  readonly kind: SpanKind;
  readonly startTime: HrTime;
  readonly durationMs: number;
  readonly code: SpanStatusCode;
  readonly message: string;
  readonly attributes: Attributes;
  /** About how many UTF-16 units it takes. */
  readonly cost: number;
}

/** The name of a span, cut. */
export function keptName({ name }: EndedSpan): string {
  return cutText(name, MOST_NAME);
}

export function keptSpan(span: EndedSpan): KeptSpan {
  const { kind, startTime, status } = span;
  const { spanId, traceId } = span.spanContext();
  const { attributes, size } = boundedAttributes(span.attributes);
  const name = keptName(span);
  const message = cutText(status.message ?? '', MOST_MESSAGE);
  return {
    id: spanId,
    traceId,
    parentId: span.parentSpanContext?.spanId ?? null,
    name,
    kind,
    startTime,
    durationMs: milliseconds(span.duration),
    code: status.code,
    message,
    attributes,
    cost: FIXED_COST + name.length + message.length + size,
  };
}

/** As plain data, for people. */
export function recentSpan(span: KeptSpan): RecentSpan {
  const texts = Object.entries(span.attributes).map(([key, value]) => [key, shownAttribute(value)]);
  return {
    id: span.id,
    parentId: span.parentId,
    name: span.name,
    kind: KINDS[span.kind] ?? 'internal',
    startedAt: milliseconds(span.startTime),
    durationMs: span.durationMs,
    status: STATUSES[span.code] ?? 'unset',
    message: span.message === '' ? null : span.message,
    attributes: Object.fromEntries(texts) as Record<string, string>,
  };
}

/** The message of a failed span, or else its `error.type`; null if it has neither or did not fail. */
export function spanError({ code, message, attributes }: KeptSpan): string | null {
  if (code !== SpanStatusCode.ERROR) return null;
  if (message !== '') return message;
  const type = attributes['error.type'];
  return type === undefined ? null : shownAttribute(type);
}

const KINDS: Readonly<Record<number, RecentSpanKind>> = {
  [SpanKind.INTERNAL]: 'internal',
  [SpanKind.SERVER]: 'server',
  [SpanKind.CLIENT]: 'client',
  [SpanKind.PRODUCER]: 'producer',
  [SpanKind.CONSUMER]: 'consumer',
};

const STATUSES: Readonly<Record<number, RecentSpan['status']>> = {
  [SpanStatusCode.UNSET]: 'unset',
  [SpanStatusCode.OK]: 'ok',
  [SpanStatusCode.ERROR]: 'error',
};

/** Of a moment or a duration of OpenTelemetry, with fractions. */
export function milliseconds([seconds, nanoseconds]: HrTime): number {
  return seconds * 1_000 + nanoseconds / 1_000_000;
}
