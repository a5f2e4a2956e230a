import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { satisfies } from 'semver';
import { freePort } from '../../../tools/testing/free-port.js';
import { step } from '../../chromium.js';
import { ask } from '../asked.js';
import type { Bed } from '../bed.js';
import { instruction, readContainerFile } from '../container-file.mjs';
import { untilStatus } from '../gateway.js';

/** Where the container file puts what it installs. */
const PLACE = '/opt/gateway';

/** What can be known of the container file where nothing runs containers: its commands, laid out as it says. */
export async function testContainer(bed: Bed): Promise<void> {
  const { installed, folder } = bed.places;
  const backend = await bed.python();
  const [port, admin] = [await freePort(), await freePort()];
  const here = (json: string): string[] =>
    (JSON.parse(json) as string[]).map((it) =>
      it.replace(PLACE, installed).replace(/\b9000\b/, String(admin)),
    );
  await step('the container file has one base, of a version that the package allows', () => {
    const bases = readContainerFile().filter(({ name }) => name === 'FROM');
    const versions = bases.map(({ text }) => /^node:(\d+)-/.exec(text)?.[1]);
    assert.equal(new Set(versions).size, 1);
    assert.ok(satisfies(`${versions[0]}.99.0`, '>=20.19'));
  });
  await step('it does not run as root, and is told to stop by SIGTERM', () => {
    assert.equal(instruction('USER'), 'node');
    assert.equal(instruction('STOPSIGNAL'), 'SIGTERM');
    assert.equal(instruction('EXPOSE'), '8080 9000');
  });
  await step('what it copies is there', () => {
    const [from = ''] = instruction('COPY').replace('--from=install ', '').split(' ');
    assert.ok(existsSync(join(installed, from.replace(PLACE, ''))));
  });
  const [node = '', ...args] = here(instruction('ENTRYPOINT'));
  assert.equal(node, 'node');
  const options = ['--backend', backend.address, '--listen', `127.0.0.1:${port}`];
  const stdio = ['ignore', 'inherit', 'inherit'] as const;
  const child = spawn(node, [...args, '--log-level', 'fatal', ...options], {
    cwd: folder,
    stdio: [...stdio],
  });
  bed.add(() => child.kill('SIGKILL'));
  await step('its command serves, with health and metrics apart', async () => {
    await untilStatus(`http://127.0.0.1:${admin}/readyz`, 200);
    assert.equal((await ask(`http://127.0.0.1:${port}`, '/v1/plants/rose')).status, 200);
    assert.equal((await ask(`http://127.0.0.1:${port}`, '/metrics')).status, 404);
    assert.equal((await ask(`http://127.0.0.1:${admin}`, '/metrics')).status, 200);
  });
  const check = async (): Promise<unknown> => {
    const [probe = '', ...rest] = here(instruction('HEALTHCHECK').replace(/^.*?CMD /, ''));
    const [code] = await once(spawn(probe, rest, { stdio: 'inherit' }), 'exit');
    return code as unknown;
  };
  await step('its health check knows whether it serves', async () => {
    assert.equal(await check(), 0);
    child.kill('SIGTERM');
    const [code] = (await once(child, 'exit')) as [number];
    assert.equal(code, 0);
    assert.equal(await check(), 1);
  });
}
