export { HostedService } from './nest/hosted-service.decorator.js';
export { serviceFunc } from './service.js';
export type { HostedServiceOptions, ServiceTier } from './nest/hosted-service.decorator.js';
export type { Hosted, Service } from './service.js';
export type { RestartPolicy } from './supervision/restart-policy.js';

export { APP_ATTACHMENT } from './nest/app-attachment.js';
export type { AppAttachment } from './nest/app-attachment.js';
