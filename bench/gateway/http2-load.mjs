import { connect } from 'node:http2';

/** Streams on each connection. */
const EACH = 16;

/** gRPC calls for some seconds over HTTP/2; counts those that have ended with OK. */
export async function http2Load(port, { path, headers, body }, { connections, seconds }) {
  const end = performance.now() + seconds * 1_000;
  const sessions = Array.from({ length: connections / EACH }, () =>
    connect(`http://127.0.0.1:${port}`),
  );
  let total = 0;
  const work = async (session) => {
    while (performance.now() < end) {
      await call(session, { ':method': 'POST', ':path': path, te: 'trailers', ...headers }, body);
      total += 1;
    }
  };
  const begun = performance.now();
  await Promise.all(
    sessions.flatMap((session) => Array.from({ length: EACH }, () => work(session))),
  );
  const average = total / ((performance.now() - begun) / 1_000);
  for (const session of sessions) session.close();
  return { total, average };
}

function call(session, headers, body) {
  return new Promise((resolve, reject) => {
    const stream = session.request(headers);
    let status = '';
    const look = (fields) => (status = fields['grpc-status'] ?? status);
    stream.on('response', look).on('trailers', look).on('error', reject).resume();
    stream.on('close', () => (status === '0' ? resolve() : reject(new Error(`status ${status}`))));
    stream.end(body);
  });
}
