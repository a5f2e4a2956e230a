import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../tools/testing/free-port.js';
import type { Peer } from './claim.js';
import { PACKAGES, load } from './peer-packages.js';

/** What is used of the package, which is not there when this is compiled. */
interface CerbosClient {
  serverInfo(): Promise<unknown>;
  isAllowed(question: object): Promise<boolean>;
  close(): void;
}
const { GRPC } = load('@cerbos/grpc') as {
  readonly GRPC: new (
    address: string,
    options: { readonly tls: boolean; readonly timeout: number },
  ) => CerbosClient;
};

const POLICY = `apiVersion: api.cerbos.dev/v1
resourcePolicy:
  resource: order
  version: default
  rules:
    - actions: [cancel]
      effect: EFFECT_ALLOW
      roles: [customer]
      condition:
        match:
          expr: request.resource.attr.owner == request.principal.id
`;

interface Running {
  /** Whether `ada`, a customer, may cancel an order of `owner`. */
  readonly mayCancel: (owner: string) => Promise<boolean>;
  readonly stop: () => Promise<void>;
}

async function withCerbos<R>(use: (running: Running) => Promise<R>): Promise<R> {
  const folder = mkdtempSync(join(tmpdir(), 'apix-cerbos-'));
  mkdirSync(join(folder, 'policies'));
  writeFileSync(join(folder, 'policies/order.yaml'), POLICY);
  const address = `127.0.0.1:${await freePort()}`;
  writeFileSync(
    join(folder, 'cerbos.yaml'),
    `server: { httpListenAddr: '127.0.0.1:${await freePort()}', grpcListenAddr: '${address}' }
storage: { driver: disk, disk: { directory: '${join(folder, 'policies')}' } }
telemetry: { disabled: true }
`,
  );
  const binary = join(PACKAGES, '@cerbos/cerbos-linux-x64/cerbos-linux-x64');
  const server = spawn(binary, ['server', '--config', join(folder, 'cerbos.yaml')], {
    stdio: 'ignore',
  });
  const ended = once(server, 'exit');
  const client = new GRPC(address, { tls: false, timeout: 2_000 });
  const stop = async (): Promise<void> => {
    server.kill('SIGKILL');
    await ended;
  };
  const mayCancel = (owner: string): Promise<boolean> =>
    client.isAllowed({
      principal: { id: 'ada', roles: ['customer'] },
      resource: { kind: 'order', id: '1001', attr: { owner } },
      action: 'cancel',
    });
  try {
    const until = Date.now() + 20_000;
    for (;;) {
      try {
        await client.serverInfo();
        break;
      } catch (error) {
        if (Date.now() > until) throw error;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
    return await use({ mayCancel, stop });
  } finally {
    await stop();
    client.close();
    rmSync(folder, { recursive: true });
  }
}

export const cerbos: Peer = {
  name: '@cerbos/cerbos-linux-x64',
  claims: [
    {
      says: "has rules over a record's attributes",
      expected: "her own order: true, another's: false",
      see: () =>
        withCerbos(
          async ({ mayCancel }) =>
            `her own order: ${await mayCancel('ada')}, another's: ${await mayCancel('bob')}`,
        ),
    },
    {
      says: 'is a server that is asked for each decision',
      expected: 'no decision once the server is gone',
      see: () =>
        withCerbos(async ({ mayCancel, stop }) => {
          await stop();
          return mayCancel('ada').then(
            (may) => `still decides: ${may}`,
            () => 'no decision once the server is gone',
          );
        }),
    },
  ],
};
