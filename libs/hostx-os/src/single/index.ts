export { acquireInstanceLock } from './acquire-instance-lock.js';
export { defaultLockPath } from './default-lock-path.js';
export { AlreadyRunningError, OsError } from '../errors.js';
export type { InstanceLock, InstanceLockOptions } from './acquire-instance-lock.js';
export type { LockPlace } from './default-lock-path.js';
