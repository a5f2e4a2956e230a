import type { DescFile } from '@bufbuild/protobuf';
import { nestedTypes } from '@bufbuild/protobuf/reflect';

/** Names, and extension numbers, that two files claim, which a single compiler run would refuse. */
export function findTypeConflicts(files: Iterable<DescFile>): string[] {
  const mistakes: string[] = [];
  const owners = new Map<string, DescFile>();
  const claim = (file: DescFile, key: string, what: string): void => {
    const owner = owners.get(key);
    if (owner === undefined) owners.set(key, file);
    else {
      mistakes.push(`${what} is declared by both "${owner.proto.name}" and "${file.proto.name}"`);
    }
  };
  for (const file of files) {
    for (const type of nestedTypes(file)) {
      claim(file, type.typeName, type.typeName);
      if (type.kind === 'extension') {
        const number = `${type.extendee.typeName} ${type.number}`;
        claim(file, number, `extension ${type.number} of ${type.extendee.typeName}`);
      }
    }
  }
  return mistakes;
}
