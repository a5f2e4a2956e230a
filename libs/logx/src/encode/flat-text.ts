import type { Event } from '../event/event.js';
import type { Scope } from '../event/scope.js';
import type { FlatDialect } from './flat-dialect.js';
import type { Lead } from './lead.js';
import { type Fragment, fragmentOf, type LineBuffer } from './line-buffer.js';

/** What {@link textWriter} needs of a format and its encoder. */
export interface TextParts {
  /** Level and time. */
  readonly headOf: (event: Event) => Fragment;
  /** The fields of a scope. */
  readonly scopeText: (scope: Scope) => string;
  /** What lines of texts by a scope begin with. */
  readonly leadOf: (scope: Scope) => Lead;
  /** Whether lines carry the message. */
  readonly message: boolean;
}

const QUOTE: Fragment = fragmentOf('"');
const END: Fragment = fragmentOf('"}\n');

/**
 * Writes the line of a text without braces, arguments and whatever else an event may have: the
 * same as of any other event, with the text escaped once and nothing asked that it cannot have.
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
