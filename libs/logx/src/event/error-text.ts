import { isReadableError, safeText, safely } from '../value/safely.js';

/** Causes of causes beyond these are left out. */
const MAX_CAUSES = 10;
/** Errors of an AggregateError beyond these are only counted. */
const MAX_ERRORS = 10;
const NO_ERRORS: readonly unknown[] = [];

/** What an error says: its message, then those of its causes, `saving: disk full`. Never throws. */
export function errorText(error: unknown): string {
  return chainOf(error).map(ownText).reduce(joined);
}

/**
 * The class of an error: its `name`, or where that says no more than `Error` the name of its class;
 * undefined for what is no error. Never throws.
 */
export function errorType(error: unknown): string | undefined {
  // An error of another realm is not an instance of ours.
  if (!isReadableError(error) && typeof memberOf(error, 'stack') !== 'string') return undefined;
  const name = memberOf(error, 'name');
  if (isName(name) && name !== 'Error') return name;
  const ownClass = memberOf(memberOf(error, 'constructor'), 'name');
  return isName(ownClass) ? ownClass : 'Error';
}

function isName(name: unknown): name is string {
  return typeof name === 'string' && name !== '';
}

/** The error's stack and those of its causes; undefined when there is none. Never throws. */
export function stackText(error: unknown): string | undefined {
  const stacks = chainOf(error).map(stackWithErrors);
  return stacks[0] === undefined
    ? undefined
    : stacks.map((stack, i) => stack ?? ownText(chainOf(error)[i])).join('\nCaused by: ');
}

function chainOf(error: unknown): unknown[] {
  const chain: unknown[] = [error];
  while (chain.length <= MAX_CAUSES) {
    const cause = memberOf(chain.at(-1), 'cause');
    if (cause === undefined || cause === null || chain.includes(cause)) break;
    chain.push(cause);
  }
  return chain;
}

/** A message often ends in its cause's already. */
function joined(text: string, cause: string): string {
  return cause === '' || text.endsWith(cause) ? text : `${text}: ${cause}`;
}

function ownText(error: unknown): string {
  const message = memberOf(error, 'message');
  const errors = errorsOf(error).map((inner) => ownMessage(inner));
  const text = typeof message === 'string' && message !== '' ? message : ownMessage(error);
  return errors.length === 0 ? text : `${text} [${errors.join('; ')}]`;
}

function ownMessage(error: unknown): string {
  const message = memberOf(error, 'message');
  if (typeof message === 'string' && message !== '') return message;
  const name = memberOf(error, 'name');
  return typeof message === 'string' && typeof name === 'string' ? name : safeText(error);
}

function stackWithErrors(error: unknown): string | undefined {
  const stack = memberOf(error, 'stack');
  if (typeof stack !== 'string') return undefined;
  const inner = errorsOf(error).map((each) => {
    const text = memberOf(each, 'stack');
    return `\nOne of: ${typeof text === 'string' ? text : ownMessage(each)}`;
  });
  return stack + inner.join('');
}

function errorsOf(error: unknown): readonly unknown[] {
  const errors = memberOf(error, 'errors');
  if (errors === undefined) return NO_ERRORS;
  return safely(
    () => (Array.isArray(errors) ? errors.slice(0, MAX_ERRORS) : NO_ERRORS),
    () => NO_ERRORS,
  );
}

function memberOf(error: unknown, name: string): unknown {
  try {
    return (error as Record<string, unknown> | null | undefined)?.[name];
  } catch {
    return undefined;
  }
}
