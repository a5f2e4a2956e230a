export { LogxLoggerService } from '../../libs/logx/src/nest/logx-logger.service.js';
export { createLogger } from '../../libs/logx/src/logger/create-logger.js';
export { customSink } from '../../libs/logx/src/sinks/custom-sink.js';
export { fileSink } from '../../libs/logx/src/sinks/file-sink.js';
export { stdoutSink } from '../../libs/logx/src/sinks/standard-sinks.js';
