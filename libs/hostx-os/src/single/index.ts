export { acquire } from './acquire.js';
export { defaultPath } from './default-path.js';
export { AlreadyRunningError, OsError } from '../errors.js';
export type { InstanceLock } from './acquire.js';
export type { LockPlace } from './default-path.js';
