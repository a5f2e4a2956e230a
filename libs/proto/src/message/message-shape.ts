import {
  type DescField,
  type DescMessage,
  type DescOneof,
  type Message,
  create,
} from '@bufbuild/protobuf';

/** A message as its members: what each is, its descriptor says. */
export type MessageMembers = Record<string, unknown>;

/** A message whose fields are set by their names. */
export type MessageFields = Message & MessageMembers;

/** The value of a field as the message has it; undefined for another case of its oneof. */
export function valueIn(members: MessageMembers, { oneof, localName }: DescField): unknown {
  if (oneof === undefined) return members[localName];
  const chosen = members[oneof.localName] as { readonly case?: string; readonly value?: unknown };
  return chosen.case === localName ? chosen.value : undefined;
}

/** The values of messages that are being read, one after the other; an unset value is undefined. */
export type MessageSlots = unknown[];

/** The value of an unset member of a message. */
const ABSENT = 0;
const ZERO = 1;
const LIST = 2;
const MAP = 3;
const ONEOF = 4;

/**
 * V8 turns an object into a slow one when about this many members are added one by one, but not
 * when they are copied.
 */
const MOST_ADDED = 16;

/**
 * Whether V8 takes 0.8 µs for each member that is added to a copy: in Node 20 (11.3) it does, in Node 24
 * (13.6) it does not. Versions between were not measured; to copy nothing costs them a tenth.
 */
const ADDS_SLOWLY_TO_COPIES = Number.parseInt(process.versions.v8, 10) < 13;

const shapes = new WeakMap<DescMessage, MessageShape>();

/**
 * The members of a message type, by which its messages are made: all at once when all values are
 * known, as to set each once, in the order in which protobuf-es sets it, is the fastest way there
 * is; or empty, as `create(desc)` of protobuf-es does in three to thirty times the time.
 */
export class MessageShape {
  /** How many slots a message takes. */
  readonly size: number;
  readonly #typeName: string;
  readonly #names: readonly string[];
  readonly #kinds: readonly number[];
  readonly #zeros: readonly unknown[];
  readonly #Shape: new () => MessageFields;
  /**
   * An empty message to copy; undefined where members have default values in a prototype, or are set later
   * that a copy does not have.
   */
  readonly #template: MessageFields | undefined;
  /** Whether members are too many to be added to a message. */
  readonly #isLarge: boolean;
  /** The members that an empty message needs in addition to those of the template, if there is one. */
  readonly #own: readonly number[];

  private constructor(private readonly desc: DescMessage) {
    const { members, typeName } = desc;
    const example = create(desc) as MessageFields;
    const prototype = Object.getPrototypeOf(example) as object;
    const isPlain = prototype === Object.prototype;
    this.size = members.length;
    this.#typeName = typeName;
    this.#names = members.map(({ localName }) => localName);
    this.#kinds = members.map((member) => kindOf(member, example));
    this.#zeros = this.#names.map((name) => example[name]);
    this.#Shape = constructorOf(prototype);
    this.#isLarge = this.size > MOST_ADDED;
    const grows = !this.#isLarge && this.#kinds.includes(ABSENT);
    const isCopied = isPlain && !(grows && ADDS_SLOWLY_TO_COPIES);
    this.#template = isCopied ? { ...example } : undefined;
    this.#own = [...this.#kinds.keys()].filter((i) => this.#kinds[i]! > (isCopied ? ZERO : ABSENT));
  }

  static of(desc: DescMessage): MessageShape {
    let shape = shapes.get(desc);
    if (shape === undefined) {
      shape = new MessageShape(desc);
      shapes.set(desc, shape);
    }
    return shape;
  }

  /** The slot of a field, counted from the first one of its message. */
  slotOf(field: DescField): number {
    return this.desc.members.indexOf(field.oneof ?? field);
  }

  /** Makes a message in which nothing is set, with its own lists, maps and oneofs. */
  empty(): MessageFields {
    const message = this.#template === undefined ? this.#bare() : { ...this.#template };
    const own = this.#own;
    for (let i = 0; i < own.length; i += 1) {
      const member = own[i]!;
      message[this.#names[member]!] = this.#unset(member);
    }
    return message;
  }

  /** Makes a message of the slots that begin at `base` and empties them. */
  build(slots: MessageSlots, base: number): MessageFields {
    const names = this.#names;
    const isCopy = this.#isLarge && this.#template !== undefined;
    const message = isCopy ? { ...this.#template } : this.#bare();
    for (let i = 0; i < names.length; i += 1) {
      const value = slots[base + i];
      const kind = this.#kinds[i]!;
      if (value !== undefined) {
        message[names[i]!] = value;
        slots[base + i] = undefined;
      } else if (kind > ZERO || (kind === ZERO && !isCopy)) message[names[i]!] = this.#unset(i);
    }
    return message;
  }

  #bare(): MessageFields {
    const message = new this.#Shape();
    (message as { $typeName: string }).$typeName = this.#typeName;
    return message;
  }

  #unset(index: number): unknown {
    const kind = this.#kinds[index];
    if (kind === LIST) return [];
    if (kind === MAP) return {};
    return kind === ONEOF ? { case: undefined } : this.#zeros[index];
  }
}

function kindOf(member: DescField | DescOneof, example: MessageFields): number {
  if (member.kind === 'oneof') return ONEOF;
  if (member.fieldKind === 'list') return LIST;
  if (member.fieldKind === 'map') return MAP;
  return Object.hasOwn(example, member.localName) ? ZERO : ABSENT;
}

/**
 * A separate constructor has a separate hidden class, in which V8 reserves space for members that are set
 * later.
 */
function constructorOf(prototype: object): new () => MessageFields {
  function Shape(): void {
    // Its members are set by the code that calls it.
  }
  Shape.prototype = prototype;
  return Shape as unknown as new () => MessageFields;
}
