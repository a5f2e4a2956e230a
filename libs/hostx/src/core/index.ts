export { serviceFunc } from '../service.js';
export type { Hosted, Service } from '../service.js';
export type { RestartPolicy } from '../supervision/restart-policy.js';
