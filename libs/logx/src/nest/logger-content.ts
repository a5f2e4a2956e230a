import { isReadableError } from '@apix/contracts/internal';
import { withSurplus } from '../event/surplus.js';
import type { Level } from '../levels/level.js';
import { type CallForm, plainForm } from '../logger/call-form.js';
import type { LogRequest } from '../logger/logger.js';
import { knownTemplate } from '../template/parse-template.js';
import { memberOf, membersOf } from '../value/members-of.js';
import type { LoggerArguments } from './logger-arguments.js';

/** What is logged for a call of Nest's LoggerService. */
export interface LoggerContent extends Pick<
  LogRequest,
  'text' | 'template' | 'args' | 'fields' | 'error'
> {
  /** Whether its event has an error, which may be among the arguments. */
  readonly hasError: boolean;
}

/** The content of a call, whose error is the one that Nest passes anywhere, if there is one. */
export function contentOf(
  level: Level,
  message: unknown,
  { rest, stack }: Pick<LoggerArguments, 'rest' | 'stack'>,
): LoggerContent {
  const form = nestForm(message, [...rest]);
  const { template, args, fields } = form;
  const values = [...args];
  const count = template === undefined ? 0 : knownTemplate(template).argumentCount;
  const found = withSurplus({ ...form, level }, values, count).error ?? undefined;
  // Without values a text is logged unchanged.
  const text = values.length === 0 && typeof message === 'string' ? message : form.text;
  const said = text === undefined ? { template } : { text };
  const error =
    found === undefined ? (values.find(isReadableError) ?? errorOf(stack, text)) : form.error;
  return { ...said, args, fields, error, hasError: (found ?? error) !== undefined };
}

/** A template, an error, or an object of fields, whose member `message` is the text in Nest. */
function nestForm(message: unknown, args: unknown[]): CallForm {
  if (typeof message === 'string')
    return { template: message, args, error: undefined, fields: undefined };
  const form = plainForm(message, args);
  if (form.template !== undefined || form.fields === undefined) return form;
  const text = memberOf(form.fields, 'message');
  if (typeof text !== 'string') return form;
  const fields = membersOf(form.fields);
  fields.delete('message');
  return { ...form, text, fields: Object.fromEntries(fields) };
}

/** Nest passes an error as the text of its stack too. */
function errorOf(stack: string | undefined, text: unknown): Error | undefined {
  if (stack === undefined) return undefined;
  return new StackText(typeof text === 'string' ? text : firstLineOf(stack), stack);
}

function firstLineOf(stack: string): string {
  return stack.slice(0, stack.indexOf('\n'));
}

/** An error of which only the stack's text is known; it is logged, never thrown. */
class StackText extends Error {
  constructor(message: string, stack: string) {
    super(message);
    this.stack = stack;
  }
}
