import type { RequestWatch, SentRequest } from '@apix/contracts/internal';
import { type Attributes, context, type Span, SpanKind } from '@opentelemetry/api';
import * as names from '../names.js';
import { endSpan } from '../tracing/guarded-tracer.js';
import { recordFailure } from '../tracing/span-failure.js';
import type { Tracing } from '../tracing/tracing.js';

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
      attributes: { [names.HTTP_REQUEST_METHOD]: method, ...messagePlaceOf(url) },
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
  span.setAttribute(names.HTTP_RESPONSE_STATUS_CODE, status);
  if (status >= 400) span.setAttribute(names.ERROR_TYPE, String(status));
}

/** Without credentials and query, which may hold secrets. */
function messagePlaceOf({ origin, pathname, hostname, port, protocol }: URL): Attributes {
  return {
    [names.URL_FULL]: `${origin}${pathname}`,
    [names.SERVER_ADDRESS]: hostname.replace(/^\[(.*)\]$/, '$1'),
    [names.SERVER_PORT]: port === '' ? (PORTS[protocol] ?? 0) : Number(port),
  };
}
