import type { Event } from '../event/event.js';
import type { Scope } from '../event/scope.js';
import type { FlatDialect } from './flat-dialect.js';
import type { Lead } from './lead.js';
import { type Fragment, fragmentOf, type LineBuffer } from './line-buffer.js';

/** The parts of a format and its encoder that {@link textWriter} needs. */
export interface TextParts {
  /** Level and time. */
  readonly headOf: (event: Event) => Fragment;
  /** The fields of a scope. */
  readonly scopeText: (scope: Scope) => string;
  /** The start of lines of texts with a scope. */
  readonly leadOf: (scope: Scope) => Lead;
  /** Whether lines contain the message. */
  readonly message: boolean;
}

const QUOTE: Fragment = fragmentOf('"');
const END: Fragment = fragmentOf('"}\n');

/**
 * Writes the line of an event that is a text without braces, and without arguments or anything else: the
 * same line as for any other event, but the text is escaped once, and parts that the event cannot have are
 * not checked.
 */
export function textWriter(
  dialect: FlatDialect,
  { headOf, scopeText, leadOf, message }: TextParts,
): (event: Event, line: LineBuffer) => void {
  const constant = fragmentOf(dialect.constant);
  const template = fragmentOf(`${dialect.template}"`);
  const messageName = fragmentOf(`${dialect.message}"`);
  const messageAfter = fragmentOf(`"${dialect.message}"`);
  const writeLead = (line: LineBuffer, scope: Scope): void => {
    const lead = leadOf(scope);
    if (lead.writeKept(line, scope)) return;
    const start = line.end;
    line.add(constant);
    line.addText(scopeText(scope));
    line.add(template);
    lead.note(line, start, scope);
  };
  const messageFirst = (event: Event, line: LineBuffer): void => {
    line.begin(headOf(event));
    line.add(messageName);
    const start = line.end;
    line.addEscaped(event.template);
    const { end } = line;
    line.add(QUOTE);
    writeLead(line, event.scope);
    line.addAgain(start, end);
    line.add(END);
  };
  const messageLast = (event: Event, line: LineBuffer): void => {
    line.begin(headOf(event));
    writeLead(line, event.scope);
    const start = line.end;
    line.addEscaped(event.template);
    if (message) {
      const { end } = line;
      line.add(messageAfter);
      line.addAgain(start, end);
    }
    line.add(END);
  };
  return dialect.messageFirst && message ? messageFirst : messageLast;
}
