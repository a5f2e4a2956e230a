import { nameMatcher } from '../redact/secret-names.js';
import { SAFE_REDACTION } from '../redact/safe-redaction.js';

/** Which headers an event has: all, or those of these names in lower case. */
export type ChosenHeaders = 'all' | readonly string[];

/** The replacement of a header that carries a secret. */
const HIDDEN = '[Redacted]';

const isSecret = nameMatcher(SAFE_REDACTION.names);

/**
 * The chosen headers, by their names in lower case; undefined if there are none. Those that carry secrets
 * are logged without their values, even if they were chosen by name.
 */
export function headerFields(
  chosen: ChosenHeaders,
  names: () => readonly string[],
  valueOf: (name: string) => unknown,
): Readonly<Record<string, unknown>> | undefined {
  const fields: [string, unknown][] = [];
  for (const name of chosen === 'all' ? names() : chosen) {
    const value = valueOf(name);
    if (value !== undefined) fields.push([name, isSecret(name) ? HIDDEN : value]);
  }
  return fields.length === 0 ? undefined : Object.fromEntries(fields);
}
