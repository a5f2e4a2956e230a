/** Where each format keeps what it prepares for templates and scopes. */
export const SLOTS = { json: 0, ecs: 1, otel: 2, console: 3, coloredConsole: 4 } as const;
