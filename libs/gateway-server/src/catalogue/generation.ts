import { celConditions } from '@apix/authz/conditions';
import { Authorizer, AuthzReport, type SubjectFunc } from '@apix/authz/core';
import {
  Gateway,
  type GatewayOptions,
  type HttpRuleInit,
  type OpenApiDocument,
  type Upstream,
  buildOpenApi,
} from '@apix/gateway/core';
import { ToolBook } from '@apix/mcp/core';
import type { DescMethod } from '@bufbuild/protobuf';
import { ProtoRegistry, fullMethodName } from '@apix/proto/core';
import { describePolicies } from '@apix/proto/internal';
import type { DescriptorSource } from '@apix/proto/core';
import type { GatewaySettings } from '../settings/setting-table.js';
import { GatewayServerError } from '../errors.js';
import type { PolicyEntry } from '../policies/policy-file.js';
import { addMethodOptions } from './method-options.js';
import { hasAnyRule, toolMethods, unboundRules } from './unbound-rules.js';

/** What a generation is made from, in addition to the descriptors. */
export interface GenerationParts {
  readonly settings: GatewaySettings;
  readonly upstream: Upstream;
  readonly gatewayOptions: GatewayOptions;
  /** Undefined if no policy is enforced here. */
  readonly subject: SubjectFunc | undefined;
}

/** What files say besides the descriptors. */
export interface GenerationFiles {
  readonly rules: readonly HttpRuleInit[];
  readonly policies: readonly PolicyEntry[];
}

/** Everything that is built from one state of the descriptors and rules; built as a whole, or not at all. */
export class Generation {
  readonly gateway: Gateway;
  /** Undefined if none are served. */
  readonly tools: ToolBook | undefined;
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
   * @throws DescriptorError, GatewayServerError, GatewayConfigError, McpConfigError or PolicyError that lists every
   *   mistake.
   */
  constructor(
    sources: readonly DescriptorSource[],
    { rules, policies }: GenerationFiles,
    parts: GenerationParts,
  ) {
    const { settings, upstream, gatewayOptions, subject } = parts;
    const registry = ProtoRegistry.load(sources);
    addMethodOptions(registry, { policies, settings });
    this.tools = settings.mcp === undefined ? undefined : new ToolBook(registry, NO_TOOL);
    const isRest = settings.protocols.every((name) => name === 'rest');
    const needsRule = !settings.unbound && isRest && this.tools === undefined;
    if (needsRule && !hasAnyRule(registry, rules)) throw new GatewayServerError([NO_RULE]);
    const all = settings.unbound ? [...rules, ...unboundRules(registry, rules)] : rules;
    const { exclude = [] } = gatewayOptions;
    const options = {
      ...gatewayOptions,
      rules: all,
      exclude: [...exclude, ...toolMethods(registry, rules)],
    };
    this.gateway = new Gateway(registry, upstream, options, { mayBeEmpty: !needsRule });
    this.authorizer =
      subject &&
      new Authorizer(registry, {
        subject,
        unannotated: settings.unannotated ?? 'allow',
        mode: settings.policies ?? 'enforce',
        conditions: celConditions(),
        recordRules: 'upstream',
      });
    this.#checkTools(settings);
    const served = [...this.#served()].map(fullMethodName);
    const left = new Set(this.authorizer?.leftToUpstream());
    this.leftToServer = served.filter((name) => left.has(name));
    if (settings['record-rules'] !== 'server' && this.leftToServer.length > 0) {
      throw new GatewayServerError(this.leftToServer.map(recordMistake));
    }
    this.unenforced = subject === undefined ? describePolicies(this.#served()) : undefined;
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
        report: this.#report(),
        others: this.gateway,
      },
      { info: infoOf(settings) },
    );
    return this.#document;
  }

  /** The policies in words, if the document is to have them. */
  #report(): AuthzReport | undefined {
    const isWanted = this.#parts.settings['who-may-call'] && this.authorizer !== undefined;
    return isWanted ? new AuthzReport(this.authorizer) : undefined;
  }

  /** Whatever serves them, each once. */
  #served(): Iterable<DescMethod> {
    const { bindings, methods } = this.gateway;
    const tools = this.tools?.methods.values() ?? [];
    return new Set([...bindings.map(({ method }) => method), ...methods, ...tools]);
  }

  /** @throws GatewayServerError for tools without a policy, unless that is wanted, and for a path that is taken. */
  #checkTools({ mcp, unannotated }: GatewaySettings): void {
    const { authorizer, tools, gateway } = this;
    if (mcp === undefined || tools === undefined) return;
    if (gateway.servesAt(mcp)) {
      throw new GatewayServerError([
        `mcp: ${mcp} is the path of an HTTP rule or method: set another path`,
      ]);
    }
    if (authorizer === undefined || unannotated !== undefined) return;
    const open = [...tools.methods.values()]
      .map(fullMethodName)
      .filter((name) => authorizer.policyOf(name)?.kind === 'unannotated');
    if (open.length > 0) throw new GatewayServerError(open.map(openMistake));
  }
}

function openMistake(method: string): string {
  return (
    `${method}: is a tool without a policy; give it one by --policy-file or in its .proto file, or set --unannotated ` +
    'to say whether everybody may call such methods (allow) or nobody (deny)'
  );
}

const NO_TOOL =
  'no tool found: name methods with --mcp-tool, or in the file of --policy-file, or give them the option (apix.mcp.tool)';

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
