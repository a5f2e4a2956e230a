import { shownValue, type Mistakes } from '@apix/contracts';
import type { DescMethod } from '@bufbuild/protobuf';
import { lists as listsOption } from '../gen/apix/authz/authz_pb.js';
import { hasUnknownFields, UNKNOWN_FIELDS, writtenOption } from '../policy/written-option.js';
import type { MethodLists } from './method-lists.js';
import { areMistakes } from '../cel/cel-scope.js';
import { type ConditionSetup, describeMistake, usedOf } from './compile-conditions.js';
import { scopeOf } from './read-conditions.js';

/** A method, with what the condition of its list may use. */
export interface ListingMethod {
  readonly method: DescMethod;
  /** Those of its service. */
  readonly definitions: ReadonlyMap<string, string>;
  /** Whether its callers are known: it has a requirement that is not public. */
  readonly isProtected: boolean;
}

/** The records that a method lists; undefined if it declares none, or if that is wrong. */
export function readLists(
  { method, definitions, isProtected }: ListingMethod,
  { language, types }: ConditionSetup,
  mistakes: Mistakes,
): MethodLists | undefined {
  const written = writtenOption(method, listsOption, mistakes);
  if (written === undefined) return undefined;
  const { value, where } = written;
  if (hasUnknownFields(value)) mistakes.add(where, UNKNOWN_FIELDS);
  if (!isProtected) {
    mistakes.add(
      where,
      'the method has no caller whose records it could list; add a requirement that is not public, {} for any authenticated caller',
    );
  }
  const desc = types.getMessage(value.type);
  if (desc === undefined) {
    mistakes.add(where, `the descriptors have no message ${shownValue(value.type)}`);
  }
  if (language === undefined) {
    mistakes.add(
      where,
      'lists records by a condition, and conditions are not enabled; set the option conditions to celConditions() of @apix/authz/conditions',
    );
  }
  if (desc === undefined || language === undefined) return undefined;
  const compiled = language.compileFilter(value.where, scopeOf(method, definitions, desc, types));
  if (areMistakes(compiled)) {
    for (const mistake of compiled) mistakes.add(`${where}, where`, describeMistake(mistake));
    return undefined;
  }
  if (compiled.cost > language.maxCost) {
    mistakes.add(
      where,
      `may cost ${compiled.cost} steps, more than maxCost, ${language.maxCost}; nest fewer loops`,
    );
  }
  const readsRequest = compiled.reads.has('request');
  const { methodKind } = method;
  if (readsRequest && methodKind !== 'unary' && methodKind !== 'server_streaming') {
    mistakes.add(where, 'reads request, and a stream of requests has no single one');
  }
  return {
    method: `/${method.parent.typeName}/${method.name}`,
    input: method.input,
    desc,
    view: {
      type: value.type,
      where: value.where,
      definitions: usedOf(definitions, compiled.definitions),
    },
    compiled,
    readsRequest,
    readsNow: compiled.reads.has('now'),
  };
}
