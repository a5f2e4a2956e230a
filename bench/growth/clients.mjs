// Opens connections of which each has had one answer, in a process of its own, whose files they are:
// `node clients.mjs <port> <size> [http2]`, with a channel to its parent.
import { connect } from 'node:net';

const HTTP1 = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';
/** The preface, empty SETTINGS, and HEADERS of `GET / HTTP/2` by indices of HPACK's static table. */
const HTTP2 =
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n' +
  '\0\0\0\x04\0\0\0\0\0' +
  '\0\0\x06\x01\x05\0\0\0\x01\x82\x86\x84\x41\x01a';

const [port, size] = process.argv.slice(2, 4).map(Number);
const request = Buffer.from(process.argv[4] === 'http2' ? HTTP2 : HTTP1, 'latin1');
for (let at = 0; at < size; at++) {
  const client = connect(port, '127.0.0.1');
  client.on('error', () => {});
  client.write(request);
  await answered(client);
}
process.send('open');

function answered(client) {
  return new Promise((resolve) => {
    let said = '';
    client.on('data', (data) => {
      said = (said + data.toString('latin1')).slice(-100);
      if (said.includes('ok')) resolve();
    });
  });
}
