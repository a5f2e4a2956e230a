import { type RecentSpan, type RecentSpanKind } from '@apix/contracts';
import { cutText } from '@apix/contracts/internal';
import {
  type Attributes,
  type AttributeValue,
  type Context,
  type HrTime,
  type SpanContext,
  SpanKind,
  type SpanStatus,
  SpanStatusCode,
} from '@opentelemetry/api';
import { HTTP_RESPONSE_STATUS_CODE, RPC_STATUS_CODE } from '../names.js';

/** The part of an ended span that is read; the `ReadableSpan` of both major versions of the SDK has it. */
export interface EndedSpan {
  readonly name: string;
  readonly kind: SpanKind;
  readonly spanContext: () => SpanContext;
  readonly parentSpanContext?: SpanContext | undefined;
  readonly startTime: HrTime;
  readonly duration: HrTime;
  readonly status: SpanStatus;
  readonly attributes: Attributes;
}

/** The SDK's `SpanProcessor`, as far as it is needed, so that the SDK is not. */
export interface SpanListener {
  onStart(span: object, parent: Context): void;
  onEnd(span: EndedSpan): void;
  forceFlush(): Promise<void>;
  shutdown(): Promise<void>;
}

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
  /** As {@link refusalIn}. */
  readonly refusal: string | null;
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
    refusal: refusalIn(span),
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

/** The status of a request or call whose caller is to blame, such as `404` or `NOT_FOUND`; null for any other span. */
export function refusalIn({ kind, status: { code }, attributes }: EndedSpan): string | null {
  if (kind !== SpanKind.SERVER || code === SpanStatusCode.ERROR) return null;
  const call = attributes[RPC_STATUS_CODE];
  if (typeof call === 'string') return NOT_REFUSED.has(call) ? null : call;
  const status = Number(attributes[HTTP_RESPONSE_STATUS_CODE]);
  return status >= 400 && status < 500 ? String(status) : null;
}

/** A caller that has left was not refused. */
const NOT_REFUSED: ReadonlySet<string> = new Set(['OK', 'CANCELLED']);

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

const MOST_ATTRIBUTES = 32;
const MOST_KEY = 100;
const MOST_VALUE = 1_000;
/** Of all keys and values of a span together. */
const MOST_SIZE = 4_000;
/** Of a number or a boolean. */
const SCALAR_SIZE = 8;

interface BoundedAttributes {
  readonly attributes: Attributes;
  /** In UTF-16 units. */
  readonly size: number;
}

/** The attributes as they are where they are few and short, which they nearly always are; else as much as fits. */
function boundedAttributes(attributes: Attributes): BoundedAttributes {
  let count = 0;
  let size = 0;
  for (const key in attributes) {
    count += 1;
    const valueSize = sizeOf(attributes[key]);
    size += key.length + valueSize;
    if (count > MOST_ATTRIBUTES || key.length > MOST_KEY || valueSize > MOST_VALUE) {
      return cut(attributes);
    }
  }
  return size > MOST_SIZE ? cut(attributes) : { attributes, size };
}

/** A value for people. */
function shownAttribute(value: AttributeValue | undefined): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

function cut(attributes: Attributes): BoundedAttributes {
  const kept: [string, string][] = [];
  let size = 0;
  for (const key in attributes) {
    if (kept.length === MOST_ATTRIBUTES || size >= MOST_SIZE) break;
    const name = cutText(key, MOST_KEY);
    const text = cutText(shortText(attributes[key]), Math.min(MOST_VALUE, MOST_SIZE - size));
    kept.push([name, text]);
    size += name.length + text.length;
  }
  // A key may be `__proto__`.
  return { attributes: Object.fromEntries(kept), size };
}

/** Does not write out a list of which most would be cut off. */
function shortText(value: AttributeValue | undefined): string {
  if (!Array.isArray(value) || sizeOf(value) <= MOST_VALUE) return shownAttribute(value);
  let size = 0;
  const end = value.findIndex((item) => (size += sizeOf(item ?? undefined)) > MOST_VALUE);
  const shown = value.slice(0, end);
  const last = value[end];
  if (typeof last === 'string') shown.push(cutText(last, MOST_VALUE) as never);
  return `${JSON.stringify(shown)}…`;
}

function sizeOf(value: AttributeValue | undefined): number {
  if (typeof value === 'string') return value.length;
  if (!Array.isArray(value)) return SCALAR_SIZE;
  let size = 0;
  for (const item of value) {
    size += SCALAR_SIZE + (typeof item === 'string' ? item.length : 0);
    if (size > MOST_VALUE) break;
  }
  return size;
}
