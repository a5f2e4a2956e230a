import { celConditions } from '@apix/authz/conditions';
import { Authorizer, type SubjectFunc } from '@apix/authz/core';
import {
  Gateway,
  type GatewayOptions,
  type HttpRuleInit,
  type OpenApiDocument,
  type Upstream,
  buildOpenApi,
} from '@apix/gateway/core';
import type { DescMethod } from '@bufbuild/protobuf';
import { ProtoRegistry } from '@apix/proto/core';
import { describePolicies } from '@apix/proto/internal';
import type { DescriptorSource } from '@apix/proto/core';
import type { GatewaySettings } from '../settings/setting-table.js';
import { GatewayServerError } from '../errors.js';
import { hasAnyRule, toolMethods, unboundRules } from './unbound-rules.js';

/** What a generation is made from, in addition to the descriptors. */
export interface GenerationParts {
  readonly settings: GatewaySettings;
  readonly upstream: Upstream;
  readonly gatewayOptions: GatewayOptions;
  /** Undefined if no policy is enforced here. */
  readonly subject: SubjectFunc | undefined;
}

/** Everything that is built from one state of the descriptors and rules; built as a whole, or not at all. */
export class Generation {
  readonly gateway: Gateway;
  /** Undefined if no policy is enforced here. */
  readonly authorizer: Authorizer | undefined;
  /** Describes the methods whose policies are not enforced here; undefined for none. */
  readonly unenforced: string | undefined;
  /** The methods whose policies on records the server decides, by full name. */
  readonly leftToServer: readonly string[];
  readonly #registry: ProtoRegistry;
  readonly #parts: GenerationParts;
  #document: OpenApiDocument | undefined;

  /**
   * @throws DescriptorError, GatewayServerError, GatewayConfigError or PolicyError that lists every mistake.
   */
  constructor(
    sources: readonly DescriptorSource[],
    rules: readonly HttpRuleInit[],
    parts: GenerationParts,
  ) {
    const { settings, upstream, gatewayOptions, subject } = parts;
    const registry = ProtoRegistry.load(sources);
    const needsRule = !settings.unbound && settings.protocols.every((name) => name === 'rest');
    if (needsRule && !hasAnyRule(registry, rules)) throw new GatewayServerError([NO_RULE]);
    const all = settings.unbound ? [...rules, ...unboundRules(registry, rules)] : rules;
    const { exclude = [] } = gatewayOptions;
    this.gateway = new Gateway(registry, upstream, {
      ...gatewayOptions,
      rules: all,
      exclude: [...exclude, ...toolMethods(registry, rules)],
    });
    this.authorizer =
      subject &&
      new Authorizer(registry, {
        subject,
        unannotated: settings.unannotated ?? 'allow',
        mode: settings.policies ?? 'enforce',
        conditions: celConditions(),
        recordRules: 'upstream',
      });
    const served = [...servedBy(this.gateway)].map(nameOf);
    const left = new Set(this.authorizer?.leftToUpstream());
    this.leftToServer = served.filter((name) => left.has(name));
    if (settings['record-rules'] !== 'server' && this.leftToServer.length > 0) {
      throw new GatewayServerError(this.leftToServer.map(recordMistake));
    }
    this.unenforced = subject === undefined ? describePolicies(servedBy(this.gateway)) : undefined;
    this.#registry = registry;
    this.#parts = parts;
  }

  openapi(): OpenApiDocument {
    const { settings, gatewayOptions } = this.#parts;
    const { bindings, prefixOf } = this.gateway;
    this.#document ??= buildOpenApi(
      {
        protos: this.#registry,
        bindings,
        prefix: prefixOf,
        transcoding: gatewayOptions,
        policies: this.authorizer,
        others: this.gateway,
      },
      { info: infoOf(settings) },
    );
    return this.#document;
  }
}

/** Whatever serves them, each once. */
function servedBy({ bindings, methods }: Gateway): Iterable<DescMethod> {
  return new Set([...bindings.map(({ method }) => method), ...methods]);
}

function nameOf({ parent, name }: DescMethod): string {
  return `/${parent.typeName}/${name}`;
}

function recordMistake(method: string): string {
  return (
    `${method}: its policy reads a record or lists records, which only the server has; set --record-rules server if the server ` +
    'enforces that policy too, or leave the method out with --exclude'
  );
}

const NO_RULE =
  'no HTTP rule found: set --unbound to serve methods without one as POST /<package>.<Service>/<Method>, ' +
  'add protocols that need none with --protocols, name a file of rules with --rules, or give methods the option (google.api.http)';

function infoOf({ title, 'api-version': version }: GatewaySettings) {
  return { ...(title !== undefined && { title }), ...(version !== undefined && { version }) };
}
