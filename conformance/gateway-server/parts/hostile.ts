import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Script,
  scriptedReflection,
} from '../../../libs/grpc-client/src/reflection/scripted-reflection.fixture.js';
import { step } from '../../chromium.js';
import { REQUESTS } from '../../hostile/attacks/smuggling.js';
import { rawSocket, statusesIn } from '../../hostile/raw-socket.js';
import { ask } from '../asked.js';
import type { Bed } from '../bed.js';
import { GatewayCommand, untilStatus } from '../gateway.js';
import { WRONG, wellDescribed } from '../hostile-reflection.js';

/** Servers that describe themselves wrongly, and callers who try what others fell for. */
export async function testHostile(bed: Bed): Promise<void> {
  await testReflection(bed);
  await testRequests(bed);
}

async function testReflection(bed: Bed): Promise<void> {
  const good = wellDescribed(bed.places.sets.garden);
  let script: Script = good;
  const backend = await scriptedReflection((question) => script(question));
  bed.add(() => backend.stop());
  const options = ['--backend', backend.endpoint, '--refresh', '1s', '--backend-health', 'connect'];
  const { url, command } = await bed.gateway(options);
  await untilStatus(`${url}/readyz`, 200);
  for (const [what, wrong, said] of WRONG) {
    await step(`a server that describes itself by ${what} changes nothing`, async () => {
      const from = command.out.length;
      script = wrong;
      const [line = ''] = await command.said(
        /.*descriptors and rules cannot be read; what was served.*\n/,
        from,
      );
      assert.match(line, said);
      // No line of the log is one that the server wrote.
      for (const each of command.out.slice(from).trim().split('\n')) JSON.parse(each);
      assert.equal((await ask(url, '/healthz')).status, 200);
      // The scripted server has no methods: 501 is its answer, by a rule that has stayed.
      assert.equal((await ask(url, '/v1/plants/rose')).status, 501);
      script = good;
    });
  }
  await step('a server that says escapes leaves the terminal of --check alone', async () => {
    script = WRONG.find(([what]) => what === 'a refusal')![1];
    const { code, err } = await GatewayCommand.run(bed.places, [
      '--backend',
      backend.endpoint,
      '--check',
    ]);
    assert.equal(code, 3);
    assert.ok(!err.includes('\u001b'), err);
    script = good;
  });
  await step('it serves as before, and stops in order', async () => {
    assert.equal((await command.stop()).code, 0);
  });
}

const STRANGE = [
  'x-user',
  'x-forwarded-user',
  'remote-user',
  'authorization',
  'x-apix-forwarded',
  'grpc-timeout',
  'cookie',
];

async function testRequests(bed: Bed): Promise<void> {
  const backend = await bed.python();
  const { url, command } = await bed.gateway(['--backend', backend.address]);
  await untilStatus(`${url}/readyz`, 200);
  const metadata = async (headers: Record<string, string>) => {
    const id = { 'x-request-id': 'one' };
    const { status, json } = await ask(url, '/v1/plants:water', {
      body: {},
      headers: { ...id, ...headers },
    });
    return { status, metadata: (json as { metadata?: object }).metadata };
  };
  const usual = await metadata({});
  await step('500 headers that are not forwarded never reach the server', async () => {
    const names = Array.from({ length: 500 }, (_, i) => [`x-other-${i}`, 'a']);
    const many = {
      ...Object.fromEntries(names),
      'x-user': 'root',
      'x-forwarded-user': 'root',
      cookie: 'a=b',
    };
    assert.deepEqual(await metadata(many), usual);
  });
  await step('metadata that tells who a caller is cannot be set', async () => {
    for (const name of STRANGE.flatMap((it) => [
      it,
      it.toUpperCase(),
      it.replaceAll('-', '_'),
      `${it}-bin`,
    ])) {
      assert.equal((await metadata({ [`grpc-metadata-${name}`]: 'YQ==' })).status, 400, name);
    }
  });
  await step('a POST stays a POST, whatever its headers say', async () => {
    for (const name of ['x-http-method-override', 'x-http-method', 'x-method-override']) {
      const headers = { [name]: 'GET' };
      const { status } = await ask(url, '/v1/plants/rose', { method: 'POST', headers });
      assert.equal(status, 405, name);
    }
  });
  backend.calls.length = 0;
  await step('a request is never glued to the one before', async () => {
    const { port } = new URL(url);
    const head = 'POST /v1/plants:water HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';
    for (const [what, request] of Object.entries(REQUESTS)) {
      const { socket, closed, received } = await rawSocket(Number(port));
      socket.write(request(head), 'latin1');
      const isClosed = await closed(2_000);
      socket.destroy();
      assert.match(statusesIn(received()), /^4\d\d$/, what);
      assert.ok(isClosed, what);
    }
    await sleep(100);
    assert.deepEqual(backend.calls, []);
  });
  await step('paths that others take for another are not served', async () => {
    for (const path of [
      '//v1/plants/rose',
      '/v1/plants%2Frose',
      '/v1/plants/rose/',
      '/V1/plants/rose',
      '/v1/%2e%2e/v1/plants/rose',
      '/v1/plants/rose%00',
    ]) {
      const { status } = await ask(url, path);
      assert.ok(status === 404 || status === 400, `${path} has ${status}`);
    }
    assert.equal((await ask(url, '/healthz')).status, 200);
    assert.ok(command.isRunning);
  });
}
