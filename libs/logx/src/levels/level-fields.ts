/** The fields that contain the name of a logger, by which its level can be set. */
export const LEVEL_FIELDS: ReadonlySet<string> = new Set(['service', 'logger']);

/** Whether one of them sets the level of a logger that has them. */
export function setsLevel(fields: Readonly<Record<string, unknown>>): boolean {
  return Object.keys(fields).some((name) => LEVEL_FIELDS.has(name));
}
