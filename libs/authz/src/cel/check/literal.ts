import { CEL, type CelType } from '../cel-type.js';
import { CelUint } from '../values/cel-value.js';
import type { ParsedKind } from './parse-source.js';

interface Literal {
  readonly type: CelType;
  readonly value: unknown;
}

/** The type and the value of a literal, or what is wrong with it. */
export function literalOf({ constantKind }: ParsedKind<'constExpr'>): Literal | string {
  switch (constantKind.case) {
    case 'boolValue':
      return { type: CEL.bool, value: constantKind.value };
    case 'int64Value': {
      const { value } = constantKind;
      if (BigInt.asIntN(64, value) !== value) return `${value} is not an int: it is beyond 64 bits`;
      return { type: CEL.int, value };
    }
    case 'uint64Value': {
      const { value } = constantKind;
      if (BigInt.asUintN(64, value) !== value)
        return `${value} is not a uint: it is beyond 64 bits`;
      return { type: CEL.uint, value: new CelUint(value) };
    }
    case 'doubleValue':
      if (!Number.isFinite(constantKind.value)) return 'this literal is beyond the doubles';
      return { type: CEL.double, value: constantKind.value };
    case 'stringValue':
      return { type: CEL.string, value: constantKind.value };
    case 'bytesValue':
      return { type: CEL.bytes, value: constantKind.value };
    case 'nullValue':
      return { type: CEL.null, value: null };
    case 'durationValue':
    case 'timestampValue':
    case undefined:
      return 'this literal is not supported';
  }
}
