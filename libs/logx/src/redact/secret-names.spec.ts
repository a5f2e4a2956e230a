import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from '@jest/globals';
import { nameMatcher } from './secret-names.js';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

function heapMB(): number {
  collect();
  return process.memoryUsage().heapUsed / 1_048_576;
}

describe('nameMatcher', () => {
  it('keeps no long names that came as data', () => {
    const isSecret = nameMatcher(['password']);
    const before = heapMB();
    for (let i = 0; i < 500; i++) isSecret(Buffer.alloc(100_000, `name ${i} `).toString('latin1'));
    expect(heapMB() - before).toBeLessThan(10);
    expect(isSecret('PassWord')).toBe(true);
  });

  it('finds a name behind a long one', () => {
    expect(nameMatcher(['password'])(`${'a'.repeat(1_000)}.password`)).toBe(true);
  });
});
