import { types } from 'node:util';
import {
  type CallContext,
  type Clock,
  Code,
  isStatusError,
  type StagedCall,
} from '@apix/contracts';
import { isPromiseLike } from '@apix/contracts/internal';
import { type DescMessage, isMessage, type Message } from '@bufbuild/protobuf';
import { shapedMessage } from './request-shape.js';
import type { Subject } from '../subject/subject.js';

/** What a resource loader knows of the call that a record is loaded for. */
export interface LoadContext {
  readonly call: CallContext;
  /** The caller, whose roles and permissions have passed. */
  readonly subject: Subject;
  /** Aborts when the call is over, or the loader has taken too long. */
  readonly signal: AbortSignal;
}

/**
 * Loads the record that a request names, for conditions and for the handler: a message of the declared type, or an object
 * if the type of the record is a table of members, or null (or a StatusError NOT_FOUND) if there is none. Anything else
 * refuses the call.
 */
export type ResourceLoad = (
  name: string,
  context: LoadContext,
) => object | null | Promise<object | null>;

/** What came of loading: the record, null if there is none, or why the call cannot be decided. */
export type Loaded = Message | null | LoadFailure;

/** Why there is no record to decide about; for operators, never for callers. */
export class LoadFailure {
  constructor(readonly cause: unknown) {}
}

interface LoadedResource {
  readonly desc: DescMessage;
  readonly load: ResourceLoad | undefined;
  readonly isShape: boolean;
}

interface LoadLimits {
  readonly clock: Clock;
  /** In milliseconds. */
  readonly timeout: number;
}

/** Loads the resource that a request names. Never throws or rejects, and ends within the deadline. */
export async function loadResource(
  { load, ...type }: LoadedResource,
  name: string,
  { call, subject }: Omit<LoadContext, 'signal'>,
  { clock, timeout }: LoadLimits,
): Promise<Loaded> {
  const { desc } = type;
  if (load === undefined) return failure(`authz: nothing loads ${desc.typeName}`);
  const ended = new AbortController();
  const end = (why: string): void => ended.abort(new Error(why));
  const left = Math.min(timeout, ((call as StagedCall).deadline ?? Infinity) - clock.now());
  const cancel = clock.after(Math.max(0, left), () =>
    end(`authz: the loader of ${desc.typeName} did not answer within ${Math.max(0, left)} ms`),
  );
  const onAbort = (): void => end('authz: the call ended before its resource was loaded');
  try {
    if (call.signal.aborted) onAbort();
    else call.signal.addEventListener('abort', onAbort, { once: true });
    const late = new Promise<LoadFailure>((resolve) => {
      ended.signal.addEventListener('abort', () => resolve(new LoadFailure(ended.signal.reason)), {
        once: true,
      });
    });
    if (ended.signal.aborted) return new LoadFailure(ended.signal.reason);
    const answer: unknown = load(name, { call, subject, signal: ended.signal });
    if (!isPromiseLike(answer)) return checked(type, answer);
    return await Promise.race([
      late,
      Promise.resolve(answer).then((value: unknown) => checked(type, value), failed),
    ]);
  } catch (error) {
    return failed(error);
  } finally {
    cancel();
    call.signal.removeEventListener('abort', onAbort);
  }
}

/** What loaders have returned, by the messages that conditions read of it. */
const loadedAs = new WeakMap<Message, object>();

/** A record as its loader has returned it. */
export function asLoaded(resource: Message | undefined): object | undefined {
  return resource && (loadedAs.get(resource) ?? resource);
}

/** A proxy may show the handler other values than the conditions. */
function checked({ desc, isShape }: Omit<LoadedResource, 'load'>, value: unknown): Loaded {
  if (value === null) return null;
  if (isShape) {
    const message = shapedMessage(desc, value);
    loadedAs.set(message, value as object);
    return message;
  }
  if (typeof value === 'object' && !types.isProxy(value) && isMessage(value, desc)) return value;
  return failure(`authz: the loader of ${desc.typeName} must return such a message, or null`);
}

function failed(error: unknown): Loaded {
  try {
    return isStatusError(error) && error.code === Code.NOT_FOUND ? null : new LoadFailure(error);
  } catch {
    return new LoadFailure(undefined);
  }
}

function failure(text: string): LoadFailure {
  return new LoadFailure(new TypeError(text));
}
