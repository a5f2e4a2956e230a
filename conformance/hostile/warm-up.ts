import { callAs } from './attacks/certificates.js';
import { HOLDERS } from './certificates.js';
import { knock } from './knock.js';
import type { Door, Site } from './site.js';

/** Often enough for what is made at the first calls to be there. */
const ROUNDS = 10;

const DOORS: readonly Door[] = [
  'gRPC',
  'REST in-process',
  'REST over the network',
  'Connect',
  'gRPC-Web',
  'gRPC on the shared port',
  'WebSocket',
  'WebSocket over the network',
  'MCP',
  'HTTP controller',
  'messages',
];

/** Comes in by every door, refused and let in, so that memory is measured after that. */
export async function warmUp(site: Site): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) {
    await Promise.all([
      ...Object.values(HOLDERS).map((holder) => callAs(holder, site.gate.ports.grpc)),
      ...DOORS.flatMap((door) => [knock(site, door, 'vault'), knock(site, door, 'porch')]),
    ]);
  }
  for (const log of Object.values(site.logs)) log.forget();
}
