import {
  callable,
  CLOCK,
  FLAG,
  isRecord,
  option,
  type Option,
  type OptionTable,
  section,
} from '@apix/contracts/internal';
import { ECS_OPTIONS } from '../encode/ecs-options.js';
import { TIME_FORMAT } from '../encode/time-format.js';
import { LEVELS_BY_NAME } from '../levels/level-names.js';
import { LEVEL } from '../levels/level-option.js';
import { REDACT } from '../redact/redact-options.js';
import { PROBES } from '../request/request-level.js';
import { LIMIT_OPTIONS } from '../value/value-limits.js';
import { BUFFER } from './buffer-options.js';
import { ENRICH } from './enrichers.js';
import type { LoggerOptions } from './logger-options.js';
import { SAMPLING } from './sampling-option.js';

const SINKS: Option<readonly unknown[]> = option('an array', Array.isArray);

const FIELDS: Option<Readonly<Record<string, unknown>>> = option('an object', isRecord, {
  type: 'object',
});

/** The allowed values of each option of a logger, wherever it is given. */
export const LOGGER_OPTIONS = {
  level: LEVEL,
  levels: LEVELS_BY_NAME,
  renderedMessage: FLAG,
  caller: FLAG,
  timestamp: FLAG,
  stackTrace: FLAG,
  timeFormat: TIME_FORMAT,
  ecs: section(ECS_OPTIONS),
  sinks: SINKS,
  errorHandler: callable<(error: Error) => void>(),
  sampling: SAMPLING,
  limits: section(LIMIT_OPTIONS),
  fields: FIELDS,
  enrich: ENRICH,
  redact: REDACT,
  bufferOnFailure: BUFFER,
  clock: CLOCK,
} satisfies OptionTable<LoggerOptions>;

/** The options of a logger that a configuration document has, under the names it has for them. */
export const DOCUMENT_OPTIONS = {
  level: LOGGER_OPTIONS.level,
  levels: LOGGER_OPTIONS.levels,
  render: LOGGER_OPTIONS.renderedMessage,
  caller: LOGGER_OPTIONS.caller,
  timestamp: LOGGER_OPTIONS.timestamp,
  stackTrace: LOGGER_OPTIONS.stackTrace,
  timeFormat: LOGGER_OPTIONS.timeFormat,
  ecs: LOGGER_OPTIONS.ecs,
  sampling: LOGGER_OPTIONS.sampling,
  limits: LOGGER_OPTIONS.limits,
  fields: LOGGER_OPTIONS.fields,
  enrich: LOGGER_OPTIONS.enrich,
  redact: LOGGER_OPTIONS.redact,
  bufferOnFailure: LOGGER_OPTIONS.bufferOnFailure,
  probes: PROBES,
};
