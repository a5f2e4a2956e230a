import {
  type AnyDesc,
  type DescMethod,
  type DescService,
  type FileRegistry,
  create,
  createFileRegistry,
} from '@bufbuild/protobuf';
import { type FileDescriptorProto, FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { thrownText } from '@apix/contracts';
import { commentsOf } from './comments.js';
import { completeFiles } from './complete/complete-files.js';
import { DescriptorError, type DescriptorSource, readSource } from './descriptor-source.js';
import { mergeFiles, findTypeConflicts } from './merge-files.js';
import { fullMethodName } from './method-name.js';
import { noteTypes } from './redact/note-types.js';

/** All descriptors of an app, loaded once and shared by everything that reads them. */
export class ProtoRegistry {
  /** Every service of every file, in the order of the files. */
  readonly services: readonly DescService[];
  /** Every method, by its full name `/<package>.<Service>/<Method>`. */
  readonly methods: ReadonlyMap<string, DescMethod>;

  private constructor(
    /** The protobuf-es registry, with every file, message, enum, extension and service. */
    readonly registry: FileRegistry,
    private readonly protos: readonly FileDescriptorProto[],
  ) {
    this.services = Array.from(registry).filter((desc) => desc.kind === 'service');
    this.methods = new Map(
      this.services.flatMap((service) =>
        service.methods.map((method) => [fullMethodName(method), method] as const),
      ),
    );
  }

  /**
   * Reads and merges descriptor sources.
   *
   * @throws DescriptorError that lists every mistake of all the sources: a file that does not exist or is
   *   not a descriptor set, an import that no source contains, a file or type that two sources declare
   *   differently.
   */
  static load(sources: DescriptorSource | readonly DescriptorSource[]): ProtoRegistry {
    const list = isList(sources) ? sources : [sources];
    const mistakes = list.length === 0 ? ['no descriptor sources were given'] : [];
    const files = list.flatMap((source, index) => readSource(source, index, mistakes));
    const protos = mergeFiles(completeFiles(files), mistakes);
    if (mistakes.length > 0) throw new DescriptorError(mistakes);

    const registry = link(protos);
    const conflicts = findTypeConflicts(registry.files);
    if (conflicts.length > 0) throw new DescriptorError(conflicts);
    noteTypes(registry.files);
    return new ProtoRegistry(registry, protos);
  }

  /** A method by its full name; undefined for one that the descriptors do not know. */
  method(fullName: string): DescMethod | undefined {
    return this.methods.get(fullName);
  }

  /**
   * The comment before a declaration; empty if there is none or if the descriptors were built without
   * source info.
   */
  comments(desc: AnyDesc): string {
    return commentsOf(desc);
  }

  /** Every file, imports first, with custom options as they were written; for reflection. */
  files(): readonly FileDescriptorProto[] {
    return this.protos;
  }
}

function isList(
  sources: DescriptorSource | readonly DescriptorSource[],
): sources is readonly DescriptorSource[] {
  return Array.isArray(sources);
}

function link(protos: readonly FileDescriptorProto[]): FileRegistry {
  try {
    return createFileRegistry(create(FileDescriptorSetSchema, { file: [...protos] }));
  } catch (error) {
    const mistake = `the descriptors do not fit together: ${thrownText(error)}`;
    throw new DescriptorError([mistake], { cause: error });
  }
}
