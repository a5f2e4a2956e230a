import type { Registry } from '@bufbuild/protobuf';
import type { MessageSlots } from '../../message/message-shape.js';
import { JsonDecodeError, itemPath, memberPath } from '../json-decode-error.js';

/** How strict a document is read, and by which types. */
export interface JsonReading {
  /** Resolves google.protobuf.Any and extensions. */
  readonly registry: Registry;
  readonly ignoreUnknown: boolean;
  /** Messages inside one another, at most. */
  readonly maxDepth: number;
}

/** A step from one value into the next: a member's name or an element's index. */
type JsonStep = string | number;

/** Arrays and objects inside one another that a message of the deepest nesting may have. */
const JSON_LEVELS_OF_MESSAGE = 3;

/**
 * Where in a document its reader is: which messages it is inside of, by which members it came
 * there, and the values that it has read of them.
 *
 * @throws JsonDecodeError from every method, with the place that `places` says.
 */
export class JsonProgress {
  /** Messages inside one another at `at`. */
  depth = 0;
  /** From the document to the value being read; only the first `level` entries count. */
  readonly places: JsonStep[] = [];
  level = 0;
  readonly maxNesting: number;
  /** The `@type`s of objects that were passed before they were read, by where they begin. */
  readonly anyTypes = new Map<number, string>();
  /** Values of the messages that are being read; those below `top` are taken. */
  readonly slots: MessageSlots = [];
  top = 0;

  constructor(readonly reading: JsonReading) {
    this.maxNesting = (reading.maxDepth + 1) * JSON_LEVELS_OF_MESSAGE;
  }

  /** Takes empty slots for a message, and says where they begin. */
  takeSlots(count: number): number {
    const { slots, top } = this;
    this.top = top + count;
    while (slots.length < this.top) slots.push(undefined);
    return top;
  }

  /** Begins a message, and says how deep its members are. */
  enter(typeName: string): number {
    this.checkInside(typeName);
    this.depth += 1;
    return this.level;
  }

  /** Refuses a message where it would be nested too deeply; for one that is read at once. */
  checkInside(typeName: string): void {
    const { maxDepth } = this.reading;
    if (this.depth >= maxDepth) {
      this.fail(`messages nested deeper than ${maxDepth} levels, at a ${typeName}`);
    }
  }

  /** Ends a message, at the level where it began. */
  leave(level: number): void {
    this.depth -= 1;
    this.level = level;
  }

  /** Fails a document that would exhaust the stack of its reader. */
  failNesting(): never {
    return this.fail(`nested deeper than ${this.maxNesting} levels`);
  }

  fail(problem: string, options?: { readonly cause?: unknown }): never {
    throw new JsonDecodeError(this.#path(), problem, options);
  }

  #path(): string {
    let path = '$';
    for (const place of this.places.slice(0, this.level)) {
      path = typeof place === 'number' ? itemPath(path, place) : memberPath(path, place);
    }
    return path;
  }
}
