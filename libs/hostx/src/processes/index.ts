export { runProcesses } from './run-processes.js';
export type { ProcessCount, ProcessesOptions } from './processes-options.js';
