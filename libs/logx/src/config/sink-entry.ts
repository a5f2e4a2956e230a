import type { Mistakes } from '@apix/contracts';
import { FLAG, isRecord, option, type ReadOptions } from '@apix/contracts/internal';
import type { Encoder } from '../encode/encoder.js';
import type { Level } from '../levels/level.js';
import {
  chosenFormat,
  chosenLayout,
  DESCRIPTORS,
  type FormatChoice,
} from '../sinks/auto-format.js';
import { FILE_PATH, FILE_SINK_OPTIONS } from '../sinks/file-sink.js';
import type { Rotation } from '../sinks/rotation.js';
import type { Format } from '../sinks/sink.js';
import { GATHER, SINK_OPTIONS } from '../sinks/sink-options.js';
import { EMPTY_RANGE, isEmptyRange } from '../sinks/spec-parts.js';
import { CONSOLE_SINK_OPTIONS, type StandardStream } from '../sinks/standard-sinks.js';
import { decodeOptions, type OptionsDecoder } from './decode-options.js';
import type { Fields } from './fields.js';

const BUILT_IN = ['console', 'stdout', 'stderr', 'file'] as const;

export type BuiltInType = (typeof BUILT_IN)[number];

/**
 * The members of an entry of any type in addition to the type, with the names of a sink's options in code.
 */
export const ENTRY_OPTIONS = {
  level: SINK_OPTIONS.minLevel,
  minLevel: SINK_OPTIONS.minLevel,
  maxLevel: SINK_OPTIONS.maxLevel,
  format: SINK_OPTIONS.format,
  layout: SINK_OPTIONS.layout,
  noColor: FLAG,
};

const { async } = SINK_OPTIONS;

/** The further members of an entry, by its type. */
export const BUILT_IN_OPTIONS = {
  console: { target: CONSOLE_SINK_OPTIONS.target, async, gather: GATHER },
  stdout: { async, gather: GATHER },
  stderr: { async, gather: GATHER },
  file: { async, gather: GATHER, path: FILE_PATH, rotation: FILE_SINK_OPTIONS.rotation },
};

/** The same for the types that were registered. */
export const TYPE_OPTIONS = {
  options: option<Readonly<Record<string, unknown>>>('an object', isRecord, { type: 'object' }),
};

type OwnSettings = ReadOptions<
  (typeof BUILT_IN_OPTIONS)['console'] & (typeof BUILT_IN_OPTIONS)['file'] & typeof TYPE_OPTIONS
>;

/** The built-in type with a name, in any case; undefined for other names. */
export function builtInType(name: string): BuiltInType | undefined {
  return BUILT_IN.find((type) => type === name.toLowerCase());
}

/** The format of an entry; a registered type has a default of its own, which is that of `auto` too. */
function formatOf(
  format: FormatChoice | undefined,
  type: BuiltInType | undefined,
  target: StandardStream = 'stdout',
): Format | Encoder | undefined {
  if (type === undefined) return format === 'auto' ? undefined : format;
  if (type === 'file') return chosenFormat(format);
  return chosenFormat(format, DESCRIPTORS[type === 'stderr' ? type : target]);
}

/** One valid entry of `sinks`, which is passed to the factory of a registered type. */
export class SinkEntry {
  readonly type: string;
  readonly target: StandardStream | undefined;
  /** The path of a file sink; empty for other types. */
  readonly path: string;
  readonly level: Level | undefined;
  readonly maxLevel: Level | undefined;
  readonly format: Format | Encoder | undefined;
  readonly layout: string | undefined;
  readonly noColor: boolean;
  readonly async: boolean | number | undefined;
  readonly gather: number | undefined;
  readonly rotation: Rotation | undefined;
  /** As it is in the document; empty if there is none. */
  readonly options: Readonly<Record<string, unknown>>;
  /** The path of the entry in the document, such as `sinks[1]`. */
  readonly location: string;
  /** False if the entry itself has mistakes. */
  readonly isSound: boolean;

  constructor(fields: Fields, mistakes: Mistakes) {
    const before = mistakes.found.length;
    this.location = fields.path;
    this.type = fields.text('type') ?? '';
    const common = fields.readAll(ENTRY_OPTIONS);
    this.level = common.level ?? common.minLevel;
    if (fields.raw('level') !== undefined && fields.raw('minLevel') !== undefined) {
      fields.mistake('minLevel', 'cannot be given together with level, which is the same');
    }
    this.maxLevel = common.maxLevel;
    this.noColor = common.noColor ?? false;
    const builtIn = builtInType(this.type);
    const own: OwnSettings = fields.readAll(builtIn ? BUILT_IN_OPTIONS[builtIn] : TYPE_OPTIONS);
    this.target = own.target;
    this.format = formatOf(common.format, builtIn, own.target);
    this.layout = chosenLayout(common.layout, common.format, this.format);
    this.path = own.path ?? '';
    this.rotation = own.rotation;
    this.async = own.async;
    this.gather = own.gather;
    this.options = own.options ?? {};
    if (fields.raw('type') === undefined) fields.mistake('type', 'is required');
    if (builtIn === 'file' && fields.raw('path') === undefined) {
      fields.mistake('path', 'is required for a file');
    }
    if (isEmptyRange(this.level, this.maxLevel)) fields.mistake('', EMPTY_RANGE);
    fields.refuseOthers();
    this.isSound = mistakes.found.length === before;
  }

  /**
   * The entry's `options` as a typed value, checked by a Standard Schema or read field by field.
   *
   * @throws an error when they are wrong; do not catch it: it becomes part of the one error that lists
   *   every mistake of the document with its path.
   */
  decodeOptions<T>(decoder: OptionsDecoder<T>): T {
    return decodeOptions(this.options, `${this.location}.options`, decoder);
  }
}
