import type { Mistakes } from '@apix/contracts';
import { TIME_FORMAT } from '../encode/time-format.js';
import type { Level } from '../levels/level.js';
import { LEVEL } from '../levels/level-option.js';
import { FLAG, objectWith, optionPath, TEXT } from '../options/option.js';
import type { AnyTable, ReadOptions } from '../options/option-table.js';
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
} satisfies AnyTable;

const SPEC = objectWith<SinkSpec>('a sink, such as consoleSink()', 'open');

/** A sink as it is given to a logger, which may be made by hand; empty where it is wrong. */
export function checkedSpec(
  sink: unknown,
  at: string,
  mistakes: Mistakes,
): readonly OpenableSink[] {
  const spec = SPEC.read(sink, at, mistakes);
  if (spec === undefined) return [];
  const { kind, format, minLevel, color, timeFormat } = readMembers(spec, at, mistakes);
  if (kind === undefined || format === undefined) return [];
  return [
    {
      kind,
      format,
      ...(minLevel === undefined ? {} : { minLevel }),
      ...(color === undefined ? {} : { color }),
      ...(timeFormat === undefined ? {} : { timeFormat }),
      // Of an object with methods a spread would lose it.
      open: (context) => spec.open(context),
    },
  ];
}

/** A sink may have members of its own beside these, so names are not checked. */
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
