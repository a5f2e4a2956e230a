import type { DescField } from '@bufbuild/protobuf';
import { scalarZeroValue } from '@bufbuild/protobuf/reflect';
import { WireType } from '@bufbuild/protobuf/wire';
import { type MessageMembers, MessageShape } from '../../message/message-shape.js';
import { localForm } from '../../values/local-form.js';
import { setOwn } from '../../values/set-own.js';
import { WireProblem } from '../wire-error.js';
import { MAX_DEPTH, type WireSource } from '../wire-source.js';
import { tagOf, wireTypeOf } from '../wire-type.js';
import { type ChildReader, bodyReader } from './body-reader.js';
import type { WireFieldReader, FillerOf } from './reader.js';
import { scalarReader } from './scalar-reader.js';

const END_GROUP = 4;

type MapField = DescField & { readonly fieldKind: 'map' };

/** Reads the value of an entry; `empty` is for an entry without one. */
interface EntryValue {
  readonly tag: number;
  readonly read: ChildReader;
  readonly empty: () => unknown;
}

/** Reads an entry of a map. A later entry replaces an earlier one of its key. */
export function mapReader(field: MapField, fillerOf: FillerOf): WireFieldReader {
  const { localName } = field;
  const { mapKey, utf8Validation } = field;
  const keyTag = tagOf(1, wireTypeOf(mapKey));
  const readKey = scalarReader(mapKey, { utf8Validation });
  const emptyKey = String(scalarZeroValue(mapKey, false));
  const { tag: valueTag, read, empty } = entryValue(field, fillerOf);
  return (source, message, depth) => {
    const outer = source.end;
    const end = source.lengthEnd();
    source.end = end;
    let key: string | undefined;
    let value: unknown;
    while (source.at < end) {
      const tag = source.tag();
      if (tag === keyTag) key = String(readKey(source));
      else if (tag === valueTag) value = read(source, depth, value);
      else skipOther(source, field, tag, depth);
    }
    source.end = outer;
    setOwn(message[localName] as MessageMembers, key ?? emptyKey, value ?? empty());
  };
}

function entryValue(field: MapField, fillerOf: FillerOf): EntryValue {
  switch (field.mapKind) {
    case 'message': {
      const shape = MessageShape.of(field.message);
      const empty = localForm(field) === 'struct' ? () => ({}) : () => shape.empty();
      const tag = tagOf(2, WireType.LengthDelimited);
      return { tag, read: bodyReader(field, fillerOf), empty };
    }
    case 'enum': {
      const zero = field.enum.values[0]!.number;
      return { tag: 2 << 3, read: (source) => source.int32(), empty: () => zero };
    }
    case 'scalar': {
      const { scalar, utf8Validation } = field;
      const read = scalarReader(scalar, { utf8Validation });
      return {
        tag: tagOf(2, wireTypeOf(scalar)),
        read,
        empty: () => scalarZeroValue(scalar, false),
      };
    }
  }
}

/** Skips a field that an entry does not have. It could not be accessed in the message. */
function skipOther(source: WireSource, field: MapField, tag: number, depth: number): void {
  if (tag >>> 3 <= 2 && (tag & 7) !== END_GROUP) {
    throw new WireProblem(
      `an entry of ${field.name} has wire type ${tag & 7} in field ${tag >>> 3}`,
    );
  }
  source.skip(tag, MAX_DEPTH - depth);
}
