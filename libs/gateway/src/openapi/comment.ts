import type { ProtoRegistry } from '@apix/proto/core';
import type { AnyDesc } from '@bufbuild/protobuf';

/** The comment of a declaration as `description`, or nothing. */
export function descriptionOf(
  protos: ProtoRegistry,
  desc: AnyDesc,
): { readonly description?: string } {
  const description = protos.comments(desc).trim();
  return description === '' ? {} : { description };
}

/** The first sentence of a comment as `summary`, and the whole of it where there is more. */
export function summaryOf(
  protos: ProtoRegistry,
  desc: AnyDesc,
): { readonly summary?: string; readonly description?: string } {
  const text = protos.comments(desc).trim();
  if (text === '') return {};
  const summary = (/^[^]*?[.!?](?=\s|$)/.exec(text)?.[0] ?? text).replaceAll(/\s+/g, ' ');
  return summary.length === text.length ? { summary } : { summary, description: text };
}

/** `such as`, `for example`, `e.g.` or `Example:`, and then something in back quotes. */
const EXAMPLE = /(?:such as|for example,?|e\.g\.,?|examples?:)\s+`([^`]+)`/i;

/**
 * The example of a field's value in its comment: the text in back quotes after "such as" or "for example".
 */
export function commentExample(comment: string): string | undefined {
  return EXAMPLE.exec(comment.replaceAll(/\s+/g, ' '))?.[1]?.replaceAll(/^"(.*)"$/g, '$1');
}
