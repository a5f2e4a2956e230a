import { type HttpRequest, httpCall } from '../http-call.js';
import { bodyAt, message, oneOf, usual } from '../knock.js';
import { mcpRequest, toolRequest } from '../mcp-call.js';
import type { Attack } from '../row.js';
import type { Door } from '../site.js';

const NAMES = ['__proto__', 'constructor', 'prototype', 'hasOwnProperty', 'toString'];

function requests(door: Door, name: string): readonly HttpRequest[] {
  const post = usual(door, 'porch');
  const bodies = [
    `{"${name}":{"polluted":1}}`,
    `{"labels":{"${name}":"1"}}`,
    `{"extra":{"${name}":{"polluted":1}}}`,
    `{"mask":"${name}.polluted"}`,
    `{"child":{"${name}":{"polluted":1}}}`,
  ];
  const queries = [`${name}=1`, `${name}.polluted=1`, `child.${name}=1`, `labels.${name}=1`];
  const posts = bodies.map((body) => ({ ...post, body: bodyAt(door, body, 'porch') }));
  if (door === 'MCP') {
    const meta = JSON.parse(`{"${name}":{"polluted":1},"progressToken":"${name}"}`) as object;
    return [
      ...posts,
      toolRequest(name, '{}'),
      toolRequest('Porch_Echo', '{}', meta),
      mcpRequest(name),
      {
        ...post,
        body: String(post.body).replace('"id":1', `"id":"${name}","${name}":{"polluted":1}`),
      },
    ];
  }
  if (door.startsWith('Connect') || door.startsWith('gRPC-Web')) {
    return [
      ...posts,
      { ...post, headers: { ...post.headers, [name]: '1', [`${name}-bin`]: 'YQ' } },
    ];
  }
  const path = door === 'HTTP controller' ? '/desk/open/a' : '/api/v1/porch';
  return [
    ...posts,
    ...queries.map((query) => ({ path: `${path}?${query}` })),
    { path, headers: { [`grpc-metadata-${name}`]: '1' } },
  ];
}

/** Names that every object has: data or refused, and never more. */
export const memberNames: Attack = async (site, door) => {
  const results: string[] = [];
  for (const name of NAMES) {
    if (door === 'messages') {
      const data = JSON.parse(`{"${name}":{"polluted":1}}`) as unknown;
      const answer = await message(site.messagesPort, { pattern: 'porch', data });
      results.push(answer.includes('"response"') ? 'answered' : answer);
      results.push(await message(site.messagesPort, { pattern: name, data }).then(asUnknown));
      continue;
    }
    for (const request of requests(door, name)) {
      const { status } = await httpCall(site.portOf(door), request);
      const isWell = [200, 201, 400].includes(status) || (door === 'MCP' && status === 404);
      results.push(isWell ? 'answered' : `${status} to ${request.path} ${String(request.body)}`);
    }
  }
  return oneOf(results);
};

function asUnknown(answer: string): string {
  return answer.includes('no matching message handler') ? 'answered' : answer;
}
