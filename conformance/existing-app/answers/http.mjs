import { Agent, request } from 'node:http';

const KEY = { 'x-api-key': 'open-sesame' };
const PAGE = { origin: 'https://shop.example' };

/** Name of the answer, method, path, headers, body. */
const REQUESTS = [
  ['http list', 'GET', '/api/orders?count=2'],
  ['http list from the page', 'GET', '/api/orders?count=2', PAGE],
  [
    'http list, preflight',
    'OPTIONS',
    '/api/orders',
    { ...PAGE, 'access-control-request-method': 'POST' },
  ],
  ['http list with a wrong count', 'GET', '/api/orders?count=x'],
  ['http order', 'GET', '/api/orders/o-1'],
  ['http order, head only', 'HEAD', '/api/orders/o-1'],
  ['http order with the id of a request', 'GET', '/api/orders/o-1', { 'x-request-id': 'r-1' }],
  ['http order that is not there', 'GET', '/api/orders/o-0'],
  ['http place', 'POST', '/api/orders', {}, { itemName: 'tea', cents: 3, further: 1 }],
  ['http place what is invalid', 'POST', '/api/orders', {}, { itemName: 'x', cents: 0.5 }],
  ['http place what is no JSON', 'POST', '/api/orders', {}, '{"itemName"'],
  ['http place what is too large', 'POST', '/api/orders', {}, { itemName: 'x'.repeat(2 ** 21) }],
  ['http place what is out of stock', 'POST', '/api/orders', {}, { itemName: 'moon', cents: 1 }],
  ['http conflict', 'GET', '/api/orders/conflict'],
  ['http broken', 'GET', '/api/orders/broken'],
  ['http secret', 'GET', '/api/orders/secret'],
  ['http secret with the key', 'GET', '/api/orders/secret', KEY],
  ['http events', 'GET', '/api/orders/events'],
  ['http nowhere', 'GET', '/api/nowhere'],
  ['http outside of the prefix', 'GET', '/orders/o-1'],
  ['http root', 'GET', '/'],
  ['http mail', 'POST', '/api/mails', {}, { to: 'ada' }],
  ['http health', 'GET', '/api/health'],
  ['http health, failing', 'GET', '/api/health/failing'],
  ['http swagger document', 'GET', '/api/docs-json'],
  ['http swagger page', 'GET', '/api/docs'],
  ['http gateway order', 'GET', '/api/v1/orders/o-1'],
  ['graphql query', 'POST', '/graphql', {}, { query: '{ order(id: "o-1") { id cents } }' }],
  ['graphql not there', 'POST', '/graphql', {}, { query: '{ order(id: "o-0") { id } }' }],
  ['graphql wrong query', 'POST', '/graphql', {}, { query: '{ nothing }' }],
  ['graphql margin', 'POST', '/graphql', {}, { query: '{ margin }' }],
  ['graphql margin with the key', 'POST', '/graphql', KEY, { query: '{ margin }' }],
  ['graphql mutation', 'POST', '/graphql', {}, { query: mutation('tea') }],
  ['graphql mutation out of stock', 'POST', '/graphql', {}, { query: mutation('moon') }],
  ['graphql mutation with an invalid order', 'POST', '/graphql', {}, { query: mutation('x') }],
];

function mutation(item) {
  return `mutation { place(order: { itemName: "${item}", cents: 3 }) { id itemName } }`;
}

/** Every answer of the HTTP server, headers and all. */
export async function httpAnswers({ port }) {
  const agent = new Agent({ keepAlive: true });
  const answers = {};
  for (const [name, method, path, headers = {}, body] of REQUESTS) {
    answers[name] = await exchange(agent, port, method, path, headers, body);
  }
  for (;;) {
    const answer = await exchange(agent, port, 'GET', '/api/mails/1', {});
    if (!answer.body.includes('completed')) continue;
    answers['http mail that was sent'] = answer;
    break;
  }
  agent.destroy();
  return answers;
}

function exchange(agent, port, method, path, headers, body) {
  const text = typeof body === 'object' ? JSON.stringify(body) : body;
  const sent = { ...headers, ...(text && { 'content-type': 'application/json' }) };
  return new Promise((resolve, reject) => {
    const asked = request({ agent, port, method, path, headers: sent }, async (response) => {
      let received = '';
      for await (const part of response.setEncoding('utf8')) received += part;
      resolve({ status: response.statusCode, headers: stable(response), body: received });
    });
    // An answer may come, and the connection go, before a body that is too large has been sent.
    asked.on('error', (error) => reject(new Error(`${method} ${path}`, { cause: error })));
    asked.end(text);
  });
}

/** Without the time; an id that was made up is no more than that. */
function stable({ headers, rawHeaders }) {
  const { date: _, ...rest } = headers;
  const id = rest['x-request-id'];
  if (id !== undefined && id !== 'r-1') rest['x-request-id'] = '(an id)';
  if (rawHeaders.length / 2 < Object.keys(headers).length) throw new Error('headers are lost');
  return rest;
}
