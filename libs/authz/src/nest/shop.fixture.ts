import type { Subject, SubjectFunc } from '../subject/subject.js';
import { type ServiceSpec, policySet } from '../policy-set.fixture.js';

/** Who calls is what the header says: a list of roles; `broken` makes the function fail. */
export const subjectFromHeader: SubjectFunc = ({ metadata }): Subject | null => {
  const [roles] = metadata.get('x-roles');
  if (roles === undefined) return null;
  if (roles === 'broken') throw new Error('the directory is down');
  return { id: roles, roles: roles.split(','), permissions: metadata.get('x-permissions') };
};

const SERVICES: Readonly<Record<string, ServiceSpec>> = {
  Orders: {
    methods: {
      Cancel: { requires: { roles: { anyOf: ['admin'] } } },
      Watch: { requires: { roles: { anyOf: ['admin'] } }, kind: 'server_stream' },
      Import: { requires: { roles: { anyOf: ['admin'] } }, kind: 'client_stream' },
      Chat: { requires: { roles: { anyOf: ['admin'] } }, kind: 'bidi_stream' },
      RawImport: { requires: { roles: { anyOf: ['admin'] } }, kind: 'client_stream' },
      RawChat: { requires: { roles: { anyOf: ['admin'] } }, kind: 'bidi_stream' },
      Bare: {},
    },
  },
};

/** The RPCs that the tests of the Nest doors serve, as a descriptor set. */
export const SHOP = policySet(SERVICES);
