import {
  type DescMethod,
  type MessageInitShape,
  type Registry,
  ScalarType,
  create,
  createFileRegistry,
  fromBinary,
  setExtension,
  toBinary,
} from '@bufbuild/protobuf';
import {
  FieldOptionsSchema,
  type FileDescriptorProto,
  FileDescriptorSetSchema,
  MethodOptionsSchema,
  ServiceOptionsSchema,
  file_google_protobuf_descriptor,
} from '@bufbuild/protobuf/wkt';
import {
  RequirementSchema,
  VisibilitySchema,
  default_requires,
  file_apix_authz_authz,
  requires,
  visible,
} from '../../libs/authz/src/gen/apix/authz/authz_pb.js';

export type Requirement = MessageInitShape<typeof RequirementSchema>;

/** Policies for protos that have none. Of each list the first entry whose pattern is in the full name applies. */
export interface PolicyFile {
  /** The default of a service, such as `google.spanner.v1.Spanner`. */
  readonly services: readonly (readonly [RegExp, Requirement])[];
  /** The policy of a method, such as `google.spanner.v1.Spanner.GetSession`. */
  readonly methods: readonly MethodEntry[];
  /** Who sees a field, such as `authpb.User.password`. */
  readonly fields: readonly (readonly [RegExp, MessageInitShape<typeof VisibilitySchema>])[];
}

/** The last: the entry is only for requests with a string of this name, which its conditions read. */
export type MethodEntry = readonly [RegExp, Requirement, string?];

/** The set as it would be compiled if its .proto files had these policies. */
export function withPolicies(set: Uint8Array, policies: PolicyFile): Uint8Array {
  const parsed = fromBinary(FileDescriptorSetSchema, set);
  const known = createFileRegistry(parsed);
  for (const file of parsed.file) annotate(file, known, policies);
  const own = [file_google_protobuf_descriptor, file_apix_authz_authz].map(({ proto }) => proto);
  const names = new Set(own.map(({ name }) => name));
  const others = parsed.file.filter(({ name }) => !names.has(name));
  return toBinary(FileDescriptorSetSchema, { ...parsed, file: [...own, ...others] });
}

function annotate(file: FileDescriptorProto, known: Registry, policies: PolicyFile): void {
  const prefix = file.package === '' ? '' : `${file.package}.`;
  for (const service of file.service) {
    const name = prefix + service.name;
    const fallback = entryOf(policies.services, name)?.[1];
    if (fallback !== undefined) {
      service.options ??= create(ServiceOptionsSchema);
      setExtension(service.options, default_requires, create(RequirementSchema, fallback));
    }
    for (const method of service.method) {
      const desc = known.getService(name)!.methods.find((each) => each.name === method.name)!;
      const own = policies.methods.find((entry) => applies(entry, `${name}.${method.name}`, desc));
      if (own === undefined) continue;
      method.options ??= create(MethodOptionsSchema);
      setExtension(method.options, requires, create(RequirementSchema, own[1]));
    }
  }
  annotateFields(file.messageType, prefix, policies);
  if (file.name !== file_apix_authz_authz.proto.name) {
    file.dependency.push(file_apix_authz_authz.proto.name);
  }
}

function annotateFields(
  messages: FileDescriptorProto['messageType'],
  prefix: string,
  policies: PolicyFile,
): void {
  for (const message of messages) {
    const name = prefix + message.name;
    for (const field of message.field) {
      const seen = entryOf(policies.fields, `${name}.${field.name}`)?.[1];
      if (seen === undefined) continue;
      field.options ??= create(FieldOptionsSchema);
      setExtension(field.options, visible, create(VisibilitySchema, seen));
    }
    annotateFields(message.nestedType, `${name}.`, policies);
  }
}

function entryOf<Entry extends readonly [RegExp, ...unknown[]]>(
  entries: readonly Entry[],
  name: string,
): Entry | undefined {
  return entries.find(([pattern]) => pattern.test(name));
}

function applies([pattern, , read]: MethodEntry, name: string, { input }: DescMethod): boolean {
  if (!pattern.test(name)) return false;
  const field = input.fields.find((each) => each.name === read);
  return (
    read === undefined || (field?.fieldKind === 'scalar' && field.scalar === ScalarType.STRING)
  );
}
