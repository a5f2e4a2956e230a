import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { step } from '../../chromium.js';
import { Receiver } from '../../tracing/receiver.js';
import { ask, askTools } from '../asked.js';
import type { Bed } from '../bed.js';
import { untilStatus } from '../gateway.js';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const TOOL_TRACE = '1af7651916cd43dd8448eb211c80319d';
const CALLER = 'b7ad6b7169203331';
const headers = { traceparent: `00-${TRACE}-${CALLER}-01` };

/** Traces: passed on as they come, and exported where the environment says where to. */
export async function testTraces(bed: Bed): Promise<void> {
  const { address } = await bed.python();
  const receiver = await Receiver.start();
  bed.add(() => receiver.stop());
  const options = ['--backend', address];
  const water = async (url: string): Promise<Record<string, string>> => {
    await untilStatus(`${url}/readyz`, 200);
    const { json } = await ask(url, '/v1/plants:water', { body: {}, headers });
    return (json as { metadata: Record<string, string> }).metadata;
  };
  await step('without an exporter traceparent reaches the server as it is', async () => {
    const { url } = await bed.gateway(options);
    assert.equal((await water(url))['traceparent'], headers.traceparent);
  });
  const endpoint = receiver.url.replace('/v1/traces', '');
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_BSP_SCHEDULE_DELAY: '60000' };
  await step(
    'with one the server is called in a span of the gateway, also for a tool',
    async () => {
      const tools = ['--mcp', '--mcp-list', 'all', '--mcp-tool', 'garden.v1.Garden.Water'];
      const { url, command } = await bed.gateway([...options, ...tools], env);
      const { traceparent = '' } = await water(url);
      const call = { name: 'Garden_Water', arguments: {} };
      await askTools(url, 'tools/call', call, { traceparent: `00-${TOOL_TRACE}-${CALLER}-01` });
      const [, trace, parent] = traceparent.split('-');
      const { out, code } = await command.stop();
      assert.equal(code, 0);
      assert.match(out, new RegExp(`"trace_id":"${TRACE}".*POST /v1/plants:water -> 200`));
      const spans = receiver.trace(TRACE).map(({ name, kind, spanId, parentId, service }) => ({
        name,
        kind,
        service,
        parent: parentId === CALLER ? 'caller' : parentId === '' ? 'none' : 'span',
        isOfServer: spanId === parent,
      }));
      const ofTool = receiver.trace(TOOL_TRACE).map(({ name }) => name);
      assert.deepEqual(ofTool.toSorted(), ['POST /mcp', 'garden.v1.Garden/Water']);
      const service = 'apix-gateway';
      assert.equal(trace, TRACE);
      assert.deepEqual(
        spans.toSorted((a, b) => (a.kind < b.kind ? -1 : 1)),
        [
          {
            name: 'garden.v1.Garden/Water',
            kind: 'CLIENT',
            service,
            parent: 'span',
            isOfServer: true,
          },
          {
            name: 'POST /v1/plants:water',
            kind: 'SERVER',
            service,
            parent: 'caller',
            isOfServer: false,
          },
        ],
      );
    },
  );
  await step('OTEL_SERVICE_NAME and OTEL_TRACES_SAMPLER are heeded', async () => {
    receiver.spans.length = 0;
    const named = { ...env, OTEL_SERVICE_NAME: 'edge', OTEL_TRACES_SAMPLER: 'always_on' };
    const { url, command } = await bed.gateway(options, named);
    await water(url);
    await command.stop();
    assert.deepEqual(new Set(receiver.spans.map(({ service }) => service)), new Set(['edge']));
  });
  await step(
    'a receiver that is away costs no request, and does not hold up the stop',
    async () => {
      const nowhere = {
        OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1',
        OTEL_BSP_SCHEDULE_DELAY: '10',
      };
      const { url, command } = await bed.gateway(options, nowhere);
      await water(url);
      await sleep(200);
      await water(url);
      assert.equal((await command.stop()).code, 0);
    },
  );
  await step('a protocol that there is no exporter for is said at the start', async () => {
    const { command } = await bed.gateway(options, { ...env, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' });
    assert.match(
      command.out,
      /OTEL_EXPORTER_OTLP_PROTOCOL: \\"grpc\\" is not supported; use http\/protobuf/,
    );
  });
}
