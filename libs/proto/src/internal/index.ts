export { fitsWire } from '../json/fits-wire.js';
export { JSON_CODEC_OPTIONS } from '../json/json-codec.js';
export { isRequired, missingField } from '../message/required-fields.js';
export { POLICY_OPTION_NUMBER, describePolicies } from '../option.js';
export { withoutRedacted } from '../redact/redact-json.js';
export { mayHoldRedacted } from '../redact/note-types.js';
export { HIDDEN_PROBLEM, isForSome, isRedacted } from '../redact/redacted-field.js';
export { tryTransfer } from '../transfer/transfer.js';
