import type { DecisionObserver } from '@apix/authz';
import {
  addToRequest,
  consoleSink,
  fileSink,
  type LoggerOptions,
  parseLevel,
  stdoutSink,
} from '@apix/logx';

/**
 * Events for the eyes on a terminal, and JSON lines for a collector where standard output goes
 * anywhere else; with LOG_FILE, JSON lines in that file instead.
 */
export function logOptions(): LoggerOptions {
  const { LOG_FILE: path, LOG_LEVEL: level = 'information' } = process.env;
  const standard = process.stdout.isTTY ? consoleSink() : stdoutSink();
  return { level: parseLevel(level), sinks: [path === undefined ? standard : fileSink(path)] };
}

/** Writes who asked into the event of the request. */
export const logSubject: DecisionObserver = ({ subject }, call) =>
  addToRequest({ subject: subject?.id }, call);
