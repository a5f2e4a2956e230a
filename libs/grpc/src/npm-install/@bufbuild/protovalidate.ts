/** Why: docs/decisions/0240 */
export { createValidator } from '@bufbuild/protovalidate';
export {
  field as fieldRules,
  message as messageRules,
  oneof as oneofRules,
} from '@bufbuild/protovalidate/gen/buf/validate/validate_pb.js';
