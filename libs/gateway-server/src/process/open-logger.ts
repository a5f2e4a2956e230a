import { type Logger, consoleSink, createLogger, stdoutSink } from '@apix/logx/core';
import type { GatewaySettings } from '../settings/setting-table.js';

/** The log of the process, on standard output. */
export function openLogger(settings: GatewaySettings, isTerminal = process.stdout.isTTY): Logger {
  const { 'log-level': level, 'log-format': format = isTerminal ? 'console' : 'json' } = settings;
  const sink = format === 'console' ? consoleSink() : stdoutSink({ format });
  return createLogger({
    sinks: [sink],
    ...(level !== undefined && { level }),
    errorHandler: (error) => void process.stderr.write(`gateway-server: ${error.message}\n`),
  });
}
