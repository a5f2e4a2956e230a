import { Mistakes, shownValue } from '@apix/contracts';
import type { Authorizer } from '../decide/authorizer.js';
import { INFRASTRUCTURE_SERVICES, coversHandler } from '../policy/exemptions.js';
import { isConditional } from './conditional-handler.js';
import { injectedFilter } from './filter-parameter.js';
import { argumentMistakes, parametersBy } from './handler-arguments.js';
import { type HandlerPolicies, handlerNameOf, policyOf } from './handler-policies.js';
import { type HandlerRequirement, readHandlerRequirement } from './handler-requirement.js';
import type { FoundHandler } from './handler-search.js';
import {
  type Handler,
  defaultPolicies,
  handlerPolicy,
  writtenPolicies,
} from './policy-metadata.js';
import { isOnlyRpc, servedRpc, servesHttp, servesMessages } from './served-handler.js';

/** The mistakes in one handler's policy, or in the RPCs that it claims to serve. */
export function handlerMistakes(
  found: FoundHandler,
  authorizer: Authorizer,
  policies: HandlerPolicies,
): string[] {
  const { controller, key, handler, entry } = found;
  if (entry === 'none') return [];
  const where = handlerNameOf(controller, key);
  return [
    ...contentMistakes(found, authorizer),
    ...writtenMistakes(found),
    ...rpcMistakes(handler, authorizer),
    ...filterMistakes(found, authorizer),
    ...unguardedMistakes(found, policies),
  ].map((mistake) => `${where}: ${mistake}`);
}

function contentMistakes(found: FoundHandler, authorizer: Authorizer): string[] {
  const { controller, handler } = found;
  const policy = policyOf(controller, handler);
  if (policy?.kind === 'method') {
    return enforcedMistakes(policy.fullName, authorizer);
  }
  if (policy === undefined) return [];
  if (policy.kind === 'public') return [];
  return requirementMistakesOf(found, policy.input, authorizer);
}

function requirementMistakesOf(
  { controller, handler, key, entry }: FoundHandler,
  input: HandlerRequirement,
  { conditionSetup }: Authorizer,
): string[] {
  const mistakes = new Mistakes();
  const name = handlerNameOf(controller, handler.name);
  const { conditions } = readHandlerRequirement(input, name, conditionSetup, mistakes);
  if (conditions === undefined) return [...mistakes.found];
  if (entry === 'field' || entry === 'reference') {
    mistakes.add('', 'conditions are for queries, mutations and subscriptions, not for fields');
  }
  if (!isConditional(handler)) {
    mistakes.add(
      '',
      'its conditions are lost; put @Requires above decorators that replace the method',
    );
  }
  const isHttp = servesHttp(handler);
  if (isHttp && servesMessages(handler)) {
    mistakes.add('', 'conditions need a handler of HTTP or of messages, not of both');
  }
  return [...mistakes.found, ...argumentMistakes(conditions, isHttp, controller, key)];
}

function enforcedMistakes(fullName: string, authorizer: Authorizer): string[] {
  if (!authorizer.methods.has(fullName)) {
    return [`@EnforceMethod("${fullName}"): the descriptors have no such method`];
  }
  const { conditions, lists } = authorizer.standing(fullName);
  if (lists !== undefined) {
    return [
      `@EnforceMethod("${fullName}"): that method lists records, and a handler cannot get its filter; call listFilter() ` +
        'of the Authorizer in it',
    ];
  }
  return conditions === undefined
    ? []
    : [
        `@EnforceMethod("${fullName}"): that method has conditions, and a handler has no request for them; call authorize() of ` +
          'the Authorizer in it',
      ];
}

/** Policies that were written and would not, or not clearly, be enforced. */
function writtenMistakes({ controller, key, handler }: FoundHandler): string[] {
  const mistakes: string[] = [];
  const written = writtenPolicies(controller, key);
  if (written.length > 1) mistakes.push('has several policies; keep one');
  if (defaultPolicies(controller).length > 1) {
    mistakes.push('its controller has several default policies; keep one');
  }
  if (written.length > 0 && handlerPolicy(handler) === undefined) {
    mistakes.push(
      'its policy is lost because the method was overridden or replaced by a decorator; ' +
        'repeat the policy here, or put it above that decorator',
    );
  }
  if (isOnlyRpc(handler) && policyOf(controller, handler) !== undefined) {
    mistakes.push(
      'an RPC takes its policy from the .proto file; move the policy there or, if it is the ' +
        "controller's default, move the RPC to another controller",
    );
  }
  return mistakes;
}

/** Policies where Nest asks no guard: nothing would enforce them. */
// Why: docs/decisions/0223
function unguardedMistakes(
  { controller, key, handler, entry, isGuarded }: FoundHandler,
  policies: HandlerPolicies,
): string[] {
  if (isGuarded) return [];
  if (entry === 'hook') {
    return writtenPolicies(controller, key).length === 0
      ? []
      : ['has a policy, but Nest guards messages and no connections; disconnect the client in it'];
  }
  const { kind } = policies.standing(controller, handler);
  // A field without a policy can be reached only through a query, which is guarded.
  const isRefused = kind === 'protected' || (kind === 'closed' && entry === 'reference');
  return isRefused
    ? [
        "Nest asks no guard for this field, so nothing refuses a caller; set fieldResolverEnhancers: ['guards'] of GraphQLModule, or put @Public() on it where the policies of queries are enough",
      ]
    : [];
}

function rpcMistakes(handler: Handler, authorizer: Authorizer): string[] {
  return servedRpc(handler)
    .filter(({ service, rpc }) => !isKnown(service, rpc, authorizer))
    .map(
      ({ service, rpc }) =>
        `serves ${service}/${rpc}, which is not in the descriptors; rebuild them or correct ` +
        'the name',
    );
}

/** Lists that would send nothing, and handlers that ask for a filter that does not exist. */
function filterMistakes(
  { controller, key, handler }: FoundHandler,
  authorizer: Authorizer,
): string[] {
  const asks = parametersBy(injectedFilter, controller, key).length > 0;
  const served = servedRpc(handler).filter(({ isRaw }) => !isRaw);
  const lists = served.filter(({ service, rpc }) =>
    namesOf(service, rpc, authorizer).some(
      (name) => authorizer.methods.listsOf(name) !== undefined,
    ),
  );
  if (asks) {
    return lists.length > 0 || served.length < servedRpc(handler).length
      ? []
      : ['has @CurrentFilter(), and serves no RPC with the option (apix.authz.lists)'];
  }
  return lists.map(
    ({ service, rpc }) =>
      `serves ${service}/${rpc}, which lists records, and does not ask for its filter; give it a parameter with ` +
      '@CurrentFilter(), and list only what that lets through',
  );
}

/** A handler may name its service in full or, as stock Nest does, without the package. */
function isKnown(service: string, rpc: string, authorizer: Authorizer): boolean {
  if (INFRASTRUCTURE_SERVICES.includes(service)) return true;
  return namesOf(service, rpc, authorizer).length > 0;
}

function namesOf(service: string, rpc: string, authorizer: Authorizer): string[] {
  return authorizer.methods
    .names()
    .filter((name) => name.endsWith(`.${service}/${rpc}`) || name === `/${service}/${rpc}`);
}

/** The mistakes in the entries of `exempt` for handlers, checked once those are known. */
export function exemptHandlerMistakes(
  entries: readonly string[],
  handlers: readonly FoundHandler[],
): string[] {
  const reached = handlers.filter(({ entry }) => entry !== 'none' && entry !== 'hook');
  return entries.flatMap((entry) => {
    const covered = reached.filter(({ controller, handler }) =>
      coversHandler(entry, handlerNameOf(controller, handler.name)),
    );
    const classes = new Set(covered.map(({ controller }) => controller)).size;
    if (classes === 1) return [];
    return [
      classes === 0
        ? `exempt: ${shownValue(entry)} exempts nothing: no such handler is served`
        : `exempt: ${shownValue(entry)} means ${classes} classes of that name; rename all but one`,
    ];
  });
}
