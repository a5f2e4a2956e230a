export { createConsoleLogger } from '../logger/create-console-logger.js';
export { createLogger } from '../logger/create-logger.js';
export { Level, levelName, parseLevel } from '../levels/level.js';
export { burstLimit, everyN } from '../logger/sampling.js';
export type { LevelInput, LevelName } from '../levels/level.js';
export type { Levels } from '../levels/level-tree.js';
export type { LevelRule, LevelRuleOptions } from '../levels/level-rule.js';
export type { LeveledWork, LevelPredicate } from '../levels/work-levels.js';
export type { Logger, LogMethod, LogRequest } from '../logger/logger.js';
export type { BufferOptions } from '../logger/buffer-options.js';
export type { LoggerOptions } from '../logger/logger-options.js';
export type { EcsOptions } from '../encode/ecs-options.js';
export type { Encoder, EncoderContext } from '../encode/encoder.js';
export { registerFormat } from '../encode/own-format.js';
export type { Censor, RedactOptions } from '../redact/redact-options.js';
export { SAFE_REDACTION } from '../redact/safe-redaction.js';
export type { Enricher } from '../logger/enrichers.js';
export type { Sampler } from '../logger/sampling.js';
export type { SamplingOptions } from '../logger/sampling-option.js';
export type { ValueLimits } from '../value/value-limits.js';

export {
  debug,
  debugCtx,
  error,
  errorCtx,
  fatal,
  fatalCtx,
  forContext,
  info,
  infoCtx,
  information,
  informationCtx,
  verbose,
  verboseCtx,
  warn,
  warnCtx,
  warning,
  warningCtx,
} from '../context/log-functions.js';
export { defaultLogger, setDefaultLogger } from '../context/default-logger.js';
export { addContextField, ctx, fromContext, runWithLogger } from '../context/logger-context.js';
export { newId } from '../context/new-id.js';
export type { ContextField, ContextFieldFunc } from '../context/logger-context.js';
export type { ContextSubject, MessageSubject } from '../context/work.js';

export { consoleSink, stderrSink, stdoutSink } from '../sinks/standard-sinks.js';
export { customSink } from '../sinks/custom-sink.js';
export { fileSink } from '../sinks/file-sink.js';
export { streamSink } from '../sinks/stream-sink.js';
export type {
  ConsoleSinkOptions,
  StandardSinkOptions,
  StandardStream,
} from '../sinks/standard-sinks.js';
export type { CustomSinkOptions } from '../sinks/custom-sink.js';
export type { FileSinkOptions } from '../sinks/file-sink.js';
export type { PinoStream } from '../sinks/pino-stream.js';
export type { Rotation, RotationInterval } from '../sinks/rotation.js';
export type { FormatChoice } from '../sinks/auto-format.js';
export type { Format, Sink, SinkContext, SinkSpec } from '../sinks/sink.js';
export type { GatheringSinkOptions, SinkOptions } from '../sinks/sink-options.js';
export type { StreamSinkOptions } from '../sinks/stream-sink.js';

export { Config } from '../config/config.js';
export { ConfigError } from '../config/config-error.js';
export { configSchema } from '../config/config-schema.js';
export {
  configOf,
  createLoggerFromConfig,
  createLoggerFromConfigFile,
  loadConfig,
  loadConfigFile,
} from '../config/load-config.js';
export { loggingSchema } from '../config/logging-schema.js';
export { registerSinkType } from '../config/sink-types.js';
export type { ConfigDocument, SinkDocument } from '../config/config-document.js';
export type { ConfigReader } from '../config/load-config.js';
export type { ConfigSettings } from '../config/config-settings.js';
export type { OptionsDecoder, StandardSchema } from '../config/decode-options.js';
export type { Fields } from '../config/fields.js';
export type { SinkEntry } from '../config/sink-entry.js';
export type { SinkFactory } from '../config/sink-types.js';

export { isTimeFormatName, parseTimeFormat, TIME_FORMATS } from '../encode/time-format.js';
export type { TimeFormat, TimeFormatName } from '../encode/time-format.js';
export type { EventKind } from '../event/event.js';
export type { Boundary } from '../event/caller.js';
export type { Caller, LogEvent } from '../event/log-event.js';
export type { FieldValue } from '../value/field-value.js';

export { logStage } from '../grpc/log-stage.js';
export { httpMiddleware } from '../http/http-middleware.js';
export type { GrpcLogOptions } from '../grpc/grpc-options.js';
export type { CodeName } from '../request/code-level.js';
export type { GrpcOutcome } from '../grpc/grpc-outcome.js';
export type { HttpLogOptions, HttpStatusKey } from '../http/http-options.js';
export type { HttpOutcome } from '../http/http-outcome.js';
export { addToRequest, assign } from '../request/assign.js';
export { workScope } from '../request/logger-scope.js';
export type { DoorOptions } from '../request/door-options.js';
export type { ChosenHeaders } from '../request/header-fields.js';
export type { LoggedOutcome } from '../request/level-rules.js';
export type { ProbeLog, RequestLevel } from '../request/request-level.js';
export type { RequestSample } from '../request/request-sample.js';
export { loggerOfRequest } from '../request/request-logger.js';

export {
  deadlineAfter,
  HEALTH_SOURCE,
  METRIC_SOURCE,
  parseDuration,
  systemClock,
  WORK_SCOPE,
} from '@apix/contracts';
export type {
  Clock,
  Deadline,
  Duration,
  HealthCheck,
  HealthSource,
  MetricReading,
  MetricSource,
  WorkScope,
} from '@apix/contracts';
