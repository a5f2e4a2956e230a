import { redactMessage, thrownText } from '@apix/contracts';
import { messageReplacer } from '@apix/contracts/internal';

/** A template with its holes filled, and what filled them by name. */
export interface Rendered {
  readonly message: string;
  readonly attributes: Readonly<Record<string, unknown>>;
}

const TOKEN = /\{\{|\}\}|\{(\w+)\}/g;

/**
 * Fills `{Name}` placeholders with the arguments in order; `{{` and `}}` are braces. A
 * placeholder without an argument stays as it is and gives no attribute.
 */
export function render(template: string, args: readonly unknown[]): Rendered {
  const attributes: Record<string, unknown> = {};
  let used = 0;
  const message = template.replace(TOKEN, (token: string, name: string | undefined) => {
    if (name === undefined) return token[0]!;
    if (used >= args.length) return token;
    const value = shown(args[used++]);
    // A plain assignment would run the setter that `__proto__` is.
    Object.defineProperty(attributes, name, { value, enumerable: true, configurable: true });
    return textOf(value);
  });
  return { message, attributes };
}

/** How many arguments the placeholders of a template take. */
export function holeCount(template: string): number {
  return [...template.matchAll(TOKEN)].filter(([, name]) => name !== undefined).length;
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  try {
    if (value instanceof Error) return thrownText(value);
    if (typeof value !== 'object' || value === null) return String(value);
    return JSON.stringify(value) ?? '';
  } catch {
    return UNPRINTABLE;
  }
}

/** The fields of a log call, which may be a message themselves, as {@link render} shows values. */
export function printableFields(fields: object | undefined): Readonly<Record<string, unknown>> {
  const members = Object.entries(redactMessage(fields ?? {}));
  return Object.fromEntries(members.map(([name, value]) => [name, shown(value)]));
}

const UNPRINTABLE = '[unprintable]';

/** Messages without their fields that have `debug_redact`, wherever they are in a value. */
function shown(value: unknown): unknown {
  const replacer = messageReplacer();
  if (replacer === undefined || typeof value !== 'object' || value === null) return value;
  try {
    if (value instanceof Error) return value;
    const text = JSON.stringify(value, (key, member: unknown) => {
      return replacer(key, typeof member === 'bigint' ? String(member) : member);
    });
    return text === undefined ? value : JSON.parse(text);
  } catch {
    return UNPRINTABLE;
  }
}
