import { shownValue, type Mistakes } from '@apix/contracts';
import {
  type DescField,
  type DescMessage,
  type DescMethod,
  type DescService,
  type FileRegistry,
  ScalarType,
} from '@bufbuild/protobuf';
import type { CelScope } from '../cel/cel-scope.js';
import {
  definitions as definitionsOption,
  resource as resourceOption,
  type Requirement as ProtoRequirement,
} from '../gen/apix/authz/authz_pb.js';
import {
  hasUnknownFields,
  UNKNOWN_FIELDS,
  type WrittenOption,
  writtenOption,
} from '../policy/written-option.js';
import { compileConditions, type ConditionSetup, scopeIn } from './compile-conditions.js';
import type { MethodConditions, MethodResource } from './method-conditions.js';
import type { ResourceLoad } from './resource-load.js';

const NAME = /^[A-Za-z_]\w*$/;
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
  return compileConditions(
    {
      conditions: written.conditions,
      hideExistence: written.hideExistence,
      where,
      method: `/${method.parent.typeName}/${method.name}`,
      input: method.input,
      resource,
      scope: scopeOf(method, definitions, resource?.desc, setup.types),
    },
    setup,
    mistakes,
  );
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
  return { ...scopeIn(method.parent.file.proto.package, messages, types), definitions };
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
  return resourceIn(method.input, { ...value, where }, { types, loaders }, mistakes);
}

/** A resource as its author declares it. */
export interface DeclaredResource {
  /** The full name of its message. */
  readonly type: string;
  /** The path of its name in the request. */
  readonly name: string;
  /** Of a record that is not a message of the descriptors. Default: it is one. */
  readonly shape?: DescMessage | undefined;
  /** Where it is declared, for mistakes. */
  readonly where: string;
}

/** The resource that requests of a type name; undefined if what is declared is wrong. */
export function resourceIn(
  input: DescMessage,
  { type, name, shape, where }: DeclaredResource,
  { types, loaders }: Omit<ConditionSetup, 'language'>,
  mistakes: Mistakes,
): MethodResource | undefined {
  const desc = shape ?? types.getMessage(type);
  if (desc === undefined) {
    mistakes.add(where, `the descriptors have no message ${shownValue(type)}`);
  }
  const path = pathIn(input, name, where, mistakes);
  if (desc === undefined || path === undefined) return undefined;
  return { desc, path, load: loaderOf(loaders, desc), isShape: shape !== undefined };
}

function loaderOf(
  loaders: ConditionSetup['loaders'],
  { typeName }: DescMessage,
): ResourceLoad | undefined {
  return Object.hasOwn(loaders, typeName) ? loaders[typeName] : undefined;
}

function pathIn(
  input: DescMessage,
  name: string,
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
