export { migrationCommand } from './cli/migration-command.js';
export type { CommandOutput } from './cli/migration-command.js';
