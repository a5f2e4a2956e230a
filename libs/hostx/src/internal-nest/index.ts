export { APP_ATTACHMENT, AppAttachment } from '../nest/host-extension.js';
export type { AttachContext } from '../nest/host-extension.js';
