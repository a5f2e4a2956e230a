import type { Event } from '../event/event.js';
import type { Scope } from '../event/scope.js';
import type { FlatDialect } from './flat-dialect.js';
import { type Fragment, fragmentOf, type LineBuffer } from './line-buffer.js';

/** The parts of a format and its encoder that {@link textWriter} needs. */
export interface TextParts {
  /** Level and time. */
  readonly headOf: (event: Event) => Fragment;
  /** Writes the fields of a scope and the start of the template's field. */
  readonly writeLead: (scope: Scope, line: LineBuffer) => void;
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
  { headOf, writeLead, message }: TextParts,
): (event: Event, line: LineBuffer) => void {
  const messageName = fragmentOf(`${dialect.message}"`);
  const messageAfter = fragmentOf(`"${dialect.message}"`);
  const messageFirst = (event: Event, line: LineBuffer): void => {
    line.begin(headOf(event));
    line.add(messageName);
    const start = line.end;
    line.addEscaped(event.template);
    const { end } = line;
    line.add(QUOTE);
    writeLead(event.scope, line);
    line.addAgain(start, end);
    line.add(END);
  };
  const messageLast = (event: Event, line: LineBuffer): void => {
    line.begin(headOf(event));
    writeLead(event.scope, line);
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
