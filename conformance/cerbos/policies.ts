import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Authorizer } from '@apix/authz/core';
import { celConditions } from '@apix/authz/conditions';
import { ProtoRegistry } from '@apix/proto/core';
import { create, fromBinary, setExtension, toBinary } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema, MethodOptionsSchema } from '@bufbuild/protobuf/wkt';
import {
  lists,
  ListsSchema,
  RequirementSchema,
  requires,
  resource,
  ResourceSchema,
} from '../../libs/authz/src/gen/apix/authz/authz_pb.js';

/** A policy, its condition with `ID`, `ROLES`, `CLAIMS` and `RECORD` for what both name in their own way. */
export interface SharedPolicy {
  readonly roles: readonly string[];
  readonly condition: string;
}

const RECORD = 'records.v1.Record';

const ATOMS = [
  'RECORD.owner == ID',
  'RECORD.owner != ID',
  "RECORD.owner in ['ada', ID]",
  'RECORD.owner in CLAIMS.friends',
  'RECORD.state == 1',
  'RECORD.state != 2',
  'RECORD.state < CLAIMS.limit',
  'RECORD.state >= CLAIMS.limit',
  'RECORD.name.startsWith(CLAIMS.team)',
  "RECORD.name.endsWith('1')",
  'RECORD.name.contains(ID)',
  'ID in RECORD.readers',
  'CLAIMS.team in RECORD.readers',
  "'staff' in ROLES",
  "CLAIMS.team == 'blue'",
  'size(ID) > 3',
  'CLAIMS.limit > 1',
];

/** Policies of random conditions. */
export function sharedPolicies(count: number, random: () => number): readonly SharedPolicy[] {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const condition = (depth: number): string => {
    if (depth === 0 || random() < 0.3) return pick(ATOMS);
    const [a, b] = [condition(depth - 1), condition(depth - 1)];
    return pick([`(${a} && ${b})`, `(${a} || ${b})`, `!(${a})`, `(${a} ? ${b} : ${pick(ATOMS)})`]);
  };
  return Array.from({ length: count }, () => ({
    roles: pick([['user'], ['user', 'staff'], ['staff', 'admin']]),
    condition: condition(3),
  }));
}

const renamed = (text: string, names: Readonly<Record<string, string>>): string =>
  text.replaceAll(/\b(ID|ROLES|CLAIMS|RECORD)\b/g, (name) => names[name]!);

/** Policy `n` as one of Cerbos: of the resource `pn`, for the action `view`. */
export function cerbosPolicy({ roles, condition }: SharedPolicy, n: number): string {
  const expr = renamed(condition, {
    ID: 'P.id',
    ROLES: 'P.roles',
    CLAIMS: 'P.attr',
    RECORD: 'R.attr',
  });
  return JSON.stringify({
    apiVersion: 'api.cerbos.dev/v1',
    resourcePolicy: {
      resource: `p${n}`,
      version: 'default',
      rules: [
        {
          actions: ['view'],
          effect: 'EFFECT_ALLOW',
          roles,
          condition: { match: { expr } },
        },
      ],
    },
  });
}

/** Policy `n` as one of ours: of the methods `Getn` and `Listn`. */
export function authorizerOf(policies: readonly SharedPolicy[]): Authorizer {
  const file = new URL('../../../../libs/authz/testdata/records.binpb', import.meta.url);
  const set = fromBinary(FileDescriptorSetSchema, readFileSync(fileURLToPath(file)));
  const service = set.file.find(({ name }) => name === 'records/v1/records.proto')!.service[0]!;
  const [template] = service.method;
  delete service.options;
  service.method = policies.flatMap(({ roles, condition }, n) => {
    const expression = renamed(condition, {
      ID: 'subject.id',
      ROLES: 'subject.roles',
      CLAIMS: 'subject.claims',
      RECORD: 'resource',
    });
    const rule = { anyOf: [...roles] };
    const get = create(MethodOptionsSchema);
    const conditions = [{ id: 'it', expression }];
    setExtension(get, requires, create(RequirementSchema, { roles: rule, conditions }));
    setExtension(get, resource, create(ResourceSchema, { type: RECORD, name: 'name' }));
    const list = create(MethodOptionsSchema);
    setExtension(list, requires, create(RequirementSchema, { roles: rule }));
    setExtension(list, lists, create(ListsSchema, { type: RECORD, where: expression }));
    return [
      { ...template!, name: `Get${n}`, options: get },
      { ...template!, name: `List${n}`, options: list },
    ];
  });
  return new Authorizer(ProtoRegistry.load(toBinary(FileDescriptorSetSchema, set)), {
    subject: () => null,
    conditions: celConditions(),
    loaders: { [RECORD]: () => null },
  });
}
