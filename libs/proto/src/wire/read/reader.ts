import type { DescMessage, UnknownField } from '@bufbuild/protobuf';
import type { WireType } from '@bufbuild/protobuf/wire';
import type { MessageMembers } from '../../message/message-shape.js';
import { skipField } from '../skip-field.js';
import { WireSource } from '../wire-source.js';

/** Reads a field's value, without its tag, into a message that is so deep inside others. */
export type WireFieldReader = (source: WireSource, message: MessageMembers, depth: number) => void;

/** Reads the fields of a message. */
export interface MessageFiller {
  /**
   * Reads fields into a message until the end of the source.
   *
   * @param depth of the message: 1 for the outermost one
   * @param endTag the tag that ends a group; 0 for a message that ends where the source does
   */
  read(source: WireSource, into: MessageMembers, depth: number, endTag: number): void;
}

/** Finds what reads messages of a type. Types hold one another, so they are looked up late. */
export type FillerOf = (desc: DescMessage) => MessageFiller;

/** Keeps a value that the message's type has no field for. */
export function keepUnknown(
  message: MessageMembers,
  no: number,
  wireType: WireType,
  data: Uint8Array,
): void {
  const kept = message['$unknown'] as UnknownField[] | undefined;
  if (kept === undefined) message['$unknown'] = [{ no, wireType, data }];
  else kept.push({ no, wireType, data });
}

/**
 * Keeps fields that are on the wire as those that the message's type does not know.
 *
 * @param groups how deeply groups may nest in them
 */
export function keepUnknownFields(message: MessageMembers, wire: Uint8Array, groups: number): void {
  const source = new WireSource(wire);
  while (source.at < source.end) {
    const tag = source.tag();
    const from = source.at;
    skipField(source, tag, groups);
    keepUnknown(message, tag >>> 3, tag & 7, source.copy(from, source.at));
  }
}
