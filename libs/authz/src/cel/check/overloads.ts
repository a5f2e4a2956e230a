import type { DescMessage } from '@bufbuild/protobuf';
import { nearestName } from '@apix/contracts/internal';
import { CelError } from '../cel-error.js';
import { CEL, formatCelType, sameCelType, type CelType } from '../cel-type.js';
import type { CelFunction } from '../functions/function-table.js';
import { compilePattern } from '../functions/text.js';
import { parseCelDuration, parseTimestamp } from '../values/time.js';
import type { CelNode } from './cel-node.js';
import type { Substitution } from './substitution.js';

/** The type of a call: of the one overload that takes the arguments, `dyn` if several do; undefined if none does. */
export function resultOf(
  callee: CelFunction,
  member: boolean,
  args: readonly CelType[],
  types: Substitution,
): CelType | undefined {
  const given = args.map((arg, at) => {
    const type = types.resolve(arg);
    return type.kind === 'param' && choosesType(callee, at) ? CEL.dyn : type;
  });
  let result: CelType | undefined;
  for (const overload of callee.overloads) {
    if (overload.member !== member) continue;
    const fresh = new Map<string, CelType>();
    const wanted = overload.args.map((type) => types.instantiate(type, fresh));
    if (!types.assignable(given, wanted)) continue;
    const type = types.resolve(types.instantiate(overload.result, fresh));
    if (result === undefined) result = type;
    else if (!sameCelType(result, type)) result = CEL.dyn;
  }
  return result;
}

/** Whether overloads differ in a plain type there: then the first one decides nothing about an argument not known yet. */
function choosesType({ overloads }: CelFunction, at: number): boolean {
  const plain = overloads.flatMap(({ args }) => args[at]?.kind ?? []).filter((kind) => kind in CEL);
  return new Set(plain).size > 1;
}

/** The mistake of arguments that no overload takes. */
export function notTaken(
  callee: CelFunction,
  given: readonly CelType[],
  types: Substitution,
): string {
  const list = given.map((type) => formatCelType(types.resolve(type, true))).join(', ');
  return `${shown(callee.name)} does not take (${list})`;
}

const SHOWN: ReadonlyMap<string, string> = new Map([
  ['_?_:_', '?:'],
  ['_[_]', '[]'],
  ['@in', 'in'],
]);

function shown(name: string): string {
  const isOperator = name.includes('_') || name.startsWith('@');
  if (!isOperator) return `function ${name}`;
  return `operator ${SHOWN.get(name) ?? name.replaceAll('_', '')}`;
}

const PARSED: Readonly<Record<string, (text: string) => unknown>> = {
  matches: compilePattern,
  timestamp: parseTimestamp,
  duration: parseCelDuration,
};

/** What can only fail, each time it is evaluated, is a mistake of the author. */
export function mistakeOfConstants(
  callee: CelFunction,
  args: readonly CelNode[],
): string | undefined {
  const text = args.at(-1);
  if (text?.kind !== 'constant' || typeof text.value !== 'string') return undefined;
  const value = PARSED[callee.name]?.(text.value);
  return value instanceof CelError ? value.message : undefined;
}

/** The mistake of a field that a message does not have. */
export function noField(desc: DescMessage, name: string): string {
  const names = desc.fields.map((field) => field.name);
  return `${desc.typeName} has no field "${name}"${didYouMean(name, names)}`;
}

/** The nearest of the names that are known, to follow the text of a mistake. */
export function didYouMean(name: string, known: readonly string[]): string {
  const nearest = nearestName(name, known);
  return nearest === undefined ? '' : `; did you mean "${nearest}"?`;
}
