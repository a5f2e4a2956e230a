import { problemOf } from '../status/problem.js';
import { type Answer, isHttpException } from './answer.js';

type Members = Readonly<Record<string, unknown>>;

/**
 * The problem document of a thrown error. An HttpException keeps the members that it was given
 * (`errorCode`, the list of a validation), which replace those of the document, except the status.
 */
export function problemAnswer(
  { error, status, expected, ours }: Answer,
  exception: unknown,
): object {
  const problem = problemOf(error, { status });
  // An unexpected error must not be quoted, and may be impossible to read.
  if (!expected || ours !== undefined || !isHttpException(exception)) return problem;
  return { ...problem, ...membersOf(exception.getResponse(), exception), status };
}

/** The document has the texts already, as its detail and its title. */
function membersOf(own: unknown, exception: object): Members {
  if (Array.isArray(own)) return { message: own };
  // Where the body is a text, Nest takes this from the exception.
  if (typeof own !== 'object' || own === null)
    return notUndefined({ errorCode: codeOf(exception) });
  const { statusCode: _, message, error, ...members } = own as Members;
  return { ...members, ...notUndefined({ message: noText(message), error: noText(error) }) };
}

function codeOf(exception: object): unknown {
  return 'errorCode' in exception ? exception.errorCode : undefined;
}

function noText(value: unknown): unknown {
  return typeof value === 'string' ? undefined : value;
}

function notUndefined(members: Members): Members {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}
