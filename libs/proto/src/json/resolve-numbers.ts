import {
  type DescExtension,
  type DescField,
  type DescMessage,
  type JsonValue,
  type Registry,
  ScalarType,
} from '@bufbuild/protobuf';
import { hasCustomJsonRepresentation, isWrapperDesc } from '@bufbuild/protobuf/wkt';
import {
  JsonDecodeError,
  clip,
  itemPath,
  memberPath,
  nestedTooDeeply,
} from './json-decode-error.js';
import { JsonNumber, LONGEST_INTEGER_TEXT, integerDigits } from './json-number.js';
import { fieldOf, typeInAny } from './message-fields.js';
import type { JsonTree } from './parse-json.js';

const WITH_64_BITS: ReadonlySet<ScalarType | undefined> = new Set([
  ScalarType.INT64,
  ScalarType.UINT64,
  ScalarType.FIXED64,
  ScalarType.SFIXED64,
  ScalarType.SINT64,
]);

/**
 * Turns a parsed document into what protobuf-es reads, without loss: a number for a 64-bit field
 * that a double may not hold becomes a text of digits, any other number a double. Changes the
 * tree in place.
 *
 * A document that was parsed elsewhere has lost such digits already; a number beyond 2^53 in a
 * 64-bit field is refused then.
 *
 * @param maxNesting arrays and objects inside one another, at most.
 * @throws JsonDecodeError
 */
export function resolveNumbers(
  desc: DescMessage,
  tree: unknown,
  registry: Registry,
  maxNesting: number,
): JsonValue {
  return new NumberResolver(registry, maxNesting).message(desc, tree as JsonTree, '$');
}

class NumberResolver {
  private nesting = 0;

  constructor(
    private readonly registry: Registry,
    private readonly maxNesting: number,
  ) {}

  message(desc: DescMessage, tree: JsonTree, path: string): JsonValue {
    if (isWrapperDesc(desc)) return this.scalar(desc.fields[0].scalar, tree, path);
    if (!isObject(tree)) return this.plain(tree, path);
    if (desc.typeName === 'google.protobuf.Any') return this.any(tree, path);
    if (hasCustomJsonRepresentation(desc)) return this.plain(tree, path);
    return this.members(tree, path, (key, value, inner) => {
      const field = fieldOf(desc, key, this.registry);
      return field === undefined ? this.plain(value, inner) : this.field(field, value, inner);
    });
  }

  private any(tree: { [key: string]: JsonTree }, path: string): JsonValue {
    const desc = typeInAny(tree, this.registry);
    if (desc === undefined) return this.plain(tree, path);
    if (!hasCustomJsonRepresentation(desc)) return this.message(desc, tree, path);
    return this.members(tree, path, (key, value, inner) =>
      key === 'value' ? this.message(desc, value, inner) : this.plain(value, inner),
    );
  }

  private field(field: DescField | DescExtension, tree: JsonTree, path: string): JsonValue {
    if (field.fieldKind === 'list' && Array.isArray(tree)) {
      return this.items(tree, path, (item, inner) => this.single(field, item, inner));
    }
    if (field.fieldKind === 'map' && isObject(tree)) {
      return this.members(tree, path, (key, value, inner) => {
        if (WITH_64_BITS.has(field.mapKey)) checkLength(key, inner);
        return this.single(field, value, inner);
      });
    }
    return this.single(field, tree, path);
  }

  private single(field: DescField | DescExtension, tree: JsonTree, path: string): JsonValue {
    if (field.message !== undefined) return this.message(field.message, tree, path);
    return this.scalar(field.scalar, tree, path);
  }

  private scalar(type: ScalarType | undefined, tree: JsonTree, path: string): JsonValue {
    if (!WITH_64_BITS.has(type)) return this.plain(tree, path);
    if (tree instanceof JsonNumber) {
      const digits = integerDigits(tree.text);
      if (digits === null) throw no64BitInteger(tree.text, path);
      return digits;
    }
    if (typeof tree === 'string') checkLength(tree, path);
    if (typeof tree === 'number' && Math.abs(tree) > Number.MAX_SAFE_INTEGER) {
      throw new JsonDecodeError(
        path,
        `the number ${tree} may have lost digits before it came here; send it as text`,
      );
    }
    return this.plain(tree, path);
  }

  private plain(tree: JsonTree, path: string): JsonValue {
    if (tree instanceof JsonNumber) return Number(tree.text);
    if (Array.isArray(tree))
      return this.items(tree, path, (item, inner) => this.plain(item, inner));
    if (isObject(tree)) {
      return this.members(tree, path, (_, value, inner) => this.plain(value, inner));
    }
    return tree;
  }

  private items(
    tree: JsonTree[],
    path: string,
    resolve: (item: JsonTree, path: string) => JsonValue,
  ): JsonValue {
    this.enter(path);
    tree.forEach((item, index) => {
      const resolved = resolve(item, itemPath(path, index));
      if (resolved !== item) tree[index] = resolved;
    });
    this.nesting--;
    return tree as JsonValue;
  }

  private members(
    tree: { [key: string]: JsonTree },
    path: string,
    resolve: (key: string, value: JsonTree, path: string) => JsonValue,
  ): JsonValue {
    this.enter(path);
    for (const key of Object.keys(tree)) {
      const value = tree[key]!;
      const resolved = resolve(key, value, memberPath(path, key));
      // An own member of that name exists, so that `__proto__` too is an ordinary assignment.
      if (resolved !== value) tree[key] = resolved;
    }
    this.nesting--;
    return tree as JsonValue;
  }

  private enter(path: string): void {
    if (++this.nesting > this.maxNesting) throw nestedTooDeeply(path, this.maxNesting);
  }
}

function checkLength(text: string, path: string): void {
  if (text.length > LONGEST_INTEGER_TEXT) throw no64BitInteger(text, path);
}

function no64BitInteger(text: string, path: string): JsonDecodeError {
  return new JsonDecodeError(path, `expected a 64-bit integer, got ${clip(text)}`);
}

function isObject(tree: JsonTree): tree is { [key: string]: JsonTree } {
  return (
    typeof tree === 'object' &&
    tree !== null &&
    !Array.isArray(tree) &&
    !(tree instanceof JsonNumber)
  );
}
