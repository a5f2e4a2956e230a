import type { StagedCall } from '@apix/contracts';
import type { Attributes } from '@opentelemetry/api';
import { CLIENT_ADDRESS, CLIENT_PORT } from '../tracing/span-attributes.js';

/** The caller's address, if the connection shows it: behind a gateway, and in this process, it does not. */
export function peerAttributes({ peer: { address }, forwarded }: StagedCall): Attributes {
  if (forwarded || address === '') return {};
  const colon = address.lastIndexOf(':');
  const port = Number(address.slice(colon + 1));
  if (colon < 0 || !Number.isInteger(port)) return { [CLIENT_ADDRESS]: address };
  return { [CLIENT_ADDRESS]: address.slice(0, colon), [CLIENT_PORT]: port };
}
