import { fileURLToPath } from 'node:url';
import { safely } from '../value/safely.js';
import type { Caller } from './log-event.js';

/** A function whose callers are needed; its own frame and those above it are left out. */
export type Boundary = (...args: never[]) => unknown;

const PLACE = /(?:\(|at )((?:file:|\/|[A-Za-z]:|node:|webpack)[^()]*?):(\d+):\d+\)?$/;

/** One function, or several, of which the first that is being called counts. */
export type Boundaries = Boundary | readonly Boundary[];

/** The place that called `boundary`; undefined if the engine does not report it. */
export function callerOf(boundary: Boundaries): Caller | undefined {
  const frame = stackBelow(boundary, 1)?.split('\n').at(-1) ?? '';
  const [, file, line] = PLACE.exec(frame) ?? [];
  if (file === undefined) return undefined;
  const path = safely(
    () => (file.startsWith('file:') ? fileURLToPath(file) : file),
    () => file,
  );
  return { file: path, line: Number(line) };
}

/** The stack of the call of `boundary`, in the form of an error's stack. */
export function stackBelow(boundary: Boundaries, frames = 50): string | undefined {
  if (typeof boundary === 'function') return stackOfCall(boundary, frames);
  let stack: string | undefined;
  for (const one of boundary) {
    stack = stackOfCall(one, frames);
    // The engine gives no frames for a function that is not being called.
    if (stack?.includes('\n') === true) return stack;
  }
  return stack;
}

function stackOfCall(boundary: Boundary, frames: number): string | undefined {
  const limit = Error.stackTraceLimit;
  const holder: { stack?: unknown } = {};
  try {
    Error.stackTraceLimit = frames;
    Error.captureStackTrace(holder, boundary);
    return typeof holder.stack === 'string' ? holder.stack : undefined;
  } catch {
    return undefined;
  } finally {
    Error.stackTraceLimit = limit;
  }
}
