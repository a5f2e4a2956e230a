import type { DescField, DescMessage, Message } from '@bufbuild/protobuf';
import { reflect, type ReflectMessage } from '@bufbuild/protobuf/reflect';
import type { CompiledExpression } from '../cel/cel-scope.js';
import type { ResourceLoad } from './resource-load.js';

/** A condition of a requirement, ready to evaluate. */
export interface CompiledCondition {
  readonly id: string;
  /** For callers, if reasons are exposed; empty: not set. */
  readonly message: string;
  /** Of a stream of requests only the first is checked. */
  readonly firstOnly: boolean;
  readonly readsResource: boolean;
  readonly compiled: CompiledExpression;
}

/** What a condition says, with all that its meaning depends on. */
export interface ConditionMeaning {
  readonly id: string;
  readonly expression: string;
  /** The definitions that it uses, by name. */
  readonly definitions: Readonly<Record<string, string>>;
  /** The record that it reads, such as `shop.v1.Order by name`. Undefined: it reads none. */
  readonly resource?: string | undefined;
}

/** The record that conditions of a method read. */
export interface MethodResource {
  readonly desc: DescMessage;
  /** The fields that lead to its name in the request. */
  readonly path: readonly DescField[];
  /** Undefined where nothing can load it, as in the commands. */
  readonly load: ResourceLoad | undefined;
  /** Whether records are objects of the app in the shape of `desc`. */
  readonly isShape: boolean;
}

/** The conditions of a method. */
export interface MethodConditions {
  readonly method: string;
  readonly input: DescMessage;
  /** Those that read no resource come first, so that a call that they refuse loads none. */
  readonly list: readonly CompiledCondition[];
  /** Whether conditions that read a record are left to the server behind; then they are not in the list. */
  readonly leavesRecords: boolean;
  /** Undefined if no condition reads it. */
  readonly resource: MethodResource | undefined;
  readonly hideExistence: boolean;
  /** Whether an expression reads `now`. */
  readonly readsNow: boolean;
  /** The values of the parts of a condition, for operators. */
  partsOf(condition: CompiledCondition): readonly CompiledExpression[];
  meaningOf(condition: CompiledCondition): ConditionMeaning;
}

/** The name of the resource in a request; '' where a message on the way to it is not set. */
export function resourceName(
  path: readonly DescField[],
  input: DescMessage,
  request: Message,
): string {
  let at = reflect(input, request);
  for (const field of path.slice(0, -1)) {
    if (!at.isSet(field)) return '';
    at = at.get(field) as ReflectMessage;
  }
  return at.get(path.at(-1)!) as string;
}
