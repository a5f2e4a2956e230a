import { connect } from 'node:net';
import { once } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { networkUpstream } from '../upstream/network-upstream.js';
import { useRig } from '../fixtures/rig.fixture.js';
import { ask } from '../fixtures/serve.fixture.js';

const rig = useRig();

/** Sends raw bytes and resolves with all that came back until the connection was closed. */
async function raw(port: number, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let answer = '';
  socket.on('data', (chunk) => (answer += String(chunk)));
  socket.on('error', () => {});
  socket.write(bytes);
  await once(socket, 'close');
  return answer;
}

const JSON_TYPE = { 'content-type': 'application/json' };
const POST = 'POST /v1/whole HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n';

describe('body limits', () => {
  it('takes a body of exactly the limit and refuses a longer one with 413', async () => {
    const port = await rig.start({ maxBodyBytes: 20 });
    const post = (body: string) =>
      ask(port, '/v1/whole', { method: 'POST', body, headers: JSON_TYPE });
    expect((await post('{"str":"123456789"}'.padEnd(20))).status).toBe(200);
    const refused = await post('{"str":"123456789"}'.padEnd(21));
    expect(refused).toMatchObject({
      status: 413,
      json: { code: 'RESOURCE_EXHAUSTED', detail: 'request body: more than 20 bytes' },
    });
  });

  it('refuses a body whose length says it is too long before any of it came', async () => {
    const port = await rig.start({ maxBodyBytes: 20 });
    const answer = await raw(port, `${POST}content-length: 104857600\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 413 [^]*connection: close/i);
  });

  it('takes 4 MiB by default', async () => {
    const port = await rig.start();
    const answer = await raw(port, `${POST}content-length: ${4 * 1024 * 1024 + 1}\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    const whole = { method: 'POST', body: Buffer.alloc(4 * 1024 * 1024, ' '), headers: JSON_TYPE };
    expect((await ask(port, '/v1/whole', whole)).status).not.toBe(413);
  });

  it('stops a chunked body at the limit', async () => {
    const port = await rig.start({ maxBodyBytes: 20 });
    const chunk = `10\r\n${' '.repeat(16)}\r\n`;
    const answer = await raw(port, `${POST}transfer-encoding: chunked\r\n\r\n${chunk}${chunk}`);
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
  });

  it('refuses a body that does not come to its end in time with 408', async () => {
    const port = await rig.start({ bodyTimeout: 30 });
    const answer = await raw(port, `${POST}content-length: 10\r\n\r\n{`);
    expect(answer).toMatch(/^HTTP\/1\.1 408 [^]*not complete after 30 ms/);
  });

  it('does not call the server for a request that ended before its body', async () => {
    const port = await rig.start({});
    const before = rig.echo.calls.length;
    const socket = connect(port, '127.0.0.1');
    socket.end(`${POST}content-length: 10\r\n\r\n{`);
    await once(socket.resume(), 'close');
    expect((await ask(port, '/v1/query')).status).toBe(200);
    expect(rig.echo.calls.slice(before)).toEqual(['/transcoding.v1.EchoService/Query']);
  });

  it('stays within its own memory under a body of 100 MB', async () => {
    const port = await rig.start({});
    const answer = await ask(port, '/v1/whole', {
      method: 'POST',
      body: Buffer.alloc(100 * 1024 * 1024, ' '),
      headers: JSON_TYPE,
    }).catch((error: NodeJS.ErrnoException) => error.code);
    expect([413, 'EPIPE', 'ECONNRESET']).toContain(
      typeof answer === 'object' ? answer.status : answer,
    );
  });
});

describe('the connection to the server', () => {
  it('answers 503 without addresses when the server is gone', async () => {
    const nobody = networkUpstream({ endpoint: '127.0.0.1:1' });
    const port = await rig.start({}, nobody);
    const answer = await ask(port, '/v1/query');
    nobody.close();
    expect(answer).toMatchObject({
      status: 503,
      json: { code: 'UNAVAILABLE', detail: 'the service is unavailable' },
    });
    expect(answer.text).not.toContain('127.0.0.1');
  });

  it('lets messages of internal errors through only where that was asked for', async () => {
    const port = await rig.start({ exposeServerErrors: true });
    const answer = await ask(port, '/v1/fail?code=13&message=disk%20full');
    expect(answer.json).toMatchObject({ status: 500, detail: 'disk full', code: 'INTERNAL' });
  });

  it('writes errors as google.rpc.Status where that was asked for', async () => {
    const port = await rig.start({ errors: 'status' });
    const answer = await ask(port, '/v1/fail?code=3&message=short&field=a');
    expect(answer.headers['content-type']).toBe('application/json');
    expect(answer.json).toEqual({
      code: 3,
      message: 'short',
      details: [
        { '@type': 'type.googleapis.com/google.rpc.BadRequest', value: expect.any(String) },
      ],
    });
  });

  it('cancels the call when the caller goes away', async () => {
    const port = await rig.start({});
    const before = rig.echo.cancelled();
    const socket = connect(port, '127.0.0.1');
    // Its end comes far later than that of this test: grpc-js tells of a cancelled call then too.
    socket.write('GET /v1/fail?delay_ms=3600000 HTTP/1.1\r\nhost: x\r\n\r\n');
    const seen = rig.echo.calls.length;
    while (rig.echo.calls.length === seen) await new Promise((resolve) => setImmediate(resolve));
    socket.destroy();
    while (rig.echo.cancelled() === before) await new Promise((resolve) => setImmediate(resolve));
    expect(rig.echo.cancelled()).toBe(before + 1);
  });
});
