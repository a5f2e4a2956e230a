import { afterEach, describe, expect, it } from '@jest/globals';
import { uploadByCurl } from '../../../../tools/testing/curl.js';
import type { Http2Served } from '../../../../tools/testing/host-server.js';
import { FRAME, frame } from '../../../../tools/testing/http2-frames.js';
import { RawHttp2, callHeaders } from '../../../../tools/testing/raw-http2.js';
import { until } from '../../../../tools/testing/until.js';
import { gatekeeper } from '../fixtures/gatekeeper.fixture.js';
import { HTTP2_SERVERS } from '../fixtures/http2-servers.fixture.js';
import { useRig } from '../fixtures/rig.fixture.js';

const rig = useRig();
const guarded = useRig('network', [gatekeeper().interceptor]);

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

interface EarlyAnswer {
  readonly what: string;
  readonly path: string;
  readonly status: number;
  readonly method?: string;
  readonly type?: string;
  /** Whether the call needs credentials, which are not sent. */
  readonly isGuarded?: true;
}

/** Answers for which the rest of a request does not matter. */
const EARLY: readonly EarlyAnswer[] = [
  { what: 'of another media type', path: '/api/v1/whole', type: 'text/plain', status: 415 },
  { what: 'beyond the limit', path: '/api/v1/whole', status: 413 },
  { what: 'where the rule has none', path: '/api/v1/query', method: 'GET', status: 400 },
  { what: 'to nothing', path: '/api/nothing', status: 404 },
  { what: 'with another method', path: '/api/v1/query', method: 'PUT', status: 405 },
  {
    what: 'of the question which methods there are',
    path: '/api/v1/query',
    method: 'OPTIONS',
    status: 204,
  },
  { what: 'of a stream of requests', path: '/api/v1/sum', status: 501 },
  { what: 'of a caller who is not let in', path: '/api/v1/whole', status: 401, isGuarded: true },
];

describe.each(HTTP2_SERVERS)('on %s', (_server, serve) => {
  async function start(isGuarded: boolean): Promise<Http2Served> {
    const served = await serve(isGuarded ? guarded : rig, { mount: '/api', maxBodyBytes: 100_000 });
    closing.push(() => served.close());
    return served;
  }

  it('an answer to an incomplete request has its end before its stream is reset', async () => {
    for (const isGuarded of [false, true]) {
      const { http2 } = await start(isGuarded);
      const { port, protocol } = new URL(http2);
      const raw = await RawHttp2.open(Number(port), { secure: protocol === 'https:' });
      closing.push(() => raw.destroy());
      const rows = EARLY.filter((row) => (row.isGuarded ?? false) === isGuarded);
      const streams = rows.map((_, index) => 2 * index + 1);
      for (const [index, { path, method = 'POST', type = 'application/json' }] of rows.entries()) {
        const more = { ':method': method, 'content-type': type, 'content-length': '8000000' };
        await raw.write(
          callHeaders(streams[index]!, path, more),
          frame(FRAME.data, 0, streams[index]!, Buffer.alloc(8_000, ' ')),
        );
      }
      const outcomes = await Promise.all(streams.map((stream) => raw.outcome(stream)));
      expect(outcomes.map((outcome) => [outcome?.headers.get(':status'), outcome?.reset])).toEqual(
        rows.map(({ status }) => [String(status), undefined]),
      );
      await until(() => raw.resets.size === rows.length);
      expect([...raw.resets.values()]).toEqual(rows.map(() => 0));
    }
  });

  it('curl gets the answer to an upload that it does not finish', async () => {
    for (const isGuarded of [false, true]) {
      const { http2 } = await start(isGuarded);
      for (const row of EARLY) {
        if ((row.isGuarded ?? false) !== isGuarded || row.status < 300) continue;
        const { what, path, method = 'POST', type = 'application/json', status } = row;
        const args = ['--request', method, '--header', `content-type: ${type}`];
        const upload = await uploadByCurl(`${http2}${path}`, 8_000_000, args);
        expect([what, upload.exitCode, upload.errors, upload.status]).toEqual([
          what,
          0,
          '',
          status,
        ]);
        expect(JSON.parse(upload.body)).toMatchObject({ status });
      }
    }
  });
});
