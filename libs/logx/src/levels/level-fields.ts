/** The fields whose texts are names of loggers, by which levels can be set. */
export const LEVEL_FIELDS: ReadonlySet<string> = new Set(['service', 'logger']);
