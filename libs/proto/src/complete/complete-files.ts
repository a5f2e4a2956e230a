import type { SourcedFile } from '../descriptor-source.js';
import { declaredTypes } from './declared-types.js';
import { filled } from './filled.js';
import { missingImports } from './missing-imports.js';
import { missingNames } from './missing-names.js';

/**
 * Sets what descriptors may leave open by the rules of descriptor.proto: JSON names of fields, full names
 * and kinds of types, and imports of the files that are used. A file that lacks nothing is returned as it is.
 */
// Why: docs/decisions/0003
export function completeFiles(files: readonly SourcedFile[]): readonly SourcedFile[] {
  const protos = files.map(({ proto }) => proto);
  const types = declaredTypes(protos);
  const named = protos.map((proto) => filled(proto, (file) => missingNames(file, types)));
  const byName = new Map(named.map((proto) => [proto.name, proto]));
  return files.map(({ origin }, at) => ({
    origin,
    proto: filled(named[at]!, (file) => missingImports(file, types, byName)),
  }));
}
