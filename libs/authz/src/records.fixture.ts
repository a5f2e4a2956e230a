import { readFileSync } from 'node:fs';
import { ProtoRegistry } from '@apix/proto/core';
import {
  clearExtension,
  create,
  fromBinary,
  type Message,
  type MessageInitShape,
  setExtension,
  toBinary,
} from '@bufbuild/protobuf';
import { FileDescriptorSetSchema, type MethodOptions } from '@bufbuild/protobuf/wkt';
import {
  DefinitionSchema,
  definitions,
  default_requires,
  lists,
  ListsSchema,
  RequirementSchema,
  requires,
  resource,
  ResourceSchema,
} from './gen/apix/authz/authz_pb.js';

const SET = new URL('../testdata/records.binpb', import.meta.url);

/** `records.v1` as buf has compiled it. */
export const RECORDS = ProtoRegistry.load(readFileSync(SET));

/** `records.v1` with its service of lists. */
export const LISTS_SET = readFileSync(new URL('../testdata/lists.binpb', import.meta.url));

/** The same set with another option for the records that a method lists, and another requirement. */
export function listsWith(
  method: string,
  init: MessageInitShape<typeof ListsSchema> | null,
  requirement?: MessageInitShape<typeof RequirementSchema>,
): ProtoRegistry {
  const set = fromBinary(FileDescriptorSetSchema, LISTS_SET);
  const file = set.file.find(({ name }) => name === 'records/v1/lists.proto')!;
  const { options } = file.service[0]!.method.find(({ name }) => name === method)!;
  clearExtension(options!, lists);
  if (init !== null) setExtension(options!, lists, create(ListsSchema, init));
  if (requirement) setExtension(options!, requires, create(RequirementSchema, requirement));
  return ProtoRegistry.load(toBinary(FileDescriptorSetSchema, set));
}

/** What a test writes into the options of a method, in place of what is there. */
export interface RecordPolicy {
  readonly requires?: MessageInitShape<typeof RequirementSchema>;
  readonly resource?: MessageInitShape<typeof ResourceSchema>;
}

/** The options of a service, in place of what is there. */
export interface ServicePolicy {
  readonly definitions?: MessageInitShape<typeof DefinitionSchema>[];
  readonly default?: MessageInitShape<typeof RequirementSchema>;
}

/** The same set with other policies on some of its methods, and on its service. */
export function recordsWith(
  policies: Readonly<Record<string, RecordPolicy>>,
  service: ServicePolicy = {},
): ProtoRegistry {
  const set = fromBinary(FileDescriptorSetSchema, readFileSync(SET));
  const proto = set.file.find(({ name }) => name === 'records/v1/records.proto')!.service[0]!;
  if (service.definitions !== undefined) {
    const all = service.definitions.map((init) => create(DefinitionSchema, init));
    setExtension(proto.options!, definitions, all);
  }
  if (service.default !== undefined) {
    setExtension(proto.options!, default_requires, create(RequirementSchema, service.default));
  }
  for (const [name, policy] of Object.entries(policies)) {
    const method = proto.method.find((each) => each.name === name)!;
    const options = (method.options ??= {} as MethodOptions);
    if (policy.requires)
      setExtension(options, requires, create(RequirementSchema, policy.requires));
    if (policy.resource) setExtension(options, resource, create(ResourceSchema, policy.resource));
  }
  return ProtoRegistry.load(toBinary(FileDescriptorSetSchema, set));
}

/** A message of `records.v1`, such as `Ask`. */
export function record(type: string, init: Readonly<Record<string, unknown>> = {}): Message {
  return create(RECORDS.registry.getMessage(`records.v1.${type}`)!, init);
}
