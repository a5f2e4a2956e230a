import { type FieldViolation, encodeBadRequest } from '@apix/calls';
import { Code, StatusError, cutText } from '@apix/contracts';
import { type Path, pathToString } from '@bufbuild/protobuf/reflect';
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
  return badRequest(told, violations.length);
}

/** The same for fields whose values no rule can be evaluated on, with the rule's failure as its cause. */
export function unevaluableError(paths: readonly Path[], cause: Error): StatusError {
  const told = paths.slice(0, MAX_VIOLATIONS).map((path) => ({
    field: shorten(pathToString(path)),
    description: 'holds a value that the rules cannot be evaluated on',
    reason: '',
  }));
  return badRequest(told, paths.length, cause);
}

function badRequest(told: readonly FieldViolation[], count: number, cause?: Error): StatusError {
  const [first] = told;
  const where = first === undefined || first.field === '' ? '' : `${first.field}: `;
  const more = count > 1 ? ` (and ${count - 1} more)` : '';
  const message = `invalid request: ${where}${first?.description ?? ''}${more}`;
  const details = [encodeBadRequest(told)];
  return new StatusError(Code.INVALID_ARGUMENT, message, { details, cause });
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
