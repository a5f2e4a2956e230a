import type { ProtoRegistry } from '@apix/proto/core';
import type { DescExtension, DescMessage } from '@bufbuild/protobuf';

const known = new WeakMap<ProtoRegistry, ReadonlyMap<string, readonly DescExtension[]>>();

/** The extensions of a message that the descriptors declare, which JSON has as members in brackets. */
export function extensionsFor(
  { typeName }: DescMessage,
  protos: ProtoRegistry,
): readonly DescExtension[] {
  let byExtendee = known.get(protos);
  if (byExtendee === undefined) known.set(protos, (byExtendee = extensionsIn(protos)));
  return byExtendee.get(typeName) ?? [];
}

function extensionsIn({ registry }: ProtoRegistry): ReadonlyMap<string, readonly DescExtension[]> {
  const byExtendee = new Map<string, DescExtension[]>();
  for (const desc of registry) {
    if (desc.kind !== 'extension') continue;
    const { typeName } = desc.extendee;
    byExtendee.set(typeName, [...(byExtendee.get(typeName) ?? []), desc]);
  }
  return byExtendee;
}
