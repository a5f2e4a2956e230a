import type { Mistakes } from '@apix/contracts';
import {
  type AnyTable,
  FLAG,
  objectWith,
  optionPath,
  type ReadOptions,
  TEXT,
} from '@apix/contracts/options';
import { TIME_FORMAT, TIME_FORMAT_LIST } from '../encode/time-format.js';
import type { Level } from '../levels/level.js';
import { LEVEL } from '../levels/level-option.js';
import type { SinkSpec } from './sink.js';
import { FORMAT } from './sink-options.js';

/** A sink that is checked and not open yet. */
export interface OpenableSink extends SinkSpec {
  readonly minLevel?: Level;
}

const SPEC_OPTIONS = {
  kind: TEXT,
  format: FORMAT,
  minLevel: LEVEL,
  color: FLAG,
  timeFormat: TIME_FORMAT,
  timeFormats: TIME_FORMAT_LIST,
} satisfies AnyTable;

const SPEC = objectWith<SinkSpec>('a sink, such as consoleSink()', 'open');

/** A sink given to a logger, which may be written by hand; an empty list if it is wrong. */
export function checkedSpec(
  sink: unknown,
  at: string,
  mistakes: Mistakes,
): readonly OpenableSink[] {
  const spec = SPEC.read(sink, at, mistakes);
  if (spec === undefined) return [];
  const { kind, format, minLevel, color, timeFormat, timeFormats } = readMembers(
    spec,
    at,
    mistakes,
  );
  if (kind === undefined || format === undefined) return [];
  return [
    {
      kind,
      format,
      ...(minLevel === undefined ? {} : { minLevel }),
      ...(color === undefined ? {} : { color }),
      ...(timeFormat === undefined ? {} : { timeFormat }),
      ...(timeFormats === undefined ? {} : { timeFormats }),
      // Spreading an object with methods would lose `open`.
      open: (context) => spec.open(context),
    },
  ];
}

/** A sink may have its own members in addition to these, so names are not checked. */
function readMembers(
  spec: SinkSpec,
  at: string,
  mistakes: Mistakes,
): ReadOptions<typeof SPEC_OPTIONS> {
  const read: Record<string, unknown> = {};
  for (const [name, { read: readOne }] of Object.entries(SPEC_OPTIONS)) {
    const value: unknown = spec[name as keyof typeof SPEC_OPTIONS];
    const isRequired = name === 'kind' || name === 'format';
    if (value === undefined && !isRequired) continue;
    read[name] = readOne(value, optionPath(at, name), mistakes);
  }
  return read;
}
