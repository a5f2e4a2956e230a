import type { GatewayOptions, TrustProxy } from '@apix/gateway/core';
import { webSockets } from '@apix/gateway/websocket';
import { cors } from '../site/cors.js';
import type { GatewaySettings } from '../settings/setting-table.js';

/** The options for every gateway that is created from these settings. */
export function gatewayOptionsOf(settings: GatewaySettings): GatewayOptions {
  const { exclude, mount, timeout, compress, protocols } = settings;
  const { 'max-timeout': maxTimeout, 'max-body-bytes': maxBodyBytes } = settings;
  const { 'cors-origin': origins, 'cors-credentials': credentials } = settings;
  const { 'forward-header': forwardHeaders, 'trust-proxy': proxies } = settings;
  return {
    compress,
    exclude,
    forwardHeaders,
    ...(protocols.length > 0 && { protocols }),
    ...(mount !== undefined && { mount }),
    ...(timeout !== undefined && { timeout }),
    ...(maxTimeout !== undefined && { maxTimeout }),
    ...(maxBodyBytes !== undefined && { maxBodyBytes }),
    ...(proxies.length > 0 && { trustProxy: trustedOf(proxies) }),
    ...(origins.length > 0 && { middleware: [cors({ origins, credentials })] }),
    ...(settings.websockets && { webSockets: webSockets({ origins: pagesOf(origins) }) }),
  };
}

/** The number of proxies, or their addresses and networks. */
function trustedOf(proxies: readonly string[]): TrustProxy {
  const [only = ''] = proxies;
  return proxies.length === 1 && /^\d+$/.test(only) ? Number(only) : proxies;
}

/** Pages that may read answers may open WebSockets. */
function pagesOf(origins: readonly string[]): 'any' | readonly string[] {
  return origins.includes('*') ? 'any' : ['same', ...origins];
}
