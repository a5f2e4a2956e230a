import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { step } from '../../chromium.js';
import { freePort } from '../../../tools/testing/free-port.js';
import { ask } from '../asked.js';
import type { Bed } from '../bed.js';
import { untilStatus } from '../gateway.js';

const run = promisify(execFile);

/** The command as the README has it, in an empty folder. */
export async function testNpx(bed: Bed): Promise<void> {
  const { empty, env, installed } = bed.places;
  const { address } = await bed.python();
  const npx = ['--yes', '@apix/gateway-server', '--backend', address];
  await step('npx in an empty folder says what would be served', async () => {
    const { stdout, stderr } = await run('npx', [...npx, '--check'], { cwd: empty, env });
    assert.match(stdout, /^GET \/v1\/\{name=plants\/\*\} +\/garden\.v1\.Garden\/GetPlant$/m);
    assert.doesNotMatch(stderr, /EBADENGINE|ERR/);
  });
  await step('npx in an empty folder serves it, and stops when the terminal says so', async () => {
    const port = await freePort();
    const args = [...npx, '--listen', `127.0.0.1:${port}`, '--drain-delay', '0'];
    // As a shell does it: a group of its own, all of which gets the signal.
    const child = spawn('npx', args, {
      cwd: empty,
      env: { ...env, OTEL_TRACES_EXPORTER: 'otlp' },
      stdio: ['ignore', 'pipe', 'ignore'],
      detached: true,
    });
    const said = text(child.stdout);
    bed.add(() => child.exitCode ?? child.signalCode ?? process.kill(-child.pid!, 'SIGKILL'));
    const url = `http://127.0.0.1:${port}`;
    await untilStatus(`${url}/readyz`, 200);
    const rose = await ask(url, '/v1/plants/rose');
    assert.deepEqual(rose.json, { name: 'plants/rose', height: 120 });
    const exit = once(child, 'exit');
    process.kill(-child.pid!, 'SIGINT');
    await exit;
    await assert.rejects(ask(url, '/v1/plants/rose'));
    // It has no exporter, was asked to export, and served all the same.
    assert.match(await said, /no spans are exported: run npm install @opentelemetry\//);
  });
  await step('nothing was written into the folder', () =>
    assert.deepEqual(readdirSync(empty), ['.npmrc']),
  );
  await step('no Nest comes with it', () => {
    const folders = readdirSync(join(installed, 'node_modules'));
    const foreign = folders.filter((it) => /^(?:@nestjs|rxjs|reflect-metadata)$/.test(it));
    assert.deepEqual(foreign, []);
    assert.ok(!existsSync(join(installed, 'node_modules/@apix/gateway/node_modules')));
  });
  await step('@apix/gateway/core and @apix/authz/core can be used without Nest', async () => {
    const code = `
      const { Gateway } = await import('@apix/gateway/core');
      const { Authorizer } = await import('@apix/authz/core');
      console.log(typeof Gateway, typeof Authorizer);
    `;
    const args = ['--input-type=module', '--eval', code];
    const { stdout } = await run(process.execPath, args, { cwd: installed });
    assert.equal(stdout, 'function function\n');
  });
}
