import type { DescField } from '@bufbuild/protobuf';
import type { CompiledExpression } from '../cel/cel-scope.js';
import type { Evaluate } from '../policy/compile-requirement.js';
import type { Requirement } from '../policy/requirement.js';

/** Who sees a field, ready to decide. */
export interface FieldVisibility {
  readonly field: DescField;
  readonly requirement: Requirement;
  readonly evaluate: Evaluate;
  /** Decides about the message that has the field, after the rules. Undefined: the rules alone decide. */
  readonly condition: CompiledExpression | undefined;
  /** The values of what the condition reads, for operators. */
  readonly parts: readonly CompiledExpression[];
}

/** The name by which people know a field, such as `shop.v1.Order.phone`. */
export function nameOfField({ parent, name }: DescField): string {
  return `${parent.typeName}.${name}`;
}
