import type { BoundCallStage, StagedCall } from '@apix/contracts';
import { isFollowingCalls, runInCall } from '@apix/contracts/internal';
import type { Metadata, ServerInterceptingCallInterface } from '@grpc/grpc-js';

/** What grpc-js calls an InterceptingServerListener; it does not export the name. */
export type ServerListener = Parameters<ServerInterceptingCallInterface['start']>[0];

/** The first step of a handler, or a later one. */
export type HandlerStep =
  'onReceiveMetadata' | 'onReceiveMessage' | 'onReceiveHalfClose' | 'onCancel';

/** @param value the value of the step; undefined for the last two. */
export function runStep(listener: ServerListener, step: HandlerStep, value: unknown): void {
  switch (step) {
    case 'onReceiveMetadata':
      listener.onReceiveMetadata(value as Metadata);
      return;
    case 'onReceiveMessage':
      listener.onReceiveMessage(value);
      return;
    case 'onReceiveHalfClose':
      listener.onReceiveHalfClose();
      return;
    case 'onCancel':
      listener.onCancel();
      return;
  }
}

/**
 * Runs a step of a handler within the stages from this place on, the first of them outermost, and as work of the call
 * where somebody follows calls.
 */
export function runInStages(
  within: readonly NonNullable<BoundCallStage['within']>[],
  call: StagedCall,
  step: () => void,
  place = 0,
): void {
  const hook = within[place];
  if (hook !== undefined) hook(call, () => runInStages(within, call, step, place + 1));
  else if (isFollowingCalls()) runInCall(call, step);
  else step();
}
