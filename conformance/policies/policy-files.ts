import type { PolicyFile } from './policy-file.js';

const READERS = ['editor', 'owner', 'viewer'];
const WRITERS = ['editor', 'owner'];
const OWN_NAME = { id: 'project', expression: 'request.name.startsWith("projects/")' };
/** Reads the caller alone, so that no request is needed to decide. */
const AUDITOR = { id: 'auditor', expression: '"auditor" in subject.roles' };

/** What a condition that reads the caller alone says of a caller with these roles. */
export const OF_CALLER: ReadonlyMap<string, (roles: readonly string[]) => boolean> = new Map([
  [AUDITOR.id, (roles: readonly string[]) => roles.includes('auditor')],
]);

/** By the verbs of Google's methods; the rest of a service is for its default, or has no policy. */
export const GOOGLE: PolicyFile = {
  services: [
    [/^google\.(ads|analytics)\./, { roles: { anyOf: ['marketing'] } }],
    [/^google\.longrunning\./, {}],
    [/^google\.cloud\.audit|\.logging\./, { conditions: [AUDITOR] }],
    [/^google\.cloud\./, { roles: { anyOf: WRITERS, noneOf: ['suspended'] } }],
  ],
  methods: [
    [/\.TestIamPermissions$/, { public: true }],
    [/\.SetIamPolicy$/, { roles: { anyOf: ['owner'] }, permissions: { allOf: ['iam.set'] } }],
    [/\.GetIamPolicy$/, { permissions: { anyOf: ['iam.get', 'iam.set'] } }],
    [/\.ListLogs$/, { roles: { anyOf: ['auditor', 'owner'] }, conditions: [AUDITOR] }],
    [/\.(Delete|Purge)\w*$/, { roles: { anyOf: ['owner'] }, conditions: [OWN_NAME] }, 'name'],
    [/\.(Delete|Purge)\w*$/, { roles: { allOf: ['editor', 'owner'] } }],
    [/\.Get\w*$/, { roles: { anyOf: READERS }, conditions: [OWN_NAME, AUDITOR] }, 'name'],
    [/\.(Get|List|Search|Fetch)\w*$/, { roles: { anyOf: READERS } }],
    [/\.Stream\w*$/, { permissions: { allOf: ['stream'] } }],
  ],
  fields: [
    [/\.uid$/, { roles: { anyOf: ['owner'] } }],
    [/\.satisfies_pz[is]$/, { permissions: { noneOf: ['iam.get'] } }],
    [/^google\.iam\.v1\.Binding\.members$/, { condition: '"auditor" in subject.roles' }],
  ],
};

/** As etcd's own roles are meant: the root user changes members and users, and keys have readers and writers. */
export const ETCD: PolicyFile = {
  services: [
    [/\.(Auth|Cluster|Maintenance)$/, { roles: { anyOf: ['root'] } }],
    [/\.Lease$/, { roles: { anyOf: ['writer', 'root'], noneOf: ['suspended'] } }],
  ],
  methods: [
    [/\.(Authenticate|AuthStatus)$/, { public: true }],
    [/\.(MemberList|Status)$/, {}],
    [/\.KV\.Range$/, { roles: { anyOf: ['reader', 'writer', 'root'] } }],
    [
      /\.KV\.(Put|DeleteRange)$/,
      {
        roles: { anyOf: ['writer', 'root'] },
        conditions: [{ id: 'has_key', expression: 'size(request.key) > 0' }],
      },
    ],
    [/\.KV\.Txn$/, { roles: { allOf: ['writer'] }, permissions: { allOf: ['txn'] } }],
    [/\.Snapshot$/, { permissions: { anyOf: ['backup'] } }],
  ],
  fields: [[/^authpb\.User\.password$/, { roles: { anyOf: ['root'] } }]],
};
