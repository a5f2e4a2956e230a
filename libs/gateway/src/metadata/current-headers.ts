import type { IncomingMessage } from 'node:http';

/**
 * The values of a request's headers by lower-case name, as the app's middleware left them: without
 * a header that it deleted, with one that it set. A header that it did not touch has all its
 * values, of which Node keeps only the first of a repeated Authorization.
 */
export function currentHeaders(
  { headers, rawHeaders }: IncomingMessage,
  wanted: (name: string) => boolean,
): Map<string, readonly string[]> {
  const received = new Map<string, string[]>();
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const name = (rawHeaders[i] ?? '').toLowerCase();
    if (!wanted(name)) continue;
    const value = rawHeaders[i + 1] ?? '';
    const values = received.get(name);
    if (values === undefined) received.set(name, [value]);
    else values.push(value);
  }
  const current = new Map<string, readonly string[]>();
  for (const [name, now] of Object.entries(headers)) {
    if (now === undefined || !wanted(name)) continue;
    const values = received.get(name) ?? [];
    current.set(name, isAsReceived(now, values) ? values : [now].flat());
  }
  return current;
}

/** Whether Node made a header's value of these: the first, all of them joined, or a list. */
function isAsReceived(now: string | string[], values: readonly string[]): boolean {
  if (Array.isArray(now)) return now.join('\n') === values.join('\n');
  return now === values[0] || now === values.join(', ') || now === values.join('; ');
}
