import type { CallContext } from '@apix/contracts';
import type { FieldCaller, MethodFields, VisibleFields } from '../fields/visible-fields.js';
import type { BegunCall } from './admission.js';
import type { Denial } from './decision.js';
import { hiddenFieldDenial } from './hidden-field.js';

interface FieldRules {
  readonly exposeReasons: boolean;
  /** Counts and reports a denial, and returns the error for the caller, or null. */
  deny(denial: Denial): Error | null;
}

/**
 * All that a begun call has, so that nothing is lost when one is made of another: a list whose demand to be filtered was
 * left out would show everything.
 */
type EachMember = { readonly [K in keyof BegunCall]-?: BegunCall[K] | undefined };

/** A call that was begun, with what is hidden in its answers, and what its requests may not name. */
export function fieldsOfCall(
  fields: VisibleFields,
  begun: BegunCall,
  { method }: CallContext,
  rules: FieldRules,
): BegunCall {
  const { fullName } = method;
  const caller: FieldCaller = { subject: begun.subject ?? null, method: fullName };
  const own = fields.ofMethod(fullName);
  const members: EachMember = {
    subject: begun.subject,
    get resource() {
      return begun.resource;
    },
    get filter() {
      return begun.filter;
    },
    onMessage:
      own?.places === undefined
        ? begun.onMessage
        : checkingMasks(fields, own, begun, { caller, rules }),
    onNoMessage: begun.onNoMessage,
    onSend: begun.onSend,
    onAnswer:
      own?.hides === true ? (message) => fields.shown(own.output, message, caller) : undefined,
    onDetails: (details) => fields.shownDetails(details, caller),
  };
  return members;
}

/** Conditions decide first. */
function checkingMasks(
  fields: VisibleFields,
  own: MethodFields,
  begun: BegunCall,
  { caller, rules }: { readonly caller: FieldCaller; readonly rules: FieldRules },
): NonNullable<BegunCall['onMessage']> {
  const check = (request: unknown): void => {
    const field = fields.maskedField(own, request, caller, begun.resource);
    if (field === undefined) return;
    const error = rules.deny(hiddenFieldDenial(field, caller.method, rules.exposeReasons));
    if (error !== null) throw error;
  };
  return (request) => {
    const decided = begun.onMessage?.(request);
    return decided === undefined ? check(request) : decided.then(() => check(request));
  };
}
