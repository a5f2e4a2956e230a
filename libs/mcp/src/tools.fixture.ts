import { readFileSync } from 'node:fs';
import { ProtoRegistry } from '@apix/proto/core';
import { fromBinary, toBinary } from '@bufbuild/protobuf';
import {
  type FileDescriptorProto,
  FileDescriptorSetSchema,
  type MethodDescriptorProto,
} from '@bufbuild/protobuf/wkt';

const bytes = new Uint8Array(readFileSync(new URL('../testdata/tools.binpb', import.meta.url)));

/** The services and messages of proto/tools/v1/tools.proto. */
export const TOOLS = ProtoRegistry.load(bytes);

/** The same with a change. */
export function changedTools(change: (file: FileDescriptorProto) => void): ProtoRegistry {
  const set = fromBinary(FileDescriptorSetSchema, bytes);
  change(set.file.find(({ name }) => name === 'tools/v1/tools.proto')!);
  return ProtoRegistry.load(toBinary(FileDescriptorSetSchema, set));
}

/** A method of a file, by the names of its service and its own. */
export function methodIn(
  file: FileDescriptorProto,
  service: string,
  name: string,
): MethodDescriptorProto {
  const found = file.service.find((each) => each.name === service);
  return found!.method.find((each) => each.name === name)!;
}
