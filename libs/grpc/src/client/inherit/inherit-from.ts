import type { StagedCall } from '@apix/contracts';
import type { Metadata } from '@grpc/grpc-js';
import type { InheritRules } from './inherit-options.js';

/** The latest end of a call that is made for another one, in milliseconds since the epoch. */
export function inheritedDeadline(parent: StagedCall, rules: InheritRules): number {
  const { deadline = Infinity } = parent;
  return rules.deadline ? deadline - rules.marginMs : Infinity;
}

/** Puts what is passed on of the call under way on the metadata of one that is made for it. */
export function inheritMetadata(
  parent: StagedCall,
  { requestId, metadata: keys }: InheritRules,
  metadata: Metadata,
): void {
  if (requestId && parent.requestId !== undefined) metadata.set('x-request-id', parent.requestId);
  for (const key of keys) {
    for (const value of parent.metadata.get(key)) metadata.add(key, value);
  }
}
