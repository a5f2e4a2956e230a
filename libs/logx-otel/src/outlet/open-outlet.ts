import type { ShippingContext } from '@apix/logx/shipping';
import type { Settings } from '../config/resolve-config.js';
import { BorrowedOutlet } from './borrowed-outlet.js';
import { EndpointOutlet } from './endpoint-outlet.js';
import { globalProvider } from './global-provider.js';
import type { Outlet } from './outlet.js';

/** Opens the outlet of the settings: an endpoint, a provider of the app, or the global one. */
export function openOutlet(
  { provider, endpoint, scopeName, attributes }: Settings,
  context: ShippingContext,
): Outlet {
  if (endpoint !== undefined) return new EndpointOutlet(endpoint, scopeName, attributes, context);
  const providerNow = provider === undefined ? globalProvider : () => provider;
  return new BorrowedOutlet(providerNow, scopeName, attributes, context);
}
