import { type IncomingMessage, request } from 'node:http';
import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { until } from '../../../../tools/testing/until.js';
import { useRig } from '../fixtures/rig.fixture.js';
import { ask } from '../fixtures/serve.fixture.js';

describe.each(['network', 'http2', 'in-process'] as const)('over the transport %s', (transport) => {
  const rig = useRig(transport);

  const events = { accept: 'text/event-stream' };

  describe('server streams', () => {
    it('come as one line of JSON a message, with the status as a trailer', async () => {
      const port = await rig.start();
      const [res] = await opened(port, '/v1/count?to=3');
      expect([res.statusCode, res.headers['content-type']]).toEqual([200, 'application/x-ndjson']);
      expect(await textOf(res)).toBe(
        '{"result":{"number":1}}\n{"result":{"number":2}}\n{"result":{"number":3}}\n',
      );
      expect(res.trailers).toEqual({ 'grpc-status': 'OK' });
    });

    it('come as Server-Sent Events where the caller accepts them, with the status at the end', async () => {
      const answer = await ask(await rig.start(), '/v1/count?to=2', { headers: events });
      expect(answer.headers['content-type']).toBe('text/event-stream');
      expect(answer.text).toBe(
        'data: {"number":1}\n\ndata: {"number":2}\n\nevent: status\ndata: {"code":"OK"}\n\n',
      );
    });

    it('have their response_body for each message', async () => {
      const answer = await ask(await rig.start(), '/v1/count/numbers?to=2');
      expect(answer.text).toBe('{"result":1}\n{"result":2}\n');
    });

    it('that are empty are an empty body', async () => {
      const answer = await ask(await rig.start(), '/v1/count');
      expect([answer.status, answer.text]).toEqual([200, '']);
    });

    it('that fail before the first message are a plain error', async () => {
      const answer = await ask(await rig.start(), '/v1/count?failCode=7', { headers: events });
      expect(answer).toMatchObject({
        status: 403,
        headers: { 'content-type': 'application/problem+json' },
        json: { code: 'PERMISSION_DENIED', detail: 'told to fail' },
      });
    });

    it.each([
      [{}, /^\{"result":\{"number":1\}\}\n\{"error":(\{.*\})\}\n$/],
      [events, /^data: \{"number":1\}\n\nevent: status\ndata: (\{.*\})\n\n$/],
    ])('that fail later say so at the end, for the headers %j', async (headers, format) => {
      const port = await rig.start();
      const [res] = await opened(port, '/v1/count?to=1&failCode=9', headers);
      const [, error = 'no match'] = format.exec(await textOf(res)) ?? [];
      expect(JSON.parse(error)).toMatchObject({
        status: 400,
        code: 'FAILED_PRECONDITION',
        detail: 'told to fail',
      });
      expect(res.trailers).toEqual({ 'grpc-status': 'FAILED_PRECONDITION' });
    });

    it('of google.api.HttpBody are their bytes, with their content type', async () => {
      const answer = await ask(await rig.start(), '/v1/download?to=3');
      expect(answer.headers['content-type']).toBe('text/csv');
      expect(answer.text).toBe('line 1\nline 2\nline 3\n');
    });

    it.each([
      [{}, '\n'],
      [events, ': heartbeat\n\n'],
    ])('send heartbeats while they are silent, for the headers %j', async (headers, heartbeat) => {
      const port = await rig.start({ heartbeat: 20 });
      const [res, sent] = await opened(port, '/v1/count?to=1&delay_ms=60000', headers);
      const [chunk] = (await once(res, 'data')) as [Buffer];
      expect([res.statusCode, chunk.toString()]).toEqual([200, heartbeat]);
      sent.destroy();
    });

    it('begin before the first message, so that an EventSource opens', async () => {
      const port = await rig.start({ heartbeat: '1h' });
      const [res, sent] = await opened(port, '/v1/count?to=1&delay_ms=60000', events);
      expect([res.statusCode, res.headers['content-type']]).toEqual([200, 'text/event-stream']);
      sent.destroy();
    });

    it('answer HEAD with the headers alone, and do not go on', async () => {
      const port = await rig.start();
      const answer = await ask(port, '/v1/count?to=1000000', { method: 'HEAD' });
      expect([answer.status, answer.headers['content-type'], answer.text]).toEqual([
        200,
        'application/x-ndjson',
        '',
      ]);
    });

    it('end with their deadline', async () => {
      const headers = { 'grpc-timeout': '1S' };
      const answer = await ask(await rig.start(), '/v1/count?to=5&delay_ms=400', { headers });
      expect(answer.text).toMatch(
        /^\{"result":\{"number":1\}\}\n[^]*"detail":"[Dd]eadline exceeded"/,
      );
    });

    it('are cancelled when the caller goes away', async () => {
      const port = await rig.start();
      const before = rig.echo.cancelled();
      const [res, sent] = await opened(port, '/v1/count?to=1000000&delay_ms=1');
      await once(res, 'data');
      sent.destroy();
      await until(() => rig.echo.cancelled() > before);
      expect(rig.echo.cancelled()).toBe(before + 1);
    });

    it('hold back a server that is faster than the caller reads', async () => {
      const port = await rig.start();
      const before = rig.echo.written();
      const socket = connect(port, '127.0.0.1').pause();
      socket.write('GET /v1/count?to=100000&padding=1000 HTTP/1.1\r\nhost: x\r\n\r\n');
      await until(() => rig.echo.written() > before);
      await settled(rig.echo.written);
      // 100 MB were asked for; what was written fits into the buffers between the two.
      expect(rig.echo.written() - before).toBeLessThan(30_000);
      socket.destroy();
    });

    it.each([
      ['/v1/count?to=60&padding=200000', 0],
      ['/v1/count?to=60&padding=200000&failCode=9', 1],
    ])('reach a slow caller whole, with their end behind them: %s', async (path, errors) => {
      const [res] = await opened(await rig.start(), path);
      res.pause();
      await settled(rig.echo.written);
      const lines = (await textOf(res)).trimEnd().split('\n');
      const of = (what: string): number => lines.filter((it) => it.startsWith(what)).length;
      expect([of('{"result":'), of('{"error":')]).toEqual([60, errors]);
    });

    it('of requests are refused over plain HTTP', async () => {
      expect((await ask(await rig.start(), '/v1/chat')).status).toBe(501);
    });
  });

  async function opened(
    port: number,
    path: string,
    headers = {},
  ): Promise<[IncomingMessage, ReturnType<typeof request>]> {
    const sent = request({ host: '127.0.0.1', port, path, headers, agent: false }).end();
    sent.on('error', () => {});
    const [res] = (await once(sent, 'response')) as [IncomingMessage];
    res.on('error', () => {});
    return [res, sent];
  }

  async function textOf(res: IncomingMessage): Promise<string> {
    let text = '';
    for await (const chunk of res) text += String(chunk);
    return text;
  }

  /** Waits until a figure has stood still for a while. */
  async function settled(figure: () => number): Promise<void> {
    for (let last = -1; last !== figure();) {
      last = figure();
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
});
