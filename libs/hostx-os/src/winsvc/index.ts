export { run } from './run.js';
export { install, uninstall } from './install.js';
export { windowsService } from './windows-service.js';
export { OsError } from '../errors.js';
export type { RunServiceOptions } from './run.js';
export type { InstallConfig } from './install.js';
export type { WindowsService } from './windows-service.js';
