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

const storage = new AsyncLocalStorage<Logger>();
const extractors = new Set<ContextFieldFunc>();

/** Runs `work`; `fromContext` gives this logger in it, and in whatever it waits for. */
export function runWithLogger<T>(logger: Logger, work: () => T): T {
  return storage.run(logger, work);
}

/** The logger of the work that is under way, or else the default logger. */
export function fromContext(): Logger {
  return storage.getStore() ?? defaultLogger();
}

/** The logger of the work that is under way; undefined outside of any. */
export function loggerInContext(): Logger | undefined {
  return storage.getStore();
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
