import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from 'graphql-ws';
import { io } from 'socket.io-client';
import { WebSocket } from 'ws';

/** Name of the answer, event, data; what is acknowledged has no event for an answer. */
const MESSAGES = [
  ['socket said', 'say', 'hello'],
  ['socket acknowledged', 'count', 'hello', true],
  ['socket WsException', 'refuse', 'hello'],
  ['socket broken', 'broken', 'hello'],
  ['socket secret', 'kick', 'hello'],
];

/** No answer is one, too. */
const SILENT_MS = 3_000;
const silence = () => sleep(SILENT_MS, { silent: true });

/** What Socket.IO clients are sent, and subscribers of GraphQL. */
export async function socketAnswers({ url }) {
  const answers = {};
  for (const transport of ['websocket', 'polling']) {
    const socket = io(url, { transports: [transport], reconnection: false });
    await once(socket, 'connect');
    for (const [name, event, data, isAcknowledged] of MESSAGES) {
      answers[`${name}, ${transport}`] = isAcknowledged
        ? { acknowledged: await socket.emitWithAck(event, data) }
        : await nextEvent(socket, () => socket.emit(event, data));
    }
    socket.close();
  }
  const staff = io(url, {
    transports: ['websocket'],
    reconnection: false,
    extraHeaders: { 'x-api-key': 'open-sesame' },
  });
  await once(staff, 'connect');
  answers['socket secret with the key'] = {
    acknowledged: await staff.emitWithAck('kick', 'hello'),
  };
  staff.close();
  answers['graphql subscription'] = await subscription(url, '{ placed { id cents } }');
  answers['graphql subscription to nothing'] = await subscription(url, '{ nothing }');
  return answers;
}

function nextEvent(socket, act) {
  const answer = new Promise((resolve) => {
    socket.onAny((event, ...data) => {
      socket.offAny();
      resolve({ event, data });
    });
    act();
  });
  return Promise.race([answer, silence()]);
}

async function subscription(url, fields) {
  const client = createClient({
    url: `${url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
  });
  const received = [];
  const ended = new Promise((resolve) => {
    client.subscribe(
      { query: `subscription ${fields}` },
      {
        next: (value) => received.push(value),
        error: (error) => resolve(received.push({ error })),
        complete: () => resolve(received.push('complete')),
      },
    );
  });
  await Promise.race([ended, silence()]);
  await client.dispose();
  return { received };
}
