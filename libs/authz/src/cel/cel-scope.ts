import type { DescEnum, DescMessage } from '@bufbuild/protobuf';
import type { CelType } from './cel-type.js';

/** What an expression may read: names, with their types. */
export interface CelScope {
  /** Variables by name. A name with dots, such as `a.b`, is allowed; the longest name that fits is taken. */
  readonly variables: ReadonlyMap<string, CelType>;
  /** Messages and enums by full name, such as those of the descriptor set. Well-known types need not be there. */
  readonly types: (fullName: string) => DescMessage | DescEnum | undefined;
  /** Expressions that others use by name like variables; they may use each other, not in a circle. Default: none. */
  readonly definitions?: ReadonlyMap<string, string>;
  /** The package in which names of types are looked up first, as in a `.proto` file. Default: '', full names only. */
  readonly container?: string;
  /** The number of steps after which an evaluation ends with an error. Default: 100000 */
  readonly maxSteps?: number;
}

/** A mistake in an expression, for its author. Line and column begin at 1; a column counts UTF-16 code units. */
export interface CelMistake {
  readonly message: string;
  readonly line: number;
  readonly column: number;
  /** The name of the definition in which the mistake is; undefined: in the expression itself. */
  readonly definition?: string;
}

/**
 * Values of variables by name. A message is a protobuf-es message of the declared type; a list an array (or a
 * Set); a map a plain object, a Map or a Struct; an int a bigint or a whole number; a uint as well; a timestamp a
 * Timestamp or a Date. A `dyn` is one of these or JSON, whose numbers are doubles. A name that is missing is an error
 * where it is read.
 */
export type CelValues = Readonly<Record<string, unknown>>;

/** A checked and compiled expression. */
export interface CompiledExpression {
  readonly source: string;
  readonly type: CelType;
  /** Variables that it reads, and paths of fields of them: `resource`, `resource.customer`. */
  readonly reads: ReadonlySet<string>;
  /** The definitions that it uses, also those that others use. */
  readonly definitions: ReadonlySet<string>;
  /** The most steps that it takes if no list or map of the values has more than 100 entries. */
  readonly cost: number;
  /** The value, or a CelError: see `isCelError`. Never throws, whatever the values do. */
  evaluate(values: CelValues): unknown;
}

/** The shape of `compileExpression`: all mistakes at once, or the expression. */
export type CompileExpression = (
  source: string,
  scope: CelScope,
) => CompiledExpression | readonly CelMistake[];

/** Whether compiling gave mistakes. */
export function areMistakes(
  compiled: object | readonly CelMistake[],
): compiled is readonly CelMistake[] {
  return Array.isArray(compiled);
}
