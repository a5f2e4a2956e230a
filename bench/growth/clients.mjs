// Opens connections of which each has had one answer, in a process of its own, whose files they are:
// `node clients.mjs <port> <size>`, with a channel to its parent.
import { once } from 'node:events';
import { connect } from 'node:net';

const [port, size] = process.argv.slice(2).map(Number);
for (let at = 0; at < size; at++) {
  const client = connect(port, '127.0.0.1');
  client.on('error', () => {});
  client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  await once(client, 'data');
}
process.send('open');
