import { readFileSync } from 'node:fs';
import { ProtoRegistry } from '@apix/proto/core';
import { describe, expect, it } from '@jest/globals';
import { unboundRules } from './unbound-rules.js';

const set = readFileSync(new URL('../../../../apps/demo/gen/payments.binpb', import.meta.url));
const registry = ProtoRegistry.load(new Uint8Array(set));
const methods = [...registry.methods.keys()];

describe('methods without a rule of HTTP', () => {
  it('are served by the path of gRPC', () => {
    const rules = unboundRules(registry, []);
    expect(rules.length).toBeGreaterThan(0);
    for (const rule of rules) {
      expect(methods).toContain(rule.post);
      expect(rule).toMatchObject({ selector: rule.post!.slice(1).replace('/', '.'), body: '*' });
    }
  });

  it('are not changed if a rule of a file has them', () => {
    const [first, ...others] = unboundRules(registry, []);
    const own = { selector: first!.selector, get: '/v1/own' };
    expect(unboundRules(registry, [own])).toEqual(others);
  });
});
