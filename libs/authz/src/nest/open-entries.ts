import { cutText } from '@apix/contracts';
import type { Authorizer } from '../decide/authorizer.js';
import type { Standing } from '../decide/rulebook.js';
import type { FoundHandler } from './handler-mistakes.js';
import { type HandlerPolicies, handlerNameOf } from './handler-policies.js';
import { isOnlyRpc, isServed } from './served-handler.js';

/** So many that somebody reads them, in a line that a log can keep. */
const MAX_NAMES = 20;
const MAX_NAME_LENGTH = 200;

/**
 * What to warn of: the methods and handlers that anyone may call though no policy says so, because
 * they have none or because none is enforced. Undefined where there are none.
 */
export function openEntriesWarning(
  authorizer: Authorizer,
  policies: HandlerPolicies,
  handlers: readonly FoundHandler[],
): string | undefined {
  const isShadow = authorizer.mode === 'shadow';
  const isOpen = (standing: Standing): boolean =>
    standing.kind === 'open' ? standing.reason === 'unannotated' : isShadow;
  const open = [
    ...authorizer.methodNames().filter((name) => isOpen(authorizer.standing(name))),
    ...handlers
      .filter(({ handler }) => isServed(handler) && !isOnlyRpc(handler))
      .filter(({ controller, handler }) => isOpen(policies.standing(controller, handler)))
      .map(({ controller, key }) => handlerNameOf(controller, key)),
  ];
  if (open.length === 0) return undefined;
  const why = isShadow
    ? "mode: 'shadow' refuses no call; remove it to enforce the policies"
    : "they have no policy; add one to each, or refuse them with unannotated: 'deny'";
  return `anyone may call ${listed([...new Set(open)].toSorted())}, because ${why}`;
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMES).map((name) => cutText(name, MAX_NAME_LENGTH));
  const others = names.length - shown.length;
  return shown.join(', ') + (others > 0 ? `, and ${others} more` : '');
}
