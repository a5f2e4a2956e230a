import { EventEmitter, once } from 'node:events';
import { createServer } from 'node:http';

/** The service that the app waits for: it says who asks, and answers all of them at a word. */
export async function startSupplier() {
  const asked = [];
  const waiting = [];
  const events = new EventEmitter();
  let isReleased = false;
  const server = createServer((request, response) => {
    const answer = () => response.end(`${request.url.slice(1)} done`);
    asked.push(request.url.slice(1));
    if (isReleased) answer();
    else waiting.push(answer);
    events.emit('asked');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    /** Resolves when everybody of `names` has asked. */
    async hasBeenAsked(names) {
      while (!names.every((name) => asked.includes(name))) await once(events, 'asked');
    },
    release() {
      isReleased = true;
      for (const answer of waiting.splice(0)) answer();
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
