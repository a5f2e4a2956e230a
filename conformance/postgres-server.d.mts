/** The folder of Debian's initdb and postgres; null without one. */
export function postgresPrograms(): string | null;

/** The path of Debian's pgbouncer. */
export const PGBOUNCER: string;
