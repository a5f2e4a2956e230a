import type { DescField, DescMessage } from '@bufbuild/protobuf';
import type { CelType } from '../cel-type.js';
import type { CelFunction } from '../functions/function-table.js';

/** A checked part of an expression; macros and definitions are parts of their own. */
export type CelNode = {
  /** Where it is in its source: a count of UTF-16 code units. */
  readonly at: number;
  /** Settled, without parameters, once all of the expression is checked. */
  type: CelType;
} & CelNodeKind;

export type CelNodeKind =
  | { readonly kind: 'constant'; readonly value: unknown }
  | { readonly kind: 'variable'; readonly name: string }
  | { readonly kind: 'local'; readonly slot: number }
  | { readonly kind: 'definition'; readonly name: string; readonly body: CelNode }
  /** `a.b`, or `has(a.b)` with `test`. */
  | {
      readonly kind: 'select';
      readonly operand: CelNode;
      readonly field: string;
      readonly test: boolean;
    }
  | { readonly kind: 'call'; readonly callee: CelFunction; readonly args: readonly CelNode[] }
  | { readonly kind: 'list'; readonly elements: readonly CelNode[] }
  | { readonly kind: 'map'; readonly entries: readonly (readonly [CelNode, CelNode])[] }
  | {
      readonly kind: 'message';
      readonly desc: DescMessage;
      readonly fields: readonly { readonly field: DescField; readonly value: CelNode }[];
    }
  | CelMacroNode
  /** What a mistake leaves, so that the rest is checked too. */
  | { readonly kind: 'invalid'; readonly message: string };

/** `all`, `exists` and `existsOne` of a test; `list` is `map` and `filter`: a step for what passes the test. */
export interface CelMacroNode {
  readonly kind: 'macro';
  readonly macro: 'all' | 'exists' | 'existsOne' | 'list';
  readonly range: CelNode;
  /** Where the element is kept while the body runs. */
  readonly slot: number;
  readonly test: CelNode | undefined;
  readonly step: CelNode | undefined;
}
