import type { DescMessage } from '@bufbuild/protobuf';
import type { ByteSink } from '../../bytes/byte-sink.js';
import type { MessageMembers } from '../../message/message-shape.js';
import { ValueError } from '../../values/value-error.js';
import { MAX_DEPTH } from '../wire-error.js';

/** Writes some fields of a message, if they are set. */
export type FieldWriter = (sink: ByteSink, message: MessageMembers, depth: number) => void;

/**
 * Writes a value with its tag, or refuses it by a ValueError without a place.
 *
 * @param tag 0 for none
 * @param isImplicit whether nothing is written for the zero of the type
 */
export type ValueWriter = (
  sink: ByteSink,
  tag: number,
  value: unknown,
  isImplicit: boolean,
) => void;

/** Writes a message that a field holds, with its tag, or its length, or without either. */
export type BodyWriter = (sink: ByteSink, value: unknown, depth: number) => void;

/** Finds what writes messages of a type. Types hold one another, so it is looked up late. */
export type WriterOf = (desc: DescMessage) => BodyWriter;

/** Writes a tag; 0 means no tag. */
export function writeTag(sink: ByteSink, tag: number): void {
  if (tag > 0x7f) sink.varint32(tag);
  else if (tag !== 0) {
    sink.reserve(1);
    sink.bytes[sink.at++] = tag;
  }
}

/** A deeper value could not be read again; a cycle of objects would have no end. */
export function checkDepth(depth: number): void {
  if (depth > MAX_DEPTH) throw new ValueError(`nested deeper than ${MAX_DEPTH} levels`);
}
