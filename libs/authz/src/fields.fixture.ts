import { readFileSync } from 'node:fs';
import { ProtoRegistry } from '@apix/proto/core';
import {
  create,
  fromBinary,
  type Message,
  type MessageInitShape,
  setExtension,
  toBinary,
} from '@bufbuild/protobuf';
import {
  FieldOptionsSchema,
  FileDescriptorSetSchema,
  type MethodOptions,
} from '@bufbuild/protobuf/wkt';
import { lists, ListsSchema, visible, VisibilitySchema } from './gen/apix/authz/authz_pb.js';

const SET = new URL('../testdata/fields.binpb', import.meta.url);

/** `fields.v1` as buf has compiled it. */
export const FIELDS = ProtoRegistry.load(readFileSync(SET));

/** The same set with other visibilities, by message and field such as `Person.phone`. */
export function fieldsWith(
  visibilities: Readonly<Record<string, MessageInitShape<typeof VisibilitySchema>>>,
): ProtoRegistry {
  return ProtoRegistry.load(fieldSetWith(visibilities));
}

/** As the bytes of a descriptor set. */
export function fieldSetWith(visibilities: Parameters<typeof fieldsWith>[0]): Uint8Array {
  const set = fromBinary(FileDescriptorSetSchema, readFileSync(SET));
  const file = set.file.find(({ name }) => name === 'fields/v1/fields.proto')!;
  for (const [path, visibility] of Object.entries(visibilities)) {
    const [type, name] = path.split('.');
    const message = file.messageType.find((each) => each.name === type)!;
    const field = message.field.find((each) => each.name === name)!;
    const options = (field.options ??= create(FieldOptionsSchema));
    setExtension(options, visible, create(VisibilitySchema, visibility));
  }
  return toBinary(FileDescriptorSetSchema, set);
}

/** The same set with a service that lists people by their owner. */
export function listingPeople(): ProtoRegistry {
  const set = fromBinary(FileDescriptorSetSchema, readFileSync(SET));
  const file = set.file.find(({ name }) => name === 'fields/v1/fields.proto')!;
  const list = file.service[0]!.method.find(({ name }) => name === 'List')!;
  const where = 'resource.owner == subject.id';
  const init = create(ListsSchema, { type: 'fields.v1.Person', where });
  setExtension((list.options ??= {} as MethodOptions), lists, init);
  return ProtoRegistry.load(toBinary(FileDescriptorSetSchema, set));
}

/** A message of `fields.v1`, such as `Person`. */
export function field(type: string, init: Readonly<Record<string, unknown>> = {}): Message {
  return create(FIELDS.registry.getMessage(`fields.v1.${type}`)!, init);
}
