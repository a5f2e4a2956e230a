import type { Mistakes } from '@apix/contracts';
import { type Level, parseLevel } from '../levels/level.js';
import { ROTATION_INTERVALS, type Rotation } from '../sinks/rotation.js';
import { type Format, FORMATS } from '../sinks/sink.js';
import type { StandardStream } from '../sinks/standard-sinks.js';
import { decodeOptions, type OptionsDecoder } from './decode-options.js';
import { type Fields, isRecord } from './fields.js';

const BUILT_IN = ['console', 'stdout', 'stderr', 'file'] as const;
const TARGETS: readonly StandardStream[] = ['stdout', 'stderr'];

export type BuiltInType = (typeof BUILT_IN)[number];

/** The built-in type that a name stands for, in any case; undefined for other names. */
export function builtInType(name: string): BuiltInType | undefined {
  return BUILT_IN.find((type) => type === name.toLowerCase());
}

/** One entry of `sinks`, checked; what a factory of a registered type gets. */
export class SinkEntry {
  readonly type: string;
  readonly target: StandardStream | undefined;
  /** Of a file; empty for other types. */
  readonly path: string;
  readonly level: Level | undefined;
  readonly format: Format | undefined;
  readonly noColor: boolean;
  readonly async: boolean | number | undefined;
  readonly rotation: Rotation | undefined;
  /** As it stands in the document; empty when there is none. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Where the entry stands in the document, such as `sinks[1]`. */
  readonly location: string;
  /** False where mistakes were found in the entry itself. */
  readonly isSound: boolean;

  constructor(fields: Fields, mistakes: Mistakes) {
    const before = mistakes.found.length;
    this.location = fields.path;
    this.type = fields.text('type') ?? '';
    this.level = fields.parsedText('level', parseLevel);
    this.format = fields.oneOf('format', FORMATS);
    this.noColor = fields.flag('noColor') ?? false;
    const builtIn = builtInType(this.type);
    this.target = builtIn === 'console' ? fields.oneOf('target', TARGETS) : undefined;
    this.path = builtIn === 'file' ? (fields.text('path') ?? '') : '';
    this.rotation = builtIn === 'file' ? readRotation(fields.within('rotation')) : undefined;
    this.async = builtIn ? fields.parsed('async', readAsync) : undefined;
    const options = builtIn ? undefined : fields.raw('options');
    this.options = isRecord(options) ? options : {};
    if (fields.raw('type') === undefined) fields.mistake('type', 'is required');
    if (builtIn === 'file' && fields.raw('path') === undefined) {
      fields.mistake('path', 'is required for a file');
    }
    if (options !== undefined && !isRecord(options)) {
      fields.mistake('options', 'must be an object');
    }
    fields.refuseOthers();
    this.isSound = mistakes.found.length === before;
  }

  /**
   * The entry's `options` as a typed value, checked by a Standard Schema or read field by field.
   *
   * @throws an error when they are wrong; let it pass: it becomes part of the one error that
   * lists every mistake of the document with its path.
   */
  decodeOptions<T>(decoder: OptionsDecoder<T>): T {
    return decodeOptions(this.options, `${this.location}.options`, decoder);
  }
}

function readAsync(value: unknown): boolean | number {
  if (typeof value === 'boolean' || Number.isInteger(value)) return value as boolean | number;
  throw new TypeError('must be true, false or an integer');
}

function readRotation(fields: Fields | undefined): Rotation | undefined {
  if (fields === undefined) return undefined;
  const rotation = {
    maxSizeMB: fields.amount('maxSizeMB'),
    maxBackups: fields.amount('maxBackups'),
    maxAgeDays: fields.amount('maxAgeDays'),
    compress: fields.flag('compress'),
    localTime: fields.flag('localTime'),
    every: fields.oneOf('every', ROTATION_INTERVALS),
  };
  fields.refuseOthers();
  return rotation;
}
