import { describe, expect, it } from '@jest/globals';
import { CREDENTIAL, type PlannedCall, curlOf, fetchOf } from './code-samples.js';

const headers = { Authorization: `Bearer ${CREDENTIAL}`, 'Content-Type': 'application/json' };
const call: PlannedCall = {
  method: 'POST',
  url: 'http://localhost/v1/orders',
  headers,
  body: '{"address":"Bath"}',
  answer: 'json',
};
const bare: PlannedCall = { ...call, method: 'GET', headers: {} };
const { body: _, ...read } = bare;

describe('the command for curl', () => {
  it('is one that a reader would write', () => {
    expect(curlOf(call)).toBe(
      `curl 'http://localhost/v1/orders' \\
  -H "Authorization: Bearer $TOKEN" \\
  -H 'Content-Type: application/json' \\
  --data-raw '{"address":"Bath"}'`,
    );
  });
});

describe('the program in TypeScript', () => {
  it('is one that a reader would write', () => {
    expect(fetchOf(call)).toBe(
      `const response = await fetch('http://localhost/v1/orders', {
  method: 'POST',
  headers: {
    Authorization: \`Bearer \${token}\`,
    'Content-Type': 'application/json',
  },
  body: JSON.stringify({
    "address": "Bath"
  }),
});
console.log(response.status, await response.json());`,
    );
    expect(fetchOf({ ...read, answer: 'text' })).toBe(
      `const response = await fetch('http://localhost/v1/orders');
console.log(response.status, await response.text());`,
    );
  });
});
