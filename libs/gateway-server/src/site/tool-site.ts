import type { MetricReading, MetricSource } from '@apix/contracts';
import { METRIC_SOURCE } from '@apix/contracts';
import type { RequestHandler, Upstream } from '@apix/gateway/core';
import { McpEndpoint, type McpOptions } from '@apix/mcp/core';
import type { Generation } from '../catalogue/generation.js';
import type { GatewaySettings } from '../settings/setting-table.js';
import { cors } from './cors.js';
import { refuseForNow } from './site.js';

/** What tools are served from. */
export interface ToolSources {
  /** Undefined until the first generation has been read. */
  readonly current: () => Generation | undefined;
  readonly upstream: () => Upstream;
}

/** The tools of the server, whatever generation has them: clients keep their sessions when descriptors change. */
export class ToolSite implements MetricSource {
  readonly [METRIC_SOURCE] = true as const;
  readonly handler: RequestHandler;
  readonly #endpoint: McpEndpoint;

  /** @throws McpConfigError that lists what is wrong with the settings. */
  constructor(settings: GatewaySettings, { current, upstream }: ToolSources) {
    const endpoint = new McpEndpoint(
      () => current()!.tools!,
      {
        server: upstream,
        access: () => current()!.authorizer,
        metadata: (req, requestId) => current()!.gateway.metadataOf(req, requestId),
      },
      mcpOptionsOf(settings),
    );
    const origins = settings['mcp-origin'];
    const forPages = origins.length > 0 ? cors({ origins, credentials: false }) : undefined;
    this.#endpoint = endpoint;
    this.handler = (req, res, next) => {
      const serve = (): void => {
        if (current() === undefined) refuseForNow(res);
        else endpoint.handle(req, res);
      };
      if (!endpoint.takes(req)) next?.();
      else if (forPages === undefined) serve();
      else forPages(req, res, serve);
    };
  }

  *metrics(): Iterable<MetricReading> {
    yield {
      name: 'apix.mcp.sessions',
      kind: 'gauge',
      value: this.#endpoint.counts.sessions,
      description: 'sessions of clients of the revisions with sessions',
    };
  }
}

/** Undefined if the settings have no tools. @throws McpConfigError that lists what is wrong with them. */
export function toolSite(settings: GatewaySettings, sources: ToolSources): ToolSite | undefined {
  return settings.mcp === undefined ? undefined : new ToolSite(settings, sources);
}

/** As bodies of other requests. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;

function mcpOptionsOf(settings: GatewaySettings): McpOptions {
  const { mcp, title, timeout, 'api-version': version, 'max-body-bytes': maxBodyBytes } = settings;
  const { 'mcp-instructions': instructions, 'mcp-max-result-bytes': maxResultBytes } = settings;
  const { 'mcp-origin': origins, 'mcp-host': hosts, 'forward-header': forwardHeaders } = settings;
  return {
    // A session belongs to them, as to its credentials.
    forwardHeaders,
    name: title ?? 'apix-gateway',
    maxBodyBytes: maxBodyBytes ?? MAX_BODY_BYTES,
    sessions: sessionsOf(settings),
    ...(mcp !== undefined && { path: mcp }),
    ...(version !== undefined && { version }),
    ...(timeout !== undefined && { timeout }),
    ...(instructions !== undefined && { instructions }),
    ...(maxResultBytes !== undefined && { maxResultBytes }),
    ...(origins.length > 0 && { allowedOrigins: origins }),
    ...(hosts.length > 0 && { allowedHosts: hosts }),
    ...authorizationOf(settings),
  };
}

function sessionsOf(settings: GatewaySettings): NonNullable<McpOptions['sessions']> {
  const { 'mcp-sessions': max, 'mcp-session-timeout': timeout } = settings;
  const { 'mcp-sessions-per-caller': maxPerCaller } = settings;
  if (max === 0) return false;
  return {
    ...(max !== undefined && { max }),
    ...(maxPerCaller !== undefined && { maxPerCaller }),
    ...(timeout !== undefined && { timeout }),
  };
}

function authorizationOf(settings: GatewaySettings): Pick<McpOptions, 'authorization'> {
  const { 'mcp-resource': resource, 'mcp-scope': scopes, issuer } = settings;
  const { 'mcp-authorization-server': given } = settings;
  if (resource === undefined) return {};
  const authorizationServers = given.length > 0 ? given : issuer;
  return {
    authorization: { resource, authorizationServers, ...(scopes.length > 0 && { scopes }) },
  };
}
