import { type DescMessage, ScalarType } from '@bufbuild/protobuf';
import { isWrapperDesc } from '@bufbuild/protobuf/wkt';
import type { Random } from '../random.js';
import {
  type Document,
  type Member,
  type Place,
  REQUIRED,
  type Types,
  define,
  nameOf,
} from './documents.js';

/** Who takes a document: both sides, none, or one alone. */
export type Takers = 'both' | 'neither' | 'the codec alone' | 'the schema alone';

/** One change of a document that both sides take. */
export interface Mutation {
  readonly name: string;
  readonly takers: Takers;
  /** Changes the document, and returns false where there is nothing to change; or returns its text. */
  readonly apply: (document: Document, random: Random, types: Types) => boolean | string;
}

const { STRING, BOOL, BYTES, DOUBLE, FLOAT, INT32, SINT32, SFIXED32, UINT32, FIXED32 } = ScalarType;
const { INT64, SINT64, SFIXED64, UINT64, FIXED64 } = ScalarType;
const SMALL = [INT32, SINT32, SFIXED32, UINT32, FIXED32];
const SIGNED = [INT64, SINT64, SFIXED64];
const UNSIGNED = [UINT64, FIXED64];
const LONG = [...SIGNED, ...UNSIGNED];
const FLOATING = [DOUBLE, FLOAT];

/** Text that is put into the document as it is, where JSON.stringify would write another. */
function raw(text: string): string {
  return `\u0001raw ${text}\u0001`;
}

/** The text of a document. */
export function textOf({ root }: Document): string {
  return JSON.stringify(root).replaceAll(/"\\u0001raw ([^]*?)\\u0001"/g, (_, text: string) =>
    text.replaceAll('\\"', '"').replaceAll('\\\\', '\\'),
  );
}

/** Every change, with who must take the document then. */
export const MUTATIONS: readonly Mutation[] = [
  // What both refuse.
  wrong('a value of another type', isScalar([STRING, BYTES]), [5, true, [], {}]),
  wrong('a number or text for a bool', isScalar([BOOL]), [0, 'true', [], {}]),
  wrong('a fraction for an integer', isScalar([...SMALL, ...LONG]), [
    1.5,
    '1.5',
    true,
    [],
    {},
    'x',
    '',
  ]),
  wrong('an integer beyond 32 bits', isScalar(SMALL), [2 ** 32, -(2 ** 31) - 1, 1e300]),
  wrong('less than 0 for an unsigned type', isScalar([UINT32, FIXED32, ...UNSIGNED]), [
    -1,
    raw('-1.0'),
  ]),
  wrong('an integer of more than 20 digits', isScalar(LONG), ['123456789012345678901']),
  wrong('something else for a number', isScalar(FLOATING), [
    'nan',
    'inf',
    '',
    true,
    [],
    {},
    '+Infinity',
  ]),
  wrong('a number beyond float', isScalar([FLOAT]), [3.5e38, -1e300]),
  wrong('bytes that are no base64', isScalar([BYTES]), [
    'A',
    '=',
    'A===',
    'AAAA=',
    'AA=',
    'A A=',
    'ä',
    'AA==\n',
  ]),
  wrong('a name that an enum does not have', isEnum, ['NO_SUCH_NAME~', '', true, 1.5, 2 ** 31, []]),
  wrong(
    'a number that a closed enum does not have',
    (place) => isClosed(place.member),
    [4711, -4711],
  ),
  wrong('something else for a message', (place) => isOne(place) && isObject(place.member), [
    [],
    'text',
    5,
    true,
  ]),
  wrong('something else for a list', isWhole('list'), [{}, 'text', 5, { length: 0 }]),
  wrong('something else for a map', isWhole('map'), [[], 'text', 5]),
  wrong('a time that there is not', isMessage('Timestamp'), [
    '2024-02-30T00:00:00Z',
    '2023-02-29T00:00:00Z',
    '2024-01-01T24:00:00Z',
    '2024-01-01T00:00:60Z',
    '2024-01-01T00:00:00',
    '2024-01-01t00:00:00z',
    '2024-01-01',
    '2024-13-01T00:00:00Z',
    '2024-01-01T00:00:00.1234567891Z',
    '2024-01-01T00:00:00+24:00',
    0,
  ]),
  wrong('a duration without its form', isMessage('Duration'), [
    '1',
    '1m',
    '-s',
    '1.s',
    '+1s',
    '1.0000000001s',
    1,
  ]),
  wrong('an underscore in a mask', isMessage('FieldMask'), ['a_b', ['a']]),
  wrong('something else for a Struct', isMessage('Struct'), [[], 'text', 5]),
  wrong('something else for a ListValue', isMessage('ListValue'), [{}, 'text']),
  wrong('an Any with members but no type', isMessage('Any'), [
    { a: 1 },
    { '@type': 5 },
    [],
    'text',
  ]),
  wrong('null in a list or a map', (place) => place.part !== 'whole' && !takesNull(place.member), [
    null,
  ]),
  wrong('null for a required field', isRequiredPlace, [null]),
  {
    name: 'a required field that is not there',
    takers: 'neither',
    apply: (document, random) => removed(pick(document, random, isRequiredPlace)),
  },
  {
    name: 'a member that the message does not have',
    takers: 'neither',
    apply: ({ objects }, random) => {
      const { object } = random.pick(objects);
      define(
        object,
        random.pick(['noSuchField~', '', '$ref', '[no.such.extension]', ' ']),
        random.pick<unknown>([1, null]),
      );
      return true;
    },
  },
  {
    name: 'two members of a oneof',
    takers: 'neither',
    apply: ({ objects }, random) => {
      for (const { desc, object } of shuffled(objects, random)) {
        for (const { fields } of shuffled(desc.oneofs, random)) {
          const missing = fields.filter(({ jsonName }) => !Object.hasOwn(object, jsonName));
          const others = missing.filter((field) => simpleValue(field) !== undefined);
          if (missing.length === fields.length || others.length === 0) continue;
          const other = random.pick(others);
          define(object, other.jsonName, simpleValue(other));
          return true;
        }
      }
      return false;
    },
  },
  {
    name: 'a key that the map cannot have',
    takers: 'neither',
    apply: (document, random) => {
      const place = pick(
        document,
        random,
        (each) => each.part === 'entry' && keyType(each) !== STRING,
      );
      if (place === undefined) return false;
      const bad = keyType(place) === BOOL ? ['True', '1', ''] : ['x', '1.5', '', '1 ', '+1'];
      define(place.holder, random.pick(bad), place.holder[place.key]);
      return true;
    },
  },
  ...['null', '[]', '"text"', '1', 'true'].map((text): Mutation => ({
    name: `the document ${text}`,
    takers: 'neither',
    apply: () => text,
  })),

  // What both take.
  {
    name: 'null for a field',
    takers: 'both',
    apply: (document, random, types) => {
      const isFree = ({ member, part }: Place): boolean =>
        part === 'whole' &&
        member.oneof === undefined &&
        member.kind === 'field' &&
        member.presence !== REQUIRED &&
        !types.isDemanded(member);
      return replaced(pick(document, random, isFree), null);
    },
  },
  {
    name: 'a field that is not there',
    takers: 'both',
    apply: (document, random, types) => {
      const isFree = ({ member, part }: Place): boolean =>
        part === 'whole' &&
        (member.kind === 'extension' ||
          (member.presence !== REQUIRED && !types.isDemanded(member)));
      return removed(pick(document, random, isFree));
    },
  },
  { name: 'nothing', takers: 'both', apply: () => true },

  // What the schema does not describe, although the codec takes it: another spelling of what it does describe.
  spelling('the name of a field as in the .proto file', (document, random) => {
    const place = pick(
      document,
      random,
      ({ member, part }) => part === 'whole' && hasOtherName(member),
    );
    if (place === undefined) return false;
    define(place.holder, place.member.name, place.holder[place.key]);
    return removed(place);
  }),
  spelling('a small number in quotes', (document, random) =>
    replaced(
      pick(document, random, isScalar([...SMALL, ...FLOATING])),
      random.pick(['1', '1e1', '007']),
    ),
  ),
  spelling('a long number with zeros or an exponent', (document, random) =>
    replaced(pick(document, random, isScalar(LONG)), random.pick(['01', '1e3', '-0', '1.0'])),
  ),
  spelling('a long number without quotes beyond 2^53', (document, random) =>
    replaced(pick(document, random, isScalar(LONG)), raw('9007199254740993')),
  ),
  spelling('null for a member of a oneof', (document, random) =>
    replaced(
      pick(
        document,
        random,
        ({ member, part }) => part === 'whole' && member.oneof !== undefined && !takesNull(member),
      ),
      null,
    ),
  ),
  spelling(
    'a field left out that (google.api.field_behavior) requires',
    (document, random, types) => {
      const { root } = document;
      const isDemanded = ({ member, holder }: Place): boolean =>
        holder === root &&
        member.kind === 'field' &&
        member.presence !== REQUIRED &&
        types.isDemanded(member);
      return removed(pick(document, random, isDemanded));
    },
  ),
  spelling('a key of a map with zeros or an exponent', (document, random) => {
    const place = pick(
      document,
      random,
      (each) => each.part === 'entry' && ![STRING, BOOL].includes(keyType(each)),
    );
    if (place === undefined) return false;
    define(place.holder, random.pick(['012', '1e1', '99.0']), place.holder[place.key]);
    return true;
  }),

  // What JSON Schema cannot say, or not in a length that is worth it.
  unsaid('a long integer out of range', (document, random) => {
    const place = pick(document, random, isScalar(LONG));
    if (place === undefined) return false;
    const isSigned = includes(SIGNED, scalarOf(place.member));
    return replaced(place, isSigned ? '9223372036854775808' : '18446744073709551616');
  }),
  unsaid('a key of a map out of range', (document, random) => {
    const place = pick(
      document,
      random,
      (each) => each.part === 'entry' && SMALL.includes(keyType(each)),
    );
    if (place === undefined) return false;
    define(place.holder, '9999999999', place.holder[place.key]);
    return true;
  }),
  unsaid('a time outside of the years 1 to 9999', (document, random) =>
    replaced(
      pick(document, random, isMessage('Timestamp')),
      random.pick([
        '0001-01-01T00:00:00+00:01',
        '9999-12-31T23:59:59-00:01',
        '0000-06-01T00:00:00Z',
      ]),
    ),
  ),
  unsaid('a duration beyond 10,000 years', (document, random) =>
    replaced(
      pick(document, random, isMessage('Duration')),
      random.pick(['315576000001s', '-999999999999s']),
    ),
  ),
  unsaid('an Any whose type is not known', (document, random) =>
    replaced(pick(document, random, isMessage('Any')), { '@type': 'type.googleapis.com/no.Such' }),
  ),
  unsaid('an Any whose content is not of its type', (document, random) =>
    replaced(pick(document, random, isMessage('Any')), {
      '@type': 'type.googleapis.com/google.protobuf.Duration',
      value: 5,
    }),
  ),
  unsaid('a member given twice', (document, random) => {
    const place = pick(document, random, ({ part }) => part === 'whole');
    if (place === undefined) return false;
    const { holder, key } = place;
    const text = JSON.stringify(holder[key]) ?? 'null';
    define(holder, key, raw(`${text},${JSON.stringify(key)}:${text}`));
    return true;
  }),
  unsaid('half of a surrogate pair', (document, random) =>
    replaced(pick(document, random, isScalar([STRING])), raw('"\\ud83c"')),
  ),
  unsaid('a number beyond double in a Struct', (document, random) =>
    replaced(pick(document, random, isMessage('Struct')), { a: raw('1e400') }),
  ),
  unsaid('lists in lists, deeper than the codec reads', (document, random) => {
    const deep = `${'['.repeat(120)}${']'.repeat(120)}`;
    return replaced(pick(document, random, isMessage('ListValue')), raw(deep));
  }),
];

/** Values of any kind, put anywhere: whoever takes one, the other must as well. */
export const STRANGE_VALUES: readonly unknown[] = [
  true,
  'no such ~value',
  [[]],
  { 'x y': 1 },
  1.5,
  -0.5,
  1e300,
  '',
  [],
  {},
  0,
];

/** Puts a strange value somewhere. */
export function estranged(document: Document, random: Random): boolean {
  return replaced(
    pick(document, random, () => true),
    random.pick(STRANGE_VALUES),
  );
}

function wrong(
  name: string,
  where: (place: Place) => boolean,
  values: readonly unknown[],
): Mutation {
  const apply = (document: Document, random: Random): boolean =>
    replaced(pick(document, random, where), random.pick(values));
  return { name, takers: 'neither', apply };
}

function spelling(name: string, apply: Mutation['apply']): Mutation {
  return { name, takers: 'the codec alone', apply };
}

function unsaid(name: string, apply: Mutation['apply']): Mutation {
  return { name, takers: 'the schema alone', apply };
}

function pick(
  document: Document,
  random: Random,
  where: (place: Place) => boolean,
): Place | undefined {
  const places = document.places.filter(where);
  return places.length === 0 ? undefined : random.pick(places);
}

function shuffled<T>(items: readonly T[], random: Random): T[] {
  return items
    .map((item) => ({ item, rank: random.next() }))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ item }) => item);
}

function replaced(place: Place | undefined, value: unknown): boolean {
  if (place === undefined) return false;
  define(place.holder, place.key, value);
  return true;
}

function removed(place: Place | undefined): boolean {
  if (place === undefined) return false;
  Reflect.deleteProperty(place.holder, place.key);
  return true;
}

/** The type of a scalar or of what a wrapper holds; undefined for any other field. */
function scalarOf({ message, enum: ofEnum, scalar }: Member): ScalarType | undefined {
  if (message !== undefined) return isWrapperDesc(message) ? message.fields[0].scalar : undefined;
  return ofEnum === undefined ? scalar : undefined;
}

function isOne({ member, part }: Place): boolean {
  return part !== 'whole' || (member.fieldKind !== 'list' && member.fieldKind !== 'map');
}

function includes(types: readonly ScalarType[], type: ScalarType | undefined): boolean {
  return type !== undefined && types.includes(type);
}

function isScalar(types: readonly ScalarType[]): (place: Place) => boolean {
  return (place) => isOne(place) && includes(types, scalarOf(place.member));
}

function isMessage(name: string): (place: Place) => boolean {
  return (place) => isOne(place) && place.member.message?.typeName === `google.protobuf.${name}`;
}

function isEnum(place: Place): boolean {
  return isOne(place) && place.member.enum !== undefined && !takesNull(place.member);
}

function isClosed(member: Member): boolean {
  return member.enum !== undefined && !member.enum.open;
}

function isObject({ message }: Member): boolean {
  return message !== undefined && !isSpecial(message);
}

const SPECIAL = ['Timestamp', 'Duration', 'FieldMask', 'Struct', 'Value', 'ListValue', 'Any'];

function isSpecial(desc: DescMessage): boolean {
  return isWrapperDesc(desc) || SPECIAL.some((name) => desc.typeName === `google.protobuf.${name}`);
}

function isWhole(kind: 'list' | 'map'): (place: Place) => boolean {
  return ({ member, part }) => part === 'whole' && member.fieldKind === kind;
}

function isRequiredPlace({ member, part }: Place): boolean {
  return part === 'whole' && member.kind === 'field' && member.presence === REQUIRED;
}

/** Whether `null` is a value of the field. */
function takesNull({ message, enum: ofEnum }: Member): boolean {
  return (
    message?.typeName === 'google.protobuf.Value' ||
    ofEnum?.typeName === 'google.protobuf.NullValue'
  );
}

function keyType({ member }: Place): ScalarType {
  return member.fieldKind === 'map' ? member.mapKey : STRING;
}

function hasOtherName(member: Member): boolean {
  return member.kind === 'field' && member.name !== nameOf(member);
}

/** Some value of a field; undefined where that is not simple. */
function simpleValue(member: Member): unknown {
  if (member.fieldKind === 'list' || member.fieldKind === 'map') return undefined;
  if (member.enum !== undefined) return member.enum.values[0]!.name;
  const type = scalarOf(member);
  if (type === undefined) return undefined;
  if (type === STRING || type === BYTES) return '';
  return type === BOOL ? true : 1;
}
