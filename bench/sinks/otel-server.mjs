// Takes OTLP export requests and counts their records. It follows nothing but the lengths of three
// messages inside each other, so that it is not what is measured.
import http from 'node:http';

let records = 0;
let requests = 0;
let bytes = 0;

/** How deep records lie, and the field that holds the next message: resource_logs 1, scope_logs 2. */
const FIELDS = [1, 2, 2];

function count(body, from, to, depth) {
  let at = from;
  const varint = () => {
    let value = 0;
    for (let shift = 1; ; shift *= 128) {
      const byte = body[at++];
      value += (byte & 127) * shift;
      if (byte < 128) return value;
    }
  };
  while (at < to) {
    const tag = varint();
    if ((tag & 7) !== 2) throw new Error('only messages and texts are expected here');
    const length = varint();
    if (tag >> 3 === FIELDS[depth]) {
      if (depth === 2) records++;
      else count(body, at, at + length, depth + 1);
    }
    at += length;
  }
}

const server = http.createServer((request, response) => {
  const parts = [];
  request.on('data', (part) => parts.push(part));
  request.on('end', () => {
    const body = Buffer.concat(parts);
    count(body, 0, body.length, 0);
    bytes += body.length;
    requests++;
    response.setHeader('content-type', 'application/x-protobuf');
    response.end();
  });
});
process.on('message', (what) => {
  if (what === 'reset') records = requests = bytes = 0;
  process.send({ records, bytes, requests });
});
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
