import type { CollectingSink } from '../testing/collecting-sink.js';
import type { LoggedEvents } from '../testing/logged-events.js';

/** The events of a template, when there are so many; a test's own timeout ends a vain wait. */
export async function loggedUntil(
  logged: CollectingSink,
  template: string,
  count = 1,
): Promise<LoggedEvents> {
  const found = (): LoggedEvents => logged.withTemplate(template);
  while (found().count < count) await new Promise((resolve) => setImmediate(resolve));
  return found();
}
