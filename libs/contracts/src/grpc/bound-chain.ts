import type { CallMethod } from '../seams/call-context.js';
import {
  type BoundCallStage,
  CALL_STAGE_ORDER,
  type CallStage,
  type CallStageName,
} from '../seams/call-stage.js';

type Hook<K extends keyof BoundCallStage> = NonNullable<BoundCallStage[K]>;

/** The hooks of all stages for one method, in the order in which a call meets them. */
export interface BoundChain {
  readonly method: CallMethod;
  readonly onCall: readonly Hook<'onCall'>[];
  readonly onMessage: readonly Hook<'onMessage'>[];
  readonly onSend: readonly Hook<'onSend'>[];
  /** The outermost stage last, so that it sees what the inner ones left. */
  readonly onEnd: readonly Hook<'onEnd'>[];
  readonly within: readonly Hook<'within'>[];
}

/** Binds stages to one method, in {@link CALL_STAGE_ORDER}, whatever the order they come in. */
export function bindStages(stages: readonly CallStage[], method: CallMethod): BoundChain {
  const rank = (name: CallStageName): number => CALL_STAGE_ORDER.indexOf(name);
  const bound = stages
    .toSorted((a, b) => rank(a.name) - rank(b.name))
    .map((stage) => boundOrClosed(stage, method))
    .filter((stage) => stage !== null);
  return {
    method,
    onCall: hooks(bound, 'onCall'),
    onMessage: hooks(bound, 'onMessage'),
    onSend: hooks(bound, 'onSend'),
    onEnd: hooks(bound, 'onEnd').toReversed(),
    within: hooks(bound, 'within'),
  };
}

/**
 * A method is closed where a stage cannot be bound to it. Thrown from here, the error would end
 * the process: grpc-js catches nothing that an interceptor throws.
 */
function boundOrClosed(stage: CallStage, method: CallMethod): BoundCallStage | null {
  try {
    return stage.bind(method);
  } catch (error) {
    return {
      onCall() {
        throw error;
      },
    };
  }
}

function hooks<K extends keyof BoundCallStage>(
  stages: readonly BoundCallStage[],
  key: K,
): Hook<K>[] {
  return stages.flatMap((stage) => {
    const hook: ((...args: never[]) => unknown) | undefined = stage[key];
    return hook === undefined ? [] : [hook.bind(stage) as Hook<K>];
  });
}
