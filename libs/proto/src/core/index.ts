export { ProtoRegistry } from '../proto-registry.js';
export { callMethodOf, fullMethodName } from '../method-name.js';
export { optionOf } from '../option.js';
export { DescriptorError } from '../descriptor-error.js';
export type { DescriptorSource } from '../descriptor-source.js';
