import { bodyReader } from './body-reader.js';
import type { MessageField } from '../wire-type.js';
import type { WireFieldReader, FillerOf } from './reader.js';

/** Reads the message of a singular field, into the existing one if there is one. */
export function childReader(field: MessageField, fillerOf: FillerOf): WireFieldReader {
  const { localName } = field;
  const read = bodyReader(field, fillerOf);
  if (field.oneof === undefined) {
    // Such as `has_own_property`: a member that every object inherits is not a field of the message.
    if (localName in Object.prototype) {
      return (source, message, depth) => {
        const kept = Object.hasOwn(message, localName) ? message[localName] : undefined;
        message[localName] = read(source, depth, kept);
      };
    }
    return (source, message, depth) => {
      message[localName] = read(source, depth, message[localName]);
    };
  }
  const oneof = field.oneof.localName;
  return (source, message, depth) => {
    const selected = message[oneof] as { readonly case?: string; readonly value?: unknown };
    const kept = selected.case === localName ? selected.value : undefined;
    message[oneof] = { case: localName, value: read(source, depth, kept) };
  };
}
