import { type FieldViolation, encodeBadRequest } from '@apix/calls';
import { Code, StatusError } from '@apix/contracts';
import { cutText } from '@apix/contracts/internal';
import { isRedacted, mayHoldRedacted } from '@apix/proto/internal';
import type { DescMessage } from '@bufbuild/protobuf';
import { type Path, pathToString } from '@bufbuild/protobuf/reflect';
import type { Violation } from '@bufbuild/protovalidate';
import { authorsRules } from './authors-rules.js';

/** Trailers hold some kilobytes, and a list of a caller's can have more mistakes than that. */
const MAX_VIOLATIONS = 20;
const MAX_LENGTH = 200;

/**
 * The error for the caller of a message that breaks rules: INVALID_ARGUMENT with a google.rpc.BadRequest,
 * which a gateway turns into a 400 with `errors[]`. It never repeats the value of a field with `debug_redact`.
 *
 * @param desc the type of the message.
 */
export function violationError(violations: readonly Violation[], desc: DescMessage): StatusError {
  const told = violations.slice(0, MAX_VIOLATIONS).map((each) => fieldViolation(each, desc));
  return badRequest(told, violations.length);
}

/** The same for fields whose values no rule can be evaluated on, with the rule's failure as its cause. */
export function unevaluableError(paths: readonly Path[], cause: Error): StatusError {
  const told = paths.slice(0, MAX_VIOLATIONS).map((path) => ({
    field: shorten(pathToString(shownPath(path))),
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

function fieldViolation(violation: Violation, desc: DescMessage): FieldViolation {
  const { field, message, ruleId } = violation;
  const isShown = message !== '' && !mayRepeatValue(violation, desc);
  return {
    field: shorten(pathToString(shownPath(field))),
    description: shorten(isShown ? message : `breaks the rule ${ruleId}`),
    reason: ruleId,
  };
}

/** The path to a field that is not shown ends there: what follows may be a key of its map. */
function shownPath(path: Path): Path {
  const hidden = path.findIndex((step) => isField(step) && isRedacted(step));
  return hidden < 0 ? path : path.slice(0, hidden + 1);
}

/** A rule of the author's own can return a text with the value in it; the texts of standard rules have none. */
function mayRepeatValue({ field, rule, ruleId, message }: Violation, desc: DescMessage): boolean {
  const last = field.findLast(isField);
  const type = last === undefined ? desc : last.message;
  const isSecret =
    field.some((step) => isField(step) && isRedacted(step)) ||
    (type !== undefined && mayHoldRedacted(type));
  if (!isSecret) return false;
  // The rules of a message have no path.
  const own = authorsRules((rule.length > 0 ? last : type) ?? desc);
  const isOwn =
    rule.length > 0
      ? rule.some((step) => step.kind === 'extension' || isCel(step))
      : own.ids.has(ruleId);
  return isOwn && !own.texts.has(message);
}

type PathStep = Path[number];
type FieldStep = Extract<PathStep, { kind: 'field' | 'extension' }>;

function isField(step: PathStep): step is FieldStep {
  return step.kind === 'field' || step.kind === 'extension';
}

function isCel(step: PathStep): boolean {
  return step.kind === 'field' && (step.name === 'cel' || step.name === 'cel_expression');
}

/** A path contains keys of the caller's maps, and a message may contain quotes by the rule's author. */
function shorten(text: string): string {
  return cutText(text, MAX_LENGTH);
}
