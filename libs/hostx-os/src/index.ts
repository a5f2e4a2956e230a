export { SystemdModule } from './nest/systemd.module.js';
export { SingleInstance, SingleInstanceModule } from './nest/single-instance.module.js';
export { AlreadyRunningError, OsError } from './errors.js';
export type { SystemdModuleOptions } from './nest/systemd.module.js';
export type { SingleInstanceModuleOptions } from './nest/single-instance.module.js';
