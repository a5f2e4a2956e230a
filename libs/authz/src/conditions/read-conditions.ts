import { shownValue, type Mistakes } from '@apix/contracts';
import {
  type DescField,
  type DescFile,
  type DescMessage,
  type DescMethod,
  type DescService,
  type FileRegistry,
  ScalarType,
} from '@bufbuild/protobuf';
import type { CelMistake, CelScope, CompiledExpression } from '../cel/cel-scope.js';
import { CEL, celList, celMap, celMessage, type CelType, formatCelType } from '../cel/cel-type.js';
import {
  definitions as definitionsOption,
  resource as resourceOption,
  type Condition as ProtoCondition,
  type Requirement as ProtoRequirement,
  type Resource as ProtoResource,
} from '../gen/apix/authz/authz_pb.js';
import {
  hasUnknownFields,
  UNKNOWN_FIELDS,
  type WrittenOption,
  writtenOption,
} from '../policy/written-option.js';
import type { ConditionLanguage } from './condition-language.js';
import type { CompiledCondition, MethodConditions, MethodResource } from './method-conditions.js';
import type { ResourceLoad } from './resource-load.js';

/** What conditions are compiled with. */
export interface ConditionSetup {
  /** Undefined: conditions are not enabled, and one in a policy is a mistake. */
  readonly language: ConditionLanguage | undefined;
  /** By the full name of the message. */
  readonly loaders: Readonly<Record<string, ResourceLoad>>;
  readonly types: FileRegistry;
}

const ID = /^[A-Za-z_][\w.-]{0,99}$/;
const NAME = /^[A-Za-z_]\w*$/;
/** For conditions without a language. */
export const NOT_ENABLED =
  'has conditions, which are not enabled; set the option conditions to celConditions() of @apix/authz/conditions';
const RESERVED = ['request', 'subject', 'resource', 'method', 'now'];

/** The requirement of a method, with what its conditions may use. */
export interface WrittenConditions extends WrittenOption<ProtoRequirement> {
  readonly method: DescMethod;
  /** Those of its service. */
  readonly definitions: ReadonlyMap<string, string>;
  /** Undefined: the method declares none. */
  readonly resource: MethodResource | undefined;
}

/** The conditions in a method's requirement, compiled; undefined if there are none. */
export function readConditions(
  { method, value: written, definitions, resource, where }: WrittenConditions,
  setup: ConditionSetup,
  mistakes: Mistakes,
): MethodConditions | undefined {
  if (written.conditions.length === 0) {
    if (written.hideExistence) mistakes.add(where, 'hide_existence needs conditions; remove it');
    return undefined;
  }
  const { language } = setup;
  if (language === undefined) {
    mistakes.add(where, NOT_ENABLED);
    return undefined;
  }
  checkIds(written.conditions, where, mistakes);
  const scope = scopeOf(method, definitions, resource?.desc, setup.types);
  const list = written.conditions.flatMap((condition): CompiledCondition[] => {
    const at = `${where}, condition ${shownValue(condition.id)}`;
    const compiled = compileCondition(language, condition.expression, scope, at, mistakes);
    if (compiled === undefined) return [];
    const { id, message, firstOnly } = condition;
    return [{ id, message, firstOnly, compiled, readsResource: compiled.reads.has('resource') }];
  });
  const readsResource = list.some((condition) => condition.readsResource);
  if (readsResource && resource !== undefined && resource.load === undefined) {
    const type = resource.desc.typeName;
    mistakes.add(
      where,
      `nothing loads ${type}; add a loader to the option loaders, or a provider with @ResourceLoader('${type}')`,
    );
  }
  return {
    method: `/${method.parent.typeName}/${method.name}`,
    input: method.input,
    list: [
      ...list.filter((each) => !each.readsResource),
      ...list.filter((each) => each.readsResource),
    ],
    resource: readsResource ? resource : undefined,
    hideExistence: written.hideExistence,
    readsNow: list.some(({ compiled }) => compiled.reads.has('now')),
    partsOf: ({ compiled }) => partsRead(compiled, language, scope),
  };
}

function checkIds(conditions: readonly ProtoCondition[], where: string, mistakes: Mistakes): void {
  const seen = new Set<string>();
  for (const { id } of conditions) {
    if (!ID.test(id)) {
      mistakes.add(
        where,
        `${shownValue(id)} is not an id of a condition; use letters, digits, _, - and ., not a digit first`,
      );
    } else if (seen.has(id)) mistakes.add(where, `two conditions have the id ${shownValue(id)}`);
    seen.add(id);
  }
}

/** An expression of type bool, compiled; undefined if it is wrong. */
export function compileCondition(
  language: ConditionLanguage,
  expression: string,
  scope: CelScope,
  where: string,
  mistakes: Mistakes,
): CompiledExpression | undefined {
  const compiled = language.compile(expression, scope);
  if (isMistakes(compiled)) {
    for (const mistake of compiled) mistakes.add(where, describeMistake(mistake));
    return undefined;
  }
  if (compiled.type.kind !== 'bool') {
    mistakes.add(where, `must be of type bool, not ${formatCelType(compiled.type)}`);
  }
  if (compiled.cost > language.maxCost) {
    mistakes.add(
      where,
      `may cost ${compiled.cost} steps, more than maxCost, ${language.maxCost}; nest fewer loops`,
    );
  }
  return compiled;
}

export function isMistakes(
  result: object | readonly CelMistake[],
): result is readonly CelMistake[] {
  return Array.isArray(result);
}

export function describeMistake({ definition, line, column, message }: CelMistake): string {
  const of = definition === undefined ? 'the expression' : `the definition "${definition}"`;
  return `${message} (line ${line}, column ${column} of ${of})`;
}

/** The names that the expressions of a method may read, with their types. */
export function scopeOf(
  method: DescMethod,
  definitions: ReadonlyMap<string, string>,
  resource: DescMessage | undefined,
  types: FileRegistry,
): CelScope {
  const messages = new Map([['request', method.input]]);
  if (resource !== undefined) messages.set('resource', resource);
  return { ...scopeIn(method.parent.file, messages, types), definitions };
}

/** The names that expressions in a file may read: of the caller and its call, and the given messages. */
export function scopeIn(
  file: DescFile,
  messages: Iterable<readonly [name: string, type: DescMessage]>,
  types: FileRegistry,
): CelScope {
  const variables = new Map<string, CelType>([
    ...Array.from(messages, ([name, type]) => [name, celMessage(type)] as const),
    ['subject.id', CEL.string],
    ['subject.roles', celList(CEL.string)],
    ['subject.permissions', celList(CEL.string)],
    ['subject.claims', celMap(CEL.string, CEL.dyn)],
    ['method', CEL.string],
    ['now', CEL.timestamp],
  ]);
  return {
    variables,
    types: (name) => types.getMessage(name) ?? types.getEnum(name),
    container: file.proto.package,
  };
}

/** The definitions of a service. */
export function readDefinitions(
  service: DescService,
  mistakes: Mistakes,
): ReadonlyMap<string, string> {
  const read = new Map<string, string>();
  const written = writtenOption(service, definitionsOption, mistakes);
  if (written === undefined) return read;
  const { value, where } = written;
  if (value.some(hasUnknownFields)) mistakes.add(where, UNKNOWN_FIELDS);
  for (const { name, expression } of value) {
    if (!NAME.test(name)) {
      mistakes.add(where, `${shownValue(name)} is not a name; use letters, digits and _`);
    } else if (RESERVED.includes(name)) {
      mistakes.add(where, `"${name}" already means something in expressions; use another name`);
    } else if (read.has(name)) mistakes.add(where, `two definitions have the name "${name}"`);
    read.set(name, expression);
  }
  return read;
}

/** The resource that a method declares; undefined without one, or if it is wrong. */
export function readResource(
  method: DescMethod,
  { types, loaders }: ConditionSetup,
  mistakes: Mistakes,
): MethodResource | undefined {
  const written = writtenOption(method, resourceOption, mistakes);
  if (written === undefined) return undefined;
  const { value, where } = written;
  if (hasUnknownFields(value)) mistakes.add(where, UNKNOWN_FIELDS);
  const desc = types.getMessage(value.type);
  if (desc === undefined) {
    mistakes.add(where, `the descriptors have no message ${shownValue(value.type)}`);
  }
  const path = pathIn(method.input, value, where, mistakes);
  if (desc === undefined || path === undefined) return undefined;
  return { desc, path, load: loaderOf(loaders, desc) };
}

function loaderOf(
  loaders: ConditionSetup['loaders'],
  { typeName }: DescMessage,
): ResourceLoad | undefined {
  return Object.hasOwn(loaders, typeName) ? loaders[typeName] : undefined;
}

function pathIn(
  input: DescMessage,
  { name }: ProtoResource,
  where: string,
  mistakes: Mistakes,
): readonly DescField[] | undefined {
  const path: DescField[] = [];
  let at: DescMessage | undefined = input;
  for (const part of name.split('.')) {
    const field: DescField | undefined = at?.fields.find((each) => each.name === part);
    if (field === undefined) {
      mistakes.add(where, `${input.typeName} has no field ${shownValue(name)}`);
      return undefined;
    }
    path.push(field);
    at = field.fieldKind === 'message' ? field.message : undefined;
  }
  const last = path.at(-1)!;
  if (last.fieldKind === 'scalar' && last.scalar === ScalarType.STRING) return path;
  mistakes.add(where, `${shownValue(name)} of ${input.typeName} is not a string`);
  return undefined;
}

/** The variables and fields that a condition reads, each as an expression; only the longest of each path. */
export function partsRead(
  { reads }: CompiledExpression,
  language: ConditionLanguage,
  scope: CelScope,
): readonly CompiledExpression[] {
  const paths = [...reads];
  return paths
    .filter((path) => !paths.some((other) => other.startsWith(`${path}.`)))
    .flatMap((path) => {
      const compiled = language.compile(path, scope);
      return isMistakes(compiled) ? [] : [compiled];
    });
}
