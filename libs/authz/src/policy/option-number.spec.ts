import { POLICY_OPTION_NUMBER } from '@apix/proto/internal';
import { expect, it } from '@jest/globals';
import { default_requires, requires } from '../gen/apix/authz/authz_pb.js';

it('both options have the number by which servers find policies without this package', () => {
  expect([requires.number, default_requires.number]).toEqual([
    POLICY_OPTION_NUMBER,
    POLICY_OPTION_NUMBER,
  ]);
  expect([requires.extendee.typeName, default_requires.extendee.typeName]).toEqual([
    'google.protobuf.MethodOptions',
    'google.protobuf.ServiceOptions',
  ]);
});
