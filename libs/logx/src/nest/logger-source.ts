import { Mistakes, OptionsError, shownValue } from '@apix/contracts';
import {
  isPromiseLike,
  FLAG,
  isRecord,
  objectWith,
  option,
  refuseUnknown,
  TEXT,
} from '@apix/contracts/internal';
import { Config } from '../config/config.js';
import { configOf, loadConfigFile } from '../config/load-config.js';
import { readGrpcOptions } from '../grpc/grpc-options.js';
import { readHttpOptions } from '../http/http-options.js';
import { createLogger, loggerWith } from '../logger/create-logger.js';
import type { Logger } from '../logger/logger.js';
import { LOGGER_OPTIONS } from '../logger/option-tables.js';
import { resolveOptions } from '../logger/resolve-options.js';
import type { DoorOptions } from '../request/door-options.js';
import { readMessageOptions } from '../request/message-options.js';
import { type ProbeLog, PROBES } from '../request/request-level.js';
import { WIRING } from './nest-wiring.js';
import type { LogxConfig, LogxDoors, LogxModuleOptions } from './logx-module-options.js';

const LOGGER = objectWith<Logger>(
  'a logger, such as createLogger()',
  'information',
  'forContext',
  'close',
);

const DOCUMENT = option<LogxConfig>(
  'a function or a Config',
  (value) => typeof value === 'function' || value instanceof Config,
);

/** Options of the entry points and of Nest's lines, which can be set with every source. */
const WITH_ANY_SOURCE = ['http', 'grpc', 'messages', 'probes', 'wiring'] as const;

/** The options that name the source of the logger; at most one of them may be set. */
const SOURCES = ['logger', 'configFile', 'config'] as const;
const NAMES = [...Object.keys(LOGGER_OPTIONS), 'render', ...SOURCES, ...WITH_ANY_SOURCE];

/**
 * The logger that the options describe.
 *
 * @throws ConfigError for a wrong document, OptionsError that lists every wrong option, including those
 *   of `http`, `grpc` and `messages`, Error if a sink cannot be opened.
 */
export function loggerOf(options: LogxModuleOptions): Logger {
  const mistakes = new Mistakes();
  if (!isRecord(options)) mistakes.add('', `must be an object, not ${shownValue(options)}`);
  const given: Partial<LogxModuleOptions> = isRecord(options) ? options : {};
  const { http, grpc, messages, probes, wiring, logger, configFile, config } = given;
  if (http !== false) readHttpOptions(http, 'http', mistakes);
  if (grpc !== false) readGrpcOptions(grpc, 'grpc', mistakes);
  if (messages !== false) readMessageOptions(messages, 'messages', mistakes);
  if (probes !== undefined) PROBES.read(probes, 'probes', mistakes);
  if (wiring !== undefined) WIRING.read(wiring, 'wiring', mistakes);
  refuseUnknown(given, NAMES, '', mistakes);
  if (logger !== undefined) LOGGER.read(logger, 'logger', mistakes);
  if (configFile !== undefined) TEXT.read(configFile, 'configFile', mistakes);
  if (config !== undefined) DOCUMENT.read(config, 'config', mistakes);
  const source = SOURCES.find((name) => given[name] !== undefined);
  if (source !== undefined) refuseBeside(source, given, mistakes);
  if (source === undefined)
    return created(loggerWith(resolveOptions(loggerOptions(given, mistakes), mistakes)));
  mistakes.throwIfAny((found) => new OptionsError('logx', found));
  return logger ?? created(createLogger(documentOf(given)!.options()));
}

const own = new WeakSet<Logger>();

function created(logger: Logger): Logger {
  own.add(logger);
  return logger;
}

/** Whether the module has created a logger; others, such as that of a test, belong to other code. */
export function isCreatedHere(logger: Logger): boolean {
  return own.has(logger);
}

/**
 * The options of the request logs: how probes are logged is set by the entry point, by the module, or by
 * its configuration document.
 *
 * @throws ConfigError for a wrong document.
 */
export function doorsOf(options: LogxModuleOptions): LogxDoors {
  const { http = {}, grpc = {} } = options;
  const probes = options.probes ?? documentOf(options)?.probes;
  if (!probes) return { http, grpc };
  return { http: http && withProbes(http, probes), grpc: grpc && withProbes(grpc, probes) };
}

function withProbes<T extends DoorOptions>(door: T, probes: ProbeLog): T {
  return door.skipProbes === undefined ? { probes, ...door } : door;
}

/**
 * The current document that the options name; undefined if they name none.
 *
 * @throws ConfigError for a wrong document, Error for a file that cannot be read.
 */
export function documentOf({
  configFile,
  config,
}: Partial<Pick<LogxModuleOptions, 'configFile' | 'config'>>): Config | undefined {
  if (config !== undefined) {
    const document: unknown = config instanceof Config ? config : (config() ?? {});
    if (document instanceof Config) return document.check();
    if (!isPromiseLike(document)) return configOf(document);
    throw new OptionsError('logx', [
      'config: must return the document itself, not a promise of it',
    ]);
  }
  return configFile === undefined ? undefined : loadConfigFile(configFile);
}

/** A logger that already exists, or that a document describes, has its options already. */
function refuseBeside(source: string, given: Partial<LogxModuleOptions>, mistakes: Mistakes): void {
  for (const name of NAMES) {
    if (name === source || WITH_ANY_SOURCE.some((one) => one === name)) continue;
    if (given[name as keyof LogxModuleOptions] === undefined) continue;
    mistakes.add(name, `cannot be given together with ${source}, which has its own`);
  }
}

/** The options of the logger itself; `render` is the name of `renderedMessage` in a document. */
function loggerOptions(given: Partial<LogxModuleOptions>, mistakes: Mistakes): object {
  const own = Object.fromEntries(
    Object.keys(LOGGER_OPTIONS).map((name) => [name, given[name as keyof LogxModuleOptions]]),
  );
  const { render } = given;
  if (render === undefined) return own;
  const read = FLAG.read(render, 'render', mistakes);
  if (own['renderedMessage'] !== undefined) {
    mistakes.add('render', 'cannot be given together with renderedMessage, which is the same');
  }
  return { ...own, renderedMessage: read };
}
