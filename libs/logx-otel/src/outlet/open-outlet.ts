import type { Settings } from '../config/resolve-config.js';
import { BorrowedOutlet } from './borrowed-outlet.js';
import { EndpointOutlet } from './endpoint-outlet.js';
import { globalProvider } from './global-provider.js';
import type { Outlet } from './outlet.js';

/** What the settings ask for: an endpoint, a provider of the app, or the global one. */
export function openOutlet(
  { provider, endpoint, scopeName }: Settings,
  onError: (message: string, cause?: unknown) => void,
): Outlet {
  if (endpoint !== undefined) return new EndpointOutlet(endpoint, scopeName, onError, Date.now);
  return provider === undefined
    ? new BorrowedOutlet('global provider', globalProvider, scopeName, onError)
    : new BorrowedOutlet('provider', () => provider, scopeName, onError);
}
