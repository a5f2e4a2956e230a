import {
  type DescExtension,
  type DescField,
  type DescMessage,
  type JsonObject,
  type JsonValue,
  type Message,
  type UnknownField,
  create,
  setExtension,
  toBinary,
} from '@bufbuild/protobuf';
import { FeatureSet_FieldPresence, isWrapperDesc } from '@bufbuild/protobuf/wkt';
import type { Dice } from './dice.fixture.js';
import { randomEnum, randomScalar, randomText } from './random-scalars.fixture.js';
import type { World } from './random-types.fixture.js';

type Fields = Message & { [name: string]: unknown };

const STRUCT = 'google.protobuf.Struct';
const MOST_LEVELS = 5;
const MOST_FIELDS = 60;
const REQUIRED = FeatureSet_FieldPresence.LEGACY_REQUIRED;

/** Draws messages of any type, as users make them: each has a form on the wire. */
export class RandomMessages {
  #left = MOST_FIELDS;

  constructor(
    private readonly dice: Dice,
    private readonly world: World,
    /** Only what JSON can express: times in range, Anys of known types, no NaN in a Value. */
    private readonly fitForJson = true,
  ) {}

  message(desc: DescMessage, levels = MOST_LEVELS): Message {
    const { dice } = this;
    const wellKnown = this.fitForJson ? this.#wellKnown(desc, levels) : undefined;
    if (wellKnown !== undefined) return create(desc, wellKnown as never);
    const message = create(desc) as Fields;
    const share = desc.fields.length > 20 ? dice.pick([0.05, 0.2, 1]) : dice.pick([0.3, 0.7, 1]);
    for (const field of desc.fields) {
      // Inside another one it would already be in the way of whoever makes that.
      const isNeeded = field.presence === REQUIRED && (this.fitForJson || levels < MOST_LEVELS);
      if (!isNeeded && this.#left-- <= 0) continue;
      if (isNeeded || dice.chance(levels > 0 ? share : 0.3)) this.#set(message, field, levels - 1);
    }
    this.#extend(desc, message, levels - 1);
    if (dice.chance(0.05)) message.$unknown = dice.list(3, () => this.#unknown(desc));
    return message;
  }

  /** What a list of the field, or the field itself, may hold. */
  value(field: DescField | DescExtension, levels: number): unknown {
    if (field.message !== undefined) {
      // As protobuf-es has it: a Struct is plain JSON, and a wrapper in a field of its own its value.
      const isJson = field.parent?.typeName !== 'google.protobuf.Value';
      if (isJson && field.message.typeName === STRUCT) return this.#jsonObject(levels);
      const made = this.message(field.message, levels);
      const isUnwrapped = field.fieldKind === 'message' && field.oneof === undefined;
      return isUnwrapped && isWrapperDesc(field.message) ? (made as Fields)['value'] : made;
    }
    if (field.enum !== undefined) return randomEnum(this.dice, field.enum);
    const value = randomScalar(this.dice, field.scalar);
    const isText = field.fieldKind !== 'map' && 'longAsString' in field && field.longAsString;
    return isText ? String(value) : value;
  }

  #set(message: Fields, field: DescField, levels: number): void {
    if (field.message !== undefined && levels < 0) return;
    if (field.oneof !== undefined) {
      message[field.oneof.localName] = { case: field.localName, value: this.value(field, levels) };
      return;
    }
    if (field.fieldKind === 'map') {
      for (let left = this.dice.int(0, 3); left > 0; left--) {
        const key = String(randomScalar(this.dice, field.mapKey));
        setOwn(message[field.localName] as object, key, this.value(field, levels));
      }
      return;
    }
    message[field.localName] =
      field.fieldKind === 'list'
        ? this.dice.list(4, () => this.value(field, levels))
        : this.value(field, levels);
  }

  #extend(desc: DescMessage, message: Message, levels: number): void {
    for (const extension of this.world.extensions) {
      if (extension.extendee.typeName !== desc.typeName || !this.dice.chance(0.4)) continue;
      if (extension.message !== undefined && (levels < 0 || this.#left-- <= 0)) continue;
      const value =
        extension.fieldKind === 'list'
          ? this.dice.list(3, () => this.value(extension, levels))
          : this.value(extension, levels);
      setExtension(message, extension, value as never);
    }
  }

  #unknown(desc: DescMessage): UnknownField {
    let no = this.dice.int(1, 30_000);
    const isTaken = (): boolean =>
      desc.fields.some(({ number }) => number === no) ||
      this.world.extensions.some(({ number }) => number === no);
    while (isTaken()) no++;
    return { no, wireType: 0, data: new Uint8Array([this.dice.int(0, 127)]) };
  }

  #wellKnown(desc: DescMessage, levels: number): object | undefined {
    const { dice } = this;
    switch (desc.typeName) {
      case 'google.protobuf.Timestamp': {
        const seconds = dice.pick([0, -1, -62_135_596_800, 253_402_300_799, dice.int(-1e9, 2e9)]);
        return { seconds: BigInt(seconds), nanos: this.#nanos() };
      }
      case 'google.protobuf.Duration': {
        const sign = dice.pick([1, -1]);
        const seconds = dice.pick([0, 1, 315_576_000_000, dice.int(0, 1e9)]);
        return { seconds: BigInt(sign * seconds), nanos: sign * this.#nanos() + 0 };
      }
      case 'google.protobuf.FieldMask':
        return {
          paths: dice.list(4, () => dice.pick(['a', 'a_b', 'a.b_c', 'foo_bar.x_y.z', 'f1'])),
        };
      case 'google.protobuf.Any':
        return this.#any(levels);
      case 'google.protobuf.Value':
        return { kind: this.#kind(levels) };
      default:
        return undefined;
    }
  }

  #nanos(): number {
    const { dice } = this;
    return dice.pick([
      0,
      0,
      1,
      999_999_999,
      500_000_000,
      1_000_000,
      120_000,
      dice.int(0, 999_999_999),
    ]);
  }

  #any(levels: number): object {
    const { dice } = this;
    if (levels <= 0) return {};
    const desc = dice.pick(this.world.messages);
    const prefix = dice.pick(['type.googleapis.com/', 'x/y/', '/']);
    return {
      typeUrl: prefix + desc.typeName,
      value: toBinary(desc, this.message(desc, levels - 1)),
    };
  }

  #kind(levels: number): object {
    const { dice } = this;
    const { registry } = this.world;
    const inner = (name: string): Message =>
      this.message(registry.getMessage(`google.protobuf.${name}`)!, levels - 1);
    const roll = dice.int(0, levels > 0 ? 5 : 3);
    if (roll === 0) return { case: 'nullValue', value: 0 };
    if (roll === 1) return { case: 'numberValue', value: dice.pick([0, -0, 1.5, 1e300, -7]) };
    if (roll === 2) return { case: 'stringValue', value: randomText(dice) };
    if (roll === 3) return { case: 'boolValue', value: dice.chance(0.5) };
    return roll === 4
      ? { case: 'listValue', value: inner('ListValue') }
      : { case: 'structValue', value: inner('Struct') };
  }

  /** A Struct is a plain object where it is a field. */
  #jsonObject(levels: number): JsonObject {
    const out: JsonObject = {};
    for (let left = this.dice.int(0, 3); left > 0; left--) {
      setOwn(
        out,
        this.dice.chance(0.1) ? '__proto__' : randomText(this.dice),
        this.#json(levels - 1),
      );
    }
    return out;
  }

  #json(levels: number): JsonValue {
    const { dice } = this;
    const roll = dice.int(0, levels > 0 ? 6 : 4);
    if (roll === 5) return dice.list(3, () => this.#json(levels - 1));
    if (roll === 6) return this.#jsonObject(levels);
    return [null, true, dice.pick([0, 1.5, -3e200]), randomText(dice), ''][roll]!;
  }
}

/** `__proto__` too. */
function setOwn(target: object, key: string, value: unknown): void {
  Object.defineProperty(target, key, {
    value,
    configurable: true,
    enumerable: true,
    writable: true,
  });
}
