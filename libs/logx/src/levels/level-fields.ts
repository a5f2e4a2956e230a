/** The fields that contain the name of a logger, by which its level can be set. */
export const LEVEL_FIELDS: ReadonlySet<string> = new Set(['service', 'logger']);
