/** The folder of Debian's initdb and postgres; null without one. */
export function postgresPrograms(): string | null;
