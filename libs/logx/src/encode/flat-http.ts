import type { Event } from '../event/event.js';
import { HTTP_FIELD_NAMES, type HttpFields } from '../event/http-fields.js';
import { HTTP_TEMPLATE } from '../event/request-templates.js';
import type { Scope } from '../event/scope.js';
import { Prepared } from '../template/prepared.js';
import { quoteJson } from '../value/json-text.js';
import type { FlatDialect } from './flat-dialect.js';
import { writeJson } from './json-bytes.js';
import { type Fragment, fragmentOf, type LineBuffer } from './line-buffer.js';

/** The parts of a format that {@link httpFormat} needs. */
export interface HttpFormatParts {
  readonly keyOf: (field: string) => Fragment;
  /** The fields of a scope. */
  readonly scopeText: (scope: Scope) => string;
}

/** The parts of an encoder that {@link HttpWriter} needs. */
export interface HttpParts {
  /** Level and time. */
  readonly headOf: (event: Event) => Fragment;
  /** Whether lines contain the message. */
  readonly message: boolean;
}

/**
 * Writes the line of a request's event; returns false, with nothing written, for an event whose shape it
 * does not know.
 */
export type HttpWriter = (event: Event, fields: HttpFields, line: LineBuffer) => boolean;

const ARROW = fragmentOf(' -> ');
const SPACE = fragmentOf(' ');
const MESSAGE_END = fragmentOf('"}\n');
const END = fragmentOf('}\n');

const NAMES: ReadonlySet<string> = new Set(HTTP_FIELD_NAMES);

/** Whether a scope has a field of the same name as one of request events. */
const meetsHttp = Prepared.by((scope: Scope) => HTTP_FIELD_NAMES.some((name) => scope.has(name)));

/**
 * Creates writers of request events, whose shape is known, from prepared parts: they write the same bytes
 * as for any other event. Formats that rename fields or put the message first do not have one.
 */
// Why: docs/decisions/0092
export function httpFormat(
  { style, messageFirst, additions, constant, template, message: messageName }: FlatDialect,
  { keyOf, scopeText }: HttpFormatParts,
): (parts: HttpParts) => HttpWriter {
  if (style.special !== undefined || messageFirst || additions !== undefined) {
    return () => () => false;
  }
  const scopeBytes = Prepared.by((scope: Scope) => fragmentOf(constant + scopeText(scope)));
  const beforeMethod = fragmentOf(`${template}${quoteJson(HTTP_TEMPLATE)},"Method":`);
  const beforeMessage = fragmentOf(`${messageName}"`);
  const key = {
    path: keyOf('Path'),
    sent: keyOf('Status'),
    status: keyOf('status'),
    bytes: keyOf('bytes'),
    remote: keyOf('remote'),
    duration: keyOf('duration_ms'),
    route: keyOf('route'),
    handler: keyOf('handler'),
    method: keyOf('method'),
    code: keyOf('code'),
    agent: keyOf('user_agent'),
    ended: keyOf('ended'),
    standsFor: keyOf('stands_for'),
  };
  const writeScope = (scope: Scope, line: LineBuffer): void => {
    const { parent, names, values } = scope;
    // A request's scope is used only once.
    if (parent === undefined || hidesAny(parent, names)) return line.add(scopeBytes(scope));
    line.add(scopeBytes(parent));
    for (let i = 0; i < names.length; i++) {
      line.add(keyOf(names[i]!));
      writeJson(values[i]!, line);
    }
  };
  const writeFields = (fields: HttpFields, line: LineBuffer): void => {
    line.add(key.status);
    line.addNumber(fields.status);
    line.add(key.bytes);
    line.addNumber(fields.bytes);
    addText(key.remote, fields.remote, line);
    line.add(key.duration);
    line.addThousandths(fields.duration_ms);
    addText(key.route, fields.route, line);
    addText(key.handler, fields.handler, line);
    addText(key.method, fields.method, line);
    addText(key.code, fields.code, line);
    addText(key.agent, fields.user_agent, line);
    addText(key.ended, fields.ended, line);
    if (fields.stands_for === undefined) return;
    line.add(key.standsFor);
    line.addNumber(fields.stands_for);
  };
  return ({ headOf, message }) =>
    (event, fields, line) => {
      const { scope, values, parsed } = event;
      const [method, path, status] = values;
      if (typeof method !== 'string' || typeof path !== 'string' || typeof status !== 'number') {
        return false;
      }
      if (parsed.text !== HTTP_TEMPLATE || meetsAny(scope)) return false;
      line.begin(headOf(event));
      writeScope(scope, line);
      line.add(beforeMethod);
      const methodAt = line.end + 1;
      line.addQuoted(method);
      const methodEnd = line.end - 1;
      line.add(key.path);
      const pathAt = line.end + 1;
      line.addQuoted(path);
      const pathEnd = line.end - 1;
      line.add(key.sent);
      line.addNumber(status);
      writeFields(fields, line);
      if (!message) {
        line.add(END);
        return true;
      }
      line.add(beforeMessage);
      line.addAgain(methodAt, methodEnd);
      line.add(SPACE);
      line.addAgain(pathAt, pathEnd);
      line.add(ARROW);
      line.addNumber(status);
      line.add(MESSAGE_END);
      return true;
    };
}

function addText(key: Fragment, text: string | undefined, line: LineBuffer): void {
  if (text === undefined) return;
  line.add(key);
  line.addQuoted(text);
}

function hidesAny(parent: Scope, names: readonly string[]): boolean {
  for (let i = 0; i < names.length; i++) if (parent.has(names[i]!)) return true;
  return false;
}

/** Whether a field of the scope has the same name as one of the event's fields. */
function meetsAny({ parent, names }: Scope): boolean {
  for (let i = 0; i < names.length; i++) if (NAMES.has(names[i]!)) return true;
  return parent !== undefined && meetsHttp(parent);
}
