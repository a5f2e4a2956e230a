import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';

export const HOSTILE = '<img src=x onerror="window.stolen=1">';

/** Spans as of a request that took so long, in milliseconds; returns how to add one that ends late. */
export function request(name: string, ms: number, error?: string): () => void {
  const tracer = trace.getTracer('conformance');
  const begin = Date.now() - ms;
  const at = (share: number): number => begin + share * ms;
  const root = tracer.startSpan(
    name,
    { kind: SpanKind.SERVER, startTime: begin, root: true, attributes: { 'http.route': name } },
    ROOT_CONTEXT,
  );
  const inside = trace.setSpan(ROOT_CONTEXT, root);
  const handler = tracer.startSpan('Orders.create', { startTime: at(0.1) }, inside);
  const within = trace.setSpan(inside, handler);
  const client = { kind: SpanKind.CLIENT, attributes: { 'db.statement': HOSTILE } };
  const query = tracer.startSpan(HOSTILE, { ...client, startTime: at(0.2) }, within);
  if (error !== undefined) {
    query.setStatus({ code: SpanStatusCode.ERROR, message: error });
    root.setStatus({ code: SpanStatusCode.ERROR, message: error });
  }
  query.end(at(0.7));
  tracer.startSpan('POST payments', { ...client, startTime: at(0.7) }, within).end(at(0.85));
  handler.end(at(0.9));
  const late = tracer.startSpan('outbox', { startTime: at(0.95) }, inside);
  root.end(at(1));
  return () => late.end(at(1.1));
}
