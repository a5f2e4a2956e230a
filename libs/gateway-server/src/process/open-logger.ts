import { consoleSink, createLogger, type Logger } from '@apix/logx/core';
import type { GatewaySettings } from '../settings/setting-table.js';

/** The log of the process, on standard output. */
export function openLogger(settings: GatewaySettings): Logger {
  const { 'log-level': level, 'log-format': format = 'auto' } = settings;
  return createLogger({
    sinks: [consoleSink({ format })],
    ...(level !== undefined && { level }),
    errorHandler: (error) => void process.stderr.write(`gateway-server: ${error.message}\n`),
  });
}
