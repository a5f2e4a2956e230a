import type { Logger } from '../logger/logger.js';
import { safely } from '../value/safely.js';
import { defaultLogger } from './default-logger.js';
import { type ContextSubject, InnerWork, storage, UnitOfWork, type Work } from './work.js';

/** A field that an extractor adds. */
export interface ContextField {
  readonly name: string;
  readonly value: unknown;
}

/** Finds fields of the work that is under way, such as the ids of its trace or its tenant. */
export type ContextFieldFunc = (subject: ContextSubject) => readonly ContextField[];

const extractors = new Set<ContextFieldFunc>();

/**
 * Runs `work`; `fromContext` returns this logger in it, and in everything that it awaits. Outside of any
 * work it is a unit of work, to which `assign` adds fields; inside another it is a part of that one.
 */
export function runWithLogger<T>(logger: Logger, work: () => T): T {
  const outer = storage.getStore();
  const inner = outer === undefined ? new UnitOfWork(logger) : new InnerWork(logger, outer.unit);
  return storage.run(inner, work);
}

/** The same for work of the entry points. */
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

/** The record of the request under way; undefined outside of requests. */
export function requestInContext(): object | undefined {
  return storage.getStore()?.request;
}

/** {@link fromContext} with the fields that the extractors find now. Never throws. */
export function ctx(): Logger {
  return withContextFields(fromContext());
}

/** A logger with the fields that the extractors find now; itself when they find none. */
export function withContextFields(logger: Logger): Logger {
  const fields = contextFields();
  return fields === undefined ? logger : logger.forContextValues(fields);
}

/** The fields that the extractors find now; undefined when they find none. */
export function contextFields(): Readonly<Record<string, unknown>> | undefined {
  return extractors.size === 0 ? undefined : fieldsFound();
}

function fieldsFound(): Readonly<Record<string, unknown>> | undefined {
  const subject = storage.getStore()?.unit.subject ?? {};
  const fields: Record<string, unknown> = {};
  for (const extract of extractors) {
    // A failing extractor must not lose the event.
    safely(
      () => {
        for (const { name, value } of extract(subject)) fields[name] = value;
      },
      () => {},
    );
  }
  return Object.keys(fields).length === 0 ? undefined : fields;
}

/**
 * Adds an extractor, whose fields `ctx` and the functions that end in `Ctx` add to events; call it at
 * startup. An extractor that throws adds nothing. It is called for each of these events, and once for the
 * event of a request, when its handler is known; its argument is the raw request or call.
 *
 * @returns a function that removes the extractor.
 */
export function addContextField(extract: ContextFieldFunc): () => void {
  extractors.add(extract);
  return () => void extractors.delete(extract);
}
