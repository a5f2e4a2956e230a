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
