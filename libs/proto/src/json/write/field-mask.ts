import { protoCamelCase, protoSnakeCase } from '@bufbuild/protobuf/reflect';
import type { ByteSink } from '../../bytes/byte-sink.js';
import { type JsonFragment, writeFragment } from './fragments.js';
import { writeJsonText } from './text.js';
import { UnwritableError, leaving, unexpected } from './unwritable-error.js';

/** Writes the paths of a google.protobuf.FieldMask, as one text with commas. */
export function writeFieldMask(sink: ByteSink, key: JsonFragment, paths: unknown): void {
  if (!Array.isArray(paths)) unexpected('an array of paths', paths);
  let i = 0;
  const written: string[] = [];
  try {
    for (; i < paths.length; i++) written.push(jsonPath(paths[i]));
  } catch (error) {
    throw leaving(leaving(error, i), 'paths');
  }
  writeFragment(sink, key);
  writeJsonText(sink, written.join());
}

function jsonPath(path: unknown): string {
  if (typeof path !== 'string') unexpected('string', path);
  const jsonName = protoCamelCase(path);
  if (protoSnakeCase(jsonName) !== path) {
    throw new UnwritableError(
      `the path ${JSON.stringify(path)} of google.protobuf.FieldMask has no lowerCamelCase form that can be read back`,
    );
  }
  return jsonName;
}
