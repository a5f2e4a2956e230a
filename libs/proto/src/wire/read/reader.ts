import type { DescMessage } from '@bufbuild/protobuf';
import type { MessageMembers } from '../../message/message-shape.js';
import type { WireSource } from '../wire-source.js';

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
