import { CEL, celList, celMap, type CelType } from '../cel-type.js';
import { TIME_PARTS } from '../values/time-parts.js';
import * as arithmetic from './arithmetic.js';
import * as convert from './convert.js';
import * as order from './order.js';
import * as text from './text.js';
import { timePart } from './time-functions.js';

/** One signature, for the checker. */
export interface CelOverload {
  /** Called as `a.f(b)`; `a` is the first of `args`. */
  readonly member: boolean;
  readonly args: readonly CelType[];
  readonly result: CelType;
}

/** A function of CEL: what the checker takes, and what it does with values, errors excepted. */
export interface CelFunction {
  readonly name: string;
  readonly overloads: readonly CelOverload[];
  /** Absent for what the compiler does itself: logic, equality, `in`, index. */
  readonly run?: (a: unknown, b: unknown, c: unknown) => unknown;
}

const { bool, int, uint, double, string, bytes, dyn, timestamp, duration } = CEL;
const A: CelType = { kind: 'param', name: 'A' };
const B: CelType = { kind: 'param', name: 'B' };
const TYPE_OF_A: CelType = { kind: 'type', of: A };

function plain(args: readonly CelType[], result: CelType): CelOverload {
  return { member: false, args, result };
}

function member(args: readonly CelType[], result: CelType): CelOverload {
  return { member: true, args, result };
}

function same(types: readonly CelType[]): readonly CelOverload[] {
  return types.map((type) => plain([type, type], type));
}

function from(types: readonly CelType[], result: CelType): readonly CelOverload[] {
  return types.map((type) => plain([type], result));
}

const NUMBERS = [int, uint, double];
const ORDERED = [bool, int, uint, double, string, bytes, timestamp, duration];
const COMPARISONS = [
  ...ORDERED.map((type) => plain([type, type], bool)),
  ...NUMBERS.flatMap((left) =>
    NUMBERS.filter((right) => right !== left).map((right) => plain([left, right], bool)),
  ),
];
const SIZED = [string, bytes, celList(A), celMap(A, B)];

const TABLE: readonly CelFunction[] = [
  { name: '_?_:_', overloads: [plain([bool, A, A], A)] },
  { name: '_&&_', overloads: [plain([bool, bool], bool)] },
  { name: '_||_', overloads: [plain([bool, bool], bool)] },
  { name: '!_', overloads: [plain([bool], bool)] },
  { name: '_==_', overloads: [plain([A, A], bool)] },
  { name: '_!=_', overloads: [plain([A, A], bool)] },
  {
    name: '@in',
    overloads: [plain([A, celList(A)], bool), plain([A, celMap(A, B)], bool)],
  },
  {
    name: '_[_]',
    overloads: [plain([celList(A), int], A), plain([celMap(A, B), A], B)],
  },
  { name: '_<_', overloads: COMPARISONS, run: order.less },
  { name: '_<=_', overloads: COMPARISONS, run: order.lessOrEqual },
  { name: '_>_', overloads: COMPARISONS, run: order.greater },
  { name: '_>=_', overloads: COMPARISONS, run: order.greaterOrEqual },
  {
    name: '_+_',
    overloads: [
      ...same([bytes, double, duration, int, celList(A), string, uint]),
      plain([duration, timestamp], timestamp),
      plain([timestamp, duration], timestamp),
    ],
    run: arithmetic.add,
  },
  {
    name: '_-_',
    overloads: [
      ...same([double, duration, int, uint]),
      plain([timestamp, timestamp], duration),
      plain([timestamp, duration], timestamp),
    ],
    run: arithmetic.subtract,
  },
  { name: '_*_', overloads: same(NUMBERS), run: arithmetic.multiply },
  { name: '_/_', overloads: same(NUMBERS), run: arithmetic.divide },
  { name: '_%_', overloads: same([int, uint]), run: arithmetic.modulo },
  { name: '-_', overloads: [plain([int], int), plain([double], double)], run: arithmetic.negate },
  {
    name: 'size',
    overloads: SIZED.flatMap((type) => [plain([type], int), member([type], int)]),
    run: text.size,
  },
  { name: 'contains', overloads: [member([string, string], bool)], run: text.contains },
  { name: 'startsWith', overloads: [member([string, string], bool)], run: text.startsWith },
  { name: 'endsWith', overloads: [member([string, string], bool)], run: text.endsWith },
  {
    name: 'matches',
    overloads: [member([string, string], bool), plain([string, string], bool)],
    run: text.matches,
  },
  {
    name: 'int',
    overloads: from([int, uint, double, string, timestamp, duration], int),
    run: convert.toIntFunction,
  },
  { name: 'uint', overloads: from([uint, int, double, string], uint), run: convert.toUintFunction },
  { name: 'double', overloads: from([double, int, uint, string], double), run: convert.toDouble },
  { name: 'bool', overloads: from([bool, string], bool), run: convert.toBool },
  { name: 'bytes', overloads: from([bytes, string], bytes), run: convert.toBytes },
  {
    name: 'string',
    overloads: from([string, bool, int, uint, double, bytes, timestamp, duration], string),
    run: convert.toText,
  },
  {
    name: 'timestamp',
    overloads: from([timestamp, string, int], timestamp),
    run: convert.toTimestamp,
  },
  {
    name: 'duration',
    overloads: from([duration, string, int], duration),
    run: convert.toDuration,
  },
  { name: 'type', overloads: [plain([A], TYPE_OF_A)], run: convert.toType },
  { name: 'dyn', overloads: [plain([A], dyn)], run: (a) => a },
  ...Object.keys(TIME_PARTS).map((name) => ({
    name,
    overloads: [
      member([timestamp], int),
      member([timestamp, string], int),
      ...(/Hours|Minutes|Seconds|Milliseconds/.test(name) ? [member([duration], int)] : []),
    ],
    run: timePart(name),
  })),
];

/** The functions, operators included, by the name that the parser gives them. */
export const CEL_FUNCTIONS: ReadonlyMap<string, CelFunction> = new Map(
  TABLE.map((row) => [row.name, row]),
);
