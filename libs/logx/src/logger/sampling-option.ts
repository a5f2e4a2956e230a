import { type Clock, type Duration, type Mistakes, shownValue } from '@apix/contracts';
import {
  duration,
  isRecord,
  type Option,
  type OptionTable,
  readOptions,
  schemasOf,
  wholeNumber,
} from '@apix/contracts/internal';
import { burstLimit, everyN, type Sampler } from './sampling.js';

/** A sampler as data, as in a configuration document: `{ every: 10 }` or `{ burst: 100, period: '1s' }`. */
export interface SamplingOptions {
  /** Logs the first of every so many events: `everyN`. Default: none; there is a `burst` then. */
  readonly every?: number | undefined;
  /** Logs up to so many events in each `period`: `burstLimit`. Default: none; there is `every` then. */
  readonly burst?: number | undefined;
  /** Required with `burst`, such as `'1s'`. Default: none. */
  readonly period?: Duration | undefined;
  /** Asked about the events beyond `burst`. Default: these are dropped. */
  readonly next?: SamplingOptions | undefined;
}

/** A document may contain itself, by an anchor of YAML. */
const MAX_DEPTH = 8;

const COUNT = wholeNumber({ min: 0 });
const PERIOD = duration({ min: Number.MIN_VALUE });

function tableAt(depth: number): OptionTable<SamplingOptions> {
  return { every: COUNT, burst: COUNT, period: PERIOD, next: nextAt(depth + 1) };
}

function nextAt(depth: number): Option<SamplingOptions> {
  return {
    schema: { type: 'object' },
    read: (value, at, mistakes) => readSampling(value, at, mistakes, depth),
  };
}

function readSampling(
  value: unknown,
  at: string,
  mistakes: Mistakes,
  depth: number,
): SamplingOptions | undefined {
  if (depth > MAX_DEPTH) {
    mistakes.add(at, `must not be nested more than ${MAX_DEPTH} times`);
    return undefined;
  }
  if (!isRecord(value)) {
    mistakes.add(at, `must be a sampler, such as { every: 10 }, not ${shownValue(value)}`);
    return undefined;
  }
  const before = mistakes.found.length;
  const read = readOptions(tableAt(depth), value, at, mistakes) as SamplingOptions;
  const { every, burst, period, next } = read;
  if (mistakes.found.length > before) return undefined;
  const isBurst = burst !== undefined && period !== undefined && every === undefined;
  const isEvery = every !== undefined && burst === undefined && period === undefined && !next;
  if (!isBurst && !isEvery) mistakes.add(at, 'must have either every, or burst and period');
  return read;
}

/** A sampler of your own, or one as data. */
export const SAMPLING: Option<Sampler | SamplingOptions> = {
  schema: {
    type: 'object',
    additionalProperties: false,
    properties: schemasOf(tableAt(0)),
    oneOf: [{ required: ['every'] }, { required: ['burst', 'period'] }],
  },
  read: (value, at, mistakes) => (isSampler(value) ? value : readSampling(value, at, mistakes, 0)),
};

/** The sampler that the option describes. */
export function samplerOf(option: Sampler | SamplingOptions, clock: Clock): Sampler {
  if (isSampler(option)) return option;
  const { every, burst = 0, period = 0, next } = option;
  if (every !== undefined) return everyN(every);
  return burstLimit(burst, period, next && samplerOf(next, clock), clock);
}

function isSampler(value: unknown): value is Sampler {
  const isObject = (typeof value === 'object' && value !== null) || typeof value === 'function';
  return isObject && typeof (value as Partial<Sampler>).sample === 'function';
}
