/** What the specification of ecs-logging says of a field. */
export interface LoggingField {
  readonly type: 'string' | 'integer' | 'datetime' | 'object';
  readonly required?: true;
  /** Where it stands in a line, as far as those before it are there. */
  readonly index?: number;
}

/** Each under its name with dots: github.com/elastic/ecs-logging, spec/spec.json and spec/README.md. */
export const LOGGING_FIELDS: Readonly<Record<string, LoggingField>> = {
  '@timestamp': { type: 'datetime', required: true, index: 0 },
  'log.level': { type: 'string', required: true, index: 1 },
  message: { type: 'string', index: 2 },
  'ecs.version': { type: 'string', required: true },
  labels: { type: 'object' },
  'trace.id': { type: 'string' },
  'transaction.id': { type: 'string' },
  'service.name': { type: 'string' },
  'service.node.name': { type: 'string' },
  'service.version': { type: 'string' },
  'service.environment': { type: 'string' },
  'event.dataset': { type: 'string' },
  'process.thread.name': { type: 'string' },
  'log.logger': { type: 'string' },
  'log.origin.file.line': { type: 'integer' },
  'log.origin.file.name': { type: 'string' },
  'log.origin.function': { type: 'string' },
  'error.type': { type: 'string' },
  'error.message': { type: 'string' },
  'error.stack_trace': { type: 'string' },
};
