import type { Fields } from '../suite/verdict.js';
import { grpcWeb } from './grpc.js';
import type { ClientProtocol } from './protocol.js';

const TYPE = 'application/grpc-web';

/** gRPC-Web in base64, of which the suite has no cases of its own: those of gRPC-Web are said in it. */
export const grpcWebText: ClientProtocol = {
  head(call, method, writing) {
    const head = grpcWeb.head(call, method, writing);
    const type = String(head.headers['content-type']).replace(TYPE, `${TYPE}-text`);
    return { ...head, headers: { ...head.headers, 'content-type': type, accept: type } };
  },

  // Each message has its own padding.
  encode: (message, writing) => Buffer.from(grpcWeb.encode(message, writing).toString('base64')),

  async read(response, method, writing, reading) {
    const type = response.headers.get('content-type')?.[0] ?? '';
    if (!type.startsWith(`${TYPE}-text`)) return grpcWeb.read(response, method, writing, reading);
    const headers: Fields = new Map([
      ...response.headers,
      ['content-type', [type.replace('-text', '')]],
    ]);
    const body = fromBase64(response.body);
    return grpcWeb.read({ ...response, headers, body }, method, writing, reading);
  },
};

/** Groups of four letters, which chunks may cut, and of which any may be padded. */
async function* fromBase64(chunks: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  let rest = '';
  for await (const chunk of chunks) {
    rest += chunk.toString('latin1');
    const whole = rest.slice(0, rest.length - (rest.length % 4));
    rest = rest.slice(whole.length);
    const groups = whole.match(/[A-Za-z0-9+/]+={0,2}/g) ?? [];
    if (groups.join('') !== whole) throw new Error('the answer is not base64');
    yield Buffer.concat(groups.map((group) => Buffer.from(group, 'base64')));
  }
  if (rest !== '') throw new Error('the answer ends within a group of base64');
}
