import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { step } from '../../chromium.js';
import { freePort } from '../../../tools/testing/free-port.js';
import { ask } from '../asked.js';
import type { Bed } from '../bed.js';
import { GatewayCommand, untilStatus } from '../gateway.js';
import { Load } from '../load.js';

/** From the command line to the exit code, with a server that comes and goes. */
export async function testLifecycle(bed: Bed): Promise<void> {
  await testExitCodes(bed);
  await testAbsence(bed);
  await testFiles(bed);
  await testStop(bed);
}

async function testExitCodes(bed: Bed): Promise<void> {
  const { places } = bed;
  await step('every mistake is said at once, with exit code 2', async () => {
    const args = ['--backand', 'x', '--timeout', 'soon', '--tls-cert', 'a.pem', '--listen', '0:x'];
    const { code, err, out } = await GatewayCommand.run(places, args);
    assert.deepEqual([code, out], [2, '']);
    const mistakes = [
      '--backand is not an option: did you mean --backend?',
      'backend: is missing',
      '--timeout: "soon" is not a valid duration',
      'tls-cert: requires tls-key to be set as well',
      'listen: "0:x" is not a port',
    ];
    for (const mistake of mistakes) assert.ok(err.includes(mistake), `${mistake} in\n${err}`);
  });
  await step('a set that is wrong is exit code 2, before anything is served', async () => {
    const args = ['--backend', 'localhost:1', '--descriptors', bed.file('wrong.binpb', 'nothing')];
    const { code, err } = await GatewayCommand.run(places, args);
    assert.equal(code, 2);
    assert.match(err, /wrong\.binpb/);
    assert.doesNotMatch(err, /^ +at /m);
  });
  await step('--check before a server that is away is exit code 3', async () => {
    const args = ['--backend', `127.0.0.1:${await freePort()}`, '--check'];
    const { code, err } = await GatewayCommand.run(places, args);
    assert.equal(code, 3, err);
  });
  await step('a port that is taken is exit code 1', async () => {
    const holder = createServer().listen(0, '127.0.0.1');
    bed.add(() => holder.close());
    await new Promise((resolve) => holder.once('listening', resolve));
    const { port } = holder.address() as AddressInfo;
    const args = ['--backend', 'localhost:1', '--listen', `127.0.0.1:${port}`];
    const { code, err } = await GatewayCommand.run(places, args);
    assert.equal(code, 1);
    assert.match(err, new RegExp(`${port}.*in use|EADDRINUSE`));
  });
  await step('--help and --version are exit code 0', async () => {
    const help = await GatewayCommand.run(places, ['--help']);
    const version = await GatewayCommand.run(places, ['--version']);
    assert.deepEqual([help.code, version.code], [0, 0]);
    assert.match(help.out, /--backend <host:port>/);
    assert.match(version.out, /^\d+\.\d+\.\d+\n$/);
  });
}

async function testAbsence(bed: Bed): Promise<void> {
  const port = await freePort();
  const { url } = await bed.gateway(['--backend', `127.0.0.1:${port}`]);
  await step('a server that is away at the start: alive, not ready, and 503', async () => {
    assert.equal((await ask(url, '/healthz')).status, 200);
    assert.equal((await ask(url, '/readyz')).status, 503);
    const { status, headers } = await ask(url, '/v1/plants/rose');
    assert.deepEqual([status, headers['retry-after']], [503, '1']);
  });
  const first = await bed.python({ port });
  await step('it is served once it is there', async () => {
    await untilStatus(`${url}/readyz`, 200);
    assert.equal((await ask(url, '/v1/plants/rose')).status, 200);
  });
  await step('it is not ready while the server is gone, and ready when it is back', async () => {
    await first.kill();
    await untilStatus(`${url}/readyz`, 503);
    assert.equal((await ask(url, '/healthz')).status, 200);
    await bed.python({ port });
    await untilStatus(`${url}/readyz`, 200);
    assert.equal((await ask(url, '/v1/plants/rose')).status, 200);
  });
  await step(
    'a server of reflection v1alpha alone, as grpc-python has it, is understood',
    async () => {
      const old = await bed.python({ reflection: ['v1alpha'] });
      const { code, out } = await GatewayCommand.run(bed.places, [
        '--backend',
        old.address,
        '--check',
      ]);
      assert.equal(code, 0);
      assert.match(out, /GetPlant/);
    },
  );
  await step('a server without reflection is named, with what to do', async () => {
    const silent = await bed.python({ reflection: [] });
    const args = ['--backend', silent.address, '--check'];
    const { code, err } = await GatewayCommand.run(bed.places, args);
    assert.equal(code, 3);
    assert.match(err, /has no server reflection: .*use a descriptor set/);
  });
}

const RULES = `
- selector: garden.v1.Shed.Look
  get: /v1/shed/{text}
`;

async function testFiles(bed: Bed): Promise<void> {
  const silent = await bed.python({ reflection: [] });
  const rules = bed.file('rules.yaml', RULES);
  const config = bed.file(
    'gateway.yaml',
    `backend: ${silent.address}\ndescriptors: ${bed.places.sets.garden}\nrules: ${rules}\n`,
  );
  const { url, command } = await bed.gateway(['--config', config]);
  await untilStatus(`${url}/readyz`, 200);
  await step(
    'a configuration file, a set in place of reflection, and a file of rules',
    async () => {
      assert.equal((await ask(url, '/v1/plants/rose')).status, 200);
      const { json } = await ask(url, '/v1/shed/spade');
      assert.deepEqual(json, { text: 'no spade in the shed' });
    },
  );
  await step('SIGHUP takes rules that have changed', async () => {
    bed.file('rules.yaml', RULES.replace('/v1/shed/', '/v2/shed/'));
    command.signal('SIGHUP');
    await untilStatus(`${url}/v2/shed/spade`, 200);
    assert.equal((await ask(url, '/v1/shed/spade')).status, 404);
  });
  await step('SIGHUP with rules that are wrong says so and leaves what there is', async () => {
    const from = command.out.length;
    bed.file('rules.yaml', '- selector: garden.v1.Shed.Sell\n  get: /v1/sell\n');
    command.signal('SIGHUP');
    await command.said(/garden\.v1\.Shed\.Sell/, from);
    assert.equal((await ask(url, '/v2/shed/spade')).status, 200);
  });
}

async function testStop(bed: Bed): Promise<void> {
  const backend = await bed.python();
  const { url, command } = await bed.gateway(['--backend', backend.address, '--drain-delay', '3s']);
  await untilStatus(`${url}/readyz`, 200);
  const load = new Load(`${url}/v1/plants/rose`);
  await load.more(200);
  const slow = ask(url, '/v1/plants:water', { body: { takes_ms: 2_500 } });
  await load.more(20);
  const begun = performance.now();
  command.signal('SIGTERM');
  await command.said(/Host is stopping/);
  const readiness = await ask(url, '/readyz');
  await load.more(100);
  // As a balancer does that has seen it; what is under way goes on.
  await load.stop();
  const { code } = await command.ended();
  const tookMs = performance.now() - begun;
  await step(`SIGTERM under load loses none of ${load.answered} requests`, async () => {
    assert.deepEqual(load.lost, []);
    assert.equal(readiness.status, 503);
    assert.equal((await slow).status, 200);
    assert.equal(code, 0);
    assert.ok(tookMs < 20_000, `${tookMs} ms`);
  });
}
