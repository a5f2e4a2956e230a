import { AsyncLocalStorage } from 'node:async_hooks';
import type { Logger } from '../logger/logger.js';
import { safely } from '../value/safely.js';
import { defaultLogger } from './default-logger.js';

/** A field that an extractor adds. */
export interface ContextField {
  readonly name: string;
  readonly value: unknown;
}

/** Finds fields of the work that is under way, such as the ids of its trace. */
export type ContextFieldFunc = () => readonly ContextField[];

/** Work that is under way. */
export interface Work {
  readonly logger: Logger;
  /** What the doors know of the request that the work is a part of. */
  readonly request: object | undefined;
}

// Why: docs/decisions/0092
const storage = new AsyncLocalStorage<Work>();
const extractors = new Set<ContextFieldFunc>();

/** Runs `work`; `fromContext` gives this logger in it, and in whatever it waits for. */
export function runWithLogger<T>(logger: Logger, work: () => T): T {
  return storage.run({ logger, request: storage.getStore()?.request }, work);
}

/** The same for work that the doors know. */
export function runWork<T>(work: Work, run: () => T): T {
  return storage.run(work, run);
}

/** The logger of the work that is under way, or else the default logger. */
export function fromContext(): Logger {
  return storage.getStore()?.logger ?? defaultLogger();
}

/** The logger of the work that is under way; undefined outside of any. */
export function loggerInContext(): Logger | undefined {
  return storage.getStore()?.logger;
}

/** What the doors know of the request under way; undefined outside of any. */
export function requestInContext(): object | undefined {
  return storage.getStore()?.request;
}

/** {@link fromContext} with the fields that the extractors find now. Never throws. */
export function ctx(): Logger {
  return withContextFields(fromContext());
}

/** A logger with the fields that the extractors find now; itself when they find none. */
export function withContextFields(logger: Logger): Logger {
  if (extractors.size === 0) return logger;
  const fields: Record<string, unknown> = {};
  for (const extract of extractors) {
    // An extractor that fails must not take the event with it.
    safely(
      () => {
        for (const { name, value } of extract()) fields[name] = value;
      },
      () => {},
    );
  }
  return Object.keys(fields).length === 0 ? logger : logger.forContextValues(fields);
}

/**
 * Adds an extractor, whose fields `ctx` and the functions that end in `Ctx` add to events; call
 * it at startup. One that throws adds nothing.
 *
 * @returns what takes the extractor away again.
 */
export function addContextField(extract: ContextFieldFunc): () => void {
  extractors.add(extract);
  return () => void extractors.delete(extract);
}
