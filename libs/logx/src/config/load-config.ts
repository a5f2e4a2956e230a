import fs from 'node:fs';
import { JsonError, thrownText } from '@apix/contracts';
import { readJsonText, yamlFaultText } from '@apix/contracts/internal';
import { parseDocument } from 'yaml';
import type { Logger } from '../logger/logger.js';
import { Config } from './config.js';
import type { ConfigDocument } from './config-document.js';
import { ConfigError } from './config-error.js';

/** Text that comes in parts, such as a file stream or a request. */
export type ConfigReader = AsyncIterable<string | Uint8Array>;

/**
 * Reads a configuration document, JSON or YAML.
 *
 * Sink types and their `options` are only checked by `build()` and `options()`, so that a type may
 * be registered after the document is loaded.
 *
 * @throws ConfigError that lists every mistake with its path in the document.
 */
export function loadConfig(text: string): Config;
export function loadConfig(reader: ConfigReader): Promise<Config>;
export function loadConfig(source: string | ConfigReader): Config | Promise<Config> {
  return typeof source === 'string'
    ? new Config(parse(source)).check()
    : textOf(source).then((text) => new Config(parse(text)).check());
}

/** {@link loadConfig} for a file. @throws Error if it cannot be read. */
export function loadConfigFile(path: string): Config {
  return new Config(parse(readText(path), path), path).check();
}

/**
 * Reads a document that is already an object, such as a part of the app's own configuration, with the same
 * checks as for a file. @throws ConfigError like {@link loadConfig}.
 */
export function configOf(document: unknown): Config {
  return new Config(document).check();
}

/**
 * Creates the logger that the document describes.
 *
 * @throws ConfigError for a wrong document, including wrong sink options; Error if a sink cannot be
 *   opened.
 */
export function createLoggerFromConfig(config: Config | ConfigDocument): Logger {
  return config instanceof Config ? config.build() : new Config(config).build();
}

/** {@link createLoggerFromConfig} for a file. @throws Error also if it cannot be read. */
export function createLoggerFromConfigFile(path: string): Logger {
  return new Config(parse(readText(path), path), path).build();
}

function readText(path: string): string {
  try {
    return fs.readFileSync(path, 'utf8');
  } catch (cause) {
    throw new Error(`logx: cannot read the configuration: ${thrownText(cause)}`, { cause });
  }
}

async function textOf(reader: ConfigReader): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const part of reader) {
    text += typeof part === 'string' ? part : decoder.decode(part, { stream: true });
  }
  return text + decoder.decode();
}

/** Parses a file of JSON, or else YAML 1.2; an empty document of YAML has no settings. */
function parse(text: string, source?: string): unknown {
  return source !== undefined && /\.json$/i.test(source)
    ? jsonIn(text, source)
    : yamlIn(text, source);
}

function jsonIn(text: string, source: string): unknown {
  try {
    return readJsonText(text).value;
  } catch (cause) {
    const where = cause instanceof JsonError ? `line ${cause.line}: ` : '';
    throw new ConfigError([`${where}${thrownText(cause)}`], source, { cause });
  }
}

function yamlIn(text: string, source?: string): unknown {
  const document = parseDocument(text.replace(/^\uFEFF/, ''), { prettyErrors: true, merge: true });
  const wrong = [...document.errors, ...document.warnings];
  if (wrong.length > 0) throw new ConfigError(wrong.map(yamlFaultText), source);
  try {
    // The library rejects aliases that expand without limit.
    return document.toJS() ?? {};
  } catch (cause) {
    throw new ConfigError([thrownText(cause)], source, { cause });
  }
}
