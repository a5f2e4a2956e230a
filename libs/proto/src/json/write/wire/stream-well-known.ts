import { type DescMessage, ScalarType } from '@bufbuild/protobuf';
import type { ByteSink } from '../../../bytes/byte-sink.js';
import type { WireSource } from '../../../wire/wire-source.js';
import { MAX_DEPTH } from '../../../wire/wire-error.js';
import type { WritePacked } from '../any-value.js';
import {
  writeFieldMask,
  type WriteTime,
  writeDuration,
  writeTimestamp,
} from '../well-known-values.js';
import { type JsonFragment, FALSE, fragment, writeFragment } from '../fragments.js';
import { wrappedType } from '../../../values/local-form.js';
import { tagOf, wireTypeOf } from '../../../wire/wire-type.js';
import { streamScalar } from './stream-scalars.js';
import { streamListValue, streamStruct, streamValue } from './stream-struct.js';
import { type StreamBody, expectTag, stopStreaming, takeTag } from './stream.js';

/** How messages of well-known types with their own JSON form are read and written. */
export function streamWellKnown(desc: DescMessage, packed: WritePacked): StreamBody | undefined {
  const body = bodyOf(desc, packed);
  return (
    body &&
    ((source, sink, key, depth) => {
      if (depth > MAX_DEPTH) stopStreaming();
      body(source, sink, key, depth);
    })
  );
}

function bodyOf(desc: DescMessage, packed: WritePacked): StreamBody | undefined {
  switch (desc.typeName) {
    case 'google.protobuf.Any':
      return anyBody(packed);
    case 'google.protobuf.Timestamp':
      return timeBody(writeTimestamp);
    case 'google.protobuf.Duration':
      return timeBody(writeDuration);
    case 'google.protobuf.FieldMask':
      return maskBody;
    case 'google.protobuf.Struct':
      return streamStruct;
    case 'google.protobuf.Value':
      return streamValue;
    case 'google.protobuf.ListValue':
      return streamListValue;
    default: {
      const wrapped = wrappedType(desc);
      return wrapped === undefined ? undefined : wrapperBody(wrapped);
    }
  }
}

/** Of a field that comes twice the last one counts; a source has so few that a loop does. */
function timeBody(write: WriteTime): StreamBody {
  return (source, sink, key) => {
    let seconds = 0;
    let nanos = 0;
    while (source.at < source.end) {
      const tag = takeTag(source);
      if (tag === 0x08) {
        source.varint64();
        seconds = source.upper * 0x1_0000_0000 + (source.lower >>> 0);
      } else if (tag === 0x10) {
        nanos = source.varint32() | 0;
      } else {
        stopStreaming();
      }
    }
    write(sink, key, seconds, nanos);
  };
}

function maskBody(source: WireSource, sink: ByteSink, key: JsonFragment): void {
  const paths: string[] = [];
  while (source.at < source.end) {
    expectTag(source, 0x0a);
    paths.push(source.string(true));
  }
  writeFieldMask(sink, key, paths);
}

/** Its content is read as a message: read twice at each of many levels it would cost too much. */
function anyBody(packed: WritePacked): StreamBody {
  return (source, sink, key, depth) => {
    let typeUrl = '';
    let from = 0;
    let to = 0;
    while (source.at < source.end) {
      const tag = takeTag(source);
      if (tag === 0x0a) {
        typeUrl = source.string(true);
      } else if (tag === 0x12) {
        to = source.lengthEnd();
        from = source.at;
        source.at = to;
      } else {
        stopStreaming();
      }
    }
    packed(sink, key, typeUrl, source.bytes.subarray(from, to), depth);
  };
}

function wrapperBody(type: ScalarType): StreamBody {
  const tag = tagOf(1, wireTypeOf(type));
  const stream = streamScalar(type);
  const zero = zeroOf(type);
  return (source, sink, key, depth) => {
    if (source.at === source.end) {
      writeFragment(sink, key);
      writeFragment(sink, zero);
      return;
    }
    expectTag(source, tag);
    stream(source, sink, key, depth, false);
    if (source.at !== source.end) stopStreaming();
  };
}

const ZERO = fragment('0');
const QUOTED_ZERO = fragment('"0"');
const NO_TEXT = fragment('""');

const ZEROS: ReadonlyMap<ScalarType, JsonFragment> = new Map([
  [ScalarType.STRING, NO_TEXT],
  [ScalarType.BYTES, NO_TEXT],
  [ScalarType.BOOL, FALSE],
  [ScalarType.INT64, QUOTED_ZERO],
  [ScalarType.UINT64, QUOTED_ZERO],
  [ScalarType.SINT64, QUOTED_ZERO],
  [ScalarType.FIXED64, QUOTED_ZERO],
  [ScalarType.SFIXED64, QUOTED_ZERO],
]);

/** The zero value of a scalar type, as JSON. */
export function zeroOf(type: ScalarType): JsonFragment {
  return ZEROS.get(type) ?? ZERO;
}
