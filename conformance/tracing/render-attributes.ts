import type { ReceivedSpan } from './received-span.js';

/** What a receiver cannot know beforehand, and whose value one span has as another. */
const VARYING = ['apix.request.id', 'client.port'];

/**
 * Every attribute of spans as text, below the span's service, kind and name, all of it sorted.
 *
 * @param known what stands for a value that differs from run to run.
 */
export function renderAttributes(
  spans: readonly ReceivedSpan[],
  known: Readonly<Record<string, string>>,
): string {
  const ids = new Map<unknown, number>();
  const shown = (key: string, value: unknown): string => {
    if (!VARYING.includes(key)) return known[String(value)] ?? String(value);
    if (!ids.has(value)) ids.set(value, ids.size + 1);
    return `unknown ${ids.get(value)}`;
  };
  const title = ({ service, kind, name }: ReceivedSpan): string => `${service} ${kind} "${name}"`;
  return spans
    .toSorted((a, b) => (title(a) < title(b) ? -1 : 1))
    .flatMap((span) => [
      title(span),
      ...Object.keys(span.attributes)
        .toSorted()
        .map((key) => `  ${key} = ${shown(key, span.attributes[key])}`),
    ])
    .join('\n');
}
