import { clone } from '@bufbuild/protobuf';
import { type FileDescriptorProto, FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt';

/** Sets one thing that a file lacks. */
export type Fill = () => void;

/** The file if it lacks nothing, or else a copy that has it: a file of generated code belongs to that code. */
export function filled(
  file: FileDescriptorProto,
  missingIn: (file: FileDescriptorProto) => Iterable<Fill>,
): FileDescriptorProto {
  if ([...missingIn(file)].length === 0) return file;
  const copy = clone(FileDescriptorProtoSchema, file);
  for (const fill of missingIn(copy)) fill();
  return copy;
}
