import { shownValue } from '@apix/contracts';
import { coversHandler } from '../policy/method-pattern.js';
import type { FoundHandler } from './handler-search.js';
import { handlerNameOf } from './handler-policies.js';

/** The mistakes in the entries of `exempt` for handlers, checked once those are known. */
export function exemptHandlerMistakes(
  entries: readonly string[],
  handlers: readonly FoundHandler[],
): string[] {
  const reached = handlers.filter(({ entry }) => entry !== 'none' && entry !== 'hook');
  return entries.flatMap((entry) => {
    const covered = reached.filter(({ controller, handler }) =>
      coversHandler(entry, handlerNameOf(controller, handler.name)),
    );
    const classes = new Set(covered.map(({ controller }) => controller)).size;
    if (classes === 1) return [];
    return [
      classes === 0
        ? `exempt: ${shownValue(entry)} exempts nothing: no such handler is served`
        : `exempt: ${shownValue(entry)} means ${classes} classes of that name; rename all but one`,
    ];
  });
}
