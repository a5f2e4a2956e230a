import { type ProtoRegistry, optionOf } from '@apix/proto/core';
import type { AnyDesc, DescField } from '@bufbuild/protobuf';
import { type FieldBehavior, field_behavior } from '../gen/google/api/field_behavior_pb.js';
import type { TranscodingOptions } from '../options.js';

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

/** How the JSON that a document describes is written. */
export interface JsonStyle {
  /** Names of members as in the .proto file. */
  readonly protoNames: boolean;
  readonly enumsAsNumbers: boolean;
}

export function jsonStyleOf({ json }: TranscodingOptions): JsonStyle {
  return {
    protoNames: json?.protoNames ?? false,
    enumsAsNumbers: json?.enumsAsNumbers ?? false,
  };
}

/** The name of a field in JSON. */
export function memberName({ name, jsonName }: DescField, { protoNames }: JsonStyle): string {
  return protoNames ? name : jsonName;
}

/** The (google.api.field_behavior) of a field. */
export function behavioursOf(field: DescField): readonly FieldBehavior[] {
  return optionOf(field, field_behavior) ?? [];
}
