import { consoleSink } from '../sinks/standard-sinks.js';
import { fileSink } from '../sinks/file-sink.js';
import { createLogger } from '../logger/create-logger.js';
import { LogxModule } from './logx.module.js';

// What is right compiles, in the words of the options and of a document, also side by side.
LogxModule.forRoot({ level: 'info', timeFormat: 'TimeRFC3339', sinks: [consoleSink()] });
LogxModule.forRoot({ level: 'warning', render: false, sinks: [{ type: 'console' }] });
LogxModule.forRoot({ redact: ['a'], sinks: [{ type: 'console', level: 'warn' }, consoleSink()] });
LogxModule.forRoot({ sinks: [consoleSink({ minLevel: 'warning', format: 'ecs' })], http: false });
LogxModule.forRoot({ configFile: 'log.yaml', grpc: false, isGlobal: false });
LogxModule.forRoot({ config: () => ({ level: 'warn', probes: 'off' }), http: { slow: '1s' } });
LogxModule.forRoot({ logger: createLogger(), http: { startLog: true } });

// @ts-expect-error unknown time format
LogxModule.forRoot({ level: 'info', timeFormat: 'RFC3339' });
// @ts-expect-error unknown level
LogxModule.forRoot({ level: 'wraning' });
// @ts-expect-error unknown level of an entry
LogxModule.forRoot({ sinks: [{ type: 'console', level: 'loud' }] });
// @ts-expect-error unknown format of an entry
LogxModule.forRoot({ sinks: [{ type: 'console', format: 'xml' }] });
// @ts-expect-error unknown option
LogxModule.forRoot({ levl: 'info' });
// @ts-expect-error a file has its own level
LogxModule.forRoot({ configFile: 'log.yaml', level: 'debug' });
// @ts-expect-error a document has its own level
LogxModule.forRoot({ config: () => ({}), level: 'debug' });
// @ts-expect-error unknown level of a document
LogxModule.forRoot({ config: () => ({ level: 'loud' }) });
// @ts-expect-error a logger has its own level
LogxModule.forRoot({ logger: createLogger(), level: 'debug' });
// @ts-expect-error unknown time format of a factory
LogxModule.forRootAsync({ useFactory: () => ({ timeFormat: 'RFC3339' }) });

// @ts-expect-error unknown level of a sink
consoleSink({ minLevel: 'loud' });
// @ts-expect-error unknown format of a sink
fileSink('a.log', { format: 'xml' });
// @ts-expect-error unknown option of a sink
fileSink('a.log', { rotation: { evry: 'daily' } });
// @ts-expect-error unknown level of a logger
createLogger({ level: 'loud' });
