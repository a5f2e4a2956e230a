import { cutText } from '@apix/contracts/internal';
import type { Authorizer } from '../decide/authorizer.js';
import type { Standing } from '../decide/rulebook.js';
import type { FoundHandler } from './handler-search.js';
import { type HandlerPolicies, handlerNameOf } from './handler-policies.js';
import { writtenPolicies } from './policy-metadata.js';
import { controllerEntry, isOnlyRpc } from './served-handler.js';

/** So many that somebody reads them, in a line that a log can keep. */
const MAX_NAMES = 20;
const MAX_NAME_LENGTH = 200;

/**
 * A warning about methods and handlers that anyone may call without a policy that says so, because they
 * have none or because none is enforced. Undefined if there are none.
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
    ...authorizer.methods.names().filter((name) => isOpen(authorizer.standing(name))),
    ...handlers
      .filter((found) => isEntrance(found) && !isOnlyRpc(found.handler))
      .filter(({ controller, handler }) => isOpen(policies.standing(controller, handler)))
      .map(nameOf),
  ];
  const why = isShadow
    ? "mode: 'shadow' refuses no call; remove it to enforce the policies"
    : "they have no policy; add one to each, or refuse them with unannotated: 'deny'";
  return open.length === 0 ? undefined : `anyone may call ${listed(open)}, because ${why}`;
}

/**
 * A warning about gateways and resolvers that `unannotated: 'deny'` has closed: the app's own guards may
 * have meant to open them, but are not called. Undefined if there are none.
 */
export function closedEntriesNote(
  policies: HandlerPolicies,
  handlers: readonly FoundHandler[],
): string | undefined {
  const closed = handlers
    .filter(({ entry, isGuarded }) => isGuarded && entry !== 'handler' && entry !== 'none')
    .filter(({ controller, handler }) => policies.standing(controller, handler).kind === 'closed')
    .map(nameOf);
  return closed.length === 0
    ? undefined
    : `no one may call ${listed(closed)}, because they have no policy and unannotated is 'deny'; add one to each, or name them in exempt`;
}

/** A warning about policies on methods of providers that may not be guarded. */
export function idlePoliciesWarning(handlers: readonly FoundHandler[]): string | undefined {
  const idle = handlers
    .filter(({ entry, handler }) => entry === 'none' && controllerEntry(handler) === 'none')
    .filter(({ controller, key }) => writtenPolicies(controller, key).length > 0)
    .map(nameOf);
  return idle.length === 0
    ? undefined
    : `the policies of ${listed(idle)} hold only where Nest asks guards, which it does not for jobs, timers and events; call Authorizer.authorize there`;
}

/** A field is reached through a query alone. */
function isEntrance({ entry }: FoundHandler): boolean {
  return entry !== 'none' && entry !== 'hook' && entry !== 'field';
}

function nameOf({ controller, key }: FoundHandler): string {
  return handlerNameOf(controller, key);
}

function listed(all: readonly string[]): string {
  const names = [...new Set(all)].toSorted();
  const shown = names.slice(0, MAX_NAMES).map((name) => cutText(name, MAX_NAME_LENGTH));
  const others = names.length - shown.length;
  return shown.join(', ') + (others > 0 ? `, and ${others} more` : '');
}
