import {
  type DescFile,
  type MessageInitShape,
  create,
  setExtension,
  toBinary,
} from '@bufbuild/protobuf';
import {
  FileDescriptorProtoSchema,
  FileDescriptorSetSchema,
  MethodOptionsSchema,
  ServiceOptionsSchema,
  file_google_protobuf_descriptor,
  file_google_protobuf_empty,
} from '@bufbuild/protobuf/wkt';
import type { MethodKind } from '@apix/contracts';
import {
  RequirementSchema,
  default_requires,
  file_apix_authz_authz,
  requires,
} from './gen/apix/authz/authz_pb.js';

type Requirement = MessageInitShape<typeof RequirementSchema>;

export interface MethodSpec {
  readonly requires?: Requirement;
  /** Default: unary. */
  readonly kind?: MethodKind;
}

export interface ServiceSpec {
  readonly default?: Requirement;
  readonly methods: Readonly<Record<string, MethodSpec>>;
}

/** A descriptor set of package `test` with these services and policies, as a compiler writes it. */
export function policySet(services: Readonly<Record<string, ServiceSpec>>): Uint8Array {
  const file = create(FileDescriptorProtoSchema, {
    name: 'test.proto',
    package: 'test',
    syntax: 'proto3',
    dependency: ['google/protobuf/empty.proto', 'apix/authz/authz.proto'],
    service: Object.entries(services).map(([name, service]) => ({
      name,
      options: serviceOptions(service),
      method: Object.entries(service.methods).map(
        ([method, { requires: own, kind = 'unary' }]) => ({
          name: method,
          inputType: '.google.protobuf.Empty',
          outputType: '.google.protobuf.Empty',
          clientStreaming: kind === 'client_stream' || kind === 'bidi_stream',
          serverStreaming: kind === 'server_stream' || kind === 'bidi_stream',
          options: methodOptions(own),
        }),
      ),
    })),
  });
  const imported: DescFile[] = [
    file_google_protobuf_descriptor,
    file_google_protobuf_empty,
    file_apix_authz_authz,
  ];
  return toBinary(
    FileDescriptorSetSchema,
    create(FileDescriptorSetSchema, { file: [...imported.map(({ proto }) => proto), file] }),
  );
}

function serviceOptions({ default: fallback }: ServiceSpec) {
  const options = create(ServiceOptionsSchema);
  if (fallback) setExtension(options, default_requires, create(RequirementSchema, fallback));
  return options;
}

function methodOptions(own: Requirement | undefined) {
  const options = create(MethodOptionsSchema);
  if (own) setExtension(options, requires, create(RequirementSchema, own));
  return options;
}

/** One service with every row of the resolution table, and one without a default. */
export const EVERY_POLICY: Readonly<Record<string, ServiceSpec>> = {
  Orders: {
    default: { roles: { anyOf: ['staff'] } },
    methods: {
      Own: { requires: { roles: { anyOf: ['admin', 'owner'] } } },
      Default: {},
      Public: { requires: { public: true } },
      Empty: { requires: {} },
      Compound: {
        requires: {
          roles: { anyOf: ['admin'], noneOf: ['suspended'] },
          permissions: { allOf: ['orders:read', 'orders:write'] },
        },
      },
    },
  },
  Bare: { methods: { Nothing: {} } },
};

/** The same policies on methods of another kind. */
export function everyPolicyAs(kind: MethodKind): Readonly<Record<string, ServiceSpec>> {
  return Object.fromEntries(
    Object.entries(EVERY_POLICY).map(([name, service]) => [
      name,
      {
        ...service,
        methods: Object.fromEntries(
          Object.entries(service.methods).map(([method, spec]) => [method, { ...spec, kind }]),
        ),
      },
    ]),
  );
}

/** [method, caller, what comes of it]: the spec's resolution and error tables. */
export const DECISIONS = [
  ['/test.Orders/Own', null, 'UNAUTHENTICATED'],
  ['/test.Orders/Own', {}, 'PERMISSION_DENIED'],
  ['/test.Orders/Own', { roles: ['staff'] }, 'PERMISSION_DENIED'],
  ['/test.Orders/Own', { roles: ['x', 'owner'] }, 'OK'],
  ['/test.Orders/Default', null, 'UNAUTHENTICATED'],
  ['/test.Orders/Default', { roles: ['admin'] }, 'PERMISSION_DENIED'],
  ['/test.Orders/Default', { roles: ['staff'] }, 'OK'],
  ['/test.Orders/Public', null, 'OK'],
  ['/test.Orders/Public', {}, 'OK'],
  ['/test.Orders/Empty', null, 'UNAUTHENTICATED'],
  ['/test.Orders/Empty', {}, 'OK'],
  ['/test.Orders/Compound', { roles: ['admin'] }, 'PERMISSION_DENIED'],
  ['/test.Orders/Compound', { permissions: ['orders:read', 'orders:write'] }, 'PERMISSION_DENIED'],
  [
    '/test.Orders/Compound',
    { roles: ['admin'], permissions: ['orders:read'] },
    'PERMISSION_DENIED',
  ],
  [
    '/test.Orders/Compound',
    { roles: ['admin', 'suspended'], permissions: ['orders:read', 'orders:write'] },
    'PERMISSION_DENIED',
  ],
  [
    '/test.Orders/Compound',
    { roles: ['admin'], permissions: ['orders:write', 'x', 'orders:read'] },
    'OK',
  ],
  ['/test.Bare/Nothing', null, 'OK'],
] as const;
