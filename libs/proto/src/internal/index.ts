export { commentsOf } from '../comments.js';
export { fitsWire } from '../json/fits-wire.js';
export { JSON_CODEC_OPTIONS } from '../json/json-codec.js';
export { isRequired, missingField } from '../message/required-fields.js';
export { meansMethod, METHOD_PATTERN, withDots } from '../method-name.js';
export { POLICY_OPTION_NUMBER, describePolicies } from '../option.js';
export { mayHoldRedacted } from '../redact/note-types.js';
export { withoutRedacted } from '../redact/redact-json.js';
export { HIDDEN_PROBLEM, hasDebugRedact, isForSome, isRedacted } from '../redact/redacted-field.js';
export {
  exclusiveFields,
  messageRulesOf,
  oneofMustBeSet,
  rulesIn,
  rulesOf,
  textsIn,
} from '../schema/field-rules.js';
export type { Rules } from '../schema/field-rules.js';
export { constraintsOf, isIgnored, isInverted, nestedRules } from '../schema/rule-keywords.js';
export type { FieldConstraints, JsonSchema } from '../schema/rule-keywords.js';
export { tryTransfer } from '../transfer/transfer.js';
export { MAX_DEPTH as MAX_WIRE_DEPTH } from '../wire/wire-error.js';
export { writtenOption } from '../written-option.js';
export type { WrittenOption } from '../written-option.js';
