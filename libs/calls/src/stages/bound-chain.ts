import {
  type BoundCallStage,
  type CallMethod,
  type CallOutcome,
  type CallStage,
  type StagedCall,
} from '@apix/contracts';
import { isPromiseLike, runInCall } from '@apix/contracts/internal';
import { StageOrderError } from '../errors.js';
import { type DetailedStatus, withDetails } from '../status/replace-details.js';
import type { StageOrder } from './stage-order.js';

type Hook<K extends keyof BoundCallStage> = NonNullable<BoundCallStage[K]>;

/** The hooks of all stages for one method, in the order in which a call meets them. */
export interface BoundChain {
  readonly method: CallMethod;
  /** Whether the handler begins with the metadata and reads the messages itself. */
  readonly handlerReads: boolean;
  readonly onCall: readonly Hook<'onCall'>[];
  /** For each of `onCall`, what runs those after it; undefined where nothing surrounds them. */
  readonly withinStages: readonly (Hook<'withinStages'> | undefined)[];
  readonly toReceive: readonly Hook<'toReceive'>[];
  readonly onMessage: readonly Hook<'onMessage'>[];
  /** With one of these, the handler of a stream of requests waits for the first message. */
  readonly onNoMessage: readonly Hook<'onNoMessage'>[];
  readonly toSend: readonly Hook<'toSend'>[];
  readonly detailsToSend: readonly Hook<'detailsToSend'>[];
  readonly onSend: readonly Hook<'onSend'>[];
  /** The outermost stage comes last, so that it sees the result of the inner ones. */
  readonly onEnd: readonly Hook<'onEnd'>[];
  readonly within: readonly Hook<'within'>[];
}

/**
 * Binds ordered stages to one method. A stage that cannot be bound to it closes the method.
 *
 * @throws StageOrderError where a stage reads messages of callers that are not known yet.
 */
export function bindStages({ stages, beforeAuthz }: StageOrder, method: CallMethod): BoundChain {
  const bound = stages.map((stage) => boundOrClosed(stage, method));
  const early = stages.find((stage, i) => readsMessages(bound[i]!) && beforeAuthz.has(stage));
  if (early !== undefined) {
    throw new StageOrderError([
      `the stage "${early.name}" reads messages (onMessage) and comes before authz, so it would ` +
        'read those of callers that may not call; use onCall only, or place it after authz',
    ]);
  }
  return chainOf(method, bound);
}

function readsMessages(stage: BoundCallStage): boolean {
  return (['onMessage', 'onNoMessage', 'toReceive'] as const).some(
    (hook) => stage[hook] !== undefined,
  );
}

/** A chain that lets no call of the method in. */
export function closedChain(method: CallMethod, error: unknown): BoundChain {
  return chainOf(method, [closed(error)]);
}

function chainOf(method: CallMethod, bound: readonly BoundCallStage[]): BoundChain {
  const admitting = bound.filter((stage) => 'onCall' in stage || 'withinStages' in stage);
  return {
    method,
    handlerReads: method.kind === 'client_stream' || method.kind === 'bidi_stream',
    onCall: admitting.map((stage) => hookOf(stage, 'onCall') ?? admit),
    // No stage is left around the successors of the last one.
    withinStages: admitting.map((stage, i) =>
      i === admitting.length - 1 ? undefined : hookOf(stage, 'withinStages'),
    ),
    toReceive: hooks(bound, 'toReceive'),
    onMessage: hooks(bound, 'onMessage'),
    onNoMessage: hooks(bound, 'onNoMessage'),
    toSend: hooks(bound, 'toSend'),
    detailsToSend: hooks(bound, 'detailsToSend'),
    onSend: hooks(bound, 'onSend'),
    onEnd: hooks(bound, 'onEnd').toReversed(),
    within: hooks(bound, 'within'),
  };
}

/** Of a stage that only surrounds others. */
function admit(): void {}

/** Tells every stage how a call ended; one that fails to take note keeps no other from it. */
export function reportEnd({ onEnd }: BoundChain, call: StagedCall, outcome: CallOutcome): void {
  for (const hook of onEnd) {
    try {
      const late: unknown = hook(call, outcome);
      if (isPromiseLike(late)) Promise.resolve(late).catch(() => {});
    } catch {
      // The others must still be called.
    }
  }
}

/** The status with the details that the stages let be sent. */
export function shownStatus<S extends DetailedStatus>(
  { detailsToSend }: BoundChain,
  call: StagedCall | null,
  status: S,
): S {
  if (detailsToSend.length === 0 || call === null || status.metadata === null) return status;
  return withDetails(status, (details) =>
    detailsToSend.reduce((shown, hook) => hook(call, shown), details),
  );
}

/**
 * Runs a step of a handler within the stages from this place on, the first of them outermost, and as work of the call
 * where somebody follows calls. Default: all stages.
 */
export function runInStages(
  chain: BoundChain,
  call: StagedCall,
  step: () => void,
  place = 0,
): void {
  const hook = chain.within[place];
  if (hook === undefined) runInCall(call, step);
  else hook(call, () => runInStages(chain, call, step, place + 1));
}

/** The error, thrown from here at a call, would end the process: grpc-js does not catch it. */
function boundOrClosed(stage: CallStage, method: CallMethod): BoundCallStage {
  try {
    const bound: unknown = stage.bind(method);
    return bound === null ? {} : hooksOf(bound, stage.name);
  } catch (error) {
    return closed(error);
  }
}

function closed(error: unknown): BoundCallStage {
  return {
    onCall() {
      throw error;
    },
  };
}

const HOOKS = [
  'onCall',
  'withinStages',
  'toReceive',
  'onMessage',
  'onNoMessage',
  'toSend',
  'detailsToSend',
  'onSend',
  'onEnd',
  'within',
] as const;

function hooksOf(bound: unknown, name: string): BoundCallStage {
  if (typeof bound !== 'object' || bound === null || 'then' in bound) {
    throw new TypeError(
      `calls: bind of the stage "${name}" must return an object of hooks or null`,
    );
  }
  const found: Record<string, unknown> = {};
  for (const key of HOOKS) {
    const hook: unknown = Reflect.get(bound, key);
    if (hook === undefined) continue;
    if (typeof hook !== 'function') {
      throw new TypeError(`calls: ${key} of the stage "${name}" must be a function`);
    }
    found[key] = (hook as (...args: never[]) => unknown).bind(bound);
  }
  return found;
}

function hooks<K extends keyof BoundCallStage>(
  stages: readonly BoundCallStage[],
  key: K,
): Hook<K>[] {
  return stages.map((stage) => hookOf(stage, key)).filter((hook) => hook !== undefined);
}

function hookOf<K extends keyof BoundCallStage>(stage: BoundCallStage, key: K): BoundCallStage[K] {
  return stage[key];
}
