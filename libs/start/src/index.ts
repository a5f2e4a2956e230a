export { nestAdd } from './nest-add.js';
export { service } from './service.js';
export type { NestAddOptions } from './nest-add.js';
export type { ServiceOptions } from './service.js';
export type { SchematicFolder, SchematicRule, SchematicRun, SchematicTree } from './schematic.js';
