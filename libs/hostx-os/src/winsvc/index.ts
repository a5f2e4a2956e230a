export { runWindowsService } from './run-windows-service.js';
export { installWindowsService, uninstallWindowsService } from './install-windows-service.js';
export { windowsService } from './windows-service.js';
export { OsError } from '../errors.js';
export type { RunWindowsServiceOptions } from './run-windows-service.js';
export type { InstallConfig } from './install-windows-service.js';
export type { WindowsService, WindowsServiceOptions } from './windows-service.js';
