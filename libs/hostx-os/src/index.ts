export { SystemdModule } from './nest/systemd.module.js';
export { SingleInstance, SingleInstanceModule } from './nest/single-instance.module.js';
export { AlreadyRunningError, OsError } from './errors.js';
export type { SystemdOptions } from './nest/systemd.module.js';
export type { SingleInstanceOptions } from './nest/single-instance.module.js';
