import { fromBinary } from '@bufbuild/protobuf';
import {
  type FileDescriptorProto,
  FileDescriptorProtoSchema,
  file_google_protobuf_any,
  file_google_protobuf_api,
  file_google_protobuf_descriptor,
  file_google_protobuf_duration,
  file_google_protobuf_empty,
  file_google_protobuf_field_mask,
  file_google_protobuf_source_context,
  file_google_protobuf_struct,
  file_google_protobuf_timestamp,
  file_google_protobuf_type,
  file_google_protobuf_wrappers,
} from '@bufbuild/protobuf/wkt';
import { ReflectionError } from '../errors.js';
import type { ReflectionLimits } from './reflection-options.js';

/** Files that some servers leave out, because every compiler brings them along. */
const WELL_KNOWN: ReadonlyMap<string, FileDescriptorProto> = new Map(
  [
    file_google_protobuf_any,
    file_google_protobuf_api,
    file_google_protobuf_descriptor,
    file_google_protobuf_duration,
    file_google_protobuf_empty,
    file_google_protobuf_field_mask,
    file_google_protobuf_source_context,
    file_google_protobuf_struct,
    file_google_protobuf_timestamp,
    file_google_protobuf_type,
    file_google_protobuf_wrappers,
  ].map(({ proto }) => [proto.name, proto]),
);

/** The files of a server so far, within limits; the first of each name counts. */
export class FileCollector {
  readonly #files = new Map<string, FileDescriptorProto>();
  readonly #limits: ReflectionLimits;
  readonly #server: string;
  #bytes = 0;

  /** @param server how errors name it. */
  constructor(server: string, limits: ReflectionLimits) {
    this.#server = server;
    this.#limits = limits;
  }

  get files(): readonly FileDescriptorProto[] {
    return [...this.#files.values()];
  }

  has(name: string): boolean {
    return this.#files.has(name);
  }

  /** @throws ReflectionError for an answer that is not a file, and for more than the limits allow. */
  add(encoded: readonly Uint8Array[]): void {
    for (const bytes of encoded) {
      this.#bytes += bytes.length;
      if (this.#bytes > this.#limits.maxBytes) {
        throw new ReflectionError(
          `${this.#server} describes itself in more than ${this.#limits.maxBytes} bytes`,
        );
      }
      this.#keep(this.#decode(bytes));
    }
  }

  /** Takes a file that every compiler brings along; false for any other one. */
  addWellKnown(name: string): boolean {
    const file = WELL_KNOWN.get(name);
    if (file === undefined) return false;
    this.#keep(file);
    return true;
  }

  /** Names that files import and that are not there yet. */
  missing(): Set<string> {
    const names = new Set<string>();
    for (const { dependency } of this.#files.values()) {
      for (const name of dependency) if (!this.#files.has(name)) names.add(name);
    }
    return names;
  }

  /** Whether a collected file declares a symbol's package and name. */
  hasService(fullName: string): boolean {
    for (const { package: prefix, service } of this.#files.values()) {
      const before = prefix === '' ? '' : `${prefix}.`;
      if (service.some(({ name }) => before + name === fullName)) return true;
    }
    return false;
  }

  #keep(file: FileDescriptorProto): void {
    if (this.#files.has(file.name)) return;
    if (this.#files.size >= this.#limits.maxFiles) {
      throw new ReflectionError(
        `${this.#server} describes itself in more than ${this.#limits.maxFiles} files`,
      );
    }
    this.#files.set(file.name, file);
  }

  #decode(bytes: Uint8Array): FileDescriptorProto {
    try {
      const file = fromBinary(FileDescriptorProtoSchema, bytes);
      if (file.name !== '') return file;
    } catch (cause) {
      throw new ReflectionError(`${this.#server} sent a file that is not a descriptor`, { cause });
    }
    throw new ReflectionError(`${this.#server} sent a file without a name`);
  }
}
