import type { GatewaySetting } from './setting.js';

/** Who callers are, and what they may do. */
export const CALLER_SETTINGS = {
  jwks: {
    group: 'Callers',
    kind: 'text',
    value: '<url|file>',
    help: 'keys that sign tokens; makes the gateway enforce the policies in the descriptors',
  },
  issuer: {
    group: 'Callers',
    kind: 'texts',
    value: '<text>',
    help: 'who issues tokens (iss); required with jwks',
  },
  audience: {
    group: 'Callers',
    kind: 'texts',
    value: '<text>',
    help: 'for whom tokens are made (aud); required with jwks',
  },
  'policy-file': {
    group: 'Callers',
    kind: 'text',
    value: '<file>',
    help: 'policies, and tools, of methods by selector, as YAML or JSON, for .proto files that have none',
  },
  'roles-claim': {
    group: 'Callers',
    kind: 'text',
    value: '<name>',
    help: 'claim that lists roles; default: roles',
  },
  'scopes-claim': {
    group: 'Callers',
    kind: 'text',
    value: '<name>',
    help: 'claim that lists permissions; default: scope',
  },
  unannotated: {
    group: 'Callers',
    kind: 'choice',
    value: '<allow|deny>',
    choices: ['allow', 'deny'],
    help: 'what happens to methods without a policy; default: allow',
  },
  policies: {
    group: 'Callers',
    kind: 'choice',
    value: '<enforce|shadow>',
    choices: ['enforce', 'shadow'],
    help: 'enforce refuses callers; shadow only counts those it would refuse; default: enforce',
  },
  'record-rules': {
    group: 'Callers',
    kind: 'choice',
    value: '<refuse|server>',
    choices: ['refuse', 'server'],
    help: 'who decides policies that read or list records; refuse does not start with one; default: refuse',
  },
} as const satisfies Readonly<Record<string, GatewaySetting>>;
