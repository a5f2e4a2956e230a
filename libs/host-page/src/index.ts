export { HostPageModule } from './nest/host-page.module.js';
export type { HostPageAccess, HostPageModuleOptions } from './nest/host-page.module.js';
export type { HostPageOptions } from './host-page-options.js';
