import { once } from 'node:events';
import autocannon from 'autocannon';
import { http2Load } from './http2-load.mjs';
import { cpuOf } from './processes.mjs';

/** Requests for some seconds; a variant without HTTP makes its own. */
export async function load({ name, port, children }, request, { connections, seconds }) {
  if (request === undefined) {
    const [client] = children;
    client.send({ connections, seconds });
    const [result] = await once(client, 'message');
    return result;
  }
  const { path, isHttp2, ...rest } = request;
  if (isHttp2) return http2Load(port, request, { connections, seconds });
  const url = `http://127.0.0.1:${port}${path}`;
  const { requests, non2xx, errors } = await autocannon({
    url,
    ...rest,
    connections,
    duration: seconds,
  });
  if (non2xx + errors > 0) throw new Error(`${name}: ${non2xx + errors} requests failed`);
  return requests;
}

/** Requests a second, and microseconds of CPU for a request: of all processes, of each, and of the load itself. */
export async function measure(one, request, how) {
  const before = one.children.map(cpuOf);
  const loadBefore = process.cpuUsage();
  const { total, average } = await load(one, request, how);
  const own = process.cpuUsage(loadBefore);
  const each = one.children.map((child, i) => ((cpuOf(child) - before[i]) / total) * 1e6);
  const [frontUs, backendUs = 0] = each;
  return {
    perSecond: average,
    cpuUs: frontUs + backendUs,
    frontUs,
    backendUs,
    loadUs: (own.user + own.system) / total,
  };
}

export function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}
