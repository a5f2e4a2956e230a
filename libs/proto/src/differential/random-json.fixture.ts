import {
  type DescExtension,
  type DescField,
  type DescMessage,
  ScalarType,
} from '@bufbuild/protobuf';
import { FeatureSet_FieldPresence, isWrapperDesc } from '@bufbuild/protobuf/wkt';
import type { Dice } from './dice.fixture.js';
import { ODD_ENUMS, oddScalars } from './odd-scalars.fixture.js';
import { ODD_WELL_KNOWN } from './odd-well-known.fixture.js';
import { randomEnum, randomScalar, randomText } from './random-scalars.fixture.js';
import type { World } from './random-types.fixture.js';

const MOST_LEVELS = 5;
const MOST_FIELDS = 60;
const REQUIRED = FeatureSet_FieldPresence.LEGACY_REQUIRED;
const SPACES = ['', '', '', '', ' ', '\n\t', '  \r\n '];
const DAMAGE = Array.from('{}[]",:\\ \n0-+.eE\u0000aßn').concat([
  '\ufeff',
  '"a":1,',
  ',,',
  'null',
  '//',
  '\ud800',
]);
const TIMES = ['2024-02-29T12:34:56Z', '0001-01-01T00:00:00Z', '9999-12-31T23:59:59.999999999Z'];
const OTHER_TIMES = ['1969-12-31T23:59:59.5+05:30', '2024-12-31T23:59:59.000001-08:00'];

/** Draws JSON texts for any type: right in all the ways there are, and with a share of oddities. */
export class RandomJson {
  #faults = 0;
  #left = MOST_FIELDS;

  constructor(
    private readonly dice: Dice,
    private readonly world: World,
  ) {}

  /** @param faults the share of values that are odd or wrong, and of texts that are damaged. */
  text(desc: DescMessage, faults: number): string {
    this.#faults = faults;
    const text = this.#space() + this.#message(desc, MOST_LEVELS) + this.#space();
    return this.dice.chance(faults * 2) ? this.#damaged(text) : text;
  }

  #message(desc: DescMessage, levels: number): string {
    const { dice } = this;
    if (isWrapperDesc(desc)) return this.#scalar(desc.fields[0].scalar);
    if (desc.typeName in ODD_WELL_KNOWN) {
      if (this.#isOdd()) return dice.pick(ODD_WELL_KNOWN[desc.typeName]!);
      return this.#wellKnown(desc.typeName, levels);
    }
    if (this.#isOdd())
      return dice.pick(['null', '[]', '1', '"{}"', '{"noSuchField":{"a":[1,"2"]}}']);
    return this.#object(this.#members(desc, levels));
  }

  #members(desc: DescMessage, levels: number): string[] {
    const { dice } = this;
    const share = desc.fields.length > 20 ? dice.pick([0.05, 0.2, 1]) : dice.pick([0.3, 0.7, 1]);
    const oneofs = new Set<string>();
    const fields = desc.fields.filter((field) => {
      if (field.presence === REQUIRED) return !this.#isOdd();
      if (this.#left-- <= 0 || !dice.chance(levels > 0 ? share : 0.3)) return false;
      if (field.oneof === undefined || this.#isOdd()) return true;
      const isFirst = !oneofs.has(field.oneof.name);
      oneofs.add(field.oneof.name);
      return isFirst;
    });
    if (this.#isOdd() && fields.length > 0) fields.push(dice.pick(fields));
    const members = fields.map((field) => {
      const name = this.#isOdd()
        ? dice.pick(['$typeName', '', 'x'])
        : dice.pick([field.jsonName, field.jsonName, field.name]);
      return `${this.#quoted(name)}${this.#space()}:${this.#field(field, levels - 1)}`;
    });
    for (const extension of this.world.extensions) {
      if (extension.extendee.typeName !== desc.typeName || !dice.chance(0.4)) continue;
      if (this.#left-- <= 0) continue;
      members.push(`"[${extension.typeName}]":${this.#field(extension, levels - 1)}`);
    }
    return dice.chance(0.3) ? dice.shuffle(members) : members;
  }

  #field(field: DescField | DescExtension, levels: number): string {
    const { dice } = this;
    if (dice.chance(0.04)) return 'null';
    if (this.#isOdd()) return dice.pick(['null', '[]', '{}', '[null]', '{"a":null}', '""', '0']);
    if (field.fieldKind === 'list') {
      return this.#array(dice.list(4, () => this.#single(field, levels)));
    }
    if (field.fieldKind === 'map') {
      return this.#object(
        dice.list(4, () => `${this.#mapKey(field.mapKey)}:${this.#single(field, levels)}`),
      );
    }
    return this.#single(field, levels);
  }

  #single(field: DescField | DescExtension, levels: number): string {
    if (field.message !== undefined) {
      // Below the last level even what is needed is left out.
      return levels < -1 ? '{}' : this.#message(field.message, levels);
    }
    if (field.enum === undefined) return this.#scalar(field.scalar);
    if (this.#isOdd()) return this.dice.pick(ODD_ENUMS);
    const number = randomEnum(this.dice, field.enum);
    const name = field.enum.value[number]?.name;
    if (name === undefined || this.dice.chance(0.3)) return String(number);
    return field.enum.typeName === 'google.protobuf.NullValue' && this.dice.chance(0.5)
      ? 'null'
      : this.#quoted(name);
  }

  #scalar(type: ScalarType): string {
    const { dice } = this;
    if (this.#isOdd()) return dice.pick(oddScalars(type));
    const value = randomScalar(dice, type);
    if (typeof value === 'string') return this.#quoted(value);
    if (value instanceof Uint8Array) {
      return this.#quoted(Buffer.from(value).toString(dice.chance(0.8) ? 'base64' : 'base64url'));
    }
    if (typeof value === 'boolean') return String(value);
    if (typeof value === 'number') {
      const text = Object.is(value, -0) ? '-0' : String(value);
      return !Number.isFinite(value) || dice.chance(0.2) ? `"${text}"` : text;
    }
    return dice.chance(0.3) ? String(value) : `"${String(value)}"`;
  }

  #mapKey(type: ScalarType): string {
    const { dice } = this;
    if (this.#isOdd() && type !== ScalarType.STRING) {
      const odd = dice.pick(oddScalars(type));
      return odd.startsWith('"') ? odd : `"${odd.replaceAll('"', '')}"`;
    }
    if (type === ScalarType.STRING && dice.chance(0.1)) return '"__proto__"';
    return this.#quoted(String(randomScalar(dice, type)));
  }

  #wellKnown(typeName: string, levels: number): string {
    const { dice } = this;
    switch (typeName) {
      case 'google.protobuf.Timestamp':
        return `"${dice.pick([...TIMES, ...OTHER_TIMES, new Date(dice.int(-1e13, 1e13)).toISOString()])}"`;
      case 'google.protobuf.Duration':
        return `"${dice.pick(['1s', '-1.5s', '0s', '1.000000001s', '-315576000000s', `${dice.int(0, 99_999)}.1s`])}"`;
      case 'google.protobuf.FieldMask':
        return `"${dice.list(3, () => dice.pick(['a', 'aB', 'a.bC', 'f1'])).join(',')}"`;
      case 'google.protobuf.Empty':
        return this.#object([]);
      case 'google.protobuf.Struct':
        return this.#object(this.#plainMembers(levels));
      case 'google.protobuf.ListValue':
        return this.#array(dice.list(3, () => this.#plain(levels - 1)));
      case 'google.protobuf.Any':
        return levels > 0 ? this.#any(levels - 1) : '{}';
      default:
        return this.#plain(levels);
    }
  }

  #any(levels: number): string {
    const { dice } = this;
    const desc = dice.pick(this.world.messages);
    const type = `"@type":"type.googleapis.com/${desc.typeName}"`;
    const isSpecial =
      isWrapperDesc(desc) || (desc.typeName in ODD_WELL_KNOWN && !desc.typeName.endsWith('.Empty'));
    const members = isSpecial
      ? [`"value":${this.#message(desc, levels)}`]
      : this.#members(desc, levels);
    members.splice(dice.chance(0.6) ? 0 : dice.int(0, members.length), 0, type);
    return this.#object(members);
  }

  #plain(levels: number): string {
    const { dice } = this;
    const roll = dice.int(0, levels > 0 ? 6 : 4);
    if (roll === 5) return this.#array(dice.list(3, () => this.#plain(levels - 1)));
    if (roll === 6) return this.#object(this.#plainMembers(levels));
    return [
      'null',
      'true',
      dice.pick(['0', '-1.5', '1e300', '12345678901']),
      this.#quoted(randomText(dice)),
      '""',
    ][roll]!;
  }

  #plainMembers(levels: number): string[] {
    const names = new Set(this.dice.list(3, () => randomText(this.dice)));
    if (this.dice.chance(0.1)) names.add('__proto__');
    return [...names].map((name) => `${this.#quoted(name)}:${this.#plain(levels - 1)}`);
  }

  #object(members: readonly string[]): string {
    return `{${members.map((one) => this.#space() + one).join(`${this.#space()},`)}${this.#space()}}`;
  }

  #array(items: readonly string[]): string {
    return `[${items.map((one) => this.#space() + one).join(`${this.#space()},`)}${this.#space()}]`;
  }

  /** Now and then with escapes that nothing asks for. */
  #quoted(text: string): string {
    const plain = JSON.stringify(text);
    if (!this.dice.chance(0.1)) return plain;
    return plain.replace(/[a-zA-Z_](?=[^\\]*"$)/, (char) => {
      const code = char.charCodeAt(0).toString(16).padStart(4, '0');
      return plain.includes('\\') ? char : `\\u${code}`;
    });
  }

  #space(): string {
    return this.dice.pick(SPACES);
  }

  #isOdd(): boolean {
    return this.dice.chance(this.#faults);
  }

  #damaged(text: string): string {
    const { dice } = this;
    const at = dice.int(0, text.length);
    const roll = dice.int(0, 3);
    if (roll === 0) return text.slice(0, at);
    if (roll === 1) return text.slice(0, at) + text.slice(at + dice.int(1, 3));
    const piece = dice.pick(DAMAGE);
    return text.slice(0, at) + piece + text.slice(roll === 2 ? at : at + 1);
  }
}
