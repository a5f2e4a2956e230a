import {
  type DescEnum,
  type DescExtension,
  type DescField,
  type DescMessage,
  ScalarType,
} from '@bufbuild/protobuf';
import { FeatureSet_FieldPresence, isWrapperDesc } from '@bufbuild/protobuf/wkt';
import type { Random } from '../random.js';

export type Member = DescField | DescExtension;
export type Holder = Record<string | number, unknown>;

/** A value of a field in a document. */
export interface Place {
  readonly member: Member;
  /** The object or array that it is in. */
  readonly holder: Holder;
  readonly key: string | number;
  /** Whether it is the whole value of the field, or one of a list or map. */
  readonly part: 'whole' | 'item' | 'entry';
}

/** An object of a message in a document. */
export interface ObjectPlace {
  readonly desc: DescMessage;
  readonly object: Holder;
  readonly isRoot: boolean;
}

/** A document that both the codec and the schema must take. */
export interface Document {
  readonly root: Holder;
  readonly places: readonly Place[];
  readonly objects: readonly ObjectPlace[];
}

export const REQUIRED = FeatureSet_FieldPresence.LEGACY_REQUIRED;
const MOST_LEVELS = 4;
const MOST_MEMBERS = 80;

/** What is known of the types besides their descriptors. */
export interface Types {
  readonly extensionsOf: (desc: DescMessage) => readonly DescExtension[];
  /** Whether a field of a request must be set by (google.api.field_behavior). */
  readonly isDemanded: (field: DescField) => boolean;
}

/** Draws a document of a type, in the forms that its schema documents. */
export function randomDocument(desc: DescMessage, random: Random, types: Types): Document {
  return new Draw(random, types).document(desc);
}

class Draw {
  readonly #places: Place[] = [];
  readonly #objects: ObjectPlace[] = [];
  #left = MOST_MEMBERS;

  constructor(
    private readonly random: Random,
    private readonly types: Types,
  ) {}

  document(desc: DescMessage): Document {
    const root = this.#object(desc, MOST_LEVELS, true);
    return { root, places: this.#places, objects: this.#objects };
  }

  #object(desc: DescMessage, levels: number, isRoot: boolean): Holder {
    const { random, types } = this;
    const object: Holder = {};
    this.#objects.push({ desc, object, isRoot });
    const share = random.pick([0.2, 0.6, 1]);
    const oneofs = new Set<string>();
    for (const member of [...desc.fields, ...types.extensionsOf(desc)]) {
      const isNeeded =
        member.kind === 'field' &&
        (member.presence === REQUIRED || (isRoot && types.isDemanded(member)));
      const isDrawn = random.next() < share && this.#left > 0 && (levels > 0 || !member.message);
      if (!isNeeded && !isDrawn) continue;
      if (member.oneof !== undefined) {
        if (oneofs.has(member.oneof.name)) continue;
        oneofs.add(member.oneof.name);
      }
      this.#left -= 1;
      this.#place(member, object, nameOf(member), 'whole', () => this.#value(member, levels - 1));
    }
    return object;
  }

  /** Sets a value, and remembers where; what is inside of it comes after it. */
  #place(
    member: Member,
    holder: Holder,
    key: string | number,
    part: Place['part'],
    value: () => unknown,
  ): void {
    this.#places.push({ member, holder, key, part });
    define(holder, key, value());
  }

  #value(member: Member, levels: number): unknown {
    const { random } = this;
    const count = random.below(3);
    const one = (): unknown => this.#single(member, levels);
    if (member.fieldKind === 'list') {
      const list: unknown[] = [];
      for (let at = 0; at < count; at++) {
        this.#place(member, list as unknown as Holder, at, 'item', one);
      }
      return list;
    }
    if (member.fieldKind !== 'map') return one();
    const map: Holder = {};
    for (let at = 0; at < count; at++) {
      this.#place(member, map, this.#key(member.mapKey, at), 'entry', one);
    }
    return map;
  }

  #single(member: Member, levels: number): unknown {
    const { random } = this;
    if (member.message !== undefined) return this.#message(member.message, levels);
    if (member.enum !== undefined) return enumValue(member.enum, random);
    return scalarValue(member.scalar, random);
  }

  #message(desc: DescMessage, levels: number): unknown {
    const { random } = this;
    if (isWrapperDesc(desc)) return scalarValue(desc.fields[0].scalar, random);
    switch (desc.typeName) {
      case 'google.protobuf.Timestamp':
        return random.pick([
          '2024-02-29T12:34:56Z',
          '0001-01-01T00:00:00Z',
          '9999-12-31T23:59:59.999999999Z',
          '1969-12-31T23:59:59.5+05:30',
        ]);
      case 'google.protobuf.Duration':
        return random.pick(['0s', '1.5s', '-0.000000001s', '315576000000s', '007.1s']);
      case 'google.protobuf.FieldMask':
        return random.pick(['', 'a', 'aB,c.dE', 'with space,*']);
      case 'google.protobuf.Struct':
        return this.#struct();
      case 'google.protobuf.ListValue':
        return [null, 1, this.#struct()];
      case 'google.protobuf.Value':
        return random.pick([null, true, 1.5, 'text', [], this.#struct()]);
      case 'google.protobuf.Any':
        return random.pick([
          {},
          { '@type': 'type.googleapis.com/google.protobuf.Duration', value: '1s' },
          { '@type': 'type.googleapis.com/google.protobuf.Empty' },
        ]);
      default:
        return this.#object(desc, levels, false);
    }
  }

  #struct(): Holder {
    return this.random.pick<Holder>([{}, { a: null, 'b c': [1, { d: 'e' }] }]);
  }

  #key(type: ScalarType, at: number): string {
    if (type === ScalarType.STRING) return this.random.pick(['', 'a key', 'größe']) + at;
    return type === ScalarType.BOOL ? String(at === 0) : String(at * 7);
  }
}

/** The name of a member in JSON. */
export function nameOf(member: Member): string {
  return member.kind === 'field' ? member.jsonName : `[${member.typeName}]`;
}

/** Sets a member of any name. */
export function define(holder: Holder, key: string | number, value: unknown): void {
  Object.defineProperty(holder, key, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  });
}

function enumValue(desc: DescEnum, random: Random): unknown {
  const { name, number } = random.pick(desc.values);
  if (desc.typeName === 'google.protobuf.NullValue') return random.pick([null, name, 0]);
  return random.pick<unknown>([name, name, number, desc.open ? 4711 : number]);
}

function scalarValue(type: ScalarType, random: Random): unknown {
  switch (type) {
    case ScalarType.STRING:
      return random.pick(['', 'text', 'größe \u{1f332}', '\u0000\n"\\', '0']);
    case ScalarType.BOOL:
      return random.pick([true, false]);
    case ScalarType.BYTES:
      return random.pick(['', 'AA==', 'AA', 'AAA', 'AAA=', '-_8', '+/8=', 'AAAA']);
    case ScalarType.DOUBLE:
      return random.pick<unknown>([0, -1.5, 1e300, 5e-324, 'NaN', 'Infinity', '-Infinity']);
    case ScalarType.FLOAT:
      return random.pick<unknown>([0, 0.1, 3.4028235e38, 3.40282356779e38, 1e-60, '-Infinity']);
    case ScalarType.INT32:
    case ScalarType.SINT32:
    case ScalarType.SFIXED32:
      return random.pick([0, -1, 2 ** 31 - 1, -(2 ** 31)]);
    case ScalarType.UINT32:
    case ScalarType.FIXED32:
      return random.pick([0, 1, 2 ** 32 - 1]);
    case ScalarType.INT64:
    case ScalarType.SINT64:
    case ScalarType.SFIXED64:
      return random.pick<unknown>([
        '0',
        '-9223372036854775808',
        '9223372036854775807',
        -5,
        2 ** 53 - 1,
      ]);
    case ScalarType.UINT64:
    case ScalarType.FIXED64:
      return random.pick<unknown>(['0', '18446744073709551615', 0, 2 ** 53 - 1]);
  }
}
