export { nestAdd } from './nest-add.js';
export { nestAddReport } from './report.js';
export { service } from './service.js';
export type { NestAddOptions } from './nest-add.js';
export type { ReportOptions } from './report.js';
export type { ServiceOptions } from './service.js';
export type {
  SchematicFolder,
  SchematicRule,
  SchematicRun,
  SchematicTask,
  SchematicTaskId,
  SchematicTree,
} from './schematic.js';
