export { HostPageModule } from '../nest/page/host-page.module.js';
export type { HostPageAccess, HostPageModuleOptions } from '../nest/page/host-page.module.js';
export type { HostPageOptions } from './host-page-options.js';
