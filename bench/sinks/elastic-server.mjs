// Takes bulk requests and answers with an item for each document, as Elasticsearch does. It looks
// at nothing but line breaks, so that it is not what is measured.
import http from 'node:http';
import { gunzipSync } from 'node:zlib';

let documents = 0;
let requests = 0;
const replies = new Map();

function replyOf(count) {
  let reply = replies.get(count);
  if (reply === undefined) {
    const shards = { total: 2, successful: 1, failed: 0 };
    const items = Array.from({ length: count }, (_, i) => ({
      index: {
        _index: 'logs',
        _id: `Zm9vYmFyYmF6cXV4${String(i).padStart(4, '0')}`,
        _version: 1,
        result: 'created',
        _shards: shards,
        _seq_no: i,
        _primary_term: 1,
        status: 201,
      },
    }));
    reply = Buffer.from(JSON.stringify({ errors: false, took: 5, items }));
    replies.set(count, reply);
  }
  return reply;
}

const server = http.createServer((request, response) => {
  const parts = [];
  request.on('data', (part) => parts.push(part));
  request.on('end', () => {
    response.setHeader('x-elastic-product', 'Elasticsearch');
    response.setHeader('content-type', 'application/vnd.elasticsearch+json;compatible-with=8');
    if (!request.url.endsWith('/_bulk')) return response.end('{}');
    const raw = Buffer.concat(parts);
    const body = request.headers['content-encoding'] === 'gzip' ? gunzipSync(raw) : raw;
    let lines = 0;
    for (let at = body.indexOf(10); at >= 0; at = body.indexOf(10, at + 1)) lines++;
    documents += lines / 2;
    requests++;
    response.end(replyOf(lines / 2));
  });
});
process.on('message', (what) => {
  if (what === 'reset') documents = requests = 0;
  process.send({ documents, requests });
});
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
