import type { ReceivedSpan } from './received-span.js';

/** What of a span's attributes says how it ended. */
const SHOWN = ['http.response.status_code', 'rpc.status_code', 'error.type'];

/**
 * Spans as text, one a line: service, kind, name, status, how it ended, its events and links, the
 * log lines written in it. Children are below their parent; what is linked is below what it is linked to.
 */
export function render(spans: readonly ReceivedSpan[], logs: readonly LoggedLine[] = []): string {
  const ids = new Set(spans.map(({ spanId }) => spanId));
  const placeOf = (span: ReceivedSpan): string =>
    ids.has(span.parentId) ? span.parentId : (span.links.find((id) => ids.has(id)) ?? '');
  const below = (place: string, depth: string): string[] =>
    spans
      .filter((span) => placeOf(span) === place)
      .toSorted((a, b) => Number(a.startedAt - b.startedAt) || (a.name < b.name ? -1 : 1))
      .flatMap((span) => [
        depth + lineOf(span, ids),
        ...logs
          .filter(({ spanId, traceId }) => spanId === span.spanId && traceId === span.traceId)
          .map(({ service, message }) => `${depth}  · ${service} logs "${message}"`),
        ...below(span.spanId, `${depth}  `),
      ]);
  return below('', '').join('\n');
}

/** A line of a process's log that belongs to a span. */
export interface LoggedLine {
  readonly service: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly message: string;
}

function lineOf(span: ReceivedSpan, ids: ReadonlySet<string>): string {
  const { service, kind, name, status, attributes, events, links, parentId } = span;
  const ends = SHOWN.flatMap((key) =>
    key in attributes ? [`${key}=${String(attributes[key])}`] : [],
  );
  return [
    service,
    kind,
    `"${name}"`,
    status,
    ...ends,
    ...events.map((event) => `+${event}`),
    ...(links.length > 0 ? [`linked to ${links.filter((id) => ids.has(id)).length}`] : []),
    ...(parentId !== '' && !ids.has(parentId) ? ['parent is unknown'] : []),
  ].join(' ');
}
