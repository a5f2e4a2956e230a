export { postgresReplicas } from './postgres-replicas.js';
export { postgresTableSql } from './job-table.js';
export type { PostgresOptions, PostgresPool, PostgresTableOptions } from './postgres-options.js';
