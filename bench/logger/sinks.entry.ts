export { fileSink } from '../../libs/logx/src/sinks/file-sink.js';
