import { ScalarType } from '@bufbuild/protobuf';
import type { ByteSink } from '../../../bytes/byte-sink.js';
import type { WireSource } from '../../../wire/wire-source.js';
import { MAX_DEPTH } from '../../../wire/wire-error.js';
import { type JsonFragment, NULL, closeArray, closeObject, writeFragment } from '../fragments.js';
import { writeDouble } from '../numbers.js';
import { streamList } from './stream-lists.js';
import { streamMap } from './stream-maps.js';
import { streamScalar, streamText } from './stream-scalars.js';
import {
  type StreamBody,
  type StreamField,
  expectTag,
  lengthPrefixed,
  stopStreaming,
  takeTag,
} from './stream.js';

const NULL_TAG = 0x08;
const NUMBER_TAG = 0x11;
const TEXT_TAG = 0x1a;
const BOOL_TAG = 0x20;
const STRUCT_TAG = 0x2a;
const LIST_TAG = 0x32;
const ITEM_TAG = 0x0a;

const inside = lengthPrefixed((source, sink, key, depth) => streamValue(source, sink, key, depth));
const streamBool = streamScalar(ScalarType.BOOL);

const fields = streamMap(ITEM_TAG, {
  keyTag: 0x0a,
  readKey: (source) => source.string(true),
  zeroKey: '',
  valueTag: 0x12,
  value: inside,
  zeroValue: undefined,
});
const values = streamList(ITEM_TAG, inside, true);

/** Reads a google.protobuf.Value, which has exactly one field. */
export const streamValue: StreamBody = (source, sink, key, depth) => {
  if (depth > MAX_DEPTH || source.at >= source.end) stopStreaming();
  switch (takeTag(source)) {
    case NULL_TAG:
      source.varint32();
      writeFragment(sink, key);
      writeFragment(sink, NULL);
      break;
    case NUMBER_TAG:
      streamNumber(source, sink, key);
      break;
    case TEXT_TAG:
      streamText(source, sink, key, depth, false);
      break;
    case BOOL_TAG:
      streamBool(source, sink, key, depth, false);
      break;
    case STRUCT_TAG:
      insideStruct(source, sink, key, depth, false);
      break;
    case LIST_TAG:
      insideList(source, sink, key, depth, false);
      break;
    default:
      stopStreaming();
  }
  if (source.at !== source.end) stopStreaming();
};

export const streamStruct = elements(fields, closeObject);
export const streamListValue = elements(values, closeArray);
const insideStruct = lengthPrefixed(streamStruct);
const insideList = lengthPrefixed(streamListValue);

/** Reads a message that has one field, which repeats. */
function elements(
  stream: StreamField,
  closeEmpty: (sink: ByteSink, start: number) => void,
): StreamBody {
  return (source, sink, key, depth) => {
    if (depth > MAX_DEPTH) stopStreaming();
    if (source.at === source.end) {
      writeFragment(sink, key);
      closeEmpty(sink, sink.at);
      return;
    }
    expectTag(source, ITEM_TAG);
    stream(source, sink, key, depth, ITEM_TAG);
    if (source.at !== source.end) stopStreaming();
  };
}

function streamNumber(source: WireSource, sink: ByteSink, key: JsonFragment): void {
  const value = source.double();
  if (!Number.isFinite(value)) stopStreaming();
  writeFragment(sink, key);
  writeDouble(sink, value);
}
