import { type FieldViolation, encodeBadRequest } from '@apix/calls';
import { Code, StatusError, cutText } from '@apix/contracts';
import { pathToString } from '@bufbuild/protobuf/reflect';
import type { Violation } from '@bufbuild/protovalidate';

/** Trailers hold some kilobytes, and a list of a caller's can have more mistakes than that. */
const MAX_VIOLATIONS = 20;
const MAX_LENGTH = 200;

/**
 * The error for the caller of a message that breaks rules: INVALID_ARGUMENT with a google.rpc.BadRequest,
 * which a gateway turns into a 400 with `errors[]`.
 */
export function violationError(violations: readonly Violation[]): StatusError {
  const told = violations.slice(0, MAX_VIOLATIONS).map(fieldViolation);
  const [first] = told;
  const where = first === undefined || first.field === '' ? '' : `${first.field}: `;
  const more = violations.length > 1 ? ` (and ${violations.length - 1} more)` : '';
  const message = `invalid request: ${where}${first?.description ?? ''}${more}`;
  return new StatusError(Code.INVALID_ARGUMENT, message, { details: [encodeBadRequest(told)] });
}

function fieldViolation({ field, message, ruleId }: Violation): FieldViolation {
  return {
    field: shorten(pathToString(field)),
    description: shorten(message === '' ? `breaks the rule ${ruleId}` : message),
    reason: ruleId,
  };
}

/** A path contains keys of the caller's maps, and a message may contain quotes by the rule's author. */
function shorten(text: string): string {
  return cutText(text, MAX_LENGTH);
}
