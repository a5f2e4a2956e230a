import type { Mistakes } from '@apix/contracts';
import {
  type AnyTable,
  FLAG,
  objectWith,
  optionPath,
  type ReadOptions,
  TEXT,
} from '@apix/contracts/internal';
import { LAYOUT } from '../encode/console-layout.js';
import { FORMAT } from '../encode/own-format.js';
import { TIME_FORMAT, TIME_FORMAT_LIST } from '../encode/time-format.js';
import type { Level } from '../levels/level.js';
import { LEVEL } from '../levels/level-option.js';
import type { SinkSpec } from './sink.js';
import { EMPTY_RANGE, isEmptyRange, NO_LAYOUT, optionalParts } from './spec-parts.js';

/** A sink that is checked and not open yet. */
export interface OpenableSink extends SinkSpec {
  readonly minLevel?: Level;
  readonly maxLevel?: Level;
}

const SPEC_OPTIONS = {
  kind: TEXT,
  format: FORMAT,
  minLevel: LEVEL,
  maxLevel: LEVEL,
  color: FLAG,
  layout: LAYOUT,
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
  const read = readMembers(spec, at, mistakes);
  const { kind, format, minLevel, maxLevel, layout } = read;
  if (layout !== undefined && format !== 'console') mistakes.add(at, NO_LAYOUT);
  if (isEmptyRange(minLevel, maxLevel)) mistakes.add(at, EMPTY_RANGE);
  if (kind === undefined || format === undefined) return [];
  // Spreading an object with methods would lose `open`.
  return [{ kind, format, ...optionalParts(read), open: (context) => spec.open(context) }];
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
