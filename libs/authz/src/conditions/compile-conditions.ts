import { shownValue, type Mistakes } from '@apix/contracts';
import type { DescMessage, FileRegistry } from '@bufbuild/protobuf';
import {
  areMistakes,
  type CelMistake,
  type CelScope,
  type CompiledExpression,
} from '../cel/cel-scope.js';
import { CEL, celList, celMap, celMessage, type CelType, formatCelType } from '../cel/cel-type.js';
import type { ConditionLanguage } from './condition-language.js';
import type {
  CompiledCondition,
  ConditionMeaning,
  MethodConditions,
  MethodResource,
} from './method-conditions.js';
import type { ResourceLoad } from './resource-load.js';

/** What conditions are compiled with. */
export interface ConditionSetup {
  /** Undefined: conditions are not enabled, and one in a policy is a mistake. */
  readonly language: ConditionLanguage | undefined;
  /** By the full name of the message. */
  readonly loaders: Readonly<Record<string, ResourceLoad>>;
  readonly types: FileRegistry;
  /** Of records that are not messages of the descriptors, for handlers. Default: none. */
  readonly recordTypes?: ReadonlyMap<string, DescMessage>;
  /** Whether conditions that read a record are checked here, and decided by the server behind. Default: false. */
  readonly leavesRecords?: boolean;
}

/** A condition as its author writes it. */
export interface ConditionSource {
  readonly id: string;
  readonly expression: string;
  /** Empty: none. */
  readonly message: string;
  readonly firstOnly: boolean;
}

/** The conditions of one method or handler, with what they may read. */
export interface ConditionsSource {
  readonly conditions: readonly ConditionSource[];
  readonly hideExistence: boolean;
  /** Where they are written, for mistakes. */
  readonly where: string;
  /** What expressions read as `method`. */
  readonly method: string;
  readonly input: DescMessage;
  /** Undefined: none is declared. */
  readonly resource: MethodResource | undefined;
  readonly scope: CelScope;
}

const ID = /^[A-Za-z_][\w.-]{0,99}$/;
/** For conditions without a language. */
export const NOT_ENABLED =
  'has conditions, which are not enabled; set the option conditions to celConditions() of @apix/authz/conditions';

/** Conditions, compiled; undefined if they are not enabled. */
export function compileConditions(
  { conditions, hideExistence, where, method, input, resource, scope }: ConditionsSource,
  { language, leavesRecords = false }: ConditionSetup,
  mistakes: Mistakes,
): MethodConditions | undefined {
  if (language === undefined) {
    mistakes.add(where, NOT_ENABLED);
    return undefined;
  }
  checkIds(conditions, where, mistakes);
  const list = conditions.flatMap((condition): CompiledCondition[] => {
    const at = `${where}, condition ${shownValue(condition.id)}`;
    const compiled = compileCondition(language, condition.expression, scope, at, mistakes);
    if (compiled === undefined) return [];
    const { id, message, firstOnly } = condition;
    return [{ id, message, firstOnly, compiled, readsResource: compiled.reads.has('resource') }];
  });
  const readsResource = list.some((condition) => condition.readsResource);
  const isLoaded = readsResource && !leavesRecords;
  if (isLoaded && resource !== undefined && resource.load === undefined) {
    const type = resource.desc.typeName;
    mistakes.add(
      where,
      `nothing loads ${type}; add a loader to the option loaders, or a provider with @ResourceLoader('${type}')`,
    );
  }
  return {
    method,
    input,
    list: [
      ...list.filter((each) => !each.readsResource),
      ...list.filter((each) => each.readsResource && !leavesRecords),
    ],
    leavesRecords: leavesRecords && readsResource,
    resource: isLoaded ? resource : undefined,
    hideExistence,
    readsNow: list.some(({ compiled }) => compiled.reads.has('now')),
    partsOf: ({ compiled }) => partsRead(compiled, language, scope),
    meaningOf: (condition) => meaningOf(condition, resource, scope),
  };
}

function meaningOf(
  { id, compiled, readsResource }: CompiledCondition,
  resource: MethodResource | undefined,
  { definitions = new Map<string, string>() }: CelScope,
): ConditionMeaning {
  return {
    id,
    expression: compiled.source,
    definitions: usedOf(definitions, compiled.definitions),
    ...(readsResource &&
      resource !== undefined && {
        resource: `${resource.desc.typeName} by ${resource.path.map(({ name }) => name).join('.')}`,
      }),
  };
}

/** The definitions that an expression uses, in the order of their service. */
export function usedOf(
  definitions: ReadonlyMap<string, string>,
  used: ReadonlySet<string>,
): Readonly<Record<string, string>> {
  return Object.fromEntries([...definitions].filter(([name]) => used.has(name)));
}

function checkIds(conditions: readonly ConditionSource[], where: string, mistakes: Mistakes): void {
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
  if (areMistakes(compiled)) {
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

export function describeMistake({ definition, line, column, message }: CelMistake): string {
  const of = definition === undefined ? 'the expression' : `the definition "${definition}"`;
  return `${message} (line ${line}, column ${column} of ${of})`;
}

/** The names that expressions in a package may read: of the caller and its call, and the given messages. */
export function scopeIn(
  container: string,
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
    container,
  };
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
      return areMistakes(compiled) ? [] : [compiled];
    });
}
