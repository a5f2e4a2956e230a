import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../tools/testing/free-port.js';

/** A running Cerbos. */
export interface CerbosServer {
  /** Its answer to a request of its HTTP API. */
  ask(path: string, body: object): Promise<unknown>;
  stop(): Promise<void>;
}

/** Where the bed installs it, seen from its bundle. */
const BINARY = fileURLToPath(
  new URL(
    '../../../../conformance/cerbos/node_modules/@cerbos/cerbos-linux-x64/cerbos-linux-x64',
    import.meta.url,
  ),
);

/** Starts Cerbos with these policies, each a document. */
export async function startCerbos(
  policies: readonly string[],
  binary = BINARY,
): Promise<CerbosServer> {
  const folder = mkdtempSync(join(tmpdir(), 'apix-cerbos-'));
  mkdirSync(join(folder, 'policies'));
  for (const [n, policy] of policies.entries()) {
    writeFileSync(join(folder, `policies/p${n}.json`), policy);
  }
  const address = `127.0.0.1:${await freePort()}`;
  writeFileSync(
    join(folder, 'cerbos.yaml'),
    `server: { httpListenAddr: '${address}', grpcListenAddr: '127.0.0.1:${await freePort()}' }
storage: { driver: disk, disk: { directory: '${join(folder, 'policies')}' } }
telemetry: { disabled: true }
`,
  );
  const server = spawn(binary, ['server', '--config', join(folder, 'cerbos.yaml')]);
  let said = '';
  for (const stream of [server.stdout, server.stderr]) {
    stream.on('data', (data: Buffer) => (said = (said + data.toString()).slice(-10_000)));
  }
  const ended = once(server, 'exit');
  const stop = async (): Promise<void> => {
    server.kill('SIGTERM');
    await ended;
    rmSync(folder, { recursive: true });
  };
  const isReady = async (): Promise<boolean> =>
    fetch(`http://${address}/_cerbos/health`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isReady())) {
    if (server.exitCode !== null) throw new Error(`cerbos has ended: ${said}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return {
    ask: async (path, body) => {
      const answer = await fetch(`http://${address}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      const text = await answer.text();
      if (!answer.ok) throw new Error(`cerbos answers ${answer.status}: ${text}`);
      return JSON.parse(text);
    },
    stop,
  };
}
