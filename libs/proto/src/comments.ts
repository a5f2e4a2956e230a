import type { AnyDesc, DescFile } from '@bufbuild/protobuf';
import { fileOf, pathOf } from './declaration-path.js';

const byFile = new WeakMap<DescFile, ReadonlyMap<string, string>>();

/**
 * The comment right before a declaration, without comment marks, the space after them, and what it tells tools; for a
 * file the one before `package`. Empty if there is none, or if the descriptors were built without source info, as
 * generated code always is.
 */
export function commentsOf(desc: AnyDesc): string {
  const file = fileOf(desc);
  let comments = byFile.get(file);
  if (comments === undefined) {
    comments = leadingComments(file);
    byFile.set(file, comments);
  }
  return comments.get(pathOf(desc).join()) ?? '';
}

function leadingComments(file: DescFile): ReadonlyMap<string, string> {
  const comments = new Map<string, string>();
  for (const { path, leadingComments } of file.proto.sourceCodeInfo?.location ?? []) {
    if (leadingComments !== '') comments.set(path.join(), clean(leadingComments));
  }
  return comments;
}

/** Lines for linters and formatters, and `(-- … --)`, by which Google's APIs hide what is not for readers. */
const FOR_TOOLS =
  /^[ \t]*(?:buf:lint:|protolint:|nolint\b|clang-format (?:on|off)\b|prettier-ignore\b)[^\n]*\n?|\(--[^]*?--\)/gim;

function clean(comment: string): string {
  return comment
    .replace(/^ /gm, '')
    .replace(FOR_TOOLS, '')
    .replace(/[ \t]+$/gm, '')
    .trim();
}
