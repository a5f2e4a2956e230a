import { isReadableError } from '@apix/contracts/internal';
import { safeText } from '../value/safely.js';

/** Deeper causes are omitted, and the text says so. */
const MAX_CAUSES = 10;
const MORE_CAUSES = '… (more causes)';
/** Errors of an AggregateError beyond these are only counted. */
const MAX_ERRORS = 10;

/** The errors of an AggregateError that are shown, and how many more it has. */
interface InnerErrors {
  readonly shown: readonly unknown[];
  readonly more: number;
}

/** Between the stack of an error and that of its cause. */
export const CAUSED_BY = '\nCaused by: ';

const NO_ERRORS: InnerErrors = { shown: [], more: 0 };

/** What is read of a thrown value, which may be anything. */
type Thrown =
  | {
      readonly [
        name in 'message' | 'name' | 'constructor' | 'cause' | 'stack' | 'errors'
      ]?: unknown;
    }
  | null
  | undefined;

/** The text of a thrown value that is not an error. Must not throw. */
export type ValueText = (value: unknown) => string;

/**
 * The text of an error: its message, then those of its causes, `saving: disk full`. Never throws.
 *
 * @param textOf gives the text of those of them that are not errors.
 */
export function errorText(
  error: unknown,
  chain = chainOf(error),
  textOf: ValueText = safeText,
): string {
  let text = ownText(error, textOf);
  for (let i = 1; i < chain.length; i++) text = joined(text, ownText(chain[i], textOf));
  return text;
}

/**
 * The class of an error: its `name`, or the name of its class if `name` is only `Error`; undefined for a
 * value that is not an error. Never throws.
 */
export function errorType(error: unknown): string | undefined {
  // An error of another realm is not an instance of this realm's Error.
  if (!isReadableError(error) && typeof stackOf(error) !== 'string') return undefined;
  const name = nameOf(error);
  if (isName(name) && name !== 'Error') return name;
  const ownClass = nameOf(constructorOf(error));
  return isName(ownClass) ? ownClass : 'Error';
}

function isName(name: unknown): name is string {
  return typeof name === 'string' && name !== '';
}

/**
 * The error's stack and those of its causes, which are a text with {@link CAUSED_BY} between them;
 * undefined when there is none. Never throws.
 */
export function stackTexts(
  error: unknown,
  chain = chainOf(error),
  textOf: ValueText = safeText,
): readonly string[] | undefined {
  const first = stackWithErrors(error, textOf);
  if (first === undefined) return undefined;
  const texts = [first];
  for (let i = 1; i < chain.length; i++) {
    texts.push(stackWithErrors(chain[i], textOf) ?? ownText(chain[i], textOf));
  }
  return texts;
}

/** The error, its cause, the cause of that and so on; a text stands for those that are omitted. */
export function chainOf(error: unknown): readonly unknown[] {
  const chain: unknown[] = [error];
  for (let at = causeOf(error); at !== undefined && !chain.includes(at); at = causeOf(at)) {
    if (chain.length > MAX_CAUSES) return [...chain, MORE_CAUSES];
    chain.push(at);
  }
  return chain;
}

// Each has a function of its own: a member is read fastest where no other one is.
function causeOf(error: unknown): unknown {
  try {
    return (error as Thrown)?.cause ?? undefined;
  } catch {
    return undefined;
  }
}

function messageOf(error: unknown): unknown {
  try {
    return (error as Thrown)?.message;
  } catch {
    return undefined;
  }
}

function nameOf(error: unknown): unknown {
  try {
    return (error as Thrown)?.name;
  } catch {
    return undefined;
  }
}

function constructorOf(error: unknown): unknown {
  try {
    return (error as Thrown)?.constructor;
  } catch {
    return undefined;
  }
}

function stackOf(error: unknown): unknown {
  try {
    return (error as Thrown)?.stack;
  } catch {
    return undefined;
  }
}

/** A message often already ends with that of its cause. */
function joined(text: string, cause: string): string {
  return cause === '' || text.endsWith(cause) ? text : `${text}: ${cause}`;
}

function ownText(error: unknown, textOf: ValueText): string {
  const message = messageOf(error);
  const text = typeof message === 'string' && message !== '' ? message : ownMessage(error, textOf);
  const { shown, more } = errorsOf(error);
  if (shown.length === 0) return text;
  const errors = shown.map((each) => ownMessage(each, textOf));
  if (more > 0) errors.push(moreErrors(more));
  return `${text} [${errors.join('; ')}]`;
}

function moreErrors(count: number): string {
  return `… (${count} more errors)`;
}

function ownMessage(error: unknown, textOf: ValueText): string {
  const message = messageOf(error);
  if (typeof message === 'string' && message !== '') return message;
  const name = nameOf(error);
  return typeof message === 'string' && typeof name === 'string' ? name : textOf(error);
}

function stackWithErrors(error: unknown, textOf: ValueText): string | undefined {
  const stack = stackOf(error);
  if (typeof stack !== 'string') return undefined;
  const { shown, more } = errorsOf(error);
  if (shown.length === 0) return stack;
  const errors = shown.map((each) => {
    const text = stackOf(each);
    return typeof text === 'string' ? text : ownMessage(each, textOf);
  });
  if (more > 0) errors.push(moreErrors(more));
  return [stack, ...errors].join('\nOne of: ');
}

function errorsOf(error: unknown): InnerErrors {
  try {
    const errors = (error as Thrown)?.errors;
    if (!Array.isArray(errors)) return NO_ERRORS;
    const shown: readonly unknown[] = errors.slice(0, MAX_ERRORS);
    return { shown, more: errors.length - shown.length };
  } catch {
    return NO_ERRORS;
  }
}
