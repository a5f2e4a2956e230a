export { ProtoRegistry } from '../proto-registry.js';
export { callMethodOf, fullMethodName } from '../method-name.js';
export { optionOf } from '../option.js';
export { POLICY_OPTION_NUMBER, describePolicies, hasPolicy } from '../policy-option.js';
export { JsonCodec } from '../json/json-codec.js';
export { DescriptorError } from '../descriptor-error.js';
export { JsonDecodeError } from '../json/json-decode-error.js';
export type { JsonCodecOptions } from '../json/json-codec.js';
export type { DescriptorSource } from '../descriptor-source.js';
