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
    .map((stage) => boundOrClosed(stage, method));
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
 * A method is closed where a stage cannot be bound to it, or answers with something that has no
 * hooks, such as a promise. Thrown from here, the error would end the process: grpc-js catches
 * nothing that an interceptor throws.
 */
function boundOrClosed(stage: CallStage, method: CallMethod): BoundCallStage {
  try {
    const bound: unknown = stage.bind(method);
    return bound === null ? {} : hooksOf(bound, stage.name);
  } catch (error) {
    return {
      onCall() {
        throw error;
      },
    };
  }
}

const HOOKS = ['onCall', 'onMessage', 'onSend', 'onEnd', 'within'] as const;

function hooksOf(bound: unknown, name: CallStageName): BoundCallStage {
  if (typeof bound !== 'object' || bound === null || 'then' in bound) {
    throw new TypeError(`apix: bind of the stage "${name}" must return an object of hooks or null`);
  }
  const hooks: Record<string, unknown> = {};
  for (const key of HOOKS) {
    const hook: unknown = Reflect.get(bound, key);
    if (hook === undefined) continue;
    if (typeof hook !== 'function') {
      throw new TypeError(`apix: ${key} of the stage "${name}" must be a function`);
    }
    hooks[key] = (hook as (...args: never[]) => unknown).bind(bound);
  }
  return hooks;
}

function hooks<K extends keyof BoundCallStage>(
  stages: readonly BoundCallStage[],
  key: K,
): Hook<K>[] {
  return stages.map((stage) => stage[key]).filter((hook) => hook !== undefined);
}
