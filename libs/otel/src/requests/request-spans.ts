import type { RequestWatch, SentRequest } from '@apix/contracts';
import { type Attributes, type Span, SpanKind, context } from '@opentelemetry/api';
import { ERROR_TYPE, SERVER_ADDRESS, SERVER_PORT } from '../tracing/span-attributes.js';
import { recordFailure } from '../tracing/span-failure.js';
import type { Tracing } from '../tracing/tracing.js';
import { FULL_URL, REQUEST_METHOD, RESPONSE_STATUS } from './request-attributes.js';
import { endSpan } from '../tracing/guarded-tracer.js';

const PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };

/**
 * Gives each request that apix sends on its own account a span. Its context is not sent to the server,
 * which is a third party.
 */
// Why: docs/decisions/0020
export function requestSpans(tracing: Tracing): RequestWatch {
  return async (request, send) => {
    const { method, url } = request;
    const span = tracing.tracer.startSpan(method, {
      kind: SpanKind.CLIENT,
      attributes: { [REQUEST_METHOD]: method, ...messagePlaceOf(url) },
    });
    try {
      return await tracing.within(context.active(), span, send);
    } catch (error) {
      recordFailure(span, error);
      throw error;
    } finally {
      noteStatus(span, request);
      endSpan(span);
    }
  };
}

function noteStatus(span: Span, { status }: SentRequest): void {
  if (status === undefined) return;
  span.setAttribute(RESPONSE_STATUS, status);
  if (status >= 400) span.setAttribute(ERROR_TYPE, String(status));
}

/** Without credentials and query, which may hold secrets. */
function messagePlaceOf({ origin, pathname, hostname, port, protocol }: URL): Attributes {
  return {
    [FULL_URL]: `${origin}${pathname}`,
    [SERVER_ADDRESS]: hostname.replace(/^\[(.*)\]$/, '$1'),
    [SERVER_PORT]: port === '' ? (PORTS[protocol] ?? 0) : Number(port),
  };
}
