import type { CallUnderWay } from '@apix/contracts';
import type { Metadata } from '@grpc/grpc-js';
import type { InheritRules } from './inherit-options.js';

/** The latest end of a call that is made for another one, in milliseconds since the epoch. */
export function inheritedDeadline(parent: CallUnderWay, rules: InheritRules): number {
  const { deadline = Infinity } = parent;
  return rules.deadline ? deadline - rules.margin : Infinity;
}

/** Copies the inherited metadata of the call under way to an outgoing call. */
export function inheritMetadata(
  parent: CallUnderWay,
  { requestIdKey, metadata: keys }: InheritRules,
  metadata: Metadata,
): void {
  const { requestId } = parent;
  if (requestIdKey !== undefined && requestId !== undefined) metadata.set(requestIdKey, requestId);
  for (const key of keys) {
    for (const value of parent.metadata.get(key)) metadata.add(key, value);
  }
}
