import { type DescFile, toBinary } from '@bufbuild/protobuf';
import { nestedTypes } from '@bufbuild/protobuf/reflect';
import { FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt';

/**
 * Where each declaration of a set of files is, by the names that server reflection asks for.
 * Files are given as they were compiled, with custom options and with the imports that only
 * options need.
 */
export class DescriptorIndex {
  readonly #files = new Map<string, DescFile>();
  readonly #symbols = new Map<string, DescFile>();
  /** By the extended message, then by number. */
  readonly #extensions = new Map<string, Map<number, DescFile>>();
  readonly #encoded = new Map<DescFile, Uint8Array>();

  /** @param files of two files with one name, the first one counts. */
  constructor(files: Iterable<DescFile>) {
    for (const file of files) {
      if (this.#files.has(file.proto.name)) continue;
      this.#files.set(file.proto.name, file);
      for (const [name, declaredIn] of symbolsOf(file)) this.#symbols.set(name, declaredIn);
      this.#addExtensions(file);
    }
  }

  /** A file by its path, such as `shop/v1/orders.proto`. */
  file(path: string): DescFile | undefined {
    return this.#files.get(path);
  }

  /** The file that declares a full name: of a type, service, method, field, enum value, … */
  fileOfSymbol(name: string): DescFile | undefined {
    return this.#symbols.get(name);
  }

  fileOfExtension(extendee: string, number: number): DescFile | undefined {
    return this.#extensions.get(extendee)?.get(number);
  }

  /** Numbers of all extensions of a message, ascending; undefined for no known message. */
  extensionNumbers(extendee: string): readonly number[] | undefined {
    const numbers = this.#extensions.get(extendee);
    if (numbers !== undefined) return [...numbers.keys()].toSorted((a, b) => a - b);
    return this.#symbols.has(extendee) ? [] : undefined;
  }

  /** A file and everything it imports, each once, importers before what they import. */
  withImports(file: DescFile): readonly DescFile[] {
    const found = new Set<DescFile>();
    const visit = (each: DescFile): void => {
      for (const path of each.proto.dependency) {
        const imported = this.#files.get(path);
        if (imported !== undefined && !found.has(imported)) visit(imported);
      }
      found.add(each);
    };
    visit(file);
    return [...found].toReversed();
  }

  /** A file as a binary FileDescriptorProto. */
  encode(file: DescFile): Uint8Array {
    const known = this.#encoded.get(file);
    if (known !== undefined) return known;
    const bytes = toBinary(FileDescriptorProtoSchema, file.proto);
    this.#encoded.set(file, bytes);
    return bytes;
  }

  #addExtensions(file: DescFile): void {
    for (const desc of nestedTypes(file)) {
      if (desc.kind !== 'extension') continue;
      const { typeName } = desc.extendee;
      const numbers = this.#extensions.get(typeName) ?? new Map<number, DescFile>();
      this.#extensions.set(typeName, numbers.set(desc.number, file));
    }
  }
}

function* symbolsOf(file: DescFile): Iterable<readonly [name: string, file: DescFile]> {
  for (const desc of nestedTypes(file)) {
    yield [desc.typeName, file];
    for (const name of membersOf(desc)) yield [name, file];
  }
}

/** Enum values are siblings of their enum (descriptor.proto), everything else is inside. */
function membersOf(desc: ReturnType<typeof nestedTypes> extends Iterable<infer T> ? T : never) {
  const inside = (members: readonly { readonly name: string }[]): string[] =>
    members.map(({ name }) => `${desc.typeName}.${name}`);
  switch (desc.kind) {
    case 'message':
      return inside([...desc.fields, ...desc.oneofs]);
    case 'service':
      return inside(desc.methods);
    case 'enum': {
      const scope = desc.typeName.slice(0, desc.typeName.length - desc.name.length);
      return desc.values.map(({ name }) => `${scope}${name}`);
    }
    case 'extension':
      return [];
  }
}
