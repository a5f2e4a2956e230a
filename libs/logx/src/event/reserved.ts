/** The field that holds the stack of an error. */
export const STACK_FIELD_NAME = 'stack';

const RESERVED = /^(?:level|time|@mt|message|error|stack|caller)_*$/;

/**
 * The name under which a field is kept. The names that the logger itself writes, and those names
 * with underscores after them, get one more underscore: `level` is `level_`, `level_` is
 * `level__`. So nothing that is logged passes for the level, and no two fields become one.
 */
export function fieldName(name: string): string {
  return RESERVED.test(name) ? `${name}_` : name;
}
