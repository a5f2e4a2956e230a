import { describe, expect, it } from '@jest/globals';
import { wrapping } from './errors.js';

describe('an error about another', () => {
  it('has the frames of the thrown error, and none of its own', () => {
    expect(wrapping('hostx: service mail: lost', new Error('lost')).stack).toBe(
      'HostError: hostx: service mail: lost',
    );
  });

  it('has frames of its own where what was thrown has none, such as a text', () => {
    expect(wrapping('hostx: service mail: lost', 'lost').stack).toMatch(
      /^(?:HostError|Error): hostx: service mail: lost\n +at /,
    );
  });
});
