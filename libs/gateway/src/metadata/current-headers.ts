import type { IncomingMessage } from 'node:http';
import { headerValues } from '@apix/contracts';

/**
 * The values of a request's headers by lower-case name, as the app's middleware left them: without
 * a header that it deleted, with one that it set.
 */
export function currentHeaders(
  { headers, rawHeaders }: IncomingMessage,
  wanted: (name: string) => boolean,
): Map<string, readonly string[]> {
  const received = new Map<string, string[]>();
  const current = new Map<string, readonly string[]>();
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const name = (rawHeaders[i] ?? '').toLowerCase();
    if (!wanted(name)) continue;
    const value = rawHeaders[i + 1] ?? '';
    const values = received.get(name);
    if (values === undefined) received.set(name, [value]);
    else values.push(value);
  }
  for (const name of Object.keys(headers)) {
    if (!wanted(name)) continue;
    const now = headers[name];
    if (now !== undefined) current.set(name, headerValues(name, now, received.get(name) ?? []));
  }
  return current;
}
