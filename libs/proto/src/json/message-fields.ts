import type { DescExtension, DescField, DescMessage, Registry } from '@bufbuild/protobuf';

const byMessage = new WeakMap<DescMessage, ReadonlyMap<string, DescField>>();

/**
 * The field that a JSON member stands for: by JSON name, by proto name, or an extension as
 * `[full.name]`.
 */
export function fieldOf(
  desc: DescMessage,
  key: string,
  registry: Registry,
): DescField | DescExtension | undefined {
  let fields = byMessage.get(desc);
  if (fields === undefined) {
    fields = new Map(
      desc.fields.flatMap((field) => [
        [field.name, field],
        [field.jsonName, field],
      ]),
    );
    byMessage.set(desc, fields);
  }
  return fields.get(key) ?? extensionOf(desc, key, registry);
}

function extensionOf(
  desc: DescMessage,
  key: string,
  registry: Registry,
): DescExtension | undefined {
  if (!key.startsWith('[') || !key.endsWith(']')) return undefined;
  const extension = registry.getExtension(key.slice(1, -1));
  return extension?.extendee.typeName === desc.typeName ? extension : undefined;
}

/** The message type inside a google.protobuf.Any's JSON; undefined where it is not known. */
export function typeInAny(json: object, registry: Registry): DescMessage | undefined {
  const typeUrl = '@type' in json ? json['@type'] : undefined;
  return typeof typeUrl === 'string'
    ? registry.getMessage(typeUrl.slice(typeUrl.lastIndexOf('/') + 1))
    : undefined;
}
