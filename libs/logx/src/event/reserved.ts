/** The field that holds the stack of an error. */
export const STACK_FIELD_NAME = 'stack';

const RESERVED: ReadonlySet<string> = new Set([
  'level',
  'time',
  '@mt',
  'message',
  'error',
  STACK_FIELD_NAME,
  'caller',
]);
const UNDERSCORES = /_+$/;

/**
 * The name under which a field is kept. The names that the logger itself writes, and those names with
 * underscores after them, get one more underscore: `level` is `level_`, `level_` is `level__`. So no logged
 * field can replace the level, and no two fields become one.
 */
export function fieldName(name: string): string {
  const bare = name.endsWith('_') ? name.replace(UNDERSCORES, '') : name;
  return RESERVED.has(bare) ? `${name}_` : name;
}
